/** Writes a sorted table as Parquet, CSV and JSON pages, and reads each file back to hash it and count its rows. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { asyncBufferFromFile, type ColumnMetaData, parquetMetadataAsync } from 'hyparquet';
import type { Dataset, Dimension, Publisher } from '../contract/dataset.ts';
import {
  type DimensionEnvelope,
  type FactEnvelope,
  PAGE_ROWS,
  type Scalar,
  type TextFormat,
} from '../format/documents.ts';
import { pageHead, pageTail, ROW_SEPARATOR, SAMPLE_NOTICE } from '../format/envelope.ts';
import type {
  DatasetManifest,
  DimensionManifest,
  ParquetFile,
  RowGroup,
  RowsFile,
} from '../format/manifest.ts';
import { NO_YEAR, pageName } from '../format/paths.ts';
import { dateText, timestampText } from '../format/time-text.ts';
import type { Session } from '../lake/database.ts';
import { identifier, literal, numberedRows } from '../lake/sql.ts';
import { digestGroups, digestPublished } from './file-digest.ts';
import type { PublishedColumn } from './row-columns.ts';
import { storedColumns } from './slice-table.ts';
import { csvHeader, csvRow, FAR, jsonRow, type KnownValues, type TextNeeds } from './text-sql.ts';

/** A written file, before its `modified` time is known. */
type Undated<File> = Omit<File, 'modified'>;
export type WrittenRows = Undated<RowsFile>;
export type WrittenParquet = Undated<ParquetFile>;

export interface WrittenSlice extends Readonly<Record<TextFormat, readonly WrittenRows[]>> {
  readonly release: string;
  readonly parquet: WrittenParquet;
}

export interface RowsInput {
  readonly session: Session;
  /** With the rows in published order. */
  readonly table: string;
  readonly rows: number;
  readonly columns: readonly PublishedColumn[];
  readonly keyColumns: readonly string[];
  readonly needsOf: (column: PublishedColumn) => TextNeeds;
  readonly metadata: FooterMetadata;
  /** Names of files are relative to it. */
  readonly folder: string;
}

/** COPY options for finished lines: no quoting, and a delimiter that no line contains. */
const PLAIN_TEXT = "FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER E'\\x01'";

/** `base` is the name without extension, such as `year=2024/schools`. */
export async function writeSlice(
  input: RowsInput,
  base: string,
  groupRows: number,
  envelope: (release: string, page: Page) => FactEnvelope | DimensionEnvelope,
): Promise<WrittenSlice> {
  await mkdir(path.dirname(path.join(input.folder, base)), { recursive: true });
  const { file: parquet, known } = await copyParquet(input, pageName(base, 'parquet'), groupRows);
  const release = parquet.sha256.slice(0, 12);
  const pages = Math.max(1, Math.ceil(input.rows / PAGE_ROWS));
  const json: WrittenRows[] = [];
  for (let i = 0; i < pages; i++) {
    const page = slicePage(base, input.rows, i);
    json.push(await writePage(input, pageName(base, 'json', i + 1), page, envelope(release, page), known));
  }
  return { release, csv: [await writeCsv(input, pageName(base, 'csv'), known)], json, parquet };
}

export interface Page {
  readonly offset: number;
  readonly count: number;
  readonly total: number;
  readonly next: string | null;
}

/** `index` counts from 0. */
export function slicePage(base: string, rows: number, index: number): Page {
  const offset = index * PAGE_ROWS;
  return {
    offset,
    count: Math.min(PAGE_ROWS, rows - offset),
    total: rows,
    next: offset + PAGE_ROWS < rows ? path.posix.basename(pageName(base, 'json', index + 2)) : null,
  };
}

