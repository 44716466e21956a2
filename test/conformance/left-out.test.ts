/** A tree that leaves JSON and CSV out answers as the whole tree does, to the byte. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { HOSTS, type HostTarget } from '../../build/hosts/host-profile.ts';
import { verifyTree } from '../../build/tree/verify-tree.ts';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler, type Handler } from '../../site/edge/fetch.ts';
import { randomRuns } from '../random-runs.ts';
import { CONTRACTS, useSampleTree } from './sample-tree.ts';

const DATASETS = [
  'census/employment',
  'education/attendance',
  'education/sat_scores_recent',
  'immigration/ice_removals',
  'immigration/quarterly_detainer_reports',
];

/** Room for the CSV of some slices. */
const SMALL: HostTarget = {
  profile: { ...HOSTS.generic, limits: { files: null, bytesPerFile: null, bytesInAll: 9_000_000 } },
  basePath: '/',
  renderEdge: null,
};

const whole = useSampleTree(DATASETS);
const part = useSampleTree(DATASETS, { host: SMALL });
const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };

const read = async <Document>(tree: string, file: string) =>
  JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;

async function manifests(tree: string): Promise<DatasetManifest[]> {
  const { datasets } = await read<TreeManifest>(tree, 'manifest.json');
  return Promise.all(datasets.map(entry => read<DatasetManifest>(tree, entry.path)));
}

describe('the tree', () => {
  test('stores every slice as Parquet, and what there is room for besides', async () => {
    const slices = (await manifests(part.tree)).flatMap(one => one.slices);
    expect(slices.every(slice => slice.files.parquet.length === 1)).toBe(true);
    const stored = (format: 'json' | 'csv') => slices.filter(slice => slice.files[format].length > 0).length;
    expect(stored('json')).toBe(0);
    expect(stored('csv')).toBeGreaterThan(0);
    expect(stored('csv')).toBeLessThan(slices.length);
    await verifyTree(part.tree, { jobs: 1, memory: '400MB' }, () => undefined);
  });

  test('is of the same release: what is published is the same', async () => {
    const [a, b] = await Promise.all([whole, part].map(one => read<TreeManifest>(one.tree, 'manifest.json')));
    expect(b!.release).toBe(a!.release);
    expect(b!.datasets.map(one => one.release)).toEqual(a!.datasets.map(one => one.release));
  });

  test('says so to programs', async () => {
    const { resources } = await read<{ resources: { format: string; path: string | string[] }[] }>(
      part.tree,
      'datapackage.json',
    );
    const all = await read<{ resources: unknown[] }>(whole.tree, 'datapackage.json');
    expect(resources.length).toBe(all.resources.length);
    expect(new Set(resources.map(one => one.format))).toEqual(new Set(['csv', 'parquet']));
    for (const file of resources.flatMap(one => one.path)) await readFile(path.join(part.tree, file));
    expect(await readFile(path.join(part.tree, 'llms.txt'), 'utf8')).toContain('some only as .parquet');
    expect(await readFile(path.join(whole.tree, 'llms.txt'), 'utf8')).not.toContain('only as .parquet');
    const [a, b] = await Promise.all(
      [whole, part].map(one => readFile(path.join(one.tree, 'openapi.json'), 'utf8')),
    );
    expect(b).toBe(a);
  });
});

describe.each(['hyparquet', 'duckdb'] as const)('%s', name => {
  let ask: Record<'whole' | 'part', (path: string) => Promise<Response>>;
  beforeAll(() => {
    const handlerOf = (folder: string): Handler =>
      createHandler(createFolderFiles(folder), {
        executors: [
          name === 'duckdb'
            ? createDuckdbExecutor({ folder, budget: BUDGET })
            : createHyparquetExecutor(BUDGET),
        ],
      });
    const [a, b] = [handlerOf(whole.tree), handlerOf(part.tree)];
    const request = (url: string) => new Request(`http://edge.test${url}`);
    ask = { whole: url => a(request(url)), part: url => b(request(url)) };
  });

  async function expectSame(url: string): Promise<void> {
    const [a, b] = await Promise.all([ask.whole(url), ask.part(url)]);
    expect([url, b.status, b.headers.get('content-type')]).toEqual([
      url,
      a.status,
      a.headers.get('content-type'),
    ]);
    expect([url, await b.text()]).toEqual([url, await a.text()]);
  }

  test('every slice, by query and by the names of its files', { timeout: 300_000 }, async () => {
    for (const { dataset, slices } of await manifests(whole.tree)) {
      for (const { year, detail, rows, files } of slices) {
        const url = `/api/v1/${dataset}?year=${year}&detail=${detail}`;
        await expectSame(`${url}&format=csv`);
        for (let offset = 0; offset < rows; offset += 10_000) await expectSame(`${url}&offset=${offset}`);
        for (const file of [...files.json, ...files.csv]) await expectSame(`/api/v1/${dataset}/${file.path}`);
      }
    }
  });

  test.each([
    'year=2024&detail=schools&limit=37',
    'year=2024&detail=schools&limit=100000',
    'year=2024&detail=schools&format=csv&limit=5&offset=7',
    'detail=schools&offset=9990&limit=20',
    'detail=districts&format=csv',
    'year_min=2020&year_max=2022&detail=districts',
    'detail=schools&demographic=all&limit=100',
    'year=2024&detail=schools&offset=10000000',
    'year=1900',
    'year=2024&detail=schools&limit=0',
  ])('%s', query => expectSame(`/api/v1/education/attendance?${query}`));

  test.each([
    'education/attendance/year=2024/schools.page-99.json',
    'education/attendance/year=2024/schools.page-1.json',
    'education/attendance/year=02024/schools.json',
    'education/attendance/year=1900/schools.json',
    'education/attendance/year=2024/school.json',
    'education/attendance/year=2024/schools.page-2.csv',
    'education/nothing/year=2024/schools.json',
  ])('no file: %s', async file => {
    expect((await ask.part(`/api/v1/${file}`)).status).toBe(404);
  });
});

test('every answer to random requests is what DuckDB finds in the lake', { timeout: 300_000 }, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const { tree, lake } = part;
  const requests = randomRuns(400);
  const result = await fuzz({ contracts: CONTRACTS, lake, tree, requests, seed });
  expect(result.failure).toBeNull();
  expect(result.answered).toBeGreaterThan(requests * 0.8);
});
