/** Finds how the columns of a table of texts are written, and the SQL that reads them as values of a contract's types. */
import type { Session } from './database.ts';
import { readNumberColumns } from './number-columns.ts';
import { readCellAggregates } from './text-cells.ts';
import {
  type ColumnReading,
  findDoubt,
  isUnread,
  plainReading,
  type TextColumn,
  type TextRows,
  unreadTexts,
} from './text-reading.ts';
import { isListed, presentText } from './text-skeletons.ts';
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
  const readings = new Map<number, ColumnReading>();
  for (const [k, reading] of (await readNumberColumns(rows, numbers)).entries())
    readings.set(numbers[k]!.i, reading);
  for (const [k, reading] of (await readTimeColumns(rows, times)).entries())
    readings.set(times[k]!.i, reading);
  const booleans = columns.flatMap((column, i) => (column.type === 'boolean' ? [{ ...column, i }] : []));
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

const booleanValue = (own: string) =>
  `CASE WHEN lower(${own}) IN ('true', 't', 'yes', 'y', '1') THEN true WHEN lower(${own}) IN ('false', 'f', 'no', 'n', '0') THEN false END`;

async function readBooleans(rows: TextRows, columns: readonly TextColumn[]): Promise<ColumnReading[]> {
  const unread = await readCellAggregates<number, TextColumn>(rows.session, rows.from, columns, () => [
    `count_if(${isUnread('own', booleanValue('own'))})`,
  ]);
  const found: ColumnReading[] = [];
  for (const [i, column] of columns.entries()) {
    const own = presentText(column);
    const value = booleanValue(own);
    const [count = 0] = unread[i]!;
    const isOpen = count > 0 && column.stated !== null;
    const doubt = isOpen ? await findDoubt(rows, 'unread', column, isUnread(own, value)) : unreadTexts(count);
    found.push(plainReading(value, doubt));
  }
  return found;
}
