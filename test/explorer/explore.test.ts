/** The exploring part of a dataset's page, as a reader uses it: in Chromium, on the built tree. */
import { readFile, rm } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Browser, Download, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readShift } from '../../scripts/bench/browser/layout-shift.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, openPage, startPlainHost, useEdgePages } from './browser.ts';
import { buildExplored, EXPLORED, openPages, overflow } from './explored-tree.ts';
import { HOSTILE_CONTRACTS, HOSTILE_LAKE } from './hostile.ts';

const EMPLOYMENT = 'datasets/census/employment/';
const ATTENDANCE = 'datasets/education/attendance/';
const GRADUATION = 'datasets/education/graduation_rate_4_year_cohort/';

const VIEWS = {
  table: '.explore-grid td',
  chart: '.explore-drawing svg',
  bars: '.explore-drawing svg',
  map: '.explore-drawing svg',
} as const;

type Row = Readonly<Record<string, string | number | null>>;

describe.skipIf(CHROMIUM === null)('exploring a dataset in Chromium', () => {
  const sample = useSampleTree(EXPLORED, { openPages });
  const edge = useEdgePages(() => sample.tree);

  const open = async (path: string, options = {}, ready = '.explore-count') => {
    const visit = await openPage(edge.browser, edge.host.url + path, options);
    // A page that nobody has touched waits for its reader.
    const invitation = { name: 'Change places, years and groups' };
    if (!path.includes('?')) await visit.page.getByRole('button', invitation).press('Enter');
    await visit.page.waitForSelector(ready);
    return visit;
  };
  const rowsOf = async (query: string): Promise<readonly Row[]> =>
    (await (await fetch(`${edge.host.url}api/v1/${query}`)).json()).data;
  const cell = (page: Page, row: number, column: string) =>
    page.evaluate(
      ([at, name]) => {
        const headers = [...document.querySelectorAll('.explore-grid th')].map(th => th.textContent ?? '');
        const index = headers.findIndex(text => text.startsWith(String(name)));
        return document.querySelector(`.explore-grid td[data-row="${at}"][data-column="${index}"]`)
          ?.textContent;
      },
      [row, column],
    );

  test('the first rows are those of the file, with every axis at its total, and no database is loaded for them', async () => {
    const { page, faults } = await open(`${ATTENDANCE}?view=table`);
    await page.waitForSelector('.explore-grid td');
    const rows = (await rowsOf('education/attendance/year=2024/schools.json')).filter(
      row => row['demographic'] === 'all',
    );
    expect(await page.locator('.explore-count').textContent()).toContain(`${rows.length} rows`);
    expect(await cell(page, 0, 'School name')).toBe(rows[0]!['school_name']);
    expect(await cell(page, 0, 'Chronically absent')).toBe(
      `${Number((Number(rows[0]!['chronically_absent_rate']) * 100).toFixed(1))}%`,
    );
    const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(asked.filter(url => /values\.json/.test(url))).not.toEqual([]);
    expect(asked.filter(url => /duckdb|plot|counties/.test(url))).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('no label at the head of a column runs into the one beside it', async () => {
    const { page, faults } = await open(`${EMPLOYMENT}?view=table`);
    await page.waitForSelector('.explore-grid td');
    const covering = (whiteSpace: string) =>
      page.locator('.explore-grid thead button').evaluateAll((buttons, wanted) => {
        const wide = buttons.filter(button => {
          (button as HTMLElement).style.whiteSpace = wanted;
          const range = document.createRange();
          range.selectNodeContents(button);
          const [text, cell] = [range.getBoundingClientRect(), button.getBoundingClientRect()];
          return text.left < cell.left - 0.5 || text.right > cell.right + 0.5;
        });
        return wide.length;
      }, whiteSpace);
    expect(await covering('')).toBe(0);
    expect(await covering('nowrap')).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a margin of a share is in points, and chosen places of one name say what tells them apart', async () => {
    const { page } = await open(`${EMPLOYMENT}?year=2024&detail=counties`);
    await page.waitForSelector('.explore-grid td');
    const [row] = await rowsOf('census/employment/year=2024/counties.json');
    expect(await cell(page, 0, 'Unemployment rate, margin')).toBe(
      `±${Number((Number(row!['unemployment_rate_moe']) * 100).toFixed(1))} points`,
    );
    await page.goto(`${edge.host.url}${GRADUATION}?detail=schools&place=601:0104,615:0104`);
    const chips = page.getByRole('list', { name: 'Places: chosen' }).getByRole('listitem');
    await expect.poll(() => chips.count()).toBe(2);
    const words = await chips.allTextContents();
    expect(words[0]).toMatch(/0104, Sample District 601/);
    expect(words[1]).toMatch(/0104, Sample District 615/);
    await page.context().close();
  });

  test('a reader filters, reads the number, shares the URL and finds the same again', async () => {
    const { page, faults } = await open(`${ATTENDANCE}?view=table`);
    await page.getByLabel('Level', { exact: true }).selectOption('districts');
    await page.getByRole('combobox', { name: 'Places', exact: true }).fill('sample district 615');
    await page
      .getByRole('option', { name: /^Sample District 615/ })
      .first()
      .click();
    await page.getByLabel('Student group').selectOption('female');
    await page.locator('.explore-count', { hasText: /^1 row\./ }).waitFor();
    const [row] = (await rowsOf('education/attendance/year=2024/districts.json')).filter(
      one => one['district_code'] === '615' && one['demographic'] === 'female',
    );
    const shown = await cell(page, 0, 'Students');
    expect(shown?.replaceAll(',', '')).toBe(String(row!['num_students']));
    expect(new URL(page.url()).search).toBe('?year=2024&detail=districts&place=615&demographic=female');
    expect(await page.getByLabel('The same rows from the API').inputValue()).toBe(
      `${edge.host.url}api/v1/education/attendance?year=2024&detail=districts&place=615&demographic=female`,
    );
    const again = await open(ATTENDANCE + new URL(page.url()).search);
    await again.page.waitForSelector('.explore-grid td');
    expect(await cell(again.page, 0, 'Students')).toBe(shown);
    expect(await again.page.getByLabel('Student group').inputValue()).toBe('female');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Student group').inputValue()).toBe('all');
    expect([...faults, ...again.faults]).toEqual([]);
    await page.context().close();
    await again.page.context().close();
  });

  test('opening an axis says what must not be added', async () => {
    const { page } = await open(`${ATTENDANCE}?view=table`);
    expect(await page.locator('#explore [role=status] .notice').count()).toBe(0);
    await page.getByLabel('Student group').selectOption({ label: 'All values, side by side' });
    await page.locator('#explore [role=status] .notice', { hasText: 'counts the same twice' }).waitFor();
    expect(page.url()).toContain('open=demographic');
    await page.context().close();
  });

  test('a wrong address is explained in the words of the API', async () => {
    const { page } = await open(`${ATTENDANCE}?detail=school&year=2023`);
    const alert = page.locator('#explore [role=alert]');
    expect(await alert.textContent()).toContain("Did you mean 'schools'?");
    expect(await page.getByLabel('School year (ending): from').inputValue()).toBe('2023');
    await page.context().close();
  });

  test('sorts by a column, and NULL is what it means and never zero', async () => {
    const { page, faults } = await open(`${ATTENDANCE}?year=2024&detail=schools&open=demographic`);
    await page.getByRole('button', { name: /^Chronically absent/ }).click();
    await expect
      .poll(() => cell(page, 0, 'Chronically absent'), { timeout: 30_000 })
      .toContain('not published');
    const text = await cell(page, 0, 'Chronically absent');
    const meaning = JSON.parse(
      await readFile(`${sample.tree}/api/v1/datasets/education/attendance/index.json`, 'utf8'),
    ).columns.find((column: { name: string }) => column.name === 'chronically_absent_rate').null_meaning;
    expect(text).toBe(`not published: ${meaning}`);
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toContain('Chronically absent');
    await page.getByRole('button', { name: /^Chronically absent/ }).click();
    const rows = await rowsOf('education/attendance?year=2024&detail=schools');
    const most = Math.max(...rows.map(row => Number(row['chronically_absent_rate'] ?? 0)));
    await expect
      .poll(() => cell(page, 0, 'Chronically absent'), { timeout: 30_000 })
      .toBe(`${Number((most * 100).toFixed(1))}%`);
    expect(page.url()).toContain('sort=-chronically_absent_rate');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('everything is done by keyboard alone', async () => {
    const { page } = await open(`${ATTENDANCE}?view=table`);
    await page.getByRole('combobox', { name: 'Places', exact: true }).focus();
    await page.keyboard.type('school 0102, 601');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('.explore-count', { hasText: /^1 row\./ }).waitFor();
    const chip = page.getByRole('button', { name: /^Remove Sample/ }).last();
    await chip.focus();
    await page.keyboard.press('Enter');
    await page.locator('.explore-count', { hasText: /^\d\d? rows/ }).waitFor();
    await page.locator('.explore-grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    const grid = page.locator('.explore-grid');
    const active = await grid.getAttribute('aria-activedescendant');
    const columns = Number(await grid.getAttribute('aria-colcount'));
    expect(active).toBe(`cell-1-${columns - 1}`);
    expect(await page.locator(`#${active}`).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Bars' }).focus();
    await page.keyboard.press('Space');
    await page.waitForSelector(VIEWS.bars);
    await page.context().close();
  });

  describe('a chart', () => {
    test('is broken where eras do not compare, and says so', async () => {
      const { page, faults } = await open(`${GRADUATION}?view=chart`, {}, VIEWS.chart);
      const lines = await page.locator('.explore-drawing [data-mark=line]').count();
      expect(lines).toBe(2);
      expect(await page.locator('.explore-figure').textContent()).toContain(
        'Figures up to 2010 are not comparable',
      );
      const notes = await page.locator('.explore-note').allTextContents();
      // Nothing is missing: the line is broken there alone.
      expect(notes.filter(note => note.includes('gap'))).toEqual([]);
      const tick = await page.locator('.explore-drawing [data-mark=tick]').first().textContent();
      expect(notes).toContain(`The axis begins at ${tick}, not at zero.`);
      expect(await page.locator('#explore-figure-summary').textContent()).toMatch(
        /% in 2004, [\d.]+% in 2010; [\d.]+% in 2011, [\d.]+% in 2024\.$/,
      );
      const rows = await rowsOf('education/graduation_rate_4_year_cohort?detail=states&demographic=all');
      const last = rows.at(-1)!;
      expect(await page.locator('#explore-figure-summary').textContent()).toContain(
        `${Number((Number(last['graduation_rate']) * 100).toFixed(1))}% in ${last['year']}`,
      );
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('of pooled years has margins, and never says a difference', async () => {
      const { page } = await open(`${EMPLOYMENT}?view=chart`, {}, VIEWS.chart);
      expect(await page.locator('.explore-drawing [data-mark=margin]').count()).toBe(5);
      const text = (await page.locator('.explore-figure').textContent()) ?? '';
      expect(text).toContain('pools 5 years');
      expect(text).not.toMatch(/(increase|decrease|rose|fell|change since|percentage points)/);
      await page.context().close();
    });

    test('a map tells areas without a figure from areas without a row', async () => {
      const path = 'datasets/immigration/ice_detention_stays/?view=map&detail=counties';
      const { page, faults } = await open(path, {}, VIEWS.map);
      const withheld = await page.locator('.explore-figures td.null').count();
      expect(withheld).toBeGreaterThan(0);
      const areas = page.locator('.explore-drawing [data-words]');
      const rows = await page.locator('.explore-figures tbody tr').count();
      expect(await areas.filter({ hasNot: page.locator('a') }).count()).toBeGreaterThan(rows);
      expect(await page.locator('.explore-drawing a [data-words*="no published figure"]').count()).toBe(
        withheld,
      );
      expect(await page.locator('.explore-drawing [data-words$="no row"]').count()).toBe(
        (await areas.count()) - rows,
      );
      expect(await page.locator('.explore-drawing').textContent()).toMatch(/no figure.*no row/);
      expect(await page.locator('.explore-note').allTextContents()).toEqual([
        expect.stringMatching(/^Places without a figure are crossed\. \S/),
        expect.stringMatching(/^Highest/),
      ]);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as SVG' }).click();
      expect((await readDownload(await saving)).toString('utf8')).toContain('<pattern id="crossed"');
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('is read off by the arrow keys and the pointer, names whole, and shifts nothing', async () => {
      const path = `${ATTENDANCE}?detail=schools&place=601:0102,615:0102&with=districts:601,states&view=chart&metric=chronically_absent_rate`;
      const { page, faults } = await openPage(edge.browser, edge.host.url + path, {
        viewport: { width: 1280, height: 800 },
      });
      await page.waitForSelector(VIEWS.chart);
      expect(await readShift(page)).toBeLessThan(0.05);
      const box = await page.locator('.explore-drawing svg').boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForFunction(
        () => (document.querySelector('.explore-drawing svg')?.getBoundingClientRect().width ?? 999) < 390,
      );
      const narrow = await page.locator('.explore-drawing svg').boundingBox();
      expect((narrow?.y ?? 0) + (narrow?.height ?? 0)).toBeLessThan(844);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.waitForFunction(
        () => (document.querySelector('.explore-drawing svg')?.getBoundingClientRect().width ?? 0) > 390,
      );
      const plot = page.locator('.explore-drawing [role=slider]');
      await plot.focus();
      await page.keyboard.press('End');
      const said = (await plot.getAttribute('aria-valuetext')) ?? '';
      expect(said).toMatch(/^2024: /);
      for (const name of ['0102, Sample District 601', '0102, Sample District 615', 'Sample District 601 '])
        expect(said).toContain(name);
      await page.keyboard.press('ArrowLeft');
      expect(await plot.getAttribute('aria-valuetext')).toMatch(/^2023: /);
      await plot.hover();
      expect(await page.locator('.explore-readout .explore-value').count()).toBe(4);
      const names = await page.locator('.explore-drawing svg text tspan').allTextContents();
      expect(names.join(' ')).not.toContain('…');
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('of places and groups becomes small ones, and every chosen place is drawn', async () => {
      const path = `${GRADUATION}?detail=schools&place=601:0104,615:0104&open=year,demographic&view=chart`;
      const { page } = await open(path, {}, VIEWS.chart);
      const legend = await page.locator('.explore-drawing svg > g > text').allTextContents();
      expect(legend.filter(text => /0104, Sample District 6(01|15)/.test(text))).toHaveLength(2);
      expect(await page.locator('.explore-drawing svg > g').count()).toBeGreaterThan(8);
      await page.context().close();
    });

    test('a county of the map takes the focus, moves by arrows and leads to its page', async () => {
      const { page, faults } = await open(`${EMPLOYMENT}?view=map`, {}, VIEWS.map);
      const first = page.locator('.explore-drawing a[tabindex="0"]');
      await first.focus();
      const words = await first.getAttribute('aria-label');
      expect(words).toMatch(/, 2024: [\d.]+% ±/);
      expect(await page.locator('.explore-readout').textContent()).toBe(words);
      const moved = page.locator('.explore-drawing a[tabindex="0"]');
      const visited = new Set<string | null>([words]);
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft']) {
        await page.keyboard.press(key);
        expect(await moved.count()).toBe(1);
        visited.add(await moved.getAttribute('aria-label'));
      }
      expect(visited.size).toBeGreaterThan(2);
      await page.keyboard.press('Enter');
      await page.waitForURL(/places\/\?dimension=counties&county_fips=\d{5}$/);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('comes first on a phone, and one sheet changes it', async () => {
      const { page } = await open(
        `${EMPLOYMENT}?view=bars`,
        { viewport: { width: 390, height: 844 } },
        VIEWS.bars,
      );
      expect(await page.locator('.explore-form').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      expect(await page.locator('.explore-form').isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      expect(await page.locator('.explore-form').isVisible()).toBe(false);
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change');
      await page.locator('#explore-slider').press('Home');
      await page.waitForURL(/year=2020/);
      await page.context().close();
    });

    test('of many bars begins with a scale, ends in the first screen, and shows all of them on demand', async () => {
      const { page } = await open(
        `${EMPLOYMENT}?detail=counties&view=bars`,
        { viewport: { width: 1280, height: 800 } },
        VIEWS.bars,
      );
      const bars = page.locator('.explore-drawing svg > g:has(rect)');
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.waitForFunction(
          room =>
            (document.querySelector('.explore-drawing svg')?.getBoundingClientRect().width ?? 999) < room,
          width,
        );
        const box = await page.locator('.explore-drawing').boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height);
        expect(await bars.count()).toBeGreaterThanOrEqual(5);
        expect(
          await page.locator('.explore-drawing svg > g:not(:has(rect)) text').allTextContents(),
        ).toContain('0%');
      }
      const some = await bars.count();
      await page.getByRole('button', { name: 'Show all 12 bars' }).click();
      expect(await bars.count()).toBe(12);
      await page.getByRole('button', { name: 'Show fewer bars' }).click();
      expect(await bars.count()).toBe(some);
      await page.context().close();
    });

    test.each(['svg', 'png'] as const)(
      'is saved as %s, with title, source and the notice of a sample',
      async kind => {
        const { page, faults } = await open(`${EMPLOYMENT}?view=map`, {}, VIEWS.map);
        const saving = page.waitForEvent('download');
        await page.getByRole('button', { name: `Save as ${kind.toUpperCase()}` }).click();
        const content = await readDownload(await saving);
        if (kind === 'svg') {
          const text = content.toString('utf8');
          expect(text).toContain('Unemployment rate');
          expect(text).toContain('Synthetic sample data');
          expect(text).toContain('Source: ');
          expect(text).not.toMatch(/<style|var\(--|href="http/);
          expect(text.match(/<path/g)!.length).toBeGreaterThanOrEqual(159);
        } else {
          expect(content.subarray(1, 4).toString()).toBe('PNG');
          expect(content.readUInt32BE(16)).toBe(1880);
        }
        expect(faults).toEqual([]);
        await page.context().close();
      },
    );
  });

  describe('an export', () => {
    const path = `${ATTENDANCE}?year=2024&detail=schools&demographic=all`;
    const query = 'education/attendance?year=2024&detail=schools&demographic=all';
    const save = async (name: string) => {
      const { page, faults } = await open(path);
      await page.waitForSelector('.explore-grid td');
      const saving = page.waitForEvent('download');
      await page.locator('.explore-export').getByRole('button', { name, exact: true }).click();
      const download = await saving;
      const content = await readDownload(download);
      expect(download.suggestedFilename()).toContain('SAMPLE');
      expect(faults).toEqual([]);
      await page.context().close();
      return content;
    };
    const answer = async (format: string) =>
      Buffer.from(await (await fetch(`${edge.host.url}api/v1/${query}&format=${format}`)).arrayBuffer());

    test('as CSV has the bytes of the API', async () => {
      expect((await save('CSV')).equals(await answer('csv'))).toBe(true);
    });

    test('as Parquet has the rows of the API, codes as texts', async () => {
      const read = (content: Buffer) => {
        const file = content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
        return parquetReadObjects({ file: file as ArrayBuffer, compressors });
      };
      const rows = await read(await save('Parquet'));
      expect(rows).toEqual(await read(await answer('parquet')));
      expect(rows[0]!['school_code']).toBe('0101');
    });

    test('as JSON is a page of the API', async () => {
      const saved = JSON.parse((await save('JSON')).toString('utf8'));
      const stated = JSON.parse((await answer('json')).toString('utf8'));
      expect(saved).toEqual({ ...stated, limit: saved.count });
    });

    test('as a workbook keeps codes as texts, numbers as numbers and NULL empty, with notes beside', async () => {
      const files = unzipSync(await save('Excel'));
      const text = (name: string) => new TextDecoder().decode(files[name]);
      const rows = await rowsOf(query);
      const sheet = text('xl/worksheets/sheet1.xml');
      expect(sheet.match(/<row /g)).toHaveLength(rows.length + 1);
      expect(sheet).toContain('<is><t xml:space="preserve">0101</t></is>');
      expect(sheet).toContain(`<v>${rows[0]!['num_students']}</v>`);
      expect(sheet).not.toContain('<f>');
      expect(text('xl/worksheets/sheet2.xml')).toContain('Synthetic sample data');
      expect(text('xl/worksheets/sheet2.xml')).toContain('An empty cell means');
      const wellFormed = await isWellFormed(edge.browser, sheet);
      expect(wellFormed).toBe(true);
    });
  });

  test.each(Object.entries(VIEWS))(
    'the %s has nothing that axe finds, at 320 px too, in both schemes',
    async (view, ready) => {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [320, 'dark'],
      ] as const) {
        const options = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
        const { page, faults } = await open(`${EMPLOYMENT}?view=${view}`, options, ready);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        expect(await accessibilityFindings(page, '#explore')).toEqual([]);
        expect(faults).toEqual([]);
        await page.context().close();
      }
    },
  );

  test('the chosen view can be told from the others in forced colours', async () => {
    const { page } = await open(`${EMPLOYMENT}?view=bars`, { forcedColors: 'active' }, VIEWS.bars);
    const colour = (name: string) =>
      page
        .getByRole('button', { name, exact: true })
        .evaluate(button => getComputedStyle(button).backgroundColor);
    expect(await colour('Bars')).not.toBe(await colour('Table'));
    await page.context().close();
  });

  test('texts of contracts and rows that would be more stay texts in every view', async () => {
    const publisher = await buildExplored(HOSTILE_CONTRACTS, HOSTILE_LAKE);
    const hostile = await startPlainHost(publisher.out);
    for (const query of [
      '?open=season,year',
      '?view=chart&open=season,year&detail=nation',
      '?view=bars&open=season',
    ]) {
      const { page, faults } = await openPage(
        edge.browser,
        `${hostile.url}datasets/climate/rainfall/${query}`,
        {
          viewport: { width: 320, height: 640 },
        },
      );
      await page.waitForSelector('.explore-grid td, .explore-drawing svg, #explore .notice');
      expect(await page.locator('[data-evil]').count()).toBe(0);
      expect(await page.evaluate(() => 'evil' in globalThis)).toBe(false);
      expect(await page.locator('#explore').textContent()).toContain('data-evil');
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
      await page.context().close();
    }
    await hostile.close();
    await rm(publisher.root, { recursive: true, force: true });
  });

  test('a host of files under a sub-path, compressed, gives the same views', async () => {
    const plain = await startPlainHost(sample.tree, { base: '/repo/', gzip: true });
    for (const [view, ready] of Object.entries(VIEWS)) {
      const { page, faults } = await openPage(edge.browser, `${plain.url}${EMPLOYMENT}?view=${view}`);
      await page.waitForSelector(ready);
      expect(faults).toEqual([]);
      await page.context().close();
    }
    await plain.close();
  });
});

async function readDownload(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}

/** Whether a browser can read the XML. */
async function isWellFormed(browser: Browser, xml: string): Promise<boolean> {
  const page = await browser.newPage();
  const right = await page.evaluate(
    text => new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror') === null,
    xml,
  );
  await page.close();
  return right;
}
