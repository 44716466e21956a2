/**
 * The alternative to a build: DuckDB writes the same sorted and joined rows to the same files, as fast as it can. Each
 * slice is a sorted temporary table and three COPYs; each level gets the copies that the tree's manifests list. Several
 * connections work at once. It checks, hashes and describes nothing. Like a build, it ends when its files are durable.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { datasetManifestPath } from '../../build/format/paths.ts';
import { takeInventory } from '../../build/lake/inventory.ts';
import { openLake } from '../../build/lake/lake.ts';
import { identifier, literal, parquetRows, rowOrder } from '../../build/lake/sql.ts';
import { readContractFolder } from '../../build/plan/build-input.ts';
import { makeTreeDurable } from '../../build/tree/durability.ts';

const [contractsFolder = '', lake = '', out = '', jobs = '2', tree = ''] = process.argv.slice(2);
const { contracts } = parseContracts(readContractFolder(contractsFolder));
const { inventory } = takeInventory(await openLake(lake, lake), contracts);
const instance = await DuckDBInstance.create(':memory:', {
  threads: jobs,
  temp_directory: path.join(out, '.temporary'),
});
const setup = await instance.connect();
for (const [key, file] of inventory.dimensions)
  await setup.run(`CREATE TABLE ${identifier(key)} AS FROM ${parquetRows([file.absolute])}`);

const PARQUET = 'FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE';
/** Statements of one connection, which write a file or the three of a slice. */
const tasks: string[][] = [];
for (const dataset of contracts.datasets) {
  const slices = inventory.slices.get(dataset.key);
  if (!slices) continue;
  const sorted = (some: typeof slices, order: readonly string[]) => {
    const joins = dataset.foreignKeys.map((key, i) => {
      const on = key.columns.map(
        (column, k) => `t.${identifier(column)} = d${i}.${identifier(key.targetColumns[k] ?? column)}`,
      );
      return `LEFT JOIN ${identifier(key.dimension)} d${i} ON ${on.join(' AND ')}`;
    });
    const columns = dataset.columns.flatMap(column => [
      `t.${identifier(column.name)}`,
      ...dataset.foreignKeys.flatMap((key, i) =>
        key.column === column.name ? key.attributeColumns.map(name => `d${i}.${identifier(name)}`) : [],
      ),
    ]);
    const rows = parquetRows(some.flatMap(slice => slice.files.map(file => file.absolute)));
    return `SELECT * FROM (SELECT ${columns} FROM ${rows} t ${joins.join(' ')}) ORDER BY ${rowOrder(order)}`;
  };
  const place = async (name: string) => {
    const file = path.join(out, dataset.key, name);
    await mkdir(path.dirname(file), { recursive: true });
    return file;
  };
  for (const slice of slices) {
    const base = await place(`year=${slice.year}/${slice.detail}`);
    tasks.push([
      `CREATE OR REPLACE TEMP TABLE slice AS ${sorted([slice], dataset.grain)}`,
      `COPY slice TO ${literal(`${base}.parquet`)} (${PARQUET} 4096)`,
      `COPY slice TO ${literal(`${base}.csv`)} (FORMAT csv, HEADER)`,
      `COPY slice TO ${literal(`${base}.json`)} (FORMAT json, ARRAY true)`,
    ]);
  }
  const manifest = readFileSync(path.join(tree, datasetManifestPath(dataset.domain, dataset.topic)), 'utf8');
  for (const { detail, by, years, file } of (JSON.parse(manifest) as DatasetManifest).copies ?? []) {
    const rows = sorted(
      slices.filter(slice => slice.detail === detail && years.includes(slice.year)),
      [...new Set([...by, ...dataset.grain])],
    );
    tasks.push([`COPY (${rows}) TO ${literal(await place(file.path))} (${PARQUET} 2048)`]);
  }
}
await Promise.all(
  Array.from({ length: Number(jobs) }, async () => {
    const connection = await instance.connect();
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift())
      for (const statement of task) await connection.run(statement);
  }),
);
await makeTreeDurable(out);
