/** Ranges of dates and numbers: what a reader types, and the API's parameters for it. */
import type { ColumnType } from '../../../build/format/documents.ts';
import type { RangeParameter } from '../../query/parameters.ts';
import { readScalar } from '../../query/value.ts';
import type { ExploredDataset } from './dataset.ts';
import { formatDecimal } from './format.ts';
import { inOrder, type Question } from './question.ts';

export type End = 'min' | 'max';

/** A column with at least one parameter for the ends of its values. */
export interface Range {
  readonly column: string;
  readonly label: string;
  readonly type: ColumnType;
  /** Readers write and read a proportion in percent. */
  readonly unit: string | null;
  readonly ends: ReadonlyMap<End, { readonly param: string; readonly parameter: RangeParameter }>;
}

/** The columns with ranges, in their published order. */
export function listRanges({ table, schema }: ExploredDataset): Range[] {
  const ranges = new Map<string, Range & { readonly ends: Map<End, unknown> }>();
  for (const [param, parameter] of table.parameters) {
    if (parameter.kind !== 'range') continue;
    const { column, bound, type } = parameter;
    const described = schema.columns.find(({ name }) => name === column);
    const range = ranges.get(column) ?? {
      column,
      type,
      label: described?.label || column,
      unit: described?.unit ?? null,
      ends: new Map(),
    };
    range.ends.set(bound, { param, parameter });
    ranges.set(column, range);
  }
  return [...ranges.values()];
}

/** The ends that the question sets, as the API's values. */
export function chosenEnds({ ends }: Range, { filters }: Question): Readonly<Record<End, string | null>> {
  const chosen = (end: End) => filters.get(ends.get(end)?.param ?? '')?.[0] ?? null;
  return { min: chosen('min'), max: chosen('max') };
}

/** An end as a reader writes it: a share of one in percent. */
export function showEnd({ unit }: Pick<Range, 'unit'>, value: string | null): string {
  if (value === null) return '';
  return unit === 'proportion' ? String(scaled(Number(value) * 100)) : value;
}

/** Reads what a reader wrote. An empty text leaves the end open; `value` is the API's. */
export function readEnd(
  { type, unit, ends }: Range,
  end: End,
  text: string,
): { readonly value: string | null } | { readonly error: string } {
  const written = text.trim().replace(/[−–]/g, '-');
  const given = ends.get(end);
  if (written === '' || !given) return { value: null };
  const isNumber = type === 'number' || type === 'integer';
  const plain = isNumber && GROUPED.test(written) ? written.replaceAll(',', '') : written;
  const number = plain.replace(/\s*%$/, '');
  const value =
    unit === 'proportion' && isNumber && number !== '' && Number.isFinite(Number(number))
      ? String(scaled(Number(number) / 100))
      : plain;
  const reading = readScalar(given.param, value, given.parameter, null);
  if (!('problem' in reading)) return { value };
  return { error: `“${text.trim()}” ${WANTED[type] ?? 'is no value of this column'}.` };
}

const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d+)?%?$/;

const WANTED: Partial<Record<ColumnType, string>> = {
  integer: 'is no whole number',
  number: 'is no number',
  date: 'is no date: write it as 2024-01-31',
  timestamp: 'is no time: write it as 2024-01-31, or 2024-01-31T13:45:00',
};

/** Without the last digits of a product, which are noise. */
function scaled(value: number): number {
  return Number(value.toPrecision(12));
}

/** Sets both ends, or says why they are no range. A removed end is open. */
export function withRange(
  dataset: ExploredDataset,
  question: Question,
  range: Range,
  texts: Readonly<Record<End, string>>,
): { readonly question: Question } | { readonly end: End; readonly error: string } {
  const filters = new Map(question.filters);
  for (const [end, { param }] of range.ends) {
    const read = readEnd(range, end, texts[end]);
    if ('error' in read) return { end, error: read.error };
    if (read.value === null) filters.delete(param);
    else filters.set(param, [read.value]);
  }
  const next = { ...question, filters: inOrder(dataset, filters) };
  const { min, max } = chosenEnds(range, next);
  const isNumber = range.type === 'number' || range.type === 'integer';
  if (
    min !== null &&
    max !== null &&
    (isNumber ? Number(min) > Number(max) : min.slice(0, 10) > max.slice(0, 10))
  )
    return { end: 'max', error: 'The greatest value is below the least. No row can have both.' };
  return { question: next };
}

/** An end in words, with a percent sign on a share. */
export function describeEnd(range: Pick<Range, 'type' | 'unit'>, value: string): string {
  if (range.type !== 'number' && range.type !== 'integer') return value;
  const shown = formatDecimal(Number(showEnd(range, value)), 12);
  return range.unit === 'proportion' ? `${shown}%` : shown;
}

/** The range in words: `10% to 20%`, `from 2024-01-31`; null if the question sets none. */
export function describeRange(range: Range, question: Question): string | null {
  const { min, max } = chosenEnds(range, question);
  const say = (value: string) => describeEnd(range, value);
  if (min !== null && max !== null) return `${say(min)} to ${say(max)}`;
  if (min !== null) return `from ${say(min)}`;
  return max === null ? null : `up to ${say(max)}`;
}

/** Whether the question leaves out rows by the size of a figure or by a date. */
export function hasRange(dataset: ExploredDataset, question: Question): boolean {
  return listRanges(dataset).some(range => describeRange(range, question) !== null);
}
