/** Writes a sorted table as Parquet, CSV and JSON pages, and reads each file back to hash it and count its rows. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DimensionEnvelope, FactEnvelope } from '../format/documents.ts';
import { PAGE_ROWS } from '../format/documents.ts';
import { pageHead, pageTail, ROW_SEPARATOR } from '../format/envelope.ts';
import type { ParquetFile, RowsFile } from '../format/manifest.ts';
import { pageName } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import { literal, numberedRows } from '../lake/sql.ts';
import { digestGroups, digestPublished } from './file-digest.ts';
import { type FooterMetadata, parquetOptions } from './parquet-options.ts';
import type { PublishedColumn } from './row-columns.ts';
import { readRowGroups } from './row-groups.ts';
import { storedColumns } from './slice-table.ts';
import { csvHeader, csvRow, jsonRow, type KnownValues, type TextNeeds } from './text-sql.ts';

/** A written file, before the build knows since when it has these bytes. */
export type Undated<File> = Omit<File, 'modified'>;
export type WrittenRows = Undated<RowsFile>;
export type WrittenParquet = Undated<ParquetFile>;

export interface WrittenSlice {
  readonly release: string;
  readonly json: readonly WrittenRows[];
  readonly csv: readonly WrittenRows[];
  readonly parquet: WrittenParquet;
}

export interface RowsInput {
  readonly session: Session;
  /** A table with the rows in published order. */
  readonly table: string;
  readonly rows: number;
  readonly columns: readonly PublishedColumn[];
  readonly keyColumns: readonly string[];
  readonly needsOf: (column: PublishedColumn) => TextNeeds;
  readonly metadata: FooterMetadata;
  /** Folder on disk to which file names are relative. */
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

/** The JSON page at an index from 0, of a slice with `rows` rows. */
export function slicePage(base: string, rows: number, index: number): Page {
  const offset = index * PAGE_ROWS;
  return {
    offset,
    count: Math.min(PAGE_ROWS, rows - offset),
    total: rows,
    next: offset + PAGE_ROWS < rows ? path.posix.basename(pageName(base, 'json', index + 2)) : null,
  };
}

/** Writes rows as Parquet, and returns the file's manifest entry and what its footer says of the values. */
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
  // Text with line feeds gives more lines than rows.
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

/** Throws on a wrong number of rows: the program or the disk is at fault. */
function expectRows(name: string, expected: number, found: number): void {
  if (found !== expected) throw new Error(`${name} has ${found} rows on the disk instead of ${expected}.`);
}
