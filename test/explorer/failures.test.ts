/** What a reader is told where something does not arrive, and that trying again helps: in Chromium, on the built tree. */
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { CHROMIUM, useEdgePages } from './browser.ts';
import { EXPLORED, openPages } from './explored-tree.ts';

const LINES = 'datasets/education/attendance/?detail=districts&place=601&view=chart';
const TABLE = 'datasets/education/attendance/?detail=districts&view=table';
const MAP = 'datasets/census/employment/?detail=counties&view=map';
const FRAME = 'datasets/education/attendance/embed.html?detail=districts&place=601&view=chart';
const PLACE = 'places/?dimension=districts&district_code=601';
const SQL = `sql/#${new URLSearchParams({ q: 'SELECT count(*) AS n FROM attendance' })}`;

const DRAWN = '.explore-drawing svg';

interface Failure {
  readonly path: string;
  /** The requests that fail. */
  readonly of: RegExp;
  readonly how: 'aborted' | 500 | 'silent';
  /** What the page says. */
  readonly says: RegExp;
  /** What is there once trying again has helped. */
  readonly ready: string;
  act?(page: Page): Promise<void>;
}

const ROWS = /\/api\/v1\/education\/attendance\/.*\.(json|parquet)$/;
const runQuery = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();

const FAILURES: Readonly<Record<string, Failure>> = {
  'documents that break off': {
    ...{ path: LINES, of: /\/values\.json$/, how: 'aborted', ready: DRAWN },
    says: /could not load the data.*cannot be reached.*still download/,
  },
  'documents that never come': {
    ...{ path: LINES, of: /\/values\.json$/, how: 'silent', ready: DRAWN },
    says: /could not load the data.*sent nothing for \d+ seconds/,
  },
  'rows with a status of 500': {
    ...{ path: LINES, of: /\.parquet$/, how: 500, ready: DRAWN },
    says: /data could not be read.*status 500/,
  },
  'rows that never come': {
    ...{ path: TABLE, of: /year=.*\.json$|\.parquet$/, how: 'silent', ready: '.explore-grid td' },
    says: /data could not be read.*sent nothing for \d+ seconds/,
  },
  'a script that breaks off': {
    ...{ path: LINES, of: /\/assets\/mount-/, how: 'aborted', ready: DRAWN },
    says: /part of this page could not be loaded/,
  },
  'a script that never comes': {
    ...{ path: LINES, of: /\/assets\/mount-/, how: 'silent', ready: DRAWN },
    says: /part of this page could not be loaded/,
  },
  'the reading script, which breaks off': {
    ...{ path: LINES, of: /\/assets\/engine-worker-/, how: 'aborted', ready: DRAWN },
    says: /part of this page that reads data could not be loaded/,
  },
  'the reading script, which never comes': {
    ...{ path: LINES, of: /\/assets\/engine-worker-/, how: 'silent', ready: DRAWN },
    says: /part of this page that reads data could not be loaded/,
  },
  'the code of a map': {
    ...{ path: MAP, of: /\/assets\/map-/, how: 'aborted', ready: DRAWN },
    says: /part of this page could not be loaded/,
  },
  'shapes with a status of 500': {
    ...{ path: MAP, of: /shapes/, how: 500, ready: DRAWN },
    says: /host answers with an error \(status 500\)/,
  },
  'a frame of another site': {
    ...{ path: FRAME, of: /\/values\.json$/, how: 500, ready: DRAWN },
    says: /figures could not be loaded.*status 500/,
  },
  'the index of a search': {
    ...{ path: '?q=absent', of: /search\.json$/, how: 'aborted', ready: '#catalog-results h3 a' },
    says: /search does not work now.*cannot be reached/,
  },
  'the index of a search, which never comes': {
    ...{ path: '?q=absent', of: /search\.json$/, how: 'silent', ready: '#catalog-results h3 a' },
    says: /search does not work now.*sent nothing for \d+ seconds/,
  },
  'the index of a place': {
    ...{ path: PLACE, of: /search\.json$/, how: 'aborted', ready: '.card .figure' },
    says: /No place could be looked up.*cannot be reached/,
  },
  'rows of a place': {
    ...{ path: PLACE, of: ROWS, how: 'aborted', ready: '.card .figure' },
    says: /1 dataset could not be read.*cannot be reached/,
  },
  'the database': {
    ...{ path: SQL, of: /\.wasm/, how: 'aborted', ready: '.sql-console table', act: runQuery },
    says: /database could not be loaded.*cannot be reached/,
  },
  'the database, which never comes': {
    ...{ path: SQL, of: /\.wasm/, how: 'silent', ready: '.sql-console table', act: runQuery },
    says: /database could not be loaded.*sent nothing for \d+ seconds/,
  },
  'the code of the database': {
    ...{ path: SQL, of: /\/assets\/sql-answer-/, how: 'aborted', ready: '.sql-console table', act: runQuery },
    says: /could not be loaded/,
  },
};

describe.skipIf(CHROMIUM === null)('what does not arrive', () => {
  const sample = useSampleTree(EXPLORED, { openPages });
  const edge = useEdgePages(() => sample.tree);

  test.concurrent.for(Object.entries(FAILURES))('%s', async ([, failure], { expect }) => {
    const { path, of, how, says, ready, act } = failure;
    const context = await edge.browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
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
    await page.goto(edge.host.url + path);
    await act?.(page);
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
