/** The lake as DuckDB tables: rows of datasets with level and joined attributes, and rows of dimensions. */
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ContractColumn, Contracts, ContractTable, LogicalType } from './contract-tables.ts';

export interface LakeTable {
  readonly kind: 'dataset' | 'dimension';
  /** The route of its rows. */
  readonly url: string;
  /** Its quoted name in SQL. */
  readonly sqlName: string;
  readonly columns: readonly ContractColumn[];
  readonly order: readonly string[];
  readonly defaultLevel: string;
  /** Null in a dataset without time. */
  readonly year: string | null;
  /** Rows by level and year. A dimension has one level without years; without time, the year is 0. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

export interface Lake {
  readonly tables: readonly LakeTable[];
  /** Connections to one database, for parallel queries. */
  readonly connections: readonly DuckDBConnection[];
  close(): void;
}

const CONNECTIONS = 2;

/** Reads whole numbers as doubles, the numbers of JavaScript. No published number is too large for them. */
const SQL_TYPES: Readonly<Record<LogicalType, string>> = {
  string: 'VARCHAR',
  integer: 'DOUBLE',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};

export const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export async function openLake(folder: string, contracts: Contracts): Promise<Lake> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(CONNECTIONS) });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
  const [connection] = connections;
  if (!connection) throw new Error('No connection is open.');
  const tables: LakeTable[] = [];
  const byKey = new Map(contracts.dimensions.map(dimension => [dimension.key, dimension]));
  for (const dimension of contracts.dimensions) {
    const parts = dimension.key.split('/');
    const file = path.join(folder, ...parts.slice(0, -1), '_dimensions', `${parts.at(-1)}.parquet`);
    const columns = dimension.columns.map(column => `${cast(name(column.name), column)}`).join(', ');
    await connection.run(
      `CREATE TABLE ${name(dimension.key)} AS SELECT ${columns} FROM read_parquet(${text(file)})`,
    );
  }
  const joined = new Map<string, string>();
  for (const dataset of contracts.datasets) {
    if (!(await hasRows(connection, folder, dataset))) continue;
    const domain = dataset.key.split('/')[0]!;
    for (const { dimension } of dataset.joins)
      joined.set(`/api/v1/${domain}/_dimensions/${dimension.split('/').at(-1)}`, dimension);
    tables.push(await createFacts(connection, folder, dataset, byKey));
  }
  for (const [url, key] of joined) tables.push(await describeDimension(connection, url, byKey.get(key)!));
  return { tables, connections, close: () => instance.closeSync() };
}

/** Dates and timestamps are the texts that the API gives. Texts of one column sort by time, but for decimals with a Z. */
function cast(expression: string, { name: column, type, utc }: ContractColumn): string {
  const value = `CAST(${expression} AS ${SQL_TYPES[type]})`;
  switch (type) {
    case 'date':
      return `strftime(${value}, '%Y-%m-%d') AS ${name(column)}`;
    case 'timestamp': {
      const moment = utc ? `make_timestamp(epoch_us(${expression}))` : value;
      const decimals = `rtrim(rtrim(strftime(${moment}, '.%f'), '0'), '.')`;
      return `strftime(${moment}, '%Y-%m-%dT%H:%M:%S') || ${decimals} || '${utc ? 'Z' : ''}' AS ${name(column)}`;
    }
    default:
      return `${value} AS ${name(column)}`;
  }
}

function lakeFiles(folder: string, { key }: ContractTable): string {
  return text(path.join(folder, key, '**', '*.parquet'));
}

/** A lake may lack datasets. */
async function hasRows(
  connection: DuckDBConnection,
  folder: string,
  dataset: ContractTable,
): Promise<boolean> {
  const found = await connection.runAndReadAll(`SELECT count(*) FROM glob(${lakeFiles(folder, dataset)})`);
  return Number(found.getRows()[0]?.[0]) > 0;
}

async function createFacts(
  connection: DuckDBConnection,
  folder: string,
  dataset: ContractTable,
  dimensions: ReadonlyMap<string, ContractTable>,
): Promise<LakeTable> {
  const columns: ContractColumn[] = [];
  const selected: string[] = [];
  const place = (name: string) => dataset.columns.findIndex(column => column.name === name);
  const lastColumns = dataset.joins.map(join => Math.max(...join.on.map(([own]) => place(own))));
  for (const [position, column] of dataset.columns.entries()) {
    columns.push(column);
    selected.push(
      column.yearOf === undefined
        ? cast(`f.${name(column.name)}`, column)
        : `CAST(left(CAST(f.${name(column.yearOf)} AS VARCHAR), 4) AS DOUBLE) AS ${name(column.name)}`,
    );
    for (const [index, join] of dataset.joins.entries()) {
      if (lastColumns[index] !== position) continue;
      const dimension = dimensions.get(join.dimension)!;
      for (const attribute of join.attributes) {
        const described = dimension.columns.find(one => one.name === attribute)!;
        columns.push(described);
        selected.push(cast(`d${index}.${name(attribute)}`, described));
      }
    }
  }
  const joins = dataset.joins.map(({ dimension, on }, index) => {
    const equal = on.map(([own, target]) => `f.${name(own)} = d${index}.${name(target)}`).join(' AND ');
    return `LEFT JOIN ${name(dimension)} d${index} ON ${equal}`;
  });
  await connection.run(
    `CREATE TABLE ${name(dataset.key)} AS SELECT parse_filename(f.filename, true) AS "level of detail", ${selected.join(', ')}
     FROM read_parquet(${lakeFiles(folder, dataset)}, hive_partitioning = false, filename = true, union_by_name = true) f ${joins.join(' ')}`,
  );
  const counted = await connection.runAndReadAll(
    `SELECT "level of detail", ${dataset.year === null ? '0' : name(dataset.year)} AS "year of slice", count(*) FROM ${name(dataset.key)} GROUP BY ALL ORDER BY ALL`,
  );
  const counts = new Map<string, Map<number, number>>();
  for (const [level, year, rows] of counted.getRows()) {
    const years = counts.get(String(level)) ?? new Map<number, number>();
    counts.set(String(level), years.set(Number(year), Number(rows)));
  }
  return {
    kind: 'dataset',
    url: `/api/v1/${dataset.key}`,
    sqlName: name(dataset.key),
    columns,
    order: dataset.order,
    defaultLevel: dataset.defaultLevel,
    year: dataset.year,
    counts,
  };
}

async function describeDimension(
  connection: DuckDBConnection,
  url: string,
  dimension: ContractTable,
): Promise<LakeTable> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${name(dimension.key)}`);
  return {
    kind: 'dimension',
    url,
    sqlName: name(dimension.key),
    columns: dimension.columns,
    order: dimension.order,
    defaultLevel: 'rows',
    year: null,
    counts: new Map([['rows', new Map([[0, Number(counted.getRows()[0]?.[0])]])]]),
  };
}
