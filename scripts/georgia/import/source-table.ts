import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import { yearOfFileName, yearOfPublication } from './file-name-year.ts';
import type { Importer, Shape } from './importer.ts';
import type { Finding } from './report.ts';
import type { SourceRecord } from './source-csv.ts';
import type { HeaderMatch, HeaderProblem, Renamed } from './source-headers.ts';
import { type ParquetSource, parquetRows } from './source-parquet.ts';
import { type SourcePart, splitSource } from './source-parts.ts';
import { findOtherSubject } from './source-subject.ts';
import { parseSource, type SourceText } from './source-text.ts';

/** A file that the database has as the table `source`. */
export interface SourceTable {
  /** The file's name, with its sheet or member in brackets. */
  readonly file: string;
  /** Both names as one text, for layouts that read it. */
  readonly name: string;
  readonly shape: Shape;
  /** Year of rows without one. */
  readonly year: number | undefined;
  /** Names of the shape's columns that the file has. */
  readonly present: ReadonlySet<string>;
  /** The file's own header for each of them. */
  readonly headers: ReadonlyMap<string, string>;
  readonly unused: readonly string[];
  readonly rowsRead: number;
  readonly unit: SourceText['unit'];
  /** Rows that are not in the table. */
  readonly unread: readonly Finding[];
  readonly unreadLines: readonly { readonly line: number; readonly why: string }[];
}

/** No published row is nearly as long, and DuckDB reads only lines of up to 16 MiB. */
const LONGEST_ROW = 1_000_000;

export interface SourceOptions {
  /** The year of rows without one; by default the one in the file's name. */
  readonly year?: number | undefined;
  /** New names of columns, by their plain old ones. */
  readonly renamed?: Renamed | undefined;
}

/** The tables of a file. `unfit` says which are not read, such as a sheet of notes. */
export interface SourceFileTables {
  readonly tables: readonly PreparedTable[];
  readonly unfit: readonly string[];
}

/** A table whose layout is known, not yet in the database. */
export interface PreparedTable {
  readonly source: SourceTable;
  readonly match: HeaderMatch;
  readonly rows: readonly SourceRecord[];
  /** All rows, if they are in a Parquet file. */
  readonly parquet: ParquetSource | undefined;
}

/**
 * Reads a file and finds the layout of each of its tables. Skips and counts rows above a header, and rows with another
 * number of cells. A file none of whose tables has a known layout is a problem: that of the nearest.
 */
export async function readSource(
  path: string,
  { name, shapes }: Importer,
  options: SourceOptions,
): Promise<SourceFileTables | { readonly problem: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parts = await splitSource(path, bytes);
  if ('problem' in parts) return parts;
  const tables: PreparedTable[] = [];
  const problems: (HeaderProblem & { readonly part: string })[] = [];
  for (const part of parts) {
    const text = parseSource(part.content, shapes, options.renamed);
    const other = 'problem' in text ? text : findOtherSubject(name, basename(path), part.name, text);
    if (other !== undefined) problems.push({ ...other, part: part.name });
    else if ('match' in text) {
      const table = prepareTable(basename(path), part, text, options.year);
      if ('problem' in table) return { problem: inPart(part.name, table.problem) };
      tables.push(table);
    }
  }
  const nearest = problems.find(({ near }) => near) ?? problems[0];
  if (tables.length === 0 && nearest) return { problem: inPart(nearest.part, nearest.problem) };
  const unfit = problems.map(({ part, near, problem }) =>
    near
      ? `${part} of ${basename(path)} is not read: ${problem}`
      : `${part} of ${basename(path)} has no known header and is not read`,
  );
  return { tables, unfit };
}

function inPart(part: string, problem: string): string {
  return part === '' ? problem : `${problem} (in ${part})`;
}

