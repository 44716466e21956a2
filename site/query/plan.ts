/**
 * Request → plan: the files that can hold its rows, and what an executor must still do with them. Pure; takes a few
 * microseconds. Pruning changes which files are read, never the answer: unknown means keep.
 */
import { isStored, PAGE_ROWS } from '../../build/format/documents.ts';
import { SAMPLE_NOTICE } from '../../build/format/envelope.ts';
import type { RowsFile } from '../../build/format/manifest.ts';
import { spellYears } from '../../build/format/time-text.ts';
import { type Condition, groupTest, renderCondition } from './condition.ts';
import { compareValues, firstWhere, type Value } from './order.ts';
import { holdsYear, type RowsRequest, type YearRange } from './request.ts';
import { quoteName, renderSelect } from './select-sql.ts';
import type { Copy, Level, ParquetSource, Segment, Slice, Table } from './table.ts';

export type Plan = StoredPlan | ScanPlan;

export interface Answer {
  readonly table: Table;
  readonly request: RowsRequest;
  /** The requested years that the level has, ascending. */
  readonly years: readonly number[];
  /** The slice's release if one slice has the whole answer, else the table's. */
  readonly release: string;
  /** Rows of the whole answer; null if only a scan can count them. */
  readonly total: number | null;
  /** Sentences for the reader: why an answer is empty, and that a sample is a sample. */
  readonly notices: readonly string[];
}

/** All rows of stored files, one after another; no residual. */
export interface StoredPlan extends Answer {
  readonly kind: 'stored';
  /** JSON or CSV files, or one Parquet file. */
  readonly files: readonly RowsFile[];
  /** The one file that is the answer, except for its link to the next page; null if files are joined. */
  readonly file: RowsFile | null;
  /** Whether rows follow. A file links its next page by name, an API answer by a query. */
  readonly more: boolean;
}

export interface ScanPlan extends Answer {
  readonly kind: 'scan';
  readonly sources: readonly ScanSource[];
  readonly residual: Residual;
  /** Compressed bytes and rows of all row groups that the scan may read. */
  readonly bytes: number;
  readonly rows: number;
}

export interface ScanSource {
  readonly file: ParquetSource;
  /** Ascending indexes of the row groups that can hold matching rows. */
  readonly groups: readonly number[];
}

/** The part of the request that choosing files doesn't answer. */
interface Residual {
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** What to sort before cutting the page: nothing, each source (a few sorted stretches), or all rows together. */
  readonly sort: 'none' | 'stretches' | 'rows';
  /** Matching rows of the sources to pass over. */
  readonly offset: number;
  /** Matching rows of the first file before the first row group of the plan. */
  readonly skipped: number;
  readonly limit: number | null;
}

const NO_LEVEL: Level = { name: '', years: [], slices: [], copies: [], places: [] };

export function planRequest(table: Table, request: RowsRequest): Plan {
  const { answer, level, slices } = describeAnswer(table, request);
  const stored = request.conditions.length > 0 ? null : planStored(answer, slices);
  return stored ?? planScanned(answer, level, slices);
}

/** Reads the rows from Parquet even if stored files have them. */
export function planScan(table: Table, request: RowsRequest): ScanPlan {
  const { answer, level, slices } = describeAnswer(table, { ...request, format: 'parquet' });
  return planScanned(answer, level, slices);
}

function describeAnswer(table: Table, request: RowsRequest) {
  const level = table.levels.get(request.detail) ?? NO_LEVEL;
  const slices = level.slices.filter(({ year }) => holdsYear(request.years, year));
  const [only] = slices.length === 1 ? slices : [];
  const years = table.year < 0 ? [] : slices.map(slice => slice.year);
  const answer: Answer = {
    table,
    request: only ? asStored(request, only) : request,
    years,
    release: (only ?? table.manifest).release,
    total: countRows(level, slices, request.conditions),
    notices: [
      ...(table.manifest.sample ? [SAMPLE_NOTICE] : []),
      ...(table.year >= 0 && years.length === 0 ? [explainNoYears(table.name, level, request.years)] : []),
    ],
  };
  return { answer, level, slices };
}

/**
 * A stored page states the limit it was stored with. An answer with the same rows states that limit too, so it doesn't
 * depend on which formats a host stores.
 */
