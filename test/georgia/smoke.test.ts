/** What every run tests of our own datasets. `georgia-rule.ts` says when all of their tests run. */
import { expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { askTree } from '../conformance/executors.ts';
import { sampleTree } from '../conformance/sample-tree.ts';
import { readTreeJson } from '../publishers/built-tree.ts';
import { IMPORT_CASES, scratchLake, testStep } from './import/import-case.ts';
import { readOwnContracts } from './sample-lake.ts';

const folder = await sampleTree();

test('all contracts are valid', async () => {
  const { datasets, dimensions } = await readOwnContracts();
  expect([datasets.length, dimensions.size]).toEqual([30, 6]);
});

test('the tree of the sample has every slice', async () => {
  const { date, datasets, dimensions } = await readTreeJson<TreeManifest>(folder, 'manifest.json');
  const manifests = datasets.map(({ path }) => readTreeJson<DatasetManifest>(folder, path));
  const slices = (await Promise.all(manifests)).flatMap(one => one.slices);
  expect([date, slices.length, dimensions.length]).toEqual(['2026-11-21', 645, 11]);
});

test.each([
  ['census/employment?detail=states&year=2024', 'unemployment_rate', 0.049],
  ['education/attendance?detail=districts&year=2024&district_code=601&demographic=all', 'num_students', 2696],
  [
    'immigration/ice_arrests?detail=states&year=2025&month=all&citizenship_country=mexico',
    'num_arrests',
    702,
  ],
])('%s answers', async (question, column, figure) => {
  const answer = await (await askTree(folder)(`/api/v1/${question}`)).json();
  expect(answer.data[0][column]).toBe(figure);
});

test.each([
  ['attendance of 2011, whose chronic absence is left out', 'delimited text'],
  ['an answer of the Census API, with margins', 'JSON'],
  ['CCRPI graduation rates of 2014, category code', 'a workbook'],
  ['attendance, wide, in a workbook that is called .csv', 'an old workbook'],
  ['end of grade 2015, an archive of old workbooks, codes with hyphens', 'an archive'],
  ['stints count in the county of the facility, with counts below five withheld, from Parquet', 'Parquet'],
])('%s: imported from %s', async wanted => {
  const { dataset, steps } = IMPORT_CASES.find(({ name }) => name === wanted)!;
  const scratch = scratchLake();
  for (const step of steps) await testStep(scratch, dataset, step);
});
