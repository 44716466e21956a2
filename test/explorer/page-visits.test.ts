import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useSampleTree } from '../conformance/sample-tree.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, type Host, launchBrowser, openPage, startEdgeHost, startPlainHost } from './browser.ts';
import { buildExplored, openPages, overflow } from './explored-tree.ts';
import { HOSTILE_CONTRACTS, HOSTILE_LAKE, MARKUP } from './hostile.ts';
import { UNEVEN_CONTRACTS, UNEVEN_LAKE } from './uneven-weather.ts';

const DATASETS = [
  'census/employment',
  'education/attendance',
  'education/ccrpi_climate_star_rating',
  'education/school_attendance_zone_tracts',
  'immigration/quarterly_detainer_reports',
];
const DATASET = 'datasets/education/attendance/';
const DISTRICT = 'places/?dimension=districts&district_code=601';

/** Every kind of page, and what shows that its script has done its work. */
const KINDS = {
  'the catalog': { path: '', ready: '#catalog' },
  'a search': { path: '?q=absent', ready: '#catalog-results h3 a' },
  'a dataset': { path: DATASET, ready: '.code .button' },
  'a dataset without a whole': {
    path: 'datasets/education/ccrpi_climate_star_rating/',
    ready: '.code .button',
  },
  places: { path: 'places/', ready: '#place-search' },
  'a place': { path: DISTRICT, ready: '.card[aria-busy=false] .figure' },
  'the console': { path: 'sql/', ready: '#sql-console' },
  'the API': { path: 'api/', ready: '#api' },
  'a route of the API': { path: 'api/#getEducationAttendance', ready: '.trial' },
} as const;

const HOSTS = {
  'civic serve': (tree: string) => startEdgeHost(tree),
  'a server of files, under a sub-path': (tree: string) =>
    startPlainHost(tree, { base: '/repo/', gzip: true }),
};

