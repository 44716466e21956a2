/** Decoded columns: the rows that conditions pick, their lines, and their memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWhole } from '../../site/edge/answer.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { type ColumnChunk, createCodes } from '../../site/edge/rows/column-chunk.ts';
import { GroupReader } from '../../site/edge/rows/group-reader.ts';
import { renderLines } from '../../site/edge/rows/lines.ts';
import { matcherOf } from '../../site/edge/rows/scan.ts';
import { Texts } from '../../site/edge/rows/texts.ts';
import type { Condition } from '../../site/query/condition.ts';
import { encodeCsvValue } from '../../site/query/encode.ts';
import { compareValues, type Value } from '../../site/query/order.ts';
import type { ParquetSource } from '../../site/query/table.ts';
import { column } from './tree/rows.ts';

const COLUMNS = [
  column('whole', 'INT32'),
  column('number', 'DOUBLE'),
  column('text'),
  column('flag', 'BOOLEAN'),
];

const ROW = fc.tuple(
  fc.option(fc.integer({ min: -3, max: 3 })),
  fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.option(
    fc.oneof(fc.constantFrom('', 'é,"', 'two\r\nlines', '\n'), fc.string({ unit: 'binary', maxLength: 4 })),
  ),
  fc.option(fc.boolean()),
);
const ROWS = fc.array(ROW, { minLength: 1, maxLength: 200 });

/** As stored: distinct values with codes, or a value for each row. */
function chunkOf(rows: readonly Value[], isCoded: boolean): ColumnChunk {
  const values: readonly Value[] = isCoded ? [...new Set(rows)] : rows;
  const codes = createCodes(rows.length);
  for (const [row, value] of rows.entries()) codes[row] = isCoded ? values.indexOf(value) : row;
  return { codes, values, nullCode: -1, texts: {} };
}

const chunksOf = (rows: readonly (readonly Value[])[]) =>
  COLUMNS.map((_, position) => {
    const values = rows.map(row => row[position]!);
    return chunkOf(values, position % 2 === 0);
  });

test('the lines of picked rows have their values, in both formats and repeatedly', async () => {
  const picks = fc.uniqueArray(fc.nat(199), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(ROWS, picks, async (rows, picks) => {
      const file = { sha256: 'a' } as ParquetSource;
      const cache = new ColumnCache(1 << 20);
      cache.group(file, 0).chunks.push(...chunksOf(rows));
      const reader = new GroupReader(COLUMNS, { files: null as never, cache, signal: undefined });
      const wanted = picks.filter(row => row < rows.length);
      const picked = { groups: [{ file, index: 0 }], at: null, rows: Uint32Array.from(wanted) };
      for (const kind of ['json', 'csv', 'json'] as const) {
        const encode = (row: readonly Value[]) =>
          kind === 'csv'
            ? `${row.map(value => encodeCsvValue(value)).join(',')}\r\n`
            : `${JSON.stringify(Object.fromEntries(COLUMNS.map(({ name }, i) => [name, row[i]])))},\n`;
        const body = await readWhole(renderLines(reader, kind, [picked], '[', 0, ']'));
        const lines = wanted.map(row => encode(rows[row]!)).join('');
        expect(new TextDecoder().decode(body)).toBe(`[${lines}]`);
      }
    }),
  );
});

test('conditions pick the rows that satisfy them all', () => {
  const on = (...positions: number[]) => ({
    param: 'p',
    columns: positions.map(position => COLUMNS[position]!.name),
    texts: [],
  });
  const number = fc.integer({ min: -4, max: 4 });
  const list = fc
    .uniqueArray(number, { minLength: 1 })
    .map((values): Condition => ({ ...on(0), bound: 'key', keys: values.map(value => [value]) }));
  const bound = fc
    .tuple(fc.constantFrom('min' as const, 'max' as const), number)
    .map(([bound, value]): Condition => ({ ...on(0), bound, keys: [[value]] }));
  const place = fc
    .uniqueArray(fc.tuple(fc.option(number), fc.option(fc.boolean())), { minLength: 1 })
    .map((keys): Condition => ({ ...on(0, 3), bound: 'key', keys }));
  const holds = (row: readonly Value[], condition: Condition): boolean => {
    const value = row[0]!;
    switch (condition.bound) {
      case 'min':
        return value !== null && compareValues(value, condition.keys[0]![0]!) >= 0;
      case 'max':
        return value !== null && compareValues(value, condition.keys[0]![0]!) <= 0;
      case 'key':
        return condition.keys.some(key => key[0] === value && (key.length === 1 || key[1] === row[3]));
    }
  };
  fc.assert(
    fc.property(ROWS, fc.array(fc.oneof(list, bound, place), { maxLength: 3 }), (rows, conditions) => {
      const found = [...matcherOf({ columns: COLUMNS }, conditions)(chunksOf(rows), rows.length)];
      const wanted = [...rows.keys()].filter(row => conditions.every(one => holds(rows[row]!, one)));
      expect(found).toEqual(wanted);
    }),
  );
});

test('more distinct values than 16 bits can count stay distinct', () => {
  const codes = createCodes(70_000).map((_, row) => row);
  expect([codes[69_999], codes[4463]]).toEqual([69_999, 4463]);
});

test('the cache stays within its memory, and drops the least recently used', () => {
  const file = { sha256: 'a' } as ParquetSource;
  const cache = new ColumnCache(80_000);
  const add = (index: number) => {
    const group = cache.group(file, index);
    const values = Array.from({ length: 1000 }, (_, row) => row % 500);
    group.chunks[0] ??= chunkOf(values, true);
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
