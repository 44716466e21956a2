/**
 * Where a level's history is cut into runs of places: by the places themselves, so that rows and places which come and
 * go move no cut but those beside them, and a run of which nothing changed has the bytes that it had. Pure.
 */
import { identifier } from '../lake/sql.ts';

/** Row groups of a run, on average. */
const RUN_GROUPS = 8;

/** Rows of whole places, one after the other. */
export interface Run {
  /** Numbers of its first and its last place. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
}

/**
 * Columns of a table of places, beside those of the dataset, which cannot have such names: the place's number in their
 * order, its rows as they were published and as they are, and whether any of those differ.
 */
export const PLACE = {
  number: '"number of place"',
  before: '"rows before"',
  now: '"rows now"',
  differs: '"rows differ"',
} as const;

/** Whether so few rows are not cut. */
export function isOneRun(rows: number, groupRows: number): boolean {
  return rows <= RUN_GROUPS * groupRows;
}

/** A run begins with one of so many places: with a power of two, which small changes seldom change. None where null. */
export function cutEvery(rows: number, places: number, groupRows: number): number | null {
  if (isOneRun(rows, groupRows)) return null;
  let every = 1;
  while (2 * every * rows <= places * RUN_GROUPS * groupRows) every *= 2;
  return every;
}

/** SQL that gives the runs of a table of places, in order, by the rows in one of its columns. */
export function runsQuery(
  table: string,
  placeColumns: readonly string[],
  rows: typeof PLACE.before | typeof PLACE.now,
  every: number | null,
): string {
  const texts = placeColumns.map(name => `coalesce(${identifier(name)}::VARCHAR, '')`).join(', ');
  // MD5 is what it is in any version of any database.
  const cut =
    every === null ? 'false' : `('0x' || md5(concat_ws('|', ${texts}))[1:8])::UINTEGER % ${every} = 0`;
  return `SELECT min(${PLACE.number}) AS first, max(${PLACE.number}) AS last, sum(${rows})::DOUBLE AS rows
    FROM (SELECT *, sum((${cut})::INTEGER) OVER (ORDER BY ${PLACE.number}) AS "number of run" FROM ${table} WHERE ${rows} > 0)
    GROUP BY "number of run" ORDER BY "number of run"`;
}

/**
 * SQL that gives, of runs whose first and last place are as they were, the row groups whose rows are not: by the number of
 * the run's first place, then of the group in the run as it was published.
 */
export function damagedGroupsQuery(table: string, runs: readonly Run[], groupRows: number): string {
  const { number, before, now, differs } = PLACE;
  const list = runs.map(({ first, last }) => `(${first}, ${last})`).join(', ');
  const [from, to, above] = ['"first place"', '"last place"', '"rows above"'];
  // Rows that come or go move all behind them in the run.
  return `SELECT DISTINCT ${from} AS first, unnest(range(${above} // ${groupRows}, (${above} + ${before} - 1) // ${groupRows} + 1)) AS "group" FROM (
      SELECT ${from}, ${before}, ${differs}, (sum(${before}) OVER so_far - ${before})::BIGINT AS ${above}, (sum(${now}) OVER so_far - ${now})::BIGINT AS "rows above now"
      FROM ${table} JOIN (VALUES ${list}) runs(${from}, ${to}) ON ${number} BETWEEN ${from} AND ${to}
      WINDOW so_far AS (PARTITION BY ${from} ORDER BY ${number}))
    WHERE ${before} > 0 AND (${differs} OR ${above} <> "rows above now") ORDER BY ALL`;
}
