/**
 * SQL for the joined, typed and sorted rows of slices. Texts from lists and dimensions become ENUMs, which sort and
 * move as small integers.
 */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { type Session, spread } from '../lake/database.ts';
import {
  absentColumn,
  castColumn,
  duckdbType,
  type Expressions,
  presentValue,
  selectDimension,
  selectSlices,
  storedType,
} from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import type { ParquetShape } from '../lake/parquet-shape.ts';
import { identifier, identifiers, literals, rowOrder } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';
import { needsSql, type TextNeeds, textNeeds, UNKNOWN_TEXT } from './text-sql.ts';

export interface SliceTableInput {
  readonly dataset: Dataset;
  readonly contracts: Contracts;
  readonly columns: readonly PublishedColumn[];
  readonly types: ValueTypes;
  readonly shapes: ReadonlyMap<string, ParquetShape>;
}

/** In the order of the given columns, NULLs first. */
export function sliceRows(
  input: SliceTableInput,
  slices: readonly LakeSlice[],
  order: readonly string[],
): string {
  return `${joinedRows(input, factRows(input, slices))} ORDER BY ${rowOrder(order, 't')}`;
}

/** Selects the published columns from rows of facts. */
export function joinedRows({ columns, contracts }: SliceTableInput, rows: string): string {
  const joins = joinsOf(columns);
  const list = columns.map(column => {
    const quoted = identifier(column.column.name);
    if (column.join === null) return `t.${quoted}`;
    return `d${joins.indexOf(column.join)}.${quoted}`;
  });
  const clauses = joins.map((join, i) => {
    const dimension = contracts.dimensions.get(join.dimension);
    if (dimension === undefined) throw new Error(`The dimension ${join.dimension} was not compiled.`);
    const on = join.columns.map(
      (column, k) => `t.${identifier(column)} = d${i}.${identifier(join.targetColumns[k] ?? column)}`,
    );
    return `LEFT JOIN ${enumTable(dimension)} d${i} ON ${on.join(' AND ')}`;
  });
  return `SELECT ${list.join(', ')} FROM (${rows}) t ${clauses.join(' ')}`;
}

/** Selects the contract's own columns, typed, from all files of the slices. */
export function factRows(
  { dataset, columns, types, shapes }: SliceTableInput,
  slices: readonly LakeSlice[],
): string {
  const own = columns.filter(({ join }) => join === null);
  const typed: Expressions = (shape, yearOfRow) =>
    own.map(published => {
      const { column } = published;
      const type = types.typeOf(published);
      const from = storedType(column, shape);
      if (from === undefined) return absentColumn(column, yearOfRow, type);
      return `${castColumn(presentValue(column), from, type, column)} AS ${identifier(column.name)}`;
    });
  return selectSlices(dataset, slices, shapes, typed);
}

/** Parquet stores ENUMs as text. */
export function storedColumns(columns: readonly PublishedColumn[]): string {
  return columns
    .map(({ column }) => `${identifier(column.name)}::${duckdbType(column)} AS ${identifier(column.name)}`)
    .join(', ');
}

export interface ValueTypes {
  readonly typeOf: (column: PublishedColumn) => string;
  readonly needsOf: (column: PublishedColumn) => TextNeeds;
}

/** Texts are ENUMs; sorted by key. */
export function enumTable(dimension: Dimension): string {
  return identifier(`dimension ${dimension.key}`);
}

interface DimensionInput {
  readonly dimension: Dimension;
  readonly file: LakeFile;
  readonly shape: ParquetShape;
}

/**
 * Creates the types of datasets, and the types and tables of dimensions. All sessions must belong to one
 * database.
 */
