/** A visited page, its chart and its SQL without a network, from a host with an edge and from one without. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, startEdgeHost, startPlainHost, visit } from './browser.ts';
import { useExplored } from './explored-tree.ts';

const VIEW = 'datasets/education/attendance/?detail=states&view=chart';
const COUNT = 'SELECT COUNT(*) AS n FROM education.attendance WHERE year = 2024';

/** Waits until the store of the service worker has files whose address matches each of these. */
async function waitForKept(page: Page, ...wanted: readonly string[]): Promise<void> {
  await page.waitForFunction(async parts => {
    const names = await caches.keys();
    const kept = (await Promise.all(names.map(async name => (await caches.open(name)).keys()))).flat();
    return parts.every(part => kept.some(({ url }) => url.includes(part)));
  }, wanted);
}

describe.skipIf(CHROMIUM === null)('without a network', () => {
  const sample = useExplored();

  test.each([
    ['civic serve', () => startEdgeHost(sample.tree)],
    ['a server of files, under a sub-path', () => startPlainHost(sample.tree, { base: '/repo/' })],
  ] as const)('visited pages of %s still work, with chart and SQL', async (_, start) => {
    const host = await start();
    // Chromium may type a line with a style of its own, which the page's policy refuses.
    const expected = /Failed to load|ERR_|Failed to fetch|inline style/;
    const page = await visit(`${host.url}robots.txt`, { expected });
    const draw = async () => {
      await page.goto(host.url + VIEW);
      await page.locator('.explore-plot svg').first().waitFor();
    };
    const count = async () => {
      await page.goto(`${host.url}sql/`);
      await page.locator('.cm-content').fill(COUNT);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('1 row.').waitFor();
    };
    await draw();
    await waitForKept(page, 'attendance/?kept-page', 'manifest.json', 'assets/');
    await count();
    await waitForKept(page, 'duckdb', 'sql/?kept-page');
    await host.close();
    await draw();
    await count();
    // What was never visited says so, and leads back.
    await page.goto(`${host.url}datasets/census/employment/`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This page cannot be reached');
  });
});
