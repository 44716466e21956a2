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

/** The text formats of rows. */
export type LineKind = 'json' | 'csv';

export type LineEncoder = (values: readonly ColumnValues[], from: number, to: number) => string;

/**
 * Encoder of the rows from `from` up to `to` as lines with their line ends, which in JSON include a comma. Values repeat
 * from row to row, so it makes the text of each run once.
 */
export function lineEncoder(columns: readonly RowColumn[], kind: LineKind): LineEncoder {
  const width = columns.length;
  const cells = columns.map((column, index) => cellEncoder(column, kind, index === 0, index === width - 1));
  return (values, from, to) => {
    const parts = new Array<string>((to - from) * width);
    for (const [index, encode] of cells.entries()) {
      const column = values[index]!;
      let last: Value | undefined;
      let text = '';
      for (let row = from, at = index; row < to; row++, at += width) {
        const value = column[row] ?? null;
        if (value !== last) {
          last = value;
          text = encode(value);
        }
        parts[at] = text;
      }
    }
    return parts.join('');
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
