/** The tables in a file: the file itself, the sheets of a workbook, the members of an archive. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type CellObject, CFB, read, SSF } from '@e965/xlsx';
import { fromBufferPromise } from 'yauzl';
import { identifier, literal } from '../../../build/lake/sql.ts';
import { openDatabase } from './database.ts';

export interface SourcePart {
  /** The sheet or member, or both; '' for a file that is one table. */
  readonly name: string;
  readonly content: Uint8Array | readonly SourceRecord[];
  /** The file of all rows, if `content` has only the first. */
  readonly parquet?: ParquetSource;
}

/** A row of a source file: its trimmed cells, and the line on which it begins. */
export interface SourceRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file whose rows stay out of memory: published records of single people are millions. */
export interface ParquetSource {
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

interface Problem {
  readonly problem: string;
}

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const PARQUET = [0x50, 0x41, 0x52, 0x31];
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];

/** The offices' largest archive unpacks to less than a tenth of this. */
const LARGEST_MEMBER = 1_000_000_000;
const MOST_MEMBERS = 200;

const PARQUET_HEAD = 40;

const TABLES = /\.(csv|txt|tsv|json|xlsx|xls|xlsm)$/i;

/**
 * The first bytes decide what a file is, not its name: the office has published workbooks as .csv. Members of an archive
 * that aren't tables (.pdf, .docx, other archives) are skipped.
 */
export async function readParts(path: string): Promise<readonly SourcePart[] | Problem> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const begins = (signature: readonly number[]) => signature.every((byte, at) => bytes[at] === byte);
  if (begins(GZIP)) return { problem: 'is compressed by gzip: unpack it first' };
  if (begins(PARQUET)) {
    try {
      return [await readParquetHead(path)];
    } catch (error) {
      return { problem: `is a Parquet file that cannot be read: ${reasonOf(error)}; download it again` };
    }
  }
  if (begins(OLD_WORKBOOK)) return sheets(bytes, '');
  if (!begins(ZIP)) return [{ name: '', content: bytes }];
  let members: readonly Member[];
  try {
    members = await readMembers(bytes);
  } catch (error) {
    return { problem: `is a ZIP archive that cannot be read: ${reasonOf(error)}; download it again` };
  }
  if (members.some(({ name }) => name === '[Content_Types].xml')) return sheets(bytes, '');
  const tables = members.filter(({ name }) => TABLES.test(name) && !/(^|\/)(\.|__MACOSX)/.test(name));
  if (tables.length === 0)
    return {
      problem: 'is a ZIP archive without a table (.csv, .xlsx, .xls or .json); unpack it if it has Parquet',
    };
  const parts: SourcePart[] = [];
  for (const { name, content } of tables) {
    const file = name.replace(/^.*\//, '');
    const bytes = await content();
    const inner = /\.xls[xm]?$/i.test(file) ? sheets(bytes, file) : [{ name: file, content: bytes }];
    if ('problem' in inner) return { problem: `${file}, in the archive, ${inner.problem}` };
    parts.push(...inner);
  }
  return parts;
}

function sheets(bytes: Uint8Array, file: string): readonly SourcePart[] | Problem {
  try {
    const found = parseWorkbook(bytes);
    if (found.length === 0) return { problem: 'is a workbook without a filled cell' };
    return found.map(({ name, content }) => ({ name: file === '' ? name : `${file} ${name}`, content }));
  } catch (error) {
    return { problem: `is a workbook that cannot be read: ${reasonOf(error)}; save its sheets as CSV` };
  }
}

interface Member {
  readonly name: string;
  content(): Promise<Uint8Array>;
}

async function readMembers(bytes: Uint8Array): Promise<Member[]> {
  const archive = await fromBufferPromise(Buffer.from(bytes), { autoClose: false });
  const members: Member[] = [];
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    if (entry.uncompressedSize > LARGEST_MEMBER) throw new Error(`${entry.fileName} is larger than 1 GB`);
    if (members.length === MOST_MEMBERS) throw new Error(`it has more than ${MOST_MEMBERS} files`);
    const content = async () => new Uint8Array(await buffer(await archive.openReadStreamPromise(entry)));
    members.push({ name: entry.fileName, content });
  }
  return members;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error))
    .replace(/\s+LINE 1:[\s\S]*$/, '')
    .replace(/\s+/g, ' ');
}

