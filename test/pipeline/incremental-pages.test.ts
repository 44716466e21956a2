/** Pages of a tree that replaces another are those of a build from nothing. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openPages } from '../explorer/explored-tree.ts';
import { buildPublisher, contents } from '../publishers/built-tree.ts';
import { copyPublisher, temporaryFolder, writePublisher, writeRows } from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';

test('pages of a tree of which one slice changed are those of a build from nothing', async () => {
  const publisher = await writePublisher(await temporaryFolder());
  const pages = openPages();
  await buildPublisher(publisher, { pages });
  const rows = `SELECT * REPLACE (rain_mm + 5 AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`;
  await writeRows(publisher.data, { [rainFile(2022, 'nation')]: rows });
  await buildPublisher(publisher, { pages });
  const fresh = await copyPublisher(publisher, await temporaryFolder());
  await buildPublisher(fresh, { pages });
  expect((await pagesOf(publisher.out)).length).toBeGreaterThan(0);
  expect(await pagesOf(publisher.out)).toEqual(await pagesOf(fresh.out));
});

test.each([
  ['an address', { baseUrl: 'https://example.org/data/' }],
  ['another address', { baseUrl: 'https://example.net/' }],
])('pages of a tree that gets %s are those of a build from nothing', async (_, options) => {
  const publisher = await writePublisher(await temporaryFolder());
  const pages = openPages();
  await buildPublisher(publisher, { pages, baseUrl: 'https://example.com/' });
  const before = await pagesOf(publisher.out);
  await buildPublisher(publisher, { pages, ...options });
  const fresh = await copyPublisher(publisher, await temporaryFolder());
  await buildPublisher(fresh, { pages, ...options });
  expect(await pagesOf(publisher.out)).not.toEqual(before);
  expect(await pagesOf(publisher.out)).toEqual(await pagesOf(fresh.out));
});

test('a page that stays names the release that it is in, and cites its year', async () => {
  const publisher = await writePublisher(await temporaryFolder());
  const pages = openPages();
  const page = path.join(publisher.out, 'datasets/transit/trams/index.html');
  for (const year of ['2030', '2031']) {
    await buildPublisher(publisher, { pages, releaseDate: `${year}-02-03` });
    const text = await readFile(page, 'utf8');
    expect(text).toMatch(new RegExp(`${year}-02-03-[0-9a-f]{8}, of ${year}-02-03`));
    expect(text).toContain(`(${year}).`);
    expect(text).toContain('last change 2030-02-03');
  }
});

async function pagesOf(out: string): Promise<[string, unknown][]> {
  const files = Object.entries(await contents(out));
  return files.filter(([name]) => name.startsWith('datasets/') || name === 'search.json');
}
