/** Decoded columns and their texts, and the cache of both. */
import type { LineKind } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../files/kept.ts';

export type Codes = Uint16Array | Uint32Array;

/** Estimated bytes of a distinct value, with its place in a list. */
const BYTES_A_VALUE = 40;

/** A decoded column chunk: its distinct values, and each row's index among them. */
export class ColumnChunk {
  readonly codes: Codes;
  /** In order of appearance. */
  readonly values: readonly Value[];

  constructor(decoded: ArrayLike<Value | undefined>) {
    const rows = decoded.length;
    const known = new Map<Value, number>();
    const codes = rows > 0xffff ? new Uint32Array(rows) : new Uint16Array(rows);
    let last: Value | undefined;
    let code = 0;
    for (let row = 0; row < rows; row++) {
      const value = decoded[row] ?? null;
      // Rows are sorted, so many values repeat.
      if (value !== last || row === 0) {
        last = value;
        const found = known.get(value);
        code = found ?? known.size;
        if (found === undefined) known.set(value, code);
      }
      codes[row] = code;
    }
    this.codes = codes;
    this.values = [...known.keys()];
  }

  /** An estimate. */
  get bytes(): number {
    return this.codes.byteLength + this.values.length * BYTES_A_VALUE;
  }
}

/** Columns are joined while each combination of their values has at least so many rows on average. */
const ROWS_A_TEXT = 4;

/** Estimated bytes of a value's text with the column's name. */
const BYTES_A_TEXT = 40;

/** Writes a value with its separator, and with the line end in the last column. */
export type CellEncoder = (value: Value) => string;

/**
 * Neighbouring columns of a row group that are written together. Their values repeat together, like a
 * school's code, name and district, so each combination's text is made once.
 */
export class TextRun {
  /** The combination of each row. */
  readonly codes: Codes;
  /** A row of each combination. */
  private readonly rows: readonly number[];
  private readonly chunks: readonly ColumnChunk[];
  /** The position of the first column. */
  private readonly from: number;
  private readonly known: Partial<Record<LineKind, (string | undefined)[]>> = {};

  constructor(from: number, chunks: readonly ColumnChunk[], codes: Codes, rows: readonly number[]) {
    this.from = from;
    this.chunks = chunks;
    this.codes = codes;
    this.rows = rows;
  }

  /** An estimate. */
  get bytes(): number {
    const own = this.chunks.length > 1 ? this.codes.byteLength : 0;
    const kinds = Object.keys(this.known).length;
    return own + this.rows.length * (8 + kinds * this.chunks.length * BYTES_A_TEXT);
  }

  has(kind: LineKind): boolean {
    return this.known[kind] !== undefined;
  }

  /** The texts made so far, by code. */
  texts(kind: LineKind): (string | undefined)[] {
    this.known[kind] ??= new Array<string | undefined>(this.rows.length);
    return this.known[kind];
  }

  /** Makes the text of a combination and adds it to `texts`. */
  encode(code: number, texts: (string | undefined)[], encoders: readonly CellEncoder[]): string {
    const row = this.rows[code]!;
    // A flat string is copied faster than a concatenated one.
    const text = this.chunks
      .map(({ values, codes }, index) => encoders[this.from + index]!(values[codes[row]!]!))
      .join('');
    texts[code] = text;
    return text;
  }
}

export function joinColumns(chunks: readonly ColumnChunk[]): readonly TextRun[] {
  const runs: TextRun[] = [];
  for (let from = 0; from < chunks.length; ) {
    let { codes } = chunks[from]!;
    let rows = firstRows(codes);
    let to = from + 1;
    for (; to < chunks.length; to++) {
      const joined = joinCodes(codes, chunks[to]!);
      if (joined === null) break;
      ({ codes, rows } = joined);
    }
    runs.push(new TextRun(from, chunks.slice(from, to), codes, rows));
    from = to;
  }
  return runs;
}

function firstRows(codes: Codes): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row++) if (codes[row] === rows.length) rows.push(row);
  return rows;
}

/** Null if there are too many combinations. */
function joinCodes(
  left: Codes,
  { codes: right, values }: ColumnChunk,
): { readonly codes: Codes; readonly rows: readonly number[] } | null {
  const most = left.length / ROWS_A_TEXT;
  if (values.length > most) return null;
  const joined = left.length > 0xffff ? new Uint32Array(left.length) : new Uint16Array(left.length);
  const known = new Map<number, number>();
  const rows: number[] = [];
  let last = -1;
  let code = 0;
  for (let row = 0; row < left.length; row++) {
    const both = left[row]! * values.length + right[row]!;
    if (both !== last) {
      last = both;
      const found = known.get(both);
      code = found ?? rows.length;
      if (found === undefined) {
        if (rows.length >= most) return null;
        known.set(both, code);
        rows.push(row);
      }
    }
    joined[row] = code;
  }
  return { codes: joined, rows };
}

/** The columns decoded so far, by position. */
export interface DecodedGroup {
  readonly key: string;
  readonly chunks: (ColumnChunk | undefined)[];
  /** Empty until a line is needed. */
  runs: readonly TextRun[];
}

/** Estimated bytes of a row group besides its chunks. */
const OVERHEAD = 512;

/** Keyed by file hash, row group and column. Published files never change, so entries stay valid. */
export class ColumnCache {
  private readonly groups: Kept<DecodedGroup>;

  /** `most`: estimated bytes. */
  constructor(most: number) {
    this.groups = new Kept(most);
  }

  /** An estimate. */
  get bytes(): number {
    return this.groups.size;
  }

  group(file: ParquetSource, index: number): DecodedGroup {
    const key = `${file.entry.sha256} ${index}`;
    const known = this.groups.get(key);
    if (known) return known;
    const group: DecodedGroup = { key, chunks: [], runs: [] };
    this.groups.keep(key, group, OVERHEAD);
    return group;
  }

  /** Call it after adding chunks or texts to a group. */
  weigh(group: DecodedGroup): void {
    if (this.groups.get(group.key) !== group) return;
    const parts = [...group.chunks, ...group.runs];
    const bytes = parts.reduce((sum, part) => sum + (part?.bytes ?? 0), OVERHEAD);
    this.groups.keep(group.key, group, bytes);
  }
}
