/** Earlier releases: the table as it was published at a moment, the key of one figure, and what a release changed. */
import {
  type ChangesDocument,
  countsOf,
  type ReleaseChanges,
  type TableBefore,
} from '../../build/format/changes.ts';
import { NO_TEXTS } from '../../build/format/documents.ts';
import type { SliceEntry } from '../../build/format/manifest.ts';
import { isRelease } from '../../build/format/paths.ts';
import type { Condition } from './condition.ts';
import type { Value } from './order.ts';
import { planScan, type ScanPlan } from './plan.ts';
import { orList } from './problems.ts';
import type { Pair } from './query-string.ts';
import { holdsYear, type RowsRequest, type WrongRequest } from './request.ts';
import { type Described, describeTable, type ForgottenAt, listKey, positionOf, type Table } from './table.ts';
import type { Reading } from './value.ts';

/** The parameter that asks for rows as an earlier release published them. */
export const AS_OF = 'as_of';

/**
 * How many of the releases that changed a table were published by a moment, or what is wrong with the moment. `chain`: all
 * releases of the tree, oldest first; only needed if the moment names a release.
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
  // A day can have several releases.
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
 * The index of a release; -1 if the name is unknown. A release that repeats earlier content on another day is found by that
 * content's last release up to the day.
 */
function placeOf(asked: string, chain: readonly string[]): number {
  const named = chain.indexOf(asked);
  if (named >= 0) return named;
  const [date, content] = [asked.slice(0, 10), asked.slice(10)];
  return chain.map(one => one.endsWith(content) && one.slice(0, 10) <= date).lastIndexOf(true);
}

/** A table's description in one release. */
export type Version = Described & Pick<Table, 'past'>;

/** The version before a release. `before`: the description until then; null if the release kept it. */
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
      const files = { ...NO_TEXTS, parquet: [past] };
      // A slice's release is the start of its file's hash.
      slices.push({ year, detail, rows: past.rows, release: past.sha256.slice(0, 12), files });
    }
  }
  const names = after.past?.names ?? new Map(after.manifest.columns.map(({ name }) => [name, name]));
  const earlierNames = [...names].map(([now, earlier]) => [now, nameBefore(changes, earlier)] as const);
  return {
    kind,
    schema,
    manifest: { ...manifest, release: changes.replaced, slices, copies: countsOf(manifest.copies) },
    past: { forgotten, names: new Map(earlierNames) },
  };
}

/** A column's name before a release; null if it didn't exist. */
export function nameBefore(changes: ReleaseChanges, name: string | null): string | null {
  const { dropped = [], renamed = {} } = changes;
  if (name === null) return null;
  const old = Object.keys(renamed).find(one => renamed[one] === name);
  const isOther = dropped.includes(name) || Object.hasOwn(renamed, name);
  return old ?? (isOther ? null : name);
}

/** A requested slice whose rows the publisher took back. */
export function findForgotten({ past }: Table, { detail, years }: RowsRequest): ForgottenAt | undefined {
  return past?.forgotten.find(one => one.detail === detail && holdsYear(years, one.year));
}

function nameOf({ year, detail }: Pick<SliceEntry, 'year' | 'detail'>): string {
  return `${year}/${detail}`;
}

/** The slice with its row groups' bounds in the order of another version's key columns. */
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

/** The name that a current column has in an earlier version; null if that version lacks it. */
export function earlierName({ past }: Table, current: string): string | null {
  return past ? (past.names.get(current) ?? null) : current;
}

/** The plan for the rows of an earlier version; null if it lacks a column of the request's conditions. */
export function planEarlier(table: Table, request: RowsRequest): ScanPlan | null {
  const conditions = request.conditions.map(one => ({
    ...one,
    columns: one.columns.map(name => earlierName(table, name) ?? ''),
  }));
  const isThere = conditions.every(({ columns }) => columns.every(name => positionOf(table, name) >= 0));
  return isThere ? planScan(table, { ...request, conditions }) : null;
}

/** A request for one figure. */
interface FigureKey {
  /** The request, asking for NULL in each column of the key that it leaves out. Null if it asks for several figures. */
  readonly request: RowsRequest | null;
  /** 0 in a table without years. */
  readonly year: number;
  /** Parameters of the key's columns that have values at this level and that the request gives no single value. */
  readonly missing: readonly string[];
  /** Parameters of the request that aren't part of the key. */
  readonly others: readonly string[];
}

export function parseFigureKey(table: Table, request: RowsRequest): FigureKey {
  const { year: yearColumn, levels, manifest, schema } = table;
  const isSingle = ({ bound, keys }: Condition) => bound === 'key' && keys.length === 1;
  const single = request.conditions.filter(isSingle);
  const given = single.flatMap(one => one.columns);
  const time = single.find(one => one.columns[0] === schema.time?.column)?.texts[0];
  const yearOfTime = time === undefined ? null : Number(time.slice(0, 4));
  const year = yearColumn < 0 ? 0 : (request.years.exact ?? yearOfTime);
  const open = listKey(table).filter(({ column }) => !given.includes(column));
  const places = levels.get(request.detail)?.places ?? [];
  const isEmpty = (name: string) => manifest.place.includes(name) && !places.includes(name);
  const unknown = open.filter(({ column }) => !isEmpty(column)).map(({ param }) => param);
  const others = findOthers(table, request).map(({ param }) => param);
  const isOne = year !== null && others.length === 0 && request.conditions.every(isSingle);
  const isNull = open.map(({ param, column }): Condition => {
    return { bound: 'key', param, columns: [column], texts: [''], keys: [[null]] };
  });
  const conditions = [...request.conditions, ...isNull];
  return {
    request: isOne ? { ...request, conditions, offset: 0, limit: null } : null,
    year: year ?? 0,
    missing: year === null ? ['year', ...unknown] : unknown,
    others,
  };
}

/** The conditions on columns that aren't part of the key. */
export function findOthers(table: Table, { conditions }: RowsRequest): readonly Condition[] {
  const key = listKey(table).map(({ column }) => column);
  return conditions.filter(({ columns }) => !columns.every(name => key.includes(name)));
}

/**
 * The corrected request asks for the rows among which the figure is, if parts of its key are missing or if several rows
 * share it.
 */
export function refuseKey(key: FigureKey, pairs: readonly Pair[], param: string): WrongRequest {
  const { missing, others } = key;
  const msg = describeWrongKey(key);
  const input = pairs.find(({ name }) => name === param)?.value;
  const problem = { type: 'missing_key', param, msg, input, ctx: { missing } };
  const left = missing.length === 0 && others.length > 0 ? others : [param, ...others];
  return { problems: [problem], corrected: pairs.filter(({ name }) => !left.includes(name)) };
}

function describeWrongKey({ missing, others }: FigureKey): string {
  const names = orList(missing.length > 0 ? missing : others).replace(' or ', ' and ');
  if (missing.length > 0)
    return `Give the whole key of one figure: ${names} ${missing.length > 1 ? 'are' : 'is'} missing`;
  if (others.length > 0)
    return `Give only the key of the figure: ${names} ${others.length > 1 ? "aren't" : "isn't"} part of it`;
  return 'Several rows have this key, and no parameter tells them apart, so none of them has an address or a history';
}

export interface RowChange {
  readonly change: 'added' | 'removed' | 'revised';
  readonly year: number;
  /** The row's values in the earlier grain's columns. */
  readonly key: readonly Value[];
  /** What differs in a revised row, by current column names; dropped columns are left out. */
  readonly values: readonly { readonly name: string; readonly old: Value; readonly now: Value }[];
}

export interface ChangedRow extends RowChange {
  readonly detail: string;
}
