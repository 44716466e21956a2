/** A moment of the past → the state of a table at that moment, by what each release changed. */
import type {
  ChangesDocument,
  ReleaseChanges,
  SliceChanges,
  TableBefore,
  TreeRelease,
} from '../../build/format/changes.ts';
import type { DatasetManifest, DimensionManifest } from '../../build/format/manifest.ts';
import { isRelease } from '../../build/format/paths.ts';
import { prepareDataset, prepareDimension } from './preparation.ts';
import type { Problem } from './problems.ts';
import type { Level, Slice, Table } from './table.ts';

/** The parameter that asks for rows as they were published then. */
export const AS_OF = 'as_of';

/** A table as it was published at some moment, and what changed since. */
export interface Past {
  /** Its slices that did not change since have their files. The others have none to read. */
  readonly table: Table;
  readonly present: Table;
  /** What each later release changed, oldest first. */
  readonly later: readonly ReleaseChanges[];
}

/** How many of the releases that changed the table were published by then; null before its memory begins. */
export function countReleases(
  { since, since_release: first, releases }: ChangesDocument,
  asked: string,
  /** All releases of the tree, oldest first. */
  chain: readonly TreeRelease[],
): number | null {
  const date = asked.slice(0, 10);
  const at = isRelease(asked) ? positionOf(asked, chain) : -1;
  const newest = releases.findIndex(one => {
    const position = at < 0 ? -1 : positionOf(one.release, chain);
    return position < 0 ? one.date <= date : position <= at;
  });
  if (newest >= 0) return releases.length - newest;
  // A day may have several releases.
  const isBefore = date < since || (at >= 0 && first !== undefined && at < positionOf(first, chain));
  return isBefore ? null : 0;
}

/**
 * The position of a release among all; -1 if there was none of the name. A release with the content of an earlier one
 * has a name of its own, since it was published on another day.
 */
export function positionOf(asked: string, chain: readonly TreeRelease[]): number {
  const named = chain.findIndex(({ release }) => release === asked);
  if (named >= 0) return named;
  const [date, content] = [asked.slice(0, 10), asked.slice(10)];
  const same = chain.map(one => one.release.endsWith(content) && one.date <= date);
  return same.lastIndexOf(true);
}

/** The problem with a moment before the memory of a table begins. */
export function tooEarly(input: string, { subject, since, broken }: ChangesDocument): Problem {
  const why =
    broken === undefined ? `when ${subject} was first published` : `with which its memory begins: ${broken}`;
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

/** Prepares the table as a release found it. */
export function preparePast({ folder, levels: present }: Table, { manifest, schema }: TableBefore): Table {
  const isDataset = (one: DatasetManifest | DimensionManifest): one is DatasetManifest => 'dataset' in one;
  const table =
    isDataset(manifest) && schema
      ? prepareDataset(folder, manifest, schema)
      : prepareDimension(folder, manifest as DimensionManifest);
  const standing = (level: string, slice: Slice) =>
    present.get(level)?.slices.find(one => one.year === slice.year && one.release === slice.release) ?? slice;
  const levels = [...table.levels].map(([name, level]): [string, Level] => [
    name,
    { ...level, slices: level.slices.map(slice => standing(name, slice)) },
  ]);
  return { ...table, levels: new Map(levels) };
}

/** What the later releases did to a slice of the past, oldest first, until its rows were all gone. */
export function sliceChanges(
  later: readonly ReleaseChanges[],
  { year, detail }: Pick<SliceChanges, 'year' | 'detail'>,
): { readonly in: readonly ReleaseChanges[]; readonly end: SliceChanges['change'] | null } {
  const found: ReleaseChanges[] = [];
  for (const release of later) {
    const change = release.slices.find(one => one.year === year && one.detail === detail)?.change;
    if (change === undefined) continue;
    found.push(release);
    if (change !== 'revised') return { in: found, end: change };
  }
  return { in: found, end: null };
}

/** The name that a column of the past had before `until`, the index of one of the later releases; null if it was gone. */
export function nameBefore(later: readonly ReleaseChanges[], name: string, until: number): string | null {
  let found = name;
  for (const { dropped = [], renamed = {} } of later.slice(0, until)) {
    if (dropped.includes(found)) return null;
    found = (Object.hasOwn(renamed, found) ? renamed[found] : undefined) ?? found;
  }
  return found;
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
