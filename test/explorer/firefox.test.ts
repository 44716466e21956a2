/** What people come for, in Firefox: a place against the state, a ranking, two schools, files, links, SQL, a picture. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, startEdgeHost, useHost } from './browser.ts';
import { useExplored } from './explored-tree.ts';
import { FIREFOX, FirefoxPage } from './firefox.ts';

const ENTER = '\uE007';
const TAB = '\uE004';
const SVG = `document.querySelector('.explore-drawing svg')`;
const CHARTS = `document.querySelectorAll('.explore-drawing svg > g').length`;
const STATEMENT = `(document.querySelector('.cm-content')?.textContent ?? document.querySelector('.sql-editor textarea')?.value)`;
const FOCUSED = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.id`;

const button = (text: string) =>
  `[...document.querySelectorAll('button')].find(one => one.textContent.trim() === ${JSON.stringify(text)})`;

describe.skipIf(FIREFOX === null)('in Firefox', () => {
  const sample = useExplored();
  const host = useHost(() => startEdgeHost(sample.tree));
  let page: FirefoxPage;
  beforeAll(async () => {
    page = await FirefoxPage.launch();
  });
  afterAll(() => page?.close());

  const open = (path: string) => page.open(host.url + path);
  /** Names the next files that are saved, in `saved`. */
  const catchFiles = () =>
    page.read(
      '(globalThis.saved = [], HTMLAnchorElement.prototype.click = function () { saved.push(this.download) }, 1)',
    );

  test('a district stands against the state over the years, each line with its name', async () => {
    await open('datasets/education/attendance/?detail=districts&place=601&view=chart');
    await page.until(SVG);
    const names = await page.read<string>(`${SVG}.textContent`);
    expect(names).toMatch(/Georgia.*Sample District 601|Sample District 601.*Georgia/);
  });

  test('counties stand on a map and in a ranked list, by the poverty of the foreign born', async () => {
    const query = 'detail=counties&citizenship_status=foreign_born&native_birthplace=all&view=map';
    await open(`datasets/census/poverty_by_nativity/?${query}`);
    await page.until(`document.querySelectorAll('.explore-map [data-words]').length > 100`);
    expect(await page.read<string>(`document.querySelector('.explore-figure').textContent`)).toMatch(
      /foreign born/i,
    );
    await page.click(button('Bars'));
    await page.until(
      `${SVG} && document.querySelector('#explore-figure-summary').textContent.startsWith('High')`,
    );
  });

  test('two schools of different districts by subgroup: as small charts, as Excel, by link and as picture', async () => {
    await open(
      'datasets/education/graduation_rate_4_year_cohort/?detail=schools&place=601:0104,615:0104&view=chart',
    );
    await page.until(`${SVG} && document.querySelector('#explore-by')`);
    await page.read(
      `(by => { by.value = 'demographic'; by.dispatchEvent(new Event('change', { bubbles: true })); return 1 })(document.querySelector('#explore-by'))`,
    );
    await page.until(`${CHARTS} > 8`);
    await catchFiles();
    await page.click(button('Excel'));
    await page.until('saved.length === 1');
    const [address, charts] = [await page.read<string>('location.href'), await page.read<number>(CHARTS)];
    await page.open(address);
    await page.until(`${CHARTS} === ${charts}`);
    await catchFiles();
    await page.click(button('Save as SVG'));
    await page.until('saved.length === 1');
    await page.click(button('Save as PNG'));
    await page.until('saved.length === 2');
    expect((await page.read<string[]>('saved')).map(name => name.slice(-4))).toEqual(['.svg', '.png']);
  });

  test('SQL over two datasets becomes a chart', async () => {
    const statement =
      "SELECT a.year, count(*) AS n FROM attendance a JOIN graduation_rate_4_year_cohort g ON a.year = g.year AND a.district_code = g.district_code WHERE a.detail = 'districts' AND g.detail = 'districts' GROUP BY ALL ORDER BY ALL";
    await open(`sql/#${new URLSearchParams({ q: statement, view: 'chart' })}`);
    await page.until(`${STATEMENT}?.includes('JOIN')`);
    await page.click(button('Run'));
    await page.until(`/^\\d+ rows/.test(document.querySelector('.sql-status p').textContent)`);
    await page.until(SVG);
  });

  test('the focus moves from chip to chip, then to the field, and no list keeps it', async () => {
    await open('datasets/education/attendance/?detail=districts&place=601,615&view=table');
    await page.until(`document.querySelectorAll('.explore-chips button').length === 2`);
    await page.read(`document.querySelector('.explore-chips button').focus()`);
    await page.press(ENTER);
    await page.until(`(${FOCUSED}) === 'Remove Sample District 615'`);
    await page.press(ENTER);
    await page.until(`(${FOCUSED}) === 'explore-places'`);
    await page.press('6');
    await page.until(`document.querySelector('#explore-places-list li')`);
    await page.press(TAB);
    await page.until(`(${FOCUSED}) === 'explore-detail'`);
    expect(page.faults).toEqual([]);
  });

  test('a question in SQL is answered again without a network', async () => {
    const ask = async (host: Host) => {
      const q = 'SELECT count(*) AS n FROM education.attendance WHERE year = 2024';
      await page.open(`${host.url}sql/#${new URLSearchParams({ q })}`);
      await page.until(`${STATEMENT}?.includes('2024')`);
      await page.click(button('Run'));
      await page.until(`/^1 row/.test(document.querySelector('.sql-status p')?.textContent)`);
    };
    const own = await startEdgeHost(sample.tree);
    await ask(own);
    const list =
      '(async () => { const all = await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys())); globalThis.kept = all.flat().map(({ url }) => url); })()';
    for (const part of ['duckdb', 'sql/?kept-page', 'manifest.json', 'attendance'])
      await page.until(`(void ${list}, globalThis.kept?.some(url => url.includes(${JSON.stringify(part)})))`);
    await own.close();
    await page.open('about:blank');
    await ask(own);
  });
});
