/** An archive of a tree is a site: unpacked, served by what can only serve files, with no network beyond. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { lacks, run } from '../archive/programs.ts';
import { buildPublisher, verify } from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { CHROMIUM, CUT_OFF, type Host, launchBrowser, openPage, startPlainHost } from './browser.ts';
import { buildExplored, openPages } from './explored-tree.ts';

const RAIN = 'datasets/climate/rainfall/';
const NORTH = 'places/?dimension=regions&region_code=n';

describe.skipIf(lacks('unzip'))('a snapshot, unpacked', () => {
  let publisher: PublisherFolder;
  /** The trees within the archives. */
  let whole: string;
  let part: string;
  beforeAll(async () => {
    publisher = await buildExplored(CONTRACTS, LAKE);
    whole = await packAndUnpack('whole', null);
    part = await packAndUnpack('part', 'climate/*');
  });
  afterAll(() => rm(publisher.root, { recursive: true, force: true }));

  async function packAndUnpack(name: string, only: string | null): Promise<string> {
    const out = path.join(publisher.root, `${name}.zip`);
    await snapshot(publisher.out, { out, only, openPages: async () => openPages() }, () => undefined);
    const folder = path.join(publisher.root, name);
    await mkdir(folder);
    run('unzip', '-q', out, '-d', folder);
    const [bag = ''] = await readdir(folder);
    return path.join(folder, bag, 'data');
  }

  /** Rows of 2022, from the file. */
  async function readRows(level: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const file = path.join(whole, `api/v1/climate/rainfall/year=2022/${level}.json`);
    return JSON.parse(await readFile(file, 'utf8')).data;
  }

  test('a part is whole, and its pages know of nothing else', async () => {
    await verify(part);
    const files = (await readdir(part, { recursive: true })).map(String);
    expect(files).toContain(`${RAIN}index.html`);
    expect(files.filter(name => /trams/.test(name))).toEqual([]);
    const used = new Set<string>();
    for (const name of files.filter(one => /\.(html|json)$/.test(one) && !one.startsWith('api/'))) {
      const text = await readFile(path.join(part, name), 'utf8');
      if (!/^(feed|release-notes)/.test(name)) expect(text, name).not.toMatch(/transit/i);
      for (const [, asset = ''] of text.matchAll(/"[^"]*assets\/([^"/]+)"/g)) used.add(asset);
    }
    const assets = await readdir(path.join(part, 'assets'));
    for (const asset of used) expect(assets).toContain(asset);
    const search = JSON.parse(await readFile(path.join(part, 'search.json'), 'utf8'));
    expect(search.datasets.map((one: { key: string }) => one.key)).toEqual(['climate/rainfall']);
    const { release } = JSON.parse(await readFile(path.join(part, 'manifest.json'), 'utf8'));
    expect(search.release).toBe(release);
    expect(await readFile(path.join(part, RAIN, 'index.html'), 'utf8')).toContain(
      `data-release="${release}"`,
    );
  });

  test("a part's rows make the same figures in its pages", async () => {
    const headline = (html: string) => /<section class="headline"[\s\S]*?<\/section>/.exec(html)?.[0];
    const [own, all] = await Promise.all(
      [part, whole].map(tree => readFile(path.join(tree, RAIN, 'index.html'), 'utf8')),
    );
    expect(headline(own ?? '')).toMatch(/<svg/);
    expect(headline(own ?? '')).toBe(headline(all ?? ''));
  });

  test('a part of a tree without pages has none', async () => {
    const bare = await writePublisher(await temporaryFolder());
    await buildPublisher(bare);
    const out = path.join(bare.root, 'part.zip');
    const options = { out, only: 'climate/*', openPages: async () => openPages() };
    await snapshot(bare.out, options, () => undefined);
    const names = run('unzip', '-Z1', out);
    expect(names).toMatch(/data\/index\.html/);
    expect(names).not.toMatch(/search\.json|data\/datasets\/|data\/assets\//);
  });

  describe.skipIf(CHROMIUM === null)('in Chromium, cut off from every other host', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser(CUT_OFF);
    });
    afterAll(() => browser.close());

    test('the browser reaches nobody else', async () => {
      const page = await browser.newPage();
      await expect(page.goto('http://localhost.localdomain/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
      await page.close();
    });

    describe.each(['the whole', 'a part'])('%s', name => {
      let host: Host;
      beforeAll(async () => {
        host = await startPlainHost(name === 'a part' ? part : whole);
      });
      afterAll(() => host.close());

      test('the catalog finds a dataset and a place', async () => {
        const { page, faults } = await openPage(browser, host.url);
        expect(await page.locator('#catalog li h3').allTextContents()).toEqual(
          name === 'a part' ? ['Rainfall'] : ['Rainfall', 'trams'],
        );
        const search = page.getByLabel('Search for a subject or a place');
        await search.fill('rainfal');
        await page.locator('#catalog-results').getByRole('link', { name: 'Rainfall' }).waitFor();
        await search.fill('north');
        await page.locator('#catalog-results').getByRole('link', { name: 'North', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'North' }).waitFor();
        expect(faults).toEqual([]);
        await page.context().close();
      });

      test("a place's figures are there", async () => {
        const { page, faults } = await openPage(browser, host.url + NORTH);
        const card = page.locator('.card', { has: page.getByRole('link', { name: 'Rainfall' }) });
        await card.locator('.figure').waitFor();
        const stored = await readRows('regions');
        const row = stored.find(one => one['region_code'] === 'n' && one['season'] === 'all');
        expect(await card.locator('.figure').textContent()).toContain(String(row?.['rain_mm']));
        expect(await page.getByRole('link', { name: 'trams' }).count()).toBe(name === 'a part' ? 0 : 1);
        expect(faults).toEqual([]);
        await page.context().close();
      });

      test("a dataset's rows are filtered", async () => {
        const { page, faults } = await openPage(
          browser,
          `${host.url}${RAIN}?year=2022&detail=stations&region_code=n&season=wet`,
        );
        await page.waitForSelector('.explore-grid td');
        const stored = await readRows('stations');
        const rows = stored.filter(row => row['region_code'] === 'n' && row['season'] === 'wet');
        expect(rows.length).toBeGreaterThan(0);
        expect(await page.locator('.explore-count').textContent()).toContain(`${rows.length} row`);
        expect(faults).toEqual([]);
        await page.context().close();
      });

      test('SQL is answered', async () => {
        const statement = 'SELECT count(*) AS n, max(rain_mm) AS most FROM rainfall WHERE year = 2022';
        const { page, faults } = await openPage(
          browser,
          `${host.url}sql/#${new URLSearchParams({ q: statement })}`,
        );
        await page.waitForSelector('.cm-content');
        await page.getByRole('button', { name: 'Run' }).click();
        await page.waitForSelector('.sql-result tbody td');
        const rows = (await Promise.all(['stations', 'regions', 'nation'].map(readRows))).flat();
        const most = Math.max(...rows.map(row => Number(row['rain_mm'] ?? 0)));
        expect(await page.locator('.sql-result td').allTextContents()).toEqual([
          String(rows.length),
          String(most),
        ]);
        expect(faults).toEqual([]);
        await page.context().close();
      });
    });
  });
});
