/** What a release changed in the rows that a request asks for: those of a place, a group, some years. */
import type { ReleaseChanges } from '../../build/format/changes.ts';
import { findOthers } from './history.ts';
import { compareRows, type Value } from './order.ts';
import type { ScanPlan, ScanSource } from './plan.ts';
import type { Problem } from './problems.ts';
import type { Pair } from './query-string.ts';
import type { RowsRequest } from './request.ts';
import { positionOf, type Table } from './table.ts';

/** Whether a parameter says which rows a feed follows. */
export function isFollowed({ parameters }: Table, name: string): boolean {
  const parameter = parameters.get(name);
  switch (parameter?.kind) {
    case 'place':
      return true;
    case 'column':
      return parameter.bound === 'key';
    case 'rule':
      return parameter.rule.of === 'time' || parameter.rule.of === 'dataset';
    default:
      return false;
  }
}

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
  /** The values of the earlier grain, in its order. */
  readonly key: Row;
  /** The values of a revised row that differ, by their names since the release, without those of dropped columns. */
  readonly values: readonly { readonly name: string; readonly old: Value; readonly now: Value }[];
}

/** Of the rows of a level. */
export interface ChangedRow extends RowChange {
  readonly detail: string;
}

type Renaming = Pick<ReleaseChanges, 'renamed' | 'dropped'>;

/**
 * The rows that differ before and after a release, by year and the earlier grain. A value in a column that the release
 * dropped makes a row revised.
 */
export function compareReleases(before: ReleaseRows, after: ReleaseRows, release: Renaming): RowChange[] {
  const { order, year } = before.table;
  const { columns } = after.table;
  const counterparts = pairColumns(before.table, after.table, release);
  const keyOf = (row: Row, positions: readonly number[]) => positions.map(position => row[position] ?? null);
  const orderNow = order.map(position => counterparts[position]!);
  const fresh = new Map(after.rows.map(row => [JSON.stringify(keyOf(row, orderNow)), row]));
  const found: RowChange[] = [];
  for (const old of before.rows) {
    const key = keyOf(old, order);
    const text = JSON.stringify(key);
    const now = fresh.get(text) ?? null;
    fresh.delete(text);
    const at = year < 0 ? 0 : Number(old[year]);
    if (now === null) {
      found.push({ change: 'removed', year: at, key, values: [] });
      continue;
    }
    const pairs = counterparts.map((position, i) => ({
      name: columns[position]?.name,
      old: old[i] ?? null,
      now: now[position] ?? null,
    }));
    const differing = pairs.filter(one => one.old !== one.now);
    const values = differing.flatMap(({ name, ...both }) => (name === undefined ? [] : [{ name, ...both }]));
    if (differing.length > 0) found.push({ change: 'revised', year: at, key, values });
  }
  for (const now of fresh.values()) {
    const { table } = after;
    const at = table.year < 0 ? 0 : Number(now[table.year]);
    found.push({ change: 'added', year: at, key: keyOf(now, orderNow), values: [] });
  }
  const byKey = compareRows([...order.keys()]);
  return found.sort((a, b) => a.year - b.year || byKey(a.key, b.key));
}

/** Where each earlier column is since the release; -1 for those that it dropped. */
function pairColumns(before: Table, after: Table, { renamed = {}, dropped = [] }: Renaming): number[] {
  return before.columns.map(({ name }) =>
    dropped.includes(name) ? -1 : positionOf(after, renamed[name] ?? name),
  );
}

/**
 * Plans without the row groups that both read. The same bytes are the same rows, as long as each column has its place, and
 * rows are unique: none of them has changed.
 */
export function withoutShared(before: ScanPlan, after: ScanPlan, release: Renaming): [ScanPlan, ScanPlan] {
  const places = pairColumns(before.table, after.table, release);
  const isSame = places.length === after.table.columns.length && places.every((at, i) => at === i);
  if (!isSame) return [before, after];
  const hashOf = ({ file }: ScanSource, group: number) => file.entry.row_groups[group]?.sha256;
  const hashes = ({ sources }: ScanPlan) =>
    new Set(sources.flatMap(source => source.groups.flatMap(group => hashOf(source, group) ?? [])));
  const without = (plan: ScanPlan, others: ReadonlySet<string>): ScanPlan => {
    const sources = plan.sources.map(source => ({
      ...source,
      groups: source.groups.filter(group => !others.has(hashOf(source, group) ?? '')),
    }));
    return { ...plan, sources };
  };
  return [without(before, hashes(after)), without(after, hashes(before))];
}
