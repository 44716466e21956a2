/** Reads a file into tables of the database. */
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Session } from '../../../build/lake/database.ts';
import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Importer, Present, Shape } from './importer.ts';
import { findOtherSubject } from './recognition.ts';
import {
  type ParquetSource,
  parquetRows,
  readParts,
  type SourcePart,
  type SourceRecord,
} from './source-parts.ts';
import {
  type HeaderMatch,
  type HeaderProblem,
  parseSource,
  type Renamed,
  type SourceText,
} from './source-text.ts';

/** A table of a file, as the database has it in `source`. */
export interface SourceTable {
  /** Of the file, as given. */
  readonly path: string;
  /** The file's name, with its sheet or member in brackets. */
  readonly file: string;
  /** Both as one text, for layouts whose file names say something. */
  readonly name: string;
  readonly shape: Shape;
  /** Year of rows without one. */
  readonly year: number | undefined;
  /** Names of the shape's columns that the file has. */
  readonly present: Present;
  /** The file's header for each of them. */
  readonly headers: ReadonlyMap<string, string>;
  readonly unused: readonly string[];
  readonly rowsRead: number;
  readonly unit: SourceText['unit'];
  /** Rows that are not in the table, by the reason. */
  readonly unread: readonly (readonly [why: string, rows: readonly SourceRecord[]])[];
}

/** Far longer than any published row. DuckDB reads lines of up to 16 MiB. */
const LONGEST_ROW = 1_000_000;

interface SourceOptions {
  /** The year of rows without one; by default the one in the file's name. */
  readonly year?: number | undefined;
  /** New names of columns, by their plain old ones. */
  readonly renamed?: Renamed | undefined;
}

/** The tables of a file. `unfit` names those that aren't read, such as a sheet of notes. */
interface SourceFileTables {
  readonly tables: readonly PreparedTable[];
  readonly unfit: readonly string[];
}

/** A table whose layout is known, not yet in the database. */
interface PreparedTable {
  readonly source: SourceTable;
  readonly match: HeaderMatch;
  readonly rows: readonly SourceRecord[];
  /** All rows, if they are in a Parquet file. */
  readonly parquet: ParquetSource | undefined;
}

/**
 * Finds the layout of each table of a file. Rows above a header, and rows with another number of cells, are skipped and
 * counted. If no table has a known layout, the problem is that of the nearest.
 */
export async function readSource(
  path: string,
  importer: Importer,
  options: SourceOptions,
): Promise<SourceFileTables | { readonly problem: string }> {
  const parts = await readParts(path);
  if ('problem' in parts) return parts;
  const tables: PreparedTable[] = [];
  const problems: (HeaderProblem & { readonly part: string })[] = [];
  for (const part of parts) {
    const text = parseSource(part.content, importer.shapes, options.renamed);
    const other = 'problem' in text ? text : findOtherSubject(importer, basename(path), part.name, text);
    if (other !== undefined) problems.push({ ...other, part: part.name });
    else if ('match' in text) {
      const table = prepareTable(path, part, text, options.year);
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
  path: string,
  { name: part, parquet }: SourcePart,
  { records, match, unit }: SourceText,
  year: number | undefined,
): PreparedTable | { readonly problem: string } {
  const { header } = match;
  const file = basename(path);
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
  const source: SourceTable = {
    path,
    file: part === '' ? file : `${file} [${part}]`,
    name,
    shape: match.shape,
    year: fileYear,
    present: new Set(match.cells.keys()),
    headers: new Map([...match.cells].map(([column, index]) => [column, header[index]!])),
    unused: match.unused.filter(header => header !== ''),
    rowsRead: parquet?.rows ?? above.length + body.length,
    unit,
    unread: [
      ['the row is above the header', above],
      [`the row has another number of cells than the header's ${header.length}`, odd],
    ],
  };
  return { source, match, rows: regular, parquet };
}

/** A sheet's own name comes last, because the office has left last year's there. */
function yearOfSource(file: string, part: string, title: string, shape: Shape): number | undefined {
  const inName = yearOfFileName(file, shape.pooled);
  if (inName !== undefined) return inName;
  if (shape.yearOfDate) return yearOfPublication(file);
  return yearOfFileName(title, shape.pooled) ?? yearOfFileName(part, shape.pooled);
}

/** Creates `source` with `line`, `file_year`, and the shape's columns as VARCHAR, blanks NULL. */
export async function loadTable(
  session: Session,
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
  await session.run(`
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

/** Surveys pool five years at most. A wider span isn't one: 2022_10 may be a month. */
const LONGEST_SPAN = 4;

const YEAR = '(?:19|20)\\d{2}';
// Month or day, in either order.
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const DATES = new RegExp(
  `(?<!\\d)(?:${YEAR}([-_.])${DAY}\\1${DAY}|${DAY}([-_.])${DAY}\\2${YEAR})(?!\\d)`,
  'g',
);
const SPAN = `(${YEAR})(?:[-_\\s\\u2010-\\u2014]+(${YEAR}|\\d{2})(?!\\d))?`;

/**
 * The year in a file's name: 2022 in `2022_rates.csv`; for a school year the one in which it ends, so 2024 in
 * `x_2023-24.csv` and `2023_2024_x.csv`. Skips dates, on which a file was made. Undefined if the name has no year or
 * several.
 *
 * @param pooled true if a span of several years means its last
 */
export function yearOfFileName(name: string, pooled = false): number | undefined {
  const found = [...name.replace(DATES, ' ').matchAll(new RegExp(`(?<!\\d)${SPAN}(?!\\d)`, 'g'))];
  const years = new Set(found.map(([, first, last]) => endOf(Number(first), last, pooled)));
  return years.size === 1 ? [...years][0] : undefined;
}

function endOf(first: number, last: string | undefined, pooled: boolean): number | undefined {
  if (last === undefined) return first;
  // Two digits continue the year before: 00 in 1999-00 is 2000.
  const end = last.length === 4 ? Number(last) : first + ((Number(last) - (first % 100) + 100) % 100);
  return end === first + 1 || (pooled && end > first && end <= first + LONGEST_SPAN) ? end : undefined;
}

/**
 * The school year of rates that were published on the date in a file's name, as in `Rates_09_19_18.xlsx`: the year that
 * ended before. Rates come out from autumn on, so those of February 2018 are of 2017.
 */
function yearOfPublication(name: string): number | undefined {
  const date = /(?<!\d)(0?[1-9]|1[0-2])([-_.])(?:0?[1-9]|[12]\d|3[01])\2(?:20)?(\d{2})(?!\d)/.exec(name);
  if (date === null) return undefined;
  return 2000 + Number(date[3]) - (Number(date[1]) >= 7 ? 0 : 1);
}
