/** What the engine in the browser gives is what the API answers: fixed questions on every host, and random requests. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContracts } from '../../scripts/fuzz/contract-tables.ts';
import { openLake } from '../../scripts/fuzz/lake-tables.ts';
import { questions, questionUrl as randomUrl } from '../../scripts/fuzz/question.ts';
import { describeSubjects } from '../../scripts/fuzz/run.ts';
import { encodeCsvValue } from '../../site/query/encode.ts';
import { QUESTIONS } from '../conformance/questions.ts';
import { CONTRACTS } from '../conformance/sample-tree.ts';
import { matchingRows, questionUrl } from '../edge/tree/reference.ts';
import { COLUMNS } from '../edge/tree/rows.ts';
import { randomRuns } from '../random-runs.ts';
import { CHROMIUM, startEdgeHost, startPlainHost, useHost } from './browser.ts';
import { bundledThings } from './bundle.ts';
import { useEngine } from './engine-page.ts';
import { useExplored } from './explored-tree.ts';

const REQUESTS = randomRuns(100);

describe.skipIf(CHROMIUM === null)('the engine in Chromium', () => {
  describe.each([
    ['files in ranges, under a sub-path', { base: '/repo/' }],
    ['whole files, compressed', { gzip: true }],
  ])('on %s', (_name, options) => {
    const host = useHost(async () => startPlainHost(await bundledThings(), options));
    const engine = useEngine(host);

    test.each(QUESTIONS)('%s: all rows, and the first of them', async (_, { limit, ...question }) => {
      const parameters = (of: typeof question & { limit?: number }) =>
        [...new URL(questionUrl(of), host.url).searchParams] as [string, string][];
      const wanted = matchingRows(question);
      const { offset = 0 } = question;
      const asked = limit === undefined ? question : { ...question, limit };
      const all = await engine.ask('demo/things', parameters(asked));
      expect(all.columns).toEqual(COLUMNS.map(column => column.name));
      expect(all.rows).toEqual(wanted.slice(offset, offset + (limit ?? Infinity)).map(row => [...row]));
      const first = await engine.first('demo/things', parameters(question), 20);
      expect(first.rows).toEqual(wanted.slice(offset, offset + 20).map(row => [...row]));
      expect([wanted.length, null]).toContain(first.total);
      expect(first.notices).toEqual(['Synthetic sample data: no figure here describes a real place.']);
    });
  });

  describe('over the sample', () => {
    const sample = useExplored();
    const edge = useHost(() => startEdgeHost(sample.tree));
    const engine = useEngine(
      useHost(() => startPlainHost(sample.tree)),
      'robots.txt',
    );

    test(`the rows of the edge for ${REQUESTS} random requests`, { timeout: 300_000 }, async () => {
      const seed = Date.now() % 2 ** 31;
      console.log(`seed ${seed}`);
      const lake = await openLake(sample.lake, await readContracts(CONTRACTS));
      const subjects = await describeSubjects(lake, sample.tree);
      lake.close();
      let rows = 0;
      for (const question of fc.sample(questions(subjects), { seed, numRuns: REQUESTS })) {
        const url = new URL(randomUrl({ ...question, format: 'csv' }), edge.url);
        const response = await fetch(url);
        expect([url.href, response.status]).toEqual([url.href, 200]);
        const key = url.pathname.replace('/api/v1/', '');
        const parameters = [...url.searchParams].filter(([name]) => name !== 'format');
        const answer = await engine.ask(key, parameters as [string, string][]);
        const lines = [answer.columns, ...answer.rows].map(
          cells => `${cells.map(encodeCsvValue).join(',')}\r\n`,
        );
        expect([url.href, lines.join('')]).toEqual([url.href, await response.text()]);
        const first = await engine.first(key, parameters as [string, string][], 30);
        const limit = Math.min(30, question.limit ?? 30);
        expect([url.href, first.rows]).toEqual([url.href, answer.rows.slice(0, limit)]);
        rows += answer.rows.length;
      }
      expect(rows).toBeGreaterThan(REQUESTS);
    });
  });
});
