/** Content codings of bodies and files. Node only. */
import { createHash } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Body, Coding, Codings } from '../answer.ts';
import { Kept } from '../files/kept.ts';

interface ZstdOptions {
  readonly params: Readonly<Record<number, number>>;
  readonly chunkSize: number;
}

/** Node has it from 22.15 on, and the types of Node 20 do not know it. */
const { zstdCompress, createZstdCompress, constants } = zlib as unknown as {
  readonly zstdCompress?: (
    bytes: Uint8Array,
    options: ZstdOptions,
    done: (error: Error | null, coded: Uint8Array) => void,
  ) => void;
  readonly createZstdCompress?: (options: ZstdOptions) => Transform;
  readonly constants: { readonly ZSTD_c_compressionLevel?: number };
};

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;

const chunkSize = 64 << 10;
const zstdOptions = (level: number) => ({
  params: { [constants.ZSTD_c_compressionLevel!]: level },
  chunkSize,
});

interface Coder {
  readonly whole: (bytes: Uint8Array, level: number) => Promise<Uint8Array>;
  readonly stream: (level: number) => Transform;
  /** The level of answers: 1.6 MB of rows take 3 to 5 ms, less than making them. Brotli gains nothing before its slow levels. */
  readonly quick: number;
  /** The level of files, which are kept: 1.6 MB take some 20 ms. The next level takes twice as long and saves 3 %. */
  readonly small: number;
}

const CODERS: Readonly<Record<Coding, Coder>> = {
  zstd: {
    whole: (bytes, level) => promisify(zstdCompress!)(bytes, zstdOptions(level)),
    stream: level => createZstdCompress!(zstdOptions(level)),
    quick: 3,
    small: 6,
  },
  br: {
    whole: (bytes, level) =>
      promisify(zlib.brotliCompress)(bytes, {
        params: { [BROTLI_PARAM_QUALITY]: level, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
        chunkSize,
      }),
    stream: level => zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: level }, chunkSize }),
    quick: 1,
    small: 5,
  },
  gzip: {
    whole: (bytes, level) => promisify(zlib.gzip)(bytes, { level, chunkSize }),
    stream: level => zlib.createGzip({ level, chunkSize }),
    quick: 5,
    small: 6,
  },
};

/** What this Node can write, and how it codes answers made of rows while they are made. */
export const CODINGS: Codings = {
  offered: zstdCompress === undefined ? ['br', 'gzip'] : ['zstd', 'br', 'gzip'],
  encode: async (body, coding) => {
    const { whole, stream, quick } = CODERS[coding];
    return body instanceof Uint8Array ? whole(body, quick) : encodeParts(body, () => stream(quick));
  },
};

/** Starts nothing before the first part is taken, since HEAD takes none, and reads no more once nobody takes them. */
async function* encodeParts(
  parts: Exclude<Body, Uint8Array>,
  start: () => Transform,
): AsyncGenerator<Uint8Array> {
  const coder = start();
  // Its failure is the coder's too.
  const fed = pipeline(Readable.from(parts, { objectMode: false }), coder).catch(() => undefined);
  try {
    yield* coder as AsyncIterable<Uint8Array>;
  } finally {
    await fed;
  }
}

export interface CodedFile {
  readonly bytes: Uint8Array;
  /** Of the coded bytes. */
  readonly sha256: string;
}

/** Files compressed at once: Node reads files with the same few threads. */
const MOST_AT_ONCE = 2;

/** Files in content codings, compressed once each and kept by their hash. */
export class CodedFiles {
  private readonly files: Kept<CodedFile>;
  private readonly underWay = new Map<string, Promise<CodedFile>>();
  private free = MOST_AT_ONCE;
  private readonly waiting: (() => void)[] = [];

  /** `most`: bytes of compressed files in memory. */
  constructor(most: number) {
    this.files = new Kept(most);
  }

  /** `read` gives the bytes that have the hash. */
  async get(sha256: string, coding: Coding, read: () => Promise<Uint8Array>): Promise<CodedFile> {
    const key = `${sha256} ${coding}`;
    const known = this.files.get(key) ?? this.underWay.get(key);
    if (known) return known;
    const work = this.encode(coding, read);
    this.underWay.set(key, work);
    try {
      const coded = await work;
      this.files.keep(key, coded, coded.bytes.length);
      return coded;
    } finally {
      this.underWay.delete(key);
    }
  }

  /** The others wait their turn, first come, first served. */
  private async encode(coding: Coding, read: () => Promise<Uint8Array>): Promise<CodedFile> {
    if (this.free > 0) this.free--;
    else await new Promise<void>(done => this.waiting.push(done));
    try {
      const { whole, small } = CODERS[coding];
      const bytes = await whole(await read(), small);
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