/**
 * Sheets of a workbook with a filled cell; records are as wide as the sheet, without blank rows. A number keeps its stored
 * digits, except in two formats that change its meaning: percentages are multiplied by 100, and dates become 2024-06-30,
 * with 10:00:00 after them unless it is midnight. The first of merged cells holds the text. Formulas give their saved
 * results.
 *
 * @throws Error if the bytes aren't a workbook
 */
function parseWorkbook(bytes: Uint8Array): { readonly name: string; readonly content: SourceRecord[] }[] {
  // The library takes any other bytes for text.
  if (bytes[0] === OLD_WORKBOOK[0]) {
    const container = CFB.read(bytes, { type: 'buffer' });
    if (CFB.find(container, '/Workbook') === null && CFB.find(container, '/Book') === null)
      throw new Error('no workbook is in it');
  }
  const book = read(bytes, { dense: true, cellHTML: false, cellFormula: false, cellNF: true });
  return book.SheetNames.flatMap(name => {
    const rows = (book.Sheets[name]?.['!data'] ?? []) as readonly (readonly (CellObject | undefined)[])[];
    const texts = rows.map(row => Array.from(row ?? [], cellText));
    const filledWidth = (cells: readonly string[]) => cells.findLastIndex(cell => cell !== '') + 1;
    const width = texts.reduce((most, cells) => Math.max(most, filledWidth(cells)), 0);
    const content = texts.flatMap((cells, index) =>
      cells.some(cell => cell !== '')
        ? [{ line: index + 1, cells: Array.from({ length: width }, (_, at) => cells[at] ?? '') }]
        : [],
    );
    return content.length > 0 ? [{ name, content }] : [];
  });
}

function cellText(cell: CellObject | undefined): string {
  if (cell === undefined || cell.v === undefined || cell.v === null) return '';
  if (cell.t === 'n' && typeof cell.v === 'number') return numberText(cell.v, String(cell.z ?? ''));
  if (cell.t === 'e') return String(cell.w ?? '#N/A');
  return String(cell.v).replace(/\s+/g, ' ').trim();
}

function numberText(value: number, format: string): string {
  if (format.includes('%')) return String(Number((value * 100).toPrecision(15)));
  if (!SSF.is_date(format)) return String(value);
  const { y, m, d, H, M, S } = SSF.parse_date_code(value) as Record<
    'y' | 'm' | 'd' | 'H' | 'M' | 'S',
    number
  >;
  const joined = (parts: readonly number[], by: string) =>
    parts.map(part => String(part).padStart(2, '0')).join(by);
  return `${joined([y, m, d], '-')}${H + M + S > 0 ? ` ${joined([H, M, S], ':')}` : ''}`;
}

async function readParquetHead(path: string): Promise<SourcePart> {
  const database = await openDatabase();
  try {
    const file = `read_parquet(${literal(path)})`;
    const described = await database.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${file}`);
    const columns = described.map(({ column_name }) => column_name);
    const [count] = await database.rows<{ rows: number }>(
      `SELECT CAST(count(*) AS INTEGER) AS rows FROM ${file}`,
    );
    const first = await database.rows<{ cells: string }>(
      `SELECT CAST(to_json([${columns.map(parquetCell).join(', ')}]) AS VARCHAR) AS cells FROM ${file} LIMIT ${PARQUET_HEAD}`,
    );
    const head = first.map(({ cells }, index) => ({
      line: index + 1,
      cells: (JSON.parse(cells) as (string | null)[]).map(cell => cell ?? ''),
    }));
    return {
      name: '',
      content: [{ line: 0, cells: columns }, ...head],
      parquet: { path, columns, rows: count!.rows },
    };
  } finally {
    database.close();
  }
}

/** SQL for `source`: `line`, and these columns as VARCHAR, blanks NULL. */
export function parquetRows({ path, columns }: ParquetSource, cells: ReadonlyMap<string, number>): string {
  const read = [...cells].map(([name, index]) => `${parquetCell(columns[index]!)} AS ${identifier(name)}`);
  return `SELECT CAST(file_row_number + 1 AS INTEGER) AS line, ${read.join(', ')}
    FROM read_parquet(${literal(path)}, file_row_number = true)`;
}

/** Pandas writes counts and codes with blanks as DOUBLE: their whole numbers are 27, not 27.0. */
function parquetCell(column: string): string {
  const text = `CAST(${identifier(column)} AS VARCHAR)`;
  return `nullif(trim(CASE WHEN typeof(${identifier(column)}) IN ('DOUBLE', 'FLOAT')
    THEN regexp_replace(${text}, '\\.0$', '') ELSE ${text} END), '')`;
}
