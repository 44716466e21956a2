/**
 * The edge's cache of decoded column chunks, by the hash of their file, their row group and their column. A published
 * file never changes, so nothing in it ever becomes wrong. Row groups that nobody has asked for the longest go first.
 */
import type { ParquetSource } from '../../query/table.ts';
import type { ColumnChunk } from './column-chunk.ts';
import type { TextRun } from './text-run.ts';

/** The columns of a row group that were decoded so far, by position. */
export interface DecodedGroup {
  readonly key: string;
  readonly chunks: (ColumnChunk | undefined)[];
  /** All columns as they are written; empty until a line is needed. */
  runs: readonly TextRun[];
}

interface Entry extends DecodedGroup {
  bytes: number;
}

/** An estimate of what a row group takes besides its chunks. */
const OVERHEAD = 512;

export class ColumnCache {
  /** In the order in which they were last asked for. */
  private readonly groups = new Map<string, Entry>();
  private readonly most: number;
  private held = 0;

  /** `most`: an estimate of memory, in bytes. */
  constructor(most: number) {
    this.most = most;
  }

  /** An estimate of the memory that the chunks take. */
  get bytes(): number {
    return this.held;
  }

  group(file: ParquetSource, index: number): DecodedGroup {
    const key = `${file.entry.sha256} ${index}`;
    const known = this.groups.get(key);
    const entry = known ?? { key, chunks: [], runs: [], bytes: 0 };
    // The last asked for is the last of the map.
    if (known) this.groups.delete(key);
    this.groups.set(key, entry);
    return entry;
  }

  /** To be called when chunks or texts were added to a group. */
  weigh(group: DecodedGroup): void {
    const entry = this.groups.get(group.key);
    if (entry !== group) return;
    const parts = [...group.chunks, ...group.runs];
    const bytes = parts.reduce((sum, part) => sum + (part?.bytes ?? 0), OVERHEAD);
    this.held += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const [key, oldest] of this.groups) {
      if (this.held <= this.most) break;
      this.groups.delete(key);
      this.held -= oldest.bytes;
    }
  }
}
