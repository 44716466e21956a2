/** Checks that JSON, CSV and Parquet of a slice have the same rows in the same order. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { FORMAT_NAMES, TEXT_FORMATS, type TextFormat } from '../format/documents.ts';
import { pageTail } from '../format/envelope.ts';
import type { CopyEntry, RowColumn, ValueCounts } from '../format/manifest.ts';
import { databaseMessage, type Session } from '../lake/database.ts';
import { fileList, identifier, identifiers, literal, parquetRows, rowOrder } from '../lake/sql.ts';
import { csvHeader, jsonRow, UNKNOWN_TEXT } from './text-sql.ts';

/** A format that the tree doesn't store has no files. */
interface FormatFiles extends Readonly<Record<TextFormat, readonly unknown[]>> {
  readonly columns: readonly RowColumn[];
  readonly parquet: string;
  readonly csv: readonly string[];
  readonly json: readonly PageFile[];
}

export interface PageFile {
  readonly file: string;
  /** The text before the first row. */
  readonly head: string;
  readonly rows: number;
}

const SQL_TYPES = {
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  DOUBLE: 'DOUBLE',
  BYTE_ARRAY: 'VARCHAR',
  BOOLEAN: 'BOOLEAN',
} as const satisfies Record<RowColumn['parquet'], string>;

function sqlType({ type, parquet, utc }: RowColumn): string {
  if (type === 'date') return 'DATE';
  if (type === 'timestamp') return utc ? 'TIMESTAMPTZ' : 'TIMESTAMP';
  return SQL_TYPES[parquet];
}

/** A row of the Parquet file, and of the format, in the form in which they are compared. */
type Compared = readonly [stored: string, own: string, rows: (options: string) => string];

const COMPARED: Readonly<Record<TextFormat, (files: FormatFiles) => Compared>> = {
  csv(files) {
    const values = identifiers(files.columns.map(({ name }) => name));
    return [values, values, options => csvRows(files, options)];
  },
  json: ({ columns, json }) => [textOf(columns), LINE_TEXT, options => jsonLines(json, options)],
};

/** Returns null if nothing differs. */
export async function compareFormats(session: Session, files: FormatFiles): Promise<string | null> {
  const around = await compareAround(files);
  if (around !== null) return around;
  const stored = TEXT_FORMATS.filter(format => files[format].length > 0);
  // Parquet comes first, in the form in which the next format is compared.
  const sources = stored.flatMap(format => {
    const [digested, own, rows] = COMPARED[format](files);
    return [['Parquet', digested, () => parquet(files)] as const, [FORMAT_NAMES[format], own, rows] as const];
  });
  if (stored.length === 0) sources.push(['Parquet', COMPARED.csv(files)[0], () => parquet(files)]);
  let wanted = '';
  for (const [format, digested, rows] of sources) {
    const digest = (options: string) => rowsDigest(session, digested, rows(options));
    try {
      // Long lines are rare and need memory, so there is room for them only on a second try.
      const found = await digest(NO_PARTITIONS).catch(async error =>
        digest(await roomFor(session, files, error)),
      );
      if (format === 'Parquet') wanted = found;
      else if (found !== wanted) return `its ${format} does not hold the rows of its Parquet`;
    } catch (error) {
      return `its ${format} cannot be read (${databaseMessage(error)})`;
    }
  }
  return null;
}

/** Compares the text before and after the rows of JSON and CSV. */
async function compareAround({ columns, csv, json }: FormatFiles): Promise<string | null> {
  const header = `${csvHeader(columns.map(column => ({ column })))}\r\n`;
  for (const file of csv)
    if (!(await isAround(file, header, ''))) return 'its CSV does not begin with the names of its columns';
  for (const { file, head, rows } of json) {
    if (!(await isAround(file, head, pageTail(rows))))
      return `${path.basename(file)} does not begin and end as its manifest requires`;
  }
  return null;
}

async function isAround(file: string, head: string, tail: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const isAt = async (text: string, from: (bytes: number) => number): Promise<boolean> => {
      const expected = Buffer.from(text);
      const { buffer } = await handle.read(
        Buffer.alloc(expected.length),
        0,
        expected.length,
        from(expected.length),
      );
      return buffer.equals(expected);
    };
    return (await isAt(head, () => 0)) && (await isAt(tail, bytes => Math.max(0, size - bytes)));
  } finally {
    await handle.close();
  }
}

/** No column can have these names. */
const ROW_NUMBER = '"number of row"';
const LINE_NUMBER = '"number of line"';
const LINE_TEXT = '"text of line"';

/** A row as a line of a JSON page, without its comma. */
function textOf(columns: readonly RowColumn[]): string {
  return jsonRow(
    columns.map(column => ({ column })),
    () => UNKNOWN_TEXT,
  );
}

/** The number of rows, and a hash of each row with its position. */
async function rowsDigest(session: Session, digested: string, rows: string): Promise<string> {
  const { digest } = await session.row<{ digest: string }>(
    `SELECT concat_ws(' ', count(*), bit_xor(hash(${ROW_NUMBER}, ${digested}))) AS digest FROM (SELECT row_number() OVER () AS ${ROW_NUMBER}, * FROM (${rows}))`,
  );
  return digest;
}

/** Names of folders add no column. */
const NO_PARTITIONS = 'hive_partitioning = false';

/** DuckDB's default limit of a line, in bytes. */
const LINE = 2_000_000;

