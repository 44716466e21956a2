/** Every row of our datasets can be asked for its history, and a half key is completed in the 422. */
import { expect, test } from 'vitest';
import { sampleFigureHistories } from './specification/sample.ts';

const levels = await sampleFigureHistories();

test('rows with NULL in their key have a history', () => {
  expect(new Set(levels.map(({ level }) => level.replace(/&year=.*/, ''))).size).toBe(68);
  expect(levels.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(levels.filter(({ rows, partial }) => rows > 0 && partial > 0).length).toBeGreaterThan(50);
});

test('the corrected URL asks for a history of the same level and year', () => {
  const completed = levels.flatMap(({ level, corrected }) => (corrected ? [{ level, ...corrected }] : []));
  expect(completed.length).toBeGreaterThan(50);
  for (const { level, status, row } of completed) {
    expect([level, status]).toEqual([level, 200]);
    expect(`${row?.['year']}`).toBe(level.replace(/.*&year=/, ''));
  }
});
