/** Decoded columns: their codes, and their memory. */
import { expect, test } from 'vitest';
import type { RowColumn } from '../../build/format/manifest.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { type ColumnChunk, joinColumns } from '../../site/edge/rows/column-chunk.ts';
import { createCodes, Dictionary, NULL_CODE } from '../../site/edge/rows/dictionary.ts';
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
    const dictionary = cache.dictionary(column, 0);
    const codes = createCodes(1000, 500).map((_, row) => dictionary.codeOf(500 * index + (row % 500)));
    group.chunks[0] ??= { codes, dictionary, added: 500 };
    cache.weigh(group);
  };
  for (const index of [0, 1, 0, 2]) add(index);
  const kept = [0, 1, 2].filter(index => cache.group(file, index).chunks.length > 0);
  expect(kept).toEqual([0, 2]);
  // They share a dictionary until it is large.
  expect(cache.dictionary(column, 0).size).toBe(1501);
  for (let value = 0; value < 9000; value++) cache.dictionary(column, 0).codeOf(value);
  expect(cache.dictionary(column, 0).size).toBeLessThan(1501);
});

const ENCODERS = ['a', 'b', 'c'].map(name => (value: unknown) => `${name}${value};`);

function dictionaries(count: number): Dictionary[] {
  return Array.from(
    { length: count },
    (_, position) => new Dictionary((value, all) => all[position]!(value)),
  );
}

/** Joins a row group of columns with these values, and expects the same texts. */
function join(own: readonly Dictionary[], values: readonly ((row: number) => number | null)[]) {
  const columns = own.map((dictionary, position): ColumnChunk => {
    const codes = createCodes(4096, 10_000).map((_, row) => {
      const value = values[position]!(row);
      return value === null ? NULL_CODE : dictionary.codeOf(value);
    });
    return { codes, dictionary, added: 0 };
  });
  const texts = (chunks: readonly ColumnChunk[]) =>
    [0, 1, 7, 8, 50, 99, 4095].map(row =>
      chunks.map(({ codes, dictionary }) => dictionary.textAt(codes[row]!, ENCODERS)).join(''),
    );
  const joined = joinColumns(columns);
  expect(texts(joined)).toEqual(texts(columns));
  return joined;
}

test('neighbours with few pairs of values are joined, and others are soon left alone', () => {
  const own = dictionaries(3);
  const groups = [0, 5000, 10_000, 15_000, 20_000].map(from => {
    const district = (row: number) => (row % 7 === 0 ? null : ((from + row * 7919) % 100_003) % 200);
    const measure = (row: number) => (row % 7 === 0 ? null : ((from + row * 104_729) % 99_991) % 997);
    return join(own, [district, district, measure]);
  });
  expect(groups.map(chunks => chunks.length)).toEqual([2, 2, 2, 2, 2]);
  // The measure's pairs are soon too many.
  const added = groups.map(chunks => chunks.reduce((sum, chunk) => sum + chunk.added, 0));
  expect(added[0]).toBeGreaterThan(3000);
  expect(added.at(-1)).toBe(0);
});

test('columns stay apart when a dictionary has grown', () => {
  const own = dictionaries(2);
  const joinFrom = (from: number) => join(own, [row => row % 2, row => from + (row % 100)]).length;
  expect(joinFrom(0)).toBe(1);
  for (let value = 0; value < 9000; value++) own[1]!.codeOf(value);
  expect(joinFrom(8150)).toBe(2);
});
