/** Bytes of a stream, looked at before they are taken. */
export class ByteSource {
  readonly #parts: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  /** Bytes taken so far. */
  position = 0;

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  /** So many bytes, or more, or all that is left. */
  async peek(count: number): Promise<Buffer> {
    if (this.#held.length >= count) return this.#held;
    const parts = [this.#held];
    for (let length = this.#held.length; length < count; ) {
      const { value, done } = await this.#parts.next();
      if (done) break;
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.length));
      length += value.length;
    }
    this.#held = Buffer.concat(parts);
    return this.#held;
  }

  /** So many bytes, or all that is left. */
  async take(count: number): Promise<Buffer> {
    const taken = (await this.peek(count)).subarray(0, count);
    this.#held = this.#held.subarray(taken.length);
    this.position += taken.length;
    return taken;
  }

  /** Lets go of the stream. */
  async end(): Promise<void> {
    await this.#parts.return?.();
  }
}
