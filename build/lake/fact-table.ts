/** Loads the rows of a dataset or a dimension from the lake into a database. */
import type { BaseColumn, Dataset, Dimension } from '../contract/dataset.ts';
import type { Session } from './database.ts';
import type { LakeFile, LakeSlice } from './lake-files.ts';
import { isFloating, type ParquetShape } from './parquet-shape.ts';
import { EXACT_DIGITS, rowYear, timeValue } from './row-time.ts';
import { identifier, literal, parquetRows } from './sql.ts';

/** No domain can have this name. */
export const OWN_SCHEMA = '_civic';

export const DIMENSION_SCHEMA = '_dimensions';

/** Holds the number of the row's slice. No contract's column can have this name. */
export const SLICE_NAME = 'number of slice';

export const SLICE_COLUMN = identifier(SLICE_NAME);

const WIDE_INTEGERS = /^(UBIGINT|U?HUGEINT|DECIMAL\(\d+,\s*0\))$/;

/** Columns of integers that files store as numbers with a fraction, or in more than 64 bits, and a type for both. */
function wideColumns(shapes: Iterable<ParquetShape>): ReadonlyMap<string, 'HUGEINT' | 'DOUBLE'> {
  const columns = [...shapes].flatMap(shape => [...shape.columns]);
  const wide = columns.filter(([, type]) => WIDE_INTEGERS.test(type));
  const floating = columns.filter(([, type]) => isFloating(type));
  return new Map([
    ...wide.map(([name]) => [name, 'HUGEINT'] as const),
    ...floating.map(([name]) => [name, 'DOUBLE'] as const),
  ]);
}

/**
 * A lake column as the checks read it: wide enough for every value, so that a check finds values out of range
 * instead of a failing cast. `yearOfRow`: SQL for a year column that the file lacks.
 */
function loadExpression(
  column: BaseColumn,
  shape: ParquetShape,
  yearOfRow: string | null,
  wide: ReadonlyMap<string, string>,
): string {
  const name = identifier(column.name);
  const type = storedType(column, shape);
  if (type === undefined) return absentColumn(column, yearOfRow, duckdbType(column));
  const present = presentValue(column);
  switch (column.type) {
    case 'integer':
      return `${present}::${wide.get(column.name) ?? 'BIGINT'} AS ${name}`;
    case 'number': {
      const value = castColumn(present, type, 'DOUBLE', column);
      // Integers that a double can't hold exactly become infinity, which the checks refuse.
      return isWideInteger(type)
        ? `CASE WHEN ${present} BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER} THEN ${value} WHEN ${present} IS NOT NULL THEN 'Infinity'::DOUBLE END AS ${name}`
        : `${value} AS ${name}`;
    }
    case 'string':
      return `${present}::VARCHAR AS ${name}`;
    case 'boolean':
      return `${present} AS ${name}`;
    case 'date':
    case 'timestamp':
      return `${timeValue(present, type, duckdbType(column), column)} AS ${name}`;
    default:
      return column.type satisfies never;
  }
}

/** SQL of a Parquet column, with NULL for missing values. */
export function presentValue({ name, type, missingValues }: BaseColumn): string {
  const value = identifier(name);
  if (missingValues.length === 0) return value;
  const isNumeric = type === 'integer' || type === 'number';
  // As text, -99.9 is the same number in a FLOAT and in a DOUBLE.
  const missing = isNumeric
    ? missingValues.flatMap(one => markerNumber(String(one).trim()))
    : missingValues.map(one => literal(String(one)));
  if (missing.length === 0) return value;
  const compared = isNumeric ? `${value}::VARCHAR::DOUBLE` : `trim(${value}::VARCHAR)`;
  return `CASE WHEN ${compared} NOT IN (${missing.join(', ')}) THEN ${value} END`;
}

/** SQL of the number that a marker of missing values is, if it is one. */
function markerNumber(text: string): string[] {
  if (text.toLowerCase() === 'nan') return ["'NaN'::DOUBLE"];
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? [String(number)] : [];
}

/** The year, or NULL. */
export function absentColumn(column: BaseColumn, yearOfRow: string | null, type: string): string {
  const isYear = yearOfRow !== null && 'role' in column && column.role === 'year';
  return `${isYear ? yearOfRow : 'NULL'}::${type} AS ${identifier(column.name)}`;
}

