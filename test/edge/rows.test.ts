/** Decoded columns: their codes, and their memory. */
import { expect, test } from 'vitest';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { createCodes } from '../../site/edge/rows/column-chunk.ts';
import { Texts } from '../../site/edge/rows/texts.ts';
import type { ParquetSource } from '../../site/query/table.ts';

test('more distinct values than 16 bits can count stay distinct', () => {
  const codes = createCodes(70_000).map((_, row) => row);
  expect([codes[69_999], codes[4463]]).toEqual([69_999, 4463]);
});

test('the cache stays within its memory, and drops the least recently used', () => {
  const file = { sha256: 'a' } as ParquetSource;
  const cache = new ColumnCache(80_000);
  const add = (index: number) => {
    const group = cache.group(file, index);
    const codes = createCodes(1000).map((_, row) => row % 500);
    group.chunks[0] ??= { codes, values: [...Array(500).keys()], nullCode: -1, texts: {} };
    cache.weigh(group);
    expect(cache.bytes).toBeLessThanOrEqual(80_000);
  };
  for (const index of [0, 1, 0, 2]) add(index);
  const kept = [0, 1, 2].filter(index => cache.group(file, index).chunks.length > 0);
  expect(kept).toEqual([0, 2]);
  // Texts count too: with them, only one group fits.
  const group = cache.group(file, 0);
  group.chunks[0]!.texts.json = new Texts(500);
  cache.weigh(group);
  expect(cache.bytes).toBeLessThanOrEqual(80_000);
  expect(cache.group(file, 2).chunks).toEqual([]);
});
