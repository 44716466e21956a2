/** 404.html in a real browser, on a host that shows it where there is no file, beneath a path. */
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notFoundPage } from '../../build/catalog/not-found-page.ts';
import { HOSTS } from '../../build/publish/host-profile.ts';
import { CHROMIUM, launchBrowser } from '../explorer/browser.ts';
import { buildPublisher } from './built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from './publisher-folder.ts';

let publisher: PublisherFolder;
let server: Server;
let base: string;

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(publisher, {
    host: { profile: HOSTS['github-pages'], basePath: '/repo/', renderEdge: null },
  });
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host.test');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const inside = name.startsWith('/repo/') ? name.slice('/repo/'.length) : '../';
    const file = await readFile(path.join(publisher.out, inside)).catch(() => null);
    response.writeHead(file === null ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(file ?? (await readFile(path.join(publisher.out, '404.html'))));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo/`;
});
afterAll(async () => {
  server.close();
  await rm(publisher.root, { recursive: true, force: true });
});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', message => {
      if (message.type() === 'error' && !message.text().includes('404')) faults.push(message.text());
    });
    page.on('pageerror', error => faults.push(error.message));
  });
  afterAll(() => browser.close());

  test.each([
    ['api/v1/climate/rainfal/year=2021/regions.json', 'Perhaps you meant climate/rainfall.'],
    ['api/v1/climat/rainfall', 'Perhaps you meant climate/rainfall.'],
    ['api/v1/datasets/transit/tram', 'Perhaps you meant transit/trams.'],
    ['API/V1/transit/TRAMS', 'Files never move'],
    [
      'api/v1/transit/trams/year=1900/nation.json',
      'This dataset is published; its files are listed at transit/trams.',
    ],
    ['nothing/like/this', 'Files never move'],
    ['%3Cscript%3Ealert(1)%3C/script%3E', 'Files never move'],
    ['%E0%A4%A', 'Files never move'],
    ['x'.repeat(5000), 'Files never move'],
  ])('%s', async (asked, hint) => {
    await page.goto(base + asked);
    expect(await page.textContent('#hint')).toContain(hint);
    expect(faults).toEqual([]);
  });

  test('its links lead to what is there', async () => {
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
  const publisherOf = {
    service: hostile,
    description: '',
    license: null,
    licenseUrl: null,
    attribution: null,
  };
  const text = notFoundPage({
    publisher: { ...publisherOf, documentation: null, contact: null, language: null, releases: null },
    sample: true,
    basePath: '/',
    treeFolder: 'dist',
    datasets: [{ key: 'a/b', title: hostile }],
  });
  expect(text).not.toContain(hostile);
  expect(text).toContain('Synthetic sample data');
  expect(text.length).toBeLessThan(8000);
});
