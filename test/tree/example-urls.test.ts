/** The URLs that a server names when it starts exist and answer. */
import { expect, test } from 'vitest';
import { exampleUrls } from '../../build/tree/example-urls.ts';
import { keptPaged, keptWeather } from '../publishers/kept-trees.ts';

const ROWS = '/api/v1/climate/rainfall?year=2022&detail=regions&limit=20';

test.each([
  ['with pages', await keptPaged(), ['/', '/datasets/climate/rainfall/', ROWS]],
  ['without pages', await keptWeather(), ['/', '/api/v1/datasets', ROWS]],
])('of a tree %s: the site, its richest dataset, and rows of it', (_, { out }, urls) => {
  expect(exampleUrls(out).map(({ url }) => url)).toEqual(urls);
});

test('a folder that is no tree is refused', async () => {
  const { data } = await keptWeather();
  expect(() => exampleUrls(data)).toThrow(expect.objectContaining({ code: 'not-a-tree' }));
});
