import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import { yearOfFileName } from './file-name-year.ts';
import type { Shape } from './importer.ts';
import type { Finding } from './report.ts';
import type { SourceRecord } from './source-csv.ts';
import type { HeaderMatch } from './source-headers.ts';
import { parseSource, type SourceText } from './source-text.ts';

/** A file that the database has as the table `source`. */
export interface SourceTable {
  readonly file: string;
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
}

/** No published row is nearly as long, and DuckDB reads only lines of up to 16 MiB. */
const LONGEST_ROW = 1_000_000;

/**
 * Reads a CSV or JSON file into the table `source`: `line`, `file_year`, and the shape's columns as VARCHAR, blanks
 * NULL. Skips and counts rows above the header, and rows with another number of cells.
 *
 * @param year the year of rows without one; by default the one in the file's name
 * @param scratch a folder for the cleaned copy
 */
export async function loadSource(
  database: Database,
  path: string,
  shapes: readonly Shape[],
  year: number | undefined,
  scratch: string,
): Promise<SourceTable | { readonly problem: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const source = parseSource(bytes, shapes);
  if ('problem' in source) return source;
  const { records, match, unit } = source;
  const header = records[match.record]!.cells;
  const body = records.slice(match.record + 1);
  const regular = body.filter(record => isRegular(record, header.length));
  const odd = body.filter(record => !isRegular(record, header.length));
  const above = records.slice(0, match.record).filter(record => isRow(record, header));
  const long = regular.find(({ cells }) => cells.join('').length > LONGEST_ROW);
  if (long !== undefined) {
    const length = LONGEST_ROW.toLocaleString('en-US');
    return {
      problem: `holds a row of more than ${length} characters on ${unit} ${long.line}: shorten its cells`,
    };
  }
  const fileYear = year ?? yearOfFileName(basename(path), match.shape.yearSpan ?? 'none');
  const problem = match.shape.problem?.({ name: basename(path), year: fileYear });
  if (problem !== undefined) return { problem };
  await writeTable(database, match, regular, fileYear, join(scratch, 'source.csv'));
  return {
    file: basename(path),
    shape: match.shape,
    year: fileYear,
    present: new Set(match.cells.keys()),
    headers: new Map([...match.cells].map(([name, index]) => [name, header[index]!])),
    unused: match.unused.filter(name => name !== ''),
    rowsRead: above.length + body.length,
    unit,
    unread: [
      ...leftOut('the row stands above the header', above, unit),
      ...leftOut(`the row has another number of cells than the header's ${header.length}`, odd, unit),
    ],
  };
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

async function writeTable(
  database: Database,
  match: HeaderMatch,
  records: readonly SourceRecord[],
  fileYear: number | undefined,
  path: string,
): Promise<void> {
  const { shape, cells } = match;
  const present = [...cells];
  const quote = (cell: string) => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`);
  const lines = records.map(
    record => `${record.line},${present.map(([, index]) => quote(record.cells[index] ?? '')).join(',')}\n`,
  );
  await writeFile(path, lines.join(''));
  const types = ['line', ...present.map(([name]) => name)].map(
    name => `${literal(name)}: ${literal(name === 'line' ? 'INTEGER' : 'VARCHAR')}`,
  );
  const absent = shape.columns
    .filter(column => !cells.has(column.name))
    .map(column => `CAST(NULL AS VARCHAR) AS ${identifier(column.name)}`);
  await database.run(`
    CREATE OR REPLACE TABLE source AS
    SELECT *, CAST(${fileYear ?? 'NULL'} AS INTEGER) AS file_year${absent.map(column => `, ${column}`).join('')}
    FROM read_csv(${literal(path)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
      new_line = '\\n', max_line_size = 16777216, parallel = false, columns = {${types.join(', ')}})`);
}
