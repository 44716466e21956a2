/** Finds pins that have rows together: values with rows may have none in combination. */
import type { ExploredDataset } from './dataset.ts';
import { rowsOfLatestYear, settlePins, takeFigureRows } from './figure.ts';
import { inOrder, latestYear, oneYear, type Question } from './question.ts';
import type { Rows } from './rows.ts';

/**
 * Returns wider questions to find rows with, the closest first: with only the totals pinned, then without pins; the
 * latest year before all years.
 */
export function relaxPins(dataset: ExploredDataset, question: Question): Question[] {
  const year = latestYear(dataset, question.detail, question.years);
  const latest = year === null || oneYear(question.years) !== null ? [] : [{ min: year, max: year }];
  return [...latest, question.years].flatMap(years =>
    [true, false].map(keepTotals => {
      const filters = new Map(question.filters);
      for (const field of dataset.fields) {
        if (field.kind === 'axis' && !(keepTotals && field.total !== null)) filters.delete(field.param);
      }
      return { ...question, years, filters };
    }),
  );
}

/**
 * Pins every axis with one value to a value that the rows of the latest year have; null without rows.
 */
export function pinToRows(
  dataset: ExploredDataset,
  question: Question,
  metric: string | null,
  rows: Rows,
): Question | null {
  if (rows.rows === 0) return null;
  const axes = dataset.fields.filter(
    ({ kind, param }) => kind === 'axis' && question.filters.get(param)?.length === 1,
  );
  const columns = [dataset.yearColumn, metric, ...axes.map(({ column }) => column)];
  const pins = settlePins(
    axes.map(({ column, total, headline, choices }) => ({
      column,
      total,
      headline,
      values: choices.map(one => one.value),
    })),
    metric ?? dataset.yearColumn,
    rowsOfLatestYear(takeFigureRows(rows, columns), dataset.yearColumn),
  );
  const filters = new Map(question.filters);
  for (const { column, param } of axes) {
    const value = pins.get(column) ?? null;
    // No filter can match rows without a value.
    if (value === null) filters.delete(param);
    else filters.set(param, [value]);
  }
  return { ...question, filters: inOrder(dataset, filters) };
}
