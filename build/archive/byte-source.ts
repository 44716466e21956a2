/** Reads a stream by byte counts, and can look ahead. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  /** Bytes taken so far. */
  position = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns at least `count` bytes without taking them, or all that are left. */
  async peek(count: number): Promise<Buffer> {
    if (this.#held.length >= count) return this.#held;
    const chunks = [this.#held];
    for (let length = this.#held.length; length < count; ) {
      const { value, done } = await this.#chunks.next();
      if (done) break;
      chunks.push(Buffer.from(value.buffer, value.byteOffset, value.length));
      length += value.length;
    }
    this.#held = Buffer.concat(chunks);
    return this.#held;
  }

  /** Takes `count` bytes, or all that are left. */
  async take(count: number): Promise<Buffer> {
    const taken = (await this.peek(count)).subarray(0, count);
    this.#held = this.#held.subarray(taken.length);
    this.position += taken.length;
    return taken;
  }

  /** Closes the stream. */
  async end(): Promise<void> {
    await this.#chunks.return?.();
  }
}
