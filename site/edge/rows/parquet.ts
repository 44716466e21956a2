/** Batches → one Parquet file. Its bytes depend on the rows, not on the batches. */
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

const ROWS_A_GROUP = 8192;

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
  for await (const columns of regroup(table, batches)) {
    parquet.write({
      columnData: columns.map((data, position) => toColumn(table.columns[position]!, data)),
      rowGroupSize: ROWS_A_GROUP,
    });
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

/** Batches of one row group each. */
async function* regroup(
  table: DescribedTable,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<readonly (readonly Value[])[]> {
  let columns = table.columns.map((): Value[] => []);
  let rows = 0;
  for await (const batch of batches) {
    let from = 0;
    while (from < batch.rows) {
      const to = Math.min(batch.rows, from + ROWS_A_GROUP - rows);
      for (const [position, column] of columns.entries()) append(column, batch.columns[position]!, from, to);
      rows += to - from;
      from = to;
      if (rows === ROWS_A_GROUP) {
        yield columns;
        columns = table.columns.map((): Value[] => []);
        rows = 0;
      }
    }
  }
  if (rows > 0) yield columns;
}

function append(column: Value[], values: readonly Value[], from: number, to: number): void {
  for (let row = from; row < to; row++) column.push(values[row] ?? null);
}
