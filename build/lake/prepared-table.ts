/**
 * Turns CSV, TSV, JSON lines, workbooks, and Parquet files without a year in their name into Parquet files,
 * one for each year. Later stages read only Parquet with the rows of one slice.
 */
import path from 'node:path';
import { isCoordinateName } from '../contract/compile-dimension.ts';
import type { FileLayout } from '../contract/custom-profile.ts';
import type { BaseColumn, Column, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import { replaceTable } from './column-batches.ts';
import type { Session, SqlRow } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import type { TableFormat } from './lake-layout.ts';
import { compareNames, compareShape, readShapes } from './parquet-shape.ts';
import { isTime, yearOf } from './row-time.ts';
import { fileLiteral, identifier, identifiers, literal, parquetRows } from './sql.ts';
import type { KnownTable } from './table-header.ts';
import { type ColumnReading, textOfColumn } from './text-cells.ts';
import { loadTextTable, type TextTable, textColumn } from './text-table.ts';
import { readColumnsOf, valueDiagnostics } from './text-values.ts';

/** A file of the lake that has to be prepared. */
export interface LakeTable {
  readonly owner: Dataset | Dimension;
  readonly file: LakeFile;
  readonly format: TableFormat;
  /** From the file's name; null if each row says its year, and for a dimension. */
  readonly year: number | null;
}

/** `name` is relative to the folder. */
export interface PreparedFile {
  /** Null if all rows belong to the slice that the lake's file name gives. */
  readonly year: number | null;
  readonly name: string;
}

export interface Preparation {
  readonly files: readonly PreparedFile[];
  /** With errors, there are no files. */
  readonly diagnostics: readonly Diagnostic[];
}

const RAW = 'temp.main."texts of table"';
const ROWS = 'temp.main."rows of table"';

/** A column with more different values doesn't hold years. */
const MOST_YEARS = 500;

export async function prepareTable(
  session: Session,
  table: LakeTable,
  folder: string,
  threads: number,
): Promise<Preparation> {
  await session.run(`SET threads = ${threads}`);
  try {
    const loaded = await (table.format === 'parquet'
      ? loadParquet(session, table)
      : loadText(session, table, table.format));
    if (loaded.some(({ severity }) => severity === 'error')) return { files: [], diagnostics: loaded };
    // With several threads, row groups would differ from run to run.
    await session.run('SET threads = 1');
    const written = await writeYears(session, table, folder);
    return { ...written, diagnostics: [...loaded, ...written.diagnostics] };
  } finally {
    await session.run(`DROP TABLE IF EXISTS ${RAW}; DROP TABLE IF EXISTS ${ROWS}`);
  }
}

async function loadParquet(session: Session, table: LakeTable): Promise<readonly Diagnostic[]> {
  const { owner, file } = table;
  const { shapes, diagnostics } = await readShapes(session, [file]);
  const shape = shapes.get(file.path);
  if (shape === undefined) return diagnostics;
  const rows = parquetRows([file.absolute]);
  // Left out columns aren't read: DuckDB can't store unions in a table.
  const names = [...shape.columns.keys()].filter(name => !owner.leftOut.includes(name));
  const wide = names.map(name => ({ name, sql: identifier(name) }));
  const long = rowsOfYears(table, rows, wide, false);
  if (long !== null && 'severity' in long) return [long];
  const select = long?.select ?? `SELECT ${identifiers(names)} FROM ${rows}`;
  const columns = await session.typesOf(select);
  const found = long === null ? shape : { ...shape, columns };
  const unfit = compareShape(owner, file, found);
  if (unfit.length > 0) return unfit;
  const texts = owner.columns.flatMap(column => {
    const isText = isTime(column) && columns.get(column.name) === 'VARCHAR';
    return isText ? [{ column, ...textOfColumn(column, identifier(column.name)) }] : [];
  });
  if (texts.length === 0) {
    await session.run(`CREATE TEMP TABLE ${ROWS} AS ${select}`);
    return diagnostics;
  }
  await session.run(`CREATE OR REPLACE TEMP TABLE ${RAW} AS ${select}`);
  const readings = await readColumnsOf(session, RAW, texts);
  const wrong = await problemsOf(file, texts, readings, async id => `row ${id + 1}`);
  if (wrong.length > 0) return wrong;
  const values = texts.map(({ text }, i) => `${readings[i]?.value} AS ${text}`);
  await session.run(
    `CREATE TEMP TABLE ${ROWS} AS SELECT * REPLACE (${values.join(', ')}) FROM ${RAW}; DROP TABLE ${RAW}`,
  );
  return diagnostics;
}

/** Null if the contract states no `year_columns`. */
function rowsOfYears(
  { owner, file }: LakeTable,
  from: string,
  wide: readonly { readonly name: string; readonly sql: string }[],
  texts: boolean,
): LongTable | Diagnostic | null {
  const forms = owner.fileLayout.year_columns;
  const year = owner.kind === 'dataset' ? owner.columns.find(column => column.role === 'year')?.name : null;
  if (forms === undefined || year == null) return null;
  const long = longTable(from, wide, forms, year, texts);
  if (long !== null) return long;
  const written = Object.values(forms).map(form => JSON.stringify(form));
  const message = `No column is called ${written.join(' or ')}, with a year in place of {year}. Correct year_columns of file_layout in the contract, or the names.`;
  return diagnosticAt(file.path, 'error', 'lake-missing-column', message);
}

async function loadText(
  session: Session,
  table: LakeTable,
  format: Exclude<TableFormat, 'parquet'>,
): Promise<readonly Diagnostic[]> {
  const read = await readText(session, table, format);
  if (!('readings' in read)) return read;
  const { columns, readings, text } = read;
  const wrong = await problemsOf(table.file, columns, readings, text.where);
  if (wrong.length > 0) return wrong;
  const without = await rowWithoutYear(session, table, read);
  if (without !== null) return [without];
  const list = columns.map(({ column }, i) => `${readings[i]?.value} AS ${identifier(column.name)}`);
  await replaceTable(session, ROWS, RAW, list);
  return text.notes;
}

async function rowWithoutYear(
  session: Session,
  { owner, file, year }: LakeTable,
  { text, columns, readings }: ReadText,
): Promise<Diagnostic | null> {
  if (owner.kind === 'dimension' || year !== null) return null;
  const source = yearSource(owner, name => text.columns.some(column => column.name === name));
  const value = readings[columns.findIndex(({ column }) => column.name === source?.name)]?.value;
  if (source === null || value === undefined) return null;
  const { rows, first } = await session.row<{ rows: number; first: number | null }>(
    `SELECT count(*) AS rows, min(rowid) AS first FROM ${RAW} WHERE (${value}) IS NULL`,
  );
  return first === null
    ? null
    : withoutYear(file, source.name, rows, `, first on ${await text.where(first)}`);
}

function withoutYear(file: LakeFile, column: string, rows: number, where: string): Diagnostic {
  const message = `Column ${column} gives no year in ${countOf(rows, 'row')}${where}. Give each row its ${column}, or omit the row.`;
  return diagnosticAt(file.path, 'error', 'lake-null-year', message);
}

/** The texts in `RAW`, with the contract's columns and their readings. */
interface ReadText {
  readonly text: TextTable;
  readonly columns: readonly { readonly column: BaseColumn }[];
  readonly readings: readonly ColumnReading[];
}

/** Loads texts into `RAW`. Returns errors if they don't fit the contract. */
async function readText(
  session: Session,
  table: LakeTable,
  format: Exclude<TableFormat, 'parquet'>,
): Promise<ReadText | readonly Diagnostic[]> {
  const { owner, file } = table;
  const promised = new Map<string, BaseColumn>(owner.columns.map(column => [column.name, column]));
  const loaded = await loadTextTable(session, file, format, RAW, knownTable(owner));
  if ('severity' in loaded) return [loaded];
  if (loaded.questions.length > 0) return loaded.questions;
  const wide = loaded.columns.map(({ name }, i) => ({ name, sql: textColumn(i) }));
  const long = rowsOfYears(table, RAW, wide, true);
  if (long !== null && 'severity' in long) return [long];
  const mixed = long?.from
    .map(from => from.map(at => loaded.columns[at]!))
    .find(from => new Set(from.map(({ percent }) => percent)).size > 1);
  if (mixed !== undefined) {
    const message = `Some of the columns ${mixed.map(({ name }) => name).join(', ')} show percentages and others plain numbers, so a figure could be off by a hundred. Give their cells one format.`;
    return [diagnosticAt(file.path, 'error', 'lake-unreadable-file', message)];
  }
  const text = long === null ? loaded : await inYears(session, loaded, long);
  const names = text.columns.map(({ name }) => name);
  const repeated = [...new Set(names.filter((name, i) => names.indexOf(name) < i))];
  const unfit = compareNames(owner, file, names, repeated);
  if (unfit.length > 0) return unfit;
  const columns = text.columns.flatMap(({ name, hasNumbers }, i) => {
    const column = promised.get(name);
    if (column === undefined) return [];
    return [{ column, ...textOfColumn(column, textColumn(i)), hasNumbers, isSmall: isSmall(column) }];
  });
  return { text, columns, readings: await readColumnsOf(session, RAW, columns) };
}

async function inYears(
  session: Session,
  text: TextTable,
  { names, from, select }: LongTable,
): Promise<TextTable> {
  await session.run(`CREATE OR REPLACE TEMP TABLE ${RAW} AS ${select}`);
  const columns = names.map((name, i) => {
    const own = (from[i] ?? []).flatMap(at => text.columns[at] ?? []);
    const [{ percent, areTexts } = { percent: false, areTexts: false }] = own;
    return { name, percent, areTexts, hasNumbers: own.some(({ hasNumbers }) => hasNumbers) };
  });
  const where = async (id: number) => {
    const { wide } = await session.row<{ wide: number }>(`SELECT wide FROM ${RAW} WHERE rowid = ${id}`);
    return text.where(Number(wide));
  };
  return { ...text, columns, where };
}

function knownTable({ columns, leftOut, fileLayout: layout }: Dataset | Dimension): KnownTable {
  const values = columns.flatMap(column => [
    ...(column.validValues ?? []).map(String),
    ...Object.keys(column.valueLabels),
    ...('totalValue' in column && column.totalValue !== null ? [column.totalValue] : []),
  ]);
  const expected = new Set([...columns.map(({ name }) => name), ...leftOut]);
  return { expected, layout, values: new Set(values) };
}

/** Coordinates, and columns that the contract bounds below a thousand. */
function isSmall(column: BaseColumn): boolean {
  const { name } = column;
  const isCoordinate = isCoordinateName('latitude', name) || isCoordinateName('longitude', name);
  const { valueMin = null, valueMax = null } = column as Partial<Column>;
  const isBounded = valueMin !== null && valueMax !== null && valueMin > -1000 && valueMax < 1000;
  return isCoordinate || isBounded;
}

async function problemsOf(
  file: LakeFile,
  columns: readonly { readonly column: BaseColumn }[],
  readings: readonly ColumnReading[],
  where: TextTable['where'],
): Promise<readonly Diagnostic[]> {
  const places = new Map<number, string>();
  for (const { doubt } of readings)
    for (const { row } of doubt?.cells ?? []) places.set(row, await where(row - 1));
  return columns.flatMap(({ column }, i) =>
    valueDiagnostics(file, column, readings[i]!, row => places.get(row) ?? ''),
  );
}

async function writeYears(session: Session, table: LakeTable, folder: string): Promise<Preparation> {
  const { owner, file } = table;
  const columns = await session.typesOf(ROWS);
  if (owner.kind === 'dimension' || table.year !== null) {
    await copyRows(session, `SELECT * FROM ${ROWS}`, path.join(folder, 'rows.parquet'));
    return { files: [{ year: null, name: 'rows.parquet' }], diagnostics: [] };
  }
  const fail = (code: string, message: string): Preparation => ({
    files: [],
    diagnostics: [diagnosticAt(file.path, 'error', code, message)],
  });
  const source = yearSource(owner, name => columns.has(name));
  if (source === null) {
    const column = yearSource(owner, () => true)?.name ?? 'year';
    const message = `Neither a column ${column} nor the name of the file tells the year of the rows. Add the column, or put the file in a folder such as year=2024.`;
    return fail('lake-missing-column', message);
  }
  const year = yearOf(source, { columns });
  const found = await session.rows<{ year: number | null; rows: number }>(
    `SELECT ${year}::INTEGER AS year, count(*) AS rows FROM ${ROWS} GROUP BY ALL ORDER BY ALL NULLS FIRST LIMIT ${MOST_YEARS + 2}`,
  );
  const without = found.find(one => one.year === null);
  if (without !== undefined) {
    return { files: [], diagnostics: [withoutYear(file, source.name, without.rows, '')] };
  }
  if (found.length === 0) {
    return fail('lake-empty-file', 'The file has no rows. Fill it, or remove it.');
  }
  const outside = found.find(one => (one.year ?? 0) < 1 || (one.year ?? 0) > 9999);
  if (found.length > MOST_YEARS || outside !== undefined) {
    const seen = outside === undefined ? `more than ${MOST_YEARS} years` : `the year ${outside.year}`;
    const message = `Column ${source.name} has ${seen}, so it cannot divide the rows into years. Correct the values, or give another column the role year.`;
    return fail('lake-years', message);
  }
  const files: PreparedFile[] = [];
  for (const one of found) {
    const name = `${one.year}.parquet`;
    await copyRows(session, `SELECT * FROM ${ROWS} WHERE ${year} = ${one.year}`, path.join(folder, name));
    files.push({ year: one.year, name });
  }
  return { files, diagnostics: [] };
}

async function copyRows(session: Session, select: string, file: string): Promise<void> {
  await session.run(`COPY (${select}) TO ${fileLiteral(file)} (FORMAT parquet)`);
}

type Timed = Pick<Dataset, 'columns' | 'time'>;

/** The column that gives a row's year: the year itself, otherwise the time. Null if the file has neither. */
function yearSource({ columns, time }: Timed, has: (name: string) => boolean): Column | null {
  const present = columns.filter(column => column.derivedFrom === null && has(column.name));
  return (
    present.find(column => column.role === 'year') ??
    present.find(column => column.name === time.column) ??
    null
  );
}

type YearColumns = NonNullable<FileLayout['year_columns']>;

interface LongTable {
  /** The columns that are the same in all years, the year, and the figures. */
  readonly names: readonly string[];
  /** Indices of the wide table's columns; none for the year. */
  readonly from: readonly (readonly number[])[];
  /** In the order of years, then of rows. */
  readonly select: string;
  /** Ascending. */
  readonly years: readonly number[];
}

function formPattern(form: string): RegExp {
  const [start = '', ...rest] = form.split('{year}').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // If the name repeats the year, it must be the same.
  return new RegExp(`^${start}(\\d{4})${rest.join('\\1')}$`, 'u');
}

/**
 * Turns a table with a column for each year into one with a row for each year. `year` names the new column.
 * With `texts`, columns are named `c0`, `c1` …, the year is a text, and `wide` is the row's number in the other table.
 * Null if no column fits a form.
 */
export function longTable(
  table: string,
  columns: readonly { readonly name: string; readonly sql: string }[],
  forms: YearColumns,
  year: string,
  texts: boolean,
): LongTable | null {
  const figures = Object.entries(forms).map(([name, form]) => {
    const pattern = formPattern(form);
    const byYear = new Map<number, number>();
    for (const [at, column] of columns.entries()) {
      const found = pattern.exec(column.name)?.[1];
      if (found !== undefined) byYear.set(Number(found), at);
    }
    return { name, byYear };
  });
  const years = [...new Set(figures.flatMap(({ byYear }) => [...byYear.keys()]))].sort((a, b) => a - b);
  if (years.length === 0) return null;
  const taken = new Set(figures.flatMap(({ byYear }) => [...byYear.values()]));
  const same = [...columns.keys()].filter(at => !taken.has(at));
  const names = [...same.map(at => columns[at]!.name), year, ...figures.map(({ name }) => name)];
  const alias = (i: number) => identifier(texts ? `c${i}` : names[i]!);
  const selects = years.map(one => {
    const values = [
      ...same.map(at => columns[at]!.sql),
      texts ? literal(String(one)) : `${one}::INTEGER`,
      ...figures.map(({ byYear }) => columns[byYear.get(one) ?? -1]?.sql ?? 'NULL'),
    ];
    return `SELECT ${values.map((value, i) => `${value} AS ${alias(i)}`).join(', ')}${texts ? ', rowid AS wide' : ''} FROM ${table}`;
  });
  return {
    names,
    from: [...same.map(at => [at]), [], ...figures.map(({ byYear }) => [...byYear.values()])],
    select: selects.join(' UNION ALL '),
    years,
  };
}

/** Reading a larger file again would take too long. */
const MOST_BYTES = 500_000_000;

/**
 * Such as `data.csv, line 7`. Equal rows get different lines. Null for rows of Parquet, and for rows that
 * aren't found.
 */
export async function findRowPlaces(
  session: Session,
  tables: readonly LakeTable[],
  rows: readonly SqlRow[],
): Promise<(string | null)[]> {
  const places = rows.map((): string | null => null);
  for (const table of tables) {
    const { file, format } = table;
    if (format === 'parquet' || file.bytes > MOST_BYTES || !places.includes(null)) continue;
    const read = await readText(session, table, format);
    if (!('readings' in read)) continue;
    const taken = new Set<number>();
    for (const [i, row] of rows.entries()) {
      if (places[i] !== null) continue;
      if (table.year !== null && 'year' in row && row.year !== table.year) continue;
      const same = read.columns.flatMap(({ column }, k) =>
        column.name in row ? (isSame(read.readings[k]?.value ?? 'NULL', row[column.name]) ?? []) : [],
      );
      if (same.length === 0) continue;
      const found = await session.rows<{ id: number }>(
        `SELECT rowid AS id FROM ${RAW} WHERE ${same.join(' AND ')} ORDER BY rowid LIMIT ${rows.length}`,
      );
      const free = found.map(({ id }) => Number(id)).find(id => !taken.has(id));
      if (free === undefined) continue;
      taken.add(free);
      places[i] = `${file.path}, ${await read.text.where(free)}`;
    }
  }
  await session.run(`DROP TABLE IF EXISTS ${RAW}`);
  return places;
}

/** Null for values that SQL can't compare, such as timestamps. */
function isSame(sql: string, value: unknown): string | null {
  if (value === null) return `(${sql}) IS NULL`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return `(${sql}) = ${literal(value)}`;
  return null;
}

const NAME = 'rows.parquet';

/**
 * Writes one row for each key: of its most complete rows, the one with the most frequent values. There is no
 * file if rows can't be read or lack a column, which the dataset's checks report.
 */
export async function drawDimension(
  session: Session,
  dimension: Dimension,
  files: readonly LakeFile[],
  folder: string,
): Promise<Preparation> {
  const { columns, primaryKey } = dimension;
  const { shapes } = await readShapes(session, files);
  const names = columns.map(({ name }) => name);
  const isWhole = files.every(file => names.every(name => shapes.get(file.path)?.columns.has(name)));
  if (!isWhole) return { files: [], diagnostics: [] };
  const hasKey = primaryKey.map(name => `${identifier(name)} IS NOT NULL`).join(' AND ');
  const rows = `FROM ${parquetRows(files.map(file => file.absolute))} WHERE ${hasKey}`;
  const [keys, values] = [identifiers(primaryKey), identifiers(names)];
  const blanks = names.map(name => `(${identifier(name)} IS NULL)::INTEGER`).join(' + ');
  // DuckDB 1.5.5 sums too many rows if a window names a column twice, so keys are excluded.
  const others = names.filter(name => !primaryKey.includes(name)).map(identifier);
  const weights = ['0', ...others.map(other => `sum("row count") OVER (PARTITION BY ${keys}, ${other})`)];
  const counted = `SELECT ${values}, count(*) AS "row count" ${rows} GROUP BY ${values}`;
  const weighed = `SELECT *, ${weights.join(' + ')} AS "row weight" FROM (${counted})`;
  const best = `row_number() OVER (PARTITION BY ${keys} ORDER BY ${blanks}, "row weight" DESC, ${values}) = 1`;
  await session.run(
    `COPY (SELECT ${values} FROM (${weighed}) QUALIFY ${best} ORDER BY ${keys}) TO ${fileLiteral(path.join(folder, NAME))} (FORMAT parquet)`,
  );
  return {
    files: [{ year: null, name: NAME }],
    diagnostics: await differences(session, dimension, rows),
  };
}

async function differences(
  session: Session,
  { columns, primaryKey, attributeColumns, rowsOf, name, path: file }: Dimension,
  rows: string,
): Promise<Diagnostic[]> {
  const texts = columns.filter(column => column.type === 'string' && attributeColumns.includes(column.name));
  if (texts.length === 0) return [];
  const differ = texts.map(text => `count(DISTINCT ${identifier(text.name)}) > 1`).join(' OR ');
  const keys = identifiers(primaryKey);
  const { count, first } = await session.row<{ count: number; first: string | null }>(
    `SELECT count(*) AS count, min(key) AS first FROM (SELECT concat_ws(', ', ${keys}) AS key ${rows} GROUP BY ${keys} HAVING ${differ})`,
  );
  if (first === null) return [];
  const message = `Rows of ${rowsOf} differ in ${texts.map(text => text.name).join(' or ')} for ${count} of the keys of ${name}, such as ${first}. The dimension has the values of most rows. Correct the others if they are wrong.`;
  return [diagnosticAt(file, 'warning', 'lake-drawn-rows', message)];
}
