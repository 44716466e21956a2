/** Estimates the bytes of rows in each format from a sample. */
import { PAGE_ROWS } from '../format/documents.ts';
import { NO_YEAR } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { rowsOf } from '../lake/parquet-shape.ts';
import { identifier } from '../lake/sql.ts';
import { groupRows } from './parquet-options.ts';
import type { PublishedColumn } from './row-columns.ts';
import { factRows, joinedRows, type SliceTableInput } from './slice-table.ts';
import { csvHeader, csvRow, jsonRow, UNKNOWN_TEXT } from './text-sql.ts';

/** Bytes of all rows, in each format. */
export interface RowsEstimate {
  readonly rows: number;
  readonly json: number;
  readonly csv: number;
  readonly parquet: number;
  /** Bytes that they add to the copy by place. */
  readonly copy: number;
}

/** Rows of the sample of a slice, spread evenly. */
const SAMPLE_ROWS = 400;

/** Bytes of the head and tail of a JSON page. */
const ENVELOPE_BYTES = 480;

/**
 * Size of our Parquet relative to the lake's columns, recompressed. A footer adds some bytes for every column of every
 * row group. Rows of a copy are ordered by place and compress differently.
 */
const PARQUET_RATIO = 1.2;
const COPY_RATIO = 1.5;
const COLUMN_BYTES = 118;

/** No contract can have a column of this name. */
const NUMBER = '"row number"';

/**
 * Estimates all slices of one level in one query, which is faster than one for each. `packed` gives the bytes of each
 * file's columns. Rejects if the rows contradict the contract; the checks report that.
 */
export async function estimateLevel(
  session: Session,
  input: SliceTableInput,
  slices: readonly LakeSlice[],
  packed: ReadonlyMap<string, number>,
): Promise<RowsEstimate[]> {
  const { dataset, columns, shapes } = input;
  const { yearColumn } = dataset.time;
  const year = yearColumn === null ? `${NO_YEAR}` : identifier(yearColumn);
  const rows = slices.map(slice => rowsOf([slice], shapes));
  const steps = slices.map(
    (slice, i) => `WHEN ${slice.year} THEN ${Math.max(1, Math.floor((rows[i] ?? 0) / SAMPLE_ROWS))}`,
  );
  // Number rows in the order of the files, which is the same on any machine.
  const numbered = `SELECT *, row_number() OVER () AS ${NUMBER} FROM (${factRows(input, slices)})`;
  const some = `SELECT * EXCLUDE (${NUMBER}) FROM (${numbered}) WHERE hash(${NUMBER}) % (CASE ${year} ${steps.join(' ')} END) = 0`;
  const found = await session.rows<MeanBytes & { year: number }>(
    `SELECT ${year} AS year, ${meanBytes(columns)} FROM (${joinedRows(input, some)}) GROUP BY ALL`,
  );
  return slices.map((slice, i) => {
    const mean = found.find(one => one.year === slice.year);
    const lake = slice.files.reduce((sum, file) => sum + (packed.get(file.path) ?? 0), 0);
    return estimate(columns, mean, rows[i] ?? 0, lake);
  });
}

/** Estimates a table from all its rows; `lake` is the size of its columns in the lake, in bytes. */
export async function estimateTable(
  session: Session,
  columns: readonly PublishedColumn[],
  table: string,
  rows: number,
  lake: number,
): Promise<RowsEstimate> {
  const mean = await session.row<MeanBytes>(`SELECT ${meanBytes(columns)} FROM ${table}`);
  return estimate(columns, mean, rows, lake);
}

/** Average bytes of a row's text; null without rows. */
interface MeanBytes {
  readonly json: number | null;
  readonly csv: number | null;
}

export function meanBytes(columns: readonly PublishedColumn[]): string {
  const needs = () => UNKNOWN_TEXT;
  return `avg(strlen(${jsonRow(columns, needs)}))::DOUBLE AS json, avg(strlen(${csvRow(columns, needs)}))::DOUBLE AS csv`;
}

function estimate(
  columns: readonly PublishedColumn[],
  mean: MeanBytes | undefined,
  rows: number,
  lake: number,
): RowsEstimate {
  const separator = 2;
  return {
    rows,
    json: Math.round(rows * ((mean?.json ?? 0) + separator) + pagesOf(rows) * ENVELOPE_BYTES),
    csv: Math.round(rows * ((mean?.csv ?? 0) + separator) + csvHeader(columns).length + separator),
    parquet: Math.round(
      lake * PARQUET_RATIO + Math.ceil(rows / groupRows('slice', rows)) * columns.length * COLUMN_BYTES,
    ),
    copy: Math.round(lake * COPY_RATIO + (rows / groupRows('copy', rows)) * columns.length * COLUMN_BYTES),
  };
}

/** Number of JSON pages for so many rows. */
export function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PAGE_ROWS));
}
