import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SLICE, THINGS, useTree } from './tree/fixture.ts';

const tree = useTree();

describe('conditional requests', () => {
  const paths = [
    '/',
    '/api/v1/',
    '/healthz',
    `${SLICE}.csv`,
    `${THINGS}?year=2022`,
    `${THINGS}?area_code=150`,
    `${THINGS}?year=2022&limit=3`,
  ];

  test.each(paths)('%s', async path => {
    const first = await tree.ask(path);
    const etag = first.headers.get('etag')!;
    const modified = first.headers.get('last-modified')!;
    const status = async (headers: Record<string, string>) => (await tree.ask(path, { headers })).status;
    expect(await status({ 'If-None-Match': etag })).toBe(304);
    expect(await status({ 'If-None-Match': `"x", W/${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"x"' })).toBe(200);
    expect(await status({ 'If-Modified-Since': modified })).toBe(304);
    expect(await status({ 'If-Modified-Since': 'Fri, 20 Nov 2026 23:59:59 GMT' })).toBe(200);
    expect(await status({ 'If-Modified-Since': 'yesterday' })).toBe(200);
    expect(await status({ 'If-None-Match': '"x"', 'If-Modified-Since': modified })).toBe(200);
    const none = await tree.ask(path, { headers: { 'If-None-Match': etag } });
    expect(none.headers.get('etag')).toBe(etag);
    expect(none.headers.get('content-length')).toBeNull();
    expect(await none.text()).toBe('');
  });

  test.each(paths)('%s, for who wants no other', async path => {
    const first = await tree.ask(path);
    const etag = first.headers.get('etag')!;
    const modified = first.headers.get('last-modified')!;
    const status = async (headers: Record<string, string>, method = 'GET') =>
      (await tree.ask(path, { headers, method })).status;
    expect(await status({ 'If-Match': etag })).toBe(200);
    expect(await status({ 'If-Match': `"x", ${etag}` })).toBe(200);
    expect(await status({ 'If-Match': '*' })).toBe(200);
    expect(await status({ 'If-Match': '"x"' })).toBe(412);
    expect(await status({ 'If-Match': '"x"' }, 'HEAD')).toBe(412);
    expect(await status({ 'If-Match': `W/${etag}` })).toBe(412);
    expect(await status({ 'If-Match': '"x"', 'If-None-Match': etag, Range: 'bytes=0-1' })).toBe(412);
    expect(await status({ 'If-Match': etag, 'If-None-Match': etag })).toBe(304);
    const before = 'Fri, 20 Nov 2026 23:59:59 GMT';
    expect(await status({ 'If-Unmodified-Since': modified })).toBe(200);
    expect(await status({ 'If-Unmodified-Since': before })).toBe(412);
    expect(await status({ 'If-Unmodified-Since': 'yesterday' })).toBe(200);
    expect(await status({ 'If-Match': etag, 'If-Unmodified-Since': before })).toBe(200);
    const failed = await tree.ask(path, { headers: { 'If-Match': '"x"' } });
    expect([failed.headers.get('cache-control'), failed.headers.get('access-control-allow-origin')]).toEqual([
      'no-store',
      '*',
    ]);
    expect(await failed.json()).toEqual({ detail: expect.stringMatching(/If-Match/) });
  });

  test.each([
    ['Sat, 21 Nov 2026 00:00:00 GMT', 304],
    ['Saturday, 21-Nov-26 00:00:00 GMT', 304],
    ['Sat Nov 21 00:00:00 2026', 304],
    ['Fri Nov 20 23:59:59 2026', 200],
    ['Fri, 20 Nov 2026 23:59:59 GMT', 200],
    ['2099', 200],
    ['2099-01-01', 200],
    ['2099-01-01T00:00:00Z', 200],
    ['Sat, 21 Nov 2099 00:00:00 +0000', 200],
    ['1', 200],
    ['Sat, 99 Foo 2099 00:00:00 GMT', 200],
  ])('only dates of HTTP are dates: %s', async (date, status) => {
    expect((await tree.ask(`${SLICE}.csv`, { headers: { 'If-Modified-Since': date } })).status).toBe(status);
    const part = { Range: 'bytes=0-1', 'If-Range': date };
    const exact = status === 304;
    expect((await tree.ask(`${SLICE}.csv`, { headers: part })).status).toBe(exact ? 206 : 200);
  });

  test('one question has one ETag, another question another', async () => {
    const etag = async (query: string) => (await tree.ask(THINGS + query)).headers.get('etag');
    const tags = await Promise.all(
      [
        '?step=1',
        '?step=2',
        '?step=1&format=csv',
        '?step=1&limit=5',
        '?step=1&offset=1',
        '?step=1&detail=units',
      ].map(etag),
    );
    expect(new Set(tags).size).toBe(tags.length);
    expect(await etag('?step=1')).toBe(tags[0]);
  });
});

describe('ranges of stored files', () => {
  const size = () => readFile(join(tree.folder, `${SLICE.slice(1)}.csv`)).then(bytes => bytes.length);

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, Number.POSITIVE_INFINITY],
    ['bytes=-20', -20, Number.POSITIVE_INFINITY],
    ['bytes=5-99999999', 5, Number.POSITIVE_INFINITY],
    ['BYTES= 1 - 2 ', 1, 3],
  ])('%s', async (range, start, end) => {
    const bytes = await readFile(join(tree.folder, `${SLICE.slice(1)}.csv`));
    const response = await tree.ask(`${SLICE}.csv`, { headers: { Range: range } });
    const wanted = bytes.subarray(start, Math.min(end, bytes.length));
    const from = start < 0 ? bytes.length + start : start;
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(
      `bytes ${from}-${from + wanted.length - 1}/${bytes.length}`,
    );
    expect(response.headers.get('content-length')).toBe(String(wanted.length));
    expect(Buffer.from(await response.arrayBuffer()).equals(wanted)).toBe(true);
  });

  test.each(['bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2', 'bytes=a-b', 'bytes=-', ''])(
    '%j: the whole file',
    async range => {
      const response = await tree.ask(`${SLICE}.csv`, { headers: { Range: range } });
      expect(response.status).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBe(await size());
    },
  );

  test.each(['bytes=99999999-', 'bytes=-0'])('%s cannot be satisfied', async range => {
    const response = await tree.ask(`${SLICE}.csv`, { headers: { Range: range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${await size()}`,
    ]);
  });

  test('If-Range', async () => {
    const { headers } = await tree.ask(`${SLICE}.csv`);
    const status = async (condition: string) =>
      (await tree.ask(`${SLICE}.csv`, { headers: { Range: 'bytes=0-1', 'If-Range': condition } })).status;
    expect(await status(headers.get('etag')!)).toBe(206);
    expect(await status(headers.get('last-modified')!)).toBe(206);
    expect(await status('"x"')).toBe(200);
    expect(await status(`W/${headers.get('etag')}`)).toBe(200);
    expect(await status('Fri, 20 Nov 2026 00:00:00 GMT')).toBe(200);
  });
});
