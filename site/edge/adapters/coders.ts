/** Compressors of content codings. Node only. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Coding } from '../answer.ts';

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

/** What this Node can write, the best first. */
export const CODINGS: readonly Coding[] =
  zstdCompress === undefined ? ['br', 'gzip'] : ['zstd', 'br', 'gzip'];

export interface Coder {
  readonly whole: (bytes: Uint8Array, level: number) => Promise<Uint8Array>;
  readonly stream: (level: number) => Transform;
}

export const CODERS: Readonly<Record<Coding, Coder>> = {
  zstd: {
    whole: (bytes, level) => promisify(zstdCompress!)(bytes, zstdOptions(level)),
    stream: level => createZstdCompress!(zstdOptions(level)),
  },
  br: {
    whole: (bytes, level) =>
      promisify(zlib.brotliCompress)(bytes, {
        params: { [BROTLI_PARAM_QUALITY]: level, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
        chunkSize,
      }),
    stream: level => zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: level }, chunkSize }),
  },
  gzip: {
    whole: (bytes, level) => promisify(zlib.gzip)(bytes, { level, chunkSize }),
    stream: level => zlib.createGzip({ level, chunkSize }),
  },
};
