/** `npm run bench -- browser`: how long a reader waits in Chromium and how much is sent, against fetching whole files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { type BenchHost, OWN, startBenchHost } from './browser/host.ts';
import { type BrowserQuestions, chooseQuestions } from './browser/questions.ts';
import { measureSlowReader } from './browser/slow-reader.ts';
import { findChromium } from './chromium.ts';

export interface BrowserBenchOptions {
  readonly tree: string;
  readonly runs: number;
}

interface Measured {
  readonly milliseconds: number;
  readonly bytes: number;
  /** Rows of the answer, to check that all ways give the same. */
  readonly rows: number;
}

const COMPILED = fileURLToPath(new URL('../../', import.meta.url));
const BUNDLE = path.join(COMPILED, 'explorer');

export async function benchBrowser({ tree, runs }: BrowserBenchOptions): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === null) {
    say('No Chromium is on this machine, and it is what is measured: apt-get install chromium');
    process.exitCode = 1;
    return;
  }
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
  await writePage(scratch);
  const questions = await chooseQuestions(tree);
  const host = await startBenchHost(path.resolve(tree), [scratch, BUNDLE]);
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
  try {
    await measureAll(browser, host, questions, runs);
    say('A phone of 390 px: 1.6 Mbit/s, 150 ms, processor / 4, empty cache; one run.');
    for (const { what, seconds, shift, bytes } of await measureSlowReader(browser, host, tree, questions))
      say(
        `${what.padEnd(22)} ${(seconds?.toFixed(2) ?? 'none').padStart(7)} ${String(bytes).padStart(12)}  shift ${shift.toFixed(3)}`,
      );
  } finally {
    await browser.close();
    await host.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Writes an empty page, the engine under a fixed name, and the reader of whole files. */
async function writePage(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(BUNDLE, 'manifest.json'), 'utf8'));
  const engine = manifest['engine/open-engine.ts'].file;
  await writeFile(
    path.join(folder, 'page.html'),
    '<!doctype html><title>Bench</title><link rel="icon" href="data:,">',
  );
  await writeFile(path.join(folder, 'engine.js'), `export * from './${engine}';\n`);
  const bundle = await rolldown({
    input: path.join(COMPILED, 'scripts/bench/browser/whole-file.js'),
    platform: 'browser',
  });
  await bundle.write({ file: path.join(folder, 'whole-file.js'), format: 'esm', minify: true });
  await bundle.close();
}

async function measureAll(
  browser: Browser,
  host: BenchHost,
  questions: BrowserQuestions,
  runs: number,
): Promise<void> {
  const { key, detail, rows, years, history, place, measure, year } = questions;
  say(`${key}, ${detail}: ${rows} rows of ${years} years, ${history.bytes} bytes as one Parquet file.`);
  say(`Each run starts a new browser with an empty cache. Medians of ${runs} runs; bytes: everything sent.`);
  const engine = (call: string) =>
    `import('${OWN}engine.js').then(async ({ openEngine }) => {
      const engine = (globalThis.engine ??= openEngine(new URL('/', location.href)));
      const found = await ${call};
      return (found.table ?? found).rows;
    })`;
  const whole = (call: string) =>
    `import('${OWN}whole-file.js').then(page => page.${call}('/${history.path}', ${JSON.stringify(questions)}))`;
  const parameters = JSON.stringify([
    ['detail', detail],
    [place.column, place.value],
  ]);
  const statement = JSON.stringify(
    `SELECT "${year}", avg("${measure}") FROM "${key}" WHERE detail = '${detail}' GROUP BY ALL ORDER BY ALL`,
  );
  const tasks = {
    'first rows': engine(`engine.first('${key}', [['detail', '${detail}']], 50)`),
    'filtered answer': engine(`engine.ask('${key}', ${parameters}, [])`),
    'filtered, whole file': whole('filterWhole'),
    'grouped answer': engine(`engine.sql(${statement})`),
    'grouped, once started': engine(`engine.sql(${statement})`),
    'grouped, whole file': whole('groupWhole'),
  };
  /** Scripts that run first, unmeasured. */
  const before: Readonly<Record<string, string>> = {
    'grouped, once started': engine(`engine.sql('SELECT 1')`),
  };
  const found = new Map<string, Measured[]>();
  for (let run = 0; run < runs; run++)
    for (const [name, script] of Object.entries(tasks))
      found.set(name, [...(found.get(name) ?? []), await measureOne(browser, host, script, before[name])]);
  say(`${''.padEnd(22)} seconds        bytes   rows`);
  const medians = new Map<string, Measured>();
  for (const [name, all] of found) {
    const one = {
      milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
      bytes: median(all.map(({ bytes }) => bytes)),
      rows: all[0]!.rows,
    };
    medians.set(name, one);
    const seconds = (one.milliseconds / 1000).toFixed(2);
    say(
      `${name.padEnd(22)} ${seconds.padStart(7)} ${String(one.bytes).padStart(12)} ${String(one.rows).padStart(6)}`,
    );
  }
  for (const kind of ['filtered', 'grouped']) {
    const own = medians.get(`${kind} answer`)!;
    const all = medians.get(`${kind}, whole file`)!;
    if (own.rows !== all.rows)
      throw new Error(`${kind}: the engine gives ${own.rows} rows, the whole file ${all.rows}.`);
    const ratio = (a: number, b: number) => (a / b).toFixed(1);
    say(
      `${kind}: the whole file takes ${ratio(all.milliseconds, own.milliseconds)} times as long and ${ratio(all.bytes, own.bytes)} times the bytes.`,
    );
  }
}

/** Measures from an empty page to the answer, with all that the page loads. */
async function measureOne(
  browser: Browser,
  host: BenchHost,
  script: string,
  preparation?: string,
): Promise<Measured> {
  const context = await browser.newContext();
  try {
    const page: Page = await context.newPage();
    await page.goto(`${host.url}${OWN.slice(1)}page.html`);
    if (preparation !== undefined) await page.evaluate(preparation);
    const before = host.sent();
    const started = performance.now();
    const rows = await page.evaluate<number>(script);
    return { rows, milliseconds: performance.now() - started, bytes: host.sent() - before };
  } finally {
    await context.close();
  }
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
