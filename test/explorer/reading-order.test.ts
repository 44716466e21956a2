import { expect, test } from 'vitest';
import { planNext } from '../../site/explorer/view/reading-order.ts';

const plan = (begun: number[], done: number[], near: number[]) =>
  planNext({ count: 8, begun: new Set(begun), done: new Set(done), near: new Set(near) });

test('what is in view is read first, in its order, a few at once', () => {
  expect(plan([], [], [7, 2, 3, 4])).toEqual([2, 3, 4]);
  expect(plan([2, 3, 4], [3], [7, 2, 3, 4])).toEqual([7]);
});

test('what is not in view waits for what is, and is read then', () => {
  expect(plan([2, 3], [3], [2, 3])).toEqual([]);
  expect(plan([2, 3], [2, 3], [2, 3])).toEqual([0, 1]);
  expect(plan([0, 1, 2, 3], [0, 2, 3], [2, 3])).toEqual([4]);
});

test('what comes into view is next, though others are under way', () => {
  expect(plan([0, 1], [], [6])).toEqual([6]);
});

test('when all is begun, nothing is', () => {
  expect(plan([0, 1, 2, 3, 4, 5, 6, 7], [0], [])).toEqual([]);
});
