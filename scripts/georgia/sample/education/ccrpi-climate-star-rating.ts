import type { SampleDataset } from '../dataset.ts';

/** A school's climate changes slowly; stars are cut from it so that three and four are the most common. */
export const ccrpiClimateStarRating: SampleDataset = {
  key: 'education/ccrpi_climate_star_rating',
  sql: `
    WITH climate AS (
      SELECT
        year, district_code, school_code, place,
        0.55 * z + 0.35 * drift('climate/' || place, year) + 0.6 * n('climate/' || place)
          + 0.35 * n(concat_ws('/', 'climate', place, year)) + 0.2 * elementary + 0.04 * (year - 2016) AS climate
      FROM schools, LATERAL (SELECT concat_ws('/', district_code, school_code) AS place),
        (VALUES (2014), (2015), (2016), (2017), (2018), (2019), (2024)) years(year)
    )
    SELECT
      year, district_code, school_code,
      -- Some schools are not rated: new ones, and those with too few answers to the surveys.
      CASE WHEN u(concat_ws('/', 'climate rated', place, year)) >= 0.03 THEN
        CASE WHEN climate < -1.35 THEN 1 WHEN climate < -0.65 THEN 2 WHEN climate < 0.15 THEN 3
          WHEN climate < 1.1 THEN 4 ELSE 5 END
      END AS school_climate_star_rating,
      'schools' AS detail
    FROM climate`,
};
