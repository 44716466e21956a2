import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { quoted, temporaryFolder, writeRows } from '../publishers/publisher-folder.ts';
import { expectRowsOfLake } from './executors.ts';
import { useSampleTree } from './sample-tree.ts';

const sample = useSampleTree();

test('every answer is what DuckDB finds in the lake', () =>
  expectRowsOfLake({ lake: sample.lake, tree: sample.tree }, 100));

test('a wrong row is found, and the request that shows it is small', async () => {
  const other = path.join(await temporaryFolder(), 'lake');
  await cp(sample.lake, other, { recursive: true });
  const name = 'education/_dimensions/districts.parquet';
  const changed = `SELECT * REPLACE (replace(district_name, 'Sample', 'Simple') AS district_name) FROM ${quoted(path.join(sample.lake, name))}`;
  await writeRows(other, { [name]: changed });
  const { tree } = sample;
  const result = await fuzz({ lake: other, tree, requests: 300, seed: 1 });
  expect(result.failure).toMatch(/\?\S{0,20} .*"district_name":"Sample.*, not .*"district_name":"Simple/);
});
