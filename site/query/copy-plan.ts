/** Plans with copies that have the rows of each value of a column together. Pure. */

import type { Lane, ScanSource } from './plan.ts';
import { canMatch, type Pruned, pruneGroups } from './prune.ts';
import type { Condition, ListCondition } from './request.ts';
import type { Copy, CopyFile, ParquetSource, Segment, Slice, Table } from './table.ts';

/** What is asked of one level, whose rows have a value of the column of `by` and satisfy all of `others`. */
export interface CopyQuestion {
  readonly table: Table;
  readonly copy: Copy;
  /** The slices of the years that are asked for, ascending. */
  readonly slices: readonly Slice[];
  readonly by: ListCondition;
  readonly others: readonly Condition[];
  readonly offset: number;
  /** The position after the last row that is wanted. */
  readonly end: number;
}

/** The part of a plan that says what to read. */
export interface CopyScan {
  readonly sources: readonly ScanSource[];
  /** Null where the sources, one after another, have the rows in the order of the answer. */
  readonly lanes: readonly Lane[] | null;
  /** Rows of the answer before those of `sources`. */
  readonly before: number;
  /** Rows of the answer in the row groups that the plan leaves out of its first file. */
  readonly skipped: number;
  /** The years that rows must be of; null where the sources hold no others. */
  readonly years: readonly number[] | null;
  readonly bytes: number;
  readonly rows: number;
}

/** The most lanes that are merged: each keeps a row group in memory. */
const MOST_LANES = 16;

/** A file of the plan, and the stretches of its rows that have the values. */
interface Part {
  readonly file: ParquetSource;
  /** Null for a slice. */
  readonly copied: CopyFile | null;
  readonly stretches: readonly Stretch[];
  /** Whether the file has rows of other years. */
  readonly partial: boolean;
  /** Whether its stretches do. */
  readonly gapped: boolean;
}

