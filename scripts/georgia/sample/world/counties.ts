import type { Extent } from '../scale.ts';

/**
 * state_counties: all 159 counties, whatever the scale, with `rank` by population; counties: those of the lake;
 * `detailed` ones have districts, schools and tracts. The 24 largest are always included, since some sources publish
 * only large ones. Populations are lognormal, as real ones nearly are: a few large counties and
 * many small ones. `foreign_born` is the share of residents born abroad, larger in large counties.
 */
export function countiesSql({ countyStep }: Extent): readonly string[] {
  return [
    `CREATE TABLE state_counties AS
     WITH codes AS (
       SELECT code, row_number() OVER (ORDER BY code) AS ordinal
       FROM range(1, 322, 2) t(code)
       WHERE code NOT IN (41, 203)
     ), drawn AS (
       SELECT
         ordinal,
         printf('13%03d', code) AS county_fips,
         printf('Sample County %03d', code) AS county_name,
         least(1100000, greatest(2000, round(exp(10.35 + 1.2 * n(concat_ws('/', 'county population', code))))))::BIGINT
           AS population,
         n(concat_ws('/', 'county z', code)) AS z
       FROM codes
     )
     SELECT
       *,
       row_number() OVER (ORDER BY population DESC, county_fips) AS rank,
       logistic(-2.75 + 0.4 * ln(population / 60000) + 0.45 * n('county foreign born/' || county_fips)) AS foreign_born
     FROM drawn`,
    `CREATE TABLE counties AS
     SELECT *, ordinal % ${countyStep} = 1 % ${countyStep} AS detailed FROM state_counties WHERE detailed OR rank <= 24`,
  ];
}
