/** The lake as DuckDB tables, joined and typed as the tree's documents say. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type {
  ColumnType,
  FilterDescriptor,
  ForeignKeyDescriptor,
  SchemaDocument,
} from '../../build/format/documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../build/format/paths.ts';

export interface LakeColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether timestamps are in UTC. */
  readonly utc: boolean;
}

export interface LakeTable {
  /** The route of its rows. */
  readonly url: string;
  /** Quoted. */
  readonly sqlName: string;
  readonly columns: readonly LakeColumn[];
  readonly order: readonly string[];
  /** Null in a dimension. */
  readonly defaultLevel: string | null;
  /** Those of columns with values; none in a dimension. */
  readonly filters: readonly LakeFilter[];
  /** Some of its rows, always the same; none of a dimension. */
  readonly rows: readonly LakeRow[];
  /** Rows by level and year. A dimension has one level; without years, the year is 0. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

export interface LakeFilter {
  readonly filter: FilterDescriptor;
  readonly columns: readonly LakeColumn[];
  /** Of the first column in the table's sampled rows, ascending. */
  readonly values: readonly string[];
}

export interface LakeRow {
  readonly level: string;
  /** Texts of the columns with filters. */
  readonly values: ReadonlyMap<string, string | null>;
}

export interface Lake {
  readonly tables: readonly LakeTable[];
  /** Connections to one database, for parallel queries. */
  readonly connections: readonly DuckDBConnection[];
  close(): void;
}

const CONNECTIONS = 2;
const SAMPLED_ROWS = 500;

/** Whole numbers are doubles, as in JavaScript; published numbers always fit. */
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

interface Described {
  readonly url: string;
  readonly manifest: Pick<DatasetManifest | DimensionManifest, 'columns' | 'order'>;
  readonly schema: SchemaDocument;
  /** A path or pattern, as SQL. */
  readonly files: string;
}

/** `tree`: built from this lake. */
export async function openLake(folder: string, tree: string): Promise<Lake> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(CONNECTIONS) });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
  const connection = connections[0]!;
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const dimensions = new Map<string, LakeTable>();
  const facts: LakeTable[] = [];
  for (const { key, path: file } of (await read<TreeManifest>(ROOT.manifest)).datasets) {
    const [domain = '', topic = ''] = key.split('/');
    const schema = await read<SchemaDocument>(schemaPath(domain, topic));
    const joined: LakeTable[] = [];
    for (const { target_object: target } of schema.foreign_keys) {
      const url = `/api/v1/${domain}/_dimensions/${target}`;
      // A domain's own dimension comes before the shared one and another domain's.
      const places = [`${domain}/_dimensions`, '_dimensions'].map(one =>
        path.join(folder, one, `${target}.parquet`),
      );
      const source = places.find(existsSync) ?? path.join(folder, '*/_dimensions', `${target}.parquet`);
      const described = {
        ...{ url, files: text(source) },
        manifest: await read<DimensionManifest>(`${url.slice(1)}/manifest.json`),
        schema: await read<SchemaDocument>(`${url.slice(1)}/schema.json`),
      };
      const table = dimensions.get(url) ?? (await createTable(connection, described));
      dimensions.set(url, table);
      joined.push(table);
    }
    const files = text(path.join(folder, key, '**/*.parquet'));
    const manifest = await read<DatasetManifest>(file);
    facts.push(await createTable(connection, { url: `/api/v1/${key}`, manifest, schema, files }, joined));
  }
  return { tables: [...facts, ...dimensions.values()], connections, close: () => instance.closeSync() };
}

