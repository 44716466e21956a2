/** Parquet files put together out of row groups of others, and the footers that are taken apart for it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, describe, expect, test } from 'vitest';
import { assembleParquet, type GroupRange } from '../../build/slice/parquet-assembly.ts';
import { parseFooter, renderFooter } from '../../build/slice/parquet-footer.ts';
import { duckdb, quoted, temporaryFolder } from './publisher-folder.ts';

/** Row groups of 2,048 rows, more than fit into the short form of a list. */
const GROUPS = 20;
const ROWS = 2048 * (GROUPS - 1) + 100;

/** Every physical type that is published, with NULLs, a column of nothing else, texts long and short. */
const select = (from: number) => `SELECT i::INTEGER AS year, i * 10000000000 AS big, i % 2 = 0 AS even,
    CASE WHEN i % 3 > 0 THEN i / 7.0 END::DOUBLE AS share, NULL::VARCHAR AS nothing,
    'place ' || (i // 300) || ' é' AS place, CASE WHEN i % 5000 = 0 THEN repeat('long ', 200) END AS note
  FROM range(${from}, ${from + ROWS}) r(i)`;

const METADATA = "KV_METADATA {dataset: 'a/b', license: 'CC0'}";
const write = (file: string, from: number) =>
  duckdb(
    `COPY (${select(from)}) TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048, WRITE_BLOOM_FILTER false, ${METADATA})`,
  );

let folder: string;
let [one, other, target] = ['', '', ''];
beforeAll(async () => {
  folder = await temporaryFolder('never');
  [one, other, target] = ['one', 'other', 'target'].map(name => path.join(folder, `${name}.parquet`)) as [
    string,
    string,
    string,
  ];
  await write(one, 0);
  await write(other, 1_000_000);
});

let written = 0;
const assembled = (ranges: readonly GroupRange[]): string => {
  const file = `${target}.${++written}`;
  assembleParquet(file, ranges);
  return file;
};

async function footerOf(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  return bytes.subarray(bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8), bytes.length - 8);
}

describe('a file', () => {
  test('of all row groups of another, however they are cut, is that file', async () => {
    const original = await readFile(one);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: GROUPS - 1 })), async cuts => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), GROUPS];
        const ranges = bounds.slice(1).map((end, i) => ({ file: one, first: bounds[i] ?? 0, end }));
        expect((await readFile(assembled(ranges))).equals(original)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test('of any row groups of two has their rows, for DuckDB and for hyparquet', async () => {
    const range = fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: GROUPS - 1 }), fc.integer({ min: 1, max: 4 }))
      .map(([first, from, length]) => ({
        file: first ? one : other,
        first: from,
        end: Math.min(GROUPS, from + length),
      }));
    await fc.assert(
      fc.asyncProperty(fc.array(range, { minLength: 1, maxLength: 6 }), async ranges => {
        const file = assembled(ranges);
        const numbers = ranges.flatMap(({ file: source, first, end }) => {
          const from = source === one ? 0 : 1_000_000;
          const rows = Math.min(end * 2048, ROWS) - first * 2048;
          return Array.from({ length: rows }, (_, i) => from + first * 2048 + i);
        });
        const expected = `SELECT unnest([${numbers.join(', ')}]) AS year`;
        const [found] = await duckdb(
          `SELECT count(*)::INTEGER AS wrong FROM (SELECT *, row_number() OVER () AS n FROM read_parquet(${quoted(file)})) a
             FULL JOIN (SELECT year, row_number() OVER () AS n FROM (${expected})) b USING (n)
             WHERE a.year IS DISTINCT FROM b.year OR a.place <> 'place ' || (b.year // 300) || ' é' OR a.big <> b.year * 10000000000
               OR a.share IS DISTINCT FROM CASE WHEN b.year % 3 > 0 THEN b.year / 7.0 END::DOUBLE`,
        );
        expect(found).toEqual({ wrong: 0 });
        const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });
        expect(rows.map(row => row['year'])).toEqual(numbers);
        expect(rows.at(-1)).toMatchObject({ place: `place ${Math.floor((numbers.at(-1) ?? 0) / 300)} é` });
      }),
      { numRuns: 8 },
    );
  });

  test.each([
    ['other columns', `SELECT * RENAME (year AS "Jahr") FROM (${select(0)})`, METADATA],
    ['other metadata', select(0), "KV_METADATA {dataset: 'a/c', license: 'CC0'}"],
  ])('is not made of files with %s', async (name, rows, metadata) => {
    const file = path.join(folder, `${name}.parquet`);
    await duckdb(`COPY (${rows}) TO ${quoted(file)} (FORMAT parquet, WRITE_BLOOM_FILTER false, ${metadata})`);
    const ranges = [
      { file: one, first: 0, end: 1 },
      { file, first: 0, end: 1 },
    ];
    expect(() => assembled(ranges)).toThrow('columns or metadata differ');
  });

  test('is not made of one with bloom filters, which are not in row groups', async () => {
    const file = path.join(folder, 'bloom.parquet');
    await duckdb(
      `COPY (${select(0)}) TO ${quoted(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048, WRITE_BLOOM_FILTER true)`,
    );
    const [{ filters } = {}] = await duckdb(
      `SELECT count(bloom_filter_offset)::INTEGER AS filters FROM parquet_metadata(${quoted(file)})`,
    );
    expect(filters).toBeGreaterThan(0);
    expect(() => assembled([{ file, first: 0, end: 1 }])).toThrow('bloom filters');
  });

  test('does not replace another', () => {
    expect(() => assembleParquet(one, [{ file: other, first: 0, end: 1 }])).toThrow('EEXIST');
  });
});

describe('a footer', () => {
  test('says where row groups are', async () => {
    const { groups } = parseFooter(await footerOf(one));
    const known = await duckdb(
      `SELECT any_value(row_group_num_rows)::INTEGER AS rows, min(coalesce(dictionary_page_offset, data_page_offset))::INTEGER AS start, sum(total_compressed_size)::INTEGER AS bytes
         FROM parquet_metadata(${quoted(one)}) GROUP BY row_group_id ORDER BY row_group_id`,
    );
    expect(groups.map(({ rows, start, bytes }) => ({ rows, start, bytes }))).toEqual(known);
  });

  test('keeps places beyond what 32 bits hold', async () => {
    const footer = parseFooter(await footerOf(one));
    const far = 5 * 2 ** 40 + 3;
    const moved = footer.groups.map(group => ({ group, start: group.start + far }));
    const again = parseFooter(renderFooter(footer, moved));
    expect(again.groups.map(group => group.start - far)).toEqual(footer.groups.map(group => group.start));
    const back = again.groups.map(group => ({ group, start: group.start - far }));
    expect(renderFooter(again, back).equals(await footerOf(one))).toBe(true);
  });

  test('that is cut short or damaged is parsed or refused, and never more', async () => {
    const footer = await footerOf(one);
    for (let length = 0; length < footer.length; length += 97) {
      expect(() => parseFooter(footer.subarray(0, length))).toThrow();
    }
    expect(() => parseFooter(Buffer.concat([footer, Buffer.from([0])]))).toThrow('end where it should');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: footer.length - 1 }), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        changes => {
          const damaged = Buffer.from(footer);
          for (const [at, byte] of changes) damaged[at] = byte;
          try {
            parseFooter(damaged);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
