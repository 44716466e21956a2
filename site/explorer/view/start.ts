/** Pins that hold together: single values can each have rows at a level and in a year, and none with one another. */
import type { ExploredDataset } from './dataset.ts';
import { inOrder, type Question } from './question.ts';
import { columnAt, type Rows } from './rows.ts';

/** Questions to look for a first row with, from the closest: with all totals, and with no axis pinned. */
export function relaxPins({ fields }: ExploredDataset, question: Question): Question[] {
  return [true, false].map(keepTotals => {
    const filters = new Map(question.filters);
    for (const field of fields) {
      if (field.kind === 'axis' && !(keepTotals && field.total !== null)) filters.delete(field.param);
    }
    return { ...question, filters };
  });
}

/** Every axis that was pinned to one value is pinned to that of the first row; null where there is no row. */
export function pinToRow(dataset: ExploredDataset, question: Question, rows: Rows): Question | null {
  if (rows.rows === 0) return null;
  const filters = new Map(question.filters);
  for (const field of dataset.fields) {
    if (field.kind !== 'axis' || filters.get(field.param)?.length !== 1) continue;
    const column = columnAt(rows, field.column);
    const value = column < 0 ? null : rows.cell(0, column);
    if (value !== null) filters.set(field.param, [String(value)]);
  }
  return { ...question, filters: inOrder(dataset, filters) };
}
