/** A sample lake in a folder of its own, and its rows as tables. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { onTestFinished } from 'vitest';
import { datasets } from '../../../scripts/georgia/sample/datasets.ts';
import { dimensions } from '../../../scripts/georgia/sample/dimensions.ts';
import type { SampleOptions } from '../../../scripts/georgia/sample/lake.ts';
import { makeSampleLake } from './made-sample.ts';

/** An empty folder that is deleted after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-lake-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Writes a small lake and returns its folder. */
export async function writeLake(options: Partial<SampleOptions> = {}): Promise<string> {
  const out = join(await temporaryFolder(), 'lake');
  await makeSampleLake(out, options);
  return out;
}

/** SHA-256 of every file by its path. */
export async function digest(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const digests = new Map<string, string>();
  for (const file of files.sort()) {
    const hash = createHash('sha256').update(await readFile(file));
    digests.set(file.slice(folder.length + 1), hash.digest('hex'));
  }
  return digests;
}

/** Tables: `<domain>.<topic>` with `detail` from the file's name, `_dimensions.<name>`. */
export async function openLake(folder: string): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run('CREATE SCHEMA _dimensions');
  for (const { key } of dimensions) {
    const [name, domain] = key.split('/').reverse() as [string, string | undefined];
    const file = join(folder, domain ?? '', '_dimensions', `${name}.parquet`);
    await connection.run(`CREATE VIEW _dimensions."${name}" AS FROM '${file}'`);
  }
  for (const { key } of datasets) {
    const [domain, topic] = key.split('/') as [string, string];
    await connection.run(`CREATE SCHEMA IF NOT EXISTS "${domain}"`);
    await connection.run(
      `CREATE VIEW "${domain}"."${topic}" AS
       SELECT * EXCLUDE (filename), parse_filename(filename, true) AS detail
       FROM read_parquet('${join(folder, key)}/*/*.parquet', hive_partitioning = false, filename = true)`,
    );
  }
  return connection;
}

/** The first row of a query. */
export async function row(connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson()[0] ?? {};
}
