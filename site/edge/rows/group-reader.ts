/** Reads, checks, decodes and keeps the columns of row groups that an answer needs. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { ScanSource } from '../../query/plan.ts';
import type { ParquetSource } from '../../query/table.ts';
import { type ByteRange, type Files, TreeMismatch } from '../files/files.ts';
import { readListed } from '../files/proof.ts';
import type { ColumnCache, DecodedGroup } from './column-cache.ts';
import { type ColumnChunk, decodeColumn, joinColumns } from './column-chunk.ts';

export interface GroupRef {
  readonly file: ParquetSource;
  readonly index: number;
}

export interface OpenGroup extends GroupRef {
  readonly decoded: DecodedGroup;
  /** Null if they weren't needed so far. */
  readonly bytes: Uint8Array | null;
}

export interface ReaderOptions {
  readonly files: Files;
  readonly cache: ColumnCache;
  readonly signal: AbortSignal | undefined;
  /** Waits at the end of a turn if the host's requests take turns; null before. */
  readonly endOfTurn?: (() => Promise<void> | null) | undefined;
}

export class GroupReader {
  readonly columns: readonly RowColumn[];
  private readonly options: ReaderOptions;

  constructor(columns: readonly RowColumn[], options: ReaderOptions) {
    this.columns = columns;
    this.options = options;
  }

  endOfTurn(): Promise<void> | null {
    return this.options.endOfTurn?.() ?? null;
  }

  /** The row groups of a scan in order, each with the columns at `positions`. Throws TreeMismatch. */
  async *open(sources: readonly ScanSource[], positions: readonly number[]): AsyncGenerator<OpenGroup> {
    const reads = readAhead(planRuns(sources), run => this.readRun(run, positions));
    for await (const [run, read] of reads) {
      const { file } = run.source;
      for (const index of run.groups) {
        this.options.signal?.throwIfAborted();
        const from = file.row_groups[index]!.start - (read?.start ?? 0);
        const to = from + file.groupBytes[index]!;
        const bytes = read && from >= 0 && to <= read.bytes.length ? read.bytes.subarray(from, to) : null;
        yield this.need({ file, index, decoded: this.options.cache.group(file, index), bytes }, positions);
        await this.endOfTurn();
      }
    }
  }

  /**
   * Decodes the columns at `positions`, and reads the row group if its bytes aren't at hand. Throws
   * TreeMismatch.
   */
  async need(group: OpenGroup, positions: readonly number[]): Promise<OpenGroup> {
    const { file, index, decoded } = group;
    if (!lacks(decoded, positions)) return group;
    const entry = file.row_groups[index]!;
    const range = { start: entry.start, end: entry.start + file.groupBytes[index]! };
    const bytes = group.bytes ?? (await this.read(file, range));
    let start = 0;
    for (const [position, size] of entry.sizes.entries()) {
      if (positions.includes(position) && !decoded.chunks[position]) {
        const own = bytes.subarray(start, start + size);
        decoded.chunks[position] = this.decode(file, position, own, entry.rows);
      }
      start += size;
    }
    this.options.cache.weigh(decoded);
    return { ...group, bytes };
  }

  /** All columns. Throws TreeMismatch. */
  async chunks(ref: GroupRef): Promise<readonly ColumnChunk[]> {
    return columnsOf(await this.whole(ref));
  }

  /** All columns, for the texts of so many rows. Throws TreeMismatch. */
  async textChunks(ref: GroupRef, rows: number): Promise<readonly ColumnChunk[]> {
    const decoded = await this.whole(ref);
    decoded.needed += rows;
    if (decoded.joined === null && decoded.needed > JOINED_AFTER * ref.file.row_groups[ref.index]!.rows) {
      decoded.joined = joinColumns(columnsOf(decoded));
      this.options.cache.weigh(decoded);
    }
    return decoded.joined ?? columnsOf(decoded);
  }

  private async whole(ref: GroupRef): Promise<DecodedGroup> {
    const group = { ...ref, decoded: this.options.cache.group(ref.file, ref.index), bytes: null };
    const { decoded } = await this.need(group, [...this.columns.keys()]);
    return decoded;
  }

  /** Reads from the first row group that lacks a column to the last one; null if none does. */
  private async readRun({ source: { file }, groups }: Run, positions: readonly number[]) {
    const lacking = groups.filter(index => lacks(this.options.cache.group(file, index), positions));
    const [first, last] = [lacking[0], lacking.at(-1)];
    if (first === undefined || last === undefined) return null;
    const { start } = file.row_groups[first]!;
    const end = file.row_groups[last]!.start + file.groupBytes[last]!;
    return { start, bytes: await this.read(file, { start, end }) };
  }

  private decode(file: ParquetSource, position: number, bytes: Uint8Array, rows: number): ColumnChunk {
    try {
      const column = this.columns[position]!;
      return decodeColumn(column, bytes, rows, this.options.cache.dictionary(column, position));
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new TreeMismatch(file.path, `cannot be decoded: ${reason}`);
    }
  }

  private read(file: ParquetSource, range: ByteRange): Promise<Uint8Array> {
    const { files, signal } = this.options;
    return readListed(files, file, range, signal);
  }
}

/** Joining a row group's columns saves more time than it takes from so many texts of each row on. */
const JOINED_AFTER = 2;

/** Of a group that has all columns. */
function columnsOf({ chunks }: DecodedGroup): readonly ColumnChunk[] {
  return chunks as readonly ColumnChunk[];
}

function lacks({ chunks }: DecodedGroup, positions: readonly number[]): boolean {
  return positions.some(position => chunks[position] === undefined);
}

const MOST_BYTES_A_READ = 1 << 20;

/** The first read often has the whole page. Each following read may be twice as long. */
const FIRST_BYTES = 64 << 10;

/**
 * Reads in progress at once: a distant host then takes the time of its slowest read instead of their sum. The
 * first read runs by itself, since it often has the whole page.
 */
const READS_AHEAD = 4;

/** Neighbouring row groups of one file. */
export interface Run {
  readonly source: ScanSource;
  readonly groups: readonly number[];
}

function planRuns(sources: readonly ScanSource[]): readonly Run[] {
  const runs: Run[] = [];
  let most = FIRST_BYTES;
  for (const source of sources) {
    let run: { source: ScanSource; groups: number[]; start: number; end: number } | null = null;
    for (const index of source.groups) {
      const { start } = source.file.row_groups[index]!;
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

/** Reads in order, some at once. Reads in progress when the consumer stops are abandoned. */
async function* readAhead<Item, Content>(
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
