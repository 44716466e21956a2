/** A million rows in a table: how it scrolls, and what of it is in the page. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { CHROMIUM, type Host, launchBrowser, openPage, startPlainHost } from './browser.ts';
import { buildExplored } from './explored-tree.ts';

/** Milliseconds between two frames that still look smooth where two cores are shared; a frame at 60 Hz takes 16.7. */
const SMOOTH = 34;

describe.skipIf(CHROMIUM === null)('a table of a million rows', () => {
  let publisher: PublisherFolder;
  let browser: Browser;
  let host: Host;
  beforeAll(async () => {
    publisher = await buildExplored(CONTRACTS, LAKE);
    await build({
      configFile: path.resolve('vite.config.ts'),
      root: '.',
      logLevel: 'error',
      build: {
        outDir: path.join(publisher.out, 'test'),
        emptyOutDir: false,
        manifest: 'test.json',
        rolldownOptions: {
          input: { table: path.resolve(import.meta.dirname, 'long-table.ts') },
          output: { entryFileNames: '[name].js' },
        },
      },
    });
    const manifest = JSON.parse(await readFile(path.join(publisher.out, 'test/test.json'), 'utf8'));
    const chunks = Object.values<{ readonly css?: readonly string[] }>(manifest);
    const styles = new Set(chunks.flatMap(({ css = [] }) => css));
    const links = [...styles].map(file => `<link rel="stylesheet" href="test/${file}">`).join('');
    await writeFile(
      path.join(publisher.out, 'table.html'),
      `<!doctype html><html lang="en">${links}<link rel="icon" href="data:,"><script type="module" src="test/table.js"></script>`,
    );
    browser = await launchBrowser();
    host = await startPlainHost(publisher.out);
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
    await rm(publisher.root, { recursive: true, force: true });
  });

  test('reaches its last row, scrolls smoothly and never holds more rows than are in sight', async () => {
    const { page, faults } = await openPage(browser, `${host.url}table.html?view=table`);
    await page.getByRole('button', { name: 'Read all rows' }).click();
    await page.locator('.explore-count', { hasText: '1,000,000 rows.' }).waitFor();
    const grid = page.locator('.explore-grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe('1000001');
    const frames = await page.evaluate(async () => {
      const scroller = document.querySelector('.explore-scroll')!;
      const times: number[] = [];
      let most = 0;
      let before = await new Promise<number>(requestAnimationFrame);
      for (let frame = 0; frame < 180; frame++) {
        scroller.scrollTop += frame < 90 ? 120 : 60_000;
        const now = await new Promise<number>(requestAnimationFrame);
        times.push(now - before);
        before = now;
        most = Math.max(most, scroller.querySelectorAll('tr').length);
      }
      return { times: times.sort((a, b) => a - b), most };
    });
    const median = frames.times[90]!;
    console.log(
      `frames while scrolling a million rows: median ${median.toFixed(1)} ms, 95% ${frames.times[171]!.toFixed(1)} ms`,
    );
    expect(median).toBeLessThan(SMOOTH);
    expect(frames.most).toBeLessThan(60);

    await grid.focus();
    await page.keyboard.press('Control+End');
    await page.locator('tr[aria-rowindex="1000001"]').waitFor();
    const active = await grid.getAttribute('aria-activedescendant');
    expect(active).toMatch(/^cell-999999-/);
    const inSight = await page.evaluate(id => {
      const [cell, scroller] = [document.getElementById(id)!, document.querySelector('.explore-scroll')!];
      return cell.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().bottom + 1;
    }, active!);
    expect(inSight).toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toMatch(/^cell-999998-/);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
