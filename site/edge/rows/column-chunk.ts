/**
 * A column of a row group, decoded page by page into codes and values. hyparquet's own reader gives each row's value,
 * and numbering these again takes longer than decoding them.
 */
import { parquetHeader } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { decompressZstd } from 'hyparquet-compressors';
import type { TextFormat } from '../../../build/format/documents.ts';
import type { RowColumn } from '../../../build/format/manifest.ts';
import { dateText, timestampText } from '../../../build/format/time-text.ts';
import type { Value } from '../../query/order.ts';
import type { Texts } from './texts.ts';

export type Codes = Uint16Array | Uint32Array;

export interface ColumnChunk {
  /** Each row's index among the values. */
  readonly codes: Codes;
  /** Some can be equal. Numbers are in one array, so the garbage collector doesn't visit each. */
  readonly values: readonly Value[] | Float64Array;
  /** NULL's index; -1 if there is none. */
  readonly nullCode: number;
  /** Those made so far. */
  readonly texts: Partial<Record<TextFormat, Texts>>;
}

export function valueAt({ values, nullCode }: ColumnChunk, code: number): Value {
  return code === nullCode ? null : values[code]!;
}

export function createCodes(rows: number): Codes {
  return rows > 0xffff ? new Uint32Array(rows) : new Uint16Array(rows);
}

/** `bytes`: of the column in a row group of so many rows. Throws if they can't be decoded. */
export function decodeColumn(column: RowColumn, bytes: Uint8Array, rows: number): ColumnChunk {
  const decoder = describeColumn(column);
  const toValue = valueReader(column);
  const reader = readerOf(bytes);
  const codes = createCodes(rows);
  const values: Value[] = [];
  let nullCode = -1;
  let row = 0;
  while (row < rows) {
    const header = parquetHeader(reader);
    const stored = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += stored.length;
    const unpack = () => decompressPage(stored, header.uncompressed_page_size, 'ZSTD', COMPRESSORS);
    if (header.dictionary_page_header) {
      const { num_values: count } = header.dictionary_page_header;
      for (const value of readPlain(readerOf(unpack()), column.parquet, count, undefined))
        values.push(toValue(value));
      continue;
    }
    const { data_page_header: first, data_page_header_v2: second } = header;
    const data = first ?? second;
    if (!data) throw new Error(`${column.name} has a page that is neither data nor a dictionary`);
    const count = data.num_values;
    const isCoded = data.encoding.endsWith('_DICTIONARY');
    let levels: ArrayLike<number>;
    let present = 0;
    if (first && isCoded) {
      // hyparquet makes lists of these numbers, which takes as long as decompressing them.
      const page = readerOf(unpack());
      const known = new Uint8Array(count);
      readRleBitPackedHybrid(page, 1, known);
      for (let index = 0; index < count; index++) present += known[index]!;
      const width = page.view.getUint8(page.offset++);
      const rest = page.view.byteLength - page.offset;
      if (width > 0) {
        const own = codes.subarray(row, row + present) as ArrayLike<number>;
        readRleBitPackedHybrid(page, width, own as number[], rest);
      }
      levels = known;
    } else {
      const { definitionLevels, dataPage } = first
        ? readDataPage(unpack(), first, decoder)
        : readDataPageV2(stored, header, decoder);
      for (const one of dataPage) {
        const value = isCoded ? null : toValue(one);
        // Rows are sorted, so many values repeat.
        if (!isCoded && (values.length === 0 || value !== values.at(-1))) values.push(value);
        codes[row + present++] = isCoded ? one : values.length - 1;
      }
      levels = definitionLevels ?? [];
    }
    if (present < count) {
      if (nullCode < 0) nullCode = values.push(null) - 1;
      for (let index = count - 1, next = present - 1; index >= 0; index--)
        codes[row + index] = levels[index] === 0 ? nullCode : codes[row + next--]!;
    }
    row += count;
  }
  if (row !== rows) throw new Error(`${column.name} has ${row} of ${rows} rows`);
  const areNumbers = values.every(value => value === null || typeof value === 'number');
  return { codes, values: areNumbers ? new Float64Array(values as number[]) : values, nullCode, texts: {} };
}

function readerOf({ buffer, byteOffset, byteLength }: Uint8Array) {
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}

/**
 * Published Parquet is zstd: FORMAT.md section 2. It gets no buffer for its output: it would compare the buffer with
 * a number, and turn it into a text for that.
 */
const COMPRESSORS = { ZSTD: (input: Uint8Array) => decompressZstd(input) };

/** All columns are flat and OPTIONAL. */
function describeColumn({ name, parquet }: RowColumn): Parameters<typeof readDataPage>[2] {
  const element = { name, type: parquet, repetition_type: 'OPTIONAL' } as const;
  const root = { count: 2, element: { name: 'schema' }, children: [], path: [] };
  return {
    pathInSchema: [name],
    type: parquet,
    element,
    schemaPath: [root, { count: 1, element, children: [], path: [name] }],
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    parsers: DEFAULT_PARSERS,
  };
}

const utf8 = new TextDecoder();

function valueReader({ type, parquet }: RowColumn): (stored: unknown) => Value {
  if (parquet === 'BYTE_ARRAY') return bytes => utf8.decode(bytes as Uint8Array);
  if (type === 'date') return days => dateText(days as number);
  if (type === 'timestamp') return micros => timestampText(micros as bigint);
  return parquet === 'BOOLEAN' ? Boolean : Number;
}
