/**
 * A decoded row group in little memory: numbers as doubles, texts and booleans as indexes into their distinct values.
 */
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { ColumnValues } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';

/** Published numbers are finite, so NaN can stand for NULL. */
type PackedColumn =
  | { readonly kind: 'numbers'; readonly values: Float64Array }
  | { readonly kind: 'distinct'; readonly distinct: readonly Value[]; readonly indexes: Uint16Array };

/** The most distinct values that 16-bit indexes can tell apart. */
const MOST_DISTINCT = 65_536;

/** An estimate of the memory of one distinct text. */
const BYTES_A_TEXT = 64;

export class PackedGroup {
  /** An estimate of the memory that the group takes. */
  readonly bytes: number;
  readonly rows: number;
  private readonly columns: readonly PackedColumn[];

  private constructor(columns: readonly PackedColumn[], rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.bytes = columns.reduce((sum, column) => sum + bytesOf(column), 0);
  }

  /** Null where a column has too many distinct texts. */
  static pack(columns: readonly RowColumn[], values: readonly ColumnValues[]): PackedGroup | null {
    const packed: PackedColumn[] = [];
    for (const [position, { type }] of columns.entries()) {
      const isNumber = type === 'integer' || type === 'number';
      const column = isNumber ? packNumbers(values[position]!) : packDistinct(values[position]!);
      if (!column) return null;
      packed.push(column);
    }
    return new PackedGroup(packed, values[0]?.length ?? 0);
  }

  column(position: number): ColumnValues {
    const column = this.columns[position]!;
    const values = new Array<Value>(this.rows);
    if (column.kind === 'numbers') {
      for (let row = 0; row < values.length; row++) values[row] = toValue(column.values[row]!);
      return values;
    }
    const { distinct, indexes } = column;
    for (let row = 0; row < values.length; row++) values[row] = distinct[indexes[row]!]!;
    return values;
  }

  pick(position: number, rows: readonly number[]): Value[] {
    const column = this.columns[position]!;
    if (column.kind === 'numbers') return rows.map(row => toValue(column.values[row]!));
    const { distinct, indexes } = column;
    return rows.map(row => distinct[indexes[row]!]!);
  }
}

function toValue(number: number): Value {
  return Number.isNaN(number) ? null : number;
}

function bytesOf(column: PackedColumn): number {
  return column.kind === 'numbers'
    ? column.values.byteLength
    : column.indexes.byteLength + column.distinct.length * BYTES_A_TEXT;
}

function packNumbers(values: ColumnValues): PackedColumn {
  const packed = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? null;
    packed[row] = value === null ? Number.NaN : Number(value);
  }
  return { kind: 'numbers', values: packed };
}

function packDistinct(values: ColumnValues): PackedColumn | null {
  const numbers = new Map<Value, number>();
  const indexes = new Uint16Array(values.length);
  // Rows are sorted, so most values repeat the row before.
  let last: Value | undefined;
  let number = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? null;
    if (value !== last) {
      number = numbers.get(value) ?? numbers.size;
      if (number === MOST_DISTINCT) return null;
      if (number === numbers.size) numbers.set(value, number);
      last = value;
    }
    indexes[row] = number;
  }
  return { kind: 'distinct', distinct: [...numbers.keys()], indexes };
}
