/** What the statistics of a level say about the values of a filter, given the rest of the question. */
import type { Scalar } from '../../../build/format/documents.ts';
import type { ColumnStatistics, StatisticsDocument } from '../../../build/format/statistics.ts';
import type { ExploredDataset, Field } from './dataset.ts';
import { type Question, within } from './question.ts';
import { hasRange, type Range, readEnd } from './ranges.ts';

export interface Facet {
  /** Rows of each value, as the API writes the value; a value that is missing has none. */
  readonly rows: ReadonlyMap<string, number>;
  /** Whether these are the rows of the question; else they are at least as many. */
  readonly exact: boolean;
}

export function columnOf(statistics: StatisticsDocument, name: string): ColumnStatistics | null {
  return statistics.columns.find(column => column.name === name) ?? null;
}

/** Counts the rows of each value of a field in the years of the question; null if the statistics do not list them. */
export function deriveFacet(
  dataset: ExploredDataset,
  statistics: StatisticsDocument,
  question: Question,
  field: Field,
): Facet | null {
  const { combinations, years } = statistics;
  const values = columnOf(statistics, field.column)?.values;
  const others = dataset.fields.filter(({ param }) => param !== field.param && question.filters.has(param));
  const known = combinations?.columns.includes(field.column) ? combinations : null;
  const told = others.filter(({ column }) => known?.columns.includes(column));
  const exact = told.length === others.length && question.places.length === 0 && !hasRange(dataset, question);
  const rows = new Map<string, number>();
  const add = (value: Scalar, count: number) => {
    if (count > 0) rows.set(String(value), (rows.get(String(value)) ?? 0) + count);
  };
  if (known === null) {
    if (!values) return null;
    for (const { value, rows: counts } of values)
      for (const [i, count] of counts.entries())
        if (years[i] === undefined || within(years[i], question.years)) add(value, count);
    return { rows, exact };
  }
  const { columns } = known;
  const [own, year] = [columns.indexOf(field.column), columns.indexOf(dataset.yearColumn)];
  const wanted = told.map(
    ({ column, param }) => [columns.indexOf(column), question.filters.get(param) ?? []] as const,
  );
  for (const row of known.rows) {
    const value = row[own] ?? null;
    const fits =
      value !== null &&
      (year < 0 || within(Number(row[year]), question.years)) &&
      wanted.every(([at, list]) => list.includes(String(row[at])));
    if (fits) add(value, Number(row.at(-1)));
  }
  return { rows, exact };
}

/** A histogram's bars, between 0 and 1, and whether each lies within the ends that a reader wrote. */
interface Bin {
  readonly height: number;
  readonly isWithin: boolean;
}

/** Null if the column has no values. Heights are square roots, so that a bar of few rows is seen beside one of many. */
export function deriveBins(
  { histogram, min, max }: ColumnStatistics,
  range: Range,
  texts: Readonly<Record<'min' | 'max', string>>,
): readonly Bin[] | null {
  if (!histogram || min === undefined || min === null || max === undefined || max === null) return null;
  const [least, greatest] = [numberOf(min), numberOf(max)];
  const most = Math.max(...histogram);
  const endOf = (end: 'min' | 'max', open: number) => {
    const read = readEnd(range, end, texts[end]);
    return 'error' in read || read.value === null ? open : numberOf(read.value);
  };
  const [from, to] = [endOf('min', -Infinity), endOf('max', Infinity)];
  const width = (greatest - least) / histogram.length;
  return histogram.map((rows, i) => ({
    height: rows === 0 ? 0 : Math.max(0.04, Math.sqrt(rows / most)),
    isWithin: least + (i + 1) * width >= from && least + i * width <= to,
  }));
}

/** Numbers as they are, times in milliseconds. */
function numberOf(value: Scalar): number {
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
}