function prepareTable(
  file: string,
  { name: part, parquet }: SourcePart,
  { records, match, unit }: SourceText,
  year: number | undefined,
): PreparedTable | { readonly problem: string } {
  const { header } = match;
  if (parquet && match.record > 0) return { problem: 'is a Parquet file whose columns have no known names' };
  const body = records.slice(match.body);
  const regular = body.filter(record => isRegular(record, header.length));
  const odd = body.filter(record => !isRegular(record, header.length));
  const titles = records.slice(0, match.record);
  const above = titles.filter(record => isRow(record, header));
  const long = regular.find(({ cells }) => cells.join('').length > LONGEST_ROW);
  if (long !== undefined) {
    const length = LONGEST_ROW.toLocaleString('en-US');
    return {
      problem: `holds a row of more than ${length} characters on ${unit} ${long.line}: shorten its cells`,
    };
  }
  const title = titles.flatMap(({ cells }) => cells.filter(cell => cell !== '')).join(' ');
  const name = part === '' ? file : `${file} ${part}`;
  const fileYear = year ?? yearOfSource(file, part, title, match.shape);
  const problem = match.shape.problem?.({ name, year: fileYear });
  if (problem !== undefined) return { problem };
  const unread: readonly (readonly [string, readonly SourceRecord[]])[] = [
    ['the row stands above the header', above],
    [`the row has another number of cells than the header's ${header.length}`, odd],
  ];
  const source: SourceTable = {
    file: part === '' ? file : `${file} [${part}]`,
    name,
    shape: match.shape,
    year: fileYear,
    present: new Set(match.cells.keys()),
    headers: new Map([...match.cells].map(([column, index]) => [column, header[index]!])),
    unused: match.unused.filter(header => header !== ''),
    rowsRead: parquet?.rows ?? above.length + body.length,
    unit,
    unread: unread.flatMap(([why, rows]) => leftOut(why, rows, unit)),
    unreadLines: unread.flatMap(([why, rows]) => rows.map(({ line }) => ({ line, why }))),
  };
  return { source, match, rows: regular, parquet };
}

/** A sheet's own name comes last: the office has left last year's there. */
function yearOfSource(file: string, part: string, title: string, shape: Shape): number | undefined {
  const span = shape.yearSpan ?? 'none';
  const inName = yearOfFileName(file, span);
  if (inName !== undefined) return inName;
  if (shape.yearOfDate) return yearOfPublication(file);
  return yearOfFileName(title, span) ?? yearOfFileName(part, span);
}

/** Makes a table the database's `source`: `line`, `file_year`, and the shape's columns as VARCHAR, blanks NULL. */
export async function loadTable(
  database: Database,
  { source, match, rows, parquet }: PreparedTable,
  scratch: string,
): Promise<void> {
  const { shape, cells } = match;
  const absent = shape.columns
    .filter(column => !cells.has(column.name))
    .map(column => `, CAST(NULL AS VARCHAR) AS ${identifier(column.name)}`);
  const read = parquet
    ? parquetRows(parquet, cells)
    : await csvRows(cells, rows, join(scratch, 'source.csv'));
  await database.run(`
    CREATE OR REPLACE TABLE source AS
    SELECT *, CAST(${source.year ?? 'NULL'} AS INTEGER) AS file_year${absent.join('')} FROM (${read})`);
}

/** Allows blank cells beyond the header's: spreadsheets leave trailing commas. */
function isRegular(record: SourceRecord, width: number): boolean {
  return record.cells.length >= width && record.cells.slice(width).every(cell => cell === '');
}

/** A title above the header fills few cells, even if it is padded to the full width. */
function isRow(record: SourceRecord, header: readonly string[]): boolean {
  const filled = (cells: readonly string[]) => cells.filter(cell => cell !== '').length;
  return isRegular(record, header.length) && 2 * filled(record.cells) > filled(header);
}

function leftOut(what: string, records: readonly SourceRecord[], unit: string): Finding[] {
  if (records.length === 0) return [];
  const examples = records
    .slice(0, 5)
    .map(({ line, cells }) => `${unit} ${line}: ${cells.join(', ').slice(0, 80)}`);
  return [{ what, count: records.length, examples }];
}

/** Writes the records to a file that DuckDB reads, and returns its SQL. */
async function csvRows(
  cells: ReadonlyMap<string, number>,
  records: readonly SourceRecord[],
  path: string,
): Promise<string> {
  const present = [...cells];
  const quote = (cell: string) => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`);
  const lines = records.map(
    record => `${record.line},${present.map(([, index]) => quote(record.cells[index] ?? '')).join(',')}\n`,
  );
  await writeFile(path, lines.join(''));
  const types = ['line', ...present.map(([name]) => name)].map(
    name => `${literal(name)}: ${literal(name === 'line' ? 'INTEGER' : 'VARCHAR')}`,
  );
  return `
    FROM read_csv(${literal(path)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
      new_line = '\\n', max_line_size = 16777216, parallel = false, columns = {${types.join(', ')}})`;
}
