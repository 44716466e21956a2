/** The page of each of our datasets opens with figures. */
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../site/explorer/pages/documents.ts';
import { stagedSource } from '../explorer/explored-tree.ts';
import { sampleTree } from '../conformance/sample-tree.ts';

const { datasets } = await readDocuments(stagedSource(await sampleTree()));

describe('the first view', () => {
  test.each(datasets.map(one => [one.key, one] as const))('of %s draws figures', (_, { explored, first }) => {
    const { state, drawn } = first;
    if (explored.metrics.length === 0) return expect(state.view).toBe('table');
    expect(drawn?.drawing.figures.filter(({ value }) => value !== null)).not.toEqual([]);
    expect(drawn?.drawing.empty).toBe(false);
  });

  test('answers every question of the contracts, since the sample has all rows', () => {
    expect(datasets.flatMap(({ schema }) => schema.questions ?? [])).not.toEqual([]);
    expect(datasets.flatMap(({ unanswered }) => unanswered)).toEqual([]);
  });
});
