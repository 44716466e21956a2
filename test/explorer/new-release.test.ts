/** A release that is put in place while a reader is at a page: what is asked from then on is answered from it alone. */
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildPublisher } from '../publishers/built-tree.ts';
import { copyBuilt, type PublisherFolder, writeRows } from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';
import { CHROMIUM, startEdgeHost, startPlainHost, visit } from './browser.ts';
import { openPages, weatherPages } from './explored-tree.ts';

const YEARS = [2019, 2021, 2022];
const MORE = 1000;

describe.skipIf(CHROMIUM === null)('a release that comes while a page is read', () => {
  /** Every figure of the old release is under 1,000, and every one of the new beyond. */
  const releaseAgain = async (publisher: PublisherFolder) => {
    const changed = YEARS.flatMap(year =>
      ['stations', 'regions', 'nation'].map(level => [
        rainFile(year, level),
        `SELECT * REPLACE (rain_mm + ${MORE} AS rain_mm) FROM (${rainfallRows(year, level)})`,
      ]),
    );
    await writeRows(publisher.data, Object.fromEntries(changed));
    await buildPublisher(publisher, { pages: openPages(), releaseDate: '2031-06-01' });
  };
  const rainOf = async (page: Page) => {
    await page.waitForSelector('.explore-grid td');
    return page.evaluate(() => {
      const heads = [...document.querySelectorAll('.explore-grid th')].map(head => head.textContent ?? '');
      const column = heads.findIndex(text => text.startsWith('rain_mm'));
      const cells = document.querySelectorAll(`.explore-grid td[data-column="${column}"]`);
      return [...cells].map(cell => Number((cell.textContent ?? '').replaceAll(',', '')));
    });
  };

  test.each([
    ['a host that has the edge', startEdgeHost],
    ['a host that only serves files', (folder: string) => startPlainHost(folder)],
  ] as const)(
    'on %s',
    async (_, start) => {
      const publisher = await copyBuilt(await weatherPages());
      const host = await start(publisher.out);
      onTestFinished(host.close);
      const page = await visit(`${host.url}datasets/climate/rainfall/?view=table`);
      const before = await rainOf(page);
      // The worker's script is asked for once, and may not be there between two releases.
      await page.waitForFunction(() => sessionStorage.getItem('edge') !== null);
      expect([before.length > 0, before.every(rain => rain < MORE)]).toEqual([true, true]);
      // A server that is asked all the time has looked at its files a moment before the switch.
      const others = setInterval(() => void fetch(`${host.url}manifest.json`).catch(() => null), 20);
      await releaseAgain(publisher);
      clearInterval(others);
      for (const level of ['stations', 'nation', 'regions']) {
        await page.getByLabel('Level', { exact: true }).selectOption(level);
        await expect
          .poll(async () => (await rainOf(page)).every(rain => rain > MORE), { timeout: 10_000 })
          .toBe(true);
        expect((await rainOf(page)).length).toBeGreaterThan(0);
      }
    },
    60_000,
  );
});
