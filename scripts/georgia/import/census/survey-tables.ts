import { figure, type Importer, type Shape, type SourceColumn } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';
import { CENSUS_PLACE, CENSUS_SHAPE, estimate, placedInCensus } from './census-places.ts';

/** Cells of a detailed table of the American Community Survey, by number. */
function variables(table: string, numbers: readonly number[], required: readonly number[]): SourceColumn[] {
  return numbers.flatMap(number => {
    const code = `${table}_${String(number).padStart(3, '0')}`;
    return [
      figure(`e${number}`, 'count', [`${code}E`, `Estimate ${code}`], required.includes(number)),
      figure(`m${number}`, 'count', [`${code}M`], false),
    ];
  });
}

/** Status of citizenship, place and region of birth of the cells of B05002. */
const BIRTHPLACES: readonly (readonly [number, string, string, string])[] = [
  [1, 'all', 'all', 'all'],
  [2, 'native', 'all', 'all'],
  [13, 'foreign_born', 'all', 'all'],
  [14, 'naturalized', 'all', 'all'],
  [21, 'noncitizen', 'all', 'all'],
  [3, 'all', 'born_in_state', 'all'],
  [4, 'all', 'born_other_state', 'all'],
  [9, 'all', 'native_born_abroad', 'all'],
  [13, 'all', 'foreign_born', 'all'],
];

const REGIONS = ['europe', 'asia', 'africa', 'oceania', 'latin_america', 'northern_america'];

/** Numbers of a region among the naturalized and the noncitizens. */
const ofRegion = (index: number) => [15 + index, 22 + index] as const;

const BIRTH_CELLS = [
  ...new Set([...BIRTHPLACES.map(([cell]) => cell), ...REGIONS.flatMap((_, index) => ofRegion(index))]),
];

const birthRows = [
  ...BIRTHPLACES.map(
    ([cell, status, place, region]) =>
      `('${status}', '${place}', '${region}', ${estimate(`e${cell}`)}, ${estimate(`m${cell}`)})`,
  ),
  ...REGIONS.flatMap((region, index) => {
    const [naturalized, noncitizen] = ofRegion(index);
    const [first, second] = [estimate(`m${naturalized}`), estimate(`m${noncitizen}`)];
    return [
      `('naturalized', 'all', '${region}', ${estimate(`e${naturalized}`)}, ${first})`,
      `('noncitizen', 'all', '${region}', ${estimate(`e${noncitizen}`)}, ${second})`,
      `('foreign_born', 'all', '${region}', ${estimate(`e${naturalized}`)} + ${estimate(`e${noncitizen}`)},
        sqrt((${first}) ** 2 + (${second}) ** 2))`,
    ];
  }),
];

const byBirthplace: Shape = {
  name: 'table B05002, place of birth by citizenship',
  ...CENSUS_SHAPE,
  columns: [...CENSUS_PLACE, ...variables('B05002', BIRTH_CELLS, [1, 2, 13, 14, 21])],
  select: present => `
    SELECT line, file_year AS year, county_fips, district_code, tract_geoid, detail, place_wrong AS dropped,
      g.citizenship_status, g.place_of_birth, g.region_of_birth, g.population_count, g.population_count_moe,
      CAST([${present.has('m2') ? '' : "'population_count_moe'"}] AS VARCHAR[]) AS unsaid
    FROM ${placedInCensus(present)} s,
      (VALUES ${birthRows.join(', ')}) AS g(citizenship_status, place_of_birth, region_of_birth, population_count, population_count_moe)
    WHERE place_wrong IS NOT NULL OR g.population_count IS NOT NULL`,
};

/**
 * Residents by place of birth and citizenship (B05002). The foreign born of a region are the naturalized and the
 * noncitizens together, which the table does not add up. A total that the bureau controls has a code in place of a margin;
 * that of a tract or a school district has a margin.
 */
export const foreignBornPopulation: Importer = censusImporter(
  tableOf(
    'census/foreign_born_population',
    'year:i county_fips:s district_code:s tract_geoid:s citizenship_status:s place_of_birth:s region_of_birth:s population_count:i population_count_moe:d',
    'year county_fips district_code tract_geoid citizenship_status place_of_birth region_of_birth',
  ),
  "American Community Survey table B05002: data.census.gov's CSV, or the API's JSON",
  [byBirthplace],
);

