/** The texts of a column's values in one format. */

const encoder = new TextEncoder();

/** Bytes that are copied at once. */
export const STEP = 8;

/** In UTF-8, by code. They aren't objects, so the garbage collector doesn't visit each. */
export class Texts {
  private readonly starts: Uint32Array;
  private readonly lengths: Uint32Array;
  private view = new DataView(new ArrayBuffer(256));
  private used = 0;

  constructor(size: number) {
    this.starts = new Uint32Array(size);
    this.lengths = new Uint32Array(size);
  }

  /** In bytes; 0 if the text isn't made yet. */
  lengthOf(code: number): number {
    return this.lengths[code]!;
  }

  add(code: number, text: string): void {
    const most = this.used + 3 * text.length + STEP;
    if (most > this.view.byteLength) {
      const larger = new Uint8Array(2 * most);
      larger.set(new Uint8Array(this.view.buffer));
      this.view = new DataView(larger.buffer);
    }
    const { written } = encoder.encodeInto(text, new Uint8Array(this.view.buffer, this.used));
    this.starts[code] = this.used;
    this.lengths[code] = written;
    this.used += written;
  }

  /**
   * Returns where the text ends. Up to `STEP` bytes after it are overwritten. UTF-8 read as a number is never
   * NaN, so its bits stay.
   */
  copy(code: number, to: DataView, at: number): number {
    const length = this.lengths[code]!;
    const shift = this.starts[code]! - at;
    for (let next = at; next < at + length; next += STEP)
      to.setFloat64(next, this.view.getFloat64(next + shift, true), true);
    return at + length;
  }
}
