/** Exploring a dataset in Chromium, on the built tree. */
import { read as readWorkbook, utils } from '@e965/xlsx';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readShift } from '../../scripts/bench/browser.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import {
  CHROMIUM,
  faultsAt,
  SCREENS,
  saveBy,
  startEdgeHost,
  startPlainHost,
  useHost,
  type VisitOptions,
  visit,
} from './browser.ts';

const EMPLOYMENT = 'datasets/census/employment/';
const ATTENDANCE = 'datasets/education/attendance/';
const GRADUATION = 'datasets/education/graduation_rate_4_year_cohort/';
const STAYS = 'datasets/immigration/ice_detention_stays/';

const CELLS = '.explore-grid td';
const DRAWN = '.explore-plot svg';
const SENTENCE = '.explore-sentence';

describe.skipIf(CHROMIUM === null)('exploring a dataset in Chromium', () => {
  const sample = useSampleTree();
  const host = useHost(() => startEdgeHost(sample.tree));

  const open = (path: string, ready = '.explore-count', options: VisitOptions = {}) =>
    visit(host.url + path, { ready, ...options });
  const ask = async (query: string) => (await fetch(`${host.url}api/v1/${query}`)).json();
  const rowsOf = async (query: string) =>
    (await ask(query)).data as readonly Readonly<Record<string, string | number | null>>[];
  const percent = (value: unknown) => `${Number((Number(value) * 100).toFixed(1))}%`;
  const text = (page: Page, selector: string) => page.locator(selector).textContent();
  const cell = (page: Page, row: number, column: string) =>
    page.evaluate(
      ([at, name]) => {
        const headers = [...document.querySelectorAll('.explore-grid th')].map(th => th.textContent ?? '');
        const index = headers.findIndex(header => header.startsWith(String(name)));
        const row = document.querySelector(`.explore-grid tr[aria-rowindex="${Number(at) + 2}"]`);
        return row?.querySelectorAll('td')[index]?.textContent;
      },
      [row, column],
    );
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
  const bottomOf = async (page: Page, part: string | Locator = '.explore-drawing') => {
    const box = await (typeof part === 'string' ? page.locator(part) : part).boundingBox();
    return (box?.y ?? Infinity) + (box?.height ?? 0);
  };
  const resize = async (page: Page, width: number, height: number) => {
    await page.setViewportSize({ width, height });
    await page.waitForFunction(room => {
      const own = document.querySelector('.explore-plot svg')?.getBoundingClientRect().width ?? 0;
      return own < room && own > room / 3;
    }, width);
  };

  test("the first rows are the file's, with every axis at its total, without loading a database", async () => {
    const page = await open(`${ATTENDANCE}?view=table`, CELLS);
    const rows = await rowsOf('education/attendance/year=2024/schools.json');
    const totals = rows.filter(row => row['demographic'] === 'all');
    await expect.poll(() => text(page, '.explore-count')).toContain(`${totals.length} rows`);
    expect(await cell(page, 0, 'School name')).toBe(totals[0]!['school_name']);
    expect(await cell(page, 0, 'Chronically absent')).toBe(percent(totals[0]!['chronically_absent_rate']));
    const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(asked.filter(url => /values\.json/.test(url))).not.toEqual([]);
    expect(asked.filter(url => /duckdb|plot|counties/.test(url))).toEqual([]);
    // What the page preloads isn't read twice.
    expect(asked).toEqual([...new Set(asked)]);
  });

  test("a margin of a share is in points, and column headers don't overlap", async () => {
    const page = await open(`${EMPLOYMENT}?year=2024&detail=counties`, CELLS);
    const [row] = await rowsOf('census/employment/year=2024/counties.json');
    const points = percent(row!['unemployment_rate_moe']).replace('%', '');
    expect(await cell(page, 0, 'Unemployment rate, margin')).toBe(`±${points} points`);
    const covering = (whiteSpace: string) =>
      page.locator('.explore-grid thead button').evaluateAll((buttons, wanted) => {
        const wide = buttons.filter(button => {
          (button as HTMLElement).style.whiteSpace = wanted;
          const range = document.createRange();
          range.selectNodeContents(button);
          const [words, room] = [range.getBoundingClientRect(), button.getBoundingClientRect()];
          return words.left < room.left - 0.5 || words.right > room.right + 0.5;
        });
        return wide.length;
      }, whiteSpace);
    expect([await covering(''), (await covering('nowrap')) > 0]).toEqual([0, true]);
  });

  test('a reader filters, reads the count, shares the URL, finds the same again, and opens an axis', async () => {
    const page = await open(`${ATTENDANCE}?view=table`);
    await page.getByLabel('Level', { exact: true }).selectOption('districts');
    await page.getByRole('combobox', { name: 'Places', exact: true }).fill('sample district 615');
    await page.getByRole('option', { name: /^Sample District 615/ }).click();
    const group = page.getByLabel('Student group');
    await group.selectOption('female');
    await page.locator('.explore-count', { hasText: /^1 row\./ }).waitFor();
    const query = '?year=2024&detail=districts&place=615&demographic=female';
    expect(new URL(page.url()).search).toBe(query);
    await page.getByRole('button', { name: 'API request' }).click();
    const same = await page
      .getByRole('group', { name: 'The same rows from the API' })
      .locator('pre')
      .textContent();
    expect(same).toBe(`${host.url}api/v1/education/attendance${query}`);
    const [row] = await rowsOf(`education/attendance${query}`);
    const shown = await cell(page, 0, 'Students');
    expect(shown?.replaceAll(',', '')).toBe(String(row!['num_students']));
    const again = await open(ATTENDANCE + query, CELLS);
    expect(await cell(again, 0, 'Students')).toBe(shown);
    await expect.poll(() => again.getByLabel('Student group').inputValue()).toBe('female');
    await page.goBack();
    await expect.poll(() => group.inputValue()).toBe('all');
    await expect.poll(() => page.locator('#explore [role=status] .notice').count()).toBe(0);
    await group.selectOption({ label: 'All, side by side' });
    await page.locator('#explore [role=status] .notice', { hasText: 'counts the same twice' }).waitFor();
    expect(page.url()).toContain('open=demographic');
    // A wrong address is explained in the API's words.
    await page.goto(`${host.url}${ATTENDANCE}?detail=school&year=2023`);
    await page.getByRole('alert').filter({ hasText: "Did you mean 'schools'?" }).waitFor();
    await expect.poll(() => page.getByLabel('School year (ending): from').inputValue()).toBe('2023');
  });

  test('sorts by a column, and shows the meaning of NULL, never zero', async () => {
    const page = await open(`${ATTENDANCE}?year=2024&detail=schools&open=demographic`);
    const column = 'chronically_absent_rate';
    const { columns } = await ask('datasets/education/attendance');
    const { null_meaning: meaning } = columns.find((one: { name: string }) => one.name === column);
    const sort = () => page.getByRole('button', { name: /^Chronically absent/ }).click();
    const first = (shown: string) => expect.poll(() => cell(page, 0, 'Chronically absent')).toBe(shown);
    await sort();
    await first(`no figure: NULL means: ${meaning.replace(/\.?$/, '.')}`);
    await expect.poll(() => text(page, 'th[aria-sort=ascending]')).toContain('Chronically absent');
    await sort();
    const rows = await rowsOf('education/attendance?year=2024&detail=schools&limit=10000');
    await first(percent(Math.max(...rows.map(row => Number(row[column] ?? 0)))));
    expect(page.url()).toContain(`sort=-${column}`);
  });

  test('a range of a figure that an address sets is in the title', async () => {
    const page = await open(
      `${GRADUATION}?detail=schools&demographic=all&graduation_rate_min=0.805&view=table`,
    );
    await expect.poll(() => text(page, '#explore > h3')).toContain('Graduation rate: from 80.5%');
    const query = '?detail=schools&demographic=all&graduation_rate_min=0.805';
    const { total } = await ask(`education/graduation_rate_4_year_cohort${query}&year=2024`);
    await page.locator('.explore-count', { hasText: `${total} rows` }).waitFor();
  });

  test('everything works by keyboard, and no list traps the focus', async () => {
    const page = await open(`${ATTENDANCE}?detail=districts&place=601,615&view=table`);
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const field = page.locator('#explore-places');
    // The focus moves to the next chip, then to the field.
    await page.getByRole('button', { name: 'Remove Sample District 601' }).focus();
    await press('Enter');
    await expect.poll(() => focused(page)).toBe('Remove Sample District 615');
    await press('Enter');
    await expect.poll(() => focused(page)).toBe('explore-places');
    await field.click();
    await page.locator('#explore-places-list [role=option]').first().waitFor();
    // The chosen option is in sight, however long the list is.
    await press(...Array<string>(20).fill('ArrowDown'));
    const below = async () => {
      const active = page.locator(`#${await field.getAttribute('aria-activedescendant')}`);
      const list = await bottomOf(page, '#explore-places-list');
      return (await bottomOf(page, active)) - list;
    };
    await expect.poll(below).toBeLessThanOrEqual(1);
    await press('Tab');
    await expect.poll(() => focused(page)).toBe('explore-detail');
    await press('Shift+Tab');
    await page.keyboard.type('nowhere at all');
    const hint = page.locator('.explore-search .hint[role=status]').first();
    await expect.poll(() => hint.textContent()).toContain('Nothing here is called “nowhere at all”');
    await press('Enter', 'Escape', 'Home', 'x');
    await expect.poll(() => field.inputValue()).toBe('xnowhere at all');
    await field.fill('');
    await page.keyboard.type('school 0102, 601');
    await press('ArrowDown', 'ArrowUp', 'Enter');
    await page.locator('.explore-count', { hasText: /^1 row\./ }).waitFor();
    await page.getByRole('button', { name: /^Remove Sample/ }).press('Enter');
    await page.locator('.explore-count', { hasText: /^\d\d? rows/ }).waitFor();
    const table = page.locator('.explore-scroll');
    await table.focus();
    await press('PageDown');
    await expect.poll(() => table.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Bars' }).press('Space');
    await page.waitForSelector(DRAWN);
  });

  test('a long table has only the visible rows, and reaches its last row', async () => {
    const page = await open(`${ATTENDANCE}?detail=schools&open=year,demographic&view=table`, CELLS);
    const { total } = await ask('education/attendance?detail=schools&limit=1');
    const readAll = page.getByRole('button', { name: 'Read all rows' });
    await readAll.click();
    // The number of rows is known before they are read.
    await expect.poll(() => readAll.count()).toBe(0);
    await page.locator('.explore-count', { hasText: `${total.toLocaleString('en-US')} rows.` }).waitFor();
    const grid = page.locator('.explore-grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(total + 1));
    const most = await page.evaluate(async () => {
      const scroller = document.querySelector('.explore-scroll')!;
      let rows = 0;
      for (let frame = 0; frame < 60; frame++) {
        scroller.scrollTop += frame < 30 ? 120 : 6000;
        await new Promise(requestAnimationFrame);
        rows = Math.max(rows, scroller.querySelectorAll('tr').length);
      }
      return rows;
    });
    expect(most).toBeLessThan(60);
    await page.locator('.explore-scroll').focus();
    await page.keyboard.press('End');
    const last = page.locator(`tr[aria-rowindex="${total + 1}"]`);
    await last.waitFor();
    const bottom = await bottomOf(page, '.explore-scroll');
    await expect.poll(() => bottomOf(page, last)).toBeLessThanOrEqual(bottom + 1);
  });

  describe('a chart', () => {
    test('is broken where years are not comparable, and says so', async () => {
      const page = await open(`${GRADUATION}?view=chart`, DRAWN);
      await expect.poll(() => page.locator('.explore-drawing [data-mark=line]').count()).toBe(2);
      await expect
        .poll(() => text(page, '.explore-figure'))
        .toContain('Figures up to 2010 are not comparable');
      const notes = await page.locator('.explore-note').allTextContents();
      // Nothing is missing; the line only breaks there.
      expect(notes.filter(note => note.includes('gap'))).toEqual([]);
      const tick = await page.locator('.explore-drawing [data-mark=tick]').first().textContent();
      expect(notes).toContain(`The axis begins at ${tick}, not at zero.`);
      const rows = await rowsOf('education/graduation_rate_4_year_cohort?detail=states&demographic=all');
      const latest = percent(rows.find(row => row['year'] === 2024)?.['graduation_rate']);
      await expect.poll(() => text(page, SENTENCE)).toContain(`, 2024: ${latest}, `);
      expect(await text(page, SENTENCE)).toMatch(/ than in 2011\.$/);
    });

    test('a map distinguishes areas without a figure from areas without a row, and is announced', async () => {
      const page = await open(`${STAYS}?detail=counties&view=bars`, DRAWN);
      await page.getByRole('button', { name: 'Map' }).click();
      await page.waitForSelector('.explore-map svg');
      await expect.poll(() => text(page, '#explore > p[role=status]')).toMatch(/^Map: .+ is highest/);
      const withheld = await page.locator('.explore-figures td.null').count();
      expect(withheld).toBeGreaterThan(0);
      const areas = page.locator('.explore-drawing [data-words]');
      const rows = await page.locator('.explore-figures tbody tr').count();
      const count = (words: string) => page.locator(`.explore-drawing ${words}`).count();
      expect([await areas.count(), await count('[data-words$="no row"]')]).toEqual([159, 159 - rows]);
      expect(await count('[data-words*="no figure"]')).toBe(withheld);
      await expect.poll(() => text(page, '.explore-drawing')).toMatch(/no figure.*no row/);
      const notes = await page.locator('.explore-note').allTextContents();
      expect(notes.join('\n')).toMatch(/Hatched places have no figure\. \S/);
      const svg = (await saveBy(page, 'Picture as SVG')).content.toString();
      expect(svg).toContain('<pattern id="withheld"');
    });

    test('can be read with the arrow keys and the pointer, has full names, and shifts nothing', async () => {
      const query = '?detail=schools&place=601:0102,615:0102&with=districts:601,states&view=chart';
      const viewport = { width: 1280, height: 800 };
      const page = await open(`${ATTENDANCE + query}&metric=chronically_absent_rate`, DRAWN, { viewport });
      expect(await readShift(page)).toBeLessThan(0.05);
      await resize(page, 390, 844);
      await resize(page, 1280, 800);
      const plot = page.locator('.explore-drawing input[type=range]');
      await plot.focus();
      await page.keyboard.press('End');
      const said = (await plot.getAttribute('aria-valuetext')) ?? '';
      expect(said).toMatch(/^2024: /);
      for (const name of ['0102, Sample District 601', '0102, Sample District 615', 'Sample District 601 '])
        expect(said).toContain(name);
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => plot.getAttribute('aria-valuetext')).toMatch(/^2023: /);
      await page.locator('.explore-plot').hover();
      await expect.poll(() => page.locator('.explore-readout .explore-value').count()).toBe(4);
      const names = await page.locator('.explore-drawing svg text tspan').allTextContents();
      expect(names.join(' ')).not.toContain('…');
    });

    test('of places and groups becomes several small ones with every chosen place', async () => {
      const query = '?detail=schools&place=601:0104,615:0104&open=year,demographic&view=chart';
      const page = await open(GRADUATION + query, DRAWN);
      const legend = await page.locator('.explore-drawing svg > g > text').allTextContents();
      expect(legend.filter(words => /0104, Sample District 6(01|15)/.test(words))).toHaveLength(2);
      await expect.poll(() => page.locator('.explore-drawing svg > g').count()).toBeGreaterThan(8);
      // A chosen place without rows has its code, in the larger place's name.
      await page.goto(`${host.url}${GRADUATION}?detail=schools&place=601:0101&view=chart`);
      const name = 'School 0101, Sample District 601';
      await page.getByText(`This dataset has no rows about ${name}.`).waitFor();
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
      expect(await page.title()).toContain(name);
    });

    test('of pooled years has margins and names no difference; its map is saved with its notices, and links to counties', async () => {
      const page = await open(`${EMPLOYMENT}?view=chart`, DRAWN);
      await expect.poll(() => page.locator('.explore-drawing [data-mark=margin]').count()).toBe(5);
      const told = await text(page, '.explore-figure');
      expect(told).toContain('pools 5 years');
      expect(told).not.toMatch(/(increase|decrease|rose|fell|change since|percentage points)/);
      await page.getByRole('button', { name: 'Map' }).click();
      await page.waitForSelector('.explore-map svg');
      const svg = (await saveBy(page, 'Picture as SVG')).content.toString();
      for (const words of ['Unemployment rate', 'Synthetic sample data', 'Source: '])
        expect(svg).toContain(words);
      expect(svg).not.toMatch(/<style|var\(--|href="http/);
      expect(svg.match(/<path/g)!.length).toBeGreaterThanOrEqual(159);
      const { content: png } = await saveBy(page, 'Picture');
      expect([png.toString('latin1', 1, 4), png.readUInt32BE(16)]).toEqual(['PNG', 1880]);
      const ranked = page.locator('.explore-ranked tbody');
      for (const link of ['th a[href*=places]', 'td a[href*=figure]'])
        expect(await ranked.locator(link).count()).toBe(await ranked.locator('tr').count());
      const plot = page.locator('.explore-map input[type=range]');
      await plot.focus();
      const visited = new Set<string | null>();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End']) {
        await page.keyboard.press(key);
        const words = await plot.getAttribute('aria-valuetext');
        expect(words).toMatch(/, 2024: [\d.]+% ±/);
        await expect.poll(() => text(page, '.explore-readout')).toBe(words);
        visited.add(words);
      }
      expect(visited.size).toBeGreaterThan(2);
      await page.keyboard.press('Enter');
      await page.waitForURL(/places\/\?dimension=counties&county_fips=\d{5}$/);
    });

    test('of many bars begins with a scale, shows the first and last bars, all of them on demand, and ranks as asked', async () => {
      const page = await open(`${ATTENDANCE}?detail=schools&demographic=all&year=2024&view=bars`, DRAWN);
      const bars = page.locator('.explore-plot svg > g:has(rect)');
      const scale = page.locator('.explore-plot svg > g:not(:has(rect)) text');
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        await resize(page, width, height);
        await expect.poll(() => scale.allTextContents()).toContain('0%');
      }
      const some = await bars.count();
      const all = page.getByRole('button', { name: /^Show all \d+ bars$/ });
      const count = Number(/\d+/.exec((await all.textContent()) ?? '')?.[0]);
      await all.click();
      await expect.poll(() => bars.count()).toBe(count);
      await page.getByRole('button', { name: 'Show fewer bars' }).click();
      await expect.poll(() => bars.count()).toBe(some);
      const [first] = await bars.locator('tspan').allTextContents();
      await page.getByRole('group', { name: 'Rank by' }).getByRole('button', { name: 'change' }).click();
      await page.waitForURL(/rank=change/);
      await expect.poll(async () => (await bars.locator('tspan').allTextContents())[0]).not.toBe(first);
      await page.locator('#explore-year').selectOption('2023');
      await page.waitForURL(/year=2023/);
      await page.getByLabel('Figure', { exact: true }).selectOption('num_students');
      await page.waitForURL(/metric=num_students/);
    });
  });

  test('a page shows its first view before its script, which takes over without a layout shift', async () => {
    const silent = await visit(host.url + EMPLOYMENT, { javaScriptEnabled: false });
    const said = await text(silent, '.explore-sentence');
    expect(said).toMatch(/\d/);
    expect(await silent.locator('.explore-still.wide').isVisible()).toBe(true);
    expect(await silent.locator('.explore-form, .explore-tabs, .explore-save').first().isVisible()).toBe(
      false,
    );
    const page = await open(EMPLOYMENT, DRAWN, { viewport: { width: 1280, height: 800 } });
    expect(await text(page, '.explore-sentence')).toBe(said);
    expect(await page.locator('.explore-figure').count()).toBe(1);
    expect(await readShift(page)).toBeLessThan(0.05);
  });

  test('an export has the rows of the API: CSV to the byte, codes as texts, and a workbook with notes', async () => {
    const query = '?year=2024&detail=schools&demographic=all';
    const page = await open(ATTENDANCE + query, CELLS);
    const save = async (name: string) => {
      const saved = await saveBy(page, name);
      expect(saved.name).toContain('SAMPLE');
      return saved.content;
    };
    const answer = async (format: string) => {
      const response = await fetch(`${host.url}api/v1/education/attendance${query}&format=${format}`);
      return Buffer.from(await response.arrayBuffer());
    };
    expect((await save('CSV')).equals(await answer('csv'))).toBe(true);
    const read = (content: Buffer) =>
      parquetReadObjects({ file: new Uint8Array(content).buffer as ArrayBuffer, compressors });
    const rows = await read(await save('Parquet'));
    expect(rows).toEqual(await read(await answer('parquet')));
    expect(rows[0]!['school_code']).toBe('0101');
    const { SheetNames, Sheets } = readWorkbook(await save('Excel'));
    const [sheet, notes] = SheetNames.map(name => Sheets[name]!);
    const [, ...written] = utils.sheet_to_json<unknown[]>(sheet!, { header: 1 });
    expect(written).toHaveLength(rows.length);
    expect(written[0]).toEqual(expect.arrayContaining(['0101', Number(rows[0]!['num_students'])]));
    expect(Object.values(sheet!).filter(cell => cell.f !== undefined)).toEqual([]);
    for (const words of [
      'Synthetic sample data',
      'An empty cell means',
      `Address,${host.url}api/v1/education/attendance?`,
    ])
      expect(utils.sheet_to_csv(notes!)).toContain(words);
  });

  const plain = useHost(() => startPlainHost(sample.tree, { base: '/repo/', gzip: true }));

  test('every view of a compressing host of files is without faults, narrow and wide, dark and light', async () => {
    const page = await visit(`${plain.url}${EMPLOYMENT}?view=table`, { ...SCREENS[1], ready: CELLS });
    for (const [view, ready] of [
      ['Table', CELLS],
      ['Lines', DRAWN],
      ['Bars', DRAWN],
      ['Map', '.explore-map svg'],
    ] as const) {
      await page.getByRole('button', { name: view, exact: true }).click();
      await page.waitForSelector(ready);
      expect([view, await faultsAt(page, '#explore')]).toEqual([view, []]);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    const colorOf = (name: string) =>
      page.getByRole('button', { name, exact: true }).evaluate(one => getComputedStyle(one).backgroundColor);
    const [chosen, other] = [await colorOf('Map'), await colorOf('Table')];
    expect(chosen).not.toBe(other);
  });
});
