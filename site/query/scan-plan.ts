/** Plans that read Parquet: yearly slices, or a copy of the level in another order, whichever costs least. Pure. */
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareValues, firstWhere, type Value } from './order.ts';
import type { Plan, Residual, ScanPlan, ScanSource } from './plan.ts';
import { type Condition, groupTest, type KeyCondition, type RowsRequest } from './request.ts';
import type { Copy, CopyFile, Level, ParquetSource, Segment, Slice, Table } from './table.ts';

/** The part of a plan that does not depend on the files that it reads. */
export type Frame = Pick<Plan, 'table' | 'request' | 'years' | 'release' | 'total' | 'notices'>;

/** The most rows that a scan sorts where a file has another order than the answer. */
const MOST_SORTED_ROWS = 200_000;

/** The most stretches of one file that are merged into an answer. */
const MOST_STRETCHES = 16;

/**
 * The cost of decoding a row, as the number of bytes that could be fetched in the same time. Yearly slices have larger
 * row groups than copies, and one row group of a copy answers for all years.
 */
const BYTES_A_ROW = 4;

/** Rows of a file that the answer has one after another: the first, and the one after the last. */
interface Stretch {
  readonly file: ParquetSource;
  readonly from: number;
  readonly to: number;
}

/** A file of a plan. */
interface Part {
  readonly file: ParquetSource;
  /** The stretches of its rows that have the values; null for a slice, which has them anywhere. */
  readonly stretches: readonly Stretch[] | null;
  /** Whether the file has rows of other years. */
  readonly partial: boolean;
  /** Whether its stretches do. */
  readonly gapped: boolean;
}

/** The position after the page's last row in an answer of `total` rows; never before its first row. */
export function pageEnd({ offset, limit }: RowsRequest, total: number): number {
  return Math.max(offset, limit === null ? total : Math.min(offset + limit, total));
}

/** The rows of the answer, from the manifest alone; null where only a scan can count them. */
export function countRows(
  { copies }: Level,
  slices: readonly Slice[],
  [only, ...others]: readonly Condition[],
): number | null {
  if (!only) return slices.reduce((sum, slice) => sum + slice.rows, 0);
  const copy = copies.find(({ column }) => listsOnly(only, column));
  if (!copy || only.bound !== 'key' || others.length > 0) return null;
  let total = 0;
  for (const { year } of slices) {
    const rows = rowsOfYear(copy, year, only);
    if (rows === null) return null;
    total += rows;
  }
  return total;
}

/** Whether a condition lists values of one column. */
function listsOnly(condition: Condition, column: string | null): condition is KeyCondition {
  return condition.bound === 'key' && condition.columns.length === 1 && condition.columns[0] === column;
}

function rowsOfYear({ files }: Copy, year: number, { keys }: KeyCondition): number | null {
  const file = files.get(year);
  if (!file) return null;
  const index = file.years.indexOf(year);
  let rows = 0;
  for (const [value] of keys)
    for (const { counts } of file.segments.get(value!) ?? []) rows += counts[index] ?? 0;
  return rows;
}

export function planScanned(frame: Frame, level: Level, slices: readonly Slice[]): ScanPlan {
  const { table, request, total } = frame;
  const { conditions, offset } = request;
  const isOrdered = table.yearFirst || slices.length < 2;
  if (conditions.length === 0 && isOrdered) {
    const whole = slices.map(({ parquet, rows }) => ({ file: parquet, from: 0, to: rows }));
    const { sources, ...first } = cutStretches(whole, 0, offset, pageEnd(request, total ?? 0));
    return scan(frame, sources, sources.length > 0 ? first : { offset: offset - (total ?? 0) });
  }
  const own = slices.map(({ parquet }) => ({
    file: parquet,
    groups: pruneGroups(table, parquet, conditions),
  }));
  let best = scan(frame, own, { sort: isOrdered ? 'none' : 'rows' });
  for (const copy of conditions.length > 0 ? level.copies : []) {
    const plan = copy.column === null ? planBounds(frame, copy, slices) : planValues(frame, copy, slices);
    if (plan && costOf(plan) < costOf(best)) best = plan;
  }
  return best;
}

function costOf({ bytes, rows }: Pick<ScanPlan, 'bytes' | 'rows'>): number {
  return bytes + rows * BYTES_A_ROW;
}

function weigh(sources: readonly ScanSource[]): Pick<ScanPlan, 'bytes' | 'rows'> {
  let bytes = 0;
  let rows = 0;
  for (const { file, groups } of sources) {
    for (const index of groups) {
      bytes += file.groupBytes[index]!;
      rows += file.entry.row_groups[index]!.rows;
    }
  }
  return { bytes, rows };
}

/**
 * The plan for a copy that knows its rows by the bounds of row groups alone. Null where it lacks a year, where the request
 * pins no place, or where too many rows would have to be sorted.
 */
