/** A moment of the past → the table as it was published then. Nothing beyond this file knows that there is a past. */
import {
  type ChangesDocument,
  countsOf,
  type ReleaseChanges,
  type TableBefore,
} from '../../build/format/changes.ts';
import type { SliceEntry } from '../../build/format/manifest.ts';
import { isRelease } from '../../build/format/paths.ts';
import type { ScanPlan } from './plan.ts';
import { planScan } from './planner.ts';
import { describeTable } from './preparation.ts';
import { holdsYear, type RowsRequest } from './request.ts';
import { type Described, type ForgottenAt, positionOf, type Table } from './table.ts';
import type { Reading } from './value.ts';

/** The parameter that asks for rows as they were published then. */
export const AS_OF = 'as_of';

/**
 * How many of the releases that changed a table were published by a moment, or what is wrong with the moment. `chain`: all
 * releases of the tree, oldest first, where the moment is the name of one.
 */
export function countReleases(
  { subject, since, since_release: first, broken, releases }: ChangesDocument,
  input: string,
  chain: readonly string[],
): Reading<number> {
  const at = isRelease(input) ? placeOf(input, chain) : null;
  if (at === -1) {
    const latest = chain.at(-1) ?? '';
    const msg = `No release has this name. The feed lists all: feed.json. The latest is '${latest}'`;
    return {
      problem: { type: 'enum', param: AS_OF, msg, input, ctx: { nearest: latest } },
      repaired: latest,
    };
  }
  const date = input.slice(0, 10);
  const newest = releases.findIndex(one => {
    const position = at === null ? -1 : placeOf(one.release, chain);
    return at === null || position < 0 ? one.date <= date : position <= at;
  });
  if (newest >= 0) return { value: releases.length - newest };
  // A day may have several releases.
  const isBefore = date < since || (at !== null && first !== undefined && at < placeOf(first, chain));
  if (!isBefore) return { value: 0 };
  const why =
    broken === undefined ? `when ${subject} was first published` : `before which nothing is known: ${broken}`;
  const msg = `Input should be ${since} or later, ${why}`;
  return {
    problem: { type: 'greater_than_equal', param: AS_OF, msg, input, ctx: { ge: since } },
    repaired: since,
  };
}

/**
 * The place of a release among all; -1 if there was none of the name. A release with the content of an earlier one
 * has a name of its own, since it was published on another day.
 */
function placeOf(asked: string, chain: readonly string[]): number {
  const named = chain.indexOf(asked);
  if (named >= 0) return named;
  const [date, content] = [asked.slice(0, 10), asked.slice(10)];
  return chain.map(one => one.endsWith(content) && one.slice(0, 10) <= date).lastIndexOf(true);
}

/** How a table is described, and what is special about it in the past. */
export type Version = Described & Pick<Table, 'past'>;

/** How a table was described before a release. `before`: what the release changed in its description; null if nothing. */
export function describeBefore(after: Version, changes: ReleaseChanges, before: TableBefore | null): Version {
  const { kind, schema, manifest } = before === null ? after : describeTable({ ...after, ...before });
  const changed = new Set(changes.slices.map(nameOf));
  const isKept = (one: Pick<SliceEntry, 'year' | 'detail'>) => !changed.has(nameOf(one));
  const [own, wanted] = [after.manifest.key_columns, manifest.key_columns];
  const slices = after.manifest.slices.filter(isKept).map(one => withBoundsOf(one, own, wanted));
  const forgotten = (after.past?.forgotten ?? []).filter(isKept);
  for (const { year, detail, past } of changes.slices) {
    if (past === undefined) continue;
    if ('reason' in past) forgotten.push({ year, detail, ...past });
    else {
      const files = { json: [], csv: [], parquet: [past] };
      // A slice's release is the beginning of its file's hash.
      slices.push({ year, detail, rows: past.rows, release: past.sha256.slice(0, 12), files });
    }
  }
  const names = after.past?.names ?? new Map(after.manifest.columns.map(({ name }) => [name, name]));
  const namesThen = [...names].map(([today, then]) => [today, nameBefore(changes, then)] as const);
  return {
    kind,
    schema,
    manifest: { ...manifest, release: changes.replaced, slices, copies: countsOf(manifest.copies) },
    past: { forgotten, names: new Map(namesThen) },
  };
}

/** The name that a column had until a release; null if it was not there. */
function nameBefore({ dropped = [], renamed = {} }: ReleaseChanges, name: string | null): string | null {
  if (name === null) return null;
  const old = Object.keys(renamed).find(one => renamed[one] === name);
  const isOther = dropped.includes(name) || Object.hasOwn(renamed, name);
  return old ?? (isOther ? null : name);
}

/** A slice that a request asks for, whose rows the publisher took back. */
export function findForgotten(
  { past }: Table,
  { detail, years }: Pick<RowsRequest, 'detail' | 'years'>,
): ForgottenAt | undefined {
  return past?.forgotten.find(one => one.detail === detail && holdsYear(years, one.year));
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

/** The name that a column of today has in a table; null if the table lacks it. */
export function nameThen({ past }: Table, today: string): string | null {
  return past ? (past.names.get(today) ?? null) : today;
}

/** The plan for rows of another release. Null if its table lacks a column of the request's conditions. */
export function planThen(table: Table, request: RowsRequest): ScanPlan | null {
  const conditions = request.conditions.map(one => ({
    ...one,
    columns: one.columns.map(name => nameThen(table, name) ?? ''),
  }));
  const isThere = conditions.every(({ columns }) => columns.every(name => positionOf(table, name) >= 0));
  return isThere ? planScan(table, { ...request, conditions }) : null;
}
