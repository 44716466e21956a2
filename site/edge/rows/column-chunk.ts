/** A decoded column chunk: its distinct values, and for each row the number of its value among them. */
import type { Value } from '../../query/order.ts';

export type Codes = Uint16Array | Uint32Array;

/** An estimate of what a distinct value takes: a number or a text, and its place in a list. */
const BYTES_A_VALUE = 40;

export class ColumnChunk {
  readonly codes: Codes;
  /** In the order in which they first appear. */
  readonly values: readonly Value[];

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
    return this.codes.byteLength + this.values.length * BYTES_A_VALUE;
  }
}
