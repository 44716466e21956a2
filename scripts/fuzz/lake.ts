/** The lake as DuckDB tables, joined and typed as the tree's documents say of each table. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ColumnType } from '../../build/format/documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../build/format/paths.ts';
import type { FilterDescriptor, ForeignKeyDescriptor, SchemaDocument } from '../../build/format/schema.ts';

export interface LakeColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether timestamps are in UTC. */
  readonly utc: boolean;
}

export interface LakeTable {
  /** The route of its rows. */
  readonly url: string;
  /** Its quoted name in SQL. */
  readonly sqlName: string;
  readonly columns: readonly LakeColumn[];
  readonly order: readonly string[];
  /** Null in a dimension. */
  readonly defaultLevel: string | null;
  /** None in a dimension. */
  readonly filters: readonly FilterDescriptor[];
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
const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'VARCHAR',
  integer: 'DOUBLE',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};

export const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

type Dimension = Pick<LakeTable, 'columns' | 'order' | 'sqlName'>;

/** `tree`: built from this lake. */
export async function openLake(folder: string, tree: string): Promise<Lake> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(CONNECTIONS) });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
  const connection = connections[0]!;
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const dimensions = new Map<string, Dimension>();
  const facts: LakeTable[] = [];
  for (const { key, path: file } of (await read<TreeManifest>(ROOT.manifest)).datasets) {
    const [domain = '', topic = ''] = key.split('/');
    const schema = await read<SchemaDocument>(schemaPath(domain, topic));
    for (const { target_object: target } of schema.foreign_keys) {
      const url = `/api/v1/${domain}/_dimensions/${target}`;
      if (dimensions.has(url)) continue;
      const { columns, order } = await read<DimensionManifest>(`${url.slice(1)}/manifest.json`);
      const { columns: described } = await read<SchemaDocument>(`${url.slice(1)}/schema.json`);
      const table = { columns: columnsOf(columns, described), order, sqlName: name(url) };
      const list = table.columns.map(column => cast(name(column.name), column));
      // A domain's own dimension comes before the one that all share, and before another domain's.
      const places = [`${domain}/_dimensions`, '_dimensions'].map(one =>
        path.join(folder, one, `${target}.parquet`),
      );
      const source = places.find(existsSync) ?? path.join(folder, '*/_dimensions', `${target}.parquet`);
      await connection.run(
        `CREATE TABLE ${table.sqlName} AS SELECT ${list} FROM read_parquet(${text(source)})`,
      );
      dimensions.set(url, table);
    }
    facts.push(await createFacts(connection, folder, await read<DatasetManifest>(file), schema, dimensions));
  }
  const others = [...dimensions].map(async ([url, table]): Promise<LakeTable> => {
    const counts = await countsOf(connection, table.sqlName, "'rows'", '0');
    return { ...table, url, counts, defaultLevel: null, filters: [] };
  });
  return {
    tables: [...facts, ...(await Promise.all(others))],
    connections,
    close: () => instance.closeSync(),
  };
}

async function createFacts(
  connection: DuckDBConnection,
  folder: string,
  { dataset, columns, order }: DatasetManifest,
  schema: SchemaDocument,
  dimensions: ReadonlyMap<string, Dimension>,
): Promise<LakeTable> {
  const [domain] = dataset.split('/');
  const dimensionOf = (target: string) => dimensions.get(`/api/v1/${domain}/_dimensions/${target}`)!;
  const source = `read_parquet(${text(path.join(folder, dataset, '**/*.parquet'))}, hive_partitioning = false, filename = true, union_by_name = true)`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
  const own = new Set(described.getRows().map(([column]) => column));
  const joins = schema.foreign_keys;
  const all = columnsOf(columns, schema.columns).map((column, i) => {
    const join = joins.findIndex(
      ({ target_object: target, attribute_columns_added: added }) =>
        target === columns[i]?.from && added.includes(column.name),
    );
    const attribute = joins[join] && dimensionOf(joins[join].target_object).columns;
    return { join, ...column, ...attribute?.find(one => one.name === column.name) };
  });
  const selected = all.map(column => {
    if (column.join >= 0) return `d${column.join}.${name(column.name)}`;
    if (own.has(column.name)) return cast(`f.${name(column.name)}`, column);
    // The year of a time, which the lake lacks.
    return `CAST(left(CAST(f.${name(schema.time?.column ?? '')} AS VARCHAR), 4) AS DOUBLE) AS ${name(column.name)}`;
  });
  const joined = joins.map((join, i) => {
    const equal = keysOf(join).map(([from, to]) => `f.${name(from)} = d${i}.${name(to)}`);
    return `LEFT JOIN ${dimensionOf(join.target_object).sqlName} d${i} ON ${equal.join(' AND ')}`;
  });
  const sqlName = name(dataset);
  await connection.run(
    `CREATE TABLE ${sqlName} AS SELECT parse_filename(f.filename, true) AS "level of detail", ${selected} FROM ${source} f ${joined.join(' ')}`,
  );
  const year = schema.filters.find(({ kind }) => kind === 'year_exact')?.column;
  return {
    ...{ url: `/api/v1/${dataset}`, sqlName, columns: all, order, filters: schema.filters },
    defaultLevel: schema.default_detail,
    counts: await countsOf(connection, sqlName, '"level of detail"', year === undefined ? '0' : name(year)),
  };
}

/** Columns of the facts, each with its column of the dimension. */
function keysOf({ column, target_columns: targets }: ForeignKeyDescriptor): (readonly [string, string])[] {
  return targets.map((target, i) => [i === targets.length - 1 ? column : target, target]);
}

function columnsOf(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  described: SchemaDocument['columns'],
): LakeColumn[] {
  return columns.map(({ name: column, type }) => {
    const utc = described.find(one => one.name === column)?.time_zone === 'UTC';
    return { name: column, type, utc };
  });
}

/** Dates and timestamps are the texts that the API gives. Texts of one column sort by time, but for decimals with a Z. */
function cast(expression: string, { name: column, type, utc }: LakeColumn): string {
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

async function countsOf(
  connection: DuckDBConnection,
  table: string,
  level: string,
  year: string,
): Promise<Map<string, Map<number, number>>> {
  const found = await connection.runAndReadAll(
    `SELECT ${level} AS a, ${year} AS b, count(*) FROM ${table} GROUP BY ALL ORDER BY ALL`,
  );
  const counts = new Map<string, Map<number, number>>();
  for (const [own, of, rows] of found.getRows()) {
    const years = counts.get(String(own)) ?? new Map<number, number>();
    counts.set(String(own), years.set(Number(of), Number(rows)));
  }
  return counts;
}
