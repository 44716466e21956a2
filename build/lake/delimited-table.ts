/** Loads CSV and TSV: finds the encoding, the delimiter and the rows of the table. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FileLayout } from '../contract/custom-profile.ts';
import { readAggregates } from './column-batches.ts';
import type { Session } from './database.ts';
import { fileLiteral, literal } from './sql.ts';
import { FOOTER } from './surrounding-rows.ts';
import {
  type FoundHeader,
  findHeader,
  footerOf,
  layoutLine,
  quoteFew,
  type Said,
  settleFooter,
  type TableRecord,
  type TextFile,
  type Unread,
  UnreadError,
} from './table-header.ts';

export interface LoadedRows {
  readonly names: readonly string[];
  readonly said: readonly Said[];
  /** `file` holds the text as it was loaded. */
  readonly lineOf: (rowid: number, file: string) => Promise<number>;
}

/** After these errors, rows are read one by one, to find the line or to succeed. */
const MALFORMED = /Expected Number of Columns|unterminated quote|state machine|Value with unterminated/i;

/** Throws UnreadError, and errors of the database. */
export async function loadDelimited(
  session: Session,
  file: TextFile,
  format: 'csv' | 'tsv',
  table: string,
  expected: ReadonlySet<string>,
  layout: FileLayout,
): Promise<LoadedRows> {
  const dialect = readDialect(file.absolute, format === 'tsv' ? ['\t'] : DELIMITERS, expected, layout);
  if (dialect === null) throw new UnreadError('it has no text', 'Write it again, or remove it');
  const { header } = dialect;
  if ('why' in header) throw new UnreadError(header.why, header.remedy);
  if (header.names.every(name => name === ''))
    throw new UnreadError('its first line names no columns', 'Write the names of the columns there');
  if (dialect.plain) {
    try {
      await readCsv(session, file.absolute, table, header.names.length, dialect.delimiter, true);
      const lineOf = async (rowid: number, text: string) =>
        lineOfRow(tableRows(text, dialect, header), rowid);
      const isSpaced = header.names.map((_, i) => `count_if(starts_with(c${i}, ' "'))`);
      // DuckDB doesn't recognize a quote after a space.
      if ((await readAggregates<number>(session, table, isSpaced)).every(rows => rows === 0))
        return { names: header.names, said: header.said, lineOf };
    } catch (error) {
      if (!MALFORMED.test(String(error))) throw error;
    }
  }
  return loadRecords(session, table, header, tableRows(file.absolute, dialect, header), layout);
}

function* tableRows(file: string, dialect: TextDialect, { after }: FoundHeader): Generator<TableRecord> {
  for (const record of readRecords(file, dialect)) if (record.line > after) yield record;
}

/** 0 if there are fewer rows. */
export function lineOfRow(records: Iterable<TableRecord>, rowid: number): number {
  let row = 0;
  for (const { line } of records) if (row++ === rowid) return line;
  return 0;
}

/**
 * Writes records to a temporary CSV and loads that. Short records after the last full one may be a footer.
 * Throws UnreadError.
 */
export async function loadRecords(
  session: Session,
  table: string,
  header: FoundHeader,
  records: Iterable<TableRecord>,
  layout: FileLayout,
  unit = 'line',
): Promise<LoadedRows> {
  const { names } = header;
  const least = names.findLastIndex(name => name !== '') + 1;
  const copy = temporaryFile();
  const target = openSync(copy.absolute, 'w');
  const said = [...header.said];
  let short: TableRecord[] = [];
  let isEnd = true;
  /** Rows after which lines don't follow one another. */
  const starts: { readonly row: number; readonly line: number }[] = [];
  let row = 0;
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
        // A sentence with commas may have enough fields.
        if ((!isWide || FOOTER.test(first)) && short.length <= MOST_FOOTERS) continue;
      }
      if (short.length > 0) {
        isEnd = false;
        break;
      }
      const fields = names.map((_, i) => `"${(cells[i] ?? '').replaceAll('"', '""')}"`);
      text += `${fields.map(field => (field === '""' ? '' : field)).join(',')}\n`;
      const start = starts.at(-1);
      if (start === undefined || line - start.line !== row - start.row) starts.push({ row, line });
      row++;
      if (text.length > 1 << 20) {
        writeSync(target, text);
        text = '';
      }
    }
    writeSync(target, text);
    if (isEnd && short.length > 0 && isFooter(short)) {
      said.push(footerOf(footerNote(short, unit, layout)));
      short = [];
    }
    const [wrong] = short;
    if (wrong !== undefined) throw raggedRow(wrong, names.length, unit, layout);
    await readCsv(session, copy.absolute, table, names.length, ',', false);
    const lineOf = async (rowid: number) => {
      const start = starts.findLast(one => one.row <= rowid);
      return start === undefined ? 0 : start.line + rowid - start.row;
    };
    return { names, said, lineOf };
  } finally {
    closeSync(target);
    copy.remove();
  }
}

