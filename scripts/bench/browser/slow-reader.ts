/** How long a reader with a phone on a slow line waits for each part of the pages: 1.6 Mbit/s, 150 ms, a fourth of the processor. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { TreeManifest } from '../../../build/format/manifest.ts';
import { dimensionShapesPath, PAGES, pageFolder, ROOT, schemaPath } from '../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';
import type { BenchHost } from './host.ts';
import { readShift } from './layout-shift.ts';
import type { BrowserQuestions } from './questions.ts';

export interface SlowResult {
  readonly what: string;
  /** Null where the tree has nothing to measure. */
  readonly seconds: number | null;
  readonly shift: number;
  readonly bytes: number;
}

interface Step {
  readonly what: string;
  /** From the tree's root. */
  readonly path: string;
  /** What the reader waits for; none is the first paint. */
  readonly selector: string | null;
  /** Done once the page stands; the time then begins. */
  readonly start?: (page: Page) => Promise<void>;
}

const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const PROCESSOR = 4;
const PATIENCE = 120_000;
/** Milliseconds after the last part, in which late parts may still move it. */
const SETTLING = 1500;

export async function measureSlowReader(
  browser: Browser,
  host: BenchHost,
  tree: string,
  { key, detail, place }: BrowserQuestions,
): Promise<SlowResult[]> {
  const folder = pageFolder(...(key.split('/') as [string, string]));
  const drawn = '.explore-plot svg';
  const mapped = await findMapped(tree);
  const one = `detail=${detail}&${place.column}=${place.value}`;
  const steps: readonly Step[] = [
    { what: 'first paint', path: folder, selector: null },
    { what: 'first rows', path: `${folder}?${one}&view=table`, selector: '.explore-grid td' },
    { what: 'first chart', path: `${folder}?${one}&view=chart`, selector: drawn },
    ...(mapped === null
      ? []
      : [{ what: 'map', path: `${mapped.page}?view=map`, selector: '.explore-map svg' }]),
    ...(mapped === null
      ? []
      : [{ what: 'page of a place', path: mapped.place, selector: '#place .card svg' }]),
    {
      what: 'first SQL answer',
      path: `${PAGES.sql}/#${new URLSearchParams({ q: `SELECT count(*) AS n FROM "${key}" WHERE detail = '${detail}'` })}`,
      selector: '.sql-result td',
      start: async page => {
        await page.waitForSelector('.cm-content', { timeout: PATIENCE });
        await page.getByRole('button', { name: 'Run' }).click();
      },
    },
  ];
  const results: SlowResult[] = [];
  for (const step of steps) results.push(await measureStep(browser, host, step));
  return results;
}

/** A dataset with a map, and the page of one of its places; null if the tree has none. */
async function findMapped(tree: string): Promise<{ readonly page: string; readonly place: string } | null> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  for (const { key } of (await read<TreeManifest>(ROOT.manifest)).datasets) {
    const [domain = '', topic = ''] = key.split('/');
    const { foreign_keys: joins } = await read<SchemaDocument>(schemaPath(domain, topic));
    const join = joins.find(({ target_object: name }) =>
      existsSync(path.join(tree, dimensionShapesPath(domain, name))),
    );
    const target = join?.target_columns[0];
    if (!join || target === undefined) continue;
    const file = dimensionShapesPath(domain, join.target_object).replace('shapes.json', 'rows.json');
    const [row] = (await read<{ data: Record<string, string>[] }>(file)).data;
    const query = new URLSearchParams([
      ['dimension', join.target_object],
      [target, String(row?.[target])],
    ]);
    return { page: pageFolder(domain, topic), place: `${PAGES.places}/?${query}` };
  }
  return null;
}

async function measureStep(
  browser: Browser,
  host: BenchHost,
  { what, path: address, selector, start }: Step,
): Promise<SlowResult> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR });
    const before = host.sent();
    let started = performance.now();
    await page.goto(host.url + address, {
      waitUntil: selector === null ? 'load' : 'commit',
      timeout: PATIENCE,
    });
    if (start) {
      await start(page);
      started = performance.now();
    }
    if (selector !== null) await page.waitForSelector(selector, { timeout: PATIENCE });
    const waited = selector === null ? await readFirstPaint(page) : performance.now() - started;
    const bytes = host.sent() - before;
    await page.waitForTimeout(SETTLING);
    return { what, seconds: waited / 1000, shift: await readShift(page), bytes };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return { what, seconds: null, shift: 0, bytes: 0 };
    throw error;
  } finally {
    await context.close();
  }
}

function readFirstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
}