/** Also returns what the footer says about the values. */
export async function copyParquet(
  { session, table, rows, columns, keyColumns, metadata, folder }: RowsInput,
  name: string,
  groupRows: number,
): Promise<{ readonly file: WrittenParquet; readonly known: KnownValues }> {
  const file = path.join(folder, name);
  await session.run(
    `COPY (SELECT ${storedColumns(columns)} FROM ${table}) TO ${literal(file)} (${parquetOptions(groupRows, metadata)})`,
  );
  const { groups, known } = await readRowGroups(file, columns, keyColumns);
  expectRows(
    name,
    rows,
    groups.reduce((sum, group) => sum + group.rows, 0),
  );
  const { file: digest } = digestPublished(file);
  return { file: { path: name, ...digest, rows, row_groups: digestGroups(file, groups) }, known };
}

/** FROM and WHERE for the rows of a page. */
function rowsOfPage({ table, columns, rows }: RowsInput, { offset, count }: Page): string {
  if (count === rows) return table;
  const { from, number } = numberedRows(
    table,
    columns.map(({ column }) => column.name),
  );
  return `${from} WHERE ${number} >= ${offset} AND ${number} < ${offset + count}`;
}

async function writeCsv(
  { session, table, columns, needsOf, folder, rows }: RowsInput,
  name: string,
  known: KnownValues,
): Promise<WrittenRows> {
  const file = path.join(folder, name);
  const head = rows === 0 ? csvHeader(columns) : `${csvHeader(columns)}\r\n`;
  await session.run(
    `COPY (SELECT ${csvRow(columns, needsOf, known)} FROM ${table}) TO ${literal(file)} (${PLAIN_TEXT}, PREFIX ${literal(head)}, SUFFIX '\r\n', NEW_LINE '\r\n')`,
  );
  const { file: digest, lines } = digestPublished(file);
  // Line feeds in texts give more lines than rows.
  if (!columns.some(column => column.column.type === 'string' && needsOf(column).lineFeed))
    expectRows(name, rows, lines - 1);
  return { path: name, ...digest, rows };
}

async function writePage(
  input: RowsInput,
  name: string,
  page: Page,
  envelope: FactEnvelope | DimensionEnvelope,
  known: KnownValues,
): Promise<WrittenRows> {
  const { session, columns, needsOf, folder } = input;
  const file = path.join(folder, name);
  const row = jsonRow(columns, needsOf, known);
  await session.run(
    `COPY (SELECT ${row} FROM ${rowsOfPage(input, page)}) TO ${literal(file)} (${PLAIN_TEXT}, PREFIX ${literal(pageHead(envelope))}, SUFFIX ${literal(pageTail(page.count))}, NEW_LINE ${literal(ROW_SEPARATOR)})`,
  );
  const { file: digest, lines } = digestPublished(file);
  expectRows(name, page.count, lines - 2);
  return { path: name, ...digest, rows: page.count };
}

/** The program or the disk is at fault. */
function expectRows(name: string, expected: number, found: number): void {
  if (found !== expected) throw new Error(`${name} has ${found} rows on the disk instead of ${expected}.`);
}

/** The fields that envelopes share with manifests. */
type EnvelopeStamp = Pick<
  DatasetManifest & DimensionManifest,
  'version' | 'schema_hash' | 'license' | 'attribution' | 'sample'
>;

export function envelopeStamp(
  { version, schemaHash }: Dataset | Dimension,
  { license, attribution }: Publisher,
  sample: boolean,
): EnvelopeStamp {
  return {
    version,
    schema_hash: schemaHash,
    license,
    attribution,
    ...(sample ? { sample: true as const } : {}),
  };
}

export function sliceEnvelope(
  { dataset, ...stamp }: EnvelopeStamp & Pick<DatasetManifest, 'dataset'>,
  { year, detail }: { readonly year: number; readonly detail: string },
  release: string,
  page: Page,
): FactEnvelope {
  return {
    dataset,
    ...stampFields(stamp, release),
    detail,
    years: year === NO_YEAR ? [] : [year],
    filters: {},
    ...pageFields(stamp, page),
  };
}

export function dimensionEnvelope(
  { dimension, ...stamp }: EnvelopeStamp & Pick<DimensionManifest, 'dimension'>,
  release: string,
  page: Page,
): DimensionEnvelope {
  return { dimension, ...stampFields(stamp, release), ...pageFields(stamp, page) };
}

