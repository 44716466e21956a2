import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler, type Handler } from '../../site/edge/fetch.ts';
import { BUDGET, makeHandler, THINGS, useTree } from './tree/fixture.ts';
import { writeTree } from './tree/write.ts';

const tree = useTree();

describe('a tree that is not as its manifest requires', () => {
  let broken: string;
  const slice = 'api/v1/demo/things/year=2022/areas';

  beforeAll(async () => {
    broken = await mkdtemp(join(tmpdir(), 'broken-'));
  });

  afterAll(() => rm(broken, { recursive: true }));

  async function breakTree(name: string, damage: (root: string) => Promise<void>): Promise<Handler> {
    const root = join(broken, name);
    await cp(tree.folder, root, { recursive: true });
    await damage(root);
    return makeHandler(root);
  }

  async function expectNamed(from: Handler, path: string, file: string): Promise<void> {
    const response = await tree.ask(path, {}, from);
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(text).toContain(file);
    expect(text).not.toContain(broken);
    expect(text).not.toMatch(/ at |\.ts/);
  }

  test('a missing file', async () => {
    const from = await breakTree('missing', root => rm(join(root, `${slice}.json`)));
    await expectNamed(from, `${THINGS}?year=2022`, `${slice}.json`);
    await expectNamed(from, `${THINGS}?year_min=2020`, `${slice}.json`);
    await expectNamed(from, `/${slice}.json`, `${slice}.json`);
    expect((await tree.ask(`${THINGS}?year=2020`, {}, from)).status).toBe(200);
  });

  test('a truncated file', async () => {
    const from = await breakTree('truncated', async root => {
      for (const type of ['csv', 'json', 'parquet']) await truncate(join(root, `${slice}.${type}`), 3000);
    });
    await expectNamed(from, `${THINGS}?year=2022&format=csv`, `${slice}.csv`);
    await expectNamed(from, `${THINGS}?year_min=2020&format=csv`, `${slice}.csv`);
    await expectNamed(from, `${THINGS}?year=2022&limit=2`, `${slice}.json`);
    await expectNamed(from, `${THINGS}?year=2022&group=all`, `${slice}.parquet`);
  });

  test('a file of the right length with other bytes', async () => {
    const from = await breakTree('scrambled', async root => {
      for (const type of ['json', 'parquet']) {
        const path = join(root, `${slice}.${type}`);
        await writeFile(path, Buffer.alloc((await readFile(path)).length, 7));
      }
    });
    await expectNamed(from, `${THINGS}?year=2022&limit=2`, `${slice}.json`);
    await expectNamed(from, `${THINGS}?year=2022&group=all`, `${slice}.parquet`);
  });

  test('a missing root manifest', async () => {
    const from = await breakTree('no-root', root => rm(join(root, 'manifest.json')));
    await expectNamed(from, `${THINGS}?year=2022`, 'manifest.json');
  });

  test('manifests of two releases', async () => {
    const from = await breakTree('two', async root => {
      const path = join(root, 'api/v1/demo/things/manifest.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace('datasetrel00', 'datasetrel01'));
    });
    await expectNamed(from, `${THINGS}?year=2022`, 'api/v1/demo/things/manifest.json');
  });

  test('a release that is switched is noticed', async () => {
    const root = join(broken, 'switched');
    await cp(tree.folder, root, { recursive: true });
    const slow = createHandler(createFolderFiles(root), {
      executors: [createHyparquetExecutor(BUDGET)],
      refreshAfter: 1e9,
    });
    expect(await (await tree.ask(`${THINGS}?year=2022&limit=1`, {}, slow)).json()).not.toHaveProperty(
      'sample',
    );
    await writeTree(root, { sample: true });
    const response = await tree.ask(`${THINGS}?year=2022&limit=1`, {}, slow);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('sample', true);
  });
});
