/** Writes a lake of invented data, and keeps the folder of the lake safe. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { parse } from 'yaml';
import { identifier, literal, rowOrder } from '../../../build/lake/sql.ts';
import { datasets, dimensions, type SampleTable } from './datasets.ts';
import { createWorld, type Scale } from './world.ts';

export interface SampleOptions {
  /** Folder of the lake. A sample lake there is replaced; any other content is refused. */
  readonly out: string;
  readonly scale: Scale;
  readonly seed: number;
  /** Keys of the datasets to write; by default all. Dimensions are always written. */
  readonly only?: readonly string[];
  /** Folder of the contracts; by default `contracts` in the working directory. */
  readonly contracts?: string;
  /** Called after each table. */
  readonly onWritten?: (written: Written) => void;
}

type SampleResult =
  | { readonly ok: true; readonly written: readonly Written[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface Written {
  readonly key: string;
  readonly files: number;
  readonly rows: number;
}

interface Problem {
  readonly code:
    | 'not-a-sample-lake'
    | 'unknown-dataset'
    | 'no-contract'
    | 'bad-contract'
    | 'bad-query'
    | 'wrong-columns';
  readonly message: string;
}

/** The same seed, scale and contracts give the same bytes. */
export async function writeSampleLake(options: SampleOptions): Promise<SampleResult> {
  const { out, scale, seed, only, contracts = 'contracts' } = options;
  const unknown = (only ?? []).filter(key => !datasets.some(dataset => dataset.key === key));
  if (unknown.length > 0) {
    const known = datasets.map(dataset => dataset.key).join(', ');
    const problems = unknown.map((key): Problem => {
      return {
        code: 'unknown-dataset',
        message: `${key} is not a dataset of the sample; known are ${known}`,
      };
    });
    return { ok: false, problems };
  }
  const root = await stageFolder(out, scale, seed);
  if (typeof root !== 'string') return { ok: false, problems: [root] };
  const world = await createWorld(scale, seed);
  const written: Written[] = [];
  const problems: Problem[] = [];
  try {
    for (const table of [...dimensions, ...datasets]) {
      if (only !== undefined && table.kind === 'dataset' && !only.includes(table.key)) continue;
      const result = await writeTable(world.connection, contracts, root, table);
      if ('code' in result) problems.push(result);
      else {
        written.push(result);
        options.onWritten?.(result);
      }
    }
    if (problems.length > 0) return { ok: false, problems };
    await swapFolder(root, out);
    return { ok: true, written };
  } finally {
    world.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** A dataset has a file for each year and level that has rows, a dimension has one file. */
async function writeTable(
  connection: DuckDBConnection,
  contracts: string,
  root: string,
  { key, sql, kind }: SampleTable,
): Promise<Written | Problem> {
  const path = kind === 'dataset' ? key : join(dirname(key), '_dimensions', basename(key));
  const contract = readContract(contracts, path);
  if ('code' in contract) return contract;
  const names = Object.keys(contract.columns);
  const problem = await load(connection, key, sql, kind === 'dataset' ? [...names, 'detail'] : names);
  if (problem) return problem;
  const slices = await connection.runAndReadAll(
    kind === 'dataset'
      ? `SELECT concat('/year=', year, '/', detail), concat('year = ', year, ' AND detail = ''', detail, ''''),
           count(*)::INTEGER FROM loaded GROUP BY year, detail ORDER BY year, detail`
      : "SELECT '', 'true', count(*)::INTEGER FROM loaded",
  );
  const columns = Object.entries(contract.columns).map(
    ([name, type]) => `${identifier(name)}::${type} AS ${identifier(name)}`,
  );
  let rows = 0;
  for (const [slice, where, count] of slices.getRows() as [string, string, number][]) {
    const file = join(root, `${path}${slice}.parquet`);
    await mkdir(dirname(file), { recursive: true });
    await connection.run(
      `COPY (SELECT ${columns.join(', ')} FROM loaded WHERE ${where} ORDER BY ${rowOrder(contract.key)})
       TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    rows += count;
  }
  return { key: path, files: slices.currentRowCount, rows };
}

const SQL_TYPES: Readonly<Record<string, string>> = {
  int: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
};

interface Property {
  readonly name: string;
  readonly physicalType?: string;
  readonly primaryKeyPosition?: number;
}

/** The columns of a contract with their SQL types, in order, and its grain or primary key. */
function readContract(
  contracts: string,
  path: string,
): { readonly columns: Readonly<Record<string, string>>; readonly key: readonly string[] } | Problem {
  const file = join(contracts, `${path}.odcs.yaml`);
  if (!existsSync(file)) {
    const message = `${file} does not exist: the sample takes its columns from there`;
    return { code: 'no-contract', message };
  }
  const document = parse(readFileSync(file, 'utf8')) as { schema?: { properties?: Property[] }[] };
  const properties = document.schema?.[0]?.properties ?? [];
  const untyped = properties.find(({ physicalType }) => !SQL_TYPES[physicalType ?? '']);
  if (untyped) {
    const known = Object.keys(SQL_TYPES).join(', ');
    return {
      code: 'bad-contract',
      message: `${file}: physicalType of ${untyped.name} must be one of ${known}`,
    };
  }
  const position = ({ primaryKeyPosition = 0 }: Property) => primaryKeyPosition;
  const key = properties
    .filter(one => one.primaryKeyPosition !== undefined)
    .sort((a, b) => position(a) - position(b));
  return {
    columns: Object.fromEntries(
      properties.map(({ name, physicalType }) => [name, SQL_TYPES[physicalType!]!]),
    ),
    key: key.map(({ name }) => name),
  };
}

/** Runs the query into the table `loaded`, and refuses columns other than the expected ones. */
async function load(
  connection: DuckDBConnection,
  key: string,
  sql: string,
  wanted: readonly string[],
): Promise<Problem | undefined> {
  await connection.run('DROP TABLE IF EXISTS loaded');
  try {
    await connection.run(`CREATE TEMP TABLE loaded AS ${sql}`);
  } catch (error) {
    return { code: 'bad-query', message: `${key}: ${error instanceof Error ? error.message : error}` };
  }
  const described = await connection.runAndReadAll('DESCRIBE loaded');
  const found = described.getRows().map(row => String(row[0]));
  const missing = wanted.filter(name => !found.includes(name));
  const extra = found.filter(name => !wanted.includes(name));
  if (missing.length === 0 && extra.length === 0) return undefined;
  const message = `${key}: the query lacks [${missing}] and has [${extra}] besides the contract's columns`;
  return { code: 'wrong-columns', message };
}

/** Marks a folder as a sample lake, which may be replaced. */
export const markerName = '_sample.json';

const NOTICE =
  'Synthetic sample data: all names and figures are invented by a seeded generator; only county codes are real.';

/**
 * Starts an empty lake next to `out`. It is moved there when it is complete, so that no reader sees half of one. Returns
 * its path, or why `out` may not be replaced.
 */
async function stageFolder(out: string, scale: Scale, seed: number): Promise<string | Problem> {
  const staging = beside(out, 'staging');
  for (const folder of [out, staging, beside(out, 'previous')]) {
    const problem = await refusal(folder);
    if (problem) return problem;
  }
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const marker = { sample: true, seed, scale, notice: NOTICE };
  await writeFile(join(staging, markerName), `${JSON.stringify(marker, null, 2)}\n`);
  return staging;
}

async function swapFolder(staging: string, out: string): Promise<void> {
  const previous = beside(out, 'previous');
  await rm(previous, { recursive: true, force: true });
  if (existsSync(out)) await rename(out, previous);
  await rename(staging, out);
  await rm(previous, { recursive: true, force: true });
}

/** A missing folder, an empty one and one with the marker may be replaced. */
async function refusal(folder: string): Promise<Problem | undefined> {
  if (!existsSync(folder) || existsSync(join(folder, markerName))) return undefined;
  if ((await stat(folder)).isDirectory() && (await readdir(folder)).length === 0) return undefined;
  const message = `${folder} is not a sample lake (it has no ${markerName}), so it is left alone; choose another --out`;
  return { code: 'not-a-sample-lake', message };
}

function beside(out: string, state: string): string {
  return join(dirname(resolve(out)), `.${basename(resolve(out))}.sample-${state}.civic`);
}