function planBounds(frame: Frame, copy: Copy, slices: readonly Slice[]): ScanPlan | null {
  const { table, request } = frame;
  const { conditions } = request;
  const [file] = copy.files.values();
  if (!file?.source || slices.length === 0 || !slices.every(({ year }) => copy.files.has(year))) return null;
  if (!leadValues(table, file.source, conditions)) return null;
  const narrowed = narrow(frame, file.years.length > slices.length, slices);
  const sources = [{ file: file.source, groups: pruneGroups(table, file.source, narrowed) }];
  const plan = scan(frame, sources, { conditions: narrowed, sort: 'rows' });
  // Slices of a table that is not in the order of its years would have to be sorted too.
  return plan.rows > MOST_SORTED_ROWS && (slices.length < 2 || table.yearFirst) ? null : plan;
}

/**
 * The plan for a copy that has the rows of each value of a column together. Null where the request lists no values of the
 * column, where files of the copy are gone, or where the rows would have to be sorted.
 */
function planValues(frame: Frame, copy: Copy, slices: readonly Slice[]): ScanPlan | null {
  const { table, request, total } = frame;
  const { conditions, offset } = request;
  const by = conditions.find(one => listsOnly(one, copy.column));
  if (by?.bound !== 'key') return null;
  const others = conditions.filter(other => other !== by);
  const end = pageEnd(request, total ?? Number.POSITIVE_INFINITY);
  const reached =
    table.yearFirst && others.length === 0
      ? reachYears(copy, slices, by, offset, end)
      : { slices, before: 0 };
  const parts = listParts(copy, reached.slices, by, table.yearFirst);
  if (!parts) return null;
  const isMerged =
    parts.some(({ stretches }) => (stretches?.length ?? 0) > 1) || (!table.yearFirst && parts.length > 1);
  if (isMerged && parts.some(({ stretches }) => (stretches?.length ?? 0) > MOST_STRETCHES)) return null;
  const isPartial = parts.some(({ partial }) => partial);
  const narrowed = narrow(frame, isPartial, reached.slices);
  const stretches = parts.flatMap(part => part.stretches ?? []);
  if (
    !isMerged &&
    table.yearFirst &&
    others.length === 0 &&
    parts.every(one => one.stretches && !one.gapped)
  ) {
    const { sources, ...first } = cutStretches(stretches, reached.before, offset, end);
    return scan(frame, sources, { conditions: narrowed, ...(sources.length > 0 ? first : { offset: 0 }) });
  }
  const sources = parts.map(part => ({ file: part.file, groups: groupsOf(table, part, by, others) }));
  return scan(frame, sources, {
    conditions: narrowed,
    sort: isMerged ? 'stretches' : 'none',
    offset: offset - reached.before,
  });
}

/** The years that the page reaches, and the rows of the answer before them. */
function reachYears(copy: Copy, slices: readonly Slice[], by: KeyCondition, offset: number, end: number) {
  const reached: Slice[] = [];
  let before = 0;
  let at = 0;
  for (const slice of slices) {
    const rows = rowsOfYear(copy, slice.year, by);
    if (rows === null) return { slices, before: 0 };
    if (at + rows <= offset) before = at + rows;
    else if (at < end) reached.push(slice);
    at += rows;
  }
  return { slices: reached, before };
}

/** One part for each file of the copy, and for each slice of which it has none; null where one is gone. */
function listParts(
  copy: Copy,
  slices: readonly Slice[],
  { keys }: KeyCondition,
  yearFirst: boolean,
): Part[] | null {
  const parts: Part[] = [];
  const listed = new Set<CopyFile>();
  for (let at = 0; at < slices.length; ) {
    const { year, parquet } = slices[at]!;
    const copied = copy.files.get(year);
    let next = at + 1;
    if (!copied) {
      parts.push({ file: parquet, stretches: null, partial: false, gapped: false });
      at = next;
      continue;
    }
    const { source: file, years, segments } = copied;
    if (!file) return null;
    while (next < slices.length && copy.files.get(slices[next]!.year) === copied) next++;
    // Where rows do not begin with the year, a stretch has the rows of all years: one part takes those of its file.
    const own = yearFirst
      ? slices.slice(at, next)
      : slices.filter(one => copy.files.get(one.year) === copied);
    at = next;
    if (!yearFirst && listed.has(copied)) continue;
    listed.add(copied);
    const first = years.indexOf(own[0]!.year);
    const last = years.indexOf(own[own.length - 1]!.year) + 1;
    const stretches = keys
      .flatMap(([value]) => segments.get(value!) ?? [])
      .flatMap(segment => stretchOf(segment, first, last, yearFirst) ?? [])
      .map(stretch => ({ file, ...stretch }));
    const partial = own.length < years.length;
    if (stretches.length > 0) parts.push({ file, stretches, partial, gapped: own.length < last - first });
  }
  return parts;
}

