/** Loads a dataset's rows, or a dimension's, from the lake into tables of a database. */
import type { BaseColumn, Dataset, Dimension } from '../contract/dataset.ts';
import type { Session } from './database.ts';
import type { LakeSlice } from './inventory.ts';
import type { LakeFile } from './lake-files.ts';
import type { ParquetShape } from './parquet-shape.ts';
import { identifier, parquetRows } from './sql.ts';

/** Where the software's own tables are; no domain can have this name. */
export const OWN_SCHEMA = '_civic';
export const DIMENSION_SCHEMA = '_dimensions';

/** The number of its slice in the list that was loaded, beside the contract's columns, none of which can have such a name. */
export const SLICE_NAME = 'number of slice';
export const SLICE_COLUMN = identifier(SLICE_NAME);

const WIDE_INTEGERS = new Set(['UBIGINT', 'HUGEINT', 'UHUGEINT']);

function wideColumns(shapes: Iterable<ParquetShape>): Set<string> {
  const columns = [...shapes].flatMap(shape => [...shape.columns]);
  return new Set(columns.flatMap(([name, type]) => (WIDE_INTEGERS.has(type) ? [name] : [])));
}

/**
 * A lake column as the checks see it: the family's type, wide enough to hold what the file has, so that a value
 * out of range is found by a check and not by a failing cast. `wide` names columns that need more than 64 bits.
 */
function loadExpression(
  column: BaseColumn,
  shape: ParquetShape,
  folderYear: string | null,
  wide: ReadonlySet<string>,
): string {
  const name = identifier(column.name);
  const type = shape.columns.get(column.name);
  if (type === undefined) return `${folderYear ?? 'NULL'}::INTEGER AS ${name}`;
  switch (column.type) {
    case 'integer':
      return `${name}::${wide.has(column.name) ? 'HUGEINT' : 'BIGINT'} AS ${name}`;
    case 'number': {
      const value = castColumn(name, type, 'DOUBLE');
      // What no double can hold exactly is no number to the checks, which refuse it.
      return isWideInteger(type)
        ? `CASE WHEN ${name} BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER} THEN ${value} WHEN ${name} IS NOT NULL THEN 'Infinity'::DOUBLE END AS ${name}`
        : `${value} AS ${name}`;
    }
    case 'string':
      return `${name}::VARCHAR AS ${name}`;
    case 'boolean':
      return name;
    default:
      return column.type satisfies never;
  }
}

/**
 * A column of a file as another type. DuckDB makes a double of a DECIMAL by dividing two doubles, and beyond 15 digits each
 * of them may be rounded before: its text is read as the nearest double.
 */
