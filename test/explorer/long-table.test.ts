/** A million rows in a table: how it scrolls, and what of it is in the page. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyBuilt } from '../publishers/publisher-folder.ts';
import { CHROMIUM, startPlainHost, visit } from './browser.ts';
import { weatherPages } from './explored-tree.ts';

describe.skipIf(CHROMIUM === null)('a table of a million rows', () => {
  test('reaches its last row, and never holds more rows than are in sight', async () => {
    const { out } = await copyBuilt(await weatherPages());
    await build({
      configFile: path.resolve('vite.config.ts'),
      root: '.',
      logLevel: 'error',
      build: {
        outDir: path.join(out, 'test'),
        emptyOutDir: false,
        manifest: 'test.json',
        rolldownOptions: {
          input: { table: path.resolve(import.meta.dirname, 'long-table.ts') },
          output: { entryFileNames: '[name].js' },
        },
      },
    });
    const manifest = JSON.parse(await readFile(path.join(out, 'test/test.json'), 'utf8'));
    const chunks = Object.values<{ readonly css?: readonly string[] }>(manifest);
    const styles = new Set(chunks.flatMap(({ css = [] }) => css));
    const links = [...styles].map(file => `<link rel="stylesheet" href="test/${file}">`).join('');
    await writeFile(
      path.join(out, 'table.html'),
      `<!doctype html><html lang="en">${links}<link rel="icon" href="data:,"><script type="module" src="test/table.js"></script>`,
    );
    const host = await startPlainHost(out);
    onTestFinished(host.close);
    const page = await visit(`${host.url}table.html?view=table`);
    await page.getByRole('button', { name: 'Read all rows' }).click();
    await page.locator('.explore-count', { hasText: '1,000,000 rows.' }).waitFor();
    const grid = page.locator('.explore-grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe('1000001');
    const most = await page.evaluate(async () => {
      const scroller = document.querySelector('.explore-scroll')!;
      let rows = 0;
      for (let frame = 0; frame < 60; frame++) {
        scroller.scrollTop += frame < 30 ? 120 : 60_000;
        await new Promise(requestAnimationFrame);
        rows = Math.max(rows, scroller.querySelectorAll('tr').length);
      }
      return rows;
    });
    expect(most).toBeLessThan(60);

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
  });
});
