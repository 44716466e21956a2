/** The texts of rows in each format. */
import type { TextFormat } from '../../../build/format/documents.ts';
import type { Value } from '../../query/order.ts';
import { type Codes, type ColumnChunk, createCodes } from './column-chunk.ts';

/** Columns are joined while each combination of their values has at least so many rows on average. */
const ROWS_A_TEXT = 4;

/** Possible combinations for each row: counting more takes longer than it saves. */
const PAIRS_A_ROW = 16;

/** Estimated bytes of a column's text. */
const BYTES_A_TEXT = 72;

/** Writes a value with its separator, and with the line end in the last column. */
export type CellEncoder = (value: Value) => string;

/**
 * Neighbouring columns of a row group that are written together. Their values repeat together, like a
 * school's code, name and district, so each combination's text is made once.
 */
export interface TextRun {
  /** The position of the first column. */
  readonly from: number;
  readonly chunks: readonly ColumnChunk[];
  /** The combination of each row, and how many there are. */
  readonly codes: Codes;
  readonly size: number;
  /** Those made so far, by code. */
  readonly texts: Partial<Record<TextFormat, (string | undefined)[]>>;
}

export function joinColumns(chunks: readonly ColumnChunk[]): readonly TextRun[] {
  const runs: TextRun[] = [];
  for (const [from, chunk] of chunks.entries()) {
    const last = runs.at(-1);
    const joined = last && joinCodes(last, chunk);
    if (joined) runs[runs.length - 1] = { ...last, ...joined, chunks: [...last.chunks, chunk] };
    else runs.push({ from, chunks: [chunk], codes: chunk.codes, size: chunk.values.length, texts: {} });
  }
  return runs;
}

/** Null if there are too many combinations. */
function joinCodes(
  { codes: left, size: before }: TextRun,
  { codes: right, values }: ColumnChunk,
): Pick<TextRun, 'codes' | 'size'> | null {
  const rows = left.length;
  if (before * values.length > rows * PAIRS_A_ROW) return null;
  /** One more than the code of each pair; 0 if it is new. */
  const known = new Uint32Array(before * values.length);
  const codes = createCodes(rows);
  let size = 0;
  for (let row = 0; row < rows; row++) {
    const pair = left[row]! * values.length + right[row]!;
    if (known[pair] === 0) {
      if (size >= rows / ROWS_A_TEXT) return null;
      known[pair] = ++size;
    }
    codes[row] = known[pair]! - 1;
  }
  return { codes, size };
}

/** The text of a row. */
export function encodeRun({ from, chunks }: TextRun, row: number, encoders: readonly CellEncoder[]): string {
  // A flat string is copied faster than a concatenated one.
  return chunks.map(({ values, codes }, index) => encoders[from + index]!(values[codes[row]!]!)).join('');
}

/** An estimate. */
export function bytesOfRun({ chunks, codes, size, texts }: TextRun): number {
  const own = chunks.length > 1 ? codes.byteLength : 0;
  return own + size * Object.keys(texts).length * chunks.length * BYTES_A_TEXT;
}