/** `joined`: the tables of a dataset's foreign keys; absent for a dimension. */
async function createTable(
  connection: DuckDBConnection,
  { url, manifest: { columns, order }, schema, files }: Described,
  joined?: readonly LakeTable[],
): Promise<LakeTable> {
  const source = `read_parquet(${files}, hive_partitioning = false, filename = true, union_by_name = true)`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
  const own = new Set(described.getRows().map(([column]) => column));
  const joins = joined ? schema.foreign_keys : [];
  const all = columns.map(({ name: column, type, from }) => {
    const join = joins.findIndex(
      ({ target_object: target, attribute_columns_added: added }) =>
        target === from && added.includes(column),
    );
    const utc = schema.columns.find(one => one.name === column)?.time_zone === 'UTC';
    const attribute = joined?.[join]?.columns.find(one => one.name === column);
    return { ...(attribute ?? { name: column, type, utc }), join };
  });
  const selected = all.map(column => {
    if (column.join >= 0) return `d${column.join}.${name(column.name)}`;
    if (own.has(column.name)) return cast(`f.${name(column.name)}`, column);
    // The lake has no year column; the year comes from the time.
    return `CAST(left(CAST(f.${name(schema.time?.column ?? '')} AS VARCHAR), 4) AS DOUBLE) AS ${name(column.name)}`;
  });
  const joining = joins.map((join, i) => {
    const equal = keysOf(join).map(([from, to]) => `f.${name(from)} = d${i}.${name(to)}`);
    return `LEFT JOIN ${joined![i]!.sqlName} d${i} ON ${equal.join(' AND ')}`;
  });
  const sqlName = name(url);
  const level = joined ? 'parse_filename(f.filename, true)' : "'rows'";
  await connection.run(
    `CREATE TABLE ${sqlName} AS SELECT ${level} AS "level of detail", ${selected} FROM ${source} f ${joining.join(' ')}`,
  );
  const filters = joined ? schema.filters : [];
  const year = filters.find(({ kind }) => kind === 'year_exact')?.column;
  return {
    ...{ url, sqlName, columns: all, order },
    ...(await sampleRows(connection, sqlName, all, filters)),
    defaultLevel: joined ? schema.default_detail : null,
    counts: await countRows(connection, sqlName, year === undefined ? '0' : name(year)),
  };
}

async function sampleRows(
  connection: DuckDBConnection,
  table: string,
  all: readonly LakeColumn[],
  filters: readonly FilterDescriptor[],
): Promise<Pick<LakeTable, 'filters' | 'rows'>> {
  if (filters.length === 0) return { filters: [], rows: [] };
  const columnsOf = ({ columns, column }: FilterDescriptor) =>
    (columns ?? [column]).flatMap(own => all.find(one => one.name === own) ?? []);
  const columns = [...new Set(filters.flatMap(columnsOf).map(column => column.name))];
  // DuckDB's own samples differ from run to run, so a seed couldn't repeat a failure.
  const sampled = await connection.runAndReadAll(
    `SELECT ${['level of detail', ...columns].map(name)} FROM ${table} "whole row" ORDER BY hash("whole row") LIMIT ${SAMPLED_ROWS}`,
  );
  const rows = sampled.getRows().map(([level, ...values]) => ({
    level: String(level),
    values: new Map(columns.map((column, i) => [column, values[i] === null ? null : String(values[i])])),
  }));
  const known = filters.map((filter): LakeFilter => {
    const own = columnsOf(filter);
    const isNumber = own[0]?.type === 'integer' || own[0]?.type === 'number';
    const values = new Set(rows.flatMap(row => row.values.get(own[0]?.name ?? '') ?? []));
    return {
      ...{ filter, columns: own },
      values: [...values].sort(isNumber ? (a, b) => Number(a) - Number(b) : undefined),
    };
  });
  // No question can be about a column without values.
  return { filters: known.filter(one => one.columns.length === 0 || one.values.length > 0), rows };
}

/** Pairs of a column of the facts and one of the dimension. */
function keysOf({ column, target_columns: targets }: ForeignKeyDescriptor): (readonly [string, string])[] {
  return targets.map((target, i) => [i === targets.length - 1 ? column : target, target]);
}

/** Dates and timestamps become the API's texts, which sort by time, except decimals with a Z. */
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

async function countRows(
  connection: DuckDBConnection,
  table: string,
  year: string,
): Promise<Map<string, Map<number, number>>> {
  const found = await connection.runAndReadAll(
    `SELECT "level of detail", ${year} AS y, count(*) FROM ${table} GROUP BY ALL ORDER BY ALL`,
  );
  const counts = new Map<string, Map<number, number>>();
  for (const [level, of, rows] of found.getRows()) {
    const years = counts.get(String(level)) ?? new Map<number, number>();
    counts.set(String(level), years.set(Number(of), Number(rows)));
  }
  return counts;
}