function stampFields({ version, schema_hash, license, attribution, sample }: EnvelopeStamp, release: string) {
  return { version, schema_hash, release, license, attribution, ...(sample ? { sample } : {}) };
}

function pageFields({ sample }: EnvelopeStamp, { total, offset, count, next }: Page) {
  return { total, offset, limit: PAGE_ROWS, count, next, notices: sample ? [SAMPLE_NOTICE] : [] };
}

/** Readers take slices whole or by key, and copies by value. */
const GROUP_ROWS = { slice: 4096, copy: 2048 };

/** Larger files have larger groups, because writers and readers of manifests hold all groups in memory. */
const MOST_GROUPS = 4096;

/** Rows of each row group except the last. */
export function groupRows(kind: keyof typeof GROUP_ROWS, rows: number): number {
  const least = GROUP_ROWS[kind];
  return least * Math.max(1, Math.ceil(rows / least / MOST_GROUPS));
}

/** Metadata in the footer of every Parquet file. */
interface FooterMetadata {
  readonly subject: { readonly dataset: string } | { readonly dimension: string };
  readonly version: string;
  readonly publisher: Publisher;
  readonly sample: boolean;
}

/**
 * No Bloom filters: they take a tenth of a file and say less than the manifest. The same rows and options
 * give the same bytes with any number of threads.
 */
function parquetOptions(rows: number, metadata: FooterMetadata): string {
  const { license, attribution } = metadata.publisher;
  const entries = Object.entries({
    ...metadata.subject,
    version: metadata.version,
    ...(license === null ? {} : { license }),
    ...(attribution === null ? {} : { attribution }),
    ...(metadata.sample ? { sample: 'true' } : {}),
  });
  const pairs = entries.map(([name, value]) => `${identifier(name)}: ${literal(value)}`).join(', ');
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rows}, WRITE_BLOOM_FILTER false, KV_METADATA {${pairs}}`;
}

interface RowGroups {
  readonly groups: readonly RowGroup[];
  readonly known: KnownValues;
}

/** Bounds are texts that compare as rows do: without the Z of UTC. */
const TIMES_AS_TEXT = { dateFromDays: dateText, timestampFromMicroseconds: timestampText };

/** The file must have exactly these columns. */
export async function readRowGroups(
  path: string,
  columns: readonly PublishedColumn[],
  keyColumns: readonly string[],
): Promise<RowGroups> {
  const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path), {
    geoparquet: false,
    parsers: TIMES_AS_TEXT,
  });
  const keys = keyColumns.map(name => columns.findIndex(({ column }) => column.name === name));
  const holed = new Set<number>();
  const far = new Set<number>();
  const groups = row_groups.map((group): RowGroup => {
    const chunks = group.columns.map(({ meta_data }): ColumnMetaData => {
      if (meta_data === undefined) throw new Error(`${path} has a column without metadata.`);
      return meta_data;
    });
    for (const [i, { statistics }] of chunks.entries()) {
      if (statistics?.null_count !== 0n) holed.add(i);
      if (!(isNear(statistics?.min_value) && isNear(statistics?.max_value))) far.add(i);
    }
    const ofKeys = keys.map(index => chunks[index]?.statistics);
    return {
      rows: Number(group.num_rows),
      start: Math.min(...chunks.map(one => Number(one.dictionary_page_offset ?? one.data_page_offset))),
      sizes: chunks.map(one => Number(one.total_compressed_size)),
      min: ofKeys.map(one => bound(one?.min_value)),
      max: ofKeys.map(one => bound(one?.max_value)),
      nulls: ofKeys.map(one => Number(one?.null_count ?? 0)),
    };
  });
  const without = (found: ReadonlySet<number>) =>
    new Set(columns.flatMap(({ column }, i) => (found.has(i) ? [] : [column.name])));
  return { groups, known: { full: without(holed), near: without(far) } };
}

function isNear(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < FAR;
}

function bound(value: NonNullable<ColumnMetaData['statistics']>['min_value']): Scalar | null {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'undefined':
      return null;
    default:
      throw new Error(`A published column cannot have the value ${String(value)}.`);
  }
}
