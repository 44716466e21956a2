/** A publisher's Spanish interface: every kind of page in the browser, without a word of English. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { plainWords } from '../../build/documents/plain-pages.ts';
import { CATALOGUES, speakLanguage } from '../../site/explorer/messages/languages.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { SPANISH_CONTRACTS, SPANISH_LAKE, SPANISH_TEXTS } from '../publishers/lluvia.ts';
import { newPublisher } from '../publishers/publisher-folder.ts';
import { CHROMIUM, overflow, SCREENS, startEdgeHost, useHost, visit } from './browser.ts';
import { textsOf } from './catalogue-texts.ts';

const { en, es } = CATALOGUES;

const DATASET = 'datasets/clima/lluvia/';
const DRAWN = '.explore-plot svg';

const LAKE = { ...SPANISH_LAKE, '_sample.json': '{"sample":true}' };

/** A parameter of a text, which no page shows. */
const HOLE = '\ue001';
const WORDS = /\p{L}{2,}/gu;

/** The English texts that differ in Spanish; for those with parameters, the parts between them. */
const ENGLISH = (() => {
  const spanish = new Map(textsOf(es, HOLE));
  const texts = [...textsOf(en, HOLE)].flatMap(([name, text]) => (spanish.get(name) === text ? [] : [text]));
  const known = [...spanish.values(), SPANISH_TEXTS].join('\n');
  const parts = texts.flatMap(text => text.split(/\ue001|\{\w+\}|`/).map(part => part.trim()));
  const isForeign = (text: string) => !known.includes(text);
  return {
    whole: new Set(texts.filter(isForeign)),
    /** Too long to be in another text by chance. */
    parts: parts.filter(part => (part.match(WORDS) ?? []).length > 2).filter(isForeign),
  };
})();

/** English texts of our catalogue that a page shows or reads out, without code and the API's own texts. */
async function englishIn(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    // Texts of openapi.json about routes and parameters.
    const ofApi = '#api section > h2, #api section > p, .route > p, .route > summary, .parameters td.text';
    for (const element of document.querySelectorAll(ofApi)) element.classList.add('own-words');
    const texts: string[] = [];
    const labels = ['aria-label', 'placeholder', 'title', 'alt', 'data-label'];
    for (const element of document.querySelectorAll('*')) {
      if (element.closest('script, style, code, pre, .own-words')) continue;
      for (const name of labels) texts.push(element.getAttribute(name) ?? '');
      for (const child of element.childNodes)
        if (child.nodeType === Node.TEXT_NODE) texts.push(child.textContent ?? '');
    }
    return texts.map(text => text.replace(/\s+/g, ' ').trim()).filter(text => text !== '');
  });
  return shown.filter(text => ENGLISH.whole.has(text) || ENGLISH.parts.some(part => text.includes(part)));
}

async function expectSpanish(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  expect(await englishIn(page)).toEqual([]);
  // Spanish texts are longer. Barriers don't depend on the language, and are looked for in the English pages.
  await page.setViewportSize(SCREENS[1].viewport);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
}

describe.skipIf(CHROMIUM === null)('the interface in Spanish', () => {
  const host = useHost(async () => {
    const publisher = await newPublisher(SPANISH_CONTRACTS, LAKE);
    await publisher.build({ pages: openPages() });
    return startEdgeHost(publisher.out);
  });
  // Other files' tests read English.
  afterAll(() => speakLanguage('en'));

  test.each<[address: string, ready: string, button?: string, says?: string | RegExp]>([
    ['', '#catalog'],
    ['?q=lluvia', '#search-results h3 a'],
    ['?q=xyzzy', '#search-status:not(:empty)'],
    [DATASET, `${DRAWN}, .explore-grid`],
    [`${DATASET}?detail=estaciones&view=bars`, DRAWN],
    [`${DATASET}?detail=estaciones&view=chart&codigo=e1`, DRAWN],
    [`${DATASET}?detail=estaciones&view=map`, DRAWN],
    [`${DATASET}?detail=nowhere`, '.explore-plot, .notice'],
    [`${DATASET}embed.html`, DRAWN],
    ['datasets/clima/tranvias/', '.notice'],
    ['datasets/clima/tranvias/embed.html', '.notice'],
    ['places/', '#search'],
    ['places/?dimension=estaciones&codigo=e1', '.place-figures td strong'],
    ['places/?dimension=estaciones&codigo=nobody', '#search'],
    ['api/#getClimaLluvia', '.route[open] .button'],
    // After a click.
    [
      `${DATASET}?detail=estaciones&view=table`,
      '.explore-grid td',
      'Excel',
      es.save.saved('').split(':')[0]!,
    ],
    ['check/', '#check-form button', es.check.check, es.check.isPartly],
  ])(
    '/%s has no word of English, and is no wider than a phone',
    async (address, ready, button, says = '') => {
      const page = await visit(host.url + address, { ready, expected: /status of 422/ });
      if (button !== undefined) {
        await page.getByRole('button', { name: button, exact: true }).click();
        await page.getByText(says).first().waitFor();
      }
      await expectSpanish(page);
    },
  );

  test('/sql/ has no word of English with an answer, nor with a refusal, and is no wider than a phone', async () => {
    const page = await visit(`${host.url}sql/`, { ready: '.sql-console button' });
    const run = async (says: string | RegExp) => {
      await page.getByRole('button', { name: es.sql.run, exact: true }).click();
      await page.getByText(says).first().waitFor();
      await expectSpanish(page);
    };
    await run(/^\d+ filas?\./);
    await page.goto(`${host.url}sql/#q=CREATE%20TABLE%20x%20AS%20SELECT%201`);
    await run(es.errors.oneSelect);
  });

  test('listings of folders, and the page for what is not published', async () => {
    const { words } = plainWords('es');
    for (const [address, said] of [
      ['api/v1/clima/', words.upOneFolder],
      ['nowhere', words.allDatasets],
    ] as const) {
      const page = await visit(host.url + address, { ready: 'main', expected: /status of 404/ });
      expect(await page.locator('html').getAttribute('lang')).toBe('es');
      const text = await page.locator('main').innerText();
      expect(text).toContain(said);
      expect(text).toContain(words.sample);
      expect(text).not.toMatch(/Up one|Nothing is|datasets;|Search|Synthetic/);
    }
  });

  test('numbers are written as the language writes them', async () => {
    const page = await visit(host.url, { ready: '#catalog' });
    const figure = page.locator('#catalog .lines strong');
    await expect.poll(() => figure.first().textContent()).toMatch(/^12\.4\d\d,\d/);
    const other = await visit(`${host.url}${DATASET}?detail=estaciones&view=bars`, { ready: DRAWN });
    const shown = await other.locator('#explore').innerText();
    expect(shown).toContain('12.511,5');
    expect(shown).not.toMatch(/\d,\d{3}\b/);
  });
});
