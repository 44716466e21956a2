import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUESTIONS } from '../conformance/questions.ts';
import { matchingRows, questionUrl } from '../edge/tree/reference.ts';
import { COLUMNS } from '../edge/tree/rows.ts';
import { writeTree } from '../edge/tree/write.ts';
import { CHROMIUM, type Host, launchBrowser, startEdgeHost, startPlainHost } from './browser.ts';
import { addBundle } from './bundle.ts';
import { type EnginePage, openEnginePage } from './engine-page.ts';

const HOSTS = {
  'the edge': startEdgeHost,
  'files under a sub-path': (folder: string) => startPlainHost(folder, { base: '/repo/' }),
  'compressed files': (folder: string) => startPlainHost(folder, { gzip: true }),
} satisfies Record<string, (folder: string) => Promise<Host>>;

const KEY = 'demo/things';

let folder: string;
let browser: Browser;

describe.skipIf(CHROMIUM === null)('the engine in Chromium', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engine-'));
    await writeTree(folder, { sample: true });
    await addBundle(folder);
    browser = await launchBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
  });

  describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])('on %s', name => {
    let host: Host;
    let engine: EnginePage;
    beforeAll(async () => {
      host = await HOSTS[name](folder);
      engine = await openEnginePage(browser, host.url);
    }, 60_000);
    afterAll(async () => {
      expect(engine.faults).toEqual([]);
      await engine.close();
      await host.close();
    });

    const parametersOf = (url: string) => [...new URL(url, host.url).searchParams] as [string, string][];

    test.each(QUESTIONS)('all rows: %s', async (_, question) => {
      const { offset = 0, limit } = question;
      const wanted = matchingRows(question).slice(offset, limit === undefined ? undefined : offset + limit);
      const { columns, rows } = await engine.ask(KEY, parametersOf(questionUrl(question)));
      expect(columns).toEqual(COLUMNS.map(column => column.name));
      expect(rows).toEqual(wanted.map(row => [...row]));
    });

    test.each(QUESTIONS)('first rows: %s', async (_, question) => {
      const { offset = 0 } = question;
      const { limit: _limit, ...whole } = question;
      const wanted = matchingRows(whole);
      const { rows, total, notices } = await engine.first(KEY, parametersOf(questionUrl(whole)), 20);
      expect(rows).toEqual(wanted.slice(offset, offset + 20).map(row => [...row]));
      expect([wanted.length, null]).toContain(total);
      expect(notices).toEqual(['Synthetic sample data: no figure here describes a real place.']);
    });
  });
});
