/** Counts the rows of each slice that break a check. */
import type { Dataset } from '../contract/dataset.ts';
import { readAggregatesBy, readSelects } from '../lake/column-batches.ts';
import { allEnded, type Session } from '../lake/database.ts';
import {
  areNameable,
  factTable,
  filesOf,
  type LoadedTable,
  loadBatch,
  SLICE_COLUMN,
} from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import { identifiers } from '../lake/sql.ts';
import type { Check } from './check.ts';
import {
  COUNT_COLUMN,
  fillProfiles,
  type ProfilePlan,
  planProfiles,
  profileTable,
  sumProfiles,
} from './profile.ts';

/** Numbers of rows by slice number, without zeros. */
export type SliceCounts = ReadonlyMap<number, number>;

export type Counts = ReadonlyMap<Check, SliceCounts>;

/** For all checks that test rows one by one, in few scans, and for duplicates. */
export async function countRows(session: Session, table: string, checks: readonly Check[]): Promise<Counts> {
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
export async function countDuplicates(
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
export async function countValues(
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

/** Batches share no slice and no key. */
function joinCounts(batches: readonly Counts[], checks: readonly Check[]): Counts {
  return new Map(
    checks.map(check => {
      const slices = batches.flatMap(counts => [...(counts.get(check) ?? [])]);
      return [check, new Map(slices.sort(([a], [b]) => a - b))];
    }),
  );
}

/** Rows per batch, unless a year has more: they must fit into memory. */
export const BATCH_ROWS = 500_000;

/** Batches of whole years, as slice numbers. `rows`: the rows of each slice. */
export function planBatches(slices: readonly LakeSlice[], rows: readonly number[]): number[][] {
  const years = new Map<number, number[]>();
  slices.forEach(({ year }, index) => {
    years.set(year, [...(years.get(year) ?? []), index]);
  });
  const batches: number[][] = [];
  let room = 0;
  for (const own of years.values()) {
    const count = own.reduce((sum, index) => sum + (rows[index] ?? 0), 0);
    if (batches.length === 0 || count > room) {
      batches.push([]);
      room = BATCH_ROWS;
    }
    batches.at(-1)?.push(...own);
    room -= count;
  }
  return batches;
}

/**
 * Checks that can be counted batch by batch: those that judge each row by itself, and duplicates of keys with
 * the year or the time. Another check ensures that a row's year is its slice's.
 */
function countedInBatches({ columns }: Dataset, checks: readonly Check[]): Check[] {
  const years = columns.filter(({ role }) => role === 'year' || role === 'time').map(({ name }) => name);
  return checks.filter(check => {
    const { measure } = check;
    return measure.kind === 'duplicates'
      ? measure.columns.some(name => years.includes(name))
      : measure.kind === 'rows';
  });
}

interface CountInput {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly checks: readonly Check[];
  /** Columns whose values are listed, besides those that checks read. */
  readonly axes: readonly string[];
}

interface CountPlan extends CountInput {
  readonly counted: readonly Check[];
  readonly profiles: ProfilePlan;
  /** Numbers of slices that are loaded together; null if the dataset's table has all rows. */
  readonly batches: readonly (readonly number[])[] | null;
}

export function planCounts(input: CountInput): CountPlan {
  const { dataset, slices, shapes, checks, axes } = input;
  const rows = slices.map(slice => rowsOf([slice], shapes));
  const batches = planBatches(slices, rows);
  const whole = batches.length === 1 || !areNameable(filesOf(slices));
  return {
    ...input,
    counted: countedInBatches(dataset, checks),
    profiles: planProfiles(checks, axes),
    batches: whole ? null : batches,
  };
}

/**
 * Creates profiles on one session and counts on the other. Expects the dataset's table, and a database that
 * is locked except for `readableFiles`.
 */
export async function countDataset(
  [session, counting]: readonly [Session, Session],
  plan: CountPlan,
): Promise<Counts> {
  const { dataset, slices, shapes, counted, profiles } = plan;
  const subject = factTable(dataset);
  const found: Counts[] = [];
  for (const [at, batch] of (plan.batches ?? [null]).entries()) {
    const table = batch === null ? subject.table : await loadBatch(session, dataset, slices, shapes, batch);
    const [, counts] = await allEnded([
      fillProfiles(session, subject, profiles, table, at === 0),
      countRows(counting, table, counted),
    ]);
    found.push(counts);
    if (batch !== null) await session.run(`DROP TABLE ${table}`);
  }
  await sumProfiles(session, subject, profiles);
  return joinCounts(found, counted);
}

export function readableFiles({ slices, batches }: CountPlan): string[] {
  return batches === null ? [] : filesOf(slices);
}
