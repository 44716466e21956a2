/** A tree that is not as its manifests require: what is wrong is named, and not sent. */
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { askHandler, BUDGET, copyThings, makeHandler, THINGS } from './tree/fixture.ts';

const MANIFEST = 'api/v1/demo/things/manifest.json';
const SLICE = 'api/v1/demo/things/year=2022/areas';

const files = (endings: readonly string[], change: (file: string) => Promise<void>) => (root: string) =>
  Promise.all(endings.map(ending => change(join(root, `${SLICE}.${ending}`))));
const cutShort = (file: string) => truncate(file, 3000);
const scramble = async (file: string) => writeFile(file, Buffer.alloc((await readFile(file)).length, 7));

test.each<[string, (root: string) => Promise<unknown>, Record<string, string>]>([
  [
    'a missing file',
    files(['json'], file => rm(file)),
    {
      [`${THINGS}?year=2022`]: `${SLICE}.json`,
      [`${THINGS}?year_min=2020`]: `${SLICE}.json`,
      [`/${SLICE}.json`]: `${SLICE}.json`,
    },
  ],
  [
    'a truncated file',
    files(['csv', 'json', 'parquet'], cutShort),
    {
      [`${THINGS}?year=2022&format=csv`]: `${SLICE}.csv`,
      [`${THINGS}?year_min=2020&format=csv`]: `${SLICE}.csv`,
      [`${THINGS}?year=2022&limit=2`]: `${SLICE}.json`,
      [`${THINGS}?year=2022&group=all`]: `${SLICE}.parquet`,
    },
  ],
  [
    'a file of the right length with other bytes',
    files(['json', 'parquet'], scramble),
    {
      [`${THINGS}?year=2022&limit=2`]: `${SLICE}.json`,
      [`${THINGS}?year=2022&group=all`]: `${SLICE}.parquet`,
    },
  ],
  [
    'a missing root manifest',
    root => rm(join(root, 'manifest.json')),
    { [`${THINGS}?year=2022`]: 'manifest.json' },
  ],
  [
    'manifests of two releases',
    async root => {
      const file = join(root, MANIFEST);
      await writeFile(file, (await readFile(file, 'utf8')).replace('datasetrel00', 'datasetrel01'));
    },
    { [`${THINGS}?year=2022`]: MANIFEST },
  ],
])('%s', async (name, damage, named) => {
  const root = join(await temporaryFolder(), 'tree');
  await copyThings(root);
  await damage(root);
  const handler = makeHandler(root);
  for (const [path, file] of Object.entries(named)) {
    const response = await askHandler(handler, path);
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, 502, expect.stringContaining(file)]);
    expect(text).not.toContain(root);
    expect(text).not.toMatch(/ at |\.ts/);
  }
  if (name.includes('file')) expect((await askHandler(handler, `${THINGS}?year=2020`)).status).toBe(200);
});

test('a release that is switched is noticed', async () => {
  const root = join(await temporaryFolder(), 'tree');
  await copyThings(root);
  const executors = [createHyparquetExecutor(BUDGET)];
  const slow = createHandler(createFolderFiles(root), { executors, refreshAfter: 1e9 });
  const ask = async () => (await askHandler(slow, `${THINGS}?year=2022&limit=1`)).json();
  expect(await ask()).not.toHaveProperty('sample');
  await rm(root, { recursive: true });
  await copyThings(root, { sample: true });
  expect(await ask()).toHaveProperty('sample', true);
});
