/** SQL for numbers that look drawn, for splitting them into parts, and for adding them up by level. */

/**
 * Datasets of the sample by their keys, `<domain>/<topic>`, each with one SELECT over the tables of the world
 * (`world.ts`). To add one:
 *
 * 1. Write its contract first: the writer takes columns, their order, their types and the sort order (the grain) from
 *    it. The SELECT has the contract's columns under their names, in any order and numeric type (one that it lacks is
 *    NULL), and `detail`, the level (`schools`), for all rows of all years and levels.
 * 2. `sample` takes it in steps: what is drawn (a share from z, the group's effect and drift by year, then `count_of`,
 *    then groups by `among`), levels (`bySchool`, `byTract`), what is published. Draw counts, not rates: integers at the
 *    finest level, unwithheld. Rates are quotients of summed counts; small counts become NULL only as figures.
 * 3. Every draw has a key that names the dataset, the place, the group and the year: `n(concat_ws('/', …))`. Nothing
 *    else may decide a value: no random(), no row order, no sum of doubles, no LIMIT (DuckDB may filter by a join
 *    before it limits; a row_number() does the same safely).
 * 4. `npx vitest run test/georgia/specification` writes the lake and checks every row against the contract's rules.
 */
export type Samples = Readonly<Record<string, string>>;

/** SQL by the name of the column that it gives. */
type Columns = Readonly<Record<string, string>>;

interface Sample {
  /** What follows FROM: rows of the finest level. */
  readonly from: string;
  /** Columns, each of which may read those before it. */
  readonly drawn?: Columns;
  /** SQL for the rows to add up; by default those that are drawn. */
  readonly added?: (rows: string) => string;
  /** How they add up, or SQL for the rows of all levels. */
  readonly levels?: Levels | ((rows: string) => string);
  /** Further columns of these rows. */
  readonly judged?: Columns;
  readonly where?: string;
  /** Columns that are published as they are; by default those by which rows add up. */
  readonly keys?: string;
  /** SQL: where it doesn't hold, figures are NULL. */
  readonly published?: string;
  readonly figures: Columns;
}

/** SQL for the rows of a dataset, with `detail`. */
export function sample({ from, drawn = {}, added = rows => rows, judged = {}, ...rest }: Sample): string {
  const { levels = (rows: string) => rows, where = 'true', published, figures } = rest;
  const all = 'of' in levels ? levels.of : levels;
  const keys = rest.keys ?? ('of' in levels ? levels.keys : '');
  const shown = Object.entries(figures).map(
    ([name, sql]) => `${published === undefined ? sql : `CASE WHEN ${published} THEN ${sql} END`} AS ${name}`,
  );
  return `SELECT ${keys}, ${shown.join(', ')}, detail
    FROM (${withColumns(`(${all(added(withColumns(from, drawn)))})`, judged)}) WHERE ${where}`;
}

/**
 * SQL for rows with further columns, each of which may read those before it. A draw inside a CASE, or as an argument of
 * `count_of` there, is computed several times: give it a column of its own.
 */
export function withColumns(from: string, columns: Columns): string {
  return Object.entries(columns).reduce(
    (rows, [name, sql]) => `SELECT *, ${sql} AS ${name} FROM (${rows})`,
    `FROM ${from}`,
  );
}

/**
 * SQL macros for numbers that look drawn: each is a function of the seed and a key such as `attendance/601/0103/2024`, so
 * that row order, threads and other datasets don't matter. MD5, unlike DuckDB's own `hash`, is the same in every version.
 */
export function drawMacros(seed: number): readonly string[] {
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
    `CREATE MACRO part(total, running, weight, weights) AS coalesce(
       (2 * total * running + weights) // (2 * weights) - (2 * total * (running - weight) + weights) // (2 * weights), 0)`,
  ];
}

/**
 * SQL that splits a whole number into whole parts that add up exactly; BIGINT, 0 if all weights are 0. The n-th part is
 * the rounded running share less the one before it. All arithmetic is on integers, because sums of doubles depend on
 * their order: scale shares up before you round them to weights.
 *
 * @param total the number that is split: a column or expression with one value in all parts
 * @param weight BIGINT column, at least 0
 * @param within columns that name what is split
 * @param order columns that order the parts; unique within it. An order by `u(…)` makes the rounding look drawn
 */
export function split(total: string, weight: string, within: string, order: string): string {
  const running = `sum(${weight}) OVER (PARTITION BY ${within} ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
  const weights = `sum(${weight}) OVER (PARTITION BY ${within})`;
  return `part((${total})::BIGINT, (${running})::BIGINT, ${weight}, (${weights})::BIGINT)`;
}

/** Columns that name a school's row, besides the group. */
export const SCHOOL = 'year, district_code, school_code';

/**
 * SQL that splits a number among demographic groups: groups of an exhaustive category add up to the total, and any other
 * group (English learners) gets its share of it. Rows need the columns demographic, demographic_category and exhaustive,
 * and one row of each place must be `all`.
 */
export function among(total: string, weight: string, within = SCHOOL): string {
  const parts = split(total, weight, `${within}, demographic_category`, 'demographic');
  const all = `max(${weight}) FILTER (demographic = 'all') OVER (PARTITION BY ${within})`;
  return `CASE WHEN exhaustive THEN ${parts} ELSE part((${total})::BIGINT, ${weight}, ${weight}, ${all}) END`;
}

/** From rows by school (district_code, school_code) to rows of schools, districts and the state, with `detail`. */
export const bySchool = levelsOf({
  states: [],
  districts: ['district_code'],
  schools: ['district_code', 'school_code'],
});

/** From rows by tract to rows of tracts, districts, counties and the state, each with its own key only, with `detail`. */
export const byTract = levelsOf({
  states: [],
  counties: ['county_fips'],
  districts: ['district_code'],
  tracts: ['tract_geoid'],
});

/** From rows by county to rows of counties and the state, with `detail`. */
export const byCounty = levelsOf({ states: [], counties: ['county_fips'] });

/** SQL for the sums of BIGINT columns under their own names. */
export function summed(columns: string): string {
  return columns.replace(/\w+/g, 'sum($&)::BIGINT AS $&');
}

/** How rows of the finest level add up. */
interface Levels {
  /** The columns that name a row, besides `detail`. */
  readonly keys: string;
  /** SQL for the rows of all levels. */
  of(rows: string): string;
}

/** `axes` are columns that every level keeps besides the year, `sums` BIGINT columns to add up. */
export function levelsOf(levels: Readonly<Record<string, readonly string[]>>) {
  const keys = [...new Set(Object.values(levels).flat())];
  const details = Object.entries(levels).map(([level, present]) => {
    const absent = keys.map(key => `grouping(${key}) = ${present.includes(key) ? 0 : 1}`);
    return `WHEN ${absent.join(' AND ')} THEN '${level}'`;
  });
  return (axes: string, sums: string): Levels => {
    const kept = axes === '' ? ['year'] : ['year', axes];
    const named = [...kept, ...keys].join(', ');
    const sets = Object.values(levels).map(present => `(${[...kept, ...present].join(', ')})`);
    return {
      keys: named,
      of: rows => `
        SELECT ${named}, ${summed(sums)}, CASE ${details.join(' ')} END AS detail
        FROM (${rows}) GROUP BY GROUPING SETS (${sets.join(', ')})`,
    };
  };
}
