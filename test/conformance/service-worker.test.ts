/**
 * The edge as a service worker in Chromium, on hosts that only serve files: the same answers as under Node.
 */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { THINGS_DATE } from '../edge/tree/fixture.ts';
import { FACTS, questionUrl } from '../edge/tree/reference.ts';
import {
  CHROMIUM,
  type Host,
  openPage,
  sharedBrowser,
  startPlainHost,
  type Visit,
} from '../explorer/browser.ts';
import { pagedThings } from '../explorer/engine-page.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { answering, served } from '../served.ts';
import { expectRowsOfLake } from './executors.ts';
import { OF_EACH_PLAN } from './questions.ts';
import { useSampleTree } from './sample-tree.ts';

const HOSTS = {
  'under a sub-path': { base: '/some/repo/' },
  'compressed, ranges ignored': { gzip: true },
} as const;

const DIMENSION = '/api/v1/demo/_dimensions/areas';

/** Requests that don't ask for rows, and wrong ones. */
const OTHERS = [
  ...[
    '/healthz',
    '/api/v1/datasets?ignored=1',
    '/api/v1/demo/thing',
    `${FACTS}/values`,
    `${DIMENSION}/schema`,
  ],
  ...['json', 'xml'].map(format => `/api/v1/datasets/demo/things/contract?format=${format}`),
  ...[`${DIMENSION}?limit=2&offset=1`, `${FACTS}?group=blu&limit=0&area_code=,`, `${FACTS}?area_code=%FF`],
  ...[`${FACTS}?${'x'.repeat(9000)}`, `${FACTS}?format=parquet&area_code=150`],
];

describe.skipIf(CHROMIUM === null)('the service worker', () => {
  let things: Publisher;
  let folder: string;
  let edge: string;
  let browser: Browser;

  beforeAll(async () => {
    things = await pagedThings();
    folder = things.out;
    edge = await served(folder);
    browser = await sharedBrowser();
  });

  describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])('%s', name => {
    let host: Host;
    let visit: Visit;
    let base: string;
    beforeAll(async () => {
      host = await startPlainHost(folder, HOSTS[name]);
      base = new URL(host.url).pathname.slice(0, -1);
      visit = await openControlled(browser, host);
    });
    // The browser logs every error status.
    afterAll(() =>
      expect(visit.faults.filter(fault => !/status of (404|405|414|422|501)/.test(fault))).toEqual([]),
    );

    const ask = (path: string, method = 'GET') => askPage(visit, base + path, method);

    async function checkSame(path: string): Promise<void> {
      const wanted = await fetch(edge + path, { redirect: 'manual' });
      const found = await ask(path);
      const text = Buffer.from(await wanted.arrayBuffer()).toString('latin1');
      expect({ path, ...found }).toEqual({
        path,
        status: wanted.status,
        type: wanted.headers.get('content-type'),
        link: rebase(wanted.headers.get('link'), base),
        body: rebase(text, base),
      });
    }

    test.each(OF_EACH_PLAN)('%s', async (_, question) => {
      await checkSame(questionUrl(question));
      await checkSame(questionUrl(question, 'csv'));
    });

    test.each(OTHERS)('%s', path => checkSame(path));

    test('other methods', async () => {
      expect((await ask(FACTS, 'HEAD')).status).toBe(200);
      expect((await ask(FACTS, 'POST')).status).toBe(405);
    });

    test('files and pages are left to the host', async () => {
      const names = [
        'api/v1/demo/things/manifest.json',
        'index.json',
        'api/v1/',
        'nothing.json',
        'api/v1/demo',
      ];
      const files = names.map(name => host.url + name);
      const seen = await visit.page.evaluate(async urls => {
        const answers = await Promise.all(urls.map(url => fetch(url)));
        return answers.map(({ status, headers }) => [status, headers.get('etag')]);
      }, files);
      // The host's own ETag, if it has one; the edge's answers have others. The host redirects to the page of
      // a folder.
      const own = await Promise.all(files.map(file => fetch(file)));
      expect(seen).toEqual(own.map(({ status, headers }) => [status, headers.get('etag')]));
      expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200]);
    });
  });

  test('pages register it as the edge if the host has none, and otherwise only to keep what was read', async () => {
    const host = await startPlainHost(folder, { base: '/repo/' });
    const plain = await openPage(browser, host.url);
    await plain.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const path = questionUrl({ year: 2022, filters: { area_code: ['150'] } });
    expect((await askPage(plain, `/repo${path}`, 'GET')).status).toBe(200);
    expect(plain.faults).toEqual([]);

    const edged = await openPage(browser, `${edge}/`);
    const script = await edged.page.evaluate(async () => {
      const { active, installing, waiting } = await navigator.serviceWorker.ready;
      return new URL((active ?? waiting ?? installing)!.scriptURL).search;
    });
    expect(script).toBe('?host');
    expect(edged.faults).toEqual([]);
  });

  test('a new release is used at once, and completely', async () => {
    const moving = path.join(await temporaryFolder(), 'dist');
    await cp(folder, moving, { recursive: true });
    const host = await startPlainHost(moving, { gzip: true });
    const visit = await openControlled(browser, host);
    const question = questionUrl({ year: 2022, filters: { group: ['all'] } });
    const before = JSON.parse((await askPage(visit, question, 'GET')).body);
    expect(before.license).toBe('ODC-By-1.0');
    expect(before.notices).toHaveLength(1);
    await rm(path.join(things.data, '_sample.json'));
    await things.with({ out: moving }).build({ pages: openPages(), releaseDate: THINGS_DATE });
    await expect
      .poll(async () => JSON.parse((await askPage(visit, question, 'GET')).body).notices?.length, {
        interval: 100,
      })
      .toBe(0);
  });
});

describe.skipIf(CHROMIUM === null)('the service worker, asked at random', () => {
  const sample = useSampleTree();

  test('every answer is what DuckDB finds in the lake', async () => {
    const host = await startPlainHost(sample.tree);
    const visit = await openControlled(await sharedBrowser(), host);
    const server = await answering(async ({ url, method }, response) => {
      const { status, type, body } = await askPage(visit, url ?? '/', method ?? 'GET');
      response.writeHead(status, { 'Content-Type': type ?? '' }).end(body, 'latin1');
    });
    await expectRowsOfLake({ ...sample, server });
  });
});

/** Links of an answer from a tree in a folder. */
function rebase(text: string | null, base: string): string | null {
  if (text === null) return null;
  return text.replace(/("(?:next|url)":"|<)\//g, `$1${base}/`);
}

/** A page that the worker controls. */
async function openControlled(browser: Browser, host: Host): Promise<Visit> {
  const visit = await openPage(browser, `${host.url}robots.txt`);
  await visit.page.evaluate(async root => {
    const controlled = new Promise(done =>
      navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }),
    );
    await navigator.serviceWorker.register(`${root}service-worker.js`, { scope: new URL(root).pathname });
    await controlled;
  }, host.url);
  return visit;
}

function askPage({ page }: Visit, path: string, method: string) {
  return page.evaluate(
    async ([where, how]) => {
      const response = await fetch(where!, { method: how! });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        link: response.headers.get('link'),
        body: Array.from(bytes, byte => String.fromCharCode(byte)).join(''),
      };
    },
    [path, method],
  );
}
