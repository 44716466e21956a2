/** Reads which rows a release changed, of those that a request asks for. */
import type { SliceChanges } from '../../build/format/changes.ts';
import { compareReleases, type RowChange, withoutShared } from '../query/followed.ts';
import { planThen, type Version } from '../query/past.ts';
import type { RowsRequest } from '../query/request.ts';
import type { Table } from '../query/table.ts';
import { type RowsReader, readRows, type Turn } from './past.ts';

/** In slices that the release found and changed, by year and the earlier grain. */
export async function compareTurn(
  reader: RowsReader,
  request: RowsRequest,
  { release, before, after }: Turn,
  slices: readonly SliceChanges[],
): Promise<readonly RowChange[]> {
  const prepare = (version: Version, kinds: readonly SliceChanges['change'][]) => {
    const years = slices.filter(({ change }) => kinds.includes(change)).map(({ year }) => year);
    const table = ofYears(version.table, request.detail, years);
    return { table, plan: years.length === 0 ? null : planThen({ ...version, table }, request) };
  };
  const old = prepare(before, ['revised', 'removed', 'replaced']);
  // Rows of another grain cannot be told apart by the earlier one.
  const now = prepare(after, ['revised']);
  const [oldPlan, nowPlan] =
    old.plan && now.plan ? withoutShared(old.plan, now.plan, release) : [old.plan, now.plan];
  return compareReleases(
    { table: old.table, rows: oldPlan ? await readRows(reader, oldPlan) : [] },
    { table: now.table, rows: nowPlan ? await readRows(reader, nowPlan) : [] },
    release,
  );
}

/** A table with some years of a level alone. */
export function ofYears(table: Table, detail: string, years: readonly number[]): Table {
  const level = table.levels.get(detail);
  if (level === undefined) return table;
  const slices = level.slices.filter(({ year }) => years.includes(year));
  return { ...table, levels: new Map([[detail, { ...level, years: slices.map(one => one.year), slices }]]) };
}
