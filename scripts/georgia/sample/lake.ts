/** Writes a lake of invented data, and keeps the folder of the lake safe. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { parse } from 'yaml';
import { identifier, literal, rowOrder } from '../../../build/lake/sql.ts';
import { datasets, dimensions } from './datasets.ts';
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
  readonly code: 'not-a-sample-lake' | 'unknown-dataset' | 'no-contract';
  readonly message: string;
}

/** The same seed, scale and contracts give the same bytes. */
export async function writeSampleLake(options: SampleOptions): Promise<SampleResult> {
  const { out, scale, seed, only, contracts = 'contracts' } = options;
  const unknown = (only ?? []).filter(key => !(key in datasets));
  if (unknown.length > 0) {
    const known = Object.keys(datasets).join(', ');
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
    for (const [path, sql] of Object.entries({ ...dimensions, ...datasets })) {
      if (only !== undefined && path in datasets && !only.includes(path)) continue;
      const result = await writeTable(world.connection, contracts, root, path, sql);
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
  path: string,
  sql: string,
): Promise<Written | Problem> {
  const contract = join(contracts, `${path}.odcs.yaml`);
  if (!existsSync(contract)) {
    const message = `${contract} does not exist: the sample takes its columns from there`;
    return { code: 'no-contract', message };
  }
  const properties = readProperties(contract);
  const columns = properties.map(
    ({ name, physicalType }) => `${identifier(name)} ${SQL_TYPES[physicalType]}`,
  );
  const isDimension = path.includes('_dimensions/');
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE loaded (${columns.join(', ')}${isDimension ? '' : ', detail VARCHAR'});
    INSERT INTO loaded BY NAME ${sql}`);
  const slices = await connection.runAndReadAll(
    isDimension
      ? "SELECT '', 'true', count(*)::INTEGER FROM loaded"
      : `SELECT concat('/year=', year, '/', detail), concat('year = ', year, ' AND detail = ''', detail, ''''),
           count(*)::INTEGER FROM loaded GROUP BY year, detail ORDER BY year, detail`,
  );
  const names = properties.map(({ name }) => identifier(name)).join(', ');
  const key = properties
    .filter(({ primaryKeyPosition }) => primaryKeyPosition !== undefined)
    .sort((a, b) => a.primaryKeyPosition! - b.primaryKeyPosition!);
  const order = rowOrder(key.map(({ name }) => name));
  let rows = 0;
  for (const [slice, where, count] of slices.getRows() as [string, string, number][]) {
    const file = join(root, `${path}${slice}.parquet`);
    await mkdir(dirname(file), { recursive: true });
    await connection.run(
      `COPY (SELECT ${names} FROM loaded WHERE ${where} ORDER BY ${order})
       TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    rows += count;
  }
  return { key: path, files: slices.currentRowCount, rows };
}

const SQL_TYPES = {
  int: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
};

interface Property {
  readonly name: string;
  readonly physicalType: keyof typeof SQL_TYPES;
  /** Place in the grain or the primary key. */
  readonly primaryKeyPosition?: number;
}

function readProperties(contract: string): readonly Property[] {
  const { schema } = parse(readFileSync(contract, 'utf8')) as { schema: [{ properties: Property[] }] };
  return schema[0].properties;
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
  const problem = await refusal(out);
  if (problem) return problem;
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
