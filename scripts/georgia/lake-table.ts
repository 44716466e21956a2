/** Tables of the lake as their contracts describe them, and the Parquet files that hold their rows. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Session } from '../../build/lake/database.ts';
import { identifier, literal, rowOrder } from '../../build/lake/sql.ts';

export interface LakeTable {
  /** Below the lake's root, no extension: `education/attendance` for a dataset, `_dimensions/tracts` for a dimension. */
  readonly path: string;
  readonly kind: 'dataset' | 'dimension';
  /** In contract order. */
  readonly columns: Readonly<Record<string, PhysicalType>>;
  /** Grain or primary key, in order; rows are sorted by it, NULLs first. */
  readonly key: readonly string[];
  /** The values that a column may have, if the contract lists them. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const SQL_TYPES = { int: 'INTEGER', double: 'DOUBLE', string: 'VARCHAR', boolean: 'BOOLEAN' } as const;

export type PhysicalType = (typeof SQL_TYPES)[keyof typeof SQL_TYPES];

interface Property {
  readonly name: string;
  readonly physicalType: keyof typeof SQL_TYPES;
  /** Place in the grain or the primary key. */
  readonly primaryKeyPosition?: number;
  readonly quality?: readonly { readonly arguments?: { readonly validValues?: readonly unknown[] } }[];
}

/** In the working directory. */
const CONTRACTS = 'contracts';

export function hasContract(path: string, contracts = CONTRACTS): boolean {
  return existsSync(join(contracts, `${path}.odcs.yaml`));
}

const read = new Map<string, LakeTable>();

/** The contract must be there. */
export function readTable(path: string, contracts = CONTRACTS): LakeTable {
  const file = join(contracts, `${path}.odcs.yaml`);
  const known = read.get(file);
  if (known !== undefined) return known;
  const { schema } = parse(readFileSync(file, 'utf8')) as { schema: [{ properties: Property[] }] };
  const { properties } = schema[0];
  const keys = properties.filter(({ primaryKeyPosition }) => primaryKeyPosition !== undefined);
  const table: LakeTable = {
    path,
    kind: path.includes('_dimensions/') ? 'dimension' : 'dataset',
    columns: Object.fromEntries(properties.map(one => [one.name, SQL_TYPES[one.physicalType]])),
    key: keys.sort((a, b) => a.primaryKeyPosition! - b.primaryKeyPosition!).map(({ name }) => name),
    values: Object.fromEntries(
      properties.flatMap(({ name, quality = [] }) => {
        const values = quality.find(rule => rule.arguments?.validValues)?.arguments?.validValues;
        return values ? [[name, values.map(String)]] : [];
      }),
    ),
  };
  read.set(file, table);
  return table;
}

/** SQL for a table's columns, as those of a new table. */
export function columnTypes({ columns }: LakeTable): string {
  return Object.entries(columns)
    .map(([name, type]) => `${identifier(name)} ${type}`)
    .join(', ');
}

/** SQL for a table's columns in contract order, cast to its types. */
export function columnList({ columns }: LakeTable): string {
  return Object.entries(columns)
    .map(([name, type]) => `CAST(${identifier(name)} AS ${type}) AS ${identifier(name)}`)
    .join(', ');
}

/** One Parquet file of the lake: a dataset's year and level, or a whole dimension. */
export interface LakeSlice {
  /** Below the lake's root. */
  readonly path: string;
  /** SQL over the rows of all slices. */
  readonly where: string;
}

/**
 * The slices of some rows, which have `detail` (the level) if they are of a dataset. No slice is empty.
 *
 * @param rows what follows FROM
 */
export async function listSlices(
  session: Session,
  { kind, path }: LakeTable,
  rows: string,
): Promise<LakeSlice[]> {
  if (kind === 'dimension') {
    const some = await session.rows(`SELECT 1 FROM ${rows} LIMIT 1`);
    return some.map(() => ({ path: `${path}.parquet`, where: 'true' }));
  }
  const slices = await session.rows<{ year: number; detail: string }>(
    `SELECT DISTINCT year, detail FROM ${rows} ORDER BY year, detail`,
  );
  return slices.map(({ year, detail }) => ({
    path: `${path}/year=${year}/${detail}.parquet`,
    where: `year = ${year} AND detail = ${literal(detail)}`,
  }));
}

/** @param from the table with the rows of all slices */
export async function writeSlice(
  session: Session,
  table: LakeTable,
  from: string,
  { where }: LakeSlice,
  file: string,
): Promise<void> {
  await session.run(`
    COPY (SELECT ${columnList(table)} FROM ${from} WHERE ${where} ORDER BY ${rowOrder(table.key)})
    TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd)`);
}
