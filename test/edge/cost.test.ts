/** What an answer costs in reads and bytes. */
import { describe, expect, test } from 'vitest';
import { duckdb } from '../publishers/publisher-folder.ts';
import { makeHandler, THINGS, openThings } from './tree/fixture.ts';
import { matchingRows } from './tree/reference.ts';

const tree = await openThings();

/** What the last of these questions reads, and its page. */
async function readsOf(queries: readonly string[], method = 'GET') {
  const { files, handler } = tree.count();
  let text = '';
  for (const query of queries) {
    files.reads.length = 0;
    text = await (await tree.ask(`${THINGS}?${query}`, { method }, handler)).text();
  }
  const page = method === 'HEAD' ? null : (JSON.parse(text) as { total: number; data: unknown[] });
  return { reads: [...files.reads], page };
}

/** The copy by notes counts them. */
const PLAIN = matchingRows({ detail: 'units', filters: { note: ['plain'] } }).length;

describe('what is read', () => {
  test('a place over all years takes one read, and no footer', async () => {
    const { reads, page } = await readsOf(
      ['101:u001', '150:u003'].map(place => `detail=units&place=${place}`),
    );
    expect(reads.map(read => read.path)).toEqual(['api/v1/demo/things/_copies/units.parquet']);
    expect(page!.data).toHaveLength(
      matchingRows({ detail: 'units', filters: { place: ['150:u003'] } }).length,
    );
  });

  test('the rows of a slice are read once for all pages', async () => {
    const [first, second] = [10, 20].map(limit => `detail=units&year=2023&limit=${limit}`);
    const { reads } = await readsOf([first!]);
    const rows = reads.filter(({ path }) => path.endsWith('.parquet'));
    expect(rows.map(({ path }) => path)).toEqual(['api/v1/demo/things/year=2023/units.parquet']);
    expect((await readsOf([first!, second!])).reads).toEqual([]);
  });

  test('a stored file is not read to be described', async () => {
    expect((await readsOf(['year=2022', 'year=2019'], 'HEAD')).reads).toEqual([]);
  });

  test.each([0, PLAIN - 15, PLAIN + 5])(
    'a page of one value is a page of one file: offset %i',
    async offset => {
      const { reads, page } = await readsOf([
        'year=2022&limit=1',
        `detail=units&note=plain&limit=10&offset=${offset}`,
      ]);
      const beyond = offset > PLAIN;
      expect([page!.total, page!.data.length]).toEqual([PLAIN, beyond ? 0 : 10]);
      expect(reads.filter(read => read.path.includes('/_copies/'))).toHaveLength(beyond ? 0 : 1);
    },
  );
});

test('a question that costs too much is refused, with the files, the residual and SQL that answers it', async () => {
  const poor = makeHandler(tree.folder, { bytes: 1000, rows: 10 });
  const query = `${THINGS}?detail=units&group=all&area_type=city&year_min=2020&format=csv`;
  const response = await tree.ask(query, {}, poor);
  const { sql, ...body } = (await response.json()) as { sql: string };
  expect([response.status, body]).toMatchObject([
    501,
    {
      detail: expect.stringMatching(/costs more/),
      files: [2020, 2022, 2023].map(year => ({ path: `${THINGS}/year=${year}/units.parquet` })),
      residual: {
        filters: { area_type: ['city'], group: ['all'] },
        sort: false,
        offset: 0,
        limit: null,
      },
    },
  ]);
  const rows = await duckdb(sql.replaceAll('http://edge.test', tree.folder));
  const filters = { group: ['all'], area_type: ['city'] };
  const wanted = matchingRows({ detail: 'units', year_min: 2020, filters });
  expect(rows.map(row => Object.values(row).map(String))).toEqual(wanted.map(row => row.map(String)));
});

test.each([
  // A page of JSON is tried, and refused when it costs too much.
  ['group=all&limit=10', { bytes: 200_000, rows: 100 }, 200],
  ['group=all&area_type=city&offset=20000&limit=10', { bytes: 1000, rows: 9 }, 501],
  // Rows to be sorted count too.
  ['area_code=150', { bytes: 1 << 30, rows: 3 }, 501],
])('%s with %j: %i', async (query, budget, status) => {
  const handler = makeHandler(tree.folder, budget);
  expect((await tree.ask(`${THINGS}?detail=units&${query}`, {}, handler)).status).toBe(status);
});

describe('a reader who hangs up', () => {
  test('before the answer', async () => {
    await expect(tree.ask(`${THINGS}?group=all`, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test('in the middle of a stream', async () => {
    const { files, handler } = tree.count(0);
    const query = `${THINGS}?detail=units&step=1,2&format=csv`;
    const readWhole = async () => (await tree.ask(query, {}, handler)).text();
    await readWhole();
    files.reads.length = 0;
    await readWhole();
    const whole = files.reads.splice(0).length;
    const reader = (await tree.ask(query, {}, handler)).body!.getReader();
    await reader.read();
    await reader.cancel();
    // Whatever continues behind the cancelled stream does so while this one is read.
    await readWhole();
    expect(whole).toBeGreaterThan(2);
    expect(files.reads.length).toBeLessThan(2 * whole);
  });
});
