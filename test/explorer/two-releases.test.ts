/** Two releases in Chromium: views in frames of other sites, titles, withdrawals and errata. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { verify } from '../publishers/built-tree.ts';
import { keptSigned, type SignedReleases } from '../publishers/kept-trees.ts';
import { TITLE, TRAM_TITLE } from '../publishers/odd-weather.ts';
import { answering } from '../served.ts';
import {
  accessibilityFindings,
  CHROMIUM,
  overflow,
  SCREENS,
  startEdgeHost,
  startPlainHost,
  useHost,
  visit,
} from './browser.ts';

/** A site of another origin with one page. A browser lets only pages from this machine's servers frame others of them. */
async function serveText(text: string) {
  const url = await answering((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(text);
  });
  return `${url}/page.html`;
}

const RAIN = 'datasets/climate/rainfall/';
const TRAM = 'datasets/transit/trams/';
const LINES = '?detail=regions&place=n&season=wet&view=chart';
const DRAWN = '.explore-plot svg';

describe.skipIf(CHROMIUM === null)('a view', () => {
  const releases = {} as SignedReleases;
  const kept = useHost(async () => {
    Object.assign(releases, await keptSigned());
    return startEdgeHost(releases.host);
  });
  const plain = useHost(async () => startPlainHost((await keptSigned()).out, { base: '/repo/' }));

  const frameText = async (page: Page) => {
    await page.getByRole('button', { name: 'Embed', exact: true }).click();
    return page.getByRole('group', { name: 'Paste this into a page' }).locator('pre');
  };

  test('has its title in the tab, the heading, the picture and the history', async () => {
    const page = await visit(`${plain.url}${RAIN}${LINES}`, { ready: DRAWN });
    const first = 'rain_mm in North, Wet, 2019 to 2022';
    expect(await page.title()).toBe(`${first} — ${TITLE} · Weather of Arcadia`);
    await expect.poll(() => page.locator('.explore-figure h3').textContent()).toBe(first);
    await page.getByRole('button', { name: 'Bars' }).click();
    await expect.poll(() => page.title()).toMatch(/^rain_mm in North.*, 2022 — /);
    await page.goBack();
    await expect.poll(() => page.title()).toMatch(/^rain_mm in North, Wet, 2019 to 2022 — /);
    await page.goForward();
    await page.getByRole('button', { name: 'Table' }).click();
    await expect.poll(() => page.title()).not.toMatch(/^rain_mm/);
    const heading = page.getByRole('heading', { name: `${TITLE} in North` });
    await expect.poll(() => heading.textContent()).toMatch(/, 2022$/);
  });

  test.each([
    ['a host of files', plain, () => plain.url],
    ['an edge that keeps releases, in its own', kept, () => `${kept.url}releases/${releases.names[1]}/`],
  ])('is embedded in another site by the text that the page gives, on %s', async (_, host, rootOf) => {
    // A host without releases answers 404 when asked for them; the page parses the text's style; the site has
    // another origin.
    const page = await visit(`${host.url}${RAIN}${LINES}`, {
      ready: DRAWN,
      expected: /404|inline style|page\.html$/,
    });
    const given = await frameText(page);
    await expect.poll(() => given.innerText()).toContain(`src="${rootOf()}${RAIN}embed.html?`);
    const text = await given.innerText();
    await page.getByRole('button', { name: 'Table' }).click();
    // The title of the table has markup, which stays text where it is pasted.
    const found = await page.evaluate(
      html => {
        const { body } = new DOMParser().parseFromString(html, 'text/html');
        return [body.querySelectorAll('*').length, body.querySelector('iframe')?.title];
      },
      await given.innerText(),
    );
    expect(found).toEqual([1, expect.stringContaining(TITLE)]);
    const outside = await page.context().newPage();
    const site = await serveText(
      `<!doctype html><html lang="en"><title>Other</title><link rel="icon" href="data:,">${text}`,
    );
    const errors: string[] = [];
    outside.on('console', message => message.type() === 'error' && errors.push(message.text()));
    await outside.goto(site);
    const frame = outside.frameLocator('iframe');
    await frame.locator(DRAWN).waitFor();
    await expect.poll(() => frame.locator('h1').textContent()).toBe('rain_mm in North, Wet, 2019 to 2022');
    await expect.poll(() => frame.locator('nav, header, [data-evil]').count()).toBe(0);
    await expect.poll(() => frame.locator('main').textContent()).toContain('Licence: CC0-1.0.');
    expect(errors).toEqual([]);
  });

  test('stays with its release, and says what came later', async () => {
    const old = await visit(`${kept.url}releases/${releases.names[0]}/${RAIN}embed.html${LINES}`);
    const news = old.getByRole('status').filter({ hasText: 'newer' });
    await news.waitFor();
    await expect
      .poll(() => news.textContent())
      .toContain('Correction of 2031-05-20: Snow was counted as rain.');
    await expect.poll(() => news.textContent()).toContain(`Release ${releases.names[1]} has newer ones.`);
    const link = old.getByRole('link', { name: 'See the current figures' });
    await expect.poll(() => link.getAttribute('href')).toBe(`${kept.url}${RAIN}${LINES}`);
    expect(await accessibilityFindings(old)).toEqual([]);
    await old.goto(`${kept.url}releases/${releases.names[1]}/${RAIN}embed.html${LINES}`);
    await old.waitForSelector(DRAWN);
    await expect.poll(() => old.locator('.notice').count()).toBe(0);
  });

  test('in a frame is accessible in both schemes and as wide as the frame, and without a script the first view', async () => {
    for (const [query, colorScheme, width, ready] of [
      ['?view=table', 'dark', 390, '.explore-grid td'],
      [LINES, 'dark', 390, DRAWN],
      ['?view=bars', 'light', 700, DRAWN],
    ] as const) {
      const options = { viewport: { width, height: 700 }, colorScheme, ready };
      const page = await visit(`${plain.url}${RAIN}embed.html${query}`, options);
      expect([query, await accessibilityFindings(page)]).toEqual([query, []]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
    const bare = await visit(`${plain.url}${RAIN}embed.html`, { javaScriptEnabled: false });
    await expect.poll(() => bare.locator('.explore-still svg').count()).toBe(2);
  });
});

test('the tree with such pages is complete, and its search knows withdrawn datasets', async () => {
  const { out } = await keptSigned();
  await verify(out);
  const search = JSON.parse(await readFile(path.join(out, 'search.json'), 'utf8'));
  expect(search.datasets.map((one: { key: string }) => one.key)).toEqual(['climate/rainfall']);
  expect(search.withdrawn).toMatchObject([
    { key: 'transit/trams', title: TRAM_TITLE, withdrawn: '2031-06-01', reason: 'Nobody counts any more.' },
  ]);
});

describe.skipIf(CHROMIUM === null)('what is withdrawn or was wrong', () => {
  const host = useHost(async () => startEdgeHost((await keptSigned()).out));

  test('such pages are without faults, narrow and dark', async () => {
    for (const [where, ready] of [
      ['?q=trams', '#search-results h3 a'],
      ['', '#withdrawn'],
      [TRAM, 'h1'],
      [RAIN, '#errata'],
    ] as const) {
      const page = await visit(host.url + where, { ...SCREENS[1], ready });
      expect([where, await page.locator('[data-evil]').count()]).toEqual([where, 0]);
      expect([where, await overflow(page)]).toEqual([where, 0]);
      expect([where, await accessibilityFindings(page)]).toEqual([where, []]);
    }
  });

  test('the catalog links to withdrawn datasets, and these to their replacements', async () => {
    const page = await visit(host.url);
    await page.locator('#withdrawn').getByRole('link', { name: 'Trams' }).click();
    await page.getByText('Withdrawn on 2031-06-01: Nobody counts any more.').waitFor();
    expect(page.url()).toBe(host.url + TRAM);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(TRAM_TITLE);
    const main = page.locator('main');
    for (const name of ['Contract (YAML)', 'Contract (JSON)', 'Withdrawal (JSON)']) {
      const href = await main.getByRole('link', { name, exact: true }).getAttribute('href');
      const answer = await page.request.get(new URL(href ?? '', page.url()).href);
      expect([name, answer.status()]).toEqual([name, 200]);
    }
    await main.getByRole('link', { name: TITLE, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  });

  test('the search finds it and says so', async () => {
    const page = await visit(`${host.url}?q=tarms`);
    const found = page.locator('#search-results li', { hasText: 'Withdrawn' });
    await found.getByRole('link', { name: 'Trams' }).waitFor();
    await expect
      .poll(() => page.locator('#search-status').textContent())
      .toBe('“tarms” was read as “trams”. 1 result found.');
    await page.getByLabel('Search for a').fill('');
    await expect.poll(() => page.locator('#withdrawn').isVisible()).toBe(true);
  });

  test("errata are in the dataset's page without a script, newest first, with what they apply to", async () => {
    const page = await visit(host.url + RAIN, { javaScriptEnabled: false });
    const list = page.locator('#errata ~ ul.rows').first();
    await expect.poll(() => list.locator('h3').allTextContents()).toEqual(['2031-05-25', '2031-05-20']);
    const [newest, oldest] = await list.locator('li').all();
    await expect.poll(() => newest?.textContent()).toContain('A gauge <b data-evil>leaked</b>.');
    await expect
      .poll(() => newest?.locator('dt').allTextContents())
      .toEqual(['What was wrong', 'What was done']);
    const told = ['Snow was counted as rain.', 'It is left out.', '2021', 'stations'];
    const cells = await oldest?.locator('dd').allTextContents();
    expect(cells).toEqual([...told, expect.stringContaining('rain_mm')]);
  });
});
