import type { SampleDataset } from '../dataset.ts';
import { fromTracts } from '../levels.ts';
import { split } from '../split.ts';
import { marginOfCount } from './margin.ts';
import { citizenshipStatuses, residents } from './nativity.ts';

const keys = ['county_fips', 'district_code', 'tract_geoid'];
const place = `year, ${keys.join(', ')}`;

/**
 * Foreign-born residents of each tract are divided among world regions, naturalized and noncitizens apart. Counties and
 * tracts favor some regions. From 2023 a few people were born at sea and count in no region.
 */
export const foreignBornPopulation: SampleDataset = {
  key: 'census/foreign_born_population',
  sql: `
    WITH residents AS (${residents({ from: 'tracts', place: 'tract_geoid', keys })}),
    statuses AS (${citizenshipStatuses}),
    regions(region, naturalized, noncitizen, first_year) AS (
      VALUES
        ('europe', 0.11, 0.05, 2020), ('asia', 0.37, 0.22, 2020), ('africa', 0.11, 0.08, 2020),
        ('oceania', 0.004, 0.003, 2020), ('latin_america', 0.39, 0.63, 2020), ('northern_america', 0.018, 0.012, 2020),
        ('at_sea', 0.003, 0.004, 2023)
    ), weighed AS (
      SELECT
        r.*, region,
        CASE WHEN year >= first_year THEN
          round(1000000 * CASE origin WHEN 'naturalized' THEN naturalized ELSE noncitizen END * exp(
            0.4 * n(concat_ws('/', 'region of birth', county_fips, region))
            + 0.6 * n(concat_ws('/', 'region of birth', tract_geoid, region)))) ELSE 0 END::BIGINT AS weight
      FROM residents r JOIN regions ON origin IN ('naturalized', 'noncitizen')
    ), born_abroad AS (
      SELECT
        ${place}, origin, region,
        ${split({ total: 'people', weight: 'weight', within: `${place}, origin`, order: 'region' })} AS people
      FROM weighed
    ), cells AS (
      SELECT ${place}, citizenship_status, 'all' AS place_of_birth, 'all' AS region_of_birth, people
      FROM residents JOIN statuses USING (origin)
      UNION ALL
      SELECT
        ${place}, 'all', CASE WHEN origin IN ('naturalized', 'noncitizen') THEN 'foreign_born' ELSE origin END,
        'all', people
      FROM residents
      UNION ALL
      SELECT ${place}, citizenship_status, 'all', region, people
      FROM born_abroad JOIN statuses USING (origin)
      WHERE citizenship_status <> 'all' AND region <> 'at_sea'
    ), summed AS (
      ${fromTracts({
        from: 'cells',
        axes: ['year', 'citizenship_status', 'place_of_birth', 'region_of_birth'],
        sums: ['people'],
      })}
    ), based AS (
      SELECT *, max(people) OVER (PARTITION BY ${place}) AS residents
      FROM summed
    ), estimated AS (
      SELECT *, ${marginOfCount('people', 'residents')} AS margin
      FROM based
    ), derived AS (
      SELECT
        *,
        max(margin) FILTER (citizenship_status = 'naturalized') OVER region AS naturalized_margin,
        max(margin) FILTER (citizenship_status = 'noncitizen') OVER region AS noncitizen_margin
      FROM estimated
      WINDOW region AS (PARTITION BY ${place}, region_of_birth)
    )
    SELECT
      ${place}, citizenship_status, place_of_birth, region_of_birth,
      people AS population_count,
      CASE
        -- The totals of counties and the state are set by the official population estimates.
        WHEN citizenship_status = 'all' AND place_of_birth = 'all' AND detail IN ('counties', 'states') THEN NULL
        WHEN citizenship_status = 'foreign_born' AND region_of_birth <> 'all'
          THEN round(sqrt(naturalized_margin ** 2 + noncitizen_margin ** 2), 1)
        ELSE margin
      END AS population_count_moe,
      detail
    FROM derived`,
};
