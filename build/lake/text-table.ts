/** Opens CSV, TSV and JSON lines for DuckDB: every value as text, so that no code loses a leading zero. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { databaseMessage, type Session } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import { fileLiteral, identifier, literal } from './sql.ts';
import type { TableFormat } from './table-format.ts';
import { delimitersOf, readDialect } from './text-dialect.ts';

export interface TextTable {
  /** Names as the file states them, in its order; the column at `i` of the table is `c<i>`. */
  readonly columns: readonly string[];
  /** The delimiter of CSV and TSV; null for JSON lines. */
  readonly delimiter: string | null;
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
  try {
    return await (format === 'jsonl'
      ? loadJsonLines(session, file, name)
      : loadDelimited(session, file, format, name, expected));
  } catch (error) {
    return explained(file, databaseMessage(error), String(error));
  }
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
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT * FROM read_csv(${fileLiteral(file.absolute)}, auto_detect = false, header = true, delim = ${literal(dialect.delimiter)}, quote = '"', escape = '"', nullstr = '', max_line_size = 16777216, columns = {${types}}, compression = 'none', hive_partitioning = false)`,
  );
  return dialect;
}

async function loadJsonLines(session: Session, file: TextFile, name: string): Promise<TextTable> {
  const source = `${fileLiteral(file.absolute)}, format = 'newline_delimited', maximum_object_size = 16777216, compression = 'uncompressed', hive_partitioning = false`;
  const keys = await session.rows<{ name: string }>(
    `SELECT name FROM (SELECT unnest(json_keys(json)) AS name, row_number() OVER () AS place FROM read_json_objects(${source})) GROUP BY name ORDER BY min(place)`,
  );
  const columns = keys.map(key => key.name);
  const fields = columns.map((key, i) => `json ->> ${literal(`$.${JSON.stringify(key)}`)} AS c${i}`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${fields.join(', ') || 'json'} FROM read_json_objects(${source})`,
  );
  return { columns, delimiter: null };
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
  if (/unicode|utf-?8/i.test(message))
    return unreadable(
      file,
      `the text${at} is not UTF-8`,
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
