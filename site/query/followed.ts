/** What a release changed in the rows that a request asks for: those of a place, a group, some years. */
import type { ReleaseChanges } from '../../build/format/changes.ts';
import { findOthers } from './history.ts';
import { compareRows, type Value } from './order.ts';
import type { Problem } from './problems.ts';
import type { Pair } from './query-string.ts';
import type { RowsRequest } from './request.ts';
import type { Table } from './table.ts';

/** Whether a parameter says which rows a feed follows. */
export function isFollowed({ parameters }: Table, name: string): boolean {
  return FOLLOWED.has(parameters.get(name)?.kind ?? '');
}

const FOLLOWED = new Set(['place', 'detail', 'column', 'year']);

/** The parameter that does not say which rows a feed follows. */
export function findStray(table: Table, request: RowsRequest, pairs: readonly Pair[]): Problem | null {
  const others = new Set(findOthers(table, request).map(({ param }) => param));
  const wrong = pairs.find(({ name }) => others.has(name) || !isFollowed(table, name));
  if (wrong === undefined) return null;
  const msg = `A feed follows rows by what tells them apart, and '${wrong.name}' does not`;
  return { type: 'extra_forbidden', param: wrong.name, msg, input: wrong.value, ctx: {} };
}

type Row = readonly Value[];

/** Rows of one release, with the columns of its table. */
export interface ReleaseRows {
  readonly table: Table;
  readonly rows: readonly Row[];
}

export interface RowChange {
  readonly change: 'added' | 'removed' | 'revised';
  readonly year: number;
  /** Null if the release added the row. */
  readonly old: Row | null;
  /** Null if the release removed it. */
  readonly now: Row | null;
}

/**
 * The rows that differ before and after a release, by year and the earlier grain. A value in a column that the release
 * dropped makes a row revised.
 */
export function compareReleases(
  before: ReleaseRows,
  after: ReleaseRows,
  { renamed = {}, dropped = [] }: Pick<ReleaseChanges, 'renamed' | 'dropped'>,
): RowChange[] {
  const { order, columns, year } = before.table;
  const counterparts = columns.map(({ name }) =>
    dropped.includes(name) ? -1 : positionOf(after.table, renamed[name] ?? name),
  );
  const keyOf = (row: Row, positions: readonly number[]) => positions.map(position => row[position] ?? null);
  const orderNow = order.map(position => counterparts[position]!);
  const fresh = new Map(after.rows.map(row => [JSON.stringify(keyOf(row, orderNow)), row]));
  const found: (RowChange & { readonly key: Row })[] = [];
  for (const old of before.rows) {
    const key = keyOf(old, order);
    const text = JSON.stringify(key);
    const now = fresh.get(text) ?? null;
    fresh.delete(text);
    const differs = counterparts.some(
      (at, position) => old[position] !== (at < 0 ? null : (now?.[at] ?? null)),
    );
    const at = year < 0 ? 0 : Number(old[year]);
    if (now === null) found.push({ change: 'removed', year: at, old, now, key });
    else if (differs) found.push({ change: 'revised', year: at, old, now, key });
  }
  for (const now of fresh.values()) {
    const { table } = after;
    const at = table.year < 0 ? 0 : Number(now[table.year]);
    found.push({ change: 'added', year: at, old: null, now, key: keyOf(now, orderNow) });
  }
  const byKey = compareRows([...order.keys()]);
  return found.sort((a, b) => a.year - b.year || byKey(a.key, b.key));
}

/** -1 where the table has no column of the name. */
export function positionOf({ columns }: Table, name: string | null): number {
  return columns.findIndex(column => column.name === name);
}
