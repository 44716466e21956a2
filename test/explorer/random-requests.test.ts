/** What the browser shows is what the API answers: random requests, asked of both. */
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readContracts } from '../../scripts/fuzz/contract-tables.ts';
import { openLake } from '../../scripts/fuzz/lake-tables.ts';
import { type Question, questions, questionUrl } from '../../scripts/fuzz/question.ts';
import { describeSubjects } from '../../scripts/fuzz/run.ts';
import { encodeCsvValue } from '../../site/query/encode.ts';
import { CONTRACTS, useSampleTree } from '../conformance/sample-tree.ts';
import { randomRuns } from '../random-runs.ts';
import { CHROMIUM, type Host, launchBrowser, startEdgeHost, startPlainHost } from './browser.ts';
import { bundledTree } from './bundle.ts';
import { type EnginePage, openEnginePage } from './engine-page.ts';

const REQUESTS = randomRuns(100);

describe.skipIf(CHROMIUM === null)('the same rows as the edge gives', () => {
  const sample = useSampleTree();
  let browser: Browser;
  let edge: Host;
  let files: Host;
  let engine: EnginePage;

  beforeAll(async () => {
    const tree = await bundledTree(sample.tree);
    [edge, files] = await Promise.all([startEdgeHost(tree), startPlainHost(tree)]);
    browser = await launchBrowser();
    engine = await openEnginePage(browser, files.url);
  });
  afterAll(async () => {
    expect(engine.faults).toEqual([]);
    await browser?.close();
    await edge?.close();
    await files?.close();
  });

  test(`for ${REQUESTS} random requests`, { timeout: 300_000 }, async () => {
    const seed = Date.now() % 2 ** 31;
    console.log(`seed ${seed}`);
    const lake = await openLake(sample.lake, await readContracts(CONTRACTS));
    const subjects = await describeSubjects(lake, sample.tree);
    lake.close();
    let rows = 0;
    for (const question of fc.sample(questions(subjects), { seed, numRuns: REQUESTS })) {
      const url = new URL(questionUrl({ ...question, format: 'csv' } satisfies Question), edge.url);
      const response = await fetch(url);
      expect([url.href, response.status]).toEqual([url.href, 200]);
      const wanted = await response.text();
      const key = url.pathname.replace('/api/v1/', '');
      const parameters = [...url.searchParams].filter(([name]) => name !== 'format');
      const answer = await engine.ask(key, parameters as [string, string][]);
      const lines = [answer.columns, ...answer.rows].map(
        cells => `${cells.map(encodeCsvValue).join(',')}\r\n`,
      );
      expect([url.href, lines.join('')]).toEqual([url.href, wanted]);
      const first = await engine.first(key, parameters as [string, string][], 30);
      const limit = Math.min(30, question.limit ?? 30);
      expect([url.href, first.rows]).toEqual([url.href, answer.rows.slice(0, limit)]);
      rows += answer.rows.length;
    }
    expect(rows).toBeGreaterThan(REQUESTS);
  });
});
