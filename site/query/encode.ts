/** Writes values and rows as text, exact to the byte. FORMAT.md section 2. */
import { ROW_SEPARATOR } from '../../build/format/envelope.ts';
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

/** The text formats of rows. */
export type LineKind = 'json' | 'csv';

/** Encoder of rows as lines with their line ends, which in JSON include a comma. */
export function lineEncoder(
  columns: readonly RowColumn[],
  kind: LineKind,
): (values: readonly ColumnValues[], row: number) => string {
  const last = columns.length - 1;
  const cells = columns.map((column, index) => cellEncoder(column, kind, index === 0, index === last));
  return (values, row) => {
    let text = '';
    for (const [index, encode] of cells.entries()) text += encode(values[index]![row] ?? null);
    return text;
  };
}

/** Encoder of a value with what stands before it in its line, and after it where the line ends. */
export function cellEncoder(
  { name, utc }: RowColumn,
  kind: LineKind,
  isFirst: boolean,
  isLast: boolean,
): (value: Value) => string {
  const json = kind === 'json';
  const before = json ? `${isFirst ? '{' : ','}${JSON.stringify(name)}:` : isFirst ? '' : ',';
  const after = isLast ? (json ? `}${ROW_SEPARATOR}` : '\r\n') : '';
  const encode = json ? encodeJsonValue : encodeCsvValue;
  return value => before + encode(utc ? inUtc(value) : value) + after;
}

/** The first line of a CSV answer, with its line end. */
export function encodeCsvHeader(columns: readonly RowColumn[]): string {
  return `${columns.map(({ name }) => encodeCsvValue(name)).join(',')}\r\n`;
}
