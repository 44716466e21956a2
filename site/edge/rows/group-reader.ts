/** Reads, checks and decodes the columns of row groups that an answer needs, and keeps them. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { LineKind } from '../../query/encode.ts';
import type { ScanSource } from '../../query/plan.ts';
import type { ParquetSource } from '../../query/table.ts';
import type { Files } from '../files/files.ts';
import { readListed } from '../files/proof.ts';
import {
  type ColumnCache,
  ColumnChunk,
  type DecodedGroup,
  joinColumns,
  type TextRun,
} from './column-cache.ts';
import { planRuns, type Run, readAhead } from './group-runs.ts';
import { openRowGroup, undecodable } from './row-group.ts';

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
  private readonly files: Files;
  private readonly cache: ColumnCache;
  private readonly signal: AbortSignal | undefined;
  /** Lets others have a turn. */
  readonly endOfTurn: () => Promise<void> | null;

  constructor(columns: readonly RowColumn[], { files, cache, signal, endOfTurn }: ReaderOptions) {
    this.columns = columns;
    this.files = files;
    this.cache = cache;
    this.signal = signal;
    this.endOfTurn = endOfTurn ?? (() => null);
  }

  /** The row groups of a scan in their order, each with the columns at `positions`. Throws TreeMismatch. */
  async *open(refs: readonly GroupRef[], positions: readonly number[]): AsyncGenerator<OpenGroup> {
    const missing = refs.filter(({ file, index }) => lacks(this.cache.group(file, index), positions));
    const reads = readAhead(planRuns(bySource(missing)), run => this.readRun(run, positions));
    let read: { readonly run: Run; readonly bytes: Uint8Array | null } | null = null;
    const planned = new Set(missing);
    try {
      for (const ref of refs) {
        this.signal?.throwIfAborted();
        let bytes: Uint8Array | null = null;
        if (planned.has(ref)) {
          while (!read || read.run.source.file !== ref.file || !read.run.groups.includes(ref.index)) {
            const next = await reads.next();
            if (next.done) throw new Error('A row group was planned and not read.');
            read = { run: next.value[0], bytes: next.value[1] };
          }
          const start = ref.file.entry.row_groups[ref.index]!.start - read.run.start;
          bytes = read.bytes?.subarray(start, start + ref.file.groupBytes[ref.index]!) ?? null;
        }
        yield this.need({ ...ref, decoded: this.cache.group(ref.file, ref.index), bytes }, positions);
        await this.endOfTurn();
      }
    } finally {
      await reads.return(undefined);
    }
  }

  /** The row group with the columns at `positions` decoded. Reads it if its bytes aren't at hand. Throws TreeMismatch. */
  async need(group: OpenGroup, positions: readonly number[]): Promise<OpenGroup> {
    const { file, index, decoded } = group;
    if (!lacks(decoded, positions)) return group;
    const entry = file.entry.row_groups[index]!;
    const range = { start: entry.start, end: entry.start + file.groupBytes[index]! };
    const bytes = group.bytes ?? (await readListed(this.files, file, range, this.signal));
    try {
      const reader = await openRowGroup(this.columns, entry, bytes, 0);
      for (const position of positions)
        decoded.chunks[position] ??= new ColumnChunk(await reader.column(position));
    } catch (error) {
      throw undecodable(file.path, error);
    }
    this.cache.weigh(decoded);
    return { ...group, bytes };
  }

  /** The chunks of all columns of a row group. Throws TreeMismatch. */
  async chunks(ref: GroupRef): Promise<readonly ColumnChunk[]> {
    const group = { ...ref, decoded: this.cache.group(ref.file, ref.index), bytes: null };
    const { decoded } = await this.need(group, [...this.columns.keys()]);
    return decoded.chunks as readonly ColumnChunk[];
  }

  /** All columns of a row group, as they are written in a format. Throws TreeMismatch. */
  async textRuns(ref: GroupRef, kind: LineKind): Promise<readonly TextRun[]> {
    const decoded = this.cache.group(ref.file, ref.index);
    if (decoded.runs.length === 0 || !decoded.runs[0]!.has(kind)) {
      const chunks = await this.chunks(ref);
      if (decoded.runs.length === 0) decoded.runs = joinColumns(chunks);
      for (const run of decoded.runs) run.texts(kind);
      this.cache.weigh(decoded);
    }
    return decoded.runs;
  }

  /** Null if another request has decoded the row groups meanwhile. */
  private async readRun(run: Run, positions: readonly number[]): Promise<Uint8Array | null> {
    const { file } = run.source;
    if (!run.groups.some(index => lacks(this.cache.group(file, index), positions))) return null;
    return readListed(this.files, file, run, this.signal);
  }
}

function lacks({ chunks }: DecodedGroup, positions: readonly number[]): boolean {
  return positions.some(position => chunks[position] === undefined);
}

/** Neighbours of one file together. */
function bySource(refs: readonly GroupRef[]): readonly ScanSource[] {
  const sources: { file: ParquetSource; groups: number[] }[] = [];
  for (const { file, index } of refs) {
    const last = sources.at(-1);
    if (last?.file === file) last.groups.push(index);
    else sources.push({ file, groups: [index] });
  }
  return sources;
}
