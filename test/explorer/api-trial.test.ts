/** Requests are tried in the API's page, also where neither the host nor a service worker answers them. */
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, type Host, launchBrowser, openPage, startEdgeHost, startPlainHost } from './browser.ts';
import { buildExplored } from './explored-tree.ts';

const OWN = 'This host stores files and answers no requests';

/** What is asked in turn, and the status of its answer, which is another than the one before. */
const REQUESTS = [
  [{ year: '2022', detail: 'regions', season: 'wet' }, '200'],
  [{ year: '2022', detail: 'planets', season: 'wet' }, '422'],
  [{ year_min: '2019', year: '', detail: 'stations', season: 'all', format: 'csv' }, '200'],
] as const;

describe.skipIf(CHROMIUM === null)('the page of the API, where no service worker may run', () => {
  let publisher: PublisherFolder;
  let browser: Browser;
  let edge: Host;
  beforeAll(async () => {
    publisher = await buildExplored(CONTRACTS, LAKE);
    browser = await launchBrowser();
    edge = await startEdgeHost(publisher.out);
  });
  afterAll(async () => {
    await browser.close();
    await edge.close();
    await rm(publisher.root, { recursive: true, force: true });
  });

  const open = async (host: Host) => {
    const options = { serviceWorkers: 'block' } as const;
    const visit = await openPage(browser, `${host.url}api/#getClimateRainfall`, options);
    const trial = visit.page.locator('.trial');
    const send = async (wanted: Readonly<Record<string, string>>, status: string) => {
      for (const [name, value] of Object.entries(wanted))
        await trial.getByLabel(name, { exact: true }).fill(value);
      await trial.getByRole('button', { name: 'Send the request' }).click();
      await trial.locator('strong', { hasText: status }).waitFor();
      return trial.locator('pre').textContent();
    };
    return { ...visit, trial, send };
  };

  test.each([
    ['under a sub-path', { base: '/repo/' }],
    ['that compresses', { gzip: true }],
  ])('a host of files %s: the page answers as the API would, and says so', async (_, options) => {
    const files = await startPlainHost(publisher.out, options);
    const { page, faults, trial, send } = await open(files);
    const redirected: string[] = [];
    page.on('response', response => {
      if (response.status() === 301) redirected.push(new URL(response.url()).search);
    });
    let asked: Readonly<Record<string, string>> = {};
    for (const [wanted, status] of REQUESTS) {
      asked = { ...asked, ...wanted };
      const shown = await send(wanted, status);
      const query = Object.entries(asked).filter(([, value]) => value !== '');
      const real = await fetch(`${edge.url}api/v1/climate/rainfall?${new URLSearchParams(query)}`);
      expect(real.status).toBe(Number(status));
      // What is longer is cut where the page shows it.
      const text = shown?.replace(/\n…$/, '').replaceAll('"/repo/', '"/') ?? '';
      expect(text.length).toBeGreaterThan(50);
      expect((await real.text()).startsWith(text)).toBe(true);
      expect(await trial.getByText(OWN).isVisible()).toBe(true);
    }
    expect(await accessibilityFindings(page, '.trial')).toEqual([]);
    // The browser complains of parts of compressed files.
    expect(faults.filter(fault => !/ERR_CONTENT_DECODING_FAILED/.test(fault))).toEqual([]);
    // Such a host leads from a folder's name to the folder's page, whatever is asked of it.
    expect(redirected).toHaveLength(REQUESTS.length);
    await page.context().close();
    await files.close();
  });

  test('a host with an edge answers itself', async () => {
    const { page, trial, send } = await open(edge);
    for (const [wanted, status] of REQUESTS) {
      await send(wanted, status);
      expect(await trial.getByText(OWN).count()).toBe(0);
    }
    await page.context().close();
  });
});
