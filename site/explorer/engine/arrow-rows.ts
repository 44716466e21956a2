/** Converts packed rows to and from Arrow's stream format, which carries rows into DuckDB and answers out of it. */
import {
  Bool,
  type Data,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchReader,
  Schema,
  Struct,
  Table,
  Type,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { ColumnValues } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import type { PackedColumn, PackedTable } from './packed-table.ts';

/** Writes all rows as one stream. Integers held as doubles become 64-bit integers. */
export function encodeArrow({ columns, rows }: PackedTable): Uint8Array {
  const data = columns.map((column, index) => columnData(column, rows, index));
  const schema = new Schema(columns.map(({ name }, index) => new Field(name, data[index]!.type, true)));
  const struct = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children: data });
  return tableToIPC(new Table([new RecordBatch(schema, struct)]), 'stream');
}

function columnData(column: PackedColumn, rows: number, index: number): Data {
  switch (column.kind) {
    case 'text': {
      const { codes, texts } = column;
      const dictionary: Vector<Utf8> = vectorFromArray(texts, new Utf8());
      return makeData({
        type: new Dictionary(new Utf8(), new Int32(), index),
        length: rows,
        nullCount: -1,
        nullBitmap: setBits(rows, row => codes[row] !== 0),
        data: Int32Array.from(codes, code => Math.max(0, code - 1)),
        dictionary,
      });
    }
    case 'number': {
      const { values, nulls, type } = column;
      const validity = nulls
        ? { nullCount: -1, nullBitmap: setBits(rows, row => nulls[row] === 0) }
        : { nullCount: 0 };
      if (values instanceof Int32Array)
        return makeData({ type: new Int32(), length: rows, data: values, ...validity });
      if (type === 'boolean')
        return makeData({
          type: new Bool(),
          length: rows,
          data: setBits(rows, row => values[row] === 1),
          ...validity,
        });
      if (values instanceof Float64Array && type === 'number')
        return makeData({ type: new Float64(), length: rows, data: values, ...validity });
      return makeData({
        type: new Int64(),
        length: rows,
        data: BigInt64Array.from(values, BigInt),
        ...validity,
      });
    }
    default:
      return column satisfies never;
  }
}

/** One bit per row, padded to eight bytes. */
function setBits(rows: number, isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 64) * 8);
  for (let row = 0; row < rows; row++) if (isSet(row)) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

/** Reads the rows of a stream, batch by batch: booleans, 32-bit integers, doubles and texts. */
export function* decodeArrow(
  parts: Iterable<Uint8Array>,
): Generator<{ readonly rows: number; readonly columns: readonly ColumnValues[] }> {
  for (const batch of RecordBatchReader.from(parts)) {
    const columns = batch.schema.fields.map((_, index) =>
      readVector(batch.getChildAt(index)!, batch.numRows),
    );
    yield { rows: batch.numRows, columns };
  }
}

function readVector(vector: Vector, rows: number): ColumnValues {
  const plain = vector.type.typeId === Type.Int || vector.type.typeId === Type.Float;
  if (plain && vector.nullCount === 0) return vector.toArray() as ArrayLike<number>;
  return Array.from({ length: rows }, (_, row) => vector.get(row) as Value);
}
