/** Row groups that were decoded last: decoding costs far more than reading, and places are asked for again. */
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../files/kept.ts';
import type { PackedGroup } from './packed-group.ts';

/** Larger questions pass through all of a file, and would drive out what smaller ones ask for again. */
const MOST_BYTES_READ = 96 << 10;

export class KeptGroups {
  private readonly groups: Kept<PackedGroup>;

  /** `most`: bytes of memory, as estimated. */
  constructor(most: number) {
    this.groups = new Kept(most);
  }

  get({ entry }: ParquetSource, index: number): PackedGroup | undefined {
    return this.groups.get(`${entry.sha256} ${index}`);
  }

  /** Whether a row group of a question that reads so many bytes in all is worth keeping. */
  wants(read: number): boolean {
    return read <= MOST_BYTES_READ;
  }

  keep({ entry }: ParquetSource, index: number, group: PackedGroup): void {
    this.groups.keep(`${entry.sha256} ${index}`, group, group.bytes);
  }
}
