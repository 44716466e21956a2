/**
 * Things that browsers do differently, in Firefox: charts, pictures, focus, SQL, and work without a network.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { keptPaged } from '../publishers/kept-trees.ts';
import { type Host, startEdgeHost } from './browser.ts';
import { FIREFOX, type FirefoxPage, launchFirefox } from './firefox.ts';

const [ENTER, TAB] = ['\uE007', '\uE004'];
const RAIN = 'datasets/climate/rainfall/';
const FOCUSED = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.id';
const CHIPS = 'document.querySelectorAll(".explore-chips button")';
const STATEMENT = `document.querySelector('.sql-editor')?.shadowRoot?.querySelector('.cm-content')?.textContent`;
const KEPT =
  '(async () => { const all = await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys())); globalThis.kept = all.flat().map(({ url }) => url); })()';
const button = (text: string) =>
  `[...document.querySelectorAll('button')].find(one => one.textContent.trim() === ${JSON.stringify(text)})`;

describe.skipIf(FIREFOX === null)('in Firefox', () => {
  let page: FirefoxPage;
  let host: Host;
  beforeAll(async () => {
    host = await startEdgeHost((await keptPaged()).out);
    page = await launchFirefox();
  });

  test('places are in a chart, which is saved as pictures and its rows as Excel', async () => {
    await page.open(`${host.url}${RAIN}?detail=regions&place=n,s&view=chart`);
    await page.until(
      '/North.*South|South.*North/.test(document.querySelector(".explore-plot svg")?.textContent)',
    );
    await page.read(
      '(globalThis.saved = [], HTMLAnchorElement.prototype.click = function () { saved.push(this.download) }, 1)',
    );
    for (const [i, name] of ['Excel', 'Picture as SVG', 'Picture'].entries()) {
      await page.click(button(name));
      await page.until(`saved.length === ${i + 1}`);
    }
    const saved = await page.read<string[]>('saved');
    expect(saved.map(name => name.replace(/.*\./, ''))).toEqual(['xlsx', 'svg', 'png']);
  });

  test('the focus moves from chip to chip, then to the field, and no list keeps it', async () => {
    await page.open(`${host.url}${RAIN}?detail=regions&place=n,s&view=table`);
    await page.until(`${CHIPS}.length === 2`);
    await page.read(`${CHIPS}[0].focus()`);
    await page.press(ENTER);
    await page.until(`(${FOCUSED}) === 'Remove South'`);
    await page.press(ENTER);
    await page.until(`(${FOCUSED}) === 'explore-places'`);
    await page.press('s');
    await page.until(`document.querySelector('#explore-places-list li')`);
    await page.press(TAB);
    await page.until(`(${FOCUSED}) === 'explore-detail'`);
    expect(page.faults).toEqual([]);
  });

  test('a question in SQL is answered, and again without a network', async () => {
    const q = 'SELECT year, count(*) AS n FROM climate.rainfall GROUP BY ALL ORDER BY ALL';
    const ask = async () => {
      await page.open(`${host.url}sql/#${new URLSearchParams({ q })}`);
      await page.until(`${STATEMENT}?.includes('rainfall')`);
      await page.click(button('Run'));
      await page.until(`/^3 rows/.test(document.querySelector('.sql-status p')?.textContent)`);
      await page.until(`document.querySelector('.explore-grid td')`);
    };
    await ask();
    for (const part of ['duckdb', 'sql/?kept-page', 'manifest.json', 'rainfall'])
      await page.until(`(void ${KEPT}, globalThis.kept?.some(url => url.includes(${JSON.stringify(part)})))`);
    await host.close();
    await page.open('about:blank');
    await ask();
  });
});