function asStored(request: RowsRequest, { rows }: Slice): RowsRequest {
  const { format, offset, conditions } = request;
  if (format !== 'json' || conditions.length > 0 || offset % PAGE_ROWS !== 0) return request;
  const whole = Math.min(PAGE_ROWS, rows - offset);
  return pageEnd(request, rows) - offset === whole ? { ...request, limit: PAGE_ROWS } : request;
}

/** Null if no file has the format, the page cuts a file, or the files have another order than the answer. */
function planStored(answer: Answer, slices: readonly Slice[]): StoredPlan | null {
  const { format, offset } = answer.request;
  if (!isStored(format)) return null;
  const total = answer.total ?? 0;
  const end = pageEnd(answer.request, total);
  if (!isInYearOrder(answer, slices)) return null;
  const files: RowsFile[] = [];
  let at = 0;
  for (const slice of slices) {
    // A slice that isn't stored in this format counts with its rows.
    const held: readonly RowsFile[] = format === 'parquet' ? [slice.parquet] : slice[format];
    for (const file of held.length > 0 ? held : [slice]) {
      const start = at;
      at += file.rows;
      if (at === start || at <= offset || start >= end) continue;
      if (start < offset || at > end || !('path' in file)) return null;
      files.push(file);
    }
  }
  const [only] = slices.length === 1 && files.length === 1 ? files : [];
  // Parquet can't be joined.
  return format === 'parquet' && !only
    ? null
    : { ...answer, kind: 'stored', files, file: only ?? null, more: end < total };
}

function explainNoYears(name: string, level: Level, { exact, min, max }: YearRange): string {
  if (min !== null && max !== null && min > max)
    return `No year is in the range: year_min ${min} is after year_max ${max}.`;
  if (exact !== null && !holdsYear({ exact: null, min, max }, exact))
    return `No year is in the range: year ${exact} is outside ${describeRange(min, max)}.`;
  const asked = exact ?? describeRange(min, max);
  if (level.years.length === 0) return `${name} has no data at the level ${level.name}.`;
  return `${name} has no data for ${asked} at the level ${level.name}: it has ${spellYears(level.years)}.`;
}

function describeRange(min: number | null, max: number | null): string {
  if (min === null) return max === null ? 'any year' : `years up to ${max}`;
  return max === null ? `years from ${min}` : min === max ? String(min) : `${min} to ${max}`;
}

/** The most rows that a scan sorts if a file has another order than the answer. */
const MOST_SORTED_ROWS = 200_000;

/** The most stretches of one file that are merged into an answer. */
const MOST_STRETCHES = 16;

/** The cost of decoding a row: the bytes that could be fetched in the same time. */
const BYTES_A_ROW = 4;

/** Consecutive rows of a file that are consecutive in the answer: the first, and the one after the last. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Part {
  readonly file: ParquetSource;
  /** Where rows can satisfy the condition by which the copy was chosen; null means anywhere. */
  readonly stretches: readonly Stretch[] | null;
  /** Whether the file also has years outside the request. */
  readonly isPartial: boolean;
}

/** The position after the page's last row in an answer of `total` rows; at least the offset. */
function pageEnd({ offset, limit }: RowsRequest, total: number): number {
  return Math.max(offset, limit === null ? total : Math.min(offset + limit, total));
}

/** The rows of the answer according to the manifest; null if only a scan can count them. */
function countRows(
  { copies }: Level,
  slices: readonly Slice[],
  [only, ...others]: readonly Condition[],
): number | null {
  if (!only) return slices.reduce((sum, slice) => sum + slice.rows, 0);
  const copy = copies.find(one => one.isCounted && finds(one, only));
  if (!copy || others.length > 0) return null;
  let total = 0;
  for (const { year } of slices) {
    const file = copy.files.get(year);
    if (!file) return null;
    const index = file.years.indexOf(year);
    for (const [value] of only.keys)
      for (const { counts } of file.segments.get(value!) ?? []) total += counts[index] ?? 0;
  }
  return total;
}

/** Whether a copy keeps the condition's rows together. Counts are per value of one column and leave out NULL. */
function finds({ column, isCounted }: Copy, { bound, columns, keys }: Condition): boolean {
  if (bound !== 'key' || columns[0] !== column) return false;
  return !isCounted || (columns.length === 1 && keys.every(([value]) => value !== null));
}

