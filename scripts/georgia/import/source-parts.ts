/** The tables in a file: the file itself, the sheets of a workbook, the members of an archive. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { identifier, literal } from '../../../build/lake/sql.ts';
import { UnreadError } from '../../../build/lake/table-header.ts';
import { openWorkbook, readCell } from '../../../build/lake/workbook.ts';
import { withMacros } from './macros.ts';

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
  if (begins(OLD_WORKBOOK)) return sheets(path, '');
  if (!begins(ZIP)) return [{ name: '', content: bytes }];
  let members: readonly Member[];
  try {
    members = await readMembers(bytes);
  } catch (error) {
    return { problem: `is a ZIP archive that cannot be read: ${reasonOf(error)}; download it again` };
  }
  if (members.some(({ name }) => name === '[Content_Types].xml')) return sheets(path, '');
  const tables = members.filter(({ name }) => TABLES.test(name) && !/(^|\/)(\.|__MACOSX)/.test(name));
  if (tables.length === 0)
    return {
      problem: 'is a ZIP archive without a table (.csv, .xlsx, .xls or .json); unpack it if it has Parquet',
    };
  const parts: SourcePart[] = [];
  for (const { name, content } of tables) {
    const file = name.replace(/^.*\//, '');
    const bytes = await content();
    const inner = /\.xls[xm]?$/i.test(file)
      ? await memberSheets(bytes, file)
      : [{ name: file, content: bytes }];
    if ('problem' in inner) return { problem: `${file}, in the archive, ${inner.problem}` };
    parts.push(...inner);
  }
  return parts;
}

/** The sheets of a workbook with a filled cell; records are as wide as the sheet, without blank rows. */
async function sheets(path: string, file: string): Promise<readonly SourcePart[] | Problem> {
  try {
    const book = await openWorkbook(path);
    const found = book.sheets.flatMap(({ name, cells }): SourcePart[] => {
      const texts = (cells['!data'] ?? []).map(row =>
        Array.from(row ?? [], cell => cellText(readCell(cell, book.from1904))),
      );
      const width = texts.reduce(
        (most, row) => Math.max(most, row.findLastIndex(text => text !== '') + 1),
        0,
      );
      const content = texts.flatMap((row, index) =>
        row.some(text => text !== '')
          ? [{ line: index + 1, cells: Array.from({ length: width }, (_, at) => row[at] ?? '') }]
          : [],
      );
      return content.length > 0 ? [{ name: file === '' ? name : `${file} ${name}`, content }] : [];
    });
    return found.length > 0 ? found : { problem: 'is a workbook without a filled cell' };
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    return { problem: `cannot be read: ${error.message}. ${error.remedy}` };
  }
}

function cellText(read: ReturnType<typeof readCell>): string {
  if ('fault' in read) return read.fault === 'error' ? read.shown : '';
  return read.text.replace(/\s+/g, ' ').trim();
}

async function memberSheets(bytes: Uint8Array, file: string): Promise<readonly SourcePart[] | Problem> {
  const folder = await mkdtemp(join(tmpdir(), 'civic-member-'));
  try {
    const path = join(folder, 'member');
    await writeFile(path, bytes);
    return await sheets(path, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
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

async function readParquetHead(path: string): Promise<SourcePart> {
  return withMacros([], async session => {
    const file = `read_parquet(${literal(path)})`;
    const columns = [...(await session.typesOf(`SELECT * FROM ${file}`)).keys()];
    const { rows } = await session.row<{ rows: number }>(`SELECT count(*) AS rows FROM ${file}`);
    const first = await session.rows<{ cells: (string | null)[] }>(
      `SELECT [${columns.map(parquetCell).join(', ')}] AS cells FROM ${file} LIMIT ${PARQUET_HEAD}`,
    );
    const head = first.map(({ cells }, index) => ({ line: index + 1, cells: cells.map(cell => cell ?? '') }));
    return { name: '', content: [{ line: 0, cells: columns }, ...head], parquet: { path, columns, rows } };
  });
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
