/** The measurement of servers: no question comes twice, what is compared must be the same, and refusals are counted. */
import { beforeAll, expect, test } from 'vitest';
import { runLoad } from '../../scripts/bench/load.ts';
import { QUESTION_KINDS, QuestionList, readSubjects } from '../../scripts/bench/questions.ts';
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
  const urls = QUESTION_KINDS.filter(one => one.format === undefined).flatMap((one, at) => {
    const own = new QuestionList(one, subjects, at);
    return [0, 1, 2, 3].map(i => own.at(i)!);
  });
  const pages = await Promise.all(
    urls.map(async url => (await (await fetch(edge + url)).json()) as { count: number }),
  );
  expect(pages.filter(({ count }) => count > 0).length).toBeGreaterThan(pages.length / 2);
});

test('load asks until the questions end, and counts what is refused', async () => {
  const paths = [...Array(30).fill('/api/v1/census/employment?limit=3'), '/nothing', '/nothing'];
  const options = { connections: 2, seconds: 60, probed: null };
  const load = await runLoad(edge, () => paths.pop() ?? null, options);
  expect(load).toMatchObject({ answers: 30, refused: new Map([['404', 2]]), beside: [] });
  expect(load.delays.length).toBe(30);
});
