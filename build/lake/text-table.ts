/** Loads CSV, TSV, JSON lines and workbooks with every value as text, so that codes keep leading zeros. */
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { readAggregates } from './column-batches.ts';
import { databaseMessage, type Session } from './database.ts';
import {
  type DecodedText,
  decodeText,
  type LoadedRows,
  lineOfRow,
  loadDelimited,
  markedEncoding,
  type OtherEncoding,
  readFirst,
  readRecords,
} from './delimited-table.ts';
import type { LakeFile } from './lake-files.ts';
import type { TableFormat } from './lake-layout.ts';
import { fileLiteral, identifier, literal } from './sql.ts';
import { dropSurroundings } from './surrounding-rows.ts';
import { type KnownTable, noteOf, type Said, type TextFile, UnreadError } from './table-header.ts';
import type { WorkbookRows } from './workbook-table.ts';

export interface TextTableColumn {
  readonly name: string;
  /** Shown as percentages in a workbook. */
  readonly percent: boolean;
  /** Has numbers of the file's own (JSON, workbooks), whose decimal mark is a point. */
  readonly hasNumbers: boolean;
  /** Has values such as ="007". */
  readonly areTexts: boolean;
}

export interface TextTable {
  /** In the file's order and spelling; `c<i>` holds the column at `i`. */
  readonly columns: readonly TextTableColumn[];
  /** Null unless the file is a workbook. */
  readonly sheet: string | null;
  /** What the build assumed or left out. */
  readonly notes: readonly Diagnostic[];
  /** What only the contract can decide. The rows in question are left out. */
  readonly questions: readonly Diagnostic[];
  /** Where a row is in the file: `line 7`, or `row 7 of sheet "A"`. */
  readonly where: (rowid: number) => Promise<string>;
}

export function textColumn(index: number): string {
  return identifier(`c${index}`);
}

type Loaded = LoadedRows & Partial<Pick<WorkbookRows, 'percent' | 'numbers'> & Pick<TextTable, 'sheet'>>;

/**
 * Loads a file into the table `name` with VARCHAR columns `c0`, `c1` … An empty field of CSV is NULL.
 * Whatever surrounds the table is left out: see `findHeader` and `dropSurroundings`.
 */
export async function loadTextTable(
  session: Session,
  file: TextFile,
  format: Exclude<TableFormat, 'parquet'>,
  name: string,
  known: KnownTable,
): Promise<TextTable | Diagnostic> {
  if (file.bytes === 0)
    return unreadable(file, 'the file is empty (0 bytes)', 'Write it again, or remove it');
  const isText = format === 'csv' || format === 'tsv';
  const other = isText ? otherContent(file.absolute) : null;
  if (other !== null)
    return unreadable(file, `it is ${other}, not a text with columns`, 'Save the table as CSV');
  /** Null: UTF-8, or no text. */
  const loadIn = async (encoding: OtherEncoding | null): Promise<TextTable | Diagnostic> => {
    const decoded = encoding === null ? null : decodeText(file.absolute, encoding);
    if (encoding !== null && decoded === null) {
      const remedy = 'Save it as UTF-8 (as office programs offer, or with iconv -t UTF-8)';
      return unreadable(file, `the text is neither UTF-8 nor ${ENCODINGS[encoding]}`, remedy);
    }
    const from = { ...file, absolute: (decoded ?? file).absolute };
    try {
      const found = await loadAs(session, from, format, name, known);
      // DuckDB doesn't validate the header.
      if (encoding === null && isText && found.names.some(column => column.includes('\ufffd')))
        return await loadIn('windows-1252');
      const where = async (rowid: number) => {
        const again = encoding === null ? null : decodeText(file.absolute, encoding);
        try {
          const line = await found.lineOf(rowid, (again ?? file).absolute);
          return found.sheet == null ? `line ${line}` : `row ${line} of sheet ${JSON.stringify(found.sheet)}`;
        } finally {
          again?.remove();
        }
      };
      const said = [...(decoded === null ? [] : encodingNote(decoded)), ...found.said];
      return await finished(session, file, name, known, { ...found, said }, where, format);
    } catch (error) {
      if (error instanceof UnreadError) return unreadable(file, error.message, error.remedy);
      if (encoding === null && isText && isEncoding(String(error))) return loadIn('windows-1252');
      return explained(from, databaseMessage(error), String(error));
    } finally {
      decoded?.remove();
    }
  };
  const marked = format === 'workbook' ? null : markedEncoding(file.absolute);
  return loadIn(isText && marked === 'utf-8' ? null : marked);
}

