/** Ranges of dates and numbers that an address sets. */
import type { ColumnType } from '../../../build/format/documents.ts';
import type { ColumnParameter } from '../../query/parameters.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from './dataset.ts';
import { formatDecimal } from './format.ts';
import { inOrder, type Question } from './question.ts';

export type End = 'min' | 'max';

/** A column with at least one parameter for the ends of its values. */
export interface Range {
  readonly column: string;
  readonly label: string;
  readonly type: ColumnType;
  /** Readers read a proportion in percent. */
  readonly unit: string | null;
  readonly ends: ReadonlyMap<End, { readonly param: string; readonly parameter: ColumnParameter }>;
}

/** The columns with ranges, in their published order. */
export function listRanges({ table, schema }: ExploredDataset): Range[] {
  const ranges = new Map<string, Range & { readonly ends: Map<End, unknown> }>();
  for (const [param, parameter] of table.parameters) {
    if (parameter.kind !== 'column' || parameter.bound === 'key') continue;
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
function chosenEnds({ ends }: Range, { filters }: Question): Readonly<Record<End, string | null>> {
  const chosen = (end: End) => filters.get(ends.get(end)?.param ?? '')?.[0] ?? null;
  return { min: chosen('min'), max: chosen('max') };
}

/** The question without the range. */
export function withoutRange(dataset: ExploredDataset, question: Question, { ends }: Range): Question {
  const filters = new Map(question.filters);
  for (const { param } of ends.values()) filters.delete(param);
  return { ...question, filters: inOrder(dataset, filters) };
}

/** An end in words, with a percent sign on a share. */
function describeEnd(range: Pick<Range, 'type' | 'unit'>, value: string): string {
  if (range.type !== 'number' && range.type !== 'integer') return value;
  const isShare = range.unit === 'proportion';
  // The last digits of a product are noise.
  const shown = formatDecimal(Number((Number(value) * (isShare ? 100 : 1)).toPrecision(12)), 12);
  return isShare ? `${shown}%` : shown;
}

/** The range in words: `10% to 20%`, `from 2024-01-31`; null if the question sets none. */
export function describeRange(range: Range, question: Question): string | null {
  const { min, max } = chosenEnds(range, question);
  const say = (value: string) => describeEnd(range, value);
  if (min !== null && max !== null) return t.words.fromTo(say(min), say(max));
  if (min !== null) return t.words.from(say(min));
  return max === null ? null : t.words.upTo(say(max));
}

/** Whether the question leaves out rows by the size of a figure or by a date. */
export function hasRange(dataset: ExploredDataset, question: Question): boolean {
  return listRanges(dataset).some(range => describeRange(range, question) !== null);
}
