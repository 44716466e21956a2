/** Request → plan of what releases changed in the rows that it asks for: those of a place, a group, some years. */
import type { ChangesDocument, ReleaseChanges, SliceChanges } from '../../build/format/changes.ts';
import { findOthers } from './history.ts';
import { nameFrom, onColumns } from './past.ts';
import type { ScanPlan } from './plan.ts';
import { asScan, holdsYear, planRequest } from './planner.ts';
import { prepareDimension } from './preparation.ts';
import type { Problem } from './problems.ts';
import type { Pair } from './query-string.ts';
import { ALL_YEARS, type Condition, type ListCondition, type RowsRequest } from './request.ts';
import { DIMENSION_LEVEL, type Table } from './table.ts';

/** What one release changed. */
export interface FollowedRelease {
  readonly release: ReleaseChanges;
  /** The slices in question that it changed. */
  readonly slices: readonly SliceChanges[];
  /** The rows that it changed; null if it changed only whole slices. */
  readonly rows: FollowedRows | null;
}

/** A scan of rows that a release changed. Positions are those of its columns, -1 where it has none. */
export interface FollowedRows {
  readonly plan: ScanPlan;
  readonly change: number;
  readonly key: readonly number[];
  /** For each column of the table, its value before the release and since. Those of the key do not change. */
  readonly old: readonly number[];
  readonly now: readonly number[];
}

/** Whether a parameter says which rows a feed follows. */
export function isFollowed({ parameters }: Table, name: string): boolean {
  return FOLLOWED.has(parameters.get(name)?.kind ?? '');
}

const FOLLOWED = new Set(['place', 'detail', 'column', 'year']);

/** Newest first, or what is wrong with the request. */
export function planFollowed(
  table: Table,
  request: RowsRequest,
  { releases }: ChangesDocument,
  pairs: readonly Pair[],
): readonly FollowedRelease[] | { readonly problem: Problem } {
  const others = new Set(findOthers(table, request).map(({ param }) => param));
  const wrong = pairs.find(({ name }) => others.has(name) || !isFollowed(table, name));
  if (wrong !== undefined) {
    const msg = `A feed follows rows by what tells them apart, and '${wrong.name}' does not`;
    return { problem: { type: 'extra_forbidden', param: wrong.name, msg, input: wrong.value, ctx: {} } };
  }
  const oldest = [...releases].reverse();
  return releases.map((release, index) => {
    const at = oldest.length - 1 - index;
    const slices = release.slices.filter(
      one => one.detail === request.detail && holdsYear(request.years, one.year),
    );
    const nameAt = (name: string) => nameFrom(oldest, name, at);
    const nameNow = (name: string) => nameFrom(oldest, name, at + 1);
    return { release, slices, rows: planRows(table, release, slices, request, nameAt, nameNow) };
  });
}

function planRows(
  { folder, columns: wanted, order }: Table,
  { rows }: ReleaseChanges,
  slices: readonly SliceChanges[],
  { detail, conditions }: RowsRequest,
  nameAt: (name: string) => string | null,
  nameNow: (name: string) => string | null,
): FollowedRows | null {
  if (rows === null) return null;
  const { columns, key_columns: keys, file } = rows;
  const find = (name: string) => columns.findIndex(column => column.name === name);
  const findNamed = (prefix: string, name: string | null) => (name === null ? -1 : find(prefix + name));
  const findKey = (name: string) => findNamed('key_', nameAt(name));
  const changed = prepareDimension(folder, {
    ...{ format: '', release: '', version: '', schema_hash: '', license: null, attribution: null },
    ...{ dimension: 'changes', rows: file.rows, columns, order: ['detail', ...keys], key_columns: keys },
    ...{ files: { json: [], csv: [], parquet: [file] }, documents: [] },
  });
  const one = (name: string, values: ListCondition['values']): Condition => ({
    ...{ bound: 'list', param: name, column: name, values },
    ...{ position: find(name), key: keys.indexOf(name) },
  });
  const byKey = onColumns(conditions, changed, name => columns[findKey(name)]?.name ?? null);
  if (byKey === null) return null;
  const plan = planRequest(changed, {
    format: 'parquet',
    detail: DIMENSION_LEVEL,
    years: ALL_YEARS,
    conditions: [
      one('detail', [detail]),
      one(
        'year',
        slices.map(({ year }) => year),
      ),
      ...byKey,
    ],
    offset: 0,
    limit: null,
  });
  const named = wanted.map(({ name }) => name);
  return {
    plan: asScan(plan, []),
    change: find('change'),
    key: order.map(position => findKey(named[position] ?? '')),
    old: named.map(name => (findKey(name) >= 0 ? findKey(name) : findNamed('old_', nameAt(name)))),
    now: named.map(name => findNamed('new_', nameNow(name))),
  };
}