/** Status and birthplace of the cells of B17025: below the poverty level, and above it. */
const POVERTY: readonly (readonly [number, number, string, string])[] = [
  [3, 10, 'native', 'all'],
  [4, 11, 'native', 'born_in_us'],
  [5, 12, 'native', 'born_outside_us'],
  [6, 13, 'foreign_born', 'all'],
  [7, 14, 'naturalized', 'all'],
  [8, 15, 'noncitizen', 'all'],
];

const povertyRows = [
  `('all', 'all', ${estimate('e2')}, ${estimate('m2')}, ${estimate('e1')}, ${estimate('m1')})`,
  ...POVERTY.map(
    ([below, above, status, birthplace]) =>
      `('${status}', '${birthplace}', ${estimate(`e${below}`)}, ${estimate(`m${below}`)},
        ${estimate(`e${below}`)} + ${estimate(`e${above}`)},
        sqrt((${estimate(`m${below}`)}) ** 2 + (${estimate(`m${above}`)}) ** 2))`,
  ),
];

const byPoverty: Shape = {
  name: 'table B17025, poverty by nativity',
  ...CENSUS_SHAPE,
  columns: [
    ...CENSUS_PLACE,
    ...variables(
      'B17025',
      Array.from({ length: 15 }, (_, index) => index + 1),
      [1, 2, 3, 6, 10, 13],
    ),
  ],
  select: present => `
    SELECT line, year, county_fips, district_code, tract_geoid, detail, place_wrong AS dropped, citizenship_status,
      native_birthplace, num_below_poverty, num_below_poverty_moe, num_poverty_universe, num_poverty_universe_moe,
      rate AS poverty_rate, CASE WHEN rate_moe <= 1 THEN rate_moe END AS poverty_rate_moe,
      CAST([${present.has('m2') ? '' : "'num_below_poverty_moe', 'num_poverty_universe_moe', 'poverty_rate_moe'"}] AS VARCHAR[]) AS unsaid
    FROM (
      SELECT *, CASE
          WHEN num_below_poverty_moe IS NULL OR num_poverty_universe_moe IS NULL OR rate IS NULL THEN NULL
          WHEN rate IN (0, 1) THEN 1.645 * sqrt(modeled * (1 - modeled) * weight / num_poverty_universe)
          WHEN squares > 0 THEN sqrt(squares) / num_poverty_universe
          ELSE sqrt(num_below_poverty_moe ** 2 + (rate * num_poverty_universe_moe) ** 2) / num_poverty_universe
        END AS rate_moe
      FROM (
        SELECT *, num_below_poverty_moe ** 2 - (rate * num_poverty_universe_moe) ** 2 AS squares,
          least(2.3 * weight / nullif(num_poverty_universe, 0), 0.5) AS modeled
        FROM (
          SELECT s.line, s.file_year AS year, s.county_fips, s.district_code, s.tract_geoid, s.detail, s.place_wrong, g.*,
            num_below_poverty / nullif(num_poverty_universe, 0) AS rate,
            CASE WHEN s.file_year = 2020 THEN 18 ELSE 19 END AS weight
          FROM ${placedInCensus(present)} s, (VALUES ${povertyRows.join(', ')}) AS g(citizenship_status, native_birthplace,
            num_below_poverty, num_below_poverty_moe, num_poverty_universe, num_poverty_universe_moe))))
    WHERE place_wrong IS NOT NULL OR num_below_poverty IS NOT NULL OR num_poverty_universe IS NOT NULL`,
};

/**
 * Poverty by nativity and citizenship (B17025). A group's universe is those below the level and those above it. The
 * rate's margin follows by the bureau's formula for shares; for a rate of 0 or 1 it is the bureau's modeled one.
 */
export const povertyByNativity: Importer = censusImporter(
  tableOf(
    'census/poverty_by_nativity',
    'year:i county_fips:s district_code:s tract_geoid:s citizenship_status:s native_birthplace:s poverty_rate:d poverty_rate_moe:d num_below_poverty:i num_below_poverty_moe:i num_poverty_universe:i num_poverty_universe_moe:d',
    'year county_fips district_code tract_geoid citizenship_status native_birthplace',
  ),
  "American Community Survey table B17025: data.census.gov's CSV, or the API's JSON",
  [byPoverty],
);

function censusImporter(target: Importer['target'], reads: string, shapes: readonly Shape[]): Importer {
  return {
    name: target.path.replace(/^.*\//, ''),
    reads,
    target,
    shapes: shapes,
    repeated: 'refuse',
    // Counties, districts, tracts and the state come in files of their own.
    merges: true,
  };
}
