/** Request → plan of what releases changed in the rows that it asks for: those of a place, a group, some years. */
import type { ChangesDocument, ReleaseChanges, SliceChanges } from '../../build/format/changes.ts';
import { findOthers } from './history.ts';
import { nameFrom } from './memory.ts';
import { patchSource } from './past-planner.ts';
import type { PatchSource } from './plan.ts';
import { holdsYear } from './planner.ts';
import type { Problem } from './problems.ts';
import type { Pair } from './query-string.ts';
import type { RowsRequest } from './request.ts';
import type { Table } from './table.ts';

/** What one release changed. */
export interface FollowedRelease {
  readonly release: ReleaseChanges;
  /** The slices in question that it changed. */
  readonly slices: readonly SliceChanges[];
  /** The rows that it changed, as they were and as they became; null if it changed only whole slices. */
  readonly rows: { readonly old: PatchSource; readonly now: PatchSource } | null;
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
    const years = slices.map(one => one.year);
    const old = patchSource(table, release, name => nameFrom(oldest, name, at), request, years);
    return {
      release,
      slices,
      rows: old && { old, now: { ...old, positions: positionsNow(table, release, oldest, at) } },
    };
  });
}

/** Where the file has the values that the release gave; -1 for the grain, which stays. */
function positionsNow(
  { columns }: Table,
  { rows }: ReleaseChanges,
  oldest: readonly ReleaseChanges[],
  at: number,
): readonly number[] {
  return columns.map(({ name }) => {
    const now = nameFrom(oldest, name, at + 1);
    return now === null || rows === null ? -1 : rows.columns.findIndex(one => one.name === `new_${now}`);
  });
}
