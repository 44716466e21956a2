/** SQL for numbers that look drawn, for splitting them into parts, and for adding them up by level. */

/**
 * Datasets of the sample by their keys, `<domain>/<topic>`, each with one SELECT over the tables of the world
 * (`world.ts`). To add one:
 *
 * 1. Write its contract first: the writer takes columns, their order, their types and the sort order (the grain) from
 *    it, and refuses a query that returns other columns.
 * 2. The SELECT returns all rows of all years and levels: the contract's columns under their names, in any order and
 *    numeric type, and `detail`, the level (`schools`). Order the CTEs like this: what is expected (a share from z, the
 *    group's effect, drift by year), what is drawn (`count_of`), groups (`splitAmongGroups`), levels (`fromSchools`,
 *    `fromTracts`), what is published.
 * 3. Draw counts, not rates: integers at the finest level, unwithheld. Rates are quotients of summed counts, rounded
 *    as the source publishes them; small counts become NULL only in the last SELECT.
 * 4. Every draw has a key that names the dataset, the place, the group and the year: `n(concat_ws('/', …))`. Nothing
 *    else may decide a value: no random(), no row order, no sum of doubles, no LIMIT (DuckDB may filter by a join
 *    before it limits; a row_number() does the same safely).
 * 5. `npx vitest run test/georgia/specification` writes the lake and checks every row against the contract's rules.
 */
export type Samples = Readonly<Record<string, string>>;

/**
 * SQL macros for numbers that look drawn: each is a function of the seed and a key such as `attendance/601/0103/2024`, so
 * that row order, threads and other datasets don't matter. MD5, unlike DuckDB's own `hash`, is the same in every version.
 */
export function randomnessMacros(seed: number): readonly string[] {
  const low = `md5_number_lower('${seed}/' || key)`;
  const high = `md5_number_upper('${seed}/' || key)`;
  const half = 4294967296; // 2^32
  return [
    // Uniform in [0, 1): 53 bits, as many as a double holds.
    `CREATE MACRO u(key) AS (${low} >> 11)::DOUBLE / 9007199254740992`,
    // Nearly standard normal, within ±3.47: the sum of four uniforms. Exact arithmetic, the same on any machine.
    `CREATE MACRO n(key) AS sqrt(3) * (
       ((${low} % ${half})::DOUBLE + (${low} // ${half})::DOUBLE
         + (${high} % ${half})::DOUBLE + (${high} // ${half})::DOUBLE) / ${half} - 2)`,
    // A place's own ups and downs: smooth over the years, mean 0, variance about 1, periods of 8 to 16 years.
    `CREATE MACRO drift(key, year) AS
       sqrt(2) * sin(2 * pi() * (year / (8 + 8 * u(key || '/period')) + u(key || '/phase')))`,
    'CREATE MACRO logistic(x) AS 1 / (1 + exp(-x))',
    'CREATE MACRO logit(p) AS ln(p / (1 - p))',
    // How many of `size` have a property of share `p`: binomial in mean and variance, from 0 to size.
    `CREATE MACRO count_of(size, p, key) AS
       least(size, greatest(0, round(size * p + sqrt(size * p * (1 - p)) * n(key))))::BIGINT`,
  ];
}

/**
 * Splits a whole number into whole parts that add up exactly. The n-th part is the rounded running share less the one
 * before it. All arithmetic is on integers, because sums of doubles depend on their order: scale shares up before you
 * round them to weights.
 */
interface Split {
  /** The number that is split: a column or expression with one value in all parts. */
  readonly total: string;
  /** BIGINT column, at least 0. */
  readonly weight: string;
  /** Columns that name what is split. */
  readonly within: string;
  /** Columns that order the parts; unique within it. An order by `u(…)` makes the rounding look drawn. */
  readonly order: string;
}

export const splitMacros: readonly string[] = [
  `CREATE MACRO part(total, running, weight, weights) AS coalesce(
     (2 * total * running + weights) // (2 * weights) - (2 * total * (running - weight) + weights) // (2 * weights), 0)`,
];

/** BIGINT, 0 if all weights are 0. */
export function split({ total, weight, within, order }: Split): string {
  const running = `sum(${weight}) OVER (PARTITION BY ${within} ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
  const weights = `sum(${weight}) OVER (PARTITION BY ${within})`;
  return `part((${total})::BIGINT, (${running})::BIGINT, ${weight}, (${weights})::BIGINT)`;
}

/**
 * Splits a number among demographic groups: groups of an exhaustive category add up to the total, and any other group
 * (English learners) gets its share of it. Rows need the columns demographic, demographic_category and exhaustive, and
 * one row of each place must be `all`.
 */
export function splitAmongGroups({ total, weight, within }: Omit<Split, 'order'>): string {
  const among = split({ total, weight, within: `${within}, demographic_category`, order: 'demographic' });
  const all = `max(${weight}) FILTER (demographic = 'all') OVER (PARTITION BY ${within})`;
  return `CASE WHEN exhaustive THEN ${among} ELSE part((${total})::BIGINT, ${weight}, ${weight}, ${all}) END`;
}

/**
 * From rows by school (district_code, school_code) to rows of schools, districts and the state, with `detail`.
 *
 * @param from table or CTE
 * @param axes columns that every level keeps
 * @param sums BIGINT columns to add up
 */
export function fromSchools(from: string, axes: string, sums: string): string {
  return rollUp(from, axes, sums, ['district_code', 'school_code'], {
    states: [],
    districts: ['district_code'],
    schools: ['district_code', 'school_code'],
  });
}

/** From rows by tract to rows of tracts, districts, counties and the state, each with its own key only, with `detail`. */
export function fromTracts(from: string, axes: string, sums: string): string {
  return rollUp(from, axes, sums, ['county_fips', 'district_code', 'tract_geoid'], {
    states: [],
    counties: ['county_fips'],
    districts: ['district_code'],
    tracts: ['tract_geoid'],
  });
}

/** SQL for the sums of BIGINT columns under their own names. */
export function summed(columns: string): string {
  const sums = columns.split(', ').map(column => `sum(${column})::BIGINT AS ${column}`);
  return sums.join(', ');
}

function rollUp(
  from: string,
  axes: string,
  sums: string,
  keys: readonly string[],
  levels: Readonly<Record<string, readonly string[]>>,
): string {
  const sets = Object.values(levels).map(present => `(${[axes, ...present].join(', ')})`);
  const details = Object.entries(levels).map(([level, present]) => {
    const absent = keys.map(key => `grouping(${key}) = ${present.includes(key) ? 0 : 1}`);
    return `WHEN ${absent.join(' AND ')} THEN '${level}'`;
  });
  return `
    SELECT
      ${[axes, ...keys].join(', ')}, ${summed(sums)},
      CASE ${details.join(' ')} END AS detail
    FROM ${from}
    GROUP BY GROUPING SETS (${sets.join(', ')})`;
}
