/** What the statistics of a level say about the values of a filter, given the rest of the question. */
import type { Scalar } from '../../../build/format/documents.ts';
import type { ColumnStatistics, StatisticsDocument } from '../../../build/format/statistics.ts';
import type { ExploredDataset, Field } from './dataset.ts';
import { type Question, within } from './question.ts';
import { hasRange } from './ranges.ts';

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
