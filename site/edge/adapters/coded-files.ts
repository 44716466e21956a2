/** Files in content codings, compressed once each and kept by their hash. Node only. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Coding } from '../answer.ts';
import { Gate } from '../executors/gate.ts';
import { Kept } from '../files/kept.ts';

export interface CodedFile {
  readonly bytes: Uint8Array;
  /** Of the coded bytes. */
  readonly sha256: string;
}

/** Node has it from 22.15 on, and the types of Node 20 do not know it. */
const { zstdCompress, constants } = zlib as unknown as {
  readonly zstdCompress?: (
    bytes: Uint8Array,
    options: { readonly params: Readonly<Record<number, number>> },
    done: (error: Error | null, coded: Uint8Array) => void,
  ) => void;
  readonly constants: { readonly ZSTD_c_compressionLevel?: number };
};

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;

/** Levels at which 1.6 MB of rows take some 20 ms. The next ones take twice as long and save 3 %. */
const COMPRESS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: bytes => promisify(zstdCompress!)(bytes, { params: { [constants.ZSTD_c_compressionLevel!]: 6 } }),
  br: bytes =>
    promisify(zlib.brotliCompress)(bytes, {
      params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: bytes => promisify(zlib.gzip)(bytes, { level: 6 }),
};

/** What this Node can write, the best first. */
export const CODINGS: readonly Coding[] =
  zstdCompress === undefined ? ['br', 'gzip'] : ['zstd', 'br', 'gzip'];

/** Files compressed at once: Node reads files with the same few threads. */
const MOST_AT_ONCE = 2;

export class CodedFiles {
  private readonly files: Kept<CodedFile>;
  private readonly gate = new Gate(MOST_AT_ONCE);
  private readonly underWay = new Map<string, Promise<CodedFile>>();

  /** `most`: bytes of compressed files in memory. */
  constructor(most: number) {
    this.files = new Kept(most);
  }

  /** `read` gives the bytes that have the hash. */
  async get(sha256: string, coding: Coding, read: () => Promise<Uint8Array>): Promise<CodedFile> {
    const key = `${sha256} ${coding}`;
    const known = this.files.get(key) ?? this.underWay.get(key);
    if (known) return known;
    const work = this.gate.pass(async () => {
      const bytes = await COMPRESS[coding](await read());
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
    this.underWay.set(key, work);
    try {
      const coded = await work;
      this.files.keep(key, coded, coded.bytes.length);
      return coded;
    } finally {
      this.underWay.delete(key);
    }
  }
}
