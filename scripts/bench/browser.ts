/** `npm run bench -- browser`: how long the parts of the pages take on a phone with a slow connection. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { type Browser, chromium, type Page } from 'playwright-core';
import { integer } from '../../build/cli/arguments.ts';
import type { SchemaDocument } from '../../build/format/documents.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { dimensionShapesPath, PAGES, pageFolderOf, ROOT, schemaPath } from '../../build/format/paths.ts';
import { median, type ServerProcess, say, serveTree } from './measurement.ts';

interface Waited {
  readonly seconds: number;
  readonly shift: number;
  /** Bytes that the server sent. */
  readonly bytes: number;
}

interface Step {
  readonly what: string;
  /** From the tree's root. */
  readonly path: string;
  /** What the reader waits for; null: the first paint. */
  readonly selector: string | null;
}

/** 1.6 Mbit/s and 150 ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** How many times slower than this machine's processor. */
const SLOWDOWN = 4;
const TIMEOUT_MS = 120_000;
/** Later parts may still shift the page for this long. */
const SETTLING_MS = 1500;
const ARGUMENTS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking'.split(' ');

export const BROWSER: Command = new Command('browser')
  .description(
    'measures how long a reader with a phone waits: 390 px, 1.6 Mbit/s, 150 ms, processor / 4, empty cache',
  )
  .requiredOption('--tree <dir>', 'an existing tree')
  .option('--runs <n>', 'measurements, alternating', integer(1, 50), 3)
  .action(async ({ tree, runs }: { tree: string; runs: number }) => {
    const executablePath = findChromium();
    if (executablePath === null) throw new Error('This needs Chromium: apt-get install chromium');
    const server = await serveTree(tree);
    const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
    try {
      const steps = await chooseSteps(tree);
      const found = steps.map((): Waited[] => []);
      for (let run = 0; run < runs; run++)
        for (const [i, step] of steps.entries()) found[i]?.push(await measureStep(browser, server, step));
      say(`Medians of ${runs} runs: seconds, kB that the server sent, layout shift`);
      for (const [i, { what }] of steps.entries()) {
        const of = (pick: (one: Waited) => number) => median((found[i] ?? []).map(pick));
        say(
          `${what.padEnd(20)} ${of(one => one.seconds).toFixed(2)} s ${of(one => one.bytes / 1000).toFixed(0)} kB, shift ${of(one => one.shift).toFixed(3)}`,
        );
      }
    } finally {
      await browser.close();
      await server.stop();
    }
  });

/** Steps for the largest dataset, and for the first whose page offers a map. */
async function chooseSteps(tree: string): Promise<Step[]> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const { datasets } = await read<TreeManifest>(ROOT.manifest);
  const keys = [...datasets].sort((a, b) => b.rows - a.rows).map(({ key }) => key);
  const largest = pageFolderOf(keys[0] ?? '');
  const steps: Step[] = [
    { what: 'first paint', path: largest, selector: null },
    { what: 'first rows', path: `${largest}?view=table`, selector: '.explore-grid td' },
    { what: 'first chart', path: `${largest}?view=chart`, selector: '.explore-drawing svg' },
  ];
  for (const key of keys) {
    const [domain = '', topic = ''] = key.split('/');
    const { foreign_keys: joins } = await read<SchemaDocument>(schemaPath(domain, topic));
    const shapesOf = (target: string) => dimensionShapesPath(domain, target);
    const join = joins.find(one => existsSync(path.join(tree, shapesOf(one.target_object))));
    const page = await readFile(path.join(tree, pageFolderOf(key), 'index.html'), 'utf8');
    if (join === undefined || !page.includes('>Map</button>')) continue;
    const rows = shapesOf(join.target_object).replace('shapes.json', 'rows.json');
    const [row] = (await read<{ data: Record<string, string>[] }>(rows)).data;
    const target = join.target_columns[0] ?? '';
    const query = new URLSearchParams({ dimension: join.target_object, [target]: String(row?.[target]) });
    return [
      ...steps,
      { what: 'map', path: `${pageFolderOf(key)}?view=map`, selector: '.explore-map svg' },
      { what: 'page of a place', path: `${PAGES.places}/?${query}`, selector: '#place svg.small-curve' },
    ];
  }
  return steps;
}

/** Opens a page in a new browser context. Throws if the part doesn't appear. */
async function measureStep(browser: Browser, server: ServerProcess, step: Step): Promise<Waited> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const before = await server.usage();
    const started = performance.now();
    const waitUntil = step.selector === null ? 'load' : 'commit';
    await page.goto(`${server.url}/${step.path}`, { waitUntil, timeout: TIMEOUT_MS });
    if (step.selector !== null) await page.waitForSelector(step.selector, { timeout: TIMEOUT_MS });
    const waited = step.selector === null ? await readFirstPaint(page) : performance.now() - started;
    const bytes = (await server.usage()).written - before.written;
    await page.waitForTimeout(SETTLING_MS);
    return { seconds: waited / 1000, shift: await readShift(page), bytes };
  } finally {
    await context.close();
  }
}

/** Milliseconds. Chromium may report the first paint after the load event. */
function readFirstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const observer = new PerformanceObserver(list => {
          const [paint] = list.getEntriesByName('first-contentful-paint');
          if (paint) resolve(paint.startTime);
        });
        observer.observe({ type: 'paint', buffered: true });
      }),
  );
}

/** The headless shell comes first: it is the same engine, and a page takes a third of the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser delivers the recorded shifts within this time. */
const DELIVERY_MS = 300;

/** The program's path; null if none is installed. */
export function findChromium(): string | null {
  return NAMES.map(name => `/usr/bin/${name}`).find(file => existsSync(file)) ?? null;
}

/** The sum of all layout shifts so far, except those right after the reader's own input. */
export function readShift(page: Page): Promise<number> {
  return page.evaluate(
    delivery =>
      new Promise<number>(done => {
        let sum = 0;
        type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean };
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), delivery);
      }),
    DELIVERY_MS,
  );
}
