/** What a server names when it starts is there, and answers. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleUrls } from '../../build/tree/example-urls.ts';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { buildExplored } from '../explorer/explored-tree.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';

let bare: PublisherFolder;
let paged: PublisherFolder;
beforeAll(async () => {
  bare = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(bare);
  paged = await buildExplored(CONTRACTS, LAKE);
});
afterAll(() => Promise.all([bare, paged].map(({ root }) => rm(root, { recursive: true, force: true }))));

const ROWS = '/api/v1/climate/rainfall?year=2022&detail=regions&limit=20';

test.each([
  ['with pages', () => paged, ['/', '/datasets/climate/rainfall/', ROWS]],
  ['without pages', () => bare, ['/', '/api/v1/datasets', ROWS]],
])('of a tree %s: the site, its richest dataset, and rows of it', async (_, tree, urls) => {
  const found = await exampleUrls(tree().out);
  expect(found.map(({ url }) => url)).toEqual(urls);
  const server: RunningServer = await startServer({ folder: tree().out, port: 0 });
  try {
    for (const { url } of found) {
      const response = await fetch(server.url + url, { headers: { Accept: 'text/html, */*;q=0.5' } });
      expect([url, response.status]).toEqual([url, 200]);
      if (url === ROWS) expect(((await response.json()) as { count: number }).count).toBe(6);
      else await response.arrayBuffer();
    }
  } finally {
    await server.close();
  }
});

test('a folder that is no tree is refused', async () => {
  await expect(exampleUrls(bare.data)).rejects.toMatchObject({ code: 'not-a-tree' });
});
