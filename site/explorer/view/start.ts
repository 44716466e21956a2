/** Pins that hold together: single values can each have rows at a level and in a year, and none with one another. */
import type { ExploredDataset } from './dataset.ts';
import { rowsOfLatestYear, settlePins, takeFigureRows } from './figure.ts';
import { inOrder, latestYear, oneYear, type Question } from './question.ts';
import type { Rows } from './rows.ts';

/**
 * Questions to look for rows with, from the closest: with all totals, and with no axis pinned; of the latest year
 * before all.
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
 * Every axis that was pinned to one value is pinned as a figure is, to what the rows of the latest year have; null
 * where there is no row.
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
    axes.map(({ column, total, choices }) => ({ column, total, values: choices.map(one => one.value) })),
    metric ?? dataset.yearColumn,
    rowsOfLatestYear(takeFigureRows(rows, columns), dataset.yearColumn),
  );
  const filters = new Map(question.filters);
  for (const { column, param } of axes) {
    const value = pins.get(column) ?? null;
    // No parameter asks for rows without a value.
    if (value === null) filters.delete(param);
    else filters.set(param, [value]);
  }
  return { ...question, filters: inOrder(dataset, filters) };
}