/** The rows of a value in some years; null where there are none. */
function stretchOf({ start, counts }: Segment, first: number, last: number, yearFirst: boolean) {
  let [before, rows, after] = [0, 0, 0];
  for (const [index, count] of counts.entries()) {
    if (index < first) before += count;
    else if (index < last) rows += count;
    else after += count;
  }
  if (rows === 0) return null;
  const from = start + (yearFirst ? before : 0);
  return { from, to: start + before + rows + (yearFirst ? 0 : after) };
}

/**
 * The row groups that the page reaches, of stretches in the order of the answer. `before`: rows of the answer before them
 * all.
 */
function cutStretches(stretches: readonly Stretch[], before: number, offset: number, end: number) {
  const sources: ScanSource[] = [];
  let at = before;
  let first = { offset, skipped: 0 };
  for (const { file, from, to } of stretches) {
    const start = from + Math.max(0, offset - at);
    const stop = Math.min(to, from + end - at);
    if (start < stop) {
      const groups = groupsBetween(file, start, stop);
      const skipped = Math.max(0, (file.starts[groups[0]!] ?? 0) - from);
      if (sources.length === 0) first = { offset: offset - at - skipped, skipped };
      sources.push({ file, groups });
    }
    at += to - from;
  }
  return { sources, ...first };
}

/** The row groups of a part that can hold a row that satisfies all conditions. */
function groupsOf(
  table: Table,
  { file, stretches }: Part,
  by: KeyCondition,
  others: readonly Condition[],
): number[] {
  if (!stretches) return pruneGroups(table, file, [by, ...others]);
  const canMatch = groupTest(others, table.keyColumns);
  const held = stretches.flatMap(({ from, to }) =>
    groupsBetween(file, from, to).filter(index => canMatch(file.entry.row_groups[index]!)),
  );
  return stretches.length === 1 ? held : [...new Set(held)].sort((a, b) => a - b);
}

/** `residual`: what of it differs from the request's own, with no rows to skip or to sort. */
export function scan(frame: Frame, candidates: readonly ScanSource[], residual: Partial<Residual>): ScanPlan {
  const { conditions, offset, limit } = frame.request;
  const sources = candidates.filter(({ groups }) => groups.length > 0);
  const rest: Residual = { conditions, sort: 'none', offset, skipped: 0, limit, ...residual };
  return { ...frame, kind: 'scan', sources, residual: rest, ...weigh(sources) };
}

/** The conditions of the request, and the years of the slices where files have rows of others. */
function narrow(
  { table, request }: Frame,
  isPartial: boolean,
  slices: readonly Slice[],
): readonly Condition[] {
  if (!isPartial) return request.conditions;
  const columns = [table.columns[table.year]?.name ?? 'year'];
  const texts = slices.map(({ year }) => String(year));
  const keys = slices.map(({ year }) => [year]);
  return [...request.conditions, { bound: 'key', param: 'year', columns, texts, keys }];
}

/** Indexes of the row groups that can hold a row that satisfies all conditions, ascending. Unknown means keep. */
function pruneGroups(table: Table, source: ParquetSource, conditions: readonly Condition[]): number[] {
  const { row_groups: all } = source.entry;
  const values = leadValues(table, source, conditions);
  const groups = values ? reachedGroups(all, source.lead, values) : [...all.keys()];
  const canMatch = groupTest(conditions, table.keyColumns);
  return groups.filter(index => canMatch(all[index]!));
}

/**
 * The values, ascending, that the column by which groups can be found by bisection must have; null where the conditions
 * leave it free.
 */
function leadValues(
  { keyColumns }: Table,
  { lead }: ParquetSource,
  conditions: readonly Condition[],
): readonly Value[] | null {
  if (lead < 0) return null;
  for (const condition of conditions) {
    if (condition.bound !== 'key' || condition.columns[0] !== keyColumns[lead]) continue;
    const values = [...new Set(condition.keys.map(key => key[0] ?? null))];
    // Bisection passes over the groups of NULLs, which come first.
    if (!values.includes(null)) return values;
  }
  return null;
}

/** The groups, whose bounds ascend, that reach one of the ascending values. */
function reachedGroups(all: readonly RowGroup[], key: number, values: readonly Value[]): number[] {
  const groups: number[] = [];
  let next = 0;
  for (const value of values) {
    next = firstWhere(next, all.length, index => compareValues(all[index]!.max[key]!, value) >= 0);
    while (next < all.length && compareValues(all[next]!.min[key]!, value) <= 0) groups.push(next++);
  }
  return groups;
}

/** The row groups that hold the rows of a file from `from` up to `to`. */
function groupsBetween({ starts }: ParquetSource, from: number, to: number): number[] {
  const groups: number[] = [];
  const first = firstWhere(0, starts.length, index => starts[index]! > from) - 1;
  for (let index = first; index < starts.length && starts[index]! < to; index++) groups.push(index);
  return groups;
}
