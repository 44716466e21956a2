/** A moment of the past → the table as it was published then. Nothing beyond this file knows that there is a past. */
import {
  type ChangesDocument,
  countsOf,
  type ForgottenSlice,
  type ReleaseChanges,
  type TableBefore,
  type TableDescription,
} from '../../build/format/changes.ts';
import type { ParquetFile, SliceEntry } from '../../build/format/manifest.ts';
import { isRelease } from '../../build/format/paths.ts';
import type { ScanPlan } from './plan.ts';
import { holdsYear, planScan } from './planner.ts';
import { type Described, describeTable, prepareTable } from './preparation.ts';
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
  chain: readonly string[],
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
export function placeOf(asked: string, chain: readonly string[]): number {
  const named = chain.indexOf(asked);
  if (named >= 0) return named;
  const [date, content] = [asked.slice(0, 10), asked.slice(10)];
  const same = chain.map(one => one.endsWith(content) && one.slice(0, 10) <= date);
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

export interface ForgottenAt extends ForgottenSlice {
  readonly year: number;
  readonly detail: string;
}

/** A table as it was before some releases. */
export interface Version {
  readonly table: Table;
  /** Slices that it had, whose rows the publisher took back. */
  readonly forgotten: readonly ForgottenAt[];
  /** The names that the columns of today have in it; null for those that it lacks. */
  readonly names: ReadonlyMap<string, string | null>;
}

export interface DescribedTable {
  readonly table: Table;
  readonly described: TableDescription;
}

/** Goes back from the table of today, one release after another. */
export class WayBack {
  private readonly today: Version;
  private described: Described;
  /** By year and level, each with the columns of its bounds: slices of today, or files that were replaced since. */
  private readonly slices: Map<string, { readonly one: SliceEntry; readonly keys: readonly string[] }>;
  private readonly forgotten = new Map<string, ForgottenAt>();
  private names: Version['names'];
  /** The name of the release that the last step led to; null before any. */
  private release: string | null = null;

  constructor({ table, described }: DescribedTable) {
    this.names = new Map(table.columns.map(({ name }) => [name, name]));
    this.today = { table, forgotten: [], names: this.names };
    this.described = describeTable(described);
    const { slices, key_columns: keys } = this.described.manifest;
    this.slices = new Map(slices.map(one => [nameOf(one), { one, keys }]));
  }

  /** To before a release. `before`: how the table was described until then; null if as after it. */
  step(changes: ReleaseChanges, before: TableBefore | null): void {
    if (before !== null) this.described = describeTable({ ...this.described, ...before });
    for (const { year, detail, past } of changes.slices) {
      const name = nameOf({ year, detail });
      this.slices.delete(name);
      this.forgotten.delete(name);
      if (past === undefined) continue;
      if ('reason' in past) this.forgotten.set(name, { year, detail, ...past });
      else {
        const files = { json: [], csv: [], parquet: [past] };
        const one = { year, detail, rows: past.rows, release: releaseOf(past), files };
        this.slices.set(name, { one, keys: this.described.manifest.key_columns });
      }
    }
    this.names = new Map([...this.names].map(([today, then]) => [today, nameBefore(changes, then)]));
    this.release = changes.replaced;
  }

  /** The table where the way has led. */
  version(): Version {
    if (this.release === null) return this.today;
    const { manifest } = this.described;
    const then = {
      ...manifest,
      release: this.release,
      slices: [...this.slices.values()].map(({ one, keys }) => withBoundsOf(one, keys, manifest.key_columns)),
      copies: countsOf(manifest.copies),
    };
    return {
      table: prepareTable(this.today.table.folder, { ...this.described, manifest: then }),
      forgotten: [...this.forgotten.values()],
      names: this.names,
    };
  }
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
  { forgotten }: Pick<Version, 'forgotten'>,
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

/** The plan for rows of another release. Null if its table lacks a column of the request's conditions. */
export function planThen({ table, names }: Version, request: RowsRequest): ScanPlan | null {
  const conditions = request.conditions.map(
    (one): Condition => ({ ...one, columns: one.columns.map(name => names.get(name) ?? '') }),
  );
  const isThere = conditions.every(({ columns }) => columns.every(name => positionOf(table, name) >= 0));
  return isThere ? planScan(table, { ...request, conditions }) : null;
}
