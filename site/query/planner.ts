/** Request → plan: the files that can answer with the fewest bytes. It is pure, and takes a few microseconds. */
import { PAGE_ROWS } from '../../build/format/documents.ts';
import { SAMPLE_NOTICE } from '../../build/format/envelope.ts';
import { spellYears } from '../../build/format/year-runs.ts';
import type { Plan, ScanPlan, StoredPlan } from './plan.ts';
import type { RowsRequest, YearRange } from './request.ts';
import { countRows, type Frame, pageEnd, planScanned, scan } from './scan-plan.ts';
import type { Level, Slice, Table, TextFile } from './table.ts';

const NO_LEVEL: Level = { name: '', years: [], slices: [], copies: [], places: [] };

export function planRequest(table: Table, request: RowsRequest): Plan {
  const level = table.levels.get(request.detail) ?? NO_LEVEL;
  const slices = selectSlices(level, request.years);
  const only = slices.length === 1 ? slices[0]! : null;
  const years = table.year < 0 ? [] : slices.map(slice => slice.year);
  const frame: Frame = {
    table,
    request: only ? asStored(request, only) : request,
    years,
    release: only ? only.release : table.stamp.release,
    total: countRows(level, slices, request.conditions),
    notices: composeNotices(table, level, request.years, years),
  };
  const stored = request.conditions.length > 0 ? null : planStored(frame, slices);
  return stored ?? planScanned(frame, level, slices);
}

/** All rows of a request, read from Parquet. */
export function planScan(table: Table, request: RowsRequest): ScanPlan {
  const plan = planRequest(table, { ...request, format: 'parquet', offset: 0 });
  if (plan.kind === 'scan') return plan;
  const slices = selectSlices(table.levels.get(request.detail) ?? NO_LEVEL, request.years);
  const whole = slices.map(({ parquet }) => ({ file: parquet, groups: [...parquet.starts.keys()] }));
  return scan(plan, whole, { offset: 0 });
}

export function selectSlices(level: Level, years: YearRange): readonly Slice[] {
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

/** The plan for whole stored files; null where the page cuts one, or they have another order than the answer. */
function planStored(frame: Frame, slices: readonly Slice[]): StoredPlan | null {
  const { format, offset } = frame.request;
  const total = frame.total ?? 0;
  const end = pageEnd(frame.request, total);
  if (slices.length > 1 && !frame.table.yearFirst) return null;
  const files: TextFile[] = [];
  let at = 0;
  for (const slice of slices) {
    const held: readonly TextFile[] = format === 'parquet' ? [slice.parquet] : slice[format];
    const isAsked = slice.rows > 0 && at < end && at + slice.rows > offset;
    if (isAsked && held.length === 0) return null;
    let next = at;
    at += slice.rows;
    for (const file of isAsked ? held : []) {
      const start = next;
      next += file.entry.rows;
      if (next <= offset || start >= end) continue;
      if (start < offset || next > end) return null;
      files.push(file);
    }
  }
  const [only] = slices.length === 1 && files.length === 1 ? files : [];
  // Parquet can't be joined.
  return format === 'parquet' && !only
    ? null
    : { ...frame, kind: 'stored', files, file: only ?? null, more: end < total };
}

/** Sentences about an answer over `years`. The notice of a sample stands first. */
function composeNotices(table: Table, level: Level, range: YearRange, years: readonly number[]): string[] {
  const notices = table.stamp.sample ? [SAMPLE_NOTICE] : [];
  if (table.year >= 0 && years.length === 0) notices.push(explainNoYears(table.name, level, range));
  return notices;
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
