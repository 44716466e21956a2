/** Files in content codings, compressed once each and kept by their hash. Node only. */
import { createHash } from 'node:crypto';
import type { Coding } from '../answer.ts';
import { Gate } from './gate.ts';
import { Kept } from '../files/kept.ts';
import { CODERS } from './coders.ts';

export interface CodedFile {
  readonly bytes: Uint8Array;
  /** Of the coded bytes. */
  readonly sha256: string;
}

/** Levels at which 1.6 MB of rows take some 20 ms. The next ones take twice as long and save 3 %. */
const LEVELS: Readonly<Record<Coding, number>> = { zstd: 6, br: 5, gzip: 6 };

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
      const bytes = await CODERS[coding].whole(await read(), LEVELS[coding]);
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