function planScanned(frame: Answer, level: Level, slices: readonly Slice[]): ScanPlan {
  const { conditions, offset } = frame.request;
  if (frame.total !== null && offset >= frame.total) return scan(frame, [], { offset: 0 });
  const own = slices.map(({ parquet, rows }) => ({
    file: parquet,
    stretches: conditions.length === 0 ? [{ from: 0, to: rows }] : null,
    isPartial: false,
  }));
  let best = planParts(frame, own, null, isInYearOrder(frame, slices) ? 'none' : 'rows');
  for (const copy of level.copies) {
    const plan = planCopy(frame, copy, slices);
    if (plan && costOf(plan) < costOf(best)) best = plan;
  }
  return best;
}

/** Whether slices, one after another, are in the order of the answer. */
function isInYearOrder({ table }: Answer, slices: readonly Slice[]): boolean {
  return table.yearFirst || slices.length < 2;
}

function costOf({ bytes, rows }: Pick<ScanPlan, 'bytes' | 'rows'>): number {
  return bytes + rows * BYTES_A_ROW;
}

/** Null if no condition fits the copy's order, if files of it are gone, or if it would sort too many rows. */
function planCopy(frame: Answer, copy: Copy, slices: readonly Slice[]): ScanPlan | null {
  const by = frame.request.conditions.find(one => finds(copy, one));
  const parts = by ? listParts(frame, copy, slices, by) : null;
  if (!by || !parts) return null;
  const isInOrder = isInYearOrder(frame, slices);
  if (!copy.isCounted) {
    const plan = planParts(frame, parts, null, 'rows');
    // Slices that aren't in year order would have to be sorted too.
    return plan.rows > MOST_SORTED_ROWS && isInOrder ? null : plan;
  }
  const most = Math.max(0, ...parts.map(({ stretches }) => stretches?.length ?? 0));
  const isMerged = most > 1 || (!isInOrder && parts.length > 1);
  if (isMerged && most > MOST_STRETCHES) return null;
  return planParts(frame, parts, by, !isMerged ? 'none' : isInOrder ? 'stretches' : 'rows');
}

/** A part for each file of the copy, and for each slice the copy lacks; null if a file is gone. */
function listParts({ table }: Answer, copy: Copy, slices: readonly Slice[], by: Condition): Part[] | null {
  const parts: Part[] = [];
  for (let at = 0, next = 0; at < slices.length; at = next) {
    const { year, parquet } = slices[at]!;
    const copied = copy.files.get(year);
    next = at + 1;
    if (!copied) {
      parts.push({ file: parquet, stretches: null, isPartial: false });
      continue;
    }
    while (next < slices.length && copy.files.get(slices[next]!.year) === copied) next++;
    const { source: file, years, segments } = copied;
    // A file whose years surround another file's would be read twice.
    if (!file || parts.some(part => part.file === file)) return null;
    const own = new Set(slices.slice(at, next).map(slice => years.indexOf(slice.year)));
    const stretches = by.keys
      .flatMap(([value]) => segments.get(value!) ?? [])
      .flatMap(segment => stretchesOf(segment, index => own.has(index) || !table.yearFirst));
    const isPartial = own.size < years.length;
    const key = table.manifest.key_columns.indexOf(copy.column);
    if (!copy.isCounted) parts.push({ file, stretches: [spanOf(file, key, by)], isPartial });
    else if (stretches.length > 0) parts.push({ file, stretches, isPartial });
  }
  return parts;
}

/** The rows from the least to the greatest value, in a file sorted by that key column. */
function spanOf({ row_groups: all, rows, starts }: ParquetSource, key: number, { keys }: Condition): Stretch {
  const isBelow = (a: Value | undefined, b: Value | undefined) =>
    a !== undefined && b !== undefined && compareValues(a, b) < 0;
  const [least, greatest] = [keys[0]?.[0], keys.at(-1)?.[0]];
  const from = firstWhere(0, all.length, index => !isBelow(all[index]!.max[key], least));
  const to = firstWhere(from, all.length, index => isBelow(greatest, all[index]!.min[key]));
  return { from: starts[from] ?? rows, to: starts[to] ?? rows };
}

