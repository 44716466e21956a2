import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseCsv } from '../../scripts/fuzz/answer.ts';
import { readContracts } from '../../scripts/fuzz/contract-tables.ts';
import { openLake } from '../../scripts/fuzz/lake-tables.ts';
import { describeSubjects, fuzz } from '../../scripts/fuzz/run.ts';
import { duckdb, quoted, temporaryFolder } from '../publishers/publisher-folder.ts';
import { randomRuns } from '../random-runs.ts';
import { CONTRACTS, useSampleTree } from './sample-tree.ts';

const sample = useSampleTree();

test('every answer is what DuckDB finds in the lake', { timeout: 300_000 }, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const { tree, lake } = sample;
  const requests = randomRuns(100);
  const result = await fuzz({ contracts: CONTRACTS, lake, tree, requests, seed });
  expect(result.failure).toBeNull();
  expect(result.requests).toBeGreaterThanOrEqual(requests);
  expect(result.answered).toBeGreaterThan(requests * 0.8);
  expect(result.rows).toBeGreaterThan(100);
});

test('a wrong row is found, and the request that shows it is small', { timeout: 300_000 }, async () => {
  const other = path.join(await temporaryFolder(), 'lake');
  await cp(sample.lake, other, { recursive: true });
  const name = 'education/_dimensions/districts.parquet';
  await duckdb(
    `COPY (SELECT * REPLACE (replace(district_name, 'Sample', 'Simple') AS district_name) FROM ${quoted(path.join(sample.lake, name))}) TO ${quoted(path.join(other, name))} (FORMAT parquet)`,
  );
  const { tree } = sample;
  const result = await fuzz({ contracts: CONTRACTS, lake: other, tree, requests: 300, seed: 5 });
  expect(result.failure).toMatch(/districts\?\S{0,20} .*district_name: "Sample.*, not "Simple/);
});

test('a seed draws the same questions again, since a lake is described the same', async () => {
  const contracts = await readContracts(CONTRACTS);
  const describeLake = async () => {
    const lake = await openLake(sample.lake, contracts);
    const subjects = await describeSubjects(lake, sample.tree);
    lake.close();
    return subjects;
  };
  const [first, second] = [await describeLake(), await describeLake()];
  expect(first.some(({ rows }) => rows.length === 200)).toBe(true);
  expect(second).toEqual(first);
});

test('the reader of CSV', () => {
  expect(parseCsv('a,b,c\r\n1,,""\r\n"x,""y""\n",2,\r\n')).toEqual([
    ['a', 'b', 'c'],
    ['1', null, ''],
    ['x,"y"\n', '2', null],
  ]);
});
