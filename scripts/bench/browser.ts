/** `npm run bench -- browser`: how long a reader with a phone on a slow line waits for each part of the pages. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command, Option } from 'commander';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { SchemaDocument } from '../../build/format/documents.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { dimensionShapesPath, PAGES, pageFolder, ROOT, schemaPath } from '../../build/format/paths.ts';
import { findChromium, readShift } from './chromium.ts';
import { CIVIC, type ServerProcess, startServer } from './process.ts';
import { median, say, wholeNumber } from './report.ts';

interface Waited {
  readonly seconds: number;
  readonly shift: number;
  /** All that the server sent. */
  readonly bytes: number;
}

interface Step {
  readonly what: string;
  /** From the tree's root. */
  readonly path: string;
  /** What the reader waits for; none is the first paint. */
  readonly selector: string | null;
}

/** 1.6 Mbit/s, 150 ms, and a fourth of the processor. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const PROCESSOR = 4;
const PATIENCE = 120_000;
/** Milliseconds after the last part, in which late parts may still move it. */
const SETTLING = 1500;
const ARGUMENTS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking'.split(' ');

export const BROWSER: Command = new Command('browser')
  .description(
    'measures what a reader with a phone waits for: 390 px, 1.6 Mbit/s, 150 ms, processor / 4, empty cache',
  )
  .requiredOption('--tree <dir>', 'an existing tree')
  .addOption(new Option('--runs <n>', 'measurements, alternating').argParser(wholeNumber(50)).default(3))
  .action(async ({ tree, runs }: { tree: string; runs: number }) => {
    const executablePath = findChromium();
    if (executablePath === null)
      throw new Error('No Chromium is on this machine, and it is what is measured: apt-get install chromium');
    const args = [CIVIC, 'serve', tree, '--port', '0', '--json'];
    const server = await startServer('node', process.execPath, args);
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

/** Of the largest dataset, and of the first whose page offers a map. */
async function chooseSteps(tree: string): Promise<Step[]> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const { datasets } = await read<TreeManifest>(ROOT.manifest);
  const sorted = [...datasets]
    .sort((a, b) => b.rows - a.rows)
    .map(({ key }) => key.split('/') as [string, string]);
  const steps: Step[] = [];
  for (const [domain, topic] of sorted) {
    const folder = pageFolder(domain, topic);
    if (steps.length === 0)
      steps.push(
        { what: 'first paint', path: folder, selector: null },
        { what: 'first rows', path: `${folder}?view=table`, selector: '.explore-grid td' },
        { what: 'first chart', path: `${folder}?view=chart`, selector: '.explore-drawing svg' },
      );
    const { foreign_keys: joins } = await read<SchemaDocument>(schemaPath(domain, topic));
    const join = joins.find(one =>
      existsSync(path.join(tree, dimensionShapesPath(domain, one.target_object))),
    );
    const page = await readFile(path.join(tree, folder, 'index.html'), 'utf8');
    const hasMap = page.includes('>Map</button>');
    if (join === undefined || !hasMap || steps.some(({ what }) => what === 'map')) continue;
    const rows = dimensionShapesPath(domain, join.target_object).replace('shapes.json', 'rows.json');
    const [row] = (await read<{ data: Record<string, string>[] }>(rows)).data;
    const target = join.target_columns[0] ?? '';
    const query = new URLSearchParams({ dimension: join.target_object, [target]: String(row?.[target]) });
    steps.push(
      { what: 'map', path: `${folder}?view=map`, selector: '.explore-map svg' },
      { what: 'page of a place', path: `${PAGES.places}/?${query}`, selector: '#place svg.small-curve' },
    );
  }
  return steps;
}

/** From an empty browser to the part that the step waits for; no seconds (NaN) if it does not come. */
async function measureStep(browser: Browser, server: ServerProcess, step: Step): Promise<Waited> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR });
    const before = await server.usage();
    const started = performance.now();
    const waitUntil = step.selector === null ? 'load' : 'commit';
    await page.goto(`${server.url}/${step.path}`, { waitUntil, timeout: PATIENCE });
    if (step.selector !== null) await page.waitForSelector(step.selector, { timeout: PATIENCE });
    const waited = step.selector === null ? await readFirstPaint(page) : performance.now() - started;
    const bytes = (await server.usage()).written - before.written;
    await page.waitForTimeout(SETTLING);
    return { seconds: waited / 1000, shift: await readShift(page), bytes };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return { seconds: Number.NaN, shift: 0, bytes: 0 };
    throw error;
  } finally {
    await context.close();
  }
}

/** Chromium may tell of the first paint later than of the page's load. */
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