interface Stretch {
  readonly segment: Segment;
  /** Rows of the file: the first, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** How many rows have one of the values, from the manifest alone; null where it does not say. */
export function countCopied(
  copy: Copy | undefined,
  slices: readonly Slice[],
  { values }: ListCondition,
): number | null {
  if (!copy) return null;
  let total = 0;
  for (const { year } of slices) {
    const rows = rowsOfYear(copy, year, values);
    if (rows === null) return null;
    total += rows;
  }
  return total;
}

function rowsOfYear(copy: Copy, year: number, values: ListCondition['values']): number | null {
  const file = copy.files.get(year);
  if (!file) return null;
  const index = file.years.indexOf(year);
  let rows = 0;
  for (const value of values)
    for (const { counts } of file.segments.get(value) ?? []) rows += counts[index] ?? 0;
  return rows;
}

/** Null where files of the copy are gone, or the rows would have to be sorted. */
export function planCopied(question: CopyQuestion): CopyScan | null {
  const { table, others } = question;
  const { slices, before } = narrowYears(question);
  const parts = listParts(question, slices);
  if (!parts) return null;
  const merges =
    parts.some(({ stretches }) => stretches.length > 1) || (!table.yearFirst && parts.length > 1);
  if (merges && parts.some(({ stretches }) => stretches.length > MOST_LANES)) return null;
  const years = parts.some(({ partial }) => partial) ? slices.map(({ year }) => year) : null;
  if (merges) return { ...mergeParts(question, parts), before, skipped: 0, years };
  const exact =
    table.yearFirst && others.length === 0 && parts.every(({ copied, gapped }) => copied && !gapped);
  return {
    ...(exact ? cutParts(question, parts, before) : readParts(question, parts, before)),
    years,
  };
}

/** The years that the page reaches, and the rows of the answer before them. */
function narrowYears({ table, copy, slices, by, others, offset, end }: CopyQuestion): {
  readonly slices: readonly Slice[];
  readonly before: number;
} {
  const whole = { slices, before: 0 };
  if (!table.yearFirst || others.length > 0) return whole;
  const reached: Slice[] = [];
  let before = 0;
  let at = 0;
  for (const slice of slices) {
    const rows = rowsOfYear(copy, slice.year, by.values);
    if (rows === null) return whole;
    if (at + rows <= offset) before = at + rows;
    else if (at < end) reached.push(slice);
    at += rows;
  }
  return { slices: reached, before };
}

/** One part for each file of the copy, and for each slice of which it has none; null where one is gone. */
function listParts({ table, copy, by: { values } }: CopyQuestion, slices: readonly Slice[]): Part[] | null {
  const parts: Part[] = [];
  for (let at = 0; at < slices.length; ) {
    const copied = copy.files.get(slices[at]!.year) ?? null;
    let next = at + 1;
    if (!copied) {
      parts.push({ file: slices[at]!.parquet, copied, stretches: [], partial: false, gapped: false });
      at = next;
      continue;
    }
    const { source, years, segments } = copied;
    if (!source) return null;
    while (next < slices.length && copy.files.get(slices[next]!.year) === copied) next++;
    // Where rows do not begin with the year, a stretch has the rows of all years: one part takes those of its file.
    const own = table.yearFirst
      ? slices.slice(at, next)
      : slices.filter(({ year }) => copy.files.get(year) === copied);
    const isListed = own[0] !== slices[at];
    at = next;
    if (isListed) continue;
    const first = years.indexOf(own[0]!.year);
    const last = years.indexOf(own[own.length - 1]!.year) + 1;
    const stretches: Stretch[] = [];
    for (const value of values) {
      for (const segment of segments.get(value) ?? []) {
        const stretch = stretchOf(segment, first, last, table.yearFirst);
        if (stretch) stretches.push(stretch);
      }
    }
    const partial = own.length < years.length;
    const gapped = own.length < last - first;
    if (stretches.length > 0) parts.push({ file: source, copied, stretches, partial, gapped });
  }
  return parts;
}

/** The rows of a value in some years; null where there are none. */
function stretchOf(segment: Segment, first: number, last: number, yearFirst: boolean): Stretch | null {
  let from = segment.start;
  let rows = 0;
  let other = 0;
  for (const [index, count] of segment.counts.entries()) {
    if (index < first) from += count;
    else if (index < last) rows += count;
    else other += count;
  }
  if (rows === 0) return null;
  return yearFirst
    ? { segment, from, to: from + rows }
    : { segment, from: segment.start, to: from + rows + other };
}

/** Parts in the order of the answer, of which the page reaches known row groups. */
function cutParts({ offset, end }: CopyQuestion, parts: readonly Part[], before: number) {
  const sources: ScanSource[] = [];
  let at = before;
  let first: { readonly before: number; readonly skipped: number } | null = null;
  let bytes = 0;
  let rows = 0;
  for (const { file, copied, stretches } of parts) {
    const { from, to } = stretches[0]!;
    const start = from + Math.max(0, offset - at);
    const stop = Math.min(to, from + end - at);
    if (start < stop) {
      const groups = groupsBetween(copied!, start, stop);
      const skipped = Math.max(0, (copied!.starts[groups[0]!] ?? 0) - from);
      first ??= { before: at + skipped, skipped };
      sources.push({ file, groups });
      for (const index of groups) {
        bytes += file.groupBytes[index]!;
        rows += file.entry.row_groups[index]!.rows;
      }
    }
    at += to - from;
  }
  return { sources, lanes: null, bytes, rows, ...(first ?? { before: offset, skipped: 0 }) };
}

/** Parts in the order of the answer, with all their row groups that can match. */
function readParts({ by, others }: CopyQuestion, parts: readonly Part[], before: number) {
  const sources: ScanSource[] = [];
  let bytes = 0;
  let rows = 0;
  for (const part of parts) {
    const lane = part.copied
      ? readStretch(part, part.stretches[0]!, others)
      : pruneGroups(part.file, [by, ...others]);
    if (lane.groups.length === 0) continue;
    sources.push({ file: part.file, groups: lane.groups });
    bytes += lane.bytes;
    rows += lane.rows;
  }
  return { sources, lanes: null, bytes, rows, before, skipped: 0 };
}

/** Each value of each part is a lane. Parts of one year after another are merged one after another. */
function mergeParts({ table, by, others }: CopyQuestion, parts: readonly Part[]) {
  const lanes: Lane[] = [];
  let bytes = 0;
  let rows = 0;
  const sources: ScanSource[] = [];
  for (const [index, part] of parts.entries()) {
    const stage = table.yearFirst ? index : 0;
    const found = new Set<number>();
    const add = (lane: Pruned, only: ListCondition | null) => {
      if (lane.groups.length === 0) return;
      lanes.push({ file: part.file, groups: lane.groups, stage, only });
      for (const group of lane.groups) found.add(group);
      bytes += lane.bytes;
      rows += lane.rows;
    };
    if (!part.copied) add(pruneGroups(part.file, [by, ...others]), null);
    else {
      const { condition } = part.copied;
      for (const stretch of part.stretches)
        add(readStretch(part, stretch, others), { ...condition, values: [stretch.segment.value] });
    }
    if (found.size > 0) sources.push({ file: part.file, groups: [...found].sort((a, b) => a - b) });
  }
  return { sources, lanes, bytes, rows };
}

/** The row groups of a stretch that can hold a row that satisfies the other conditions. */
function readStretch({ file, copied }: Part, { from, to }: Stretch, others: readonly Condition[]): Pruned {
  const groups: number[] = [];
  let bytes = 0;
  let rows = 0;
  for (const index of groupsBetween(copied!, from, to)) {
    const group = file.entry.row_groups[index]!;
    if (!canMatch(group, others)) continue;
    groups.push(index);
    bytes += file.groupBytes[index]!;
    rows += group.rows;
  }
  return { groups, bytes, rows };
}

/** The row groups that hold the rows from `from` up to `to`. */
function groupsBetween({ starts }: CopyFile, from: number, to: number): number[] {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= from) low = middle + 1;
    else high = middle;
  }
  const groups: number[] = [];
  for (let index = low - 1; index < starts.length && starts[index]! < to; index++) groups.push(index);
  return groups;
}
