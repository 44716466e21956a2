import type { Figure } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GOSA_CODES, YEAR } from './place-layouts.ts';

const dollars = (header: string): Figure => ({ headers: [header], holds: 'number', required: true });
const share = (...headers: string[]): Figure => ({ headers, holds: 'percent' });

/**
 * Salaries and benefits by kind of staff, Governor's Office of Student Achievement. The level is not read: since 2023 it
 * calls regional agencies DOE OTHER, and all rows are of districts or the state.
 */
export const salariesAndBenefits = datasetImporter(
  tableOf(
    'education/salaries_and_benefits',
    'year:i district_code:s school_code:s staff_category:s salaries:d benefits:d salaries_and_benefits:d pct_revenue_gf_title_lottery:d pct_revenue_total_k12:d pct_expense_gf_title_lottery:d pct_expense_total_k12:d',
    'year district_code school_code staff_category',
  ),
  "GOSA's Salaries and Benefits downloads, one file per school year",
  [
    {
      name: 'salaries and benefits by kind of staff',
      years: '2011-2024',
      place: { ...GOSA_CODES, levels: false },
      year: YEAR,
      keys: {
        staff_category: {
          headers: ['CATEGORY'],
          what: 'kind of staff',
          codes: {
            teachersandparaprofessionals: 'teachers_and_paraprofessionals',
            schooladministration: 'school_administration',
            generaladministration: 'general_administration',
          },
        },
      },
      blocks: [
        {
          figures: {
            salaries: dollars('SALARIES'),
            benefits: dollars('BENEFITS'),
            salaries_and_benefits: dollars('SALARIES_AND_BENEFITS'),
            pct_revenue_gf_title_lottery: share('% Rev- GF/Title/Lottery'),
            pct_revenue_total_k12: share('% Rev- Total K-12'),
            pct_expense_gf_title_lottery: share('% Exp- GF/Title/Lottery'),
            pct_expense_total_k12: share('% Exp-Total K-12'),
          },
        },
      ],
      rules: [{ drop: 'school_code IS NOT NULL', why: 'a school: pay is of districts and the state' }],
    },
  ],
);
