/**
 * Compresses a stream to independent Zstandard frames, so that memory does not grow with the file. Other programs read
 * the frames as one stream. The project pins a WebAssembly compressor, which gives the same bytes on every machine.
 */
import { compress, decompress, init } from '@bokuweb/zstd-wasm';
import { ByteSource } from './byte-source.ts';

/** Bytes of the stream in each frame. */
const FRAME_BYTES = 4 << 20;
/** The most bytes that the reader accepts in a frame. */
const MOST_BYTES = 64 << 20;
const LEVEL = 9;
const MAGIC = 0xfd2fb528;

let started: Promise<void> | undefined;

/** Initializes the library once: a second call would discard the memory of the first. */
export function startZstd(): Promise<void> {
  started ??= init();
  return started;
}

/** `left` is the start of an interrupted file; its frames are reused if they hold the same bytes. */
export async function* zstdBytes(
  chunks: AsyncIterable<Uint8Array>,
  left: AsyncIterable<Uint8Array> | null = null,
): AsyncGenerator<Uint8Array> {
  await startZstd();
  const frames = new LeftFrames(left);
  try {
    yield* compressed(chunks, frames);
  } finally {
    await frames.end();
  }
}

async function* compressed(
  chunks: AsyncIterable<Uint8Array>,
  frames: LeftFrames,
): AsyncGenerator<Uint8Array> {
  let frame = new Uint8Array(FRAME_BYTES);
  let length = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, FRAME_BYTES - length);
      frame.set(chunk.subarray(at, at + taken), length);
      at += taken;
      length += taken;
      if (length === FRAME_BYTES) {
        yield await frames.compress(frame);
        frame = new Uint8Array(FRAME_BYTES);
        length = 0;
      }
    }
  }
  if (length > 0) yield await frames.compress(frame.subarray(0, length));
}

/** Reuses the frames of an interrupted file, in order, until one differs. */
class LeftFrames {
  #source: ByteSource | null;
  #first = true;

  constructor(left: AsyncIterable<Uint8Array> | null) {
    this.#source = left && new ByteSource(left);
  }

  /** Returns the left-over frame if it holds these bytes, and compresses them if not. */
  async compress(bytes: Uint8Array): Promise<Uint8Array> {
    const found = await this.#next();
    const same = found !== null && Buffer.compare(found.bytes, bytes) === 0;
    if (same && !this.#first) return found.frame;
    const frame = compress(bytes, LEVEL);
    // Another version may compress the same bytes differently: compare the first frame before reusing others.
    if (!same || Buffer.compare(frame, found.frame) !== 0) await this.end();
    this.#first = false;
    return frame;
  }

  async #next(): Promise<Frame | null> {
    if (this.#source === null) return null;
    try {
      return await new FrameReader(this.#source).readFrame();
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      return null;
    }
  }

  async end(): Promise<void> {
    await this.#source?.end();
    this.#source = null;
  }
}

interface Frame {
  readonly frame: Uint8Array;
  readonly bytes: Uint8Array;
}

/** The stream is not Zstandard, is damaged, or ends early. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  /** Whether the stream ends early. */
  readonly cut: boolean;

  constructor(message: string, cut = false) {
    super(message);
    this.cut = cut;
  }
}

/**
 * Decompresses a stream, frame by frame. Throws FrameError. With `onDamage`, it reports a frame whose content is
 * damaged, yields zeros for it, and goes on.
 */
export async function* unzstdBytes(
  chunks: AsyncIterable<Uint8Array>,
  onDamage?: (error: FrameError) => void,
): AsyncGenerator<Uint8Array> {
  await startZstd();
  const source = new ByteSource(chunks);
  try {
    while ((await source.peek(1)).length > 0) {
      const frame = new FrameReader(source);
      if (await frame.skip()) continue;
      yield await frame.read(onDamage);
    }
  } finally {
    await source.end();
  }
}

/** One frame. Its headers give its length before it is decompressed. */
class FrameReader {
  readonly #source: ByteSource;
  readonly #start: number;

  constructor(source: ByteSource) {
    this.#source = source;
    this.#start = source.position;
  }

  /** Skips a frame of application data. Returns false if the frame is not one. */
  async skip(): Promise<boolean> {
    const magic = (await this.#peek(4)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 !== 0x184d2a50) {
      if (magic !== MAGIC) throw this.#broken('is not Zstandard');
      return false;
    }
    const length = 8 + (await this.#peek(8)).readUInt32LE(4);
    if (length > MOST_BYTES) throw this.#broken('is too long');
    await this.#peek(length);
    await this.#source.take(length);
    return true;
  }

  async read(onDamage?: (error: FrameError) => void): Promise<Uint8Array> {
    const { frame, content } = await this.#take();
    try {
      return this.#decompress(frame, content);
    } catch (error) {
      if (onDamage === undefined || !(error instanceof FrameError)) throw error;
      onDamage(error);
      return new Uint8Array(content);
    }
  }

  /** Returns the compressed and the decompressed bytes. */
  async readFrame(): Promise<Frame> {
    const { frame, content } = await this.#take();
    return { frame, bytes: this.#decompress(frame, content) };
  }

  /** The compressed frame, and the content size that it states. */
  async #take(): Promise<{ readonly frame: Uint8Array; readonly content: number }> {
    const { length, content } = await this.#measure();
    await this.#peek(length);
    return { frame: await this.#source.take(length), content };
  }

  #decompress(frame: Uint8Array, content: number): Uint8Array {
    let bytes: Uint8Array;
    try {
      bytes = decompress(frame);
    } catch {
      throw this.#broken('is damaged');
    }
    if (bytes.length !== content) throw this.#broken(`holds ${bytes.length} bytes, but states ${content}`);
    return bytes;
  }

  /** The length of the frame, and the content size that it states. */
  async #measure(): Promise<{ readonly length: number; readonly content: number }> {
    const descriptor = (await this.#peek(5))[4] ?? 0;
    const single = (descriptor >> 5) & 1;
    const sizeBytes = [single, 2, 4, 8][descriptor >> 6] ?? 0;
    if (sizeBytes === 0) {
      throw this.#broken('does not state its size: unpack the file with zstd and tar, and verify the folder');
    }
    const at = 5 + (1 - single) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
    const head = await this.#peek(at + sizeBytes);
    const content =
      sizeBytes === 8
        ? Number(head.readBigUInt64LE(at))
        : head.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    if (content > MOST_BYTES) {
      throw this.#broken(
        `holds ${content} bytes, which is too many: unpack the file with zstd and tar, and verify the folder`,
      );
    }
    let length = at + sizeBytes;
    for (let last = false; !last; ) {
      const block = (await this.#peek(length + 3)).readUIntLE(length, 3);
      const kind = (block >> 1) & 3;
      if (kind === 3) throw this.#broken('is damaged');
      last = (block & 1) === 1;
      length += 3 + (kind === 1 ? 1 : block >> 3);
      if (length > MOST_BYTES) throw this.#broken('is too long');
    }
    return { length: length + ((descriptor >> 2) & 1) * 4, content };
  }

  async #peek(count: number): Promise<Buffer> {
    const bytes = await this.#source.peek(count);
    if (bytes.length < count) throw this.#broken('ends early: the file is not complete', true);
    return bytes;
  }

  #broken(what: string, cut = false): FrameError {
    return new FrameError(`the compressed frame at byte ${this.#start} ${what}`, cut);
  }
}
