/** Content codings and digests, and how caches and conditional requests treat them. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCodings } from '../../site/edge/adapters/codings.ts';
import type { Body, Coding } from '../../site/edge/answer.ts';
import { TreeMismatch } from '../../site/edge/files/files.ts';
import { bestCoding } from '../../site/edge/respond/representation.ts';
import { askAsIs, served } from '../served.ts';
import { SLICE, THINGS, openThings } from './tree/fixture.ts';

const CODINGS = createCodings(1 << 20);

const tree = await openThings();
let url: string;
beforeAll(async () => {
  url = await served(tree.folder, { compress: true });
});

/** The encoded bytes: fetch would decode them. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askAsIs(url + path, { headers, method });

const digest = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
const stored = (path: string) => readFile(join(tree.folder, path));

const DECODE: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: bytes => (zlib as unknown as { zstdDecompressSync(bytes: Buffer): Buffer }).zstdDecompressSync(bytes),
};

const COMPUTED = [
  `${THINGS}?detail=units&step=1&limit=500`,
  // Lines of stored text, a stream, and no rows.
  `${THINGS}?year=2022&limit=20&offset=3`,
  `${THINGS}?detail=units&step=1&format=csv`,
  `${THINGS}?year=1900`,
];
const STORED = `${THINGS}?year=2022`;

test('a range has the stored bytes, and the digest of the whole file', async () => {
  const bytes = await stored(`${SLICE.slice(1)}.csv`);
  const coded = await get(`${SLICE}.csv`, { 'accept-encoding': 'gzip' });
  const range = { 'accept-encoding': 'gzip', range: 'bytes=10-19' };
  const part = await get(`${SLICE}.csv`, range);
  const found = [part.status, part.headers['content-encoding'], part.body.toString()];
  expect(found).toEqual([206, undefined, bytes.toString('utf8', 10, 20)]);
  expect(part.headers['repr-digest']).toBe(digest(bytes));
  // Half of a compressed copy isn't continued with stored bytes.
  const rest = await get(`${SLICE}.csv`, { ...range, 'if-range': coded.headers.etag! });
  expect([rest.status, rest.body.equals(bytes)]).toEqual([200, true]);
});

describe.each(CODINGS.offered)('in %s', coding => {
  const accepting = { 'accept-encoding': `${coding}, *;q=0` };

  test.each([STORED, ...COMPUTED])('%s has a tag and a digest of its own, for conditions too', async path => {
    const [plain, coded, again] = [await get(path), await get(path, accepting), await get(path, accepting)];
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    expect([coded.status, coded.headers['content-encoding']]).toEqual([200, coding]);
    expect([plain.headers.vary, coded.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(DECODE[coding](coded.body).equals(plain.body)).toBe(true);
    expect(coded.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
    expect([again.headers.etag, again.body.equals(coded.body)]).toEqual([coded.headers.etag, true]);
    const { 'content-length': length = path === STORED ? 'none' : String(coded.body.length) } = coded.headers;
    expect(length).toBe(String(coded.body.length));
    if (plain.body.length > 10_000) expect(coded.body.length).toBeLessThan(plain.body.length / 4);
    for (const one of path === STORED ? [plain, coded] : [])
      expect(one.headers['repr-digest']).toBe(digest(one.body));

    const same = await get(path, { ...accepting, 'if-none-match': coded.headers.etag! });
    expect([same.status, same.headers.etag, same.body.length]).toEqual([304, coded.headers.etag, 0]);
    expect([same.headers.vary, same.headers['content-encoding']]).toEqual(['Accept-Encoding', undefined]);
    expect((await get(path, { 'if-none-match': coded.headers.etag! })).status).toBe(200);
    expect((await get(path, { ...accepting, 'if-none-match': plain.headers.etag! })).status).toBe(200);
    const head = await get(path, accepting, 'HEAD');
    expect([head.status, head.headers.etag, head.body.length]).toEqual([200, coded.headers.etag, 0]);
  });
});

test('a stream that fails or is canceled ends its source', async () => {
  let ended = 0;
  async function* parts(failure: Error | null) {
    try {
      for (let i = 0; i < 200; i++) yield randomBytes(10_000);
      if (failure) throw failure;
    } finally {
      ended++;
    }
  }
  const read = async (body: Body, most: number) => {
    let bytes = 0;
    for await (const part of body as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > most) break;
    }
    return bytes;
  };
  for (const coding of CODINGS.offered) {
    ended = 0;
    const failing = await CODINGS.encode(parts(new TreeMismatch('a.json', 'is damaged')), coding);
    await expect(read(failing, Number.POSITIVE_INFINITY)).rejects.toThrow(TreeMismatch);
    expect(await read(await CODINGS.encode(parts(null), coding), 1)).toBeLessThan(1_000_000);
    expect([coding, ended]).toEqual([coding, 2]);
  }
});

test.each([
  [`${SLICE}.parquet`, 'is compressed already'],
  ['/healthz', 'fits into one packet'],
  [`${THINGS}?detail=units&step=1&limit=500&format=parquet`, 'is compressed as it is made'],
])('%s %s', async path => {
  const { status, headers } = await get(path, { 'accept-encoding': 'zstd, br, gzip' });
  expect([status, headers['content-encoding'], headers.vary]).toEqual([200, undefined, undefined]);
});

test('answers are kept by their coding, for any form of Accept-Encoding', async () => {
  const path = `${THINGS}?detail=units&step=2&limit=300`;
  const first = await get(path, { 'accept-encoding': 'gzip' });
  const other = await get(path, { 'accept-encoding': 'gzip;q=0.5, *;q=0' });
  expect([other.headers.etag, other.body.equals(first.body)]).toEqual([first.headers.etag, true]);
  expect((await get(path)).headers['content-encoding']).toBe(undefined);
  expect((await get(path, { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
});

test('stored files have the digest of their bytes, under the fetch standard too, and in a 304', async () => {
  const whole = await get(`${SLICE}.csv`);
  const same = await get(`${SLICE}.csv`, { 'if-none-match': whole.headers.etag! });
  expect([same.status, same.headers['repr-digest']]).toEqual([304, whole.headers['repr-digest']]);
  for (const path of [`${SLICE}.parquet`, '/manifest.json', '/api/v1/', '/SHA256SUMS', COMPUTED[0]!]) {
    const response = await tree.ask(path);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([path, response.headers.get('repr-digest')]).toEqual([
      path,
      path === COMPUTED[0] ? null : digest(bytes),
    ]);
  }
});

test('each file is compressed once for all who ask at the same time and later', async () => {
  let reads = 0;
  const read = async () => {
    reads++;
    return new Uint8Array(100_000);
  };
  const asked = Array.from({ length: 5 }, () => CODINGS.encodeFile('hash', 'gzip', read));
  const [first] = await Promise.all(asked);
  expect((await CODINGS.encodeFile('hash', 'gzip', read)).bytes).toBe(first?.bytes);
  expect(reads).toBe(1);
  await CODINGS.encodeFile('hash', 'br', read);
  expect(reads).toBe(2);
  await expect(
    CODINGS.encodeFile('other', 'br', async () => {
      throw new Error('unread');
    }),
  ).rejects.toThrow('unread');
  expect((await CODINGS.encodeFile('other', 'br', read)).bytes.length).toBeGreaterThan(0);
});

test.each([
  ...[' → null', 'gzip → gzip', 'x-gzip → gzip', 'gzip, deflate, br, zstd → zstd', 'gzip, br → br'],
  ...['GZIP;q=1.0, BR;q=0.5 → gzip', '* → zstd', 'br;q=0, *;q=0.5 → zstd', '*;q=0 → null', 'identity → null'],
  ...['identity;q=1, gzip;q=0.5 → null', 'identity;q=0.1, gzip;q=0.5 → gzip', 'br;q=nonsense → br'],
  ...['deflate → null', ',,;q=1,= → null'],
])('Accept-Encoding: %s', row => {
  const [accepted = '', coding] = row.split(' → ');
  expect(String(bestCoding(accepted, ['zstd', 'br', 'gzip']))).toBe(coding);
});
