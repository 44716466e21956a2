/** The lake as DuckDB tables, joined and typed as the tree's documents say. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ColumnType, SchemaDocument } from '../../build/format/documents.ts';
import type {
  DatasetManifest,
  DimensionManifest,
  RowColumn,
  TreeManifest,
} from '../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../build/format/paths.ts';
import { identifier as name, literal as text } from '../../build/lake/sql.ts';
import { deriveParameters, type Parameters } from '../../site/query/parameters.ts';

export interface LakeTable {
  /** The route of its rows, and its name in DuckDB. */
  readonly url: string;
  readonly columns: readonly RowColumn[];
  readonly order: readonly string[];
  /** The columns of a place's key. */
  readonly place: readonly string[];
  /** The column of the year; absent without time. */
  readonly year: string | undefined;
  /** Null in a dimension. */
  readonly defaultLevel: string | null;
  /** As the planner derives them. */
  readonly parameters: Parameters;
  /** Some of its rows, always the same. */
  readonly rows: readonly LakeRow[];
}

export interface LakeRow {
  /** `rows` in a dimension. */
  readonly level: string;
  /** The columns, as the API writes them. */
  readonly values: ReadonlyMap<string, string | null>;
}

export type Cell = string | number | boolean | null;

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

interface Described {
  readonly url: string;
  readonly manifest: Pick<DatasetManifest, 'columns' | 'order'> & Partial<Pick<DatasetManifest, 'place'>>;
  readonly schema: SchemaDocument;
  /** A path or pattern. */
  readonly files: string;
}

/** `tree`: built from this lake. */
export async function openLake(folder: string, tree: string) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
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
      const described = {
        url,
        files: places.find(existsSync) ?? path.join(folder, '*/_dimensions', `${target}.parquet`),
        manifest: await read<DimensionManifest>(`${url.slice(1)}/manifest.json`),
        schema: await read<SchemaDocument>(`${url.slice(1)}/schema.json`),
      };
      const table = dimensions.get(url) ?? (await createTable(connection, described));
      dimensions.set(url, table);
      joined.push(table);
    }
    const files = path.join(folder, key, '**/*.parquet');
    const manifest = await read<DatasetManifest>(file);
    facts.push(await createTable(connection, { url: `/api/v1/${key}`, manifest, schema, files }, joined));
  }
  return { tables: [...facts, ...dimensions.values()], connection, close: () => instance.closeSync() };
}

/** `joined`: the tables of a dataset's foreign keys; absent for a dimension. */
async function createTable(
  connection: DuckDBConnection,
  { url, manifest: { columns, order, place = [] }, schema, files }: Described,
  joined?: readonly LakeTable[],
): Promise<LakeTable> {
  const source = `read_parquet(${text(files)}, hive_partitioning = false, filename = true, union_by_name = true)`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
  const own = new Set(described.getRows().map(([column]) => column));
  const joins = joined ? schema.foreign_keys : [];
  const selected = columns.map(column => {
    const join = joins.findIndex(
      ({ target_object: target, attribute_columns_added: added }) =>
        target === column.from && added.includes(column.name),
    );
    if (join >= 0) return `d${join}.${name(column.name)}`;
    if (own.has(column.name)) return typed(`f.${name(column.name)}`, column);
    // The lake has no year column; the year comes from the time.
    return `CAST(left(CAST(f.${name(schema.time?.column ?? '')} AS VARCHAR), 4) AS DOUBLE) AS ${name(column.name)}`;
  });
  const joining = joins.map(({ column, target_columns: targets }, i) => {
    const equal = targets.map((target, at) => {
      const from = at === targets.length - 1 ? column : target;
      return `f.${name(from)} = d${i}.${name(target)}`;
    });
    return `LEFT JOIN ${name(joined![i]!.url)} d${i} ON ${equal.join(' AND ')}`;
  });
  const level = joined ? 'parse_filename(f.filename, true)' : "'rows'";
  await connection.run(
    `CREATE TABLE ${name(url)} AS SELECT ${level} AS "level of detail", ${selected} FROM ${source} f ${joining.join(' ')}`,
  );
  // DuckDB's own samples differ from run to run, so a seed couldn't repeat a failure.
  const sampled = await connection.runAndReadAll(
    `SELECT "level of detail", ${columns.map(spelled)} FROM ${name(url)} "whole row" ORDER BY hash("whole row") LIMIT ${SAMPLED_ROWS}`,
  );
  const rows = sampled.getRows().map(([level, ...values]) => ({
    level: String(level),
    values: new Map(columns.map(({ name }, i) => [name, values[i] === null ? null : String(values[i])])),
  }));
  const filters = joined ? schema.filters : [];
  return {
    ...{ url, columns, order, place, rows },
    year: filters.find(({ kind }) => kind === 'year_exact')?.column,
    defaultLevel: joined ? schema.default_detail : null,
    parameters: deriveParameters(filters, columns),
  };
}

function typed(expression: string, { name: column, type, utc }: RowColumn): string {
  const value = utc ? `make_timestamp(epoch_us(${expression}))` : `CAST(${expression} AS ${SQL_TYPES[type]})`;
  return `${value} AS ${name(column)}`;
}

/** A typed column as the API writes it: dates and times are texts. */
export function spelled({ name: column, type, utc }: RowColumn): string {
  const isTime = type === 'date' || type === 'timestamp';
  const value = isTime ? `replace(CAST(${name(column)} AS VARCHAR), ' ', 'T')` : name(column);
  return `${value}${utc ? " || 'Z'" : ''} AS ${name(column)}`;
}

/** The rows of a Parquet file, as a JSON page has them. */
export async function readParquet(connection: DuckDBConnection, file: string, columns: readonly RowColumn[]) {
  const values = columns.map(column => typed(name(column.name), column));
  const found = await connection.runAndReadAll(
    `SELECT * REPLACE (${columns.map(spelled)}) FROM (SELECT * REPLACE (${values}) FROM ${text(file)})`,
  );
  return found.getRowObjectsJS() as Readonly<Record<string, Cell>>[];
}
