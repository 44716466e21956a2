/** Names never move: pages of what is withdrawn, and mistakes told in the page of what they were in. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { verify } from '../publishers/built-tree.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, overflow, SCREENS, startEdgeHost, useHost, visit } from './browser.ts';
import { TITLE, TRAM_TITLE, twoReleases } from './two-releases.ts';

const RAIN = 'datasets/climate/rainfall/';
const TRAM = 'datasets/transit/trams/';

test('the tree with such pages is whole, and its search knows what is gone', async () => {
  const { out } = await twoReleases();
  await verify(out);
  const search = JSON.parse(await readFile(path.join(out, 'search.json'), 'utf8'));
  expect(search.datasets.map((one: { key: string }) => one.key)).toEqual(['climate/rainfall']);
  expect(search.withdrawn).toEqual([
    { key: 'transit/trams', title: TRAM_TITLE, withdrawn: '2031-06-01', reason: 'Nobody counts any more.' },
  ]);
});

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  const host = useHost(async () => startEdgeHost((await twoReleases()).out));

  test('such pages are without faults, narrow and dark', async () => {
    for (const [where, ready] of [
      ['?q=trams', '#catalog-results h3 a'],
      ['', '#withdrawn'],
      [TRAM, 'h1'],
      [RAIN, '#errata'],
    ] as const) {
      const page = await visit(host.url + where, { ...SCREENS[1], ready });
      expect([where, await page.locator('[data-evil]').count()]).toEqual([where, 0]);
      expect([where, await overflow(page)]).toEqual([where, 0]);
      expect([where, await accessibilityFindings(page)]).toEqual([where, []]);
    }
  });

  test('the catalog leads to what is gone, and from there to what takes its place', async () => {
    const page = await visit(host.url);
    await page.locator('#withdrawn').getByRole('link', { name: 'Trams' }).click();
    await page.getByText('Withdrawn on 2031-06-01.').waitFor();
    expect(page.url()).toBe(host.url + TRAM);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TRAM_TITLE);
    expect(await page.getByText('Nobody counts any more.').isVisible()).toBe(true);
    const main = page.locator('main');
    for (const name of ['Contract (YAML)', 'as JSON', 'Withdrawal']) {
      const href = await main.getByRole('link', { name, exact: true }).getAttribute('href');
      const answer = await page.request.get(new URL(href ?? '', page.url()).href);
      expect([name, answer.status()]).toEqual([name, 200]);
    }
    await main.getByRole('link', { name: TITLE, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  });

  test('the search finds it and says so; who filters by year does not see it', async () => {
    const page = await visit(`${host.url}?q=tramz`);
    const found = page.locator('#catalog-results li', { hasText: 'Withdrawn' });
    await found.getByRole('link', { name: 'Trams' }).waitFor();
    expect(await page.locator('#catalog-status').textContent()).toMatch(
      /^“tramz” was read as “trams”. 1 dataset and/,
    );
    const year = page.getByLabel('Year', { exact: true });
    await year.selectOption('2022');
    await expect.poll(() => found.count()).toBe(0);
    await page.getByLabel('Search for a subject or a place').fill('');
    await expect.poll(() => page.locator('#withdrawn').isVisible()).toBe(false);
  });

  test("errata stand in the dataset's page without a script, newest first, with what they apply to", async () => {
    const page = await visit(host.url + RAIN, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Corrections' }).click();
    const list = page.locator('#errata ~ ul.rows').first();
    expect(await list.locator('h3').allTextContents()).toEqual(['2031-05-25', '2031-05-20']);
    const [newest, oldest] = await list.locator('li').all();
    expect(await newest?.textContent()).toContain('A gauge <b data-evil>leaked</b>.');
    expect(await newest?.locator('dt').allTextContents()).toEqual(['What was wrong', 'What was done']);
    const told = ['Snow was counted as rain.', 'It is left out.', '2021', 'stations'];
    const cells = await oldest?.locator('dd').allTextContents();
    expect(cells).toEqual([...told, expect.stringContaining('rain_mm')]);
  });
});
