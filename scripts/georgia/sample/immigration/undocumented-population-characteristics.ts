import type { SampleDataset } from '../dataset.ts';
import { split } from '../split.ts';

/**
 * An estimate for the whole state is divided by each characteristic in turn. Regions are the sums of all their
 * countries. Figures are rounded to thousands, and birthplaces of fewer people are withheld.
 */
export const undocumentedPopulationCharacteristics: SampleDataset = {
  key: 'immigration/undocumented_population_characteristics',
  sql: `
    WITH parts(characteristic, value, region, share) AS (
      VALUES
        ('demographic', 'female', NULL, 0.46), ('demographic', 'male', NULL, 0.54),
        ('years_in_us', 'under_5', NULL, 0.29), ('years_in_us', '5_9', NULL, 0.17), ('years_in_us', '10_14', NULL, 0.12),
        ('years_in_us', '15_19', NULL, 0.17), ('years_in_us', '20_plus', NULL, 0.25),
        ('age_bracket', 'under_5', NULL, 0.016), ('age_bracket', '5_17', NULL, 0.12),
        ('age_bracket', '18_20', NULL, 0.045), ('age_bracket', '21_24', NULL, 0.07),
        ('age_bracket', '25_34', NULL, 0.25), ('age_bracket', '35_44', NULL, 0.26),
        ('age_bracket', '45_64', NULL, 0.21), ('age_bracket', '65_plus', NULL, 0.03),
        ('birthplace', 'afghanistan', 'asia', 0.0012), ('birthplace', 'argentina', 'south_america', 0.004),
        ('birthplace', 'bangladesh', 'asia', 0.004), ('birthplace', 'brazil', 'south_america', 0.03),
        ('birthplace', 'canada', 'north_america', 0.006), ('birthplace', 'chile', 'south_america', 0.003),
        ('birthplace', 'china', 'asia', 0.015), ('birthplace', 'colombia', 'south_america', 0.045),
        ('birthplace', 'dominican_republic', 'caribbean', 0.01), ('birthplace', 'ecuador', 'south_america', 0.012),
        ('birthplace', 'el_salvador', 'central_america', 0.06), ('birthplace', 'ethiopia', 'africa', 0.005),
        ('birthplace', 'ghana', 'africa', 0.006), ('birthplace', 'guatemala', 'central_america', 0.13),
        ('birthplace', 'haiti', 'caribbean', 0.018), ('birthplace', 'honduras', 'central_america', 0.085),
        ('birthplace', 'india', 'asia', 0.045), ('birthplace', 'jamaica', 'caribbean', 0.02),
        ('birthplace', 'korea', 'asia', 0.02), ('birthplace', 'mexico', 'north_america', 0.335),
        ('birthplace', 'nepal', 'asia', 0.003), ('birthplace', 'nicaragua', 'central_america', 0.016),
        ('birthplace', 'nigeria', 'africa', 0.018), ('birthplace', 'pakistan', 'asia', 0.005),
        ('birthplace', 'peru', 'south_america', 0.016), ('birthplace', 'philippines', 'asia', 0.007),
        ('birthplace', 'poland', 'europe', 0.0011), ('birthplace', 'russia', 'europe', 0.003),
        ('birthplace', 'ukraine', 'europe', 0.003), ('birthplace', 'venezuela', 'south_america', 0.055),
        ('birthplace', 'vietnam', 'asia', 0.012), ('birthplace', NULL, 'africa', 0.022),
        ('birthplace', NULL, 'asia', 0.012), ('birthplace', NULL, 'caribbean', 0.008),
        ('birthplace', NULL, 'central_america', 0.004), ('birthplace', NULL, 'europe', 0.018),
        ('birthplace', NULL, 'oceania', 0.0008), ('birthplace', NULL, 'south_america', 0.004)
    ), weighed AS (
      SELECT
        *,
        round(population * 0.04)::BIGINT AS total,
        coalesce(value, 'z rest of ' || region) AS name,
        round(1000000 * share * exp(0.1 * n(concat_ws('/', 'undocumented', characteristic, name))))::BIGINT AS weight
      FROM parts, (SELECT sum(population)::BIGINT AS population FROM state_counties)
    ), shared AS (
      SELECT *, ${split({ total: 'total', weight: 'weight', within: 'characteristic', order: 'name' })} AS people
      FROM weighed
    ), summed AS (
      SELECT characteristic, value, people FROM shared WHERE value IS NOT NULL
      UNION ALL
      SELECT 'region', region, sum(people)::BIGINT FROM shared WHERE region IS NOT NULL GROUP BY region
      UNION ALL
      SELECT DISTINCT 'total', 'all', total FROM shared
    )
    SELECT
      2024 AS year,
      NULL AS county_fips,
      CASE characteristic WHEN 'demographic' THEN value ELSE 'all' END AS demographic,
      'cms' AS estimator,
      CASE characteristic WHEN 'region' THEN value ELSE 'all' END AS region_of_birth,
      CASE characteristic WHEN 'birthplace' THEN value ELSE 'all' END AS country_of_birth,
      CASE characteristic WHEN 'years_in_us' THEN value ELSE 'all' END AS years_in_us,
      CASE characteristic WHEN 'age_bracket' THEN value ELSE 'all' END AS age_bracket,
      CASE WHEN people >= 1000 OR characteristic NOT IN ('birthplace', 'region') THEN round(people / 1000)::BIGINT * 1000
        END AS estimated_population,
      'states' AS detail
    FROM summed`,
};
