/**
 * Decodes one row group of a Parquet file. The manifest says where its columns are, so nothing reads the file's footer.
 */
import { type FileMetaData, parquetScan, type SchemaElement } from 'hyparquet';
import { decompressZstd } from 'hyparquet-compressors';
import type { RowColumn, RowGroup } from '../../../build/format/manifest.ts';
import { dateText, timestampText } from '../../../build/format/time-text.ts';
import type { ColumnValues } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';

/** Published Parquet is zstd: FORMAT.md section 2. */
const compressors = {
  ZSTD: (input: Uint8Array, length: number) => decompressZstd(input, new Uint8Array(length)),
};

/** `bytes`: of the row group. The result gives the values of the column at a position among the table's columns. */
export async function openRowGroup(
  columns: readonly RowColumn[],
  group: RowGroup,
  bytes: Uint8Array,
): Promise<(position: number) => Promise<ColumnValues>> {
  const base = bytes.byteOffset - group.start;
  const end = group.sizes.reduce((sum, size) => sum + size, group.start);
  const file = {
    byteLength: end,
    slice: (from: number, to: number = end) => bytes.buffer.slice(base + from, base + to) as ArrayBuffer,
  };
  const metadata = describeRowGroup(columns, group);
  const scan = await parquetScan({ file, metadata, compressors, useOffsetIndex: false });
  return async position => {
    const { name, type, parquet } = columns[position]!;
    const wanted = { column: name, rowStart: 0, rowEnd: group.rows };
    const values: ArrayLike<unknown> = await scan.readColumn(wanted);
    if (values.length !== group.rows)
      throw new Error(`column ${name} has ${values.length} of ${group.rows} rows`);
    if (type === 'date') return texts(values, days => dateText(days as number));
    if (type === 'timestamp') return texts(values, micros => timestampText(micros as bigint));
    return parquet === 'INT64' ? Array.from(values, toNumber) : (values as ColumnValues);
  };
}

/** The footer that a file with this row group alone would have. All columns are OPTIONAL. */
function describeRowGroup(columns: readonly RowColumn[], group: RowGroup): FileMetaData {
  const rows = BigInt(group.rows);
  let start = group.start;
  const chunks = columns.map((column, index) => {
    const offset = BigInt(start);
    const size = group.sizes[index] ?? 0;
    start += size;
    return {
      file_offset: offset,
      meta_data: {
        type: column.parquet,
        encodings: [],
        path_in_schema: [column.name],
        codec: 'ZSTD' as const,
        num_values: rows,
        total_uncompressed_size: 0n,
        total_compressed_size: BigInt(size),
        data_page_offset: offset,
      },
    };
  });
  return {
    version: 2,
    schema: [{ name: 'schema', num_children: columns.length }, ...columns.map(describeColumn)],
    num_rows: rows,
    row_groups: [{ columns: chunks, total_byte_size: 0n, num_rows: rows }],
    metadata_length: 0,
  };
}

function describeColumn({ name, parquet }: RowColumn): SchemaElement {
  const element: SchemaElement = { name, type: parquet, repetition_type: 'OPTIONAL' };
  return parquet === 'BYTE_ARRAY' ? { ...element, converted_type: 'UTF8' } : element;
}

/** Each distinct value becomes a text once: rows in the order of time repeat them. */
function texts(values: ArrayLike<unknown>, toText: (value: unknown) => string): Value[] {
  const known = new Map<unknown, string>();
  return Array.from(values, value => {
    if (value === null || value === undefined) return null;
    const text = known.get(value) ?? toText(value);
    known.set(value, text);
    return text;
  });
}

function toNumber(value: unknown): Value {
  return value === null || value === undefined ? null : Number(value);
}
