/** Conditional requests and ranges. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SLICE, THINGS, openThings } from './tree/fixture.ts';

const tree = await openThings();
const BEFORE = 'Fri, 20 Nov 2026 23:59:59 GMT';

/** ETAG and MODIFIED mean those of the answer. */
const CONDITIONS: readonly (readonly [Record<string, string>, number])[] = [
  [{ 'If-None-Match': 'ETAG' }, 304],
  [{ 'If-None-Match': '"x", W/ETAG' }, 304],
  [{ 'If-None-Match': '*' }, 304],
  [{ 'If-None-Match': '"x"' }, 200],
  [{ 'If-Modified-Since': 'MODIFIED' }, 304],
  [{ 'If-Modified-Since': BEFORE }, 200],
  [{ 'If-None-Match': '"x"', 'If-Modified-Since': 'MODIFIED' }, 200],
  [{ 'If-Match': 'ETAG' }, 200],
  [{ 'If-Match': '"x", ETAG' }, 200],
  [{ 'If-Match': '*' }, 200],
  [{ 'If-Match': '"x"' }, 412],
  [{ 'If-Match': 'W/ETAG' }, 412],
  [{ 'If-Match': '"x"', 'If-None-Match': 'ETAG', Range: 'bytes=0-1' }, 412],
  [{ 'If-Match': 'ETAG', 'If-None-Match': 'ETAG' }, 304],
  [{ 'If-Unmodified-Since': 'MODIFIED' }, 200],
  [{ 'If-Unmodified-Since': BEFORE }, 412],
  [{ 'If-Unmodified-Since': 'yesterday' }, 200],
  [{ 'If-Match': 'ETAG', 'If-Unmodified-Since': BEFORE }, 200],
];

describe.each(['/api/v1/', `${SLICE}.csv`, `${THINGS}?year=2022`, `${THINGS}?area_code=150`])('%s', path => {
  const tags = async () => {
    const { headers } = await tree.ask(path);
    return [headers.get('etag')!, headers.get('last-modified')!] as const;
  };

  test.each(CONDITIONS)('%j: %i', async (condition, status) => {
    const [etag, modified] = await tags();
    const text = JSON.stringify(condition).replaceAll('ETAG', JSON.stringify(etag).slice(1, -1));
    const headers = JSON.parse(text.replaceAll('MODIFIED', modified));
    expect((await tree.ask(path, { headers })).status).toBe(status);
    if (status === 412) expect((await tree.ask(path, { headers, method: 'HEAD' })).status).toBe(status);
  });

  test('a 304 has the tag and nothing else, a 412 the reason', async () => {
    const [etag] = await tags();
    const same = await tree.ask(path, { headers: { 'If-None-Match': etag } });
    expect([same.headers.get('etag'), same.headers.get('content-length')]).toEqual([etag, null]);
    expect(await same.text()).toBe('');
    const failed = await tree.ask(path, { headers: { 'If-Match': '"x"' } });
    expect(failed.headers.get('cache-control')).toBe('no-store');
    expect(failed.headers.get('access-control-allow-origin')).toBe('*');
    expect(await failed.json()).toEqual({ detail: expect.stringMatching(/If-Match/) });
  });
});

test.each([
  ['Sat, 21 Nov 2026 00:00:00 GMT', true],
  ['Saturday, 21-Nov-26 00:00:00 GMT', true],
  ['Sat Nov 21 00:00:00 2026', true],
  ['Fri Nov 20 23:59:59 2026', false],
  [BEFORE, false],
  ['2099-01-01T00:00:00Z', false],
  ['Sat, 21 Nov 2099 00:00:00 +0000', false],
  ['Sat, 99 Foo 2099 00:00:00 GMT', false],
])('only dates of HTTP are dates, and only that of the file is its own: %s', async (date, isOwn) => {
  const status = async (headers: Record<string, string>) =>
    (await tree.ask(`${SLICE}.csv`, { headers })).status;
  expect(await status({ 'If-Modified-Since': date })).toBe(isOwn ? 304 : 200);
  expect(await status({ Range: 'bytes=0-1', 'If-Range': date })).toBe(isOwn ? 206 : 200);
});

test('one question has one ETag, another question another', async () => {
  const queries = ['', '&step=2', '&format=csv', '&limit=5', '&offset=1', '&detail=units'];
  const etag = async (query: string) => (await tree.ask(`${THINGS}?group=all${query}`)).headers.get('etag');
  const tags = await Promise.all(queries.map(etag));
  expect(new Set(tags).size).toBe(tags.length);
  expect(await etag('')).toBe(tags[0]);
});

describe('ranges of stored files', () => {
  const stored = () => readFile(join(tree.folder, `${SLICE}.csv`));

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, undefined],
    ['bytes=-20', -20, undefined],
    ['bytes=5-99999999', 5, undefined],
    ['BYTES= 1 - 2 ', 1, 3],
  ])('%s', async (range, start, end) => {
    const bytes = await stored();
    const response = await tree.ask(`${SLICE}.csv`, { headers: { Range: range } });
    const wanted = bytes.subarray(start, end);
    const from = start < 0 ? bytes.length + start : start;
    const said = `bytes ${from}-${from + wanted.length - 1}/${bytes.length}`;
    expect([response.status, response.headers.get('content-range')]).toEqual([206, said]);
    expect(response.headers.get('content-length')).toBe(String(wanted.length));
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(Buffer.from(await response.arrayBuffer()).equals(wanted)).toBe(true);
  });

  test.each(['bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2', 'bytes=a-b', 'bytes=-', ''])(
    '%j: all',
    async range => {
      const response = await tree.ask(`${SLICE}.csv`, { headers: { Range: range } });
      const { byteLength } = await response.arrayBuffer();
      expect([response.status, byteLength]).toEqual([200, (await stored()).length]);
    },
  );

  test.each(['bytes=99999999-', 'bytes=-0'])('%s cannot be satisfied', async range => {
    const { status, headers } = await tree.ask(`${SLICE}.csv`, { headers: { Range: range } });
    expect([status, headers.get('content-range')]).toEqual([416, `bytes */${(await stored()).length}`]);
  });

  test('If-Range', async () => {
    const { headers } = await tree.ask(`${SLICE}.csv`);
    const status = async (condition: string) =>
      (await tree.ask(`${SLICE}.csv`, { headers: { Range: 'bytes=0-1', 'If-Range': condition } })).status;
    expect(await status(headers.get('etag')!)).toBe(206);
    expect(await status('"x"')).toBe(200);
    expect(await status(`W/${headers.get('etag')}`)).toBe(200);
  });
});