/** The rows of a value in some years of its file. */
function stretchesOf({ start, counts }: Segment, isAsked: (year: number) => boolean): readonly Stretch[] {
  const found: { readonly from: number; to: number }[] = [];
  let at = start;
  for (const [year, count] of counts.entries()) {
    const last = found.at(-1);
    if (count > 0 && isAsked(year)) {
      if (last?.to === at) last.to += count;
      else found.push({ from: at, to: at + count });
    }
    at += count;
  }
  return found;
}

/** `by`: the condition that all rows of the stretches satisfy, or null. */
function planParts(
  frame: Answer,
  parts: readonly Part[],
  by: Condition | null,
  sort: Residual['sort'],
): ScanPlan {
  const { table, request, total } = frame;
  const isPartial = parts.some(part => part.isPartial);
  const conditions = isPartial ? [...request.conditions, yearCondition(frame)] : request.conditions;
  const others = request.conditions.filter(other => other !== by);
  const isExact = ({ stretches, ...part }: Part) => stretches && (table.yearFirst || !part.isPartial);
  if (sort === 'none' && others.length === 0 && parts.every(isExact)) {
    const end = pageEnd(request, total ?? Number.POSITIVE_INFINITY);
    const { sources, ...first } = cutStretches(parts, request.offset, end);
    return scan(frame, sources, { conditions, ...first });
  }
  const test = groupTest(request.conditions, table.manifest.key_columns);
  const sources = parts.map(({ file, stretches }) => {
    const { row_groups: all, rows } = file;
    const held = (stretches ?? [{ from: 0, to: rows }]).flatMap(({ from, to }) =>
      groupsBetween(file, from, to),
    );
    return { file, groups: [...new Set(held)].sort((a, b) => a - b).filter(index => test(all[index]!)) };
  });
  return scan(frame, sources, { conditions, sort });
}

/** Leaves out the rows of other years in a file that has some. */
function yearCondition({ table, years }: Answer): Condition {
  const { name } = table.columns[table.year]!;
  return {
    bound: 'key',
    param: 'year',
    columns: [name],
    texts: years.map(String),
    keys: years.map(year => [year]),
  };
}

/** The row groups that the page needs, of parts in the order of the answer. */
function cutStretches(parts: readonly Part[], offset: number, end: number) {
  const sources: ScanSource[] = [];
  let at = 0;
  let first = { offset: 0, skipped: 0 };
  for (const { file, stretches } of parts)
    for (const { from, to } of stretches ?? []) {
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

/** `residual`: what differs from the request's own conditions and page, without skipping or sorting. */
function scan(frame: Answer, candidates: readonly ScanSource[], residual: Partial<Residual>): ScanPlan {
  const { conditions, offset, limit } = frame.request;
  const sources = candidates.filter(({ groups }) => groups.length > 0);
  const rest: Residual = { conditions, sort: 'none', offset, skipped: 0, limit, ...residual };
  let [bytes, rows] = [0, 0];
  for (const { file, groups } of sources)
    for (const index of groups) {
      bytes += file.groupBytes[index]!;
      rows += file.row_groups[index]!.rows;
    }
  return { ...frame, kind: 'scan', sources, residual: rest, bytes, rows };
}

function groupsBetween({ starts }: ParquetSource, from: number, to: number): number[] {
  const groups: number[] = [];
  const first = firstWhere(0, starts.length, index => starts[index]! > from) - 1;
  for (let index = first; index < starts.length && starts[index]! < to; index++) groups.push(index);
  return groups;
}

/**
 * A plan as DuckDB SQL, for the reader of a refusal. `base`: the address or folder of the tree's root, with a final
 * `/`. Stored files are read from Parquet, with types.
 */
export function renderSql(plan: Plan, base: string): string {
  const { table, sources, residual } = plan.kind === 'scan' ? plan : planScan(plan.table, plan.request);
  const names = table.columns.map(column => quoteName(column.name));
  if (sources.length === 0) return `SELECT ${names.map(name => `NULL AS ${name}`).join(', ')} WHERE false`;
  return renderSelect(
    names.join(', '),
    sources.map(source => base + source.file.path),
    residual.conditions.map(renderCondition),
    table.order.map(position => table.columns[position]!.name),
    // The SQL reads whole files, so its offset includes skipped rows.
    residual.offset + residual.skipped,
    residual.limit ?? Infinity,
  );
}
