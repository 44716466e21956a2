import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { parseWorkbook } from './source-book.ts';
import type { SourceRecord } from './source-csv.ts';
import { type ParquetSource, readParquetHead } from './source-parquet.ts';

/** A table's place in a file: the file itself, a sheet of a workbook or a member of an archive. */
export interface SourcePart {
  /** The sheet or member, or both; '' for a file that is one table. */
  readonly name: string;
  readonly content: Uint8Array | readonly SourceRecord[];
  /** Its rows, of which `content` has the first. */
  readonly parquet?: ParquetSource;
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
 * Splits a file into tables by its first bytes, whatever its name says: the office has published workbooks as .csv. An
 * archive gives its members, except those of other kinds (.pdf, .docx) and for archives in it.
 */
export async function splitSource(path: string, bytes: Uint8Array): Promise<readonly SourcePart[] | Problem> {
  const begins = (signature: readonly number[]) => signature.every((byte, at) => bytes[at] === byte);
  if (begins(GZIP)) return { problem: 'is compressed by gzip: unpack it first' };
  if (begins(PARQUET)) {
    try {
      const { parquet, head } = await readParquetHead(path, PARQUET_HEAD);
      return [{ name: '', content: head, parquet }];
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
    const inner = /\.xls[xm]?$/i.test(file)
      ? sheets(await content(), file)
      : [{ name: file, content: await content() }];
    if ('problem' in inner) return { problem: `${file}, in the archive, ${inner.problem}` };
    parts.push(...inner);
  }
  return parts;
}

function sheets(bytes: Uint8Array, file: string): readonly SourcePart[] | Problem {
  try {
    const found = parseWorkbook(bytes);
    if (found.length === 0) return { problem: 'is a workbook without a filled cell' };
    return found.map(({ name, records }) => ({
      name: file === '' ? name : `${file} ${name}`,
      content: records,
    }));
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
