/** Request → plan: the files that can answer with the fewest bytes. It is pure, and takes a few microseconds. */
import { PAGE_ROWS } from '../../build/format/documents.ts';
import { countCopied, planCopied } from './copy-plan.ts';
import { composeNotices } from './notices.ts';
import type { CutPlan, Piece, Plan, ScanPlan, ScanSource, StoredPlan } from './plan.ts';
import { leadValues, type Pruned, pruneGroups } from './prune.ts';
import type { Condition, RowsRequest, YearRange } from './request.ts';
import type { Copy, Level, ParquetSource, Slice, Table, TextFile } from './table.ts';

/** The most rows that a scan sorts where a file has another order than the answer. */
const MOST_SORTED_ROWS = 200_000;

interface Candidate {
  readonly file: ParquetSource;
  readonly pruned: Pruned;
}

type Frame = Pick<Plan, 'table' | 'request' | 'years' | 'release' | 'total' | 'notices'>;

const NO_LEVEL: Level = {
  name: '',
  years: [],
  slices: [],
  copies: [],
  places: [],
};

export function planRequest(table: Table, request: RowsRequest): Plan {
  const level = table.levels.get(request.detail) ?? NO_LEVEL;
  const slices = selectSlices(level, request.years);
  const years = table.year < 0 ? [] : slices.map(slice => slice.year);
  const [only] = slices;
  const frame: Frame = {
    table,
    request: only && slices.length === 1 ? asStored(request, only) : request,
    years,
    release: only && slices.length === 1 ? only.release : table.stamp.release,
    total: countRows(level, slices, request.conditions),
    notices: composeNotices(table, level, request.years, years),
  };
  if (request.conditions.length > 0) return planFiltered(frame, level, slices);
  const stored = only && slices.length === 1 ? planStored(frame, only) : null;
  return stored ?? planCut(frame, slices) ?? planUnfiltered(frame, slices);
}

/** The rows of the answer; null where only a scan can count them. */
function countRows(
  { copies }: Level,
  slices: readonly Slice[],
  [only, ...others]: readonly Condition[],
): number | null {
  if (!only) return slices.reduce((sum, slice) => sum + slice.rows, 0);
  return only.bound === 'list' && others.length === 0
    ? countCopied(
        copies.find(({ position }) => position === only.position),
        slices,
        only,
      )
    : null;
}

export function selectSlices(level: Level, years: YearRange): readonly Slice[] {
  const { exact, min, max } = years;
  if (exact === null && min === null && max === null) return level.slices;
  return level.slices.filter(({ year }) => holdsYear(years, year));
}

export function holdsYear({ exact, min, max }: YearRange, year: number): boolean {
  return (exact === null || year === exact) && (min === null || year >= min) && (max === null || year <= max);
}

/**
 * A stored page states the limit that it was stored with. Every other answer with the same rows states that limit too,
 * so that an answer does not depend on the formats that a host has room for.
 */
function asStored(request: RowsRequest, { rows }: Slice): RowsRequest {
  const { format, offset, conditions } = request;
  if (format !== 'json' || conditions.length > 0 || offset % PAGE_ROWS !== 0) return request;
  const whole = Math.min(PAGE_ROWS, rows - offset);
  return pageEnd(request, rows) - offset === whole ? { ...request, limit: PAGE_ROWS } : request;
}

/** The plan for a file of one slice that holds exactly the rows of the page; null where there is none. */
function planStored(frame: Frame, slice: Slice): StoredPlan | null {
  const { format, offset } = frame.request;
  const end = pageEnd(frame.request, slice.rows);
  const more = end < slice.rows;
  if (format === 'json') {
    const file = slice.json[offset / PAGE_ROWS];
    return file && file.entry.rows === end - offset ? { ...frame, kind: 'stored', file, more } : null;
  }
  const file = format === 'csv' ? slice.csv[0] : slice.parquet;
  return file && offset === 0 && !more ? { ...frame, kind: 'stored', file, more } : null;
}

/** The plan for lines of stored files; null where the files have another order than the answer. */
function planCut(frame: Frame, slices: readonly Slice[]): CutPlan | null {
  const { format, offset } = frame.request;
  if (format === 'parquet' || (slices.length > 1 && !frame.table.yearFirst)) return null;
  const pieces: Piece[] = [];
  const end = pageEnd(frame.request, frame.total ?? 0);
  let at = 0;
  for (const slice of slices) {
    const files: readonly TextFile[] = slice[format];
    if (files.length === 0) {
      if (at < end && at + slice.rows > offset) return null;
      at += slice.rows;
    }
    for (const file of files) {
      const skip = Math.max(0, offset - at);
      const take = Math.min(file.entry.rows, end - at) - skip;
      if (take > 0) pieces.push({ file, skip, take });
      at += file.entry.rows;
    }
  }
  return { ...frame, kind: 'cut', pieces };
}

/** The plan for all rows of the row groups that the page reaches. */
function planUnfiltered(frame: Frame, slices: readonly Slice[]): ScanPlan {
  const { offset, limit } = frame.request;
  const sort = slices.length > 1 && !frame.table.yearFirst;
  const all = slices.map(slice => ({ file: slice.parquet, pruned: pruneGroups(slice.parquet, []) }));
  if (sort) return scan(frame, all, { conditions: [], sort, offset, skipped: 0, limit });
  const end = pageEnd(frame.request, frame.total ?? 0);
  let at = 0;
  let skipped = 0;
  // Of the file with the first row.
  let skippedFirst = 0;
  const reached = all.map(({ file }) => {
    const pruned = { groups: [] as number[], bytes: 0, rows: 0 };
    for (const [index, { rows }] of file.entry.row_groups.entries()) {
      if (at + rows <= offset) {
        skipped = at + rows;
        skippedFirst = index + 1 === file.entry.row_groups.length ? 0 : skippedFirst + rows;
      } else if (at < end) {
        pruned.groups.push(index);
        pruned.bytes += file.groupBytes[index]!;
        pruned.rows += rows;
      }
      at += rows;
    }
    return { file, pruned };
  });
  return scan(frame, reached, {
    conditions: [],
    sort,
    offset: offset - skipped,
    skipped: skippedFirst,
    limit,
  });
}

