/** The cache of decoded columns, and the dictionaries that they share. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../files/kept.ts';
import type { ColumnChunk } from './column-chunk.ts';
import { type Codes, Dictionary, MOST_SHARED } from './dictionary.ts';

/** The columns decoded so far, by position. */
export interface DecodedGroup {
  readonly key: string;
  readonly chunks: (ColumnChunk | undefined)[];
  /** All columns, some joined; null if texts needed few of the rows so far. */
  joined: readonly ColumnChunk[] | null;
  /** Rows that texts needed. */
  needed: number;
}

/**
 * Estimated bytes of a row group besides its chunks, and of a value with its texts and its share of the garbage that
 * the process holds: it keeps within the cache's memory and 250 MB.
 */
const OVERHEAD = 512;
const BYTES_A_VALUE = 160;

/** Keyed by file hash, row group and column. Published files never change, so entries stay valid. */
export class ColumnCache {
  private readonly groups: Kept<DecodedGroup>;
  private readonly isEmpty: boolean;
  /** They live as long as a row group in the cache needs them. */
  private readonly dictionaries = new WeakMap<RowColumn, WeakRef<Dictionary>>();

  /** `most`: estimated bytes. */
  constructor(most: number) {
    this.isEmpty = most === 0;
    this.groups = new Kept(most);
  }

  group(file: ParquetSource, index: number): DecodedGroup {
    const key = `${file.sha256} ${index}`;
    const known = this.groups.get(key);
    if (known) return known;
    const group: DecodedGroup = { key, chunks: [], joined: null, needed: 0 };
    this.groups.keep(key, group, OVERHEAD);
    return group;
  }

  /** For the next chunk of a column. */
  dictionary(column: RowColumn, position: number): Dictionary {
    const known = this.dictionaries.get(column)?.deref();
    if (known && known.size <= MOST_SHARED && !this.isEmpty) return known;
    const dictionary = new Dictionary((value, encoders) => encoders[position]!(value));
    this.dictionaries.set(column, new WeakRef(dictionary));
    return dictionary;
  }

  /** Call it after adding chunks to a group. */
  weigh(group: DecodedGroup): void {
    if (this.groups.get(group.key) !== group) return;
    const codes = new Set<Codes>();
    let bytes = OVERHEAD;
    for (const chunk of [...group.chunks, ...(group.joined ?? [])]) {
      bytes += (chunk?.added ?? 0) * BYTES_A_VALUE;
      if (chunk) codes.add(chunk.codes);
    }
    for (const { byteLength } of codes) bytes += byteLength;
    this.groups.keep(group.key, group, bytes);
  }
}
