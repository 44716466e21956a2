/** Reads, checks, decodes and keeps the columns of row groups that an answer needs. */
import { type FileMetaData, parquetScan, type SchemaElement } from 'hyparquet';
import { decompressZstd } from 'hyparquet-compressors';
import type { RowColumn, RowGroup } from '../../../build/format/manifest.ts';
import { dateText, timestampText } from '../../../build/format/time-text.ts';
import type { ColumnValues, LineKind } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
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
        const from = file.entry.row_groups[index]!.start - (read?.start ?? 0);
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

  /** All columns. Throws TreeMismatch. */
  async chunks(ref: GroupRef): Promise<readonly ColumnChunk[]> {
    const group = { ...ref, decoded: this.options.cache.group(ref.file, ref.index), bytes: null };
    const { decoded } = await this.need(group, [...this.columns.keys()]);
    return decoded.chunks as readonly ColumnChunk[];
  }

  /** All columns as text. Throws TreeMismatch. */
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

/** Published Parquet is zstd: FORMAT.md section 2. */
const compressors = {
  ZSTD: (input: Uint8Array, length: number) => decompressZstd(input, new Uint8Array(length)),
};

/** `bytes`: of the row group. Returns a reader of the column at a position. */
async function openRowGroup(
  columns: readonly RowColumn[],
  group: RowGroup,
  bytes: Uint8Array,
): Promise<(position: number) => Promise<ColumnValues>> {
  const base = bytes.byteOffset - group.start;
  const end = group.sizes.reduce((sum, size) => sum + size, group.start);
  const file = {
    byteLength: end,
    slice: (from: number, to: number = end) => bytes.buffer.slice(base + from, base + to) as ArrayBuffer,
  };
  const metadata = describeRowGroup(columns, group);
  const scan = await parquetScan({ file, metadata, compressors, useOffsetIndex: false });
  return async position => {
    const { name, type, parquet } = columns[position]!;
    const wanted = { column: name, rowStart: 0, rowEnd: group.rows };
    const values: ArrayLike<unknown> = await scan.readColumn(wanted);
    if (values.length !== group.rows)
      throw new Error(`column ${name} has ${values.length} of ${group.rows} rows`);
    if (type === 'date') return texts(values, days => dateText(days as number));
    if (type === 'timestamp') return texts(values, micros => timestampText(micros as bigint));
    return parquet === 'INT64' ? Array.from(values, toNumber) : (values as ColumnValues);
  };
}

/**
 * The footer of a file with only this row group. The manifest has its positions, so the real footer isn't
 * read. All columns are OPTIONAL.
 */
function describeRowGroup(columns: readonly RowColumn[], group: RowGroup): FileMetaData {
  const rows = BigInt(group.rows);
  let start = group.start;
  const chunks = columns.map((column, index) => {
    const offset = BigInt(start);
    const size = group.sizes[index] ?? 0;
    start += size;
    return {
      file_offset: offset,
      meta_data: {
        type: column.parquet,
        encodings: [],
        path_in_schema: [column.name],
        codec: 'ZSTD' as const,
        num_values: rows,
        total_uncompressed_size: 0n,
        total_compressed_size: BigInt(size),
        data_page_offset: offset,
      },
    };
  });
  return {
    version: 2,
    schema: [{ name: 'schema', num_children: columns.length }, ...columns.map(describeColumn)],
    num_rows: rows,
    row_groups: [{ columns: chunks, total_byte_size: 0n, num_rows: rows }],
    metadata_length: 0,
  };
}

function describeColumn({ name, parquet }: RowColumn): SchemaElement {
  const element: SchemaElement = { name, type: parquet, repetition_type: 'OPTIONAL' };
  return parquet === 'BYTE_ARRAY' ? { ...element, converted_type: 'UTF8' } : element;
}

/** Each distinct value is converted once: sorted rows repeat them. */
function texts(values: ArrayLike<unknown>, toText: (value: unknown) => string): Value[] {
  const known = new Map<unknown, string>();
  return Array.from(values, value => {
    if (value === null || value === undefined) return null;
    const text = known.get(value) ?? toText(value);
    known.set(value, text);
    return text;
  });
}

function toNumber(value: unknown): Value {
  return value === null || value === undefined ? null : Number(value);
}
