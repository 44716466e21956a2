/** Request → plan of a figure's past: its rows of today, and what each release changed in them. */
import type { ChangesDocument, ReleaseChanges } from '../../build/format/changes.ts';
import { nameFrom } from './memory.ts';
import { asScan, patchSource } from './past-planner.ts';
import type { PatchSource, ScanPlan } from './plan.ts';
import { planRequest, selectSlices } from './planner.ts';
import { orList, type Problem } from './problems.ts';
import type { Condition, RowsRequest } from './request.ts';
import type { Table } from './table.ts';

export const HISTORY = 'history';

export interface HistoryPlan {
  /** The row of today, if there is one. */
  readonly today: ScanPlan;
  /** Oldest first. */
  readonly releases: readonly { readonly release: ReleaseChanges; readonly source: PatchSource | null }[];
  readonly year: number;
}

/** The plan, or what is missing from the key. */
export function planHistory(
  table: Table,
  request: RowsRequest,
  { releases }: ChangesDocument,
): HistoryPlan | { readonly problem: Problem } {
  const level = table.levels.get(request.detail);
  const year = table.year < 0 ? 0 : request.years.exact;
  const pinned = new Set(request.conditions.flatMap(pinnedColumns));
  // A level leaves the columns of smaller places NULL.
  const places = new Set(level?.places.map(part => part.position));
  const placed = new Set([...table.levels.values()].flatMap(one => one.places.map(part => part.position)));
  const missing = table.order
    .filter(position => {
      if (position === table.year) return year === null;
      return !pinned.has(position) && !(placed.has(position) && !places.has(position));
    })
    .map(position => table.columns[position]!.name);
  const others = findOthers(table, request);
  if (year === null || missing.length > 0 || others.length > 0) {
    const names = [...new Set([...(year === null ? ['year'] : []), ...missing])];
    const msg =
      names.length > 0
        ? `Give the whole key of one figure: ${orList(names)} is missing`.replace(' or ', ' and ')
        : `Give only the key of the figure: ${orList(others.map(one => one.param))} is no part of it`;
    return { problem: { type: 'missing_key', param: HISTORY, msg, input: 'true', ctx: { missing: names } } };
  }
  const { asOf: _, ...now } = request;
  return {
    today: asScan(
      planRequest(table, { ...now, format: 'parquet', offset: 0, limit: null }),
      level ? selectSlices(level, request.years) : [],
    ),
    year,
    releases: [...releases].reverse().map((release, index, all) => {
      const touches = release.slices.some(one => one.year === year && one.detail === request.detail);
      const nameAt = (name: string) => nameFrom(all, name, index);
      return { release, source: touches ? patchSource(table, release, nameAt, request, [year]) : null };
    }),
  };
}

/** The conditions on columns that tell no rows apart. */
export function findOthers(
  { order }: Table,
  { conditions }: RowsRequest,
): readonly Exclude<Condition, { readonly bound: 'place' }>[] {
  return conditions.flatMap(one => (one.bound === 'place' || order.includes(one.position) ? [] : [one]));
}

/** The columns that a condition gives one value. */
function pinnedColumns(condition: Condition): readonly number[] {
  if (condition.bound === 'list') return condition.values.length === 1 ? [condition.position] : [];
  return condition.bound === 'place' && condition.places.length === 1
    ? condition.parts.map(part => part.position)
    : [];
}