/**
 * The cost of decoding a row, as the number of bytes that could be fetched in the same time. Yearly slices have larger
 * row groups than copies, and one row group of a copy answers for all years.
 */
const BYTES_A_ROW = 4;

/** The plan for yearly slices, or for a copy if that costs less. */
function planFiltered(frame: Frame, level: Level, slices: readonly Slice[]): ScanPlan {
  const { conditions, offset, limit } = frame.request;
  const sort = slices.length > 1 && !frame.table.yearFirst;
  let best: ScanPlan | null = null;
  for (const copy of level.copies) {
    const plan = copy.position < 0 ? planBounds(frame, copy, slices) : planValues(frame, copy, slices);
    if (plan && (!best || costOf(plan) < costOf(best))) best = plan;
  }
  const yearly: Candidate[] = [];
  let cost = 0;
  for (const { parquet } of slices) {
    const pruned = pruneGroups(parquet, conditions);
    cost += costOf(pruned);
    if (best && cost > costOf(best)) return best;
    yearly.push({ file: parquet, pruned });
  }
  return scan(frame, yearly, { conditions, sort, offset, skipped: 0, limit });
}

function costOf({ bytes, rows }: { readonly bytes: number; readonly rows: number }): number {
  return bytes + rows * BYTES_A_ROW;
}

/** Null where the request lists no values of the column. */
function planValues(frame: Frame, copy: Copy, slices: readonly Slice[]): ScanPlan | null {
  const { table, request } = frame;
  const { conditions, offset, limit } = request;
  const by = conditions.find(one => one.bound === 'list' && one.position === copy.position);
  if (by?.bound !== 'list') return null;
  const others = conditions.filter(other => other !== by);
  const end = pageEnd(request, frame.total ?? Number.POSITIVE_INFINITY);
  const found = planCopied({ table, copy, slices, by, others, offset, end });
  if (!found) return null;
  const { sources, lanes, before, skipped, years, bytes, rows } = found;
  const residual = {
    conditions: years ? [...conditions, yearCondition(frame, years)] : conditions,
    sort: false,
    offset: offset - before,
    skipped,
    limit,
  };
  return { ...frame, kind: 'scan', sources, ...(lanes && { lanes }), residual, bytes, rows };
}

/**
 * The plan for a copy that knows its rows by the bounds of row groups alone. Null where it lacks a year, where the request
 * pins no place, or where too many rows would have to be sorted.
 */
function planBounds(frame: Frame, copy: Copy, slices: readonly Slice[]): ScanPlan | null {
  const { conditions, offset, limit } = frame.request;
  const [file] = copy.files.values();
  if (!file?.source || slices.length === 0 || !slices.every(({ year }) => copy.files.has(year))) return null;
  const { source, years } = file;
  if (!leadValues(source, conditions)) return null;
  const narrowed =
    years.length > slices.length ? [...conditions, yearCondition(frame, frame.years)] : conditions;
  const pruned = pruneGroups(source, narrowed);
  // Slices of a table that is not in the order of its years would have to be sorted too.
  if (pruned.rows > MOST_SORTED_ROWS && (slices.length < 2 || frame.table.yearFirst)) return null;
  return scan(frame, [{ file: source, pruned }], {
    conditions: narrowed,
    sort: true,
    offset,
    skipped: 0,
    limit,
  });
}

function scan(frame: Frame, candidates: readonly Candidate[], residual: ScanPlan['residual']): ScanPlan {
  const sources: ScanSource[] = [];
  let bytes = 0;
  let rows = 0;
  for (const { file, pruned } of candidates) {
    if (pruned.groups.length === 0) continue;
    sources.push({ file, groups: pruned.groups });
    bytes += pruned.bytes;
    rows += pruned.rows;
  }
  return { ...frame, kind: 'scan', sources, residual, bytes, rows };
}

/** All rows of a request, read from Parquet. */
export function planScan(table: Table, request: RowsRequest): ScanPlan {
  const level = table.levels.get(request.detail) ?? NO_LEVEL;
  const whole = planRequest(table, { ...request, format: 'parquet', offset: 0 });
  return asScan(whole, selectSlices(level, request.years));
}

/** A whole slice as all of its row groups. */
export function asScan(plan: Plan, slices: readonly Slice[]): ScanPlan {
  if (plan.kind === 'scan') return plan;
  const sum = (sizes: readonly number[]) => sizes.reduce((total, one) => total + one, 0);
  return {
    ...plan,
    kind: 'scan',
    sources: slices.map(({ parquet }) => ({ file: parquet, groups: [...parquet.groupBytes.keys()] })),
    residual: { conditions: [], sort: false, offset: 0, skipped: 0, limit: plan.request.limit },
    bytes: sum(slices.map(({ parquet }) => sum(parquet.groupBytes))),
    rows: sum(slices.map(slice => slice.rows)),
  };
}

function yearCondition({ table }: Frame, years: readonly number[]): Condition {
  const column = table.columns[table.year]?.name ?? 'year';
  return { bound: 'list', param: 'year', column, position: table.year, key: table.yearKey, values: years };
}

/** The position after the page's last row in an answer of `total` rows; never before its first row. */
function pageEnd({ offset, limit }: RowsRequest, total: number): number {
  return Math.max(offset, limit === null ? total : Math.min(offset + limit, total));
}
