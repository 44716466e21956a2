import { datasetImporter, tableOf } from '../layout-shape.ts';

/**
 * Spending per student. The files that hold it (the Financial Efficiency Star Rating's, with a column for each fiscal
 * year) are described too little to be read by their headers: --columns maps theirs to the contract's. GOSA's Revenues
 * and Expenditures have other sums, which include capital and debt.
 */
export const perPupilExpenditure = datasetImporter(
  tableOf(
    'education/per_pupil_expenditure',
    'year:i district_code:s school_code:s total_expenditures:d fte_enrollment:i per_pupil_expenditure:d federal_per_pupil_expenditure:d state_local_per_pupil_expenditure:d federal_expenditures:d state_local_expenditures:d included_expenditures:d included_federal_expenditures:d total_federal_expenditures:d total_state_local_expenditures:d pct_of_district_enrollment:d',
    'year district_code school_code',
  ),
  'spending per student, under the names of the contract or with --columns',
  [],
  true,
);
