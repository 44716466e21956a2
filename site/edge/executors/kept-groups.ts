/** Row groups that were decoded last: decoding costs far more than reading, and places are asked for again. */
import type { ColumnValues } from '../../query/encode.ts';
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../kept.ts';

/** All columns of a row group. */
export type DecodedGroup = readonly ColumnValues[];

/** What a value takes in memory, about: a pointer, and for half of them what it points to. */
const BYTES_A_VALUE = 16;

/** Larger questions pass through all of a file, and would drive out what smaller ones ask for again. */
const MOST_BYTES_READ = 96 << 10;

export class KeptGroups {
  private readonly groups: Kept<DecodedGroup>;

  /** `most`: bytes of memory, as estimated. */
  constructor(most: number) {
    this.groups = new Kept(most);
  }

  get({ entry }: ParquetSource, index: number): DecodedGroup | undefined {
    return this.groups.get(`${entry.sha256} ${index}`);
  }

  /** `read`: bytes of row groups that the question reads in all. */
  keep({ entry }: ParquetSource, index: number, columns: DecodedGroup, read: number): void {
    if (read > MOST_BYTES_READ) return;
    const size = columns.length * (entry.row_groups[index]?.rows ?? 0) * BYTES_A_VALUE;
    this.groups.keep(`${entry.sha256} ${index}`, columns, size);
  }
}
