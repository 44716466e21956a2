/** Batches → one Parquet file with a row group of each. */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { RowColumn } from '../../../build/format/manifest.ts';
import { daysOf, microsOf } from '../../../build/format/time-text.ts';
import type { Value } from '../../query/order.ts';
import type { Table } from '../../query/table.ts';

/** Columns in table order. Integers are numbers. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly (readonly Value[])[];
}

export interface DescribedTable extends Pick<Table, 'kind' | 'name' | 'columns'> {
  readonly manifest: Pick<Table['manifest'], 'version' | 'license' | 'attribution' | 'sample'>;
}

/** Rows of a batch, except the last. */
export const ROWS_A_GROUP = 8192;

export async function* renderParquet(
  table: DescribedTable,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'schema', num_children: table.columns.length }, ...table.columns.map(describeColumn)],
    kvMetadata: describeTable(table),
    createdBy: 'civic-data-service',
  });
  for await (const { rows, columns } of batches) {
    const columnData = columns.map((data, position) => toColumn(table.columns[position]!, data));
    parquet.write({ columnData, rowGroupSize: rows });
    yield take(writer);
  }
  parquet.finish();
  yield take(writer);
}

function describeColumn({ name, type, parquet, utc }: RowColumn): SchemaElement {
  const element: SchemaElement = { name, type: parquet, repetition_type: 'OPTIONAL' };
  if (type === 'date') return { ...element, converted_type: 'DATE' };
  if (type === 'timestamp') {
    const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: utc === true, unit: 'MICROS' } as const;
    return { ...element, converted_type: 'TIMESTAMP_MICROS', logical_type };
  }
  return parquet === 'BYTE_ARRAY' ? { ...element, converted_type: 'UTF8' } : element;
}

/** The bytes written since the last call. */
function take(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function describeTable({ kind, name, manifest }: DescribedTable): { key: string; value: string }[] {
  const { version, license, attribution, sample } = manifest;
  return [
    { key: kind, value: name },
    { key: 'version', value: version },
    ...(license === null ? [] : [{ key: 'license', value: license }]),
    ...(attribution === null ? [] : [{ key: 'attribution', value: attribution }]),
    ...(sample ? [{ key: 'sample', value: 'true' }] : []),
  ];
}

function toColumn({ name, type, parquet }: RowColumn, values: readonly Value[]) {
  const convert = (to: (value: NonNullable<Value>) => unknown) =>
    values.map(value => (value === null ? null : to(value)));
  if (type === 'date') return { name, data: convert(value => daysOf(String(value))) };
  if (type === 'timestamp') return { name, data: convert(value => microsOf(String(value))) };
  return { name, data: parquet === 'INT64' ? convert(BigInt) : [...values] };
}
