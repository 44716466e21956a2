/** What a reader sees if something doesn't arrive, and that trying again helps: in Chromium, on the built tree. */
import { describe, test } from 'vitest';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { CHROMIUM, newContext, sharedBrowser, startEdgeHost, useHost } from './browser.ts';

const DRAWN = '.explore-plot svg';

/** Addresses of views, and a selector that shows that they are ready. */
const VIEWS = {
  lines: ['datasets/education/attendance/?detail=districts&place=601&view=chart', DRAWN],
  table: ['datasets/education/attendance/?detail=districts&view=table', '.explore-grid td'],
  map: ['datasets/census/employment/?detail=counties&view=map', DRAWN],
  frame: ['datasets/education/attendance/embed.html?detail=districts&place=601&view=chart', DRAWN],
  place: ['places/?dimension=districts&district_code=601', '.place-figures td strong'],
  search: ['?q=absent', '#search-results h3 a'],
  sql: ['sql/#q=SELECT%20count(*)%20AS%20n%20FROM%20attendance', '.sql-console table'],
} as const;

const ROWS = /\/api\/v1\/education\/attendance\/.*\.(json|parquet)$/;
const NO_PART = /part of this page could not be loaded/;

/** The view, the requests that fail, how, and the message. */
const FAILURES = [
  ['lines', /\/values\.json$/, 'aborted', /could not be read.*cannot be reached.*download/],
  ['lines', /\/values\.json$/, 'silent', /could not be read.*sent nothing for \d+ seconds/],
  ['lines', /\.parquet$/, 500, /data could not be read.*status 500/],
  ['table', /year=.*\.json$|\.parquet$/, 'silent', /could not be read.*sent nothing for \d+ seconds/],
  ['lines', /\/assets\/dataset-/, 'aborted', NO_PART],
  ['lines', /\/assets\/dataset-/, 'silent', NO_PART],
  ['lines', /\/assets\/engine-worker-/, 'aborted', NO_PART],
  ['lines', /\/assets\/engine-worker-/, 'silent', NO_PART],
  ['map', /shapes/, 500, /host answers with an error \(status 500\)/],
  ['frame', /\/values\.json$/, 500, /data could not be read.*status 500/],
  ['search', /search\.json$/, 'aborted', /data could not be read.*cannot be reached/],
  ['search', /search\.json$/, 'silent', /data could not be read.*sent nothing for \d+/],
  ['place', /search\.json$/, 'aborted', /data could not be read.*cannot be reached/],
  ['place', ROWS, 'aborted', /1 dataset could not be read.*cannot be reached/],
  ['sql', /\.wasm/, 'aborted', /database could not be loaded.*cannot be reached/],
  ['sql', /\.wasm/, 'silent', /database could not be loaded.*sent nothing for \d+ seconds/],
  ['sql', /\/assets\/sql-answer-/, 'aborted', /could not be loaded/],
] as const;

describe.skipIf(CHROMIUM === null)('what does not arrive', () => {
  const sample = useSampleTree();
  const host = useHost(() => startEdgeHost(sample.tree));

  test.concurrent.for(FAILURES)('%s: %s, %s, %s', async ([view, of, how, says], { expect }) => {
    const [path, ready] = VIEWS[view];
    const browser = await sharedBrowser();
    const context = await newContext(browser, { serviceWorkers: 'block' });
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
    const run = page.getByRole('button', { name: 'Run', exact: true });
    if (view === 'sql') await run.click();
    const notice = page.getByRole('alert').filter({ hasText: view === 'sql' ? says : 'Try again' });
    await notice.first().waitFor();
    expect(failed).toBeGreaterThan(0);
    const text = await notice.first().innerText();
    expect(text).toMatch(says);
    expect(text).not.toMatch(/:\/\/|assets\/|\.(js|json|parquet|wasm)\b/);
    isMended = true;
    const again = view === 'sql' ? run : notice.getByRole('button', { name: 'Try again' }).first();
    await again.click();
    await page.waitForSelector(ready);
    await expect.poll(() => notice.count()).toBe(0);
    await context.close();
  });
});

/** Runs in the page: shortens waits of half a minute to seven seconds, enough for any machine to send its request. */
function makeImpatient(): void {
  const wait = globalThis.setTimeout;
  const shorten = (time: number | undefined) => (time !== undefined && time >= 20_000 ? time / 4 : time);
  Object.assign(globalThis, {
    setTimeout: (work: () => void, time?: number) => wait(work, shorten(time)),
  });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (this: Worker, message: { silence?: number }, ...rest: never[]) {
    const silence = shorten(message.silence);
    postMessage.call(this, silence === undefined ? message : { ...message, silence }, ...rest);
  };
}
