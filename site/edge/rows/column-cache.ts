/** The cache of decoded columns and their texts. */
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../files/kept.ts';
import type { ColumnChunk } from './column-chunk.ts';

/** The columns decoded so far, by position. */
export interface DecodedGroup {
  readonly key: string;
  readonly chunks: (ColumnChunk | undefined)[];
}

/**
 * Estimated bytes of a row group besides its chunks, of a value with its place in a list and its share of the
 * garbage that the process holds, and of its text: it keeps within the cache's memory and 150 MB.
 */
const OVERHEAD = 512;
const BYTES_A_VALUE = 64;
const BYTES_A_TEXT = 72;

/** Keyed by file hash, row group and column. Published files never change, so entries stay valid. */
export class ColumnCache {
  private readonly groups: Kept<DecodedGroup>;

  /** `most`: estimated bytes. */
  constructor(most: number) {
    this.groups = new Kept(most);
  }

  /** An estimate. */
  get bytes(): number {
    return this.groups.size;
  }

  group(file: ParquetSource, index: number): DecodedGroup {
    const key = `${file.sha256} ${index}`;
    const known = this.groups.get(key);
    if (known) return known;
    const group: DecodedGroup = { key, chunks: [] };
    this.groups.keep(key, group, OVERHEAD);
    return group;
  }

  /** Call it after adding chunks or texts to a group. */
  weigh(group: DecodedGroup): void {
    if (this.groups.get(group.key) !== group) return;
    let bytes = OVERHEAD;
    for (const { codes, values, texts } of group.chunks.filter(chunk => chunk !== undefined))
      bytes += codes.byteLength + values.length * (BYTES_A_VALUE + Object.keys(texts).length * BYTES_A_TEXT);
    this.groups.keep(group.key, group, bytes);
  }
}
