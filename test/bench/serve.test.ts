/** The measurement of servers: no question comes twice, what is compared must be the same, and refusals are counted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveService } from '../../scripts/bench/live-service.ts';
import { runLoad } from '../../scripts/bench/load.ts';
import { QUESTION_KINDS, QuestionList, readSubjects, someQuestions } from '../../scripts/bench/questions.ts';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';

const sample = useSampleTree();

let edge: RunningServer;
let live: Awaited<ReturnType<typeof createLiveService>>;
beforeAll(async () => {
  edge = await startServer({ folder: sample.tree, port: 0 });
  live = await createLiveService(sample.tree);
});
afterAll(async () => {
  await edge.close();
  await live.close();
});

test('the live service gives the rows that the edge gives', async () => {
  for (const url of await someQuestions(sample.tree, 4)) {
    const [own, other] = [await (await fetch(edge.url + url)).text(), (await live.inject(url)).body];
    expect([url, rowsOf(other)]).toEqual([url, rowsOf(own, totalOf(other) === null)]);
  }
});

/** A page without what names the release and the server. The edge knows totals that the live service does not count. */
function rowsOf(text: string, hidesTotal = false): unknown {
  if (!text.startsWith('{')) return text;
  const { dataset, detail, years, filters, offset, count, data } = JSON.parse(text);
  return { dataset, detail, years, filters, offset, count, total: hidesTotal ? null : totalOf(text), data };
}

function totalOf(text: string): number | null {
  return text.startsWith('{') ? JSON.parse(text).total : null;
}

test.each(QUESTION_KINDS)('thousands of questions differ, and a seed repeats them: $name', async kind => {
  const subjects = await readSubjects(sample.tree);
  const draw = (seed: number) => {
    const list = new QuestionList(kind, subjects, seed);
    return Array.from({ length: 3000 }, (_, i) => list.at(i));
  };
  const questions = draw(1);
  expect(new Set(questions).size).toBe(3000);
  expect(questions).toEqual(draw(1));
  expect(questions).not.toEqual(draw(2));
});

test('questions have rows, and those that run out end', async () => {
  const subjects = await readSubjects(sample.tree);
  const kind = { ...QUESTION_KINDS[1]!, limit: null };
  const list = new QuestionList(kind, subjects, 1);
  const places = subjects.reduce((sum, subject) => sum + subject.places.length, 0);
  expect(list.at(places)).toBe(null);
  const pages = await Promise.all(
    (await someQuestions(sample.tree, 4))
      .filter(url => !url.includes('format=csv'))
      .map(async url => (await (await fetch(edge.url + url)).json()) as { count: number }),
  );
  expect(pages.filter(({ count }) => count > 0).length).toBeGreaterThan(pages.length / 2);
});

test('load asks until the questions end, and counts what is refused', async () => {
  const paths = [...Array(30).fill('/api/v1/census/employment?limit=3'), '/nothing', '/nothing'];
  const load = await runLoad(edge.url, () => paths.pop() ?? null, { connections: 2, seconds: 60 });
  expect(load).toMatchObject({ answers: 30, refused: new Map([['404', 2]]) });
  expect(load.delays.length).toBe(30);
});
