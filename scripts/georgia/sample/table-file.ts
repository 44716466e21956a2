/** Writes the rows of a query as the Parquet files of a lake, typed and sorted as the contract says. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type ContractColumns, readContractColumns } from './contract-columns.ts';
import type { SampleDataset, SampleDimension } from './dataset.ts';
import type { Problem } from './problem.ts';

/** The destination of tables, and the contracts to check them against. */
export interface Target {
  readonly connection: DuckDBConnection;
  /** The folder of contracts. */
  readonly contracts: string;
  /** The lake's root, absolute or relative to the working directory. */
  readonly root: string;
}

/** A written table. */
export interface Written {
  readonly key: string;
  readonly files: number;
  readonly rows: number;
}

/** `<domain>/<topic>/year=Y/<detail>.parquet`, one file per year and level that has rows. */
export async function writeDataset(target: Target, dataset: SampleDataset): Promise<Written | Problem> {
  const contract = readContractColumns(target.contracts, dataset.key);
  if ('code' in contract) return contract;
  const names = contract.columns.map(column => column.name);
  const problem = await load(target.connection, dataset, [...names, 'detail']);
  if (problem) return problem;
  const slices = await target.connection.runAndReadAll(
    'SELECT year::INTEGER, detail, count(*)::INTEGER FROM loaded GROUP BY ALL ORDER BY ALL',
  );
  let rows = 0;
  for (const [year, detail, count] of slices.getRows() as [number, string, number][]) {
    const file = join(target.root, dataset.key, `year=${year}`, `${detail}.parquet`);
    await copy(target.connection, contract, `year = ${year} AND detail = '${detail}'`, file);
    rows += count;
  }
  return { key: dataset.key, files: slices.currentRowCount, rows };
}

/** `_dimensions/<name>.parquet` or `<domain>/_dimensions/<name>.parquet`. */
export async function writeDimension(target: Target, dimension: SampleDimension): Promise<Written | Problem> {
  const path = join(dirname(dimension.key), '_dimensions', dimension.key.split('/').at(-1) ?? '');
  const contract = readContractColumns(target.contracts, path);
  if ('code' in contract) return contract;
  const names = contract.columns.map(column => column.name);
  const problem = await load(target.connection, dimension, names);
  if (problem) return problem;
  await copy(target.connection, contract, 'true', join(target.root, `${path}.parquet`));
  const count = await target.connection.runAndReadAll('SELECT count(*)::INTEGER FROM loaded');
  return { key: path, files: 1, rows: Number(count.getRows()[0]?.[0]) };
}

/** Runs the query into the table `loaded`, and refuses other columns than the expected ones. */
async function load(
  connection: DuckDBConnection,
  { key, sql }: SampleDataset | SampleDimension,
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
  if (missing.length > 0 || extra.length > 0) {
    const message = `${key}: the query lacks [${missing}] and has [${extra}] besides the contract's columns`;
    return { code: 'wrong-columns', message };
  }
  return undefined;
}

async function copy(
  connection: DuckDBConnection,
  { columns, order }: ContractColumns,
  where: string,
  file: string,
): Promise<void> {
  const selected = columns.map(({ name, type }) => `"${name}"::${type} AS "${name}"`);
  const sorted = order.map(name => `"${name}" NULLS FIRST`);
  await mkdir(dirname(file), { recursive: true });
  await connection.run(
    `COPY (SELECT ${selected.join(', ')} FROM loaded WHERE ${where} ORDER BY ${sorted.join(', ')})
     TO '${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`,
  );
}
