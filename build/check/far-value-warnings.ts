/** Warns of figures in a dataset's measures that are probably none. */
import type { Column, Dataset } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import type { Session } from '../lake/database.ts';
import { factTable, SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier } from '../lake/sql.ts';
import { farValueRemedy, farValueText, findFarValues, markerShape } from './far-values.ts';
import { impliedRange } from './implied-range.ts';

/** One warning for each column, level by level. A bound that the contract states vouches for what it includes. */
export async function farValueWarnings(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
): Promise<Diagnostic[]> {
  const levels = [...new Set(slices.map(({ detail }) => detail))];
  const group = `([${slices.map(({ detail }) => levels.indexOf(detail)).join(', ')}])[${SLICE_COLUMN} + 1]`;
  const measures = dataset.columns
    .filter(
      ({ role, type, validValues }) =>
        role === 'metric' && (type === 'integer' || type === 'number') && validValues === null,
    )
    .map(column => ({ ...column, sql: identifier(column.name) }));
  const far = await findFarValues(session, factTable(dataset).table, group, measures);
  return measures.flatMap(column => {
    const doubtful = far
      .filter(one => one.column === column)
      .map(one => ({ ...one, values: one.found.values.filter(({ value }) => !isSettled(column, value)) }))
      .filter(({ values }) => values.length > 0);
    if (doubtful.length === 0) return [];
    const where = doubtful.map(({ group: level, values, found }) =>
      farValueText({ ...found, values }, levels.length === 1 ? '' : ` of ${levels[level] ?? ''}`),
    );
    const values = new Set(doubtful.flatMap(one => one.values.map(({ value }) => value)));
    const message = `${dataset.key}: ${column.name} is ${where.join('; ')}. ${farValueRemedy(column.missingValues, [...values], column.nullable)}`;
    return [diagnosticAt(column.place, 'warning', 'lake-far-values', message)];
  });
}

/** Whether the contract's bounds include a value, or refuse one that looks like a figure: then it is a wrong figure. */
function isSettled(column: Column, value: number): boolean {
  if (value > 0) return column.valueMax !== null && column.valueMax >= value;
  if (markerShape(value) === 'none' && impliedRange(column) !== null) return true;
  return column.valueMin !== null && column.valueMin <= value;
}
