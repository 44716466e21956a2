/** Finds how the columns of a table of texts are written, and the SQL that reads them as values of a contract's types. */
import { readAggregates } from './column-batches.ts';
import type { Session } from './database.ts';
import { readNumberColumns } from './number-columns.ts';
import {
  type ColumnReading,
  findDoubt,
  isUnread,
  plainReading,
  type TextColumn,
  type TextRows,
} from './text-reading.ts';
import { isListed, presentText, presentTexts } from './text-skeletons.ts';
import { readTimeColumns } from './time-columns.ts';

/**
 * Reads each column in the only way that its texts, the other columns and the contract allow. With `most`, only so many
 * first rows are looked at.
 */
export async function readColumnsOf(
  session: Session,
  table: string,
  columns: readonly TextColumn[],
  most: number | null = null,
): Promise<ColumnReading[]> {
  const rows = { session, table, from: most === null ? table : `(SELECT * FROM ${table} LIMIT ${most})` };
  const numbers = columns.flatMap((column, i) =>
    column.type === 'number' || column.type === 'integer' ? [{ ...column, type: column.type, i }] : [],
  );
  const times = columns.flatMap((column, i) =>
    column.type === 'date' || column.type === 'timestamp' ? [{ ...column, type: column.type, i }] : [],
  );
  const booleans = columns.flatMap((column, i) => (column.type === 'boolean' ? [{ ...column, i }] : []));
  const readings = new Map<number, ColumnReading>();
  for (const [k, reading] of (await readNumberColumns(rows, numbers)).entries())
    readings.set(numbers[k]!.i, reading);
  for (const [k, reading] of (await readTimeColumns(rows, times)).entries())
    readings.set(times[k]!.i, reading);
  for (const [k, reading] of (await readBooleans(rows, booleans)).entries())
    readings.set(booleans[k]!.i, reading);
  for (const [i, column] of columns.entries()) {
    switch (column.type) {
      case 'string':
        readings.set(i, plainReading(stringValue(column), null));
        break;
      case 'boolean':
      case 'date':
      case 'timestamp':
      case 'number':
      case 'integer':
        break;
      default:
        column.type satisfies never;
    }
  }
  return columns.map((_, i) => readings.get(i)!);
}

function stringValue({ text, missing = [] }: TextColumn): string {
  return missing.length === 0 ? text : `CASE WHEN NOT ${isListed(`trim(${text})`, missing)} THEN ${text} END`;
}

async function readBooleans(rows: TextRows, columns: readonly TextColumn[]): Promise<ColumnReading[]> {
  const value = (own: string) =>
    `CASE WHEN lower(${own}) IN ('true', 't', 'yes', 'y', '1') THEN true WHEN lower(${own}) IN ('false', 'f', 'no', 'n', '0') THEN false END`;
  const counts = await readAggregates<number>(
    rows.session,
    presentTexts(rows.from, columns),
    columns.map((_, i) => `count_if(${isUnread(`own${i}`, value(`own${i}`))})`),
  );
  const found: ColumnReading[] = [];
  for (const [i, column] of columns.entries()) {
    const own = presentText(column);
    const unread = isUnread(own, value(own));
    found.push(plainReading(value(own), await findDoubt(rows, 'unread', column, unread, [], counts[i] ?? 0)));
  }
  return found;
}
