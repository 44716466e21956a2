/** Decoded columns: their codes, and their memory. */
import { expect, test } from 'vitest';
import type { RowColumn } from '../../build/format/manifest.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { createCodes } from '../../site/edge/rows/dictionary.ts';
import type { ParquetSource } from '../../site/query/table.ts';

test('more distinct values than 16 bits can count stay distinct', () => {
  const codes = createCodes(70_000, 70_000).map((_, row) => row);
  expect([codes[69_999], codes[4463]]).toEqual([69_999, 4463]);
});

test('the cache stays within its memory, and drops the least recently used', () => {
  const file = { sha256: 'a' } as ParquetSource;
  const cache = new ColumnCache(200_000);
  const column = {} as RowColumn;
  const add = (index: number) => {
    const group = cache.group(file, index);
    const dictionary = cache.dictionary(column);
    const codes = createCodes(1000, 500).map((_, row) => dictionary.codeOf(500 * index + (row % 500)));
    group.chunks[0] ??= { codes, dictionary, added: 500 };
    cache.weigh(group);
  };
  for (const index of [0, 1, 0, 2]) add(index);
  const kept = [0, 1, 2].filter(index => cache.group(file, index).chunks.length > 0);
  expect(kept).toEqual([0, 2]);
  // They share a dictionary until it is large.
  expect(cache.dictionary(column).size).toBe(1501);
  for (let value = 0; value < 9000; value++) cache.dictionary(column).codeOf(value);
  expect(cache.dictionary(column).size).toBeLessThan(1501);
});
