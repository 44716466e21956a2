/**
 * A new release, from which everything is answered at once, and a lost network, while a reader is at a page.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { keptPaged, openPages } from '../publishers/kept-trees.ts';
import { RAIN_YEARS, rainFile, rainfallRows } from '../publishers/weather.ts';
import { CHROMIUM, startEdgeHost, startPlainHost, visit } from './browser.ts';
import { openEnginePage } from './engine-page.ts';

const RAIN = 'datasets/climate/rainfall/';
const LEVELS = ['stations', 'nation', 'regions'];
/** Every figure of the old release is below it, and every one of the new release above. */
const MORE = 1000;
const RAISED = Object.fromEntries(
  RAIN_YEARS.flatMap(year =>
    LEVELS.map(level => [
      rainFile(year, level),
      `SELECT * REPLACE (rain_mm + ${MORE} AS rain_mm) FROM (${rainfallRows(year, level)})`,
    ]),
  ),
);

const rainOf = async (page: Page) => {
  await page.waitForSelector('.explore-grid td');
  return page.evaluate(() => {
    const heads = [...document.querySelectorAll('.explore-grid th')].map(head => head.textContent ?? '');
    const column = heads.findIndex(text => text.startsWith('rain_mm'));
    const cells = document.querySelectorAll(`.explore-grid [aria-rowindex] td:nth-child(${column + 1})`);
    return [...cells].map(cell => Number((cell.textContent ?? '').replaceAll(',', '')));
  });
};

/** Waits until the service worker's store has files whose addresses match each of these. */
async function waitForKept(page: Page, ...wanted: readonly string[]): Promise<void> {
  const isKept = () =>
    page.evaluate(async parts => {
      const names = await caches.keys();
      const kept = (await Promise.all(names.map(async name => (await caches.open(name)).keys()))).flat();
      return parts.every(part => kept.some(({ url }) => url.includes(part)));
    }, wanted);
  // `waitForFunction` would take an asynchronous function's promise for its answer.
  await expect.poll(isKept).toBe(true);
}

describe.skipIf(CHROMIUM === null).each([
  ['with an edge', startEdgeHost],
  ['of files, under a sub-path', (folder: string) => startPlainHost(folder, { base: '/repo/' })],
] as const)('on a host %s', (_, start) => {
  test('a new release answers everything asked after it', async () => {
    const publisher = await (await keptPaged()).copyBuilt();
    const host = await start(publisher.out);
    const page = await visit(`${host.url}${RAIN}?view=table`);
    const engine = await openEnginePage(host.url);
    const leastOf = async (level: string) => {
      const { rows } = await engine.sql(`SELECT min(rain_mm) FROM rainfall WHERE detail = '${level}'`);
      return Number(rows[0]?.[0]);
    };
    expect(await leastOf('nation')).toBeLessThan(MORE);
    const before = await rainOf(page);
    // The worker's script is requested once, and may be missing between two releases.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    expect([before.length > 0, before.every(rain => rain < MORE)]).toEqual([true, true]);
    // A busy server has looked at its files a moment before the switch.
    const others = setInterval(() => void fetch(`${host.url}manifest.json`).catch(() => null), 20);
    await publisher.writeRows(RAISED);
    await publisher.build({ pages: openPages(), releaseDate: '2031-06-01' });
    clearInterval(others);
    for (const level of LEVELS) {
      await page.getByLabel('Level', { exact: true }).selectOption(level);
      const isNew = async () => (await rainOf(page)).every(rain => rain > MORE);
      await expect.poll(isNew).toBe(true);
      expect((await rainOf(page)).length).toBeGreaterThan(0);
    }
    expect(await leastOf('stations')).toBeGreaterThan(MORE);
  });

  test('visited pages still work without a network, with chart and SQL', async () => {
    const host = await start((await keptPaged()).out);
    // Chromium may add a style to typed text, which the page's policy refuses.
    const expected = /Failed to load|ERR_|Failed to fetch|inline style/;
    const page = await visit(`${host.url}robots.txt`, { expected });
    const draw = async () => {
      await page.goto(`${host.url}${RAIN}?detail=nation&view=chart`);
      await page.locator('.explore-plot svg').first().waitFor();
    };
    const count = async () => {
      await page.goto(`${host.url}sql/`);
      await page.locator('.cm-content').fill('SELECT COUNT(*) AS n FROM climate.rainfall WHERE year = 2022');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('1 row.').waitFor();
    };
    await draw();
    await waitForKept(page, 'rainfall/?kept-page', 'manifest.json', 'assets/');
    await count();
    await waitForKept(page, 'duckdb', 'sql/?kept-page');
    await host.close();
    await draw();
    await count();
    // A page that was never visited says so, and links back.
    await page.goto(`${host.url}datasets/transit/trams/`);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe('This page cannot be reached');
  });
});
