/**
 * Zstandard, in frames that are independent of each other: memory does not grow with a file, and any program that
 * knows Zstandard reads frame after frame as one stream. The compressor is the WebAssembly that the project pins, so
 * that the same bytes come out on every machine.
 */
import { compress, decompress, init } from '@bokuweb/zstd-wasm';
import { ByteSource } from './byte-source.ts';

/** Bytes of the stream that a frame holds. */
const FRAME_BYTES = 4 << 20;
/** The most that a frame of anybody's may hold: more is nothing that a snapshot wrote. */
const MOST_BYTES = 64 << 20;
const LEVEL = 9;
const MAGIC = 0xfd2fb528;

let started: Promise<void> | undefined;

/** Before the first use of the library. Once: a second start would take the memory from under the first. */
export function startZstd(): Promise<void> {
  started ??= init();
  return started;
}

/** `left`: what an interrupted writer left, whose frames need not be made again where they hold the same. */
export async function* zstdBytes(
  parts: AsyncIterable<Uint8Array>,
  left: AsyncIterable<Uint8Array> | null = null,
): AsyncGenerator<Uint8Array> {
  await startZstd();
  const frames = new LeftFrames(left);
  try {
    yield* compressed(parts, frames);
  } finally {
    await frames.end();
  }
}

async function* compressed(parts: AsyncIterable<Uint8Array>, frames: LeftFrames): AsyncGenerator<Uint8Array> {
  let frame = new Uint8Array(FRAME_BYTES);
  let length = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const taken = Math.min(part.length - at, FRAME_BYTES - length);
      frame.set(part.subarray(at, at + taken), length);
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

/** Frames that are there already, one after the other, for as long as they are those that would be made. */
class LeftFrames {
  #source: ByteSource | null;
  #first = true;

  constructor(left: AsyncIterable<Uint8Array> | null) {
    this.#source = left && new ByteSource(left);
  }

  /** As compress() makes it, from what is left where that holds the same. */
  async compress(bytes: Uint8Array): Promise<Uint8Array> {
    const found = await this.#next();
    const same = found !== null && Buffer.compare(found.bytes, bytes) === 0;
    if (same && !this.#first) return found.frame;
    const frame = compress(bytes, LEVEL);
    // Another version may compress the same bytes otherwise: the first frame tells whose the others are.
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

/** A stream that is no Zstandard, or breaks off. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  /** Whether the stream ends too early. */
  readonly cut: boolean;

  constructor(message: string, cut = false) {
    super(message);
    this.cut = cut;
  }
}

/**
 * What the frames of a stream hold, frame by frame. Throws FrameError; but where `onDamage` is given, a frame that is
 * damaged within is told, stands as so many zeros, and what follows it is read.
 */
export async function* unzstdBytes(
  parts: AsyncIterable<Uint8Array>,
  onDamage?: (error: FrameError) => void,
): AsyncGenerator<Uint8Array> {
  await startZstd();
  const source = new ByteSource(parts);
  try {
    while ((await source.peek(1)).length > 0) {
      const frame = new FrameReader(source);
      if (await frame.isSkippable()) continue;
      yield await frame.read(onDamage);
    }
  } finally {
    await source.end();
  }
}

/** One frame, found by its headers alone before it is decompressed. */
class FrameReader {
  readonly #source: ByteSource;
  readonly #start: number;

  constructor(source: ByteSource) {
    this.#source = source;
    this.#start = source.position;
  }

  /** A frame of somebody's own data, which is passed over. */
  async isSkippable(): Promise<boolean> {
    const magic = (await this.#peek(4)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 !== 0x184d2a50) {
      if (magic !== MAGIC) throw this.#broken('does not begin as one: this is no Zstandard');
      return false;
    }
    const length = 8 + (await this.#peek(8)).readUInt32LE(4);
    if (length > MOST_BYTES) throw this.#broken('is longer than a frame may be');
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

  /** The frame itself too. */
  async readFrame(): Promise<Frame> {
    const { frame, content } = await this.#take();
    return { frame, bytes: this.#decompress(frame, content) };
  }

  /** The frame, and how much it says it holds. */
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
    if (bytes.length !== content)
      throw this.#broken(`holds ${bytes.length} bytes, not ${content} as it says`);
    return bytes;
  }

  /** Its length, and how much it says it holds. */
  async #measure(): Promise<{ readonly length: number; readonly content: number }> {
    const descriptor = (await this.#peek(5))[4] ?? 0;
    const single = (descriptor >> 5) & 1;
    const sizeBytes = [single, 2, 4, 8][descriptor >> 6] ?? 0;
    if (sizeBytes === 0) {
      throw this.#broken(
        'does not say how much it holds: unpack the file with zstd and tar, and verify the folder',
      );
    }
    const at = 5 + (1 - single) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
    const head = await this.#peek(at + sizeBytes);
    const content =
      sizeBytes === 8
        ? Number(head.readBigUInt64LE(at))
        : head.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    if (content > MOST_BYTES) {
      throw this.#broken(
        `would hold ${content} bytes, more than a frame may: unpack the file with zstd and tar, and verify the folder`,
      );
    }
    let length = at + sizeBytes;
    for (let last = false; !last; ) {
      const block = (await this.#peek(length + 3)).readUIntLE(length, 3);
      const kind = (block >> 1) & 3;
      if (kind === 3) throw this.#broken('is damaged');
      last = (block & 1) === 1;
      length += 3 + (kind === 1 ? 1 : block >> 3);
      if (length > MOST_BYTES) throw this.#broken('is longer than a frame may be');
    }
    return { length: length + ((descriptor >> 2) & 1) * 4, content };
  }

  async #peek(count: number): Promise<Buffer> {
    const bytes = await this.#source.peek(count);
    if (bytes.length < count) throw this.#broken('breaks off: the file is not whole', true);
    return bytes;
  }

  #broken(what: string, cut = false): FrameError {
    return new FrameError(`the compressed frame at byte ${this.#start} ${what}`, cut);
  }
}