async function loadAs(
  session: Session,
  file: TextFile,
  format: Exclude<TableFormat, 'parquet'>,
  name: string,
  known: KnownTable,
): Promise<Loaded> {
  switch (format) {
    case 'jsonl':
      return loadJsonLines(session, file, name);
    case 'csv':
    case 'tsv':
      return loadDelimited(session, file, format, name, known.expected, known.layout);
    case 'workbook': {
      // The library is large, and most lakes have no workbook.
      const { loadWorkbook } = await import('./workbook-table.ts');
      return loadWorkbook(session, file, name, known);
    }
    default:
      return format satisfies never;
  }
}

/** What a file really is, if its extension is wrong; null for a text. */
function otherContent(file: string): string | null {
  const start = readFirst(file, 200).toString('latin1');
  return OTHERS.find(([mark]) => mark.test(start))?.[1] ?? null;
}

const OTHERS: readonly (readonly [mark: RegExp, what: string])[] = [
  [/^PK\x03\x04/, 'a ZIP archive or a workbook'],
  [/^\x1f\x8b/, 'compressed (gzip)'],
  [/^BZh/, 'compressed (bzip2)'],
  [/^\x28\xb5\x2f\xfd/, 'compressed (zstd)'],
  [/^\xd0\xcf\x11\xe0/, 'an old workbook'],
  [/^%PDF/, 'a PDF'],
  [/^PAR1/, 'a Parquet file'],
  [/^(?!\xff\xfe|\xfe\xff)[^\r\n\0]*\0/, 'in UTF-16 without a byte order mark, or no text'],
  [/^(\xef\xbb\xbf)?\s*<(!doctype|html|\?xml)/i, 'a web page or XML'],
  [/^(\xef\xbb\xbf)?\s*[[{]\s*[[{"]/, 'JSON'],
];

/** Office programs write Windows-1252, or UTF-16 as "Unicode". */
function encodingNote({ encoding, word }: DecodedText): Said[] {
  const seen = word === null ? '' : ` (${JSON.stringify(word)})`;
  const message = `The table is not UTF-8, so the build reads it as ${ENCODINGS[encoding]}${seen}. If letters are wrong, save it as UTF-8.`;
  return encoding === 'utf-8' ? [] : [{ severity: 'note', code: 'lake-encoding', message }];
}

/** Drops surroundings, and columns without a name and values. */
async function finished(
  session: Session,
  file: TextFile,
  name: string,
  { layout, values }: KnownTable,
  { percent = new Set(), numbers = new Set(), sheet = null, ...loaded }: Loaded,
  where: TextTable['where'],
  format: TableFormat,
): Promise<TextTable> {
  const around =
    format === 'jsonl' ? [] : await dropSurroundings(session, name, loaded.names, layout, values, where);
  // Names of columns can't have line breaks.
  const names = loaded.names.map(one => one.replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ').trim());
  const texts = await rewriteFields(session, name, names.length, format);
  const kept = names.map((_, i) => i);
  const said = [...loaded.said, ...around];
  for (const [i, column] of names.entries()) {
    if (column !== '') continue;
    const { filled, numbers } = await session.row<Record<'filled' | 'numbers', number>>(
      `SELECT count(v) AS filled, greatest(count_if(v = row::VARCHAR), count_if(v = (row - 1)::VARCHAR)) AS numbers FROM (SELECT c${i} AS v, row_number() OVER (ORDER BY rowid) AS row FROM ${name})`,
    );
    const isRowNumber = i === 0 && filled > 1 && numbers === filled;
    if (filled > 0 && !isRowNumber) continue;
    if (isRowNumber)
      said.push(noteOf('The first column has no name and only counts the rows, and is left out.'));
    await session.run(`ALTER TABLE ${name} DROP COLUMN c${i}`);
    kept.splice(kept.indexOf(i), 1);
  }
  for (const [to, from] of kept.entries())
    if (to !== from) await session.run(`ALTER TABLE ${name} RENAME COLUMN c${from} TO c${to}`);
  const all = said.map(one => ({ ...one, file: file.path }));
  return {
    columns: kept.map(i => ({
      name: names[i] ?? '',
      percent: percent.has(i),
      hasNumbers: numbers.has(i),
      areTexts: texts.has(i),
    })),
    sheet,
    notes: all.filter(({ severity }) => severity !== 'error'),
    questions: all.filter(({ severity }) => severity === 'error'),
    where,
  };
}

/** Fields may have the file's line ends. Returns the columns with ="007". */
async function rewriteFields(
  session: Session,
  table: string,
  columns: number,
  format: TableFormat,
): Promise<ReadonlySet<number>> {
  const texts = Array.from({ length: columns }, (_, i) => textColumn(i));
  const isMarked = (text: string) => (format === 'jsonl' ? 'false' : `starts_with(${text}, '="')`);
  const counts = await readAggregates<number>(
    session,
    table,
    texts.flatMap(text => [`count_if(${isMarked(text)})`, `count_if(contains(${text}, chr(13)))`]),
  );
  for (const [i, text] of texts.entries()) {
    if (counts[2 * i] === 0 && counts[2 * i + 1] === 0) continue;
    const bare = `CASE WHEN ${isMarked(text)} THEN regexp_replace(${text}, '^="([^"]*)"$', '\\1') ELSE ${text} END`;
    await session.run(`UPDATE ${table} SET ${text} = regexp_replace(${bare}, '\\r\\n?', chr(10), 'g')`);
  }
  return new Set(texts.flatMap((_, i) => (counts[2 * i] === 0 ? [] : [i])));
}

const ENCODINGS: Readonly<Record<OtherEncoding, string>> = {
  'windows-1252': 'Windows-1252',
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

function isEncoding(message: string): boolean {
  return /unicode|utf-?8/i.test(message);
}

async function loadJsonLines(session: Session, file: TextFile, name: string): Promise<Loaded> {
  const source = `${fileLiteral(file.absolute)}, format = 'newline_delimited', maximum_object_size = 16777216, compression = 'uncompressed', hive_partitioning = false`;
  const lineOf = async (rowid: number, text: string) =>
    lineOfRow(readRecords(text, { delimiter: '\0' }), rowid);
  const [wrong] = await session.rows<{ row: number; type: string }>(
    `SELECT row, type FROM (SELECT row_number() OVER () - 1 AS row, json_type(json) AS type, json_keys(json) AS keys FROM read_json_objects(${source})) WHERE type <> 'OBJECT' OR len(keys) <> len(list_distinct(keys)) ORDER BY row LIMIT 1`,
  );
  if (wrong !== undefined) {
    const what = wrong.type === 'OBJECT' ? 'has a name twice' : "isn't a JSON object";
    const line = await lineOf(wrong.row, file.absolute);
    throw new UnreadError(`line ${line} ${what}`, 'Write one JSON object per line');
  }
  const keys = await session.rows<{ name: string }>(
    `SELECT name FROM (SELECT unnest(json_keys(json)) AS name, generate_subscripts(json_keys(json), 1) AS place, row_number() OVER () AS row FROM read_json_objects(${source})) GROUP BY name ORDER BY min((row, place))`,
  );
  const names = keys.map(key => key.name);
  // A JSON path would interpret quotes and dots in names.
  const pointer = (key: string) => literal(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const fields = names.map((key, i) => `json ->> ${pointer(key)} AS c${i}`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${fields.join(', ') || 'json'} FROM read_json_objects(${source})`,
  );
  const counts = await readAggregates<number>(
    session,
    `read_json_objects(${source})`,
    names.map(key => `count_if(json_type(json, ${pointer(key)}) = 'DOUBLE')`),
  );
  const numbers = new Set(names.flatMap((_, i) => (counts[i] === 0 ? [] : [i])));
  return { names, numbers, said: [], lineOf };
}

/** DuckDB's messages list its options; a publisher needs the line and the reason. */
function explained(file: TextFile, first: string, message: string): Diagnostic {
  const line = /Line: (\d+)/i.exec(message)?.[1];
  const at = line === undefined ? '' : ` on line ${line}`;
  if (isEncoding(message)) {
    const message = 'Save it as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8 reads what most office programs write)';
    return unreadable(file, `the text${at} is not UTF-8, which JSON is written in`, message);
  }
  if (/Malformed JSON|maximum_object_size/i.test(message))
    return unreadable(file, malformedLine(file.absolute), 'Write one JSON object per line');
  return unreadable(file, first.replaceAll(file.absolute, file.path), 'Write it again, or remove it');
}

function malformedLine(file: string): string {
  for (const { line, cells } of readRecords(file, { delimiter: '\0' })) {
    const [text = ''] = cells;
    try {
      // Half a character, which programs read differently.
      if (/\\ud[89a-f]/.test(JSON.stringify(JSON.parse(text)))) throw new SyntaxError();
    } catch {
      return `line ${line} isn't JSON (${JSON.stringify(text.slice(0, 60))})`;
    }
  }
  return 'it holds a line that is too long';
}

function unreadable(file: Pick<LakeFile, 'path'>, why: string, remedy: string): Diagnostic {
  const message = `The table cannot be read: ${why.replace(/\.$/, '')}. ${remedy}.`;
  return diagnosticAt(file.path, 'error', 'lake-unreadable-file', message);
}
