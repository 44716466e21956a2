/** Views in frames of other sites, and the titles of views, in Chromium. */
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, MISTAKEN, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, type Host, launchBrowser, openPage, startEdgeHost, startPlainHost } from './browser.ts';
import { buildExplored, openPages, overflow } from './explored-tree.ts';

/** A site of another origin, with one page. */
async function serveText(text: string) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(text);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/page.html`, close: () => server.close() };
}

const RAIN = 'datasets/climate/rainfall/';
const LINES = '?detail=regions&place=n&season=wet&view=chart';
const TITLE = '"Rain" & <i data-evil>snow</i>';
const titled = (contract: string) =>
  contract.replace('value: Rainfall }', `value: '${TITLE.replaceAll("'", "''")}' }`);

describe.skipIf(CHROMIUM === null)('a view', () => {
  let browser: Browser;
  let publisher: PublisherFolder;
  let releases: string;
  let kept: Host;
  let plain: Host;
  const names: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    publisher = await buildExplored({ ...CONTRACTS, 'rain/rainfall.yaml': titled(RAINFALL) }, LAKE);
    releases = path.join(publisher.root, 'releases-of-host');
    await mkdir(path.join(releases, 'releases'), { recursive: true });
    const keep = async () => {
      const { release } = JSON.parse(await readFile(path.join(publisher.out, 'manifest.json'), 'utf8'));
      await cp(publisher.out, path.join(releases, 'releases', release), { recursive: true });
      names.push(release);
    };
    await keep();
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': titled(MISTAKEN) });
    await writeRows(publisher.data, {
      [rainFile(2022, 'nation')]:
        `SELECT * REPLACE (rain_mm + 50 AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`,
    });
    await buildPublisher(publisher, { pages: openPages(), releaseDate: '2031-06-01' });
    await keep();
    await symlink(path.join('releases', names[1]!), path.join(releases, 'current'));
    kept = await startEdgeHost(releases);
    plain = await startPlainHost(publisher.out, { base: '/repo/' });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([kept.close(), plain.close()]);
    await rm(publisher.root, { recursive: true, force: true });
  });

  const frameText = async (page: Page) => {
    await page.waitForSelector('.explore-drawing svg');
    await page.locator('.explore-embed summary').click();
    return page.getByLabel('Paste this into a page');
  };

  test('is named by its title in the tab, the heading, the picture and the history', async () => {
    const { page, faults } = await openPage(browser, `${plain.url}${RAIN}${LINES}`);
    await page.waitForSelector('.explore-drawing svg');
    const first = 'rain_mm in North, Wet, 2019 to 2022';
    expect(await page.title()).toBe(`${first} — ${TITLE} · Weather of Arcadia`);
    expect(await page.locator('.explore-figure h3').textContent()).toBe(first);
    await page.getByRole('button', { name: 'Bars' }).click();
    await expect.poll(() => page.title()).toMatch(/^rain_mm in North.*, 2022 — /);
    await page.goBack();
    await expect.poll(() => page.title()).toMatch(/^rain_mm in North, Wet, 2019 to 2022 — /);
    await page.goForward();
    await page.getByRole('button', { name: 'Table' }).click();
    await expect.poll(() => page.title()).not.toMatch(/^rain_mm/);
    const heading = page.getByRole('heading', { name: `${TITLE} in North` });
    expect(await heading.textContent()).toMatch(/, 2022$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('is embedded from another site by the text that the page gives, on an edge and on a host of files', async () => {
    for (const host of [plain, kept]) {
      const { page } = await openPage(browser, `${host.url}${RAIN}${LINES}`);
      const given = await frameText(page);
      const root = host === plain ? plain.url : `${kept.url}releases/${names[1]}/`;
      await expect.poll(() => given.inputValue()).toContain(`src="${root}${RAIN}embed.html?`);
      const text = await given.inputValue();
      await page.getByRole('button', { name: 'Table' }).click();
      await page.locator('.explore-embed summary').click();
      // The title of the table holds markup, which stays text in the page that it is pasted into.
      const found = await page.evaluate(
        html => {
          const { body } = new DOMParser().parseFromString(html, 'text/html');
          return [body.querySelectorAll('*').length, body.querySelector('iframe')?.title];
        },
        await given.inputValue(),
      );
      expect(found).toEqual([1, expect.stringContaining(TITLE)]);
      await page.context().close();
      const other = await serveText(`<!doctype html><html lang="en"><title>Other</title>${text}`);
      const outside = await browser.newPage({ viewport: { width: 800, height: 720 } });
      const faults: string[] = [];
      outside.on('console', message => message.type() === 'error' && faults.push(message.text()));
      await outside.goto(other.url);
      const frame = outside.frameLocator('iframe');
      await frame.locator('.explore-drawing svg').waitFor();
      expect(await frame.locator('h1').textContent()).toBe('rain_mm in North, Wet, 2019 to 2022');
      expect(await frame.locator('nav, header, [data-evil]').count()).toBe(0);
      expect(await frame.locator('main').textContent()).toContain('Licence: CC0-1.0.');
      expect(faults).toEqual([]);
      await outside.close();
      other.close();
    }
  });

  test('stays with its release where the host keeps releases, and says what came later', async () => {
    const { page } = await openPage(browser, `${kept.url}${RAIN}${LINES}`);
    const text = await frameText(page);
    await expect
      .poll(() => text.inputValue())
      .toContain(`${kept.url}releases/${names[1]}/${RAIN}embed.html?`);
    await page.context().close();
    const old = await openPage(browser, `${kept.url}releases/${names[0]}/${RAIN}embed.html${LINES}`);
    const news = old.page.getByRole('status').filter({ hasText: 'newer' });
    await news.waitFor();
    expect(await news.textContent()).toContain('Correction of 2031-05-20: Snow was counted as rain.');
    expect(await news.textContent()).toContain(`Release ${names[1]} has newer ones.`);
    const link = old.page.getByRole('link', { name: 'See the current figures' });
    expect(await link.getAttribute('href')).toBe(`${kept.url}${RAIN}${LINES}`);
    expect(await accessibilityFindings(old.page)).toEqual([]);
    expect(old.faults).toEqual([]);
    await old.page.context().close();
    const now = await openPage(browser, `${kept.url}releases/${names[1]}/${RAIN}embed.html${LINES}`);
    await now.page.waitForSelector('.explore-drawing svg');
    expect(await now.page.locator('.notice').count()).toBe(0);
    await now.page.context().close();
  });

  test('in a frame is accessible and as wide as the frame, dark and light, with and without a script', async () => {
    for (const [query, colorScheme, width] of [
      ['?view=table', 'dark', 390],
      [LINES, 'dark', 390],
      ['?view=bars', 'light', 700],
    ] as const) {
      const { page, faults } = await openPage(browser, `${plain.url}${RAIN}embed.html${query}`, {
        viewport: { width, height: 700 },
        colorScheme,
      });
      await page.waitForSelector('.explore-grid td, .explore-drawing svg');
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
      await page.context().close();
    }
    const { page } = await openPage(browser, `${plain.url}${RAIN}embed.html`, { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe(TITLE);
    expect(await page.locator('.figure').count()).toBe(1);
    await page.context().close();
  });
});
