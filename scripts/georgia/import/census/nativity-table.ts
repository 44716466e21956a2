import { figure, type Importer, type Shape, type SourceColumn, text } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';
import { CENSUS_PLACE, CENSUS_SHAPE, estimate, placedInCensus } from './census-places.ts';

/** Column groups of table S0501 by their numbers, with their names in the labels of data.census.gov. */
const STATUSES = [
  ['all', 'Total'],
  ['native', 'Native'],
  ['foreign_born', 'Foreign-born'],
  ['naturalized', 'Foreign-born; Naturalized citizen'],
  ['noncitizen', 'Foreign-born; Not a U.S. citizen'],
] as const;

/** A cell of the table: its number since 2018, and the end of its label. */
interface Cell {
  readonly name: string;
  readonly number: number;
  readonly labels: readonly string[];
}

const FORCE = 'EMPLOYMENT STATUS!!Population 16 years and over';
const CIVILIAN = `${FORCE}!!In labor force!!Civilian labor force`;

const EMPLOYMENT: readonly Cell[] = [
  { name: 'population', number: 48, labels: [FORCE] },
  { name: 'force', number: 49, labels: [`${FORCE}!!In labor force`] },
  { name: 'civilian', number: 50, labels: [CIVILIAN] },
  { name: 'employed', number: 51, labels: [`${CIVILIAN}!!Employed`] },
  { name: 'unemployed', number: 52, labels: [`${CIVILIAN}!!Unemployed`] },
  { name: 'rate', number: 53, labels: [`${CIVILIAN}!!Unemployed!!Percent of civilian labor force`] },
  { name: 'armed', number: 54, labels: [`${FORCE}!!In labor force!!Armed Forces`] },
  { name: 'out', number: 55, labels: [`${FORCE}!!Not in labor force`] },
];

/** The label names the year to whose prices the incomes are adjusted. */
const INCOME: Cell = {
  name: 'median',
  number: 101,
  labels: Array.from({ length: 23 }, (_, index) => 2018 + index).map(
    year =>
      `INCOME IN THE PAST 12 MONTHS (IN ${year} INFLATION-ADJUSTED DOLLARS)!!Households!!Median Household income (dollars)`,
  ),
};

/** Vintages for which the numbers of the cells are known. */
const NUMBERED = '2018 AND 2024';

/**
 * Columns of these cells, by their labels or by their numbers, for all statuses: `e_median_native` is an estimate and
 * `m_median_native` its margin.
 */
function cellColumns(cells: readonly Cell[], by: 'labels' | 'numbers', required: boolean): SourceColumn[] {
  return STATUSES.flatMap(([status, group], index) =>
    cells.flatMap(({ name, number, labels }) => {
      const code = `S0501_C0${index + 1}_${String(number).padStart(3, '0')}`;
      const headers = (kind: string, letter: string) =>
        by === 'numbers' ? [`${code}${letter}`] : labels.map(label => `${kind}!!${group}!!${label}`);
      const estimated = `e_${name}_${status}`;
      return [
        name === 'median'
          ? text(estimated, headers('Estimate', 'E'), required)
          : figure(estimated, 'number', headers('Estimate', 'E'), required),
        figure(`m_${name}_${status}`, 'number', headers('Margin of Error', 'M'), false),
      ];
    }),
  );
}

/** SQL: some figures of a row are those of the employment status, whose parts add up. */
const ADDS_UP = STATUSES.map(([status]) => {
  const n = (name: string) => number(`e_${name}_${status}`);
  return `coalesce(abs(${n('force')} + ${n('out')} - 100) > 0.25 OR abs(${n('civilian')} + ${n('armed')} - ${n('force')}) > 0.25
    OR abs(${n('employed')} + ${n('unemployed')} - ${n('civilian')}) > 0.25, false)`;
}).join(' OR ');

function number(cell: string): string {
  return `CASE WHEN number_of(${cell}) >= 0 THEN number_of(${cell}) END`;
}

const share = (cell: string) => `CASE WHEN number_of(${cell}) >= 0 THEN proportion_of(${cell}) END`;

const RENUMBERED =
  "'the cells of employment do not add up: this vintage numbers them otherwise, so use a file with labels'";

const PLACE_WRONG = `CASE
    WHEN place_wrong IS NOT NULL THEN place_wrong
    WHEN detail NOT IN ('counties', 'states') THEN 'neither a county nor the state'`;

