/**
 * Zstandard, in frames that are independent of each other: memory does not grow with a file, and any program that
 * knows Zstandard reads frame after frame as one stream. The compressor is the WebAssembly that the project pins, so
 * that the same bytes come out on every machine.
 */
import { compress, decompress, init } from '@bokuweb/zstd-wasm';

/** Bytes of the stream that a frame holds. */
const FRAME_BYTES = 4 << 20;
/** The most that a frame of anybody's may hold: more is nothing that a snapshot wrote. */
const MOST_BYTES = 64 << 20;
const LEVEL = 9;

export async function* zstdBytes(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await init();
  let frame = new Uint8Array(FRAME_BYTES);
  let length = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const taken = Math.min(part.length - at, FRAME_BYTES - length);
      frame.set(part.subarray(at, at + taken), length);
      at += taken;
      length += taken;
      if (length === FRAME_BYTES) {
        yield compress(frame, LEVEL);
        frame = new Uint8Array(FRAME_BYTES);
        length = 0;
      }
    }
  }
  if (length > 0) yield compress(frame.subarray(0, length), LEVEL);
}

/** A stream that is no Zstandard, or breaks off. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** What the frames of a stream hold, frame by frame. Throws FrameError. */
export async function* unzstdBytes(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await init();
  const source = new ByteSource(parts);
  while (await source.has(1)) {
    const start = source.position;
    const broken = (what: string): FrameError =>
      new FrameError(`the compressed frame at byte ${start} ${what}`);
    const magic = (await source.peek(4, broken)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === 0x184d2a50) {
      const length = (await source.peek(8, broken)).readUInt32LE(4);
      if (length > MOST_BYTES) throw broken('is longer than a frame may be');
      await source.take(8 + length, broken);
      continue;
    }
    if (magic !== 0xfd2fb528) throw broken('does not begin as one: this is no Zstandard');
    const { length, content } = await measureFrame(source, broken);
    const frame = await source.take(length, broken);
    let bytes: Uint8Array;
    try {
      bytes = decompress(frame);
    } catch {
      throw broken('is damaged');
    }
    if (bytes.length !== content) throw broken(`holds ${bytes.length} bytes, not ${content} as it says`);
    yield bytes;
  }
}

/** Length of the frame that comes next, and of what it says it holds; found by its blocks' headers alone. */
async function measureFrame(
  source: ByteSource,
  broken: (what: string) => FrameError,
): Promise<{ readonly length: number; readonly content: number }> {
  const descriptor = (await source.peek(5, broken))[4] ?? 0;
  const single = (descriptor >> 5) & 1;
  const sizeBytes = [single, 2, 4, 8][descriptor >> 6] ?? 0;
  if (sizeBytes === 0) {
    throw broken('does not say how much it holds: unpack the file with zstd and tar, and verify the folder');
  }
  const at = 5 + (1 - single) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const head = await source.peek(at + sizeBytes, broken);
  const content =
    sizeBytes === 8
      ? Number(head.readBigUInt64LE(at))
      : head.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  if (content > MOST_BYTES) throw broken(`would hold ${content} bytes, more than a frame may`);
  let length = at + sizeBytes;
  for (let last = false; !last; ) {
    const block = (await source.peek(length + 3, broken)).readUIntLE(length, 3);
    const kind = (block >> 1) & 3;
    if (kind === 3) throw broken('is damaged');
    last = (block & 1) === 1;
    length += 3 + (kind === 1 ? 1 : block >> 3);
    if (length > MOST_BYTES) throw broken('is longer than a frame may be');
  }
  return { length: length + ((descriptor >> 2) & 1) * 4, content };
}

/** Bytes of a stream, looked at before they are taken. */
class ByteSource {
  readonly #parts: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  position = 0;

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  async has(count: number): Promise<boolean> {
    if (this.#held.length >= count) return true;
    const more = [this.#held];
    let length = this.#held.length;
    while (length < count) {
      const { value, done } = await this.#parts.next();
      if (done) break;
      more.push(Buffer.from(value));
      length += value.length;
    }
    this.#held = Buffer.concat(more);
    return length >= count;
  }

  async peek(count: number, broken: (what: string) => FrameError): Promise<Buffer> {
    if (!(await this.has(count))) throw broken('breaks off: the file is not whole');
    return this.#held;
  }

  async take(count: number, broken: (what: string) => FrameError): Promise<Buffer> {
    await this.peek(count, broken);
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    this.position += count;
    return taken;
  }
}
