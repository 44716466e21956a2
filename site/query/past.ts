/** A moment of the past → the table as it was published then. Nothing beyond this file knows that there is a past. */
import {
  type ChangesDocument,
  countsOf,
  type ForgottenSlice,
  type ReleaseChanges,
  type TableBefore,
  type TableDescription,
  type TreeRelease,
} from '../../build/format/changes.ts';
import type { ParquetFile, SliceEntry } from '../../build/format/manifest.ts';
import { isRelease } from '../../build/format/paths.ts';
import type { ScanPlan } from './plan.ts';
import { holdsYear, planScan } from './planner.ts';
import { describeTable, prepareTable } from './preparation.ts';
import type { Problem } from './problems.ts';
import type { Condition, RowsRequest } from './request.ts';
import { positionOf, type Table } from './table.ts';

/** The parameter that asks for rows as they were published then. */
export const AS_OF = 'as_of';

/** How many of the releases that changed the table were published by then; null before the first that is known. */
export function countReleases(
  { since, since_release: first, releases }: ChangesDocument,
  asked: string,
  /** All releases of the tree, oldest first. */
  chain: readonly TreeRelease[],
): number | null {
  const date = asked.slice(0, 10);
  const at = isRelease(asked) ? placeOf(asked, chain) : -1;
  const newest = releases.findIndex(one => {
    const position = at < 0 ? -1 : placeOf(one.release, chain);
    return position < 0 ? one.date <= date : position <= at;
  });
  if (newest >= 0) return releases.length - newest;
  // A day may have several releases.
  const isBefore = date < since || (at >= 0 && first !== undefined && at < placeOf(first, chain));
  return isBefore ? null : 0;
}

/**
 * The place of a release among all; -1 if there was none of the name. A release with the content of an earlier one
 * has a name of its own, since it was published on another day.
 */
export function placeOf(asked: string, chain: readonly TreeRelease[]): number {
  const named = chain.findIndex(({ release }) => release === asked);
  if (named >= 0) return named;
  const [date, content] = [asked.slice(0, 10), asked.slice(10)];
  const same = chain.map(one => one.release.endsWith(content) && one.date <= date);
  return same.lastIndexOf(true);
}

/** The problem with a moment before the first release of a table that is known. */
export function tooEarly(input: string, { subject, since, broken }: ChangesDocument): Problem {
  const why =
    broken === undefined ? `when ${subject} was first published` : `before which nothing is known: ${broken}`;
  return {
    type: 'greater_than_equal',
    param: AS_OF,
    msg: `Input should be ${since} or later, ${why}`,
    input,
    ctx: { ge: since },
  };
}

export function unknownRelease(input: string, latest: string): Problem {
  const msg = `No release has this name. The feed lists all: feed.json. The latest is '${latest}'`;
  return { type: 'enum', param: AS_OF, msg, input, ctx: { nearest: latest } };
}

/** What a release changed, and how the table was described until then; null if as after it. */
export interface LaterRelease {
  readonly release: ReleaseChanges;
  readonly before: TableBefore | null;
}

/** A table as it was published at some moment. */
export interface PastTable {
  readonly table: Table;
  /** Slices that it had, whose rows the publisher took back. */
  readonly forgotten: readonly ForgottenAt[];
}

/** A table before or after a release. */
export interface Version extends PastTable {
  /** The name that a column of today has in it; null if it lacks the column. */
  readonly nameOf: (name: string) => string | null;
}

export interface ForgottenAt extends ForgottenSlice {
  readonly year: number;
  readonly detail: string;
}

/** The table before the oldest of the later releases. Its slices are those of today or files that were replaced since. */
export function preparePast(
  folder: string,
  today: TableDescription,
  /** The newest first. */
  later: readonly LaterRelease[],
): PastTable {
  let described = describeTable(today);
  const slices = new Map(
    described.manifest.slices.map(one => [nameOf(one), { one, keys: described.manifest.key_columns }]),
  );
  const forgotten = new Map<string, ForgottenAt>();
  for (const { release, before } of later) {
    if (before !== null) described = describeTable({ ...described, ...before });
    for (const { year, detail, past } of release.slices) {
      const name = nameOf({ year, detail });
      slices.delete(name);
      forgotten.delete(name);
      if (past === undefined) continue;
      if ('reason' in past) forgotten.set(name, { year, detail, ...past });
      else {
        const files = { json: [], csv: [], parquet: [past] };
        const one = { year, detail, rows: past.rows, release: releaseOf(past), files };
        slices.set(name, { one, keys: described.manifest.key_columns });
      }
    }
  }
  const { manifest } = described;
  const then = {
    ...manifest,
    release: later.at(-1)?.release.replaced ?? manifest.release,
    slices: [...slices.values()].map(({ one, keys }) => withBoundsOf(one, keys, manifest.key_columns)),
    copies: countsOf(manifest.copies),
  };
  return {
    table: prepareTable(folder, { ...described, manifest: then }),
    forgotten: [...forgotten.values()],
  };
}

/** A slice that a request asks for, whose rows the publisher took back. */
export function findForgotten(
  { forgotten }: PastTable,
  { detail, years }: Pick<RowsRequest, 'detail' | 'years'>,
): ForgottenAt | undefined {
  return forgotten.find(one => one.detail === detail && holdsYear(years, one.year));
}

/** A slice's release is the beginning of its file's hash. */
function releaseOf({ sha256 }: ParquetFile): string {
  return sha256.slice(0, 12);
}

function nameOf({ year, detail }: Pick<SliceEntry, 'year' | 'detail'>): string {
  return `${year}/${detail}`;
}

/** Row groups with bounds of other key columns than they were published with; those that are not known are left out. */
function withBoundsOf(slice: SliceEntry, own: readonly string[], wanted: readonly string[]): SliceEntry {
  if (own.length === wanted.length && own.every((name, index) => name === wanted[index])) return slice;
  const from = wanted.map(name => own.indexOf(name));
  const pick = <Bound>(bounds: readonly Bound[]) => from.map(index => bounds[index]) as Bound[];
  const parquet = slice.files.parquet.map(file => ({
    ...file,
    row_groups: file.row_groups.map(group => ({
      ...group,
      min: pick(group.min),
      max: pick(group.max),
      nulls: pick(group.nulls),
    })),
  }));
  return { ...slice, files: { ...slice.files, parquet } };
}

/** The name that a column of today had before one of the releases, oldest first, took effect; null if it was not there. */
export function nameFrom(releases: readonly ReleaseChanges[], name: string, before: number): string | null {
  let found = name;
  for (const { dropped = [], renamed = {} } of releases.slice(before).reverse()) {
    const old = Object.keys(renamed).find(one => renamed[one] === found);
    if (old === undefined && (dropped.includes(found) || Object.hasOwn(renamed, found))) return null;
    found = old ?? found;
  }
  return found;
}

/** The plan for rows of another release. Null if its table lacks a column of the request's conditions. */
export function planThen({ table, nameOf }: Version, request: RowsRequest): ScanPlan | null {
  const conditions = request.conditions.map(
    (one): Condition => ({ ...one, columns: one.columns.map(name => nameOf(name) ?? '') }),
  );
  const isThere = conditions.every(({ columns }) => columns.every(name => positionOf(table, name) >= 0));
  return isThere ? planScan(table, { ...request, conditions }) : null;
}
