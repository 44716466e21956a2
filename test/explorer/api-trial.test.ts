/** Requests are tried in the API's page, also where neither the host nor a service worker answers them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, type Host, startEdgeHost, startPlainHost, useHost, visit } from './browser.ts';
import { weatherPages } from './explored-tree.ts';

const OWN = 'This host stores files and answers no requests';

/** What is asked in turn, and the status of its answer, which is another than the one before. */
const REQUESTS = [
  [{ year: '2022', detail: 'regions', season: 'wet' }, '200'],
  [{ year: '2022', detail: 'planets', season: 'wet' }, '422'],
  [{ year_min: '2019', year: '', detail: 'stations', season: 'all', format: 'csv' }, '200'],
] as const;

describe.skipIf(CHROMIUM === null)('the page of the API, where no service worker may run', () => {
  const edge = useHost(async () => startEdgeHost((await weatherPages()).out));

  const open = async (host: Host) => {
    const page = await visit(`${host.url}api/#getClimateRainfall`, {
      serviceWorkers: 'block',
      // The browser complains of parts of compressed files, and of answers that refuse.
      expected: /ERR_CONTENT_DECODING_FAILED|422/,
    });
    const trial = page.locator('.trial');
    const send = async (wanted: Readonly<Record<string, string>>, status: string) => {
      for (const [name, value] of Object.entries(wanted))
        await trial.getByLabel(name, { exact: true }).fill(value);
      await trial.getByRole('button', { name: 'Send the request' }).click();
      await trial.locator('strong', { hasText: status }).waitFor();
      return (await trial.locator('pre').textContent()) ?? '';
    };
    return { page, trial, send };
  };

  test.each([
    ['under a sub-path', { base: '/repo/' }],
    ['that compresses', { gzip: true }],
  ])('a host of files %s: the page answers as the API would, and says so', async (_, options) => {
    const files = await startPlainHost((await weatherPages()).out, options);
    onTestFinished(files.close);
    const { page, trial, send } = await open(files);
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
      const text = shown.replace(/\n…$/, '').replaceAll('"/repo/', '"/');
      expect(text.length).toBeGreaterThan(50);
      expect((await real.text()).startsWith(text)).toBe(true);
      expect(await trial.getByText(OWN).isVisible()).toBe(true);
    }
    expect(await accessibilityFindings(page, '.trial')).toEqual([]);
    // Such a host leads from a folder's name to the folder's page, whatever is asked of it.
    expect(redirected).toHaveLength(REQUESTS.length);
  });

  test('a host with an edge answers itself', async () => {
    const { trial, send } = await open(edge);
    for (const [wanted, status] of REQUESTS) {
      const shown = await send(wanted, status);
      if (status === '422') expect(shown).toContain('"loc":["query","detail"]');
      expect(await trial.getByText(OWN).count()).toBe(0);
    }
  });
});