const MOST_FOOTERS = 50;

/** One text per line, and the first isn't a truncated row. */
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

function raggedRow(
  { cells, line }: TableRecord,
  width: number,
  unit: string,
  layout: FileLayout,
): UnreadError {
  const texts = cells.map(cell => cell.trim()).filter(cell => cell !== '');
  const starts = [...(layout.skip_rows ?? []), texts[0]?.slice(0, 40).trim() ?? ''];
  return new UnreadError(
    `the header has ${width} columns, but the row on ${unit} ${line} has ${cells.length} (${quoteFew(cells)})`,
    texts.length === 1
      ? `Write as many fields in each row; if it isn't a row, remove it, or add ${layoutLine(layout, { skip_rows: starts })} to the contract`
      : 'Write as many fields in each row; a field that holds the delimiter needs quotes',
  );
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
  const form = isOriginal ? 'header = true' : "header = false, new_line = '\\n', parallel = false";
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT * FROM read_csv(${fileLiteral(file)}, auto_detect = false, ${form}, delim = ${literal(delimiter)}, quote = '"', escape = '"', nullstr = '', max_line_size = 16777216, buffer_size = 33554432, columns = {${types.join(', ')}}, compression = 'none', hive_partitioning = false)`,
  );
}

interface TextDialect extends RecordDialect {
  readonly header: FoundHeader | Unread;
  /** Whether DuckDB can read the file directly: the table begins on the first non-blank line. */
  readonly plain: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Records in which the header is searched for. */
const FIRST_RECORDS = 200;

/**
 * Chooses the delimiter with which a line has most of the `expected` names, then the one with most columns.
 * Returns null for a file without text.
 */
function readDialect(
  file: string,
  delimiters: readonly string[],
  expected: ReadonlySet<string>,
  layout: FileLayout,
): TextDialect | null {
  const start = readFirst(file, 64).toString('utf8');
  const stated = /^"?sep=(.)"?(?:[\r\n]|$)/i.exec(start.replace(MARKS, ''))?.[1];
  // DuckDB doesn't recognize a quote after a byte order mark, so a header of several lines would end too
  // early.
  const isOddlyMarked = /^\ufeff?ï»¿|^\ufeff"/.test(start);
  let best: { dialect: TextDialect; rank: readonly number[] } | null = null;
  for (const delimiter of stated === undefined ? delimiters : [stated]) {
    let records = firstRecords(file, { delimiter });
    if (stated !== undefined) records = records.slice(1);
    const quotedLines = areLinesQuoted(records, delimiters, expected);
    const own = quotedLines === null ? { delimiter } : { delimiter: quotedLines, quotedLines: true };
    if (quotedLines !== null) records = firstRecords(file, own);
    if (records.length === 0) continue;
    const header = findHeader(records, expected, layout);
    const names = 'names' in header ? header.names : (records[0]?.cells ?? []);
    const width = names.length === usualWidth(records) ? names.length : 1;
    const isFirst = width > 1 && 'names' in header && header.first === 0;
    const known = names.filter(name => expected.has(name)).length;
    const rank = [known, isFirst ? 1 : 0, width, names.length];
    // DuckDB loses all rows if a line break in a name differs from those between lines.
    const hasLines = names.some(name => /[\r\n]/.test(name));
    const isOwn = stated !== undefined || quotedLines !== null || isOddlyMarked || hasLines;
    const plain = !isOwn && 'names' in header && header.plain;
    if (best === null || isGreater(rank, best.rank)) best = { dialect: { ...own, header, plain }, rank };
  }
  return best?.dialect ?? null;
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** An open quote ends the sample; DuckDB reports it with its line. */
function firstRecords(file: string, dialect: RecordDialect): TableRecord[] {
  const found: TableRecord[] = [];
  try {
    for (const record of readRecords(file, dialect)) {
      found.push(record);
      if (found.length === FIRST_RECORDS) break;
    }
  } catch (error) {
    if (!(error instanceof QuoteError)) throw error;
  }
  return found;
}

/** The most frequent number of cells; 1 if none is frequent. */
function usualWidth(records: readonly TableRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [width = 1, count = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  return count >= records.length * 0.6 ? width : 1;
}

/** The delimiter inside lines that are quoted as a whole; null if they aren't. */
function areLinesQuoted(
  records: readonly TableRecord[],
  delimiters: readonly string[],
  expected: ReadonlySet<string>,
): string | null {
  if (records.length < 2 || records.some(({ cells }) => cells.length !== 1)) return null;
  const lines = records.map(({ cells }) => cells[0] ?? '');
  // The contract has a column named like the whole line.
  if (expected.has((lines[0] ?? '').trim())) return null;
  for (const delimiter of delimiters) {
    const fields = lines.map(line => fieldsOf(line, delimiter));
    const [header = []] = fields;
    const isProse = lines.every(line => !line.includes(delimiter) || line.includes(`${delimiter} `));
    if (header.length > 1 && !isProse && fields.every(({ length }) => length === header.length))
      return delimiter;
  }
  return null;
}

/** UTF-8 has a mark that JSON can't begin with. */
export type OtherEncoding = 'windows-1252' | 'utf-8' | 'utf-16le' | 'utf-16be';

export interface DecodedText {
  /** The text in UTF-8, in a temporary folder. */
  readonly absolute: string;
  readonly encoding: OtherEncoding;
  /**
   * A word with a non-ASCII letter, which shows a person whether the encoding is right; null if there is
   * none.
   */
  readonly word: string | null;
  remove(): void;
}

/**
 * Windows-1252 from 80 to 9F, where Latin-1 has control characters. Some versions of Node decode it as
 * Latin-1.
 */
const BEYOND_LATIN = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decoderOf(encoding: OtherEncoding): (bytes: Buffer) => string {
  if (encoding === 'windows-1252')
    return bytes =>
      bytes.toString('latin1').replace(/[\x80-\x9f]/g, one => BEYOND_LATIN[one.charCodeAt(0) - 0x80] ?? one);
  const decoder = new TextDecoder(encoding, { fatal: true });
  return bytes => decoder.decode(bytes, { stream: bytes.length > 0 });
}

const LONGEST_WORD = 40;

/** From the byte order mark; null without one. */
export function markedEncoding(file: string): OtherEncoding | null {
  const start = readFirst(file, 3).toString('latin1');
  if (start === '\xef\xbb\xbf') return 'utf-8';
  if (start.startsWith('\xff\xfe')) return 'utf-16le';
  return start.startsWith('\xfe\xff') ? 'utf-16be' : null;
}

/**
 * Writes the text as UTF-8. Null if the bytes don't fit the encoding. Windows-1252 has no mark, but five
 * bytes are undefined and control characters don't occur in text.
 */
export function decodeText(file: string, encoding: OtherEncoding): DecodedText | null {
  const { absolute, remove } = temporaryFile();
  const source = openSync(file, 'r');
  const target = openSync(absolute, 'w');
  let isText = true;
  let word: string | null = null;
  try {
    const decode = decoderOf(encoding);
    const buffer = Buffer.alloc(CHUNK);
    for (;;) {
      const bytes = readSync(source, buffer, 0, CHUNK, null);
      const text = decode(buffer.subarray(0, bytes));
      if (encoding === 'windows-1252' && /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/.test(text)) isText = false;
      word ??= /[\p{L}\p{M}]*[^\x00-\x7f][\p{L}\p{M}]*/u.exec(text)?.[0].slice(0, LONGEST_WORD) ?? null;
      writeSync(target, text);
      if (bytes === 0 || !isText) break;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) {
      remove();
      throw error;
    }
    isText = false;
  } finally {
    closeSync(source);
    closeSync(target);
  }
  if (isText) return { absolute, encoding, word, remove };
  remove();
  return null;
}

/** In a folder of its own, which `remove` deletes. */
function temporaryFile(): Pick<DecodedText, 'absolute' | 'remove'> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'civic-text-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { absolute: path.join(folder, 'table.txt'), remove };
}

export function readFirst(file: string, count: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(count);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, count, 0));
  } finally {
    closeSync(descriptor);
  }
}

interface RecordDialect {
  /** NUL for lines as they are. */
  readonly delimiter: string;
  /** Each line is quoted as a whole, with the fields inside. */
  readonly quotedLines?: boolean;
}

const CHUNK = 1 << 20;

/** Characters per record; DuckDB's limit. */
const LONGEST = 1 << 24;

/** Byte order marks; the second is one that was read as Windows-1252 and written again. */
const MARKS = /^(?:\ufeff|ï»¿)+/;

/** A quote without an end, or with another text after it. */
class QuoteError extends UnreadError {
  constructor(line: number, what = 'a quote that does not end') {
    super(`the row that begins on line ${line} has ${what}`, 'Double each quote within a quoted field');
  }
}

/** Skips blank lines. Throws QuoteError, and TypeError if the text isn't UTF-8. */
export function* readRecords(file: string, dialect: RecordDialect): Generator<TableRecord> {
  const descriptor = openSync(file, 'r');
  try {
    yield* recordsOf(textOf(descriptor), dialect);
  } finally {
    closeSync(descriptor);
  }
}

function* textOf(descriptor: number): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  const buffer = Buffer.alloc(CHUNK);
  for (let isFirst = true; ; isFirst = false) {
    const bytes = readSync(descriptor, buffer, 0, CHUNK, null);
    const text = decoder.decode(buffer.subarray(0, bytes), { stream: bytes > 0 });
    yield isFirst ? text.replace(MARKS, '') : text;
    if (bytes === 0) return;
  }
}

/** `chunks` may cut the text anywhere. */
function* recordsOf(
  chunks: Iterable<string>,
  { delimiter, quotedLines = false }: RecordDialect,
): Generator<TableRecord> {
  let cells: string[] = [];
  let field = '';
  let size = 0;
  let quote: 'none' | 'open' | 'closed' = 'none';
  let line = 1;
  let begins = 1;
  let last = '';
  const record = (): TableRecord | null => {
    const all = [...cells, field];
    cells = [];
    field = '';
    size = 0;
    quote = 'none';
    if (all.length === 1 && all[0] === '') return null;
    return { line: begins, cells: quotedLines ? fieldsOf(all[0] ?? '', delimiter) : all };
  };
  for (const text of chunks) {
    for (let i = 0; i < text.length; i++) {
      const character = text[i]!;
      const isEnd = character === '\n' || character === '\r';
      // The second half of a Windows line end.
      const isRest = character === '\n' && last === '\r';
      last = character;
      if (isEnd && !isRest) line++;
      if (quote === 'open') {
        if (++size > LONGEST) throw new QuoteError(begins);
        if (character === '"') quote = 'closed';
        else field += character;
        continue;
      }
      if (character === '"' && quote === 'closed') {
        field += '"';
        quote = 'open';
      } else if (quote === 'closed' && !isEnd && character !== delimiter && character !== ' ')
        throw new QuoteError(begins, `${JSON.stringify(character)} after the quote that ends a field`);
      else if (character === '"' && field.trim() === '' && delimiter !== '\0') {
        field = '';
        quote = 'open';
      } else if (character === delimiter && !quotedLines) {
        cells.push(field);
        field = '';
        quote = 'none';
      } else if (isEnd) {
        const found = isRest ? null : record();
        if (found !== null) yield found;
        begins = line;
      } else {
        if (++size > LONGEST) throw new QuoteError(begins);
        field += character;
      }
    }
  }
  if (quote === 'open') throw new QuoteError(begins);
  const found = record();
  if (found !== null) yield found;
}

function fieldsOf(text: string, delimiter: string): readonly string[] {
  try {
    const [first] = recordsOf([text], { delimiter });
    return first?.cells ?? [''];
  } catch {
    return [text];
  }
}
