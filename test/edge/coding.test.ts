/** Bytes on the way: content codings, digests, and what a cache and a conditional request make of them. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeBody } from '../../site/edge/adapters/coded-bodies.ts';
import { CodedFiles } from '../../site/edge/adapters/coded-files.ts';
import { CODINGS } from '../../site/edge/adapters/coders.ts';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import type { Body, Coding } from '../../site/edge/answer.ts';
import { TreeMismatch } from '../../site/edge/files/files.ts';
import { bestCoding } from '../../site/edge/respond/coding.ts';
import { COMPUTE_WORKER } from './compute-worker.ts';
import { SLICE, THINGS, useTree } from './tree/fixture.ts';

const tree = useTree();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ folder: tree.folder, port: 0, compress: true });
});
afterAll(() => server.close());

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The bytes as they travel: fetch would decode them. */
function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  from = server,
): Promise<Got> {
  return new Promise((done, fail) => {
    const request = http.request(from.url + path, { headers, method }, async response => {
      const body = await buffer(response);
      done({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    request.on('error', fail).end();
  });
}

const digest = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
const stored = (path: string) => readFile(join(tree.folder, path));

const DECODE: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: bytes => (zlib as unknown as { zstdDecompressSync(bytes: Buffer): Buffer }).zstdDecompressSync(bytes),
};

describe.each(CODINGS)('%s', coding => {
  test('a range is of the stored bytes, and its digest is of the whole', async () => {
    const bytes = await stored(`${SLICE.slice(1)}.csv`);
    const coded = await get(`${SLICE}.csv`, { 'accept-encoding': coding });
    const range = { 'accept-encoding': coding, range: 'bytes=10-19' };
    const part = await get(`${SLICE}.csv`, range);
    expect([part.status, part.headers['content-encoding'], part.body.toString()]).toEqual([
      206,
      undefined,
      bytes.subarray(10, 20).toString(),
    ]);
    expect(part.headers['repr-digest']).toBe(digest(bytes));
    // Half of a compressed copy is not continued with stored bytes.
    const rest = await get(`${SLICE}.csv`, { ...range, 'if-range': coded.headers.etag! });
    expect([rest.status, rest.body.equals(bytes)]).toEqual([200, true]);
  });
});

const COMPUTED = [
  ['a page', `${THINGS}?detail=units&step=1&limit=500`],
  ['lines of stored text', `${THINGS}?year=2022&limit=20&offset=3`],
  ['a stream of CSV', `${THINGS}?detail=units&step=1&format=csv`],
  ['no rows', `${THINGS}?year=1900`],
];
const STORED = ['a stored slice', `${THINGS}?year=2022`];

describe.each(CODINGS)('answers in %s', coding => {
  const accepting = { 'accept-encoding': `${coding}, *;q=0` };

  test.each([STORED, ...COMPUTED])(
    '%s travels compressed, with a tag and a digest of its own',
    async (_, path = '') => {
      const [plain, coded, again] = [await get(path), await get(path, accepting), await get(path, accepting)];
      expect([plain.status, coded.status]).toEqual([200, 200]);
      expect([plain.headers['content-encoding'], coded.headers['content-encoding']]).toEqual([
        undefined,
        coding,
      ]);
      expect([plain.headers.vary, coded.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
      expect(DECODE[coding](coded.body).equals(plain.body)).toBe(true);
      expect(coded.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
      expect(coded.headers.link).toBe(plain.headers.link);
      expect([again.headers.etag, again.body.equals(coded.body)]).toEqual([coded.headers.etag, true]);
      const length = coded.headers['content-length'];
      if (length !== undefined) expect(length).toBe(String(coded.body.length));
      if (plain.body.length > 10_000) expect(coded.body.length).toBeLessThan(plain.body.length / 4);
      if (path === STORED[1]) {
        expect(length).toBeDefined();
        expect(plain.headers['repr-digest']).toBe(digest(plain.body));
        expect(coded.headers['repr-digest']).toBe(digest(coded.body));
      }
    },
  );

  test.each([STORED, ...COMPUTED])(
    '%s is asked for again with the tag of its coding',
    async (_, path = '') => {
      const [plain, coded] = [await get(path), await get(path, accepting)];
      const same = await get(path, { ...accepting, 'if-none-match': coded.headers.etag! });
      expect([same.status, same.headers.etag, same.headers.vary, same.body.length]).toEqual([
        304,
        coded.headers.etag,
        'Accept-Encoding',
        0,
      ]);
      expect([same.headers['content-encoding'], same.headers['repr-digest']]).toEqual([undefined, undefined]);
      expect((await get(path, { 'if-none-match': coded.headers.etag! })).status).toBe(200);
      const again = await get(path, { ...accepting, 'if-none-match': plain.headers.etag! });
      expect([again.status, again.headers['content-encoding']]).toEqual([200, coding]);
      const head = await get(path, accepting, 'HEAD');
      expect([head.status, head.headers.etag, head.body.length]).toEqual([200, coded.headers.etag, 0]);
    },
  );
});

test('other threads compute rows, and the server codes them', async () => {
  const threads = await startServer({
    ...{ folder: tree.folder, port: 0, compress: true, workers: 1 },
    poolOptions: { entry: COMPUTE_WORKER, limits: { here: 0 } },
  });
  try {
    for (const [, path = ''] of COMPUTED) {
      const plain = await get(path, {}, 'GET', threads);
      const coded = await get(path, { 'accept-encoding': 'gzip' }, 'GET', threads);
      expect([path, coded.headers['content-encoding']]).toEqual([path, 'gzip']);
      expect(DECODE.gzip(coded.body).toString()).toBe(plain.body.toString());
      expect(coded.headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'));
    }
  } finally {
    await threads.close();
  }
});

test('a stream that fails, or that nobody takes any more, ends what it is made of', async () => {
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
  for (const coding of CODINGS) {
    ended = 0;
    const failing = await encodeBody(parts(new TreeMismatch('a.json', 'is damaged')), coding);
    await expect(read(failing, Number.POSITIVE_INFINITY)).rejects.toThrow(TreeMismatch);
    expect(await read(await encodeBody(parts(null), coding), 1)).toBeLessThan(1_000_000);
    expect([coding, ended]).toEqual([coding, 2]);
  }
});

test.each([
  [`${SLICE}.parquet`, 'is compressed already'],
  ['/healthz', 'fits into one packet'],
  [`${THINGS}?detail=units&step=1&limit=500&format=parquet`, 'is compressed as it is made'],
])('%s %s', async path => {
  const found = await get(path, { 'accept-encoding': 'zstd, br, gzip' });
  expect([found.status, found.headers['content-encoding'], found.headers.vary]).toEqual([
    200,
    undefined,
    undefined,
  ]);
});

test('answers are kept by their coding, however a reader asks for it', async () => {
  const path = `${THINGS}?detail=units&step=2&limit=300`;
  const first = await get(path, { 'accept-encoding': 'gzip' });
  for (const accepted of ['gzip, deflate', 'x-gzip', 'gzip;q=0.5, *;q=0']) {
    const other = await get(path, { 'accept-encoding': accepted });
    expect([accepted, other.headers.etag]).toEqual([accepted, first.headers.etag]);
    expect(other.body.equals(first.body)).toBe(true);
  }
  expect((await get(path)).headers['content-encoding']).toBe(undefined);
  expect((await get(path, { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
});

test('a 304 has the digest of what it stands for', async () => {
  const whole = await get(`${SLICE}.csv`);
  const same = await get(`${SLICE}.csv`, { 'if-none-match': whole.headers.etag! });
  expect([same.status, same.headers['repr-digest']]).toEqual([304, whole.headers['repr-digest']]);
});

test.each([
  [`${SLICE}.csv`, true],
  [`${SLICE}.parquet`, true],
  ['/manifest.json', true],
  ['/api/v1/', true],
  ['/SHA256SUMS', true],
  [`${THINGS}?detail=units&step=1&limit=5`, false],
])('under the fetch standard, %s has the digest of its bytes if it is stored', async (path, isStored) => {
  const response = await tree.ask(path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('repr-digest')).toBe(isStored ? digest(bytes) : null);
});

test('each file is compressed once for all who ask at the same time and later', async () => {
  const files = new CodedFiles(1 << 20);
  let reads = 0;
  const read = async () => {
    reads++;
    return new Uint8Array(100_000);
  };
  const asked = Array.from({ length: 5 }, () => files.get('hash', 'gzip', read));
  const [first] = await Promise.all(asked);
  expect((await files.get('hash', 'gzip', read)).bytes).toBe(first?.bytes);
  expect(reads).toBe(1);
  await files.get('hash', 'br', read);
  expect(reads).toBe(2);
  await expect(
    files.get('other', 'br', async () => {
      throw new Error('unread');
    }),
  ).rejects.toThrow('unread');
  expect((await files.get('other', 'br', read)).bytes.length).toBeGreaterThan(0);
});

test.each<[string | null, Coding | null]>([
  [null, null],
  ['', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, br', 'br'],
  ['GZIP;q=1.0, BR;q=0.5', 'gzip'],
  ['*', 'zstd'],
  ['br;q=0, *;q=0.5', 'zstd'],
  ['*;q=0', null],
  ['identity', null],
  ['identity;q=1, gzip;q=0.5', null],
  ['identity;q=0.1, gzip;q=0.5', 'gzip'],
  ['br;q=nonsense', 'br'],
  ['deflate', null],
  [',,;q=1,=', null],
])('Accept-Encoding: %s', (accepted, coding) => {
  expect(bestCoding(accepted, ['zstd', 'br', 'gzip'])).toBe(coding);
});
