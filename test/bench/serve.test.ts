/** The measurement of servers: no question comes twice, what is compared must be the same, and refusals are counted. */
import { beforeAll, expect, test } from 'vitest';
import { runLoad } from '../../scripts/bench/load.ts';
import { listQuestions, QUESTION_KINDS, readSubjects } from '../../scripts/bench/questions.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { served } from '../served.ts';

const sample = useSampleTree();

let edge: string;
beforeAll(async () => {
  edge = await served(sample.tree);
});

test.each(QUESTION_KINDS)('thousands of questions differ, and a seed repeats them: $name', async kind => {
  const subjects = await readSubjects(sample.tree);
  const draw = (seed: number) => {
    const list = listQuestions(kind, subjects, seed);
    return Array.from({ length: 3000 }, (_, i) => list(i));
  };
  const questions = draw(1);
  expect(new Set(questions).size).toBe(3000);
  expect(questions).toEqual(draw(1));
  expect(questions).not.toEqual(draw(2));
});

test('questions have rows, and those that run out end', async () => {
  const subjects = await readSubjects(sample.tree);
  const only = { name: 'the same', draw: () => [['limit', 1] as const] };
  const list = listQuestions(only, subjects, 1);
  expect([list(subjects.length - 1), list(subjects.length)]).toEqual([expect.any(String), null]);
  const urls = QUESTION_KINDS.filter(one => one.format === undefined).flatMap((one, at) => {
    const own = listQuestions(one, subjects, at);
    return [0, 1, 2, 3].map(i => own(i)!);
  });
  const pages = await Promise.all(
    urls.map(async url => (await (await fetch(edge + url)).json()) as { count: number }),
  );
  expect(pages.filter(({ count }) => count > 0).length).toBeGreaterThan(pages.length / 2);
});

test('load asks until the questions end, and counts what is refused', async () => {
  const paths = [...Array(30).fill('/api/v1/census/employment?limit=3'), '/nothing', '/nothing'];
  const options = { connections: 2, seconds: 60 };
  const load = await runLoad(edge, () => paths.pop() ?? null, options);
  expect(load).toMatchObject({ answers: 30, refused: new Map([['404', 2]]) });
  expect(load.delays.length).toBe(30);
});
