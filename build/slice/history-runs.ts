/**
 * Where a level's history is cut into runs of places: by the places themselves, so that rows and places which come and
 * go move no cut but those beside them, and a run of which nothing changed has the bytes that it had. Pure.
 */
import { identifier } from '../lake/sql.ts';

/** Row groups of a run, on average. */
const RUN_GROUPS = 32;

/** Rows of whole places, one after the other. */
export interface Run {
  /** Numbers of its first and its last place. */
  readonly first: number;
  readonly last: number;
  readonly places: number;
  readonly rows: number;
  /** Whether any of its rows is new, gone or different. */
  readonly differs: boolean;
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

/** A run begins with one of so many places: with a power of two, which small changes seldom change. */
export function cutEvery(rows: number, places: number, groupRows: number): number {
  let every = 1;
  while (2 * every * rows <= places * RUN_GROUPS * groupRows) every *= 2;
  return every;
}

/** SQL that gives the runs of a table of places, in order, by the rows in one of its columns. */
export function runsQuery(
  table: string,
  placeColumns: readonly string[],
  rows: typeof PLACE.before | typeof PLACE.now,
  every: number,
): string {
  const texts = placeColumns.map(name => `coalesce(${identifier(name)}::VARCHAR, '')`).join(', ');
  // MD5 is what it is in any version of any database.
  const cut = `('0x' || md5(concat_ws('|', ${texts}))[1:8])::UINTEGER % ${every} = 0`;
  return `SELECT min(${PLACE.number}) AS first, max(${PLACE.number}) AS last, count(*) AS places, sum(${rows})::DOUBLE AS rows, bool_or(${PLACE.differs}) AS differs
    FROM (SELECT *, sum((${cut})::INTEGER) OVER (ORDER BY ${PLACE.number}) AS "number of run" FROM ${table} WHERE ${rows} > 0)
    GROUP BY "number of run" ORDER BY "number of run"`;
}