/** Undefined if the file lacks the column, or if the build derives it and doesn't read the file's. */
export function storedType(column: BaseColumn, { columns }: ParquetShape): string | undefined {
  return isDerived(column) ? undefined : columns.get(column.name);
}

/**
 * DuckDB converts a DECIMAL to a double by dividing two doubles, which is inexact beyond 15 digits; a cast
 * through text gives the nearest double. Of a FLOAT it keeps the digits that other programs show: 4.2 and not
 * 4.199999809265137.
 */
export function castColumn(name: string, from: string | undefined, to: string, column: BaseColumn): string {
  if (/^(DATE|TIMESTAMP|TIMESTAMPTZ)$/.test(to)) return timeValue(name, from, to, column);
  if (column.type === 'integer' && isFloating(from)) return `${name}::BIGINT::${to}`;
  const digits = Number(/^DECIMAL\((\d+)/.exec(from ?? '')?.[1] ?? 0);
  return to === 'DOUBLE' && (digits > EXACT_DIGITS || from === 'FLOAT')
    ? `${name}::VARCHAR::DOUBLE`
    : `${name}::${to}`;
}

function isDerived(column: BaseColumn): boolean {
  return 'derivedFrom' in column && column.derivedFrom !== null;
}

/** Including decimals without a fraction. */
function isWideInteger(type: string): boolean {
  return type === 'BIGINT' || WIDE_INTEGERS.test(type);
}

/** Selects the rows of a dimension's file, with columns in contract order. */
export function selectDimension({ columns }: Dimension, file: LakeFile, shape: ParquetShape): string {
  const list = columns.map(column => loadExpression(column, shape, null, wideColumns([shape])));
  return `SELECT ${list.join(', ')} FROM ${parquetRows([file.absolute])}`;
}

/** The rows as checks read them. */
function checkedRows(
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
): string {
  const all = slices.flatMap(slice => slice.files.flatMap(file => shapes.get(file.path) ?? []));
  const wide = wideColumns(all);
  const list: Expressions = (shape, yearOfRow) =>
    dataset.columns.map(column => loadExpression(column, shape, yearOfRow, wide));
  return selectSlices(dataset, slices, shapes, list);
}

/** SQL of the columns of a file. `yearOfRow`: SQL of the year, if the file lacks it or the build derives it. */
export type Expressions = (shape: ParquetShape, yearOfRow: string | null) => readonly string[];

/** Selects expressions from the files of all slices, and SLICE_COLUMN. */
export function selectSlices(
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
  list: Expressions,
): string {
  const files = slices.flatMap((slice, index) =>
    slice.files.map(file => ({ file, index, year: slice.year })),
  );
  const signatures = new Set(
    files.map(({ file }) => JSON.stringify([...(shapes.get(file.path)?.columns ?? [])].sort())),
  );
  const [first] = files;
  const shape = first === undefined ? undefined : shapes.get(first.file.path);
  if (first === undefined || shape === undefined) throw new Error(`No readable file of ${dataset.key}.`);
  const yearColumn = dataset.columns.find(column => column.role === 'year');
  // A column `file_index` hides DuckDB's own.
  const hidden = [...shape.columns.keys()].some(name => name.toLowerCase() === 'file_index');
  const hasYear = yearColumn === undefined || isDerived(yearColumn) || shape.columns.has(yearColumn.name);
  // DuckDB reads several files with the first one's types, and would round fractions in a later file. So it reads
  // files one by one if their types differ, or if their folders give the year.
  if (signatures.size > 1 || hidden || !hasYear) {
    return files
      .map(({ file, index, year }) => {
        const own = shapes.get(file.path) ?? shape;
        const columns = list(own, derivedYear(dataset, own) ?? String(year));
        return `SELECT ${columns.join(', ')}, ${index}::INTEGER AS ${SLICE_COLUMN} FROM ${parquetRows([file.absolute])}`;
      })
      .join('\nUNION ALL\n');
  }
  const columns = list(shape, derivedYear(dataset, shape));
  const indexes = `[${files.map(({ index }) => index).join(', ')}]`;
  const rows = parquetRows(files.map(({ file }) => file.absolute));
  return `SELECT ${columns.join(', ')}, (${indexes})[file_index::BIGINT + 1]::INTEGER AS ${SLICE_COLUMN} FROM ${rows}`;
}

function derivedYear(dataset: Dataset, shape: ParquetShape): string | null {
  return dataset.columns.some(isDerived) ? rowYear(dataset, shape) : null;
}

/** A view with the contract's columns, and its table, which also has SLICE_COLUMN. */
export interface LoadedTable {
  /** As rules write it, with a slash: `domain/topic`, `_dimensions/name`. */
  readonly name: string;
  readonly view: string;
  readonly table: string;
  /** Columns that identify a row, in order. */
  readonly order: readonly string[];
  readonly columns: readonly string[];
}

export function factTable(dataset: Dataset): LoadedTable {
  return {
    name: dataset.key,
    view: `${identifier(dataset.domain)}.${identifier(dataset.topic)}`,
    table: `${OWN_SCHEMA}.${identifier(dataset.key)}`,
    order: dataset.order,
    columns: dataset.columns.map(column => column.name),
  };
}

export function dimensionTable(dimension: Dimension): LoadedTable {
  return {
    name: `${DIMENSION_SCHEMA}/${dimension.name}`,
    view: `${DIMENSION_SCHEMA}.${identifier(dimension.name)}`,
    table: `${OWN_SCHEMA}.${identifier(`_dimension ${dimension.key}`)}`,
    order: dimension.primaryKey,
    columns: dimension.columns.map(column => column.name),
  };
}

export async function createSchemas(session: Session, domains: Iterable<string>): Promise<void> {
  const names = [...new Set([OWN_SCHEMA, DIMENSION_SCHEMA, ...domains])];
  await session.run(names.map(name => `CREATE SCHEMA IF NOT EXISTS ${identifier(name)};`).join(' '));
}

export async function loadFacts(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<void> {
  await createTable(session, factTable(dataset), dataset.columns, checkedRows(dataset, slices, shapes));
}

/**
 * Like `loadFacts`, but as a view of the lake's files, which a locked database must allow. Loads the rows if
 * a file's name looks like a pattern.
 */
export async function viewFacts(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<void> {
  if (!areNameable(filesOf(slices))) return loadFacts(session, dataset, slices, shapes);
  const { table } = factTable(dataset);
  const view = `CREATE VIEW ${table} AS ${checkedRows(dataset, slices, shapes)}`;
  await session.run(`${view}; ${rowsView(factTable(dataset), dataset.columns)}`);
}

/** A locked database refuses file names that look like patterns. */
function areNameable(files: readonly string[]): boolean {
  return files.every(file => !/[[*?]/.test(file));
}

export function filesOf(slices: readonly LakeSlice[]): string[] {
  return slices.flatMap(slice => slice.files.map(file => file.absolute));
}

/** Rules read it as `_dimensions.<name>`. */
export async function loadDimension(
  session: Session,
  dimension: Dimension,
  file: LakeFile,
  shape: ParquetShape,
): Promise<void> {
  const rows = `SELECT *, 0 AS ${SLICE_COLUMN} FROM (${selectDimension(dimension, file, shape)})`;
  await createTable(session, dimensionTable(dimension), dimension.columns, rows);
}

/** So that rules can be bound without a lake. */
export async function createEmptyTables(
  session: Session,
  contracts: readonly (Dataset | Dimension)[],
): Promise<void> {
  await createSchemas(
    session,
    contracts.flatMap(contract => (contract.kind === 'dataset' ? [contract.domain] : [])),
  );
  const statements = contracts.map(contract => {
    const loaded = contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);
    const columns = contract.columns.map(column => `${identifier(column.name)} ${duckdbType(column)}`);
    if (contract.kind === 'dataset') columns.push(`${SLICE_COLUMN} INTEGER`);
    return `CREATE TABLE ${loaded.table} (${columns.join(', ')}); ${rowsView(loaded, contract.columns)}`;
  });
  await session.run(statements.join(';\n'));
}

async function createTable(
  session: Session,
  loaded: LoadedTable,
  columns: readonly BaseColumn[],
  rows: string,
): Promise<void> {
  await session.run(`CREATE TABLE ${loaded.table} AS ${rows}; ${rowsView(loaded, columns)}`);
}

function rowsView({ table, view }: LoadedTable, columns: readonly BaseColumn[]): string {
  const names = columns.map(column => identifier(column.name)).join(', ');
  return `CREATE OR REPLACE VIEW ${view} AS SELECT ${names} FROM ${table}`;
}

const DUCKDB_TYPES: Readonly<Record<BaseColumn['physical'], string>> = {
  int: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
};

export function duckdbType({ physical }: Pick<BaseColumn, 'physical'>): string {
  return DUCKDB_TYPES[physical];
}
