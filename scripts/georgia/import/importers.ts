import { employment } from './census/employment.ts';
import { nativityTable } from './census/nativity-table.ts';
import { nonemployerOwners } from './census/nonemployer-owners.ts';
import { foreignBornPopulation, povertyByNativity } from './census/survey-tables.ts';
import { contractShape } from './contract-shape.ts';
import { demographics } from './demographics.ts';
import { blockGroups } from './dimensions/block-groups.ts';
import { counties } from './dimensions/counties.ts';
import { districts } from './dimensions/districts.ts';
import { schools } from './dimensions/schools.ts';
import { tracts } from './dimensions/tracts.ts';
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
import { satScoresHighest, satScoresRecent } from './education/sat-scores.ts';
import { finishedTables } from './finished-tables.ts';
import { iceRecords } from './immigration/ice-records.ts';
import type { Importer } from './importer.ts';

const SOURCES: readonly Importer[] = [
  demographics,
  districts,
  schools,
  counties,
  tracts,
  blockGroups,
  attendance,
  ccrpiGraduationRate,
  ccrpiProgress,
  ccrpiScoringByComponent,
  ccrpiReadiness,
  ccrpiClimateStarRating,
  graduationRate4YearCohort,
  highSchoolCompleters,
  georgiaMilestonesEndOfGrade,
  georgiaStudentGrowthModelEndOfGrade,
  satScoresHighest,
  satScoresRecent,
  salariesAndBenefits,
  perPupilExpenditure,
  employment,
  foreignBornPopulation,
  povertyByNativity,
  ...nativityTable,
  nonemployerOwners,
  ...iceRecords,
  ...finishedTables,
];

/**
 * Dimensions come first, since an import of facts looks up its codes in them. Every dataset can also be read from a table
 * with the contract's columns.
 */
export const IMPORTERS: readonly Importer[] = SOURCES.map(importer =>
  importer.target.kind === 'dataset'
    ? { ...importer, shapes: [...importer.shapes, contractShape(importer.target)] }
    : importer,
);
