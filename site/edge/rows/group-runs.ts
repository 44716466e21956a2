/** Reads the row groups of a plan in few requests: neighbours together, and some requests ahead of the decoding. */
import type { ScanSource } from '../../query/plan.ts';

/** The most bytes of neighbouring row groups in one read. */
const MOST_BYTES_A_READ = 1 << 20;

/** The most bytes of the first read. The next may have twice as many, since the first often has the whole page. */
const FIRST_BYTES = 64 << 10;

/**
 * The most reads under way at once. A host that is far from its files then takes the time of its slowest read, not of
 * their sum. The first read runs alone, since it often has the whole page.
 */
const READS_AHEAD = 4;

/** Neighbouring row groups of one file. */
export interface Run {
  readonly source: ScanSource;
  readonly groups: readonly number[];
}

export function planRuns(sources: readonly ScanSource[]): readonly Run[] {
  const runs: Run[] = [];
  let most = FIRST_BYTES;
  for (const source of sources) {
    let run: { source: ScanSource; groups: number[]; start: number; end: number } | null = null;
    for (const index of source.groups) {
      const { start } = source.file.entry.row_groups[index]!;
      const end = start + source.file.groupBytes[index]!;
      if (run && run.end === start && end - run.start <= most) {
        run.groups.push(index);
        run.end = end;
      } else {
        if (run) most = Math.min(MOST_BYTES_A_READ, most * 2);
        run = { source, groups: [index], start, end };
        runs.push(run);
      }
    }
  }
  return runs;
}

/** Reads in order, a few at once. Reads that are under way when the reader stops are abandoned. */
export async function* readAhead<Item, Content>(
  items: readonly Item[],
  read: (item: Item) => Promise<Content>,
): AsyncGenerator<[Item, Content]> {
  const waiting: Promise<Content>[] = [];
  let next = 0;
  let ahead = 1;
  for (const item of items) {
    while (next < items.length && waiting.length < ahead) {
      const promise = read(items[next++]!);
      promise.catch(() => undefined);
      waiting.push(promise);
    }
    yield [item, await waiting.shift()!];
    ahead = Math.min(READS_AHEAD, ahead * 2);
  }
}
