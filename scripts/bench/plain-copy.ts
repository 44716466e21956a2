/**
 * The alternative to a build: DuckDB writes the same sorted and joined rows to the same files, as fast as it can. Each
 * slice is a sorted temporary table and three COPYs; each level gets the copies that the tree's manifests list. Several
 * connections work at once. It checks, hashes and describes nothing. Like a build, it ends when its files are durable.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { datasetManifestPath } from '../../build/format/paths.ts';
import { takeInventory } from '../../build/lake/inventory.ts';
import { openLake } from '../../build/lake/lake.ts';
import { fileList, identifier, literal, rowOrder } from '../../build/lake/sql.ts';
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
for (const [key, file] of inventory.dimensions) {
  await setup.run(`CREATE TABLE ${identifier(key)} AS FROM read_parquet(${fileList([file.absolute])})`);
}

type Task = (connection: Awaited<ReturnType<typeof instance.connect>>) => Promise<void>;
const tasks: Task[] = [];
for (const dataset of contracts.datasets) {
  const slices = inventory.slices.get(dataset.key) ?? [];
  const folder = path.join(out, dataset.key);
  const select = (files: readonly string[], order: readonly string[]) => {
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
    const sort = order.map(column => `t.${identifier(column)} NULLS FIRST`);
    return `SELECT ${columns.join(', ')} FROM read_parquet(${fileList(files)}, hive_partitioning = false) t ${joins.join(' ')} ORDER BY ${sort.join(', ')}`;
  };
  for (const slice of slices) {
    tasks.push(async connection => {
      const base = path.join(folder, `year=${slice.year}`, slice.detail);
      await mkdir(path.dirname(base), { recursive: true });
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE slice AS ${select(
          slice.files.map(file => file.absolute),
          dataset.grain,
        )}`,
      );
      await connection.run(
        `COPY slice TO ${literal(`${base}.parquet`)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 4096)`,
      );
      await connection.run(`COPY slice TO ${literal(`${base}.csv`)} (FORMAT csv, HEADER)`);
      await connection.run(`COPY slice TO ${literal(`${base}.json`)} (FORMAT json, ARRAY true)`);
    });
  }
  const manifest = path.join(tree, datasetManifestPath(dataset.domain, dataset.topic));
  const { copies = [] } = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, 'utf8')) as DatasetManifest)
    : {};
  for (const { detail, by, years, file } of copies) {
    tasks.push(async connection => {
      const files = slices
        .filter(slice => slice.detail === detail && years.includes(slice.year))
        .flatMap(slice => slice.files.map(file => file.absolute));
      const name = path.join(folder, file.path);
      await mkdir(path.dirname(name), { recursive: true });
      const rows = select(files, dataset.grain).replace(/ ORDER BY .*$/, '');
      const sort = rowOrder(new Set([...by, ...dataset.grain]));
      await connection.run(
        `COPY (SELECT * FROM (${rows}) ORDER BY ${sort}) TO ${literal(name)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
      );
    });
  }
}
await Promise.all(
  Array.from({ length: Number(jobs) }, async () => {
    const connection = await instance.connect();
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task(connection);
  }),
);
await makeTreeDurable(out);
