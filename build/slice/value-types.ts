/**
 * The database in which slices are made. Texts from lists and dimensions become ENUMs whose order is the order of
 * their bytes: rows sort and move as small integers, and joins add no text to them.
 */
import type { Dataset, Dimension } from '../contract/dataset.ts';
import type { Session } from '../lake/database.ts';
import { duckdbType, selectFile } from '../lake/fact-table.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import type { ParquetShape } from '../lake/parquet-shape.ts';
import { identifier, literals } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';
import { type TextNeeds, textNeeds, UNKNOWN_TEXT } from './text-sql.ts';

export interface ValueTypes {
  /** The DuckDB type of a published column. */
  readonly typeOf: (column: PublishedColumn) => string;
  readonly needsOf: (column: PublishedColumn) => TextNeeds;
}

/** The table of a dimension's rows, texts as ENUMs, sorted by key. */
export function enumTable(dimension: Dimension): string {
  return identifier(`dimension ${dimension.key}`);
}

export interface DimensionInput {
  readonly dimension: Dimension;
  readonly file: LakeFile;
  readonly shape: ParquetShape;
}

export async function createValueTypes(
  session: Session,
  datasets: readonly Dataset[],
  dimensions: readonly DimensionInput[],
): Promise<ValueTypes> {
  const types = new Map<string, { type: string; needs: TextNeeds }>();
  for (const input of dimensions) await createDimension(session, input, types);
  for (const dataset of datasets) await createLists(session, dataset, types);
  const lookup = (column: PublishedColumn) =>
    column.reference === null
      ? types.get(`list ${column.column.place.file} ${column.column.name}`)
      : types.get(`dimension ${column.reference.dimension.key} ${column.reference.column}`);
  return {
    typeOf: column => lookup(column)?.type ?? duckdbType(column.column),
    needsOf: column => lookup(column)?.needs ?? UNKNOWN_TEXT,
  };
}

async function createDimension(
  session: Session,
  { dimension, file, shape }: DimensionInput,
  types: Map<string, { type: string; needs: TextNeeds }>,
): Promise<void> {
  const raw = identifier(`raw ${dimension.key}`);
  await session.run(`CREATE TABLE ${raw} AS ${selectFile(dimension.columns, file, shape, null)}`);
  const columns: string[] = [];
  for (const column of dimension.columns) {
    const name = identifier(column.name);
    if (column.type !== 'string') {
      columns.push(`${name}::${duckdbType(column)} AS ${name}`);
      continue;
    }
    const key = `dimension ${dimension.key} ${column.name}`;
    const values = await session.rows<{ value: string }>(
      `SELECT DISTINCT ${name} AS value FROM ${raw} WHERE ${name} IS NOT NULL ORDER BY value`,
    );
    const type = await createEnum(
      session,
      key,
      `SELECT DISTINCT ${name} FROM ${raw} WHERE ${name} IS NOT NULL ORDER BY 1`,
      values.length,
    );
    types.set(key, { type, needs: textNeeds(values.map(row => row.value)) });
    columns.push(`${name}::${type} AS ${name}`);
  }
  const order = dimension.primaryKey.map(identifier).join(', ');
  await session.run(
    `CREATE TABLE ${enumTable(dimension)} AS SELECT ${columns.join(', ')} FROM ${raw} ORDER BY ${order}`,
  );
  await session.run(`DROP TABLE ${raw}`);
}

/** A column without any value has no ENUM to be of. */
async function createEnum(session: Session, name: string, select: string, values: number): Promise<string> {
  if (values === 0) return 'VARCHAR';
  await session.run(`CREATE TYPE ${identifier(name)} AS ENUM (${select})`);
  return identifier(name);
}

async function createLists(
  session: Session,
  dataset: Dataset,
  types: Map<string, { type: string; needs: TextNeeds }>,
): Promise<void> {
  for (const column of dataset.columns) {
    if (column.type !== 'string' || column.validValues === null || column.validValues.length === 0) continue;
    const key = `list ${column.place.file} ${column.name}`;
    const values = column.validValues.map(String);
    // DuckDB sorts by bytes, JavaScript would by UTF-16: let DuckDB do it.
    const select = `SELECT DISTINCT unnest([${literals(values)}]) AS value ORDER BY value`;
    types.set(key, { type: await createEnum(session, key, select, values.length), needs: textNeeds(values) });
  }
}

/** Distinct joins of a dataset, by dimension and columns. */
export function joinsOf(columns: readonly PublishedColumn[]): NonNullable<PublishedColumn['join']>[] {
  return [...new Set(columns.map(column => column.join).filter(join => join !== null))];
}
