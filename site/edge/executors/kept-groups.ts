/** A cache of decoded row groups. Decoding costs far more than reading, and readers ask for the same places again. */
import type { ParquetSource } from '../../query/table.ts';
import { Kept } from '../files/kept.ts';
import { KeptText } from './kept-text.ts';
import type { PackedGroup } from './packed-group.ts';

/** A larger scan passes through a whole file, and would push the groups of smaller scans out of the cache. */
const MOST_BYTES_READ = 96 << 10;

export class KeptGroups {
  readonly text: KeptText;
  private readonly groups: Kept<PackedGroup>;

  /** Both are estimates of memory, in bytes: for values, and for their text. */
  constructor(most: number, mostText: number) {
    this.groups = new Kept(most);
    this.text = new KeptText(mostText);
  }

  get(source: ParquetSource, index: number): PackedGroup | undefined {
    return this.groups.get(this.key(source, index));
  }

  key({ entry }: ParquetSource, index: number): string {
    return `${entry.sha256} ${index}`;
  }

  /** Whether the groups of a scan are worth keeping. `read`: the bytes that the whole scan reads. */
  wants(read: number): boolean {
    return read <= MOST_BYTES_READ;
  }

  keep(source: ParquetSource, index: number, group: PackedGroup): void {
    this.groups.keep(this.key(source, index), group, group.bytes);
  }
}
