/** Names never move: pages of what is withdrawn, and mistakes told in the page of what they were in. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../publishers/built-tree.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, MISTAKEN, TRAMS, withdrawn } from '../publishers/weather.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, openPage, useEdgePages } from './browser.ts';
import { buildExplored, overflow } from './explored-tree.ts';
import { MARKUP } from './hostile.ts';

const TITLE = `Trams ${MARKUP}`;
const GONE = withdrawn(TRAMS, 'climate/rainfall').replace(
  'customProperties:\n',
  `customProperties:\n  - { property: title, value: ${JSON.stringify(TITLE)} }\n`,
);
const RAIN = 'datasets/climate/rainfall/';
const TRAM = 'datasets/transit/trams/';

let publisher: PublisherFolder;
beforeAll(async () => {
  const lake = Object.fromEntries(Object.entries(LAKE).filter(([name]) => !name.startsWith('transit/')));
  publisher = await buildExplored(
    {
      ...CONTRACTS,
      'rain/rainfall.yaml': MISTAKEN.replace(
        'A gauge leaked.',
        `A gauge leaked ${MARKUP}.`.replaceAll('"', '\\"'),
      ),
      'trams.odcs.yaml': GONE,
    },
    lake,
  );
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const read = (name: string) => readFile(path.join(publisher.out, name), 'utf8');

test('the tree with such pages is whole, and its search knows what is gone', async () => {
  await verify(publisher.out);
  const search = JSON.parse(await read('search.json'));
  expect(search.datasets.map((one: { key: string }) => one.key)).toEqual(['climate/rainfall']);
  expect(search.withdrawn).toEqual([
    { key: 'transit/trams', title: TITLE, withdrawn: '2031-06-01', reason: 'Nobody counts any more.' },
  ]);
});

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  const edge = useEdgePages(() => publisher.out);

  test.each([
    ['the catalog', '', '#withdrawn'],
    ['a search', '?q=trams', '#catalog-results h3 a'],
    ['a withdrawn dataset', TRAM, 'h1'],
    ['a dataset with errata', RAIN, '#errata'],
  ])('%s is without faults, narrow and wide, dark and light', async (_, where, ready) => {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [320, 'dark'],
    ] as const) {
      const viewport = { width, height: 800 };
      const { page, faults } = await openPage(edge.browser, edge.host.url + where, { viewport, colorScheme });
      await page.waitForSelector(ready);
      expect(await page.locator('[data-evil]').count()).toBe(0);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  test('the catalog leads to what is gone, and from there to what takes its place', async () => {
    const { page, faults } = await openPage(edge.browser, edge.host.url);
    await page.locator('#withdrawn').getByRole('link', { name: 'Trams' }).click();
    await page.getByText('Withdrawn on 2031-06-01.').waitFor();
    expect(page.url()).toBe(edge.host.url + TRAM);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TITLE);
    expect(await page.getByText('Nobody counts any more.').isVisible()).toBe(true);
    for (const name of ['Contract (YAML)', 'as JSON', 'Withdrawal']) {
      const link = page.locator('main').getByRole('link', { name, exact: true });
      const answer = await page.request.get(
        new URL((await link.getAttribute('href')) ?? '', page.url()).href,
      );
      expect(answer.status(), name).toBe(200);
    }
    await page.locator('main').getByRole('link', { name: 'Rainfall', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Rainfall' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the search finds it and says so; who filters by year does not see it', async () => {
    const { page, faults } = await openPage(edge.browser, `${edge.host.url}?q=tramz`);
    const found = page.locator('#catalog-results li', { hasText: 'Withdrawn' });
    await found.getByRole('link', { name: 'Trams' }).waitFor();
    expect(await page.locator('#catalog-status').textContent()).toMatch(
      /^“tramz” was read as “trams”. 1 dataset and/,
    );
    await page.getByLabel('Year', { exact: true }).selectOption('2022');
    await expect.poll(() => found.count()).toBe(0);
    await page.getByLabel('Search for a subject or a place').fill('');
    await expect.poll(() => page.locator('#withdrawn').isVisible()).toBe(false);
    await page.getByLabel('Year', { exact: true }).selectOption('');
    await expect.poll(() => page.locator('#withdrawn').isVisible()).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("errata stand in the dataset's page without a script, newest first, with what they apply to", async () => {
    const { page, faults } = await openPage(edge.browser, edge.host.url + RAIN, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Corrections' }).click();
    const list = page.locator('#errata ~ ul.rows').first();
    expect(await list.locator('h3').allTextContents()).toEqual(['2031-05-25', '2031-05-20']);
    const [newest, oldest] = await list.locator('li').all();
    expect(await newest?.textContent()).toContain(`A gauge leaked ${MARKUP}.`);
    expect(await newest?.locator('dt').allTextContents()).toEqual(['What was wrong', 'What was done']);
    expect(await oldest?.locator('dd').allTextContents()).toEqual([
      'Snow was counted as rain.',
      'It is left out.',
      '2021',
      'stations',
      expect.stringContaining('rain_mm'),
    ]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