describe.skipIf(CHROMIUM === null)('pages in Chromium', () => {
  const sample = useSampleTree(DATASETS, { openPages });
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])('from %s', name => {
    let host: Host;
    beforeAll(async () => {
      host = await HOSTS[name](sample.tree);
    });
    afterAll(() => host.close());

    test.each(Object.entries(KINDS))(
      '%s is without faults, at every width and in both schemes',
      async (_, kind) => {
        for (const [width, colorScheme] of [
          [1280, 'light'],
          [320, 'dark'],
        ] as const) {
          const { page, faults } = await openPage(browser, host.url + kind.path, {
            viewport: { width, height: 800 },
            colorScheme,
          });
          await page.waitForSelector(kind.ready, { state: 'attached' });
          expect(await overflow(page)).toBeLessThanOrEqual(0);
          expect(await page.locator('.sample-band').isVisible()).toBe(true);
          // The same page from either host.
          if (name === 'civic serve') expect(await accessibilityFindings(page)).toEqual([]);
          expect(faults).toEqual([]);
          await page.context().close();
        }
      },
    );

    test('finds a dataset and a place as the reader types, and keeps the search in the URL', async () => {
      const { page, faults } = await openPage(browser, host.url);
      await page.getByLabel('Search for a subject or a place').fill('unemploiment');
      await page
        .locator('#catalog-results')
        .getByRole('link', { name: 'Employment and unemployment' })
        .waitFor();
      await page.getByLabel('Search for a subject or a place').fill('district 601');
      const link = page
        .locator('#catalog-results')
        .getByRole('link', { name: 'Sample District 601', exact: true });
      await link.waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe('district 601');
      expect(await page.locator('#catalog-status').textContent()).toMatch(
        /\d+ datasets? and \d+ places? found/,
      );
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'Sample District 601' }).waitFor();
      expect(page.url()).toBe(host.url + DISTRICT);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('what is typed before the script is there is searched', async () => {
      const { page } = await openPage(browser, host.url);
      await page.route(/catalog-search/, async route => {
        await page.getByLabel('Search for a subject or a place').fill('stars');
        await route.continue();
      });
      await page.reload();
      await page
        .locator('#catalog-results')
        .getByRole('link', { name: 'School climate star ratings' })
        .waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe('stars');
      await page.context().close();
    });

    test("a place's figure is the one of the file", async () => {
      const { page, faults } = await openPage(browser, host.url + DISTRICT);
      const card = page.locator('.card', { has: page.getByRole('link', { name: 'Student attendance' }) });
      await card.locator('.figure').waitFor();
      const shown = await card.locator('.figure').textContent();
      const rows = await (
        await fetch(`${host.url}api/v1/education/attendance/year=2024/districts.json`)
      ).json();
      const row = rows.data.find(
        (one: Record<string, unknown>) => one['district_code'] === '601' && one['demographic'] === 'all',
      );
      expect(shown).toBe(`${Number((row.chronically_absent_rate * 100).toFixed(1))}%`);
      const href = await card.getByRole('link').getAttribute('href');
      expect(href).toBe(`${host.url}${DATASET}?detail=districts&district_code=601&view=chart`);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('a place reads what is in view first, stops when told, and goes on', async () => {
      const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
      const page = await context.newPage();
      await page.route(/manifest|\.parquet/, async route => {
        await new Promise(done => setTimeout(done, 300));
        await route.continue();
      });
      await page.goto(host.url + DISTRICT);
      const cards = page.locator('#place .card');
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      const status = page.locator('#place [role=status]');
      expect(await status.textContent()).toContain('then stopped');
      expect(await cards.first().textContent()).toContain('Not read.');
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await cards.first().locator('.figure').waitFor();
      await status.filter({ hasText: 'with figures for this place' }).waitFor();
      expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
      await context.close();
    });

    test('code has the address of this very site, and can be copied', async () => {
      const { page, faults } = await openPage(browser, host.url + DATASET, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await page.getByRole('button', { name: 'Copy: Code for curl' }).click();
      await page.getByRole('button', { name: 'Copied: Code for curl' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain(`'${host.url}api/v1/education/attendance/year=2024/schools.csv'`);
      expect(await page.locator('.tree-address', { hasText: 'example.org' }).count()).toBe(0);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('filters the catalog by domain, level and year', async () => {
      const { page } = await openPage(browser, `${host.url}?domain=education`);
      const titles = () => page.locator('#catalog li:not([hidden]) h3').allTextContents();
      await expect.poll(titles).toHaveLength(3);
      await page.getByLabel('Level', { exact: true }).selectOption('districts');
      await expect.poll(titles).toEqual(['Student attendance']);
      await page.getByLabel('Year', { exact: true }).selectOption('2027');
      await expect.poll(titles).toEqual([]);
      expect(page.url()).toContain('domain=education&level=districts&year=2027');
      await page.context().close();
    });
  });

  describe('from civic serve', () => {
    let host: Host;
    beforeAll(async () => {
      host = await startEdgeHost(sample.tree);
    });
    afterAll(() => host.close());

    test('a request of the API can be tried, wrong ones too', async () => {
      const { page, faults } = await openPage(browser, `${host.url}api/#getCensusEmployment`);
      const trial = page.locator('.trial');
      await trial.getByLabel('year', { exact: true }).fill('2024');
      await trial.getByLabel('limit').fill('2');
      await trial.getByRole('button', { name: 'Send the request' }).click();
      await trial.getByText('200 OK').waitFor();
      expect(await trial.locator('pre').textContent()).toContain('"count":2');
      expect(faults).toEqual([]);
      await trial.getByLabel('detail').fill('planets');
      await trial.getByRole('button', { name: 'Send the request' }).click();
      await trial.getByText('422 Unprocessable').waitFor();
      expect(await trial.locator('pre').textContent()).toContain('"loc":["query","detail"]');
      await page.context().close();
    });

    test.each(['light', 'dark'] as const)('listings of folders can be read in %s', async colorScheme => {
      for (const folder of ['datasets/', 'assets/', 'api/v1/']) {
        const { page } = await openPage(browser, host.url + folder, { colorScheme });
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`/${folder}`);
        expect(await accessibilityFindings(page)).toEqual([]);
        await page.context().close();
      }
    });

    test('a page reads without a script', async () => {
      const { page, faults } = await openPage(browser, host.url + DATASET, { javaScriptEnabled: false });
      for (const text of [
        'Chronically absent, 2024',
        'One row per school year, place (school, district or the state) and student group.',
        'Calendar year in which the school year ends',
        'Withheld by the source.',
        'pd.read_csv',
        '@misc{education_attendance_2026',
        'stands for the address of this site',
      ]) {
        expect(await page.getByText(text).first().isVisible()).toBe(true);
      }
      expect(await page.locator('.needs-script').first().isVisible()).toBe(false);
      expect(await page.locator('.headline svg').getAttribute('aria-label')).toMatch(
        /From .* in 2018 to .* in 2024/,
      );
      await page.goto(host.url);
      expect(await page.locator('#catalog li').count()).toBe(DATASETS.length);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('everything can be reached by keyboard, and what has the focus shows it', async () => {
      const { page } = await openPage(browser, host.url);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('catalog-search');
      expect(
        await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineWidth),
      ).toBe('3px');
      await page.keyboard.type('attendance');
      // What was found for the first letters alone may stand in another order.
      await page.waitForURL(/q=attendance(#|$)/);
      const first = page.locator('#catalog-results a').first();
      await expect.poll(() => first.textContent()).toBe('Student attendance');
      for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Student attendance' }).waitFor();
      await page.context().close();
    });

    test('prints without what paper cannot do', async () => {
      const { page } = await openPage(browser, host.url + DATASET);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.site-nav').isVisible()).toBe(false);
      expect(await page.locator('.headline').isVisible()).toBe(true);
      expect(await page.locator('.sample-band').isVisible()).toBe(true);
      await page.context().close();
    });
  });

  /** Slow 4G as Lighthouse has it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms to and fro; the processor is not slowed. */
  test('a dataset is small and fast on a phone', async () => {
    const host = await startPlainHost(sample.tree, { gzip: true });
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    });
    let bytes = 0;
    // Those of workers too, which a session of the page alone would not see.
    context.on('requestfinished', async request => {
      const { responseHeadersSize, responseBodySize } = await request.sizes();
      bytes += responseHeadersSize + responseBodySize;
    });
    await page.goto(host.url + DATASET, { waitUntil: 'networkidle' });
    const largest = await page.evaluate(
      () =>
        new Promise<number>(done => {
          new PerformanceObserver(list => done(list.getEntries().at(-1)?.startTime ?? Infinity)).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          });
        }),
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
    expect(largest).toBeLessThan(1500);
    await context.close();
    await host.close();
  });
});

interface Site {
  readonly browser: Browser;
  readonly host: Host;
}

/** A publisher's tree under `civic serve`, for the tests of one describe. */
function useSite(contracts: Readonly<Record<string, string>>, lake: Readonly<Record<string, string>>): Site {
  const site = {} as { -readonly [key in keyof Site]: Site[key] };
  let publisher: PublisherFolder;
  beforeAll(async () => {
    publisher = await buildExplored(contracts, lake);
    site.browser = await launchBrowser();
    site.host = await startEdgeHost(publisher.out);
  });
  afterAll(async () => {
    await site.browser.close();
    await site.host.close();
    await rm(publisher.root, { recursive: true, force: true });
  });
  return site;
}

describe.skipIf(CHROMIUM === null)('a latest year without the total of an axis', () => {
  const site = useSite(UNEVEN_CONTRACTS, UNEVEN_LAKE);
  const visitPlace = async (code: string) => {
    const visit = await openPage(
      site.browser,
      `${site.host.url}places/?dimension=regions&region_code=${code}`,
    );
    await visit.page.locator('#place [role=status]', { hasText: 'with figures for this place' }).waitFor();
    return visit;
  };

  test('a place has the figure of the first value that its latest rows have, and leads to its line', async () => {
    const { page, faults } = await visitPlace('n');
    const card = page.locator('.card', { has: page.getByRole('link', { name: 'Rainfall' }) });
    const text = await card.textContent();
    expect(text).toContain('rain_mm, season: Wet, 2022');
    expect(await card.getByRole('link').getAttribute('href')).toBe(
      `${site.host.url}datasets/climate/rainfall/?detail=regions&region_code=n&season=wet&view=chart`,
    );
    expect(await page.locator('#place').textContent()).not.toContain('Without rows');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a place whose own latest year has the total keeps it, and a line that is broken at its own level alone', async () => {
    const { page } = await visitPlace('s');
    const card = page.locator('.card', { has: page.getByRole('link', { name: 'Rainfall' }) });
    const text = await card.textContent();
    expect(text).toContain('rain_mm, 2021');
    expect(text).not.toContain('season');
    // What broke at stations alone did not break here.
    const line = await card.locator('svg').getAttribute('aria-label');
    expect(line).toMatch(/^rain_mm over the years\. From \S+ in 2019 to \S+ in 2021;/);
    await page.context().close();
  });

  test('rows of which none is the figure are not said to be missing', async () => {
    const { page } = await visitPlace('n');
    const card = page.locator('#place .card', { hasText: 'Several rows a year' });
    expect(await card.getByRole('link').allTextContents()).toEqual(['trams']);
    expect(await page.locator('#place [role=status]').textContent()).toContain('1 dataset with figures');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.context().close();
  });

  test('the table begins with a value that there is, and no headline speaks for it', async () => {
    const { page, faults } = await openPage(
      site.browser,
      `${site.host.url}datasets/climate/rainfall/?view=table`,
    );
    await page.waitForSelector('.explore-grid td');
    expect(await page.locator('.explore-shown').textContent()).toContain('2022 · season: Dry');
    expect(await page.locator('.headline').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(CHROMIUM === null)('texts of contracts and rows that are markup', () => {
  const site = useSite(HOSTILE_CONTRACTS, HOSTILE_LAKE);

  test.each([
    ['', '#catalog'],
    ['?q=rain', '#catalog-results h3 a'],
    ['datasets/climate/rainfall/', '.code .button'],
    ['places/', '#place-search'],
    ['places/?q=north', '#place-results a'],
    ['places/?dimension=regions&region_code=n', '.card[aria-busy=false] .figure'],
    ['sql/', '#sql-console'],
    ['api/', '#api'],
    ['api/#getClimateRainfall', '.trial'],
  ])('stay text at %s', async (path, ready) => {
    const { page, faults } = await openPage(site.browser, site.host.url + path, {
      viewport: { width: 320, height: 640 },
    });
    await page.waitForSelector(ready, { state: 'attached' });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await page.content()).toContain('data-evil');
    expect(await page.locator('[data-evil]').count()).toBe(0);
    expect(await page.evaluate(() => 'evil' in globalThis)).toBe(false);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what axe-core would find, it finds', async () => {
    const { page } = await openPage(site.browser, site.host.url);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
    expect(await accessibilityFindings(page)).toEqual([expect.stringContaining('button-name')]);
    await page.context().close();
  });

  test('are shown as they are', async () => {
    const { page } = await openPage(site.browser, `${site.host.url}datasets/climate/rainfall/`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Rain ${MARKUP}`);
    await page.context().close();
  });
});
