/** Visits every kind of page once, and does what readers do there. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { datasets as samples } from '../../scripts/georgia/sample/datasets.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { keptHostile, keptUneven } from '../publishers/kept-trees.ts';
import { MARKUP, SHOWN } from '../publishers/odd-weather.ts';
import {
  accessibilityFindings,
  CHROMIUM,
  faultsAt,
  overflow,
  SCREENS,
  startEdgeHost,
  startPlainHost,
  useHost,
  visit,
} from './browser.ts';

const DATASET = 'datasets/education/attendance/';
const DISTRICT = 'places/?dimension=districts&district_code=601';
const FIGURE = '.place-figures td strong';
const RAIN = 'datasets/climate/rainfall/';

/** The status of a search or a place that has figures. */
const withFigures = (page: Page) => page.locator('#place [role=status]', { hasText: /figures? in/ });
const rowOf = (page: Page, name: string) =>
  page.locator('.place-figures tr', { has: page.getByRole('link', { name, exact: true }) });
const searchField = (page: Page) => page.getByLabel('Search for a', { exact: false });

describe.skipIf(CHROMIUM === null)('pages in Chromium', () => {
  const sample = useSampleTree();
  const edge = useHost(() => startEdgeHost(sample.tree));
  const plain = useHost(() => startPlainHost(sample.tree, { base: '/repo/', gzip: true }));

  test.each([
    ['', '#catalog'],
    ['?q=absent', '#search-results h3 a'],
    [DATASET, '.code .button'],
    ['datasets/education/ccrpi_climate_star_rating/', '.code .button'],
    ['places/', '#search'],
    [DISTRICT, FIGURE],
    ['api/#getEducationAttendance', '.route[open] .button'],
    ['api/v1/', 'h1'],
    ['assets/', 'h1'],
  ])('/%s is without faults, narrow and wide, dark and light', async (path, ready) => {
    const page = await visit(plain.url + path, { ...SCREENS[1], ready });
    expect(await faultsAt(page)).toEqual([]);
    if (ready === 'h1') await expect.poll(() => page.locator('h1').textContent()).toBe(`/${path}`);
    else await expect.poll(() => page.locator('.sample-band').isVisible()).toBe(true);
  });

  test('finds a dataset and a place as the reader types, and keeps the search in the URL', async () => {
    const page = await visit(plain.url);
    await page.route(/\/assets\/search-/, async route => {
      // Text typed before the script loads is searched.
      await searchField(page).fill('unemploiment');
      await route.continue();
    });
    await page.reload();
    const results = page.locator('#search-results');
    await results.getByRole('link', { name: 'Employment and unemployment' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('unemploiment');
    await searchField(page).fill('district 601');
    const link = results.getByRole('link', { name: 'Sample District 601', exact: true });
    await link.waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('district 601');
    const found = page.locator('#search-status');
    await expect.poll(() => found.textContent()).toMatch(/\d+ results? found/);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Sample District 601' }).waitFor();
    expect(page.url()).toBe(plain.url + DISTRICT);
  });

  test("a place has the file's figures in one table, its parent and children, and a file to save", async () => {
    const page = await visit(plain.url + DISTRICT);
    await withFigures(page).waitFor();
    const row = rowOf(page, 'Student attendance');
    const query = 'detail=districts&district_code=601&demographic=all';
    const rows = async (year: number) => {
      const { data } = await (
        await fetch(`${edge.url}api/v1/education/attendance?year=${year}&${query}`)
      ).json();
      return data[0].chronically_absent_rate as number;
    };
    const [before, now] = [await rows(2023), await rows(2024)];
    const percent = (value: number) => Number((value * 100).toFixed(1));
    await expect.poll(() => row.locator('strong').textContent()).toBe(`${percent(now)}%`);
    const change = `${now > before ? '+' : '−'}${percent(Math.abs(now - before))} points`;
    await expect.poll(() => row.locator('[data-label=Change]').textContent()).toBe(change);
    await expect
      .poll(() => row.locator('[data-label=Rank]').textContent())
      .toMatch(/^\d+(st|nd|rd|th) of \d+$/);
    const chart = `${plain.url}${DATASET}?detail=districts&district_code=601&view=chart&metric=chronically_absent_rate`;
    await expect.poll(() => row.getByRole('link').getAttribute('href')).toBe(chart);
    await page.getByRole('region', { name: 'Places like it' }).getByRole('link').first().waitFor();
    const save = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save all as CSV' }).click();
    const file = await save;
    expect(file.suggestedFilename()).toBe('districts-601.csv');
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(head).toBe('place,district_code,dataset,figure,column,choices,year,value,margin,unit');
    expect(lines.filter(line => line.includes('chronically_absent_rate,,2024,'))).toEqual([
      `Sample District 601,601,education/attendance,Chronically absent,chronically_absent_rate,,2024,${now},,proportion`,
    ]);
    const schools = page.getByRole('region', { name: 'Schools here' });
    await schools.getByRole('link', { name: 'Sample High School 0104' }).click();
    const parent = page.getByRole('navigation', { name: 'What the place lies in' });
    await parent.getByRole('link', { name: 'Sample District 601' }).waitFor();
  });

  test('the service worker loads after the figures of a place', async () => {
    const page = await visit(plain.url);
    await page.context().route(/\.parquet$/, async route => {
      await new Promise(resolve => setTimeout(resolve, 30));
      await route.continue();
    });
    // The worker's script isn't visible to the page; the question whether the host answers programs comes
    // before it.
    const asked = page.waitForRequest(request => request.method() === 'HEAD');
    await page.goto(plain.url + DISTRICT);
    await asked;
    expect(await withFigures(page).isVisible()).toBe(true);
    await page.evaluate(() => navigator.serviceWorker.ready);
  });

  test("code has this site's address, and can be copied", async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await visit(plain.url + DATASET, { permissions });
    await page.getByText('For programs: API, SQL, R, Python').click();
    await page.getByRole('button', { name: 'Copy: Code for curl' }).click();
    await page.getByRole('button', { name: 'Copied: Code for curl' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`'${plain.url}api/v1/education/attendance/year=2024/schools.csv'`);
    await expect.poll(() => page.locator('.tree-address', { hasText: 'example.org' }).count()).toBe(0);
  });

  test('a page is readable without a script, and prints without interactive parts', async () => {
    const page = await visit(edge.url + DATASET, { javaScriptEnabled: false });
    for (const part of await page.locator('.folded > summary').all()) await part.click();
    for (const text of [
      'Chronically absent, Georgia, 2024',
      'One row per school year, place (school, district or the state) and student group.',
      'Calendar year in which the school year ends',
      'Withheld by the source.',
      'pd.read_csv',
      '@misc{education_attendance_2026',
      'stands for the address of this site',
    ])
      expect([text, await page.getByText(text).first().isVisible()]).toEqual([text, true]);
    await expect.poll(() => page.locator('.needs-script').first().isVisible()).toBe(false);
    const line = await page.locator('.explore-still.wide').getAttribute('aria-label');
    expect(line).toMatch(/, 2024: .* than in 2018\.$/);
    await page.emulateMedia({ media: 'print' });
    const printed = ['.site-nav', '.explore-figure', '.sample-band'].map(part =>
      page.locator(part).isVisible(),
    );
    expect(await Promise.all(printed)).toEqual([false, true, true]);
    await page.goto(edge.url);
    await expect.poll(() => page.locator('#catalog li').count()).toBe(Object.keys(samples).length);
  });

  test('everything can be reached by keyboard, and the focus is visible', async () => {
    const page = await visit(edge.url);
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement ?? document.body;
        return [element.id || element.textContent, getComputedStyle(element).outlineWidth];
      });
    await page.keyboard.press('Tab');
    expect(await focused()).toEqual(['Skip to content', '3px']);
    await page.keyboard.press('Enter');
    expect((await focused())[0]).toBe('main');
    await page.keyboard.press('Tab');
    expect(await focused()).toEqual(['search', '3px']);
    await page.keyboard.type('attendance');
    // The results for the first letters may have another order.
    await page.waitForURL(/q=attendance(#|$)/);
    const first = page.locator('#search-results a').first();
    await expect.poll(() => first.textContent()).toBe('Student attendance');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Student attendance' }).waitFor();
  });

  test('a link of the page of the API opens its route, whose request can be copied and opened; the API answers those of all routes', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await visit(`${edge.url}api/#getEducationAttendance`, { permissions });
    const route = page.locator('.route[open]');
    await route.getByRole('button', { name: 'Copy: Request of' }).click();
    await route.getByRole('button', { name: 'Copied: Request of' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/\/api\/v1\/education\/attendance\?year=\d{4}&/);
    const links = page.locator('.route a[data-request]');
    const requests = await links.evaluateAll(all => all.map(link => (link as HTMLAnchorElement).href));
    expect(requests).toHaveLength(await page.locator('.route').count());
    const answers = requests.map(async url => [url, (await fetch(url)).status]);
    expect(await Promise.all(answers)).toEqual(requests.map(url => [url, 200]));
    await route.getByRole('link', { name: 'Open the address' }).click();
    await expect.poll(() => page.url()).toBe(copied);
  });
});

describe.skipIf(CHROMIUM === null)('a latest year without the total of an axis', () => {
  const host = useHost(async () => startEdgeHost((await keptUneven()).out));

  test('a place has the figure of the first value that its latest rows have, and links to its line', async () => {
    const page = await visit(`${host.url}places/?dimension=regions&region_code=n`);
    await withFigures(page).waitFor();
    const row = rowOf(page, 'Rainfall');
    await expect.poll(() => row.textContent()).toMatch(/rain_mm, Wet.* 2022/);
    const chart = `${host.url}${RAIN}?detail=regions&region_code=n&season=wet&view=chart&metric=rain_mm`;
    await expect.poll(() => row.getByRole('link').getAttribute('href')).toBe(chart);
    // Rows without the figure aren't called missing.
    await expect.poll(() => rowOf(page, 'trams').textContent()).toContain('several a year');
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === null)('texts of contracts and rows that are markup', () => {
  const host = useHost(async () => startEdgeHost((await keptHostile()).out));
  const DRAWN = '.explore-plot svg, #explore .notice';

  test.each([
    ['', '#catalog', 'html'],
    ['?q=rain', '#search-results h3 a', '#search-results'],
    [RAIN, '.code .button', 'html'],
    [`${RAIN}?open=season,year`, '.explore-grid td', '#explore'],
    [`${RAIN}?view=chart&open=season,year&detail=nation`, DRAWN, '#explore'],
    [`${RAIN}?view=bars&open=season`, DRAWN, '#explore'],
    ['places/', '#search', 'html'],
    ['places/?q=north', '#search-results a', '#search-results'],
    ['places/?dimension=regions&region_code=n', FIGURE, 'main'],
    ['sql/', '#sql-console', 'html'],
    ['api/#getClimateRainfall', '.route[open] .button', 'html'],
  ])('stay text at %s', async (path, ready, part) => {
    const page = await visit(host.url + path, { viewport: { width: 320, height: 640 }, ready });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await expect.poll(() => page.locator(part).textContent()).toContain('data-evil');
    await expect.poll(() => page.locator('[data-evil], a[href^="javascript:"]').count()).toBe(0);
    expect(await page.evaluate(() => 'evil' in globalThis)).toBe(false);
    if (path === RAIN) await expect.poll(() => page.locator('h1').textContent()).toBe(`${SHOWN} ${MARKUP}`);
  });

  test('axe-core finds a button without a name', async () => {
    const page = await visit(host.url);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
    expect(await accessibilityFindings(page)).toEqual([expect.stringContaining('button-name')]);
  });
});
