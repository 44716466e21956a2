/** Compresses answers and files. Node only. */
import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { type Body, type CodedFile, type Coding, type Codings, readWhole } from '../answer.ts';
import { Kept } from '../files/kept.ts';

interface ZstdOptions {
  readonly params: Readonly<Record<number, number>>;
  readonly chunkSize: number;
}

/** Node has it since 22.15; the types of Node 20 don't know it. */
const { createZstdCompress, constants } = zlib as unknown as {
  readonly createZstdCompress?: (options: ZstdOptions) => Transform;
  readonly constants: { readonly ZSTD_c_compressionLevel?: number };
};

const chunkSize = 64 << 10;

interface Coder {
  readonly start: (level: number) => Transform;
  /**
   * For answers: 1.6 MB of rows take 3 to 5 ms, less than making them. Brotli gains nothing below its slow
   * levels.
   */
  readonly quick: number;
  /** For files, which are kept: 1.6 MB take about 20 ms. The next level takes twice as long and saves 3 %. */
  readonly small: number;
}

const CODERS: Readonly<Record<Coding, Coder>> = {
  zstd: {
    start: level =>
      createZstdCompress!({ params: { [constants.ZSTD_c_compressionLevel!]: level }, chunkSize }),
    quick: 3,
    small: 6,
  },
  br: {
    start: level =>
      zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: level }, chunkSize }),
    quick: 1,
    small: 5,
  },
  gzip: { start: level => zlib.createGzip({ level, chunkSize }), quick: 5, small: 6 },
};

/** Files are compressed once and kept by hash. `most`: bytes of compressed files in memory. */
export function createCodings(most: number): Codings {
  const kept = new Kept<Promise<CodedFile>>(most);
  let last: Promise<unknown> = Promise.resolve();
  return {
    offered: createZstdCompress === undefined ? ['br', 'gzip'] : ['zstd', 'br', 'gzip'],
    encode: async (body, coding) => {
      const { start, quick } = CODERS[coding];
      const coded = encodeParts(body, () => start(quick));
      return body instanceof Uint8Array ? readWhole(coded) : coded;
    },
    encodeFile: (sha256, coding, read) => {
      const key = `${sha256} ${coding}`;
      const known = kept.get(key);
      if (known) return known;
      const { start, small } = CODERS[coding];
      // One file at a time: compression uses the threads that Node reads files with.
      const coded = last.then(async () => {
        const bytes = await readWhole(encodeParts(await read(), () => start(small)));
        return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
      });
      kept.keep(key, coded, 0);
      last = coded.then(
        ({ bytes }) => kept.keep(key, coded, bytes.length),
        () => kept.drop(key),
      );
      return coded;
    },
  };
}

/** Starts when the first part is requested, since HEAD requests none, and stops when the consumer stops. */
async function* encodeParts(body: Body, start: () => Transform): AsyncGenerator<Uint8Array> {
  const coder = start();
  const parts = body instanceof Uint8Array ? [body] : body;
  // The coder reports its failure.
  const fed = pipeline(parts, coder).catch(() => undefined);
  try {
    yield* coder as AsyncIterable<Uint8Array>;
  } finally {
    await fed;
  }
}
