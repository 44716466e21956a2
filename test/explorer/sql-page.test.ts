/** The page for SQL as a reader uses it. */
import { read as readWorkbook, utils } from '@e965/xlsx';
import { parquetReadObjects } from 'hyparquet';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readShift } from '../../scripts/bench/browser.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import {
  CHROMIUM,
  faultsAt,
  openPage,
  saveBy,
  sharedBrowser,
  startPlainHost,
  useHost,
  type Visit,
  visit,
} from './browser.ts';

const ENDLESS = 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range < 0';

const LINKED = "SELECT '<img src=x onerror=alert(1)>' AS \"<b>\", 'a&b', 1.0 / 3, NULL";

describe.skipIf(CHROMIUM === null)('the page for SQL', () => {
  const sample = useSampleTree();
  const host = useHost(() => startPlainHost(sample.tree));

  const status = (page: Page) => page.locator('.sql-status p').textContent();
  const waitForRows = (page: Page) => page.waitForSelector('.explore-grid tbody td');
  /** The last answer stays until the next one is there. */
  const waitForColumn = (page: Page, name: string) =>
    page.locator('.explore-grid th', { hasText: name }).waitFor();
  const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();
  const write = async (page: Page, text: string) => {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  const cells = (page: Page) => page.locator('.explore-grid td').allTextContents();
  /** The page's message about a statement that it can't answer. */
  const fail = async (page: Page, wrong: string, statement: string) => {
    await write(page, statement);
    await run(page);
    const error = page.locator('.sql-error', { hasText: wrong });
    await error.waitFor();
    return (await error.textContent()) ?? '';
  };

  test('an example is one click away, shifts nothing while it is computed, and has no faults', async () => {
    const viewport = { width: 390, height: 800 };
    const page = await visit(`${host.url}sql/`, { ready: '.cm-content', viewport });
    await expect.poll(() => page.locator('.explore-scroll').count()).toBe(0);
    await page.route('**/*.wasm', async route => {
      await page.locator('.sql-status progress').waitFor();
      await route.continue();
    });
    await run(page);
    await waitForRows(page);
    expect(await readShift(page)).toBeLessThan(0.05);
    await page.locator('details.sql-table summary').first().click();
    const example = page.getByRole('button', { name: /^Ask this/ }).first();
    await example.click();
    await expect.poll(() => status(page)).toMatch(/^\d+ rows?\. [\d.]+ s\. *(Sample data)?/);
    expect(await faultsAt(page)).toEqual([]);
    await expect.poll(() => page.locator('.sample-band').isVisible()).toBe(true);
  });

  // The other tests share one page, so that it loads DuckDB once. A link opens it.
  const opened = {} as Visit;
  beforeAll(async () => {
    const url = `${host.url}sql/#${new URLSearchParams({ q: LINKED })}`;
    Object.assign(opened, await openPage(await sharedBrowser(), url));
    await opened.page.waitForSelector('.cm-content');
  });
  afterEach(() => expect(opened.faults).toEqual([]));

  test('a link brings a statement, and does not run it', async () => {
    const { page } = opened;
    await expect.poll(() => page.locator('.cm-content').textContent()).toBe(LINKED);
    await page.waitForLoadState('networkidle');
    expect(await status(page)).toBe('');
    await run(page);
    await waitForRows(page);
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('q')).toBe(LINKED);
    expect(await cells(page)).toEqual(['<img src=x onerror=alert(1)>', 'a&b', '0.333333', 'NULL']);
    expect((await saveBy(page, 'CSV')).content.toString()).toBe(
      `<b>,'a&b',(1.0 / 3),NULL\r\n<img src=x onerror=alert(1)>,a&b,0.3333333333333333,\r\n`,
    );
  });

  test('says what is wrong and where, with a similar name if there is one, until the next statement, which is canceled', async () => {
    const { page } = opened;
    // DuckDB already has a table if its name was asked before.
    await write(page, 'SELECT count(*) AS loaded FROM labor_force_by_nativity');
    await run(page);
    await waitForColumn(page, 'loaded');
    const near = await fail(page, 'unemployment_rte', 'SELECT unemployment_rte FROM labor_force_by_nativity');
    expect(near).toMatch(/unemployment_rte[\s\S]*unemployment_rate[\s\S]*LINE 1/);
    const space = page.getByRole('alert').evaluate(element => getComputedStyle(element).whiteSpace);
    expect(await space).toBe('pre-wrap');
    expect(await fail(page, 'nosuch', 'SELECT * FROM nosuch')).not.toContain('Did you mean');
    const statement = 'SELECT * FROM labor_force_by_natvity';
    expect(await fail(page, 'natvity', statement)).toContain('Did you mean labor_force_by_nativity?');
    const domain = await fail(page, 'census.labor_force', 'SELECT * FROM census.labor_force');
    expect(domain).not.toMatch(/census\/labor/);
    await write(page, ENDLESS);
    await run(page);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await expect.poll(() => page.locator('.sql-error').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => status(page)).toBe('Cancelled.');
    await write(page, 'SELECT 42 AS answer');
    await run(page);
    await expect.poll(() => cells(page)).toEqual(['42']);
  });

  test('works by keyboard, and completes tables and columns', async () => {
    const { page } = opened;
    await write(page, 'SELECT year, count(*) AS n FROM labor_force_by_nativity GROUP BY ALL ORDER BY year');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.locator('.explore-grid th').allTextContents()).toEqual(['year', 'n']);
    await expect.poll(() => page.locator('.explore-grid tbody tr').count()).toBe(5);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Run');
    await write(page, 'SELECT labor_force_by_nativity.unemp');
    await page.keyboard.press('Control+Space');
    const choices = page.locator('.cm-tooltip-autocomplete li', { hasText: /^unemployment_rate/ });
    await choices.first().waitFor();
    // The editor ignores keys for the first 75 ms after it offers choices.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.cm-content').textContent()).toMatch(/\.unemployment_rate/);
  });

  test('an answer becomes files', async () => {
    const { page } = opened;
    const averages =
      'SELECT year, citizenship_status AS status, avg(unemployment_rate) AS rate, count(*) AS n';
    const counties = "FROM labor_force_by_nativity WHERE detail = 'counties' GROUP BY ALL ORDER BY ALL";
    await write(page, `${averages} ${counties}`);
    await page.keyboard.press('Control+Enter');
    await waitForColumn(page, 'rate');
    const parquet = await saveBy(page, 'Parquet');
    expect(parquet.name).toBe('answer-rows-SAMPLE.parquet');
    const rows = await parquetReadObjects({ file: new Uint8Array(parquet.content).buffer as ArrayBuffer });
    expect(rows).toHaveLength(25);
    expect(Object.keys(rows[0]!)).toEqual(['year', 'status', 'rate', 'n']);
    const { SheetNames, Sheets } = readWorkbook((await saveBy(page, 'Excel')).content);
    const [data, notes] = SheetNames.map(name => utils.sheet_to_csv(Sheets[name]!));
    expect(data).toMatch(/status[\s\S]*foreign_born/);
    expect(notes).toMatch(/[Ss]ample[\s\S]*25[\s\S]*SQL: SELECT year/);
  });

  test('scrolls through a hundred thousand rows', async () => {
    const { page } = opened;
    await write(page, 'SELECT range AS n, range * 2 AS twice FROM range(200000)');
    await page.keyboard.press('Control+Enter');
    await waitForColumn(page, 'twice');
    expect(await status(page)).toContain('The first 100,000 rows; there are more.');
    await expect.poll(() => page.locator('.explore-grid tbody tr').count()).toBeLessThan(60);
    const result = page.locator('.explore-scroll');
    await result.evaluate(element => element.scrollTo(0, element.scrollHeight));
    const last = page.locator('.explore-grid td', { hasText: /^99999$/ });
    await last.waitFor();
    const [list, cell] = [await result.boundingBox(), await last.boundingBox()];
    expect(Math.abs(list!.y + list!.height - cell!.y - cell!.height)).toBeLessThan(20);
  });
});