export async function createTypes(
  sessions: readonly Session[],
  datasets: readonly Dataset[],
  dimensions: readonly DimensionInput[],
  contracts?: Pick<Contracts, 'dimensions'>,
): Promise<ValueTypes> {
  const types: TypesByName = new Map();
  const joined = new Set(datasets.flatMap(({ foreignKeys }) => foreignKeys.map(key => key.dimension)));
  const absent = [...(contracts?.dimensions.values() ?? [])].filter(
    ({ key }) => joined.has(key) && !dimensions.some(({ dimension }) => dimension.key === key),
  );
  await sessions[0]?.run(absent.map(createAbsent).join(''));
  await spread(sessions, dimensions, (session, input) => createDimension(session, input, types));
  await spread(sessions, datasets, (session, dataset) => createLists(session, dataset, types));
  const find = ({ column, reference }: PublishedColumn) =>
    types.get(
      reference === null
        ? `list ${column.place.file} ${column.name}`
        : `dimension ${reference.dimension.key} ${reference.column}`,
    );
  return {
    typeOf: column => find(column)?.type ?? duckdbType(column.column),
    needsOf: column => find(column)?.needs ?? UNKNOWN_TEXT,
  };
}

/** A dimension that the lake lacks, since no row needs it. */
function createAbsent(dimension: Dimension): string {
  const columns = dimension.columns.map(column => `${identifier(column.name)} ${duckdbType(column)}`);
  return `CREATE TABLE ${enumTable(dimension)} (${columns.join(', ')});`;
}

type TypesByName = Map<string, { readonly type: string; readonly needs: TextNeeds }>;

async function createDimension(
  session: Session,
  { dimension, file, shape }: DimensionInput,
  types: TypesByName,
): Promise<void> {
  const raw = identifier(`raw ${dimension.key}`);
  const texts = dimension.columns.filter(column => column.type === 'string');
  const needs = texts.flatMap(({ name }, i) => {
    const { jsonEscape, csvQuote, lineFeed } = needsSql(identifier(name));
    return [`${jsonEscape} AS json${i}`, `${csvQuote} AS csv${i}`, `${lineFeed} AS line${i}`];
  });
  const found = await session.row<Record<string, boolean | null>>(
    `CREATE TABLE ${raw} AS ${selectDimension(dimension, file, shape)}; SELECT ${['count(*)', ...needs].join(', ')} FROM ${raw}`,
  );
  const statements: string[] = [];
  const typed = new Map<string, string>();
  for (const [i, { name }] of texts.entries()) {
    const jsonEscape = found[`json${i}`] ?? null;
    // A column without values has no ENUM.
    const none = jsonEscape === null;
    const key = `dimension ${dimension.key} ${name}`;
    const type = none ? 'VARCHAR' : identifier(key);
    typed.set(name, type);
    const needs = {
      jsonEscape: jsonEscape === true,
      csvQuote: found[`csv${i}`] === true,
      lineFeed: found[`line${i}`] === true,
    };
    types.set(key, { type, needs });
    const column = identifier(name);
    if (!none)
      statements.push(
        createEnum(key, `SELECT DISTINCT ${column} FROM ${raw} WHERE ${column} IS NOT NULL ORDER BY 1`),
      );
  }
  const columns = dimension.columns.map(column => {
    const name = identifier(column.name);
    return `${name}::${typed.get(column.name) ?? duckdbType(column)} AS ${name}`;
  });
  const order = identifiers(dimension.primaryKey);
  statements.push(
    `CREATE TABLE ${enumTable(dimension)} AS SELECT ${columns.join(', ')} FROM ${raw} ORDER BY ${order}`,
    `DROP TABLE ${raw}`,
  );
  await session.run(statements.join('; '));
}

function createEnum(name: string, select: string): string {
  return `CREATE TYPE ${identifier(name)} AS ENUM (${select})`;
}

async function createLists(session: Session, dataset: Dataset, types: TypesByName): Promise<void> {
  const statements: string[] = [];
  for (const column of dataset.columns) {
    if (column.type !== 'string' || column.validValues === null || column.validValues.length === 0) continue;
    const key = `list ${column.place.file} ${column.name}`;
    const values = column.validValues.map(String);
    // DuckDB sorts by bytes, JavaScript by UTF-16 units.
    statements.push(createEnum(key, `SELECT DISTINCT unnest([${literals(values)}]) AS value ORDER BY value`));
    types.set(key, { type: identifier(key), needs: textNeeds(values) });
  }
  if (statements.length > 0) await session.run(statements.join('; '));
}

function joinsOf(columns: readonly PublishedColumn[]): NonNullable<PublishedColumn['join']>[] {
  return [...new Set(columns.map(column => column.join).filter(join => join !== null))];
}
