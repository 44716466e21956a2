/** The distinct values of a column, and their texts. */
import type { TextFormat } from '../../../build/format/documents.ts';
import type { CellEncoder } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';

export type Codes = Uint16Array | Uint32Array;

/** `most`: how many codes there are. */
export function createCodes(rows: number, most: number): Codes {
  return most > 0x10000 ? new Uint32Array(rows) : new Uint16Array(rows);
}

export const NULL_CODE = 0;

/** A dictionary with more values isn't shared any further, so that it can go with few row groups. */
export const MOST_SHARED = 8192;

type Encode = (value: Value, encoders: readonly CellEncoder[]) => string;

/** Row groups share it, so most values and texts are made once, and few enough for the processor's cache. */
export class Dictionary {
  /** NULL's place has a number, since numbers among others are objects, which the garbage collector visits. */
  private readonly values: Value[] = [Number.NaN];
  private readonly codes = new Map<Value, number>();
  private readonly texts: Partial<Record<TextFormat, Texts>> = {};
  private readonly pairs = new WeakMap<Dictionary, Dictionary | null>();
  private readonly encode: Encode;

  /** `encode` makes the text of a value, from the encoders of all columns. */
  constructor(encode: Encode) {
    this.encode = encode;
  }

  get size(): number {
    return this.values.length;
  }

  valueAt(code: number): Value {
    return code === NULL_CODE ? null : this.values[code]!;
  }

  codeOf(value: NonNullable<Value>): number {
    const known = this.codes.get(value);
    if (known !== undefined) return known;
    const code = this.values.push(value) - 1;
    this.codes.set(value, code);
    return code;
  }

  textAt(code: number, encoders: readonly CellEncoder[]): string {
    return this.encode(this.valueAt(code), encoders);
  }

  /** `encoders` are the format's. */
  textsIn(format: TextFormat, encoders: readonly CellEncoder[]): Texts {
    this.texts[format] ??= new Texts(this, encoders);
    return this.texts[format];
  }

  /** The pairs of its codes and those of the next column, as values that `pairOf` makes. Null if they are too many. */
  pairsWith(right: Dictionary): Dictionary | null {
    const known = this.pairs.get(right);
    const most = Math.max(this.size + right.size, known?.size ?? 0);
    if (known && most <= MOST_SHARED) return known;
    const encode: Encode = (pair, encoders) =>
      this.textAt(Math.floor(Number(pair) / MOST_SHARED), encoders) +
      right.textAt(Number(pair) % MOST_SHARED, encoders);
    const pairs = known === null || most > MOST_SHARED ? null : new Dictionary(encode);
    this.pairs.set(right, pairs);
    return pairs;
  }
}

/** The codes are less than `MOST_SHARED`. */
export function pairOf(left: number, right: number): number {
  return left * MOST_SHARED + right;
}

const encoder = new TextEncoder();

/** Bytes that are copied at once. */
const STEP = 8;

/** In UTF-8, by code. They aren't objects, so the garbage collector doesn't visit each. */
class Texts {
  private readonly dictionary: Dictionary;
  private readonly encoders: readonly CellEncoder[];
  /** Where each starts, and its length: 0 if it isn't made yet. */
  private spans = new Uint32Array(0);
  private view = new DataView(new ArrayBuffer(256));
  private used = 0;

  constructor(dictionary: Dictionary, encoders: readonly CellEncoder[]) {
    this.dictionary = dictionary;
    this.encoders = encoders;
  }

  /** Adds each row's length in bytes to that of its line. */
  addLengths(codes: Codes, rows: Uint32Array, lines: Uint32Array, lengths: Uint32Array): void {
    const { size } = this.dictionary;
    if (this.spans.length < 2 * size) this.spans = resized(this.spans, new Uint32Array(3 * size));
    const { spans } = this;
    for (let index = 0; index < rows.length; index++) {
      const code = codes[rows[index]!]!;
      if (spans[2 * code + 1] === 0) this.add(code, this.dictionary.textAt(code, this.encoders));
      lengths[lines[index]!]! += spans[2 * code + 1]!;
    }
  }

  /** The text isn't empty: it has a separator or a line end. */
  private add(code: number, text: string): void {
    const most = this.used + 3 * text.length;
    if (most > this.view.byteLength) {
      const bytes = new Uint8Array(this.view.buffer);
      this.view = new DataView(resized(bytes, new Uint8Array(2 * most)).buffer);
    }
    const { written } = encoder.encodeInto(text, new Uint8Array(this.view.buffer, this.used));
    this.spans[2 * code] = this.used;
    this.spans[2 * code + 1] = written;
    this.used += written;
  }

  /**
   * Copies each row's text to the place of its line, which moves to the text's end. UTF-8 read as a number is
   * never NaN, so its bits stay.
   */
  copy(codes: Codes, rows: Uint32Array, lines: Uint32Array, places: Uint32Array, to: DataView): void {
    const { spans, view } = this;
    for (let index = 0; index < rows.length; index++) {
      const code = codes[rows[index]!]!;
      const at = places[lines[index]!]!;
      const end = at + spans[2 * code + 1]!;
      const shift = spans[2 * code]! - at;
      places[lines[index]!] = end;
      let next = at;
      for (; next <= end - STEP; next += STEP) to.setFloat64(next, view.getFloat64(next + shift, true), true);
      if (next === end) continue;
      const last = end - STEP;
      // The last step can repeat bytes of the one before it.
      if (last >= at) to.setFloat64(last, view.getFloat64(last + shift, true), true);
      else for (; next < end; next++) to.setUint8(next, view.getUint8(next + shift));
    }
  }
}

function resized<Numbers extends Uint8Array | Uint32Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old);
  return larger;
}
