import { employment } from './census/employment.ts';
import { foreignBornPopulation } from './census/foreign-born-population.ts';
import { laborForceByNativity } from './census/labor-force-by-nativity.ts';
import { medianHouseholdIncomeByNativity } from './census/median-household-income-by-nativity.ts';
import { nonemployerOwnersByNativity } from './census/nonemployer-owners-by-nativity.ts';
import { povertyByNativity } from './census/poverty-by-nativity.ts';
import type { SampleDataset } from './dataset.ts';
import { attendance } from './education/attendance.ts';
import { ccrpiClimateStarRating } from './education/ccrpi-climate-star-rating.ts';
import { ccrpiGraduationRate } from './education/ccrpi-graduation-rate.ts';
import { ccrpiProgress } from './education/ccrpi-progress.ts';
import { ccrpiReadiness } from './education/ccrpi-readiness.ts';
import { ccrpiScoringByComponent } from './education/ccrpi-scoring-by-component.ts';
import { georgiaMilestonesEndOfGrade } from './education/georgia-milestones-end-of-grade.ts';
import { georgiaStudentGrowthModelEndOfGrade } from './education/georgia-student-growth-model-end-of-grade.ts';
import { graduationRate4YearCohort } from './education/graduation-rate-4-year-cohort.ts';
import { highSchoolCompleters } from './education/high-school-completers.ts';
import { perPupilExpenditure } from './education/per-pupil-expenditure.ts';
import { salariesAndBenefits } from './education/salaries-and-benefits.ts';
import { satScoresHighest } from './education/sat-scores-highest.ts';
import { satScoresRecent } from './education/sat-scores-recent.ts';
import { schoolAttendanceZoneBlockGroups } from './education/school-attendance-zone-block-groups.ts';
import { schoolAttendanceZoneTracts } from './education/school-attendance-zone-tracts.ts';
import { schoolZoneIncome } from './education/school-zone-income.ts';
import { iceArrests } from './immigration/ice-arrests.ts';
import { iceArrestsWithDetentionStays } from './immigration/ice-arrests-with-detention-stays.ts';
import { iceDetentionStays } from './immigration/ice-detention-stays.ts';
import { iceDetentionStints } from './immigration/ice-detention-stints.ts';
import { iceRemovals } from './immigration/ice-removals.ts';
import { quarterlyDetainerReports } from './immigration/quarterly-detainer-reports.ts';
import { undocumentedPopulationCharacteristics } from './immigration/undocumented-population-characteristics.ts';

export const datasets: readonly SampleDataset[] = [
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
];
