/** What pages were made of is kept for the next build, and is never taken for what it is not. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDerivations } from '../../build/publish/derivations.ts';
import { workspaceOf } from '../../build/publish/workspace.ts';
import { openPages } from '../explorer/explored-tree.ts';
import { buildPublisher, contents } from './built-tree.ts';
import { copyPublisher, temporaryFolder, writePublisher, writeRows } from './publisher-folder.ts';
import { rainFile, rainfallRows } from './weather.ts';

/** Asks for a name, and says whether it had to be made. */
async function ask(folder: string | null, name: string, inputs: string, value: unknown) {
  const derivations = openDerivations(folder);
  let made = false;
  const result = await derivations.derive(name, inputs, async () => {
    made = true;
    return value;
  });
  derivations.save();
  return { made, result };
}

test('a result is made once for the same inputs, and is what JSON has of it each time', async () => {
  const folder = path.join(await temporaryFolder(), 'pages');
  const value = { a: [1, undefined], b: undefined, c: Number.NaN };
  const kept = { a: [1, null], c: null };
  expect(await ask(folder, 'x', '1', value)).toEqual({ made: true, result: kept });
  expect(await ask(folder, 'x', '1', 'other')).toEqual({ made: false, result: kept });
  expect(await ask(folder, 'x', '2', 'other')).toEqual({ made: true, result: 'other' });
  // Only what was asked for is kept.
  expect(await readdir(folder)).toHaveLength(1);
  expect(await ask(folder, '../__proto__', '1', 3)).toEqual({ made: true, result: 3 });
  expect(await ask(folder, 'x', '2', null)).toEqual({ made: true, result: null });
  expect(await ask(folder, 'x', '2', 4)).toEqual({ made: false, result: null });
});

test('what is not as it was written, or cannot be kept, is made', async () => {
  const folder = path.join(await temporaryFolder(), 'pages');
  expect(await ask(folder, 'x', '1', 'first')).toEqual({ made: true, result: 'first' });
  const [name = ''] = await readdir(folder);
  const file = path.join(folder, name);
  const kept = await readFile(file, 'utf8');
  for (const text of ['', '"first"', kept.slice(0, -2), kept.replace('first', 'forst'), `${kept} `]) {
    await writeFile(file, text);
    expect(await ask(folder, 'x', '1', text)).toEqual({ made: true, result: text });
  }
  expect(await ask(null, 'x', '1', 5)).toEqual({ made: true, result: 5 });
  // A file stands where the folder would be.
  expect(await ask(file, 'x', '1', 6)).toEqual({ made: true, result: 6 });
});

test('pages of a tree of which one slice changed are those of a build from nothing', async () => {
  const publisher = await writePublisher(await temporaryFolder());
  const pages = openPages();
  await buildPublisher(publisher, { pages });
  const before = await readdir(workspaceOf(publisher.out).pages);
  const rows = `SELECT * REPLACE (rain_mm + 5 AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`;
  await writeRows(publisher.data, { [rainFile(2022, 'nation')]: rows });
  await buildPublisher(publisher, { pages });
  const after = await readdir(workspaceOf(publisher.out).pages);
  // Of one dataset, its page and what the search tells of it; all else stays.
  expect(after.filter(name => !before.includes(name))).toHaveLength(2);
  expect(after).toHaveLength(before.length);
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
