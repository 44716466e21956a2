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
import type { RowColumn } from '../../../build/format/manifest.ts';
import { dateText, timestampText } from '../../../build/format/time-text.ts';
import type { Value } from '../../query/order.ts';
import { type Codes, createCodes, type Dictionary, NULL_CODE, pairOf } from './dictionary.ts';

export interface ColumnChunk {
  /** Each row's code in the dictionary. */
  readonly codes: Codes;
  readonly dictionary: Dictionary;
  /** Values that were new to a dictionary. */
  readonly added: number;
}

/** The least rows for each new pair of values. */
const ROWS_A_PAIR = 8;

/** Neighbouring columns with few pairs of values become one, so that a row's text has fewer pieces. */
export function joinColumns(columns: readonly ColumnChunk[]): readonly ColumnChunk[] {
  const joined: ColumnChunk[] = [];
  for (const column of columns) {
    const left = joined.pop();
    const right = { ...column, added: 0 };
    joined.push(...(left ? joinPair(left, right) : [right]));
  }
  return joined;
}

function joinPair(left: ColumnChunk, right: ColumnChunk): readonly ColumnChunk[] {
  const dictionary = left.dictionary.pairsWith(right.dictionary);
  if (!dictionary) return [left, right];
  const before = dictionary.size;
  const codes = createCodes(left.codes.length, before + left.codes.length);
  for (let row = 0; row < codes.length; row++)
    codes[row] = dictionary.codeOf(pairOf(left.codes[row]!, right.codes[row]!));
  const added = dictionary.size - before;
  return ROWS_A_PAIR * added > codes.length ? [left, { ...right, added }] : [{ codes, dictionary, added }];
}

export function valueAt({ codes, dictionary }: ColumnChunk, row: number): Value {
  return dictionary.valueAt(codes[row]!);
}

/** `bytes`: of the column in a row group of so many rows. Throws if they can't be decoded. */
export function decodeColumn(
  column: RowColumn,
  bytes: Uint8Array,
  rows: number,
  dictionary: Dictionary,
): ColumnChunk {
  const decoder = describeColumn(column);
  const toValue = valueReader(column);
  const toCode = (stored: unknown) => dictionary.codeOf(toValue(stored));
  const reader = readerOf(bytes);
  const before = dictionary.size;
  const codes = createCodes(rows, before + rows);
  /** Codes of the pages' own dictionary. */
  const own: number[] = [];
  let row = 0;
  while (row < rows) {
    const header = parquetHeader(reader);
    const stored = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += stored.length;
    const unpack = () => decompressPage(stored, header.uncompressed_page_size, 'ZSTD', COMPRESSORS);
    if (header.dictionary_page_header) {
      const { num_values: count } = header.dictionary_page_header;
      for (const value of readPlain(readerOf(unpack()), column.parquet, count, undefined))
        own.push(toCode(value));
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
      const some = codes.subarray(row, row + present);
      if (width > 0) readRleBitPackedHybrid(page, width, some as ArrayLike<number> as number[], rest);
      for (let index = 0; index < present; index++) some[index] = own[some[index]!]!;
      levels = known;
    } else {
      const { definitionLevels, dataPage } = first
        ? readDataPage(unpack(), first, decoder)
        : readDataPageV2(stored, header, decoder);
      for (const one of dataPage) codes[row + present++] = isCoded ? own[one]! : toCode(one);
      levels = definitionLevels ?? [];
    }
    if (present < count) {
      for (let index = count - 1, next = present - 1; index >= 0; index--)
        codes[row + index] = levels[index] === 0 ? NULL_CODE : codes[row + next--]!;
    }
    row += count;
  }
  if (row !== rows) throw new Error(`${column.name} has ${row} of ${rows} rows`);
  return { codes, dictionary, added: dictionary.size - before };
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

function valueReader({ type, parquet }: RowColumn): (stored: unknown) => NonNullable<Value> {
  if (parquet === 'BYTE_ARRAY') return bytes => utf8.decode(bytes as Uint8Array);
  if (type === 'date') return days => dateText(days as number);
  if (type === 'timestamp') return micros => timestampText(micros as bigint);
  return parquet === 'BOOLEAN' ? Boolean : Number;
}
