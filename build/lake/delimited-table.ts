/** Loads CSV and TSV: as they are if the table begins on the first line, else by way of a copy of its rows alone. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { FileLayout } from '../contract/dataset.ts';
import type { Session } from './database.ts';
import { OpenQuoteError, readRecords, type TableRecord } from './delimited-records.ts';
import type { TextFile } from './known-table.ts';
import { layoutLine, settleFooter } from './layout-line.ts';
import { fileLiteral, literal } from './sql.ts';
import { FOOTER } from './surrounding-rows.ts';
import { type FoundHeader, quoteFew } from './table-header.ts';
import { delimitersOf, readDialect, type TextDialect } from './text-dialect.ts';
import { temporaryFile } from './text-encoding.ts';

export interface LoadedRows {
  readonly names: readonly string[];
  readonly notes: readonly string[];
  readonly questions: readonly string[];
  /** Lines at the end that were left out, in a sentence; absent if there are none. */
  readonly footer?: string;
  /** The line of a row of the table, by its rowid. `file` holds the text as it was loaded. */
  readonly lineOf: (rowid: number, file: string) => Promise<number>;
}

export interface Unread {
  readonly why: string;
  readonly remedy: string;
}

/** The errors after which the rows are read one by one: that tells the line, or shows that they can be read. */
const MALFORMED = /Expected Number of Columns|unterminated quote|state machine|Value with unterminated/i;

/** Throws errors of the database. */
export async function loadDelimited(
  session: Session,
  file: TextFile,
  format: 'csv' | 'tsv',
  table: string,
  expected: ReadonlySet<string>,
  layout: FileLayout,
): Promise<LoadedRows | Unread> {
  const dialect = readDialect(file.absolute, delimitersOf(format), expected, layout);
  if (dialect === null) return { why: 'it has no text', remedy: 'Write it again, or remove it' };
  const { header } = dialect;
  if ('why' in header) return header;
  if (header.names.every(name => name === ''))
    return { why: 'its first line names no columns', remedy: 'Write the names of the columns there' };
  if (dialect.plain) {
    try {
      await readCsv(session, file.absolute, table, header.names.length, dialect.delimiter, true);
      const lineOf = async (rowid: number, text: string) => lineOfRow(text, dialect, header, rowid);
      return { names: header.names, notes: header.notes, questions: [], lineOf };
    } catch (error) {
      if (!MALFORMED.test(String(error))) throw error;
    }
  }
  return loadRecords(session, table, header, tableRows(file.absolute, dialect, header), layout);
}

function* tableRows(file: string, dialect: TextDialect, { after }: FoundHeader): Generator<TableRecord> {
  for (const record of readRecords(file, dialect)) if (record.line > after) yield record;
}

function lineOfRow(file: string, dialect: TextDialect, header: FoundHeader, rowid: number): number {
  let row = 0;
  for (const { line } of tableRows(file, dialect, header)) if (row++ === rowid) return line;
  return 0;
}

