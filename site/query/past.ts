/** A moment of the past → the table as it was published then. Nothing beyond this file knows that there is a past. */
import {
  type ChangesDocument,
  countsOf,
  type ReleaseChanges,
  type TableBefore,
} from '../../build/format/changes.ts';
import type { SliceEntry } from '../../build/format/manifest.ts';
import { isRelease } from '../../build/format/paths.ts';
import { type Condition, inZone } from './condition.ts';
import { compareRows, type Value } from './order.ts';
import { planScan, type ScanPlan, type ScanSource, selectSlices } from './plan.ts';
import { orList, type Problem } from './problems.ts';
import { type Pair, withPair } from './query-string.ts';
import { ALL_YEARS, holdsYear, type RowsRequest, type YearRange } from './request.ts';
import { type Described, describeTable, type ForgottenAt, positionOf, type Table } from './table.ts';
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

const HISTORY = 'history';

/** What a request says of the key of one figure. */
interface AskedKey {
  /** The one year of the question, 0 in a table without years; null if it is not one. */
  readonly year: number | null;
  /** Positions of the key's columns to which it gives no single value, and of those to which it gives several. */
  readonly open: readonly number[];
  readonly listed: readonly number[];
  /** The conditions on columns that tell no rows apart. */
  readonly others: readonly Condition[];
}

function readAskedKey(table: Table, request: RowsRequest): AskedKey {
  const { columns, order, year } = table;
  const positionsOf = (isSingle: boolean) =>
    request.conditions
      .filter(({ bound, keys }) => (bound === 'key' && keys.length === 1) === isSingle)
      .flatMap(one => one.columns.map(name => positionOf(table, name)));
  const pinned = positionsOf(true);
  return {
    year: year < 0 ? 0 : request.years.exact,
    open: order.filter(position => columns[position] && position !== year && !pinned.includes(position)),
    listed: positionsOf(false),
    others: findOthers(table, request),
  };
}

/** The conditions on columns that tell no rows apart. */
export function findOthers(table: Table, { conditions }: RowsRequest): readonly Condition[] {
  return conditions.filter(
    ({ columns }) => !columns.every(name => table.order.includes(positionOf(table, name))),
  );
}

export interface FigureKey {
  /** The request with NULL for the columns of the key that it leaves out. */
  readonly request: RowsRequest;
  readonly year: number;
  /** Whether it leaves out any. */
  readonly isPartial: boolean;
}

/** Null if the request asks for more than one figure, whatever the rows are. */
export function parseKey(table: Table, { asOf: _, ...request }: RowsRequest): FigureKey | null {
  const { year, open, listed, others } = readAskedKey(table, request);
  if (year === null || open.some(position => listed.includes(position)) || others.length > 0) return null;
  // NULL matches NULL.
  const isNull = open.map((position): Condition => {
    const { name } = table.columns[position]!;
    return { bound: 'key', param: name, columns: [name], texts: [''], keys: [[null]] };
  });
  const conditions = [...request.conditions, ...isNull];
  return { request: { ...request, conditions, offset: 0, limit: null }, year, isPartial: open.length > 0 };
}

/** Where to look for a row by which a key can be completed: the first that is found is the likeliest to be meant. */
export function planExamples(table: Table, { asOf: _, ...request }: RowsRequest): readonly ScanPlan[] {
  const level = table.levels.get(request.detail);
  const last = level && (selectSlices(level, request.years).at(-1) ?? level.slices.at(-1));
  const years: YearRange = last ? { exact: last.year, min: null, max: null } : ALL_YEARS;
  const others = findOthers(table, request);
  const conditions = request.conditions.filter(one => !others.includes(one));
  const found = { ...request, conditions, offset: 0, limit: 1 };
  return [{ ...found, years }, found, { ...found, years, conditions: [] }].map(one => planScan(table, one));
}

/**
 * What is wrong with a key, and the same question with the key of `row`, which is a row of the level; null if the request
 * has a value for each column in which that row has one, and nothing else.
 */
export function completeKey(
  table: Table,
  request: RowsRequest,
  pairs: readonly Pair[],
  row: readonly Value[] | null,
): { readonly problem: Problem; readonly corrected: readonly Pair[] } | null {
  const { year, open, listed, others } = readAskedKey(table, request);
  const missing = open.filter(position => listed.includes(position) || (row?.[position] ?? null) !== null);
  if (year !== null && missing.length === 0 && others.length === 0) return null;
  const names = [
    ...(year !== null ? [] : ['year']),
    ...missing.map(position => table.columns[position]!.name),
  ];
  const msg =
    names.length > 0
      ? `Give the whole key of one figure: ${orList(names)} ${names.length > 1 ? 'are' : 'is'} missing`.replace(
          ' or ',
          ' and ',
        )
      : `Give only the key of the figure: ${orList(others.map(one => one.param))} is no part of it`;
  const several = request.conditions.filter(({ bound, keys }) => bound !== 'key' || keys.length !== 1);
  const left = new Set([...others, ...several].map(({ param }) => param));
  if (year === null) for (const name of ['year_min', 'year_max']) left.add(name);
  let corrected: readonly Pair[] = pairs.filter(({ name }) => !left.has(name));
  for (const position of [...(year === null ? [table.year] : []), ...missing]) {
    const { name = '', utc } = table.columns[position] ?? {};
    const value = row?.[position] ?? null;
    const param = position === table.year ? 'year' : name;
    // Nobody can ask for one row of a dimension.
    if (!table.parameters.has(param)) corrected = corrected.filter(pair => pair.name !== HISTORY);
    else if (value !== null) corrected = withPair(corrected, param, inZone(value, { utc }));
  }
  return {
    problem: { type: 'missing_key', param: HISTORY, msg, input: 'true', ctx: { missing: names } },
    corrected,
  };
}

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
