/** Request → plan: the files that can answer with the fewest bytes. It is pure, and takes a few microseconds. */
import { PAGE_ROWS } from '../../build/format/documents.ts';
import { SAMPLE_NOTICE } from '../../build/format/envelope.ts';
import { spellYears } from '../../build/format/year-runs.ts';
import type { Answer, Plan, ScanPlan, StoredPlan } from './plan.ts';
import { holdsYear, type RowsRequest, type YearRange } from './request.ts';
import { countRows, pageEnd, planScanned } from './scan-plan.ts';
import type { Level, Slice, StoredFile, Table } from './table.ts';

const NO_LEVEL: Level = { name: '', years: [], slices: [], copies: [], places: [] };

export function planRequest(table: Table, request: RowsRequest): Plan {
  const { answer, level, slices } = describeAnswer(table, request);
  const stored = request.conditions.length > 0 ? null : planStored(answer, slices);
  return stored ?? planScanned(answer, level, slices);
}

/** Rows of a request, read from Parquet even if stored files have them as they are. */
export function planScan(table: Table, request: RowsRequest): ScanPlan {
  const { answer, level, slices } = describeAnswer(table, { ...request, format: 'parquet' });
  return planScanned(answer, level, slices);
}

function describeAnswer(table: Table, request: RowsRequest) {
  const level = table.levels.get(request.detail) ?? NO_LEVEL;
  const slices = selectSlices(level, request.years);
  const [only] = slices.length === 1 ? slices : [];
  const years = table.year < 0 ? [] : slices.map(slice => slice.year);
  const answer: Answer = {
    table,
    request: only ? asStored(request, only) : request,
    years,
    release: (only ?? table.manifest).release,
    total: countRows(level, slices, request.conditions),
    notices: composeNotices(table, level, request.years, years),
  };
  return { answer, level, slices };
}

export function selectSlices(level: Level, years: YearRange): readonly Slice[] {
  return level.slices.filter(({ year }) => holdsYear(years, year));
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
function planStored(answer: Answer, slices: readonly Slice[]): StoredPlan | null {
  const { format, offset } = answer.request;
  const total = answer.total ?? 0;
  const end = pageEnd(answer.request, total);
  if (slices.length > 1 && !answer.table.yearFirst) return null;
  const files: StoredFile[] = [];
  let at = 0;
  for (const slice of slices) {
    const held: readonly StoredFile[] = format === 'parquet' ? [slice.parquet] : slice[format];
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
    : { ...answer, kind: 'stored', files, file: only ?? null, more: end < total };
}

/** Sentences about an answer over `years`. The notice of a sample stands first. */
function composeNotices(table: Table, level: Level, range: YearRange, years: readonly number[]): string[] {
  const notices = table.manifest.sample ? [SAMPLE_NOTICE] : [];
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
