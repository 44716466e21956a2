/** Reads, checks and decodes the columns of row groups that an answer needs, and keeps them. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { LineKind } from '../../query/encode.ts';
import type { ScanSource } from '../../query/plan.ts';
import type { ParquetSource } from '../../query/table.ts';
import { type ByteRange, type Files, TreeMismatch } from '../files/files.ts';
import { readListed } from '../files/proof.ts';
import {
  type ColumnCache,
  ColumnChunk,
  type DecodedGroup,
  joinColumns,
  type TextRun,
} from './column-cache.ts';
import { planRuns, type Run, readAhead } from './group-runs.ts';
import { openRowGroup } from './row-group.ts';

/** A row group of a file. */
export interface GroupRef {
  readonly file: ParquetSource;
  readonly index: number;
}

export interface OpenGroup extends GroupRef {
  readonly decoded: DecodedGroup;
  /** The stored bytes; null if they weren't needed so far. */
  readonly bytes: Uint8Array | null;
}

export interface ReaderOptions {
  readonly files: Files;
  readonly cache: ColumnCache;
  readonly signal: AbortSignal | undefined;
  /** Waits at the end of a turn, on a host whose requests take turns; null before. */
  readonly endOfTurn?: (() => Promise<void> | null) | undefined;
}

export class GroupReader {
  readonly columns: readonly RowColumn[];
  private readonly options: ReaderOptions;

  constructor(columns: readonly RowColumn[], options: ReaderOptions) {
    this.columns = columns;
    this.options = options;
  }

  /** Lets others have a turn. */
  endOfTurn(): Promise<void> | null {
    return this.options.endOfTurn?.() ?? null;
  }

  /** The row groups of a scan in their order, each with the columns at `positions`. Throws TreeMismatch. */
  async *open(sources: readonly ScanSource[], positions: readonly number[]): AsyncGenerator<OpenGroup> {
    const reads = readAhead(planRuns(sources), run => this.readRun(run, positions));
    for await (const [run, read] of reads) {
      const { file } = run.source;
      for (const index of run.groups) {
        this.options.signal?.throwIfAborted();
        const from = file.entry.row_groups[index]!.start - (read?.start ?? 0);
        const to = from + file.groupBytes[index]!;
        const bytes = read && from >= 0 && to <= read.bytes.length ? read.bytes.subarray(from, to) : null;
        yield this.need({ file, index, decoded: this.options.cache.group(file, index), bytes }, positions);
        await this.endOfTurn();
      }
    }
  }

  /** The row group with the columns at `positions` decoded. Reads it if its bytes aren't at hand. Throws TreeMismatch. */
  async need(group: OpenGroup, positions: readonly number[]): Promise<OpenGroup> {
    const { file, index, decoded } = group;
    if (!lacks(decoded, positions)) return group;
    const entry = file.entry.row_groups[index]!;
    const range = { start: entry.start, end: entry.start + file.groupBytes[index]! };
    const bytes = group.bytes ?? (await this.read(file, range));
    try {
      const readColumn = await openRowGroup(this.columns, entry, bytes);
      for (const position of positions)
        decoded.chunks[position] ??= new ColumnChunk(await readColumn(position));
    } catch (error) {
      throw new TreeMismatch(
        file.path,
        `cannot be decoded: ${error instanceof Error ? error.message : error}`,
      );
    }
    this.options.cache.weigh(decoded);
    return { ...group, bytes };
  }

  /** The chunks of all columns of a row group. Throws TreeMismatch. */
  async chunks(ref: GroupRef): Promise<readonly ColumnChunk[]> {
    const group = { ...ref, decoded: this.options.cache.group(ref.file, ref.index), bytes: null };
    const { decoded } = await this.need(group, [...this.columns.keys()]);
    return decoded.chunks as readonly ColumnChunk[];
  }

  /** All columns of a row group, as they are written in a format. Throws TreeMismatch. */
  async textRuns(ref: GroupRef, kind: LineKind): Promise<readonly TextRun[]> {
    const decoded = this.options.cache.group(ref.file, ref.index);
    if (decoded.runs.length === 0 || !decoded.runs[0]!.has(kind)) {
      const chunks = await this.chunks(ref);
      if (decoded.runs.length === 0) decoded.runs = joinColumns(chunks);
      for (const run of decoded.runs) run.texts(kind);
      this.options.cache.weigh(decoded);
    }
    return decoded.runs;
  }

  /** Reads from the first row group that lacks a column to the last one; null if none does. */
  private async readRun({ source: { file }, groups }: Run, positions: readonly number[]) {
    const lacking = groups.filter(index => lacks(this.options.cache.group(file, index), positions));
    const [first, last] = [lacking[0], lacking.at(-1)];
    if (first === undefined || last === undefined) return null;
    const { start } = file.entry.row_groups[first]!;
    const end = file.entry.row_groups[last]!.start + file.groupBytes[last]!;
    return { start, bytes: await this.read(file, { start, end }) };
  }

  private read(file: ParquetSource, range: ByteRange): Promise<Uint8Array> {
    const { files, signal } = this.options;
    return readListed(files, file, range, signal);
  }
}

function lacks({ chunks }: DecodedGroup, positions: readonly number[]): boolean {
  return positions.some(position => chunks[position] === undefined);
}