export function castColumn(name: string, from: string | undefined, to: string): string {
  const digits = Number(/^DECIMAL\((\d+)/.exec(from ?? '')?.[1] ?? 0);
  return to === 'DOUBLE' && digits > EXACT_DIGITS ? `${name}::VARCHAR::DOUBLE` : `${name}::${to}`;
}

/** Decimal digits that a double always holds. */
export const EXACT_DIGITS = 15;

/** Integers, those that are written as decimals too, some of which no double holds. */
function isWideInteger(type: string): boolean {
  const [, digits = '0'] = /^DECIMAL\((\d+),\s*0\)$/.exec(type) ?? [];
  return type === 'BIGINT' || WIDE_INTEGERS.has(type) || Number(digits) > EXACT_DIGITS;
}

/** Rows of one file, its columns in contract order. */
export function selectFile(
  columns: readonly BaseColumn[],
  file: LakeFile,
  shape: ParquetShape,
  folderYear: number | null,
  wide: ReadonlySet<string> = wideColumns([shape]),
): string {
  const list = columns.map(column =>
    loadExpression(column, shape, folderYear === null ? null : String(folderYear), wide),
  );
  return `SELECT ${list.join(', ')} FROM ${parquetRows([file.absolute])}`;
}

/** Rows of slices, or of some by their numbers, with the number of each row's slice. */
function selectSlices(
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
  numbers: readonly number[] = [...slices.keys()],
): string {
  const all = slices.flatMap(slice => slice.files.flatMap(file => shapes.get(file.path) ?? []));
  const wide = wideColumns(all);
  const files = numbers.flatMap(index => {
    const slice = slices[index];
    return slice === undefined ? [] : slice.files.map(file => ({ file, index, year: slice.year }));
  });
  const signatures = new Set(
    files.map(({ file }) => JSON.stringify([...(shapes.get(file.path)?.columns ?? [])].sort())),
  );
  const [first] = files;
  const shape = first === undefined ? undefined : shapes.get(first.file.path);
  if (first === undefined || shape === undefined) throw new Error(`No readable file of ${dataset.key}.`);
  const yearColumn = dataset.columns.find(column => column.role === 'year');
  // DuckDB's own number of a file, which a column of that name hides.
  const hidden = [...shape.columns.keys()].some(name => name.toLowerCase() === 'file_index');
  if (signatures.size > 1 || hidden || yearColumn === undefined || !shape.columns.has(yearColumn.name)) {
    // Files that differ in their physical types, or leave the year to the folder, are read one by one.
    return files
      .map(({ file, index, year }) => {
        const own = shapes.get(file.path) ?? shape;
        return `SELECT *, ${index}::INTEGER AS ${SLICE_COLUMN} FROM (${selectFile(dataset.columns, file, own, year, wide)})`;
      })
      .join('\nUNION ALL\n');
  }
  const list = dataset.columns.map(column => loadExpression(column, shape, null, wide));
  const indexes = `[${files.map(({ index }) => index).join(', ')}]`;
  const rows = parquetRows(files.map(({ file }) => file.absolute));
  return `SELECT ${list.join(', ')}, (${indexes})[file_index::BIGINT + 1]::INTEGER AS ${SLICE_COLUMN} FROM ${rows}`;
}

/** Where loaded rows are: a view of the contract's columns alone, and the table beneath with SLICE_COLUMN too. */
export interface LoadedTable {
  /** As contracts' rules name it, with a slash: `domain/topic`, `_dimensions/name`. */
  readonly name: string;
  readonly view: string;
  readonly table: string;
  /** Columns that identify a row, in order. */
  readonly order: readonly string[];
  /** The view's columns. */
  readonly columns: readonly string[];
}

export function factTable(dataset: Dataset): LoadedTable {
  return {
    name: dataset.key,
    view: `${identifier(dataset.domain)}.${identifier(dataset.topic)}`,
    table: `${OWN_SCHEMA}.${identifier(dataset.key)}`,
    order: dataset.grain,
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

/** Loads a dataset's slices. */
export async function loadFacts(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<void> {
  await createTable(session, factTable(dataset), dataset.columns, selectSlices(dataset, slices, shapes));
}

/**
 * The same rows as they stand in the lake's files: whoever reads them reads the files, which a locked database has to
 * allow. Rows of files whose names it cannot tell from patterns are loaded.
 */
export async function viewFacts(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<void> {
  if (!areNameable(filesOf(slices))) return loadFacts(session, dataset, slices, shapes);
  const { table } = factTable(dataset);
  const view = `CREATE VIEW ${table} AS ${selectSlices(dataset, slices, shapes)}`;
  await session.run(`${view}; ${rowsView(factTable(dataset), dataset.columns)}`);
}

/** Whether a locked database can read the files: it takes none whose name looks like a pattern. */
export function areNameable(files: readonly string[]): boolean {
  return files.every(file => !/[[*?]/.test(file));
}

/** Where slices' files are on the disk. */
export function filesOf(slices: readonly LakeSlice[]): string[] {
  return slices.flatMap(slice => slice.files.map(file => file.absolute));
}

/** Loads some slices, by their numbers, into a table of their own, and returns its name. */
export async function loadPart(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
  shapes: ReadonlyMap<string, ParquetShape>,
  numbers: readonly number[],
): Promise<string> {
  const table = `${OWN_SCHEMA}.${identifier(`${dataset.key} part`)}`;
  await session.run(`CREATE TABLE ${table} AS ${selectSlices(dataset, slices, shapes, numbers)}`);
  return table;
}

/** Loads a dimension; contracts' rules may read it as `_dimensions.<name>`. */
export async function loadDimension(
  session: Session,
  dimension: Dimension,
  file: LakeFile,
  shape: ParquetShape,
): Promise<void> {
  const rows = `SELECT *, 0 AS ${SLICE_COLUMN} FROM (${selectFile(dimension.columns, file, shape, null)})`;
  await createTable(session, dimensionTable(dimension), dimension.columns, rows);
}

/** Empty tables, for binding rules where there is no lake. */
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

/** The contract's physical type in DuckDB. */
export function duckdbType(column: BaseColumn): string {
  switch (column.physical) {
    case 'int':
      return 'INTEGER';
    case 'bigint':
      return 'BIGINT';
    case 'double':
      return 'DOUBLE';
    case 'string':
      return 'VARCHAR';
    case 'boolean':
      return 'BOOLEAN';
    default:
      return column.physical satisfies never;
  }
}
