import type { SampleDataset } from '../dataset.ts';

/**
 * Districts, charter operators and agencies pay their staff by student, in cents. Regional agencies have no students and
 * draw their own budgets. Revenue and expense are somewhat above the cost of all staff.
 */
export const salariesAndBenefits: SampleDataset = {
  key: 'education/salaries_and_benefits',
  sql: `
    WITH categories(staff_category, per_student, spread) AS (
      VALUES
        ('teachers_and_paraprofessionals', 4700, 0.06), ('school_administration', 590, 0.12),
        ('general_administration', 330, 0.25)
    ), sizes AS (
      SELECT district_code, district_type, z, year::INTEGER AS year,
        CASE WHEN district_type = 'resa' THEN 500 + 900 * u('agency budget/' || district_code)
          ELSE enrollment * (1 + 0.008 * (year - 2018)) END AS students,
        -- Pay grows slowly to 2015 and fast after 2021, and small districts cost more for each student.
        exp(0.012 * (year - 2011) + 0.02 * greatest(0, year - 2015) + 0.025 * greatest(0, year - 2021))
          * exp(-0.05 * ln(greatest(students, 100) / 5000) - 0.02 * z) AS costliness,
        0.27 + 0.012 * (year - 2011) AS benefit_share
      FROM districts, range(2011, 2025) y(year)
      WHERE enrollment > 0 OR district_type = 'resa'
    ), paid AS (
      SELECT
        *,
        concat_ws('/', 'pay', district_code, staff_category) AS key,
        u(concat_ws('/', key, 'correction', year)) AS correction,
        staff_category = 'general_administration' AND length(district_code) = 7 AS corrects,
        round(100 * students * per_student * costliness
          * exp(spread * n(key) + 0.015 * n(concat_ws('/', key, year))))::BIGINT AS salary_cents,
        round(salary_cents * benefit_share * exp(0.05 * n(key || '/benefits')))::BIGINT AS benefit_cents
      FROM sizes, categories
    ), drawn AS (
      SELECT
        year, district_code, district_type, staff_category,
        -- Now and then a small operator books a correction, and little else.
        CASE WHEN corrects AND correction < 0.05 THEN -round(200000 * correction) ELSE salary_cents END::BIGINT
          AS salary_cents,
        CASE WHEN corrects AND correction BETWEEN 0.05 AND 0.15 THEN -round(900000 * (correction - 0.049))
          ELSE benefit_cents END::BIGINT AS benefit_cents,
        sum(salary_cents + benefit_cents) OVER (PARTITION BY year, district_code)::BIGINT AS staff_cents
      FROM paid
    ), based AS (
      SELECT
        *,
        -- Relief money after 2020 outgrew pay, and everything else has grown a little slower than pay.
        staff_cents * (1.04 - 0.005 * (year - 2011) + 0.03 * drift('budget/' || district_code, year)
          + CASE year WHEN 2021 THEN 0.05 WHEN 2022 THEN 0.09 WHEN 2023 THEN 0.06 ELSE 0 END) AS budget,
        round(budget * (1.32 + 0.05 * n('title revenue/' || district_code)))::BIGINT AS gf_revenue,
        round(budget * (1.55 + 0.08 * n('revenue/' || district_code)))::BIGINT AS k12_revenue,
        round(budget * (1.27 + 0.04 * n('title expense/' || district_code)))::BIGINT AS gf_expense,
        round(budget * (1.50 + 0.08 * n('expense/' || district_code)))::BIGINT AS k12_expense
      FROM drawn
    ), places AS (
      SELECT *, 'districts' AS detail FROM based
      UNION ALL BY NAME
      SELECT
        year, NULL AS district_code, staff_category, 'states' AS detail,
        ${['salary_cents', 'benefit_cents', 'gf_revenue', 'k12_revenue', 'gf_expense', 'k12_expense']
          .map(column => `sum(${column})::BIGINT AS ${column}`)
          .join(', ')}
      FROM based
      -- Every body to 2013; from 2014 the ordinary districts alone.
      WHERE year <= 2013 OR district_type = 'standard'
      GROUP BY year, staff_category
    ), rated AS (
      SELECT
        *,
        salary_cents + benefit_cents AS cents,
        -- Ratios of 2021 are given in percent. Agencies have no revenue or expense of schools.
        CASE WHEN district_type = 'resa' THEN NULL WHEN year = 2021 THEN 100 ELSE 1 END AS factor
      FROM places
    )
    SELECT
      year, district_code, NULL AS school_code, staff_category,
      salary_cents / 100 AS salaries,
      benefit_cents / 100 AS benefits,
      cents / 100 AS salaries_and_benefits,
      round(factor * cents / gf_revenue, 4) AS pct_revenue_gf_title_lottery,
      round(factor * cents / k12_revenue, 4) AS pct_revenue_total_k12,
      round(factor * cents / gf_expense, 4) AS pct_expense_gf_title_lottery,
      round(factor * cents / k12_expense, 4) AS pct_expense_total_k12,
      detail
    FROM rated`,
};
