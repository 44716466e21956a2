/** An archive of a tree is a site: unpacked, served by what can only serve files, with no network beyond. */
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { lacks, run } from '../archive/programs.ts';
import { buildPublisher, verify } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CHROMIUM, sharedBrowser, startPlainHost, visit } from './browser.ts';
import { openPages, weatherPages } from './explored-tree.ts';

const RAIN = 'datasets/climate/rainfall/';

describe.skipIf(lacks('unzip'))('a snapshot, unpacked', () => {
  let root: string;
  /** The tree that is packed, and the one within an archive of a part of it. */
  let whole: string;
  let part: string;
  const pack = async (tree: string) => {
    const out = path.join(root, `${path.basename(path.dirname(tree))}.zip`);
    const options = { out, only: 'climate/*', openPages: async () => openPages() };
    await snapshot(tree, options, () => undefined);
    return out;
  };
  beforeAll(async () => {
    root = await temporaryFolder('never');
    whole = (await weatherPages()).out;
    run('unzip', '-q', await pack(whole), '-d', path.join(root, 'part'));
    const [bag = ''] = await readdir(path.join(root, 'part'));
    part = path.join(root, 'part', bag, 'data');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const read = (name: string, tree = part) => readFile(path.join(tree, name), 'utf8');
  /** Rows of 2022, from the file. */
  const readRows = async (level: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    JSON.parse(await read(`api/v1/climate/rainfall/year=2022/${level}.json`, whole)).data;

  test('a part is whole, its pages know of nothing else, and its rows make the same figures in them', async () => {
    await verify(part);
    const files = (await readdir(part, { recursive: true })).map(String);
    expect(files).toContain(`${RAIN}index.html`);
    expect(files.filter(name => /trams/.test(name))).toEqual([]);
    const used = new Set<string>();
    for (const name of files.filter(one => /\.(html|json)$/.test(one) && !one.startsWith('api/'))) {
      const text = await read(name);
      if (!/^(feed|release-notes)/.test(name)) expect(text, name).not.toMatch(/transit/i);
      for (const [, asset = ''] of text.matchAll(/"[^"]*assets\/([^"/]+)"/g)) used.add(asset);
    }
    const assets = await readdir(path.join(part, 'assets'));
    for (const asset of used) expect(assets).toContain(asset);
    const search = JSON.parse(await read('search.json'));
    expect(search.datasets.map((one: { key: string }) => one.key)).toEqual(['climate/rainfall']);
    const { release } = JSON.parse(await read('manifest.json'));
    expect(search.release).toBe(release);
    const page = await read(`${RAIN}index.html`);
    expect(page).toContain(`data-release="${release}"`);
    const headline = (html: string) => /<section class="headline"[\s\S]*?<\/section>/.exec(html)?.[0];
    expect(headline(page)).toMatch(/<svg/);
    expect(headline(page)).toBe(headline(await read(`${RAIN}index.html`, whole)));
  });

  test('a part of a tree without pages has none', async () => {
    const bare = await writePublisher(await temporaryFolder());
    await buildPublisher(bare);
    const names = run('unzip', '-Z1', await pack(bare.out));
    expect(names).toMatch(/data\/index\.html/);
    expect(names).not.toMatch(/search\.json|data\/datasets\/|data\/assets\//);
  });

  describe.skipIf(CHROMIUM === null)('in Chromium, cut off from every other host', () => {
    test('the browser reaches nobody else', async () => {
      const page = await (await sharedBrowser()).newPage();
      await expect(page.goto('http://localhost.localdomain/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
      await page.close();
    });

    test('a part has a search, a place, filtered rows and SQL', async () => {
      const host = await startPlainHost(part);
      onTestFinished(host.close);
      const page = await visit(host.url, { ready: '#catalog' });
      expect(await page.locator('#catalog li h3').allTextContents()).toEqual(['Rainfall']);
      const search = page.getByLabel('Search for a subject or a place');
      const results = page.locator('#catalog-results');
      await search.fill('rainfal');
      await results.getByRole('link', { name: 'Rainfall' }).waitFor();
      await search.fill('north');
      await results.getByRole('link', { name: 'North', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'North' }).waitFor();
      const card = page.locator('.card', { has: page.getByRole('link', { name: 'Rainfall' }) });
      const regions = await readRows('regions');
      const north = regions.find(row => row['region_code'] === 'n' && row['season'] === 'all');
      expect(await card.locator('.figure').textContent()).toContain(String(north?.['rain_mm']));
      expect(await page.getByRole('link', { name: 'trams' }).count()).toBe(0);

      await page.goto(`${host.url}${RAIN}?year=2022&detail=stations&region_code=n&season=wet`);
      await page.waitForSelector('.explore-grid td');
      const stations = await readRows('stations');
      const wet = stations.filter(row => row['region_code'] === 'n' && row['season'] === 'wet');
      expect(await page.locator('.explore-count').textContent()).toContain(`${wet.length} row`);

      const q = 'SELECT count(*) AS n, max(rain_mm) AS most FROM rainfall WHERE year = 2022';
      await page.goto(`${host.url}sql/#${new URLSearchParams({ q })}`);
      await page.waitForSelector('.cm-content');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.waitForSelector('.sql-result tbody td');
      const rows = [...stations, ...regions, ...(await readRows('nation'))];
      const most = Math.max(...rows.map(row => Number(row['rain_mm'] ?? 0)));
      expect(await page.locator('.sql-result td').allTextContents()).toEqual([`${rows.length}`, `${most}`]);
    });
  });
});
