/** A decoded column chunk: its distinct values, and for each row the number of its value among them. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import { cellEncoder, type LineKind } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';

export type Codes = Uint16Array | Uint32Array;

/** An estimate of what a distinct value takes: a number or a text, and its place in a list. */
const BYTES_A_VALUE = 40;

/** An estimate of what the text of a value takes, with the name of its column in front. */
const BYTES_A_TEXT = 72;

export class ColumnChunk {
  readonly codes: Codes;
  /** In the order in which they first appear. */
  readonly values: readonly Value[];
  /** By code; each is made when it is first needed. */
  private readonly texts: Partial<Record<LineKind, (string | undefined)[]>> = {};

  constructor(decoded: ArrayLike<Value | undefined>) {
    const rows = decoded.length;
    const known = new Map<Value, number>();
    const codes = rows > 0xffff ? new Uint32Array(rows) : new Uint16Array(rows);
    let last: Value | undefined;
    let code = 0;
    for (let row = 0; row < rows; row++) {
      const value = decoded[row] ?? null;
      // Rows are sorted, so many values repeat the row before.
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

  /** An estimate of its memory. */
  get bytes(): number {
    const kinds = Object.keys(this.texts).length;
    return this.codes.byteLength + this.values.length * (BYTES_A_VALUE + kinds * BYTES_A_TEXT);
  }

  hasTexts(kind: LineKind): boolean {
    return this.texts[kind] !== undefined;
  }

  /** The texts of the values that were needed so far, by code. */
  textsOf(kind: LineKind): (string | undefined)[] {
    let texts = this.texts[kind];
    if (!texts) {
      texts = new Array<string | undefined>(this.values.length);
      this.texts[kind] = texts;
    }
    return texts;
  }
}

/** Writes the cells of a line: a value with what stands before it, and after it where the line ends. */
export function cellEncoders(
  columns: readonly RowColumn[],
  kind: LineKind,
): readonly ((value: Value) => string)[] {
  return columns.map((column, index) => cellEncoder(column, kind, index === 0, index === columns.length - 1));
}
