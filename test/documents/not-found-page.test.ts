/** 404.html in a real browser, on a host that shows it for missing files, under a path. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { notFoundPage } from '../../build/documents/plain-pages.ts';
import { HOSTS } from '../../build/hosts/hosts.ts';
import { CHROMIUM, openPage, sharedBrowser, startPlainHost } from '../explorer/browser.ts';
import { NO_EDGES } from '../publishers/built-tree.ts';
import { newPublisher } from '../publishers/publisher-folder.ts';

let base: string;

beforeAll(async () => {
  const publisher = await newPublisher();
  await publisher.build({
    host: { profile: HOSTS['github-pages'], basePath: '/repo/', edges: NO_EDGES },
  });
  base = (await startPlainHost(publisher.out, { base: '/repo/' })).url;
});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let page: Page;
  let faults: readonly string[];
  beforeAll(async () => {
    ({ page, faults } = await openPage(await sharedBrowser(), base));
  });

  const NONE = 'Files never move';
  test.each([
    ['api/v1/climate/rainfal/year=2021/regions.json', 'Perhaps you meant climate/rainfall.'],
    ['api/v1/datasets/transit/tram', 'Perhaps you meant transit/trams.'],
    ['API/V1/transit/TRAMS', NONE],
    [
      'api/v1/transit/trams/year=1900/nation.json',
      'This dataset is published; its files are listed at transit/trams.',
    ],
    ['nothing/like/this', NONE],
    ['%3Cscript%3Ealert(1)%3C/script%3E', NONE],
    ['%E0%A4%A', NONE],
    ['x'.repeat(5000), NONE],
  ])('%s', async (asked, hint) => {
    await page.goto(base + asked);
    await expect.poll(() => page.textContent('#hint')).toContain(hint);
    expect(faults.filter(fault => !fault.includes('404'))).toEqual([]);
  });

  test('its links lead to existing files', async () => {
    await page.goto(`${base}api/v1/climate/rainfal/`);
    const links = await page.$$eval('a', found => found.map(link => link.href));
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    await page.click('#hint a');
    expect(page.url()).toBe(`${base}api/v1/climate/rainfall/`);
  });
});

test('names are escaped', () => {
  const hostile = '"><script>alert(1)</script>';
  const dataset = { manifest: { dataset: 'a/b' }, schema: { title: hostile } };
  const input = {
    publisher: { service: hostile, language: 'es-MX' },
    sample: true,
    pages: true,
    datasets: [dataset],
  };
  const text = notFoundPage(input as unknown as Parameters<typeof notFoundPage>[0], '/');
  expect(text).not.toContain(hostile);
  expect(text).toContain('Datos sintéticos');
  expect(text).toContain('Quizá buscaba ');
  expect(text.length).toBeLessThan(8000);
});
