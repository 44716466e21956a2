/** Opens CSV, TSV and JSON lines for DuckDB: every value as text, so that no code loses a leading zero. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { databaseMessage, type Session } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import { fileLiteral, identifier, literal } from './sql.ts';
import type { TableFormat } from './table-format.ts';
import { delimitersOf, readDialect } from './text-dialect.ts';
import { decodeText, markedEncoding, type OtherEncoding } from './text-encoding.ts';

export interface TextTable {
  /** Names as the file states them, in its order; the column at `i` of the table is `c<i>`. */
  readonly columns: readonly string[];
  /** The delimiter of CSV and TSV; null for JSON lines. */
  readonly delimiter: string | null;
  /** Tells of an encoding other than UTF-8, which the build has guessed. */
  readonly notes: readonly Diagnostic[];
}

/** The name of a column of the loaded table. */
export function textColumn(index: number): string {
  return identifier(`c${index}`);
}

type TextFile = Pick<LakeFile, 'path' | 'absolute' | 'bytes'>;

/**
 * Loads a file into the table `name`: one VARCHAR per column, `c0`, `c1` and so on, in the order of the file. An empty
 * field of CSV is NULL. Returns a diagnostic if the file cannot be read.
 */
export async function loadTextTable(
  session: Session,
  file: TextFile,
  format: Exclude<TableFormat, 'parquet'>,
  name: string,
  expected: ReadonlySet<string> = new Set(),
): Promise<TextTable | Diagnostic> {
  if (file.bytes === 0)
    return unreadable(file, 'the file is empty (0 bytes)', 'Write it again, or remove it');
  const load = (from: TextFile) =>
    format === 'jsonl'
      ? loadJsonLines(session, from, name)
      : loadDelimited(session, from, format, name, expected);
  const marked = format === 'jsonl' ? null : markedEncoding(file.absolute);
  if (marked !== null) return loadDecoded(file, marked, load);
  try {
    const found = await load(file);
    // The database does not look at the header.
    const isUnread = !('severity' in found) && found.columns.some(column => column.includes('\ufffd'));
    return isUnread && format !== 'jsonl' ? loadDecoded(file, 'windows-1252', load) : found;
  } catch (error) {
    if (format !== 'jsonl' && isEncoding(String(error))) return loadDecoded(file, 'windows-1252', load);
    return explained(file, databaseMessage(error), String(error));
  }
}

/** Office programs write Windows-1252, and UTF-16 if asked for Unicode. */
async function loadDecoded(
  file: TextFile,
  encoding: OtherEncoding,
  load: (file: TextFile) => Promise<TextTable | Diagnostic>,
): Promise<TextTable | Diagnostic> {
  const decoded = decodeText(file.absolute, encoding);
  if (decoded === null)
    return unreadable(
      file,
      `the text is neither UTF-8 nor ${ENCODINGS[encoding]}`,
      'Save it as UTF-8 (as office programs offer, or with iconv -t UTF-8)',
    );
  try {
    const found = await load({ ...file, absolute: decoded.absolute });
    if ('severity' in found) return found;
    const seen = decoded.word === null ? '' : ` (${JSON.stringify(decoded.word)})`;
    const message = `The table is not UTF-8, so the build reads it as ${ENCODINGS[encoding]}${seen}. If letters are wrong, save it as UTF-8.`;
    const note: Diagnostic = { severity: 'note', code: 'lake-encoding', file: file.path, message };
    return { ...found, notes: [note] };
  } catch (error) {
    return explained({ ...file, absolute: decoded.absolute }, databaseMessage(error), String(error));
  } finally {
    decoded.remove();
  }
}

const ENCODINGS: Readonly<Record<OtherEncoding, string>> = {
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

function isEncoding(message: string): boolean {
  return /unicode|utf-?8/i.test(message);
}

async function loadDelimited(
  session: Session,
  file: TextFile,
  format: 'csv' | 'tsv',
  name: string,
  expected: ReadonlySet<string>,
): Promise<TextTable | Diagnostic> {
  const dialect = readDialect(file.absolute, delimitersOf(format), expected);
  if (dialect === null)
    return unreadable(file, 'its first line names no columns', 'Write the names of the columns there');
  const types = dialect.columns.map((_, i) => `${literal(`c${i}`)}: 'VARCHAR'`).join(', ');
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT * FROM read_csv(${fileLiteral(file.absolute)}, auto_detect = false, header = true, delim = ${literal(dialect.delimiter)}, quote = '"', escape = '"', nullstr = '', max_line_size = 16777216, buffer_size = 33554432, columns = {${types}}, compression = 'none', hive_partitioning = false)`,
  );
  return { ...dialect, notes: [] };
}

async function loadJsonLines(session: Session, file: TextFile, name: string): Promise<TextTable> {
  const source = `${fileLiteral(file.absolute)}, format = 'newline_delimited', maximum_object_size = 16777216, compression = 'uncompressed', hive_partitioning = false`;
  const keys = await session.rows<{ name: string }>(
    `SELECT name FROM (SELECT unnest(json_keys(json)) AS name, row_number() OVER () AS place FROM read_json_objects(${source})) GROUP BY name ORDER BY min(place)`,
  );
  const columns = keys.map(key => key.name);
  // A JSON pointer: a path would give quotes and dots of names a meaning.
  const pointer = (key: string) => literal(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const fields = columns.map((key, i) => `json ->> ${pointer(key)} AS c${i}`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${fields.join(', ') || 'json'} FROM read_json_objects(${source})`,
  );
  return { columns, delimiter: null, notes: [] };
}

/** DuckDB's messages list its options; a publisher needs the line and the reason. */
function explained(file: TextFile, first: string, message: string): Diagnostic {
  const line = /Line: (\d+)/i.exec(message)?.[1];
  const at = line === undefined ? '' : ` on line ${line}`;
  const [, wanted, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? [];
  if (wanted !== undefined)
    return unreadable(
      file,
      `the header has ${wanted} columns, but the row${at} has ${found}`,
      'Write as many fields in each row; a field that holds the delimiter needs quotes',
    );
  if (isEncoding(message))
    return unreadable(
      file,
      `the text${at} is not UTF-8, which JSON is written in`,
      'Save it as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8 reads what most office programs write)',
    );
  if (/unterminated quote/i.test(message))
    return unreadable(
      file,
      `a quote${at} does not end where its field ends`,
      'Double each quote within a quoted field',
    );
  if (/state machine/i.test(message))
    return unreadable(file, 'its line ends are mixed, or a quote does not end', 'Save it again as CSV');
  const why = first.replaceAll(file.absolute, file.path);
  if (/Malformed JSON|not an object|maximum_object_size/i.test(message))
    return unreadable(file, why, 'Write one JSON object per line');
  return unreadable(file, why, 'Write it again, or remove it');
}

function unreadable(file: Pick<LakeFile, 'path'>, why: string, remedy: string): Diagnostic {
  const message = `The table cannot be read: ${why.replace(/\.$/, '')}. ${remedy}.`;
  return { severity: 'error', code: 'lake-unreadable-file', file: file.path, message };
}
