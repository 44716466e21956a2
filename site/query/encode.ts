/** Writes values and rows as text, exact to the byte. FORMAT.md section 2. */
import type { RowColumn } from '../../build/format/manifest.ts';
import type { Value } from './order.ts';

/** A column's values, one per row. */
export type ColumnValues = ArrayLike<Value>;

const JSON_SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
const CSV_SPECIAL = /[",\n]/;

export function encodeJsonValue(value: Value): string {
  if (typeof value === 'string') return JSON_SPECIAL.test(value) ? JSON.stringify(value) : `"${value}"`;
  return String(value);
}

export function encodeCsvValue(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  if (value !== '' && !CSV_SPECIAL.test(value)) return value;
  return `"${value.replaceAll('"', '""')}"`;
}

/** A timestamp in UTC; texts of timestamps have no Z, so that they sort by time. */
function inUtc(value: Value): Value {
  return value === null ? null : `${value}Z`;
}

/** Encoder of rows as JSON objects, without a line end. */
export function jsonRowEncoder(
  columns: readonly RowColumn[],
): (values: readonly ColumnValues[], row: number) => string {
  const names = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const encoders = columns.map(({ utc }) =>
    utc ? (value: Value) => encodeJsonValue(inUtc(value)) : encodeJsonValue,
  );
  return (values, row) => {
    let text = '';
    for (let i = 0; i < names.length; i++) text += names[i]! + encoders[i]!(values[i]![row] ?? null);
    return `${text}}`;
  };
}

/** Encoder of rows as lines of CSV, with their line ends. */
export function csvRowEncoder(
  columns: readonly RowColumn[],
): (values: readonly ColumnValues[], row: number) => string {
  const encoders = columns.map(({ utc }) =>
    utc ? (value: Value) => encodeCsvValue(inUtc(value)) : encodeCsvValue,
  );
  return (values, row) => {
    let text = '';
    for (let i = 0; i < columns.length; i++)
      text += (i === 0 ? '' : ',') + encoders[i]!(values[i]![row] ?? null);
    return `${text}\r\n`;
  };
}

/** The first line of a CSV answer, with its line end. */
export function encodeCsvHeader(columns: readonly RowColumn[]): string {
  return `${columns.map(({ name }) => encodeCsvValue(name)).join(',')}\r\n`;
}
