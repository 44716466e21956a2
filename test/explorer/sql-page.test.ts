/** The page for SQL as a reader uses it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../build/pipeline/build.ts';
import { readShift } from '../../scripts/bench/browser/layout-shift.ts';
import { writeSampleLake } from '../../scripts/georgia/sample/lake.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { CONTRACTS } from '../conformance/sample-tree.ts';
import { CHROMIUM, type Host, launchBrowser, openPage, startPlainHost, type Visit } from './browser.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 320, height: 700, colorScheme: 'dark' },
] as const;

describe.skipIf(CHROMIUM === null)('the page for SQL', () => {
  let scratch: string;
  let host: Host;
  let browser: Browser;

  beforeAll(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'sql-page-'));
    const lake = path.join(scratch, 'lake');
    const only = ['census/labor_force_by_nativity'];
    const written = await writeSampleLake({ out: lake, scale: 'small', seed: 1, contracts: CONTRACTS, only });
    if (!written.ok) throw new Error(JSON.stringify(written.problems));
    const tree = path.join(scratch, 'tree');
    await build(
      {
        contracts: CONTRACTS,
        data: lake,
        out: tree,
        only: null,
        strict: false,
        releaseDate: '2026-11-21',
        previous: null,
        baseUrl: null,
        jobs: 2,
        memory: '800MB',
        pages: openExplorer(path.resolve(import.meta.dirname, '../../lib')),
      },
      () => undefined,
    );
    // Browsers ask for it where a page names no icon.
    await writeFile(path.join(tree, 'favicon.ico'), '');
    host = await startPlainHost(tree, { base: '/' });
    browser = await launchBrowser();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await host?.close();
    await rm(scratch, { recursive: true, force: true });
  });

  async function openSql(hash = '', options = {}): Promise<Visit> {
    const visit = await openPage(browser, `${host.url}sql/${hash}`, options);
    await visit.page.waitForSelector('.cm-content');
    return visit;
  }

  const status = (page: Page) => page.locator('.sql-status p').textContent();
  const waitForRows = (page: Page) => page.waitForSelector('.sql-result tbody td');
  const write = async (page: Page, text: string) => {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };

  test.each(SIZES)(
    'an example is one click away, at $width, $colorScheme',
    async ({ colorScheme, ...viewport }) => {
      const { page, faults } = await openSql('', { viewport, colorScheme });
      expect(await page.locator('.sql-result').count()).toBe(0);
      await page.locator('details.sql-table summary').first().click();
      await page
        .getByRole('button', { name: /^Ask this/ })
        .first()
        .click();
      await waitForRows(page);
      expect(await status(page)).toMatch(/^\d+ rows?\. [\d.]+ s\. *(Sample data)?/);
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(overflows).toBe(false);
      await page.evaluate(await readFile(AXE, 'utf8'));
      const found = await page.evaluate(
        'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)]))',
      );
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test('a wrong name is answered with a near one or with none, and forgotten when the next is asked', async () => {
    const { page } = await openSql();
    const fail = async (table: string) => {
      await write(page, `SELECT * FROM ${table}`);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.sql-error', { hasText: table }).waitFor();
      return page.locator('.sql-error').textContent();
    };
    // Of a name that was asked before, DuckDB has a table.
    await write(page, 'SELECT count(*) FROM labor_force_by_nativity');
    await page.getByRole('button', { name: 'Run' }).click();
    await waitForRows(page);
    expect(await fail('nosuch')).not.toContain('Did you mean');
    expect(await fail('labor_force_by_natvity')).toContain('Did you mean labor_force_by_nativity?');
    expect(await fail('census.labor_force')).not.toMatch(/census\/labor/);
    // It takes far longer than the test waits.
    await write(
      page,
      'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range < 0',
    );
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.sql-status progress').waitFor();
    expect(await page.locator('.sql-error').count()).toBe(0);
    await page.context().close();
  });

  test('works by keyboard, from writing to leaving', async () => {
    const { page, faults } = await openSql();
    await write(page, 'SELECT year, count(*) AS n FROM labor_force_by_nativity GROUP BY ALL ORDER BY year');
    await page.keyboard.press('Control+Enter');
    await waitForRows(page);
    expect(await page.locator('.sql-result th').allTextContents()).toEqual(['year', 'n']);
    expect(await page.locator('.sql-result tbody tr').count()).toBe(5);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Run');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('knows tables and columns', async () => {
    const { page } = await openSql();
    await write(page, 'SELECT labor_force_by_nativity.unemp');
    await page.keyboard.press('Control+Space');
    await page.waitForSelector('.cm-tooltip-autocomplete');
    expect(await page.locator('.cm-tooltip-autocomplete li').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^unemployment_rate/)]),
    );
    // The editor takes no key for a choice that came up only just before.
    await page.waitForTimeout(300);
    await page.keyboard.press('Enter');
    expect(await page.locator('.cm-content').textContent()).toMatch(/\.unemployment_rate/);
    await page.context().close();
  });

  test('says what is wrong, and where', async () => {
    const { page, faults } = await openSql();
    await write(page, 'SELECT unemployment_rte FROM labor_force_by_nativity');
    await page.getByRole('button', { name: 'Run' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/unemployment_rte[\s\S]*unemployment_rate[\s\S]*LINE 1/);
    expect(await alert.locator('pre').evaluate(element => getComputedStyle(element).whiteSpace)).toBe('pre');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a link brings a statement, and does not run it', async () => {
    const statement = "SELECT '<img src=x onerror=alert(1)>' AS \"<b>\", 'a&b', 1.0 / 3, NULL";
    const { page, faults } = await openSql(`#${new URLSearchParams({ q: statement })}`);
    expect(await page.locator('.cm-content').textContent()).toBe(statement);
    await page.waitForTimeout(500);
    expect(await status(page)).toBe('');
    await page.getByRole('button', { name: 'Run' }).click();
    await waitForRows(page);
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('q')).toBe(statement);
    expect(await page.locator('.sql-result td').allTextContents()).toEqual([
      '<img src=x onerror=alert(1)>',
      'a&b',
      '0.333333',
      'NULL',
    ]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe(
      `<b>,'a&b',(1.0 / 3),NULL\r\n<img src=x onerror=alert(1)>,a&b,0.3333333333333333,\r\n`,
    );
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('an answer becomes a chart and files by the controls of views, and the address keeps the chart', async () => {
    const { page, faults } = await openSql();
    await write(
      page,
      "SELECT year, citizenship_status AS status, avg(unemployment_rate) AS rate, count(*) AS n FROM labor_force_by_nativity WHERE detail = 'counties' GROUP BY ALL ORDER BY ALL",
    );
    await page.keyboard.press('Control+Enter');
    await waitForRows(page);
    await page.getByRole('button', { name: 'Lines' }).click();
    await page.waitForSelector('.explore-drawing svg');
    expect(await page.locator('#explore-figure-title').textContent()).toBe('Rate');
    const summary = await page.locator('#explore-figure-summary').textContent();
    expect(summary).toMatch(/^all: [\d.]+ in 2020, [\d.]+ in 2024\. foreign_born: /);
    await page.getByLabel('Figure', { exact: true }).selectOption('n');
    await page.getByLabel('Lines', { exact: true }).selectOption('');
    expect(await page.locator('.sql-console .notice').textContent()).toContain(
      'Several rows have the same year',
    );
    await page.getByLabel('Lines', { exact: true }).selectOption('status');
    await page.waitForSelector('.explore-drawing svg');
    expect(page.url()).toMatch(/view=chart.*figure=n.*label=status/);
    const save = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      return readFile(await download.path());
    };
    expect((await save('Save as SVG')).toString()).toMatch(/<svg[\s\S]*SQL: SELECT year[\s\S]*<\/svg>/);
    const parquet = await save('Parquet');
    const read = await parquetReadObjects({
      file: parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer,
    });
    expect(read).toHaveLength(25);
    expect(Object.keys(read[0]!)).toEqual(['year', 'status', 'rate', 'n']);
    const sheets = unzipSync(await save('Excel'));
    expect(new TextDecoder().decode(sheets['xl/worksheets/sheet2.xml'])).toContain('SQL: SELECT year');
    const address = page.url();
    await page.evaluate(await readFile(AXE, 'utf8'));
    const found = await page.evaluate(
      'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)]))',
    );
    expect(found).toEqual([]);
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForSelector('.explore-drawing svg');
    expect(await page.getByLabel('Figure', { exact: true }).inputValue()).toBe('n');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('scrolls through a hundred thousand rows, and cancels', async () => {
    const { page, faults } = await openSql();
    await write(page, 'SELECT range AS n, range * 2 AS twice FROM range(200000)');
    await page.keyboard.press('Control+Enter');
    await waitForRows(page);
    expect(await status(page)).toContain('The first 100,000 rows; there are more.');
    expect(await page.locator('.sql-result tbody tr').count()).toBeLessThan(60);
    await page.locator('.sql-result').evaluate(element => element.scrollTo(0, element.scrollHeight));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.sql-result td')].some(cell => cell.textContent === '99999'),
    );
    const bottom = await page.locator('.sql-result').evaluate(element => {
      const last = [...element.querySelectorAll('td')].find(cell => cell.textContent === '99999')!;
      return element.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom;
    });
    expect(Math.abs(bottom)).toBeLessThan(20);
    await write(page, 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range = 3');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction(() => document.querySelector('.sql-status p')?.textContent === 'Cancelled.');
    await write(page, 'SELECT 42 AS answer');
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => document.querySelector('.sql-result td')?.textContent === '42');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ])('an answer that takes long pushes nothing at $width × $height', async viewport => {
    const { page } = await openSql('', { viewport });
    await page.route('**/*.wasm', async route => {
      await page.waitForTimeout(1500);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Run' }).click();
    await waitForRows(page);
    expect(await readShift(page)).toBeLessThan(0.05);
    await page.context().close();
  });

  test('the tables and examples can be read without a script', async () => {
    const { page } = await openPage(browser, `${host.url}sql/`, { javaScriptEnabled: false });
    expect(await page.locator('#sql-console').textContent()).toContain('needs JavaScript');
    expect(await page.locator('.sql-example pre').first().textContent()).toContain('SELECT');
    await page.context().close();
  });
});