function laborShape(by: 'labels' | 'numbers'): Shape {
  const shares = ['force', 'civilian', 'employed', 'unemployed', 'rate', 'armed', 'out'];
  const rows = STATUSES.map(([status]) => {
    const cells = shares.flatMap(name => [share(`e_${name}_${status}`), share(`m_${name}_${status}`)]);
    return `('${status}', ${estimate(`e_population_${status}`)}, ${estimate(`m_population_${status}`)}, ${cells.join(', ')})`;
  });
  return {
    name: `table S0501, nativity, by ${by}`,
    ...CENSUS_SHAPE,
    columns: [...CENSUS_PLACE, ...cellColumns(EMPLOYMENT, by, true)],
    select: present => `
      SELECT line, file_year AS year, county_fips, district_code, tract_geoid, detail, g.*, ${PLACE_WRONG}
          WHEN ${ADDS_UP} THEN ${RENUMBERED} END AS dropped
      FROM ${placedInCensus(present)} s, (VALUES ${rows.join(', ')}) AS g(citizenship_status, num_population_16_plus,
        num_population_16_plus_moe, labor_force_participation_rate, labor_force_participation_rate_moe,
        pct_civilian_labor_force, pct_civilian_labor_force_moe, pct_employed, pct_employed_moe, pct_unemployed,
        pct_unemployed_moe, unemployment_rate, unemployment_rate_moe, pct_armed_forces, pct_armed_forces_moe,
        pct_not_in_labor_force, pct_not_in_labor_force_moe)
      WHERE place_wrong IS NOT NULL OR num_population_16_plus IS NOT NULL`,
    shared: true,
  };
}

/** Medians beyond the table's ends: the files write 250,000+ and 2,500-, the API 250001 and 2499. */
const MEDIAN = (cell: string) => `CASE
    WHEN regexp_full_match(${cell}, '250,?000\\+') THEN 250001
    WHEN regexp_full_match(${cell}, '2,?500-') THEN 2499
    ELSE ${estimate(cell)} END`;

/** SQL for a row whose median is a text: it must not become NULL unseen. */
const unread = (cell: string) =>
  `WHEN NOT is_marker(${cell}) AND number_of(${cell}) IS NULL AND ${MEDIAN(cell)} IS NULL
    THEN concat('the median "', ${cell}, '" is neither a figure nor a known marker')`;

function incomeShape(by: 'labels' | 'numbers'): Shape {
  const rows = STATUSES.map(
    ([status]) => `('${status}', ${MEDIAN(`e_median_${status}`)}, ${estimate(`m_median_${status}`)})`,
  );
  const medians = STATUSES.map(([status]) => MEDIAN(`e_median_${status}`)).join(', ');
  const checks = by === 'numbers' ? cellColumns(EMPLOYMENT, by, false) : [];
  return {
    name: `table S0501, income by nativity, by ${by}`,
    ...CENSUS_SHAPE,
    columns: [...CENSUS_PLACE, ...cellColumns([INCOME], by, true), ...checks],
    select: present => `
      SELECT line, file_year AS year, county_fips, district_code, tract_geoid, detail, citizenship_status,
        median_household_income, CASE WHEN median_household_income NOT IN (2499, 250001) THEN moe END AS median_household_income_moe,
        ${PLACE_WRONG}
          ${by === 'numbers' ? `WHEN ${ADDS_UP} OR file_year NOT BETWEEN ${NUMBERED} THEN ${RENUMBERED}` : ''}
          ${STATUSES.map(([status]) => unread(`e_median_${status}`)).join('\n')}
          WHEN coalesce(${medians}) IS NULL THEN 'no median is published for the place'
        END AS dropped
      FROM ${placedInCensus(present)} s, (VALUES ${rows.join(', ')}) AS g(citizenship_status, median_household_income, moe)`,
    shared: true,
  };
}

/** Labor force and income of table S0501: the state, and the counties for which the bureau publishes it. */
export const nativityTable: readonly Importer[] = [
  nativityImporter(
    'labor_force_by_nativity',
    'num_population_16_plus:i num_population_16_plus_moe:i labor_force_participation_rate:d labor_force_participation_rate_moe:d pct_civilian_labor_force:d pct_civilian_labor_force_moe:d pct_employed:d pct_employed_moe:d pct_unemployed:d pct_unemployed_moe:d unemployment_rate:d unemployment_rate_moe:d pct_armed_forces:d pct_armed_forces_moe:d pct_not_in_labor_force:d pct_not_in_labor_force_moe:d',
    laborShape,
  ),
  nativityImporter(
    'median_household_income_by_nativity',
    'median_household_income:i median_household_income_moe:i',
    incomeShape,
  ),
];

function nativityImporter(
  name: string,
  figures: string,
  shape: (by: 'labels' | 'numbers') => Shape,
): Importer {
  const target = tableOf(
    `census/${name}`,
    `year:i county_fips:s district_code:s tract_geoid:s citizenship_status:s ${figures}`,
    'year county_fips district_code tract_geoid citizenship_status',
  );
  return {
    name,
    reads: "American Community Survey table S0501: data.census.gov's CSV, or the API's JSON",
    target,
    shapes: [shape('labels'), shape('numbers')],
    repeated: 'refuse',
    merges: true,
  };
}
