/** What a reader is told where something does not arrive, and that trying again helps: in Chromium, on the built tree. */
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { CHROMIUM, sharedBrowser, startEdgeHost, useHost } from './browser.ts';
import { useExplored } from './explored-tree.ts';

const DRAWN = '.explore-drawing svg';

/** Views by what shows that they are there. */
const LINES = ['datasets/education/attendance/?detail=districts&place=601&view=chart', DRAWN] as const;
const TABLE = ['datasets/education/attendance/?detail=districts&view=table', '.explore-grid td'] as const;
const MAP = ['datasets/census/employment/?detail=counties&view=map', DRAWN] as const;
const FRAME = [
  'datasets/education/attendance/embed.html?detail=districts&place=601&view=chart',
  DRAWN,
] as const;
const PLACE = ['places/?dimension=districts&district_code=601', '.card .figure'] as const;
const SEARCH = ['?q=absent', '#catalog-results h3 a'] as const;
const SQL = [
  `sql/#${new URLSearchParams({ q: 'SELECT count(*) AS n FROM attendance' })}`,
  '.sql-console table',
] as const;

const ROWS = /\/api\/v1\/education\/attendance\/.*\.(json|parquet)$/;
const NO_READER = /part of this page that reads data could not be loaded/;
const NO_PART = /part of this page could not be loaded/;

/** What fails, the requests that do, how, and what the page says. */
const FAILURES = [
  ['documents', LINES, /\/values\.json$/, 'aborted', /could not load the data.*cannot be reached.*download/],
  ['documents', LINES, /\/values\.json$/, 'silent', /could not load the data.*sent nothing for \d+ seconds/],
  ['rows', LINES, /\.parquet$/, 500, /data could not be read.*status 500/],
  ['rows', TABLE, /year=.*\.json$|\.parquet$/, 'silent', /could not be read.*sent nothing for \d+ seconds/],
  ['a script', LINES, /\/assets\/mount-/, 'aborted', NO_PART],
  ['a script', LINES, /\/assets\/mount-/, 'silent', NO_PART],
  ['the reading script', LINES, /\/assets\/engine-worker-/, 'aborted', NO_READER],
  ['the reading script', LINES, /\/assets\/engine-worker-/, 'silent', NO_READER],
  ['the code of a map', MAP, /\/assets\/map-/, 'aborted', NO_PART],
  ['shapes', MAP, /shapes/, 500, /host answers with an error \(status 500\)/],
  ['a frame', FRAME, /\/values\.json$/, 500, /figures could not be loaded.*status 500/],
  [
    'the index of a search',
    SEARCH,
    /search\.json$/,
    'aborted',
    /search does not work now.*cannot be reached/,
  ],
  [
    'the index of a search',
    SEARCH,
    /search\.json$/,
    'silent',
    /search does not work now.*sent nothing for \d+/,
  ],
  [
    'the index of a place',
    PLACE,
    /search\.json$/,
    'aborted',
    /No place could be looked up.*cannot be reached/,
  ],
  ['rows of a place', PLACE, ROWS, 'aborted', /1 dataset could not be read.*cannot be reached/],
  ['the database', SQL, /\.wasm/, 'aborted', /database could not be loaded.*cannot be reached/],
  ['the database', SQL, /\.wasm/, 'silent', /database could not be loaded.*sent nothing for \d+ seconds/],
  ['the code of the database', SQL, /\/assets\/sql-answer-/, 'aborted', /could not be loaded/],
] as const;

describe.skipIf(CHROMIUM === null)('what does not arrive', () => {
  const sample = useExplored();
  const host = useHost(() => startEdgeHost(sample.tree));

  test.concurrent.for(FAILURES)('%s: %s, %s, %s', async ([, [path, ready], of, how, says], { expect }) => {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
    const page = await context.newPage();
    if (how === 'silent') await page.addInitScript(makeImpatient);
    let failed = 0;
    let isMended = false;
    await context.route(of, route => {
      if (isMended) return route.continue();
      failed++;
      if (how === 'aborted') return route.abort();
      // A silent host leaves the request without an answer.
      return how === 'silent' ? undefined : route.fulfill({ status: how, body: 'broken' });
    });
    await page.goto(host.url + path);
    if (path.startsWith('sql/')) await runQuery(page);
    const notice = page.getByRole('alert').filter({ hasText: 'Try again' });
    await notice.first().waitFor();
    expect(failed).toBeGreaterThan(0);
    const text = await notice.first().innerText();
    expect(text).toMatch(says);
    expect(text).not.toMatch(/:\/\/|assets\/|\.(js|json|parquet|wasm)\b/);
    isMended = true;
    await notice.getByRole('button', { name: 'Try again' }).first().click();
    await page.waitForSelector(ready);
    await expect.poll(() => notice.count(), { timeout: 20_000 }).toBe(0);
    await context.close();
  });
});

const runQuery = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();

/** Runs in the page: what waits half a minute waits for a few seconds, in the reading thread too. */
function makeImpatient(): void {
  const wait = globalThis.setTimeout;
  const shorten = (time: number | undefined) => (time !== undefined && time >= 20_000 ? time / 10 : time);
  Object.assign(globalThis, {
    setTimeout: (work: () => void, time?: number) => wait(work, shorten(time)),
  });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (this: Worker, message: { silence?: number }, ...rest: never[]) {
    const silence = shorten(message.silence);
    postMessage.call(this, silence === undefined ? message : { ...message, silence }, ...rest);
  };
}
