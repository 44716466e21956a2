/** Counts the rows of each slice that break a check. */
import { readAggregatesBy, readSelects } from '../lake/column-batches.ts';
import { allEnded, type Session } from '../lake/database.ts';
import { type LoadedTable, SLICE_COLUMN } from '../lake/fact-table.ts';
import { identifiers } from '../lake/sql.ts';
import type { Check } from './check.ts';
import { COUNT_COLUMN, fillProfiles, profileTable } from './profile.ts';

/** Numbers of rows by slice number, without zeros. */
export type SliceCounts = ReadonlyMap<number, number>;

export type Counts = ReadonlyMap<Check, SliceCounts>;

/** For all checks that test rows one by one, in few scans, and for duplicates. */
async function countRows(session: Session, table: string, checks: readonly Check[]): Promise<Counts> {
  const conditions = checks.flatMap(check =>
    check.measure.kind === 'rows' ? [{ check, condition: check.measure.condition }] : [],
  );
  const rows = await readAggregatesBy<number>(
    session,
    `${table} t`,
    SLICE_COLUMN,
    conditions.map(({ condition }) => `count(CASE WHEN ${condition} THEN 1 END)`),
  );
  const slices = [...rows].sort(([a], [b]) => Number(a) - Number(b));
  const counts = new Map<Check, SliceCounts>(
    conditions.map(({ check }, i) => [
      check,
      new Map(
        slices.map(([slice, own]) => [Number(slice), own[i] ?? 0] as const).filter(([, count]) => count > 0),
      ),
    ]),
  );
  for (const check of checks) {
    if (check.measure.kind === 'duplicates')
      counts.set(check, await countDuplicates(session, table, check.measure.columns));
  }
  return counts;
}

/**
 * Counts rows after the first of each key. If there are as many 64-bit hashes as rows, the keys are unique;
 * otherwise keys are compared. Groups that don't fit into memory spill to disk, while DuckDB's
 * count(DISTINCT) doesn't.
 */
async function countDuplicates(
  session: Session,
  table: string,
  columns: readonly string[],
): Promise<SliceCounts> {
  const keys = identifiers(columns);
  const { rows, hashes } = await session.row<{ rows: number; hashes: number }>(
    `SELECT coalesce(sum(n), 0)::DOUBLE AS rows, count(*) AS hashes FROM (SELECT count(*) AS n FROM ${table} GROUP BY hash(${keys}))`,
  );
  if (rows === hashes) return new Map();
  return countsOf(
    session,
    `SELECT slice, sum(more)::DOUBLE AS count FROM (SELECT max(${SLICE_COLUMN}) AS slice, count(*) - 1 AS more FROM ${table} GROUP BY ${keys} HAVING count(*) > 1) GROUP BY 1 ORDER BY 1`,
  );
}

/** `sql` returns `slice` and `count`. */
export async function countsOf(session: Session, sql: string): Promise<SliceCounts> {
  const rows = await session.rows<{ slice: number; count: number }>(sql);
  return new Map(rows.map(row => [row.slice, row.count]));
}

/** From the profiles of the checks' columns. */
async function countValues(
  session: Session,
  subject: LoadedTable,
  checks: readonly Check[],
): Promise<Counts> {
  const counts = new Map<Check, Map<number, number>>();
  const selects = checks.flatMap((check, index) => {
    const { measure } = check;
    if (measure.kind !== 'values') return [];
    counts.set(check, new Map());
    return [
      `SELECT ${index} AS index, ${SLICE_COLUMN} AS slice, sum(${COUNT_COLUMN})::DOUBLE AS count FROM ${profileTable(subject, measure.columns)} t WHERE ${measure.violation} GROUP BY 2`,
    ];
  });
  const rows = await readSelects<{ index: number; slice: number; count: number }>(session, selects);
  for (const { index, slice, count } of rows.sort((a, b) => a.slice - b.slice))
    counts.get(checks[index]!)?.set(slice, count);
  return counts;
}

/**
 * Creates profiles of the checks' columns and of `axes` on one session, and counts on the other. Expects the table, in a
 * database that is locked except for the files that it reads.
 */
export async function countTable(
  [session, counting]: readonly [Session, Session],
  subject: LoadedTable,
  checks: readonly Check[],
  axes: readonly string[] = [],
): Promise<Counts> {
  const [, counts] = await allEnded([
    fillProfiles(session, subject, checks, axes),
    countRows(counting, subject.table, checks),
  ]);
  return new Map([...counts, ...(await countValues(session, subject, checks))]);
}
