import { specification as employment } from './census/employment.ts';
import { specification as foreignBornPopulation } from './census/foreign_born_population.ts';
import { specification as laborForceByNativity } from './census/labor_force_by_nativity.ts';
import { specification as medianHouseholdIncomeByNativity } from './census/median_household_income_by_nativity.ts';
import { specification as nonemployerOwnersByNativity } from './census/nonemployer_owners_by_nativity.ts';
import { specification as povertyByNativity } from './census/poverty_by_nativity.ts';
import { specification as attendance } from './education/attendance.ts';
import { specification as ccrpiClimateStarRating } from './education/ccrpi_climate_star_rating.ts';
import { specification as ccrpiGraduationRate } from './education/ccrpi_graduation_rate.ts';
import { specification as ccrpiProgress } from './education/ccrpi_progress.ts';
import { specification as ccrpiReadiness } from './education/ccrpi_readiness.ts';
import { specification as ccrpiScoringByComponent } from './education/ccrpi_scoring_by_component.ts';
import { specification as georgiaMilestonesEndOfGrade } from './education/georgia_milestones_end_of_grade.ts';
import { specification as georgiaStudentGrowthModelEndOfGrade } from './education/georgia_student_growth_model_end_of_grade.ts';
import { specification as graduationRate4YearCohort } from './education/graduation_rate_4_year_cohort.ts';
import { specification as highSchoolCompleters } from './education/high_school_completers.ts';
import { specification as perPupilExpenditure } from './education/per_pupil_expenditure.ts';
import { specification as salariesAndBenefits } from './education/salaries_and_benefits.ts';
import { specification as satScoresHighest } from './education/sat_scores_highest.ts';
import { specification as satScoresRecent } from './education/sat_scores_recent.ts';
import { specification as schoolAttendanceZoneBlockGroups } from './education/school_attendance_zone_block_groups.ts';
import { specification as schoolAttendanceZoneTracts } from './education/school_attendance_zone_tracts.ts';
import { specification as schoolZoneIncome } from './education/school_zone_income.ts';
import { completed, type DatasetSpecification } from './facts.ts';
import { specification as iceArrests } from './immigration/ice_arrests.ts';
import { specification as iceArrestsWithDetentionStays } from './immigration/ice_arrests_with_detention_stays.ts';
import { specification as iceDetentionStays } from './immigration/ice_detention_stays.ts';
import { specification as iceDetentionStints } from './immigration/ice_detention_stints.ts';
import { specification as iceRemovals } from './immigration/ice_removals.ts';
import { specification as quarterlyDetainerReports } from './immigration/quarterly_detainer_reports.ts';
import { specification as undocumentedPopulationCharacteristics } from './immigration/undocumented_population_characteristics.ts';

/** The thirty datasets of the specification, by domain. */
export const specifications: readonly DatasetSpecification[] = [
  employment,
  foreignBornPopulation,
  laborForceByNativity,
  medianHouseholdIncomeByNativity,
  nonemployerOwnersByNativity,
  povertyByNativity,
  attendance,
  ccrpiClimateStarRating,
  ccrpiGraduationRate,
  ccrpiProgress,
  ccrpiReadiness,
  ccrpiScoringByComponent,
  georgiaMilestonesEndOfGrade,
  georgiaStudentGrowthModelEndOfGrade,
  graduationRate4YearCohort,
  highSchoolCompleters,
  perPupilExpenditure,
  salariesAndBenefits,
  satScoresHighest,
  satScoresRecent,
  schoolAttendanceZoneBlockGroups,
  schoolAttendanceZoneTracts,
  schoolZoneIncome,
  iceArrests,
  iceArrestsWithDetentionStays,
  iceDetentionStays,
  iceDetentionStints,
  iceRemovals,
  quarterlyDetainerReports,
  undocumentedPopulationCharacteristics,
].map(completed);
