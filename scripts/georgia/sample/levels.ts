/**
 * Adds up levels of detail: figures are drawn at the finest level and summed, so that levels agree. Withholding (NULL
 * for small counts) comes later. Sum integers only: sums of doubles depend on their order.
 */
export interface Rollup {
  /** Table or CTE with the keys, the axes and the summed columns. */
  readonly from: string;
  /** Columns that every level keeps, year first. */
  readonly axes: readonly string[];
  /** BIGINT columns to add up. */
  readonly sums: readonly string[];
}

/** From rows by school (district_code, school_code) to rows of schools, districts and the state, with `detail`. */
export function fromSchools(rollup: Rollup): string {
  return rollUp(rollup, ['district_code', 'school_code'], {
    states: [],
    districts: ['district_code'],
    schools: ['district_code', 'school_code'],
  });
}

/** From rows by tract to rows of tracts, districts, counties and the state, each with its own key only, with `detail`. */
export function fromTracts(rollup: Rollup): string {
  return rollUp(rollup, ['county_fips', 'district_code', 'tract_geoid'], {
    states: [],
    counties: ['county_fips'],
    districts: ['district_code'],
    tracts: ['tract_geoid'],
  });
}

function rollUp(
  { from, axes, sums }: Rollup,
  keys: readonly string[],
  levels: Readonly<Record<string, readonly string[]>>,
): string {
  const sets = Object.values(levels).map(present => `(${[...axes, ...present].join(', ')})`);
  const details = Object.entries(levels).map(([level, present]) => {
    const absent = keys.map(key => `grouping(${key}) = ${present.includes(key) ? 0 : 1}`);
    return `WHEN ${absent.join(' AND ')} THEN '${level}'`;
  });
  return `
    SELECT
      ${[...axes, ...keys].join(', ')},
      ${sums.map(column => `sum(${column})::BIGINT AS ${column}`).join(', ')},
      CASE ${details.join(' ')} END AS detail
    FROM ${from}
    GROUP BY GROUPING SETS (${sets.join(', ')})`;
}