/** Options with room for the longest row. Rethrows `error` if no row exceeds the default. */
async function roomFor(session: Session, files: FormatFiles, error: unknown): Promise<string> {
  // A character may need an escape, a number or time takes up to 32 characters, and JSON repeats the names.
  const lengths = files.columns.map(({ name, parquet: type }) =>
    type === 'BYTE_ARRAY' ? `2 * coalesce(strlen(${identifier(name)}), 0)` : '32',
  );
  const names = files.columns.reduce((sum, { name }) => sum + 2 * Buffer.byteLength(name) + 6, 0);
  const { line } = await session.row<{ line: number }>(
    `SELECT coalesce(max(${lengths.join(' + ')}), 0)::DOUBLE + ${names} AS line FROM (${parquet(files)})`,
  );
  if (line <= LINE) throw error;
  return `${NO_PARTITIONS}, max_line_size = ${line}, buffer_size = ${line}`;
}

function parquet(files: FormatFiles): string {
  return `SELECT * FROM ${parquetRows([files.parquet])}`;
}

function csvRows({ columns, csv }: FormatFiles, options: string): string {
  const types = columns.map(column => `${literal(column.name)}: ${literal(sqlType(column))}`).join(', ');
  return `SELECT * FROM read_csv(${fileList(csv)}, ${options}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false, columns = {${types}})`;
}

/**
 * Pages have one row object per line between a head and a tail. Lines are compared as texts, because an extra
 * key, or a number in quotes, changes no value.
 */
function jsonLines(json: readonly PageFile[], options: string): string {
  const lines = json.map(
    ({ file, rows }) =>
      `SELECT CASE WHEN ${LINE_NUMBER} >= ${rows} THEN ${LINE_TEXT} WHEN ends_with(${LINE_TEXT}, ',') THEN ${LINE_TEXT}[:-2] ELSE error('no row and comma: ' || left(${LINE_TEXT}, 80)) END AS ${LINE_TEXT} FROM (SELECT coalesce(${LINE_TEXT}, '') AS ${LINE_TEXT}, row_number() OVER () AS ${LINE_NUMBER} FROM read_csv(${fileList([file])}, ${options}, header = false, auto_detect = false, delim = E'\\x01', quote = '', escape = '', new_line = '\\n', skip = 1, columns = {${literal('text of line')}: 'VARCHAR'})) WHERE ${LINE_NUMBER} <> ${rows + 1}`,
  );
  return lines.join(' UNION ALL ');
}

export interface CopyFiles {
  readonly entry: CopyEntry;
  readonly columns: readonly RowColumn[];
  /** Columns that order the rows of an answer. */
  readonly order: readonly string[];
  readonly file: string;
  /** Of the entry's years. */
  readonly slices: readonly string[];
}

/** Returns null if nothing differs. */
export async function compareCopy(session: Session, files: CopyFiles): Promise<string | null> {
  const { entry, columns } = files;
  const unknown = entry.by.find(name => !columns.some(column => column.name === name));
  if (unknown !== undefined) return `there is no column ${unknown}`;
  try {
    if (!(await hasRows(session, files))) return 'it does not hold the rows of its yearly slices';
    if (!(await isSorted(session, files))) return `its rows are not in the order of ${entry.by.join(', ')}`;
    const column = columns.find(({ name }) => name === entry.by[0]);
    if (entry.counted && column && !(await isCounted(session, entry.counted, column, files.slices)))
      return `the manifest counts other rows of ${column.name} than the slices have`;
    return null;
  } catch (error) {
    return `it, or a slice of it, cannot be read (${databaseMessage(error)})`;
  }
}

async function hasRows(session: Session, { columns, file, slices }: CopyFiles): Promise<boolean> {
  const names = identifiers(columns.map(({ name }) => name));
  const digest = async (read: readonly string[]) => {
    const row = await session.row<{ digest: string }>(
      `SELECT concat_ws(' ', count(*), bit_xor(hash(${names})), sum(hash(${names}))) AS digest FROM ${parquetRows(read)}`,
    );
    return row.digest;
  };
  return slices.length > 0 && (await digest([file])) === (await digest(slices));
}

async function isSorted(session: Session, { entry, order, file }: CopyFiles): Promise<boolean> {
  const by = rowOrder(new Set([...entry.by, ...order]));
  const names = [...new Set([...entry.by, ...order])].map(identifier).join(', ');
  const { wrong } = await session.row<{ wrong: number }>(
    `SELECT count(*)::DOUBLE AS wrong FROM (SELECT "number of row", row_number() OVER (ORDER BY ${by}) AS "right number" FROM (SELECT row_number() OVER () AS "number of row", ${names} FROM ${parquetRows([file])})) WHERE "number of row" <> "right number"`,
  );
  return wrong === 0;
}

async function isCounted(
  session: Session,
  { values, rows: counts }: ValueCounts,
  column: RowColumn,
  slices: readonly string[],
): Promise<boolean> {
  const zone = column.utc === true ? 'Z' : '';
  const listed = values.flatMap((value, i) => {
    const text = literal(typeof value === 'string' ? value + zone : value);
    return (counts[i] ?? []).flatMap((rows, year) =>
      rows === 0 ? [] : [`(${text}::${sqlType(column)}, ${year}, ${rows})`],
    );
  });
  const found = slices.map(
    (slice, year) =>
      `SELECT ${identifier(column.name)}, ${year}, count(*) FROM ${parquetRows([slice])} GROUP BY 1`,
  );
  if (listed.length === 0) return false;
  const [expected, present] = [`VALUES ${listed.join(', ')}`, found.join(' UNION ALL ')];
  const { wrong } = await session.row<{ wrong: number }>(
    `SELECT count(*)::DOUBLE AS wrong FROM (((${expected}) EXCEPT ALL (${present})) UNION ALL ((${present}) EXCEPT ALL (${expected})))`,
  );
  return wrong === 0;
}