/** Loads records by way of a copy. Those after the last row of full width may be a footer. */
export async function loadRecords(
  session: Session,
  table: string,
  header: FoundHeader,
  records: Iterable<TableRecord>,
  layout: FileLayout,
  unit = 'line',
): Promise<LoadedRows | Unread> {
  const { names } = header;
  const least = names.findLastIndex(name => name !== '') + 1;
  const copy = temporaryFile();
  const target = openSync(copy.absolute, 'w');
  const { notes } = header;
  let short: TableRecord[] = [];
  let footer: string | undefined;
  let problem: Unread | null = null;
  let isEnd = true;
  try {
    let text = '';
    for (const record of records) {
      const { cells, line } = record;
      const isWide = cells.slice(names.length).some(cell => cell.trim() !== '');
      const texts = cells.map(cell => cell.trim()).filter(cell => cell !== '');
      const [first = ''] = texts;
      if (cells.length < least || isWide) {
        if (first === '' || layout.skip_rows?.some(start => first.startsWith(start) || texts.includes(start)))
          continue;
        short.push(record);
        // A sentence with commas has as many fields.
        if ((!isWide || FOOTER.test(first)) && short.length <= MOST_FOOTERS) continue;
      }
      if (short.length > 0) {
        isEnd = false;
        break;
      }
      const fields = names.map((_, i) => `"${(cells[i] ?? '').replaceAll('"', '""')}"`);
      text += `${fields.map(field => (field === '""' ? '' : field)).join(',')},${line}\n`;
      if (text.length > 1 << 20) {
        writeSync(target, text);
        text = '';
      }
    }
    writeSync(target, text);
    if (isEnd && short.length > 0 && isFooter(short)) {
      footer = footerNote(short, unit, layout);
      short = [];
    }
    const [wrong] = short;
    if (wrong !== undefined) problem = raggedRow(wrong, names.length, unit, layout);
  } catch (error) {
    if (!(error instanceof OpenQuoteError)) throw error;
    problem = { why: error.message, remedy: 'Double each quote within a quoted field' };
  } finally {
    closeSync(target);
  }
  try {
    if (problem !== null) return problem;
    await readCsv(session, copy.absolute, table, names.length, ',', false);
    const lineOf = async (rowid: number) => {
      const { line } = await session.row<{ line: number }>(
        `SELECT line FROM ${table} WHERE rowid = ${rowid}`,
      );
      return Number(line);
    };
    return {
      names,
      notes,
      ...(footer !== undefined && { footer }),
      questions: header.question === undefined ? [] : [header.question],
      lineOf,
    };
  } finally {
    copy.remove();
  }
}

const MOST_FOOTERS = 50;

/** Lines of one text each, the first of which a person would not take for a row that was cut short. */
function isFooter(lines: readonly TableRecord[]): boolean {
  const texts = lines.map(({ cells }) => cells.filter(cell => cell.trim() !== ''));
  const [first = ''] = texts.map(cells => cells[0] ?? '').filter(text => !/^[\s_=.*-]+$/.test(text));
  return (
    (/\p{L}.*[\s:].*\S|^[*†‡§]/u.test(first) || /^[(©]/.test(first)) &&
    texts.every(cells => cells.length <= 1 || FOOTER.test(cells[0]?.trim() ?? ''))
  );
}

function footerNote(lines: readonly TableRecord[], unit: string, layout: FileLayout): string {
  const [first, last] = [lines[0]?.line, lines.at(-1)?.line];
  const which =
    first === last ? `The last ${unit} (${first}) is` : `The last ${unit}s (${first} to ${last}) are`;
  const starts = lines.map(({ cells }) => cells.find(cell => cell.trim() !== '') ?? '');
  return `${which} left out: ${quoteFew(lines.flatMap(({ cells }) => cells))}. ${settleFooter(starts, layout)}`;
}

function raggedRow({ cells, line }: TableRecord, width: number, unit: string, layout: FileLayout): Unread {
  const isOne = cells.filter(cell => cell.trim() !== '').length === 1;
  const start =
    cells
      .find(cell => cell.trim() !== '')
      ?.trim()
      .slice(0, 40)
      .trim() ?? '';
  return {
    why: `the header has ${width} columns, but the row on ${unit} ${line} has ${cells.length} (${quoteFew(cells)})`,
    remedy: isOne
      ? `Write as many fields in each row; if it is no row, add ${layoutLine(layout, { skip_rows: [...(layout.skip_rows ?? []), start] })} to the contract`
      : 'Write as many fields in each row; a field that holds the delimiter needs quotes',
  };
}

async function readCsv(
  session: Session,
  file: string,
  table: string,
  width: number,
  delimiter: string,
  isOriginal: boolean,
): Promise<void> {
  const types = Array.from({ length: width }, (_, i) => `${literal(`c${i}`)}: 'VARCHAR'`);
  if (!isOriginal) types.push("'line': 'BIGINT'");
  const form = isOriginal ? 'header = true' : "header = false, new_line = '\\n', parallel = false";
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT * FROM read_csv(${fileLiteral(file)}, auto_detect = false, ${form}, delim = ${literal(delimiter)}, quote = '"', escape = '"', nullstr = '', max_line_size = 16777216, buffer_size = 33554432, columns = {${types.join(', ')}}, compression = 'none', hive_partitioning = false)`,
  );
}
