/** The page of each of our datasets shows figures at first sight. */
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../site/explorer/pages/documents.ts';
import { readFirstView } from '../../site/explorer/pages/first-view.ts';
import { stagedSource } from '../explorer/explored-tree.ts';
import { sampleTree } from './sample-lake.ts';

const source = stagedSource(await sampleTree());
const { datasets } = await readDocuments(source);
const opened = await Promise.all(datasets.map(one => one.open()));

describe('the first view', () => {
  test.each(opened.map(one => [one.key, one] as const))('of %s draws figures', async (_, { explored }) => {
    const { state, drawn } = await readFirstView(source, explored);
    if (explored.metrics.length === 0) return expect(state.view).toBe('table');
    expect(drawn?.drawing.figures.filter(({ value }) => value !== null)).not.toEqual([]);
    expect(drawn?.drawing.empty).toBe(false);
  });

  test('answers every question of the contracts, since the sample has all rows', () => {
    const asked = datasets.flatMap(({ schema }) => (schema.questions ?? []).map(one => one.question));
    const answered = opened.flatMap(({ schema }) => (schema.questions ?? []).map(one => one.question));
    expect(asked).not.toEqual([]);
    expect(answered).toEqual(asked);
  });
});
