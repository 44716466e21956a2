/** Loads CSV, TSV, JSON lines and workbooks with every value as text, so that codes keep leading zeros. */
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { readAggregates } from './column-batches.ts';
import { databaseMessage, type Session } from './database.ts';
import {
  decodeText,
  type LoadedRows,
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
import { type KnownTable, noteOf, type Said, type TextFile, type Unread } from './table-header.ts';

export interface TextTable {
  /** In the file's order and spelling; `c<i>` holds the column at `i`. */
  readonly columns: readonly string[];
  /** Columns shown as percentages in a workbook. */
  readonly percent: ReadonlySet<number>;
  /** Columns with numbers of the file's own (JSON, workbooks), whose decimal mark is a point. */
  readonly numbers: ReadonlySet<number>;
  /** Columns with values such as ="007". */
  readonly texts: ReadonlySet<number>;
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

type Loaded = LoadedRows & Partial<Pick<TextTable, 'percent' | 'numbers' | 'sheet'>>;

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
  const other = format === 'jsonl' || format === 'workbook' ? null : otherContent(file.absolute);
  if (other !== null)
    return unreadable(file, `it is ${other}, not a text with columns`, 'Save the table as CSV');
  const load = async (from: TextFile): Promise<Loaded | Unread> => {
    switch (format) {
      case 'jsonl':
        return loadJsonLines(session, from, name);
      case 'csv':
      case 'tsv':
        return loadDelimited(session, from, format, name, known.expected, known.layout);
      case 'workbook': {
        // The library is large, and most lakes have no workbook.
        const { loadWorkbook } = await import('./workbook-table.ts');
        return loadWorkbook(session, from, name, known);
      }
      default:
        return format satisfies never;
    }
  };
  const isText = format === 'csv' || format === 'tsv';
  const marked = format === 'workbook' ? null : markedEncoding(file.absolute);
  if (marked !== null && !(isText && marked === 'utf-8'))
    return loadDecoded(session, file, format, name, known, marked, load);
  try {
    const found = await load(file);
    if ('why' in found) return unreadable(file, found.why, found.remedy);
    // DuckDB doesn't validate the header.
    const isUnread = found.names.some(column => column.includes('\ufffd'));
    if (isUnread && isText) return loadDecoded(session, file, format, name, known, 'windows-1252', load);
    const where = placeOf(found, id => found.lineOf(id, file.absolute));
    return await finished(session, file, name, known, found, [], where, format);
  } catch (error) {
    if (isText && isEncoding(String(error)))
      return loadDecoded(session, file, format, name, known, 'windows-1252', load);
    return explained(file, databaseMessage(error), String(error));
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
  [/^(\xef\xbb\xbf)?\s*<(!doctype|html|\?xml)/i, 'a web page or XML'],
  [/^(\xef\xbb\xbf)?\s*[[{]\s*[[{"]/, 'JSON'],
];

function placeOf({ sheet }: Loaded, lineOf: (rowid: number) => Promise<number>): TextTable['where'] {
  return async id => {
    const line = await lineOf(id);
    return sheet == null ? `line ${line}` : `row ${line} of sheet ${JSON.stringify(sheet)}`;
  };
}

/** Office programs write Windows-1252, or UTF-16 as "Unicode". */
async function loadDecoded(
  session: Session,
  file: TextFile,
  format: TableFormat,
  name: string,
  known: KnownTable,
  encoding: OtherEncoding,
  load: (file: TextFile) => Promise<Loaded | Unread>,
): Promise<TextTable | Diagnostic> {
  const decoded = decodeText(file.absolute, encoding);
  if (decoded === null) {
    const message = 'Save it as UTF-8 (as office programs offer, or with iconv -t UTF-8)';
    return unreadable(file, `the text is neither UTF-8 nor ${ENCODINGS[encoding]}`, message);
  }
  try {
    const found = await load({ ...file, absolute: decoded.absolute });
    if ('why' in found) return unreadable(file, found.why, found.remedy);
    const seen = decoded.word === null ? '' : ` (${JSON.stringify(decoded.word)})`;
    const message = `The table is not UTF-8, so the build reads it as ${ENCODINGS[encoding]}${seen}. If letters are wrong, save it as UTF-8.`;
    const note: Said = { severity: 'note', code: 'lake-encoding', message };
    const said = encoding === 'utf-8' ? [] : [note];
    const where = placeOf(found, async id => {
      const again = decodeText(file.absolute, encoding);
      try {
        return again === null ? 0 : await found.lineOf(id, again.absolute);
      } finally {
        again?.remove();
      }
    });
    return await finished(session, file, name, known, found, said, where, format);
  } catch (error) {
    return explained({ ...file, absolute: decoded.absolute }, databaseMessage(error), String(error));
  } finally {
    decoded.remove();
  }
}

/** Drops surroundings, and columns without a name and values. */
async function finished(
  session: Session,
  file: TextFile,
  name: string,
  { layout, values }: KnownTable,
  { percent = new Set(), numbers = new Set(), sheet = null, ...loaded }: Loaded,
  before: readonly Said[],
  where: TextTable['where'],
  format: TableFormat,
): Promise<TextTable> {
  const around =
    format === 'jsonl' ? [] : await dropSurroundings(session, name, loaded.names, layout, values, where);
  const names = loaded.names.map(oneLine);
  const texts = await rewriteFields(session, name, names.length, format);
  const kept = names.map((_, i) => i);
  const said = [...before, ...loaded.said, ...around];
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
    columns: kept.map(i => names[i] ?? ''),
    percent: new Set(kept.flatMap((from, to) => (percent.has(from) ? [to] : []))),
    numbers: new Set(kept.flatMap((from, to) => (numbers.has(from) ? [to] : []))),
    texts: new Set(kept.flatMap((from, to) => (texts.has(from) ? [to] : []))),
    sheet,
    notes: all.filter(({ severity }) => severity !== 'error'),
    questions: all.filter(({ severity }) => severity === 'error'),
    where,
  };
}

/** Names of columns can't have line breaks. */
function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ').trim();
}

/** Fields may have the file's line ends. Returns the columns with ="007", or 007 in quotes after a space. */
async function rewriteFields(
  session: Session,
  table: string,
  columns: number,
  format: TableFormat,
): Promise<ReadonlySet<number>> {
  const texts = Array.from({ length: columns }, (_, i) => textColumn(i));
  const isMarked = (text: string) =>
    format === 'jsonl' ? 'false' : `(starts_with(${text}, '="') OR starts_with(${text}, ' "'))`;
  const counts = await readAggregates<number>(
    session,
    table,
    texts.flatMap(text => [`count_if(${isMarked(text)})`, `count_if(contains(${text}, chr(13)))`]),
  );
  for (const [i, text] of texts.entries()) {
    if (counts[2 * i] === 0 && counts[2 * i + 1] === 0) continue;
    const bare = `CASE WHEN ${isMarked(text)} THEN regexp_replace(${text}, '^[= ]"([^"]*)"$', '\\1') ELSE ${text} END`;
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

async function loadJsonLines(session: Session, file: TextFile, name: string): Promise<Loaded | Unread> {
  const source = `${fileLiteral(file.absolute)}, format = 'newline_delimited', maximum_object_size = 16777216, compression = 'uncompressed', hive_partitioning = false`;
  const lineOf = async (rowid: number, text: string) => {
    let row = 0;
    for (const { line } of readRecords(text, { delimiter: '\0' })) if (row++ === rowid) return line;
    return 0;
  };
  const { row } = await session.row<{ row: number | null }>(
    `SELECT min(row) AS row FROM (SELECT row_number() OVER () - 1 AS row, json_type(json) AS type FROM read_json_objects(${source})) WHERE type <> 'OBJECT'`,
  );
  if (row !== null)
    return {
      why: `line ${await lineOf(row, file.absolute)} isn't a JSON object`,
      remedy: 'Write one JSON object per line',
    };
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
      JSON.parse(text);
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
