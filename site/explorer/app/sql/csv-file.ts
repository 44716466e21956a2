/** Saves an answer as a CSV file. */
import { encodeCsvValue } from '../../../query/encode.ts';
import type { TableData } from '../../engine/engine.ts';

/** Milliseconds until the browser has surely started to save. */
const KEPT = 60_000;

/** Saves the rows in the API's CSV. */
export function saveCsv(rows: TableData, isSample: boolean): void {
  const lines = [rows.columns.map(({ name }) => encodeCsvValue(name))];
  for (let row = 0; row < rows.rows; row++)
    lines.push(rows.columns.map((_, column) => encodeCsvValue(rows.cell(row, column))));
  const file = new Blob(
    lines.map(line => `${line.join(',')}\r\n`),
    { type: 'text/csv;charset=utf-8' },
  );
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = isSample ? 'answer-of-sample-data.csv' : 'answer.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}
