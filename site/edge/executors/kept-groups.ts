/** A cache of decoded row groups. Decoding costs far more than reading, and readers ask for the same places again. */
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../files/kept.ts';
import type { PackedGroup } from './packed-group.ts';

/** A larger scan passes through a whole file, and would push the groups of smaller scans out of the cache. */
const MOST_BYTES_READ = 96 << 10;

export class KeptGroups {
  private readonly groups: Kept<PackedGroup>;

  /** `most`: an estimate of memory, in bytes. */
  constructor(most: number) {
    this.groups = new Kept(most);
  }

  get({ entry }: ParquetSource, index: number): PackedGroup | undefined {
    return this.groups.get(`${entry.sha256} ${index}`);
  }

  /** Whether the groups of a scan are worth keeping. `read`: the bytes that the whole scan reads. */
  wants(read: number): boolean {
    return read <= MOST_BYTES_READ;
  }

  keep({ entry }: ParquetSource, index: number, group: PackedGroup): void {
    this.groups.keep(`${entry.sha256} ${index}`, group, group.bytes);
  }
}
