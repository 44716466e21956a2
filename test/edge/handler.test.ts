import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import type { Budget } from '../../site/edge/executor.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler, type Handler } from '../../site/edge/fetch.ts';
import { countReads } from './counting-files.ts';
import { matchingRows } from './tree/reference.ts';
import { writeTree } from './tree/write.ts';

const BUDGET: Budget = { bytes: 64 << 20, rows: 100_000 };

let folder: string;
let handler: Handler;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handler-'));
  await writeTree(folder);
  handler = makeHandler(folder);
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

function makeHandler(root: string, budget: Budget = BUDGET): Handler {
  return createHandler(createFolderFiles(root), {
    executors: [createHyparquetExecutor(budget)],
    refreshAfter: 0,
  });
}

function ask(path: string, init?: RequestInit, from: Handler = handler): Promise<Response> {
  return from(new Request(`http://edge.test${path}`, init));
}

const THINGS = '/api/v1/demo/things';
const SLICE = '/api/v1/demo/things/year=2022/areas';

describe('routes', () => {
  test.each([
    ['/', 200, 'application/json', 'index.json'],
    ['/healthz', 200, 'application/json', 'healthz.json'],
    ['/healthz?x=1&x=2', 200, 'application/json', 'healthz.json'],
    ['/manifest.json', 200, 'application/json', 'manifest.json'],
    ['/SHA256SUMS', 200, 'text/plain; charset=utf-8', 'SHA256SUMS'],
    ['/api/v1/', 200, 'text/html; charset=utf-8', 'api/v1/index.html'],
    ['/api/v1/datasets', 200, 'application/json', 'api/v1/datasets/index.json'],
    ['/api/v1/datasets/demo/things', 200, 'application/json', 'api/v1/datasets/demo/things/index.json'],
    [
      '/api/v1/datasets/demo/things/contract',
      200,
      'application/yaml',
      'api/v1/datasets/demo/things/contract.yaml',
    ],
    [
      '/api/v1/datasets/demo/things/contract?format=yaml&q=1',
      200,
      'application/yaml',
      'api/v1/datasets/demo/things/contract.yaml',
    ],
    [
      '/api/v1/datasets/demo/things/contract?format=json',
      200,
      'application/json',
      'api/v1/datasets/demo/things/contract.json',
    ],
    ['/api/v1/demo/_dimensions/areas', 200, 'application/json', 'api/v1/demo/_dimensions/areas/rows.json'],
    [
      '/api/v1/demo/_dimensions/areas?format=csv',
      200,
      'text/csv; charset=utf-8',
      'api/v1/demo/_dimensions/areas/rows.csv',
    ],
    [
      '/api/v1/demo/_dimensions/areas?format=parquet',
      200,
      'application/vnd.apache.parquet',
      'api/v1/demo/_dimensions/areas/rows.parquet',
    ],
    [
      '/api/v1/demo/_dimensions/areas/schema',
      200,
      'application/json',
      'api/v1/demo/_dimensions/areas/schema.json',
    ],
    [`${THINGS}/values`, 200, 'application/json', 'api/v1/demo/things/values.json'],
    [`${THINGS}?year=2022`, 200, 'application/json', `${SLICE.slice(1)}.json`],
    [`${THINGS}?year=2022&format=csv`, 200, 'text/csv; charset=utf-8', `${SLICE.slice(1)}.csv`],
    [
      `${THINGS}?year=2022&format=parquet`,
      200,
      'application/vnd.apache.parquet',
      `${SLICE.slice(1)}.parquet`,
    ],
    [`${SLICE}.parquet`, 200, 'application/vnd.apache.parquet', `${SLICE.slice(1)}.parquet`],
  ])('%s', async (path, status, type, file) => {
    const response = await ask(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('last-modified')).toBe('Sat, 21 Nov 2026 00:00:00 GMT');
    expect(Buffer.from(await response.arrayBuffer()).equals(await readFile(join(folder, file)))).toBe(true);
    const head = await ask(path, { method: 'HEAD' });
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(response.headers));
    expect(await head.text()).toBe('');
  });

  test('the front page is for people', async () => {
    const page = await ask('/', { headers: { Accept: 'text/html,*/*' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('Accept');
    expect((await ask('/')).headers.get('vary')).toBe('Accept');
  });

  test('a dimension is paged', async () => {
    const response = await ask('/api/v1/demo/_dimensions/areas?limit=2&offset=1');
    const page = (await response.json()) as { data: unknown[] };
    expect(page).toMatchObject({
      dimension: 'areas',
      total: 40,
      offset: 1,
      limit: 2,
      count: 2,
      next: '/api/v1/demo/_dimensions/areas?limit=2&offset=3',
    });
    expect(Object.keys(page)).not.toContain('filters');
    expect(page.data).toHaveLength(2);
  });

  test('a folder without its slash is sent to the one with it', async () => {
    const response = await ask('/api/v1/demo');
    expect([response.status, response.headers.get('location')]).toEqual([301, '/api/v1/demo/']);
  });

  test.each([
    ['/nothing', /Nothing is published here\. \/api\/v1\/datasets lists all datasets\./],
    ['/api/v1/dataset', /Did you mean \/api\/v1\/datasets\?/],
    ['/healthzz', /Did you mean \/healthz\?/],
    ['/api/v1/demo/thing', /There is no dataset demo\/thing\. Did you mean demo\/things\?/],
    ['/api/v1/datasets/demo/thinsg', /Did you mean demo\/things\?/],
    ['/api/v1/demo/thing/values', /Did you mean demo\/things\?/],
    [
      '/api/v1/demo/_dimensions/area',
      /There is no dimension area in demo\. Did you mean \/api\/v1\/demo\/_dimensions\/areas\?/,
    ],
    ['/api/v1/nowhere/', /Nothing is published here/],
    ['/%2e%2e%2fsecret', /Nothing is published here/],
    ['/%00', /Nothing is published here/],
  ])('%s is not there', async (path, detail) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(((await response.json()) as { detail: string }).detail).toMatch(detail);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is not a method here', async method => {
    const response = await ask(THINGS, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('OPTIONS', async () => {
    const response = await ask(THINGS, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(response.headers.get('access-control-allow-headers')).toContain('Range');
  });

  test('what is too long is refused', async () => {
    expect((await ask(`${THINGS}?area_code=${'1,'.repeat(5000)}1`)).status).toBe(414);
    expect((await ask(`/${'a'.repeat(3000)}`)).status).toBe(414);
    expect((await ask(`${THINGS}?limit=1&area_code=${'1,'.repeat(4000)}1`)).status).toBe(200);
  });
});

test('a 422 names every problem, in FastAPI’s shape', async () => {
  const response = await ask(`${THINGS}?yaer=2019&detail=area`);
  expect(response.status).toBe(422);
  const url = `${THINGS}?year=2019&detail=areas`;
  expect(await response.json()).toEqual({
    detail: [
      {
        type: 'extra_forbidden',
        loc: ['query', 'yaer'],
        msg: "Unknown parameter. Did you mean 'year'?",
        input: '2019',
        ctx: { expected: expect.arrayContaining(['year', 'limit']), nearest: 'year', url },
      },
      {
        type: 'enum',
        loc: ['query', 'detail'],
        msg: "Input should be 'areas', 'units' or 'whole'. Did you mean 'areas'?",
        input: 'area',
        ctx: { expected: ['areas', 'units', 'whole'], nearest: 'areas', url },
      },
    ],
  });
  expect((await ask(url)).status).toBe(200);
  expect((await ask(`${THINGS}?a=%ff`)).status).toBe(422);
  expect((await ask('/api/v1/demo/_dimensions/areas?area_code=1')).status).toBe(422);
  expect((await ask('/api/v1/datasets/demo/things/contract?format=xml')).status).toBe(422);
});

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
    const first = await ask(path);
    const etag = first.headers.get('etag')!;
    const modified = first.headers.get('last-modified')!;
    const status = async (headers: Record<string, string>) => (await ask(path, { headers })).status;
    expect(await status({ 'If-None-Match': etag })).toBe(304);
    expect(await status({ 'If-None-Match': `"x", W/${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"x"' })).toBe(200);
    expect(await status({ 'If-Modified-Since': modified })).toBe(304);
    expect(await status({ 'If-Modified-Since': 'Fri, 20 Nov 2026 23:59:59 GMT' })).toBe(200);
    expect(await status({ 'If-Modified-Since': 'yesterday' })).toBe(200);
    expect(await status({ 'If-None-Match': '"x"', 'If-Modified-Since': modified })).toBe(200);
    const none = await ask(path, { headers: { 'If-None-Match': etag } });
    expect(none.headers.get('etag')).toBe(etag);
    expect(none.headers.get('content-length')).toBeNull();
    expect(await none.text()).toBe('');
  });

  test('one question has one ETag, another question another', async () => {
    const etag = async (query: string) => (await ask(THINGS + query)).headers.get('etag');
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
  const size = () => readFile(join(folder, `${SLICE.slice(1)}.csv`)).then(bytes => bytes.length);

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, Number.POSITIVE_INFINITY],
    ['bytes=-20', -20, Number.POSITIVE_INFINITY],
    ['bytes=5-99999999', 5, Number.POSITIVE_INFINITY],
    ['BYTES= 1 - 2 ', 1, 3],
  ])('%s', async (range, start, end) => {
    const bytes = await readFile(join(folder, `${SLICE.slice(1)}.csv`));
    const response = await ask(`${SLICE}.csv`, { headers: { Range: range } });
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
      const response = await ask(`${SLICE}.csv`, { headers: { Range: range } });
      expect(response.status).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBe(await size());
    },
  );

  test.each(['bytes=99999999-', 'bytes=-0'])('%s cannot be satisfied', async range => {
    const response = await ask(`${SLICE}.csv`, { headers: { Range: range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${await size()}`,
    ]);
  });

  test('If-Range', async () => {
    const { headers } = await ask(`${SLICE}.csv`);
    const status = async (condition: string) =>
      (await ask(`${SLICE}.csv`, { headers: { Range: 'bytes=0-1', 'If-Range': condition } })).status;
    expect(await status(headers.get('etag')!)).toBe(206);
    expect(await status(headers.get('last-modified')!)).toBe(206);
    expect(await status('"x"')).toBe(200);
    expect(await status(`W/${headers.get('etag')}`)).toBe(200);
    expect(await status('Fri, 20 Nov 2026 00:00:00 GMT')).toBe(200);
  });
});

describe('what is read', () => {
  test('a place over all years takes one read, and no footer', async () => {
    const files = countReads(createFolderFiles(folder));
    const counted = createHandler(files, { executors: [createHyparquetExecutor(BUDGET)] });
    await ask(`${THINGS}?detail=units&area_code=101&unit_code=u001`, {}, counted);
    const before = files.reads.length;
    const response = await ask(`${THINGS}?detail=units&area_code=150&unit_code=u003`, {}, counted);
    expect(((await response.json()) as { count: number }).count).toBe(
      matchingRows({ detail: 'units', filters: { area_code: ['150'], unit_code: ['u003'] } }).length,
    );
    const reads = files.reads.slice(before);
    expect(reads.map(read => read.path)).toEqual(['api/v1/demo/things/history/units.parquet']);
  });

  test('the first rows of a page take the first bytes of its file', async () => {
    const files = countReads(createFolderFiles(folder));
    const counted = createHandler(files, { executors: [createHyparquetExecutor(BUDGET)] });
    await ask(`${THINGS}?detail=units&year=2023&limit=10`, {}, counted);
    const before = files.reads.length;
    await ask(`${THINGS}?detail=units&year=2023&limit=20`, {}, counted);
    const reads = files.reads.slice(before);
    expect(reads).toHaveLength(1);
    expect(reads[0]!.bytes).toBeLessThan(20_000);
  });

  test('a stored file is not read to be described', async () => {
    const files = countReads(createFolderFiles(folder));
    const counted = createHandler(files, { executors: [] });
    await ask(`${THINGS}?year=2022`, { method: 'HEAD' }, counted);
    const before = files.reads.length;
    await ask(`${THINGS}?year=2019`, { method: 'HEAD' }, counted);
    expect(files.reads.length).toBe(before);
  });
});

describe('a question that costs too much', () => {
  test('is refused with the files, the residual and SQL that answers it', async () => {
    const poor = makeHandler(folder, { bytes: 1000, rows: 10 });
    const query = `${THINGS}?detail=units&group=all&area_type=city&year_min=2020&format=csv`;
    const response = await ask(query, {}, poor);
    expect(response.status).toBe(501);
    const body = (await response.json()) as {
      detail: string;
      files: { path: string }[];
      residual: unknown;
      sql: string;
    };
    expect(body.detail).toMatch(/costs more/);
    expect(body.files.map(file => file.path)).toEqual(
      [2020, 2022, 2023].map(year => `${THINGS}/year=${year}/units.parquet`),
    );
    expect(body.residual).toEqual({
      filters: { area_type: ['city'], group: ['all'] },
      sort: false,
      offset: 0,
      limit: null,
    });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(body.sql.replaceAll('http://edge.test', folder));
    const wanted = matchingRows({
      detail: 'units',
      year_min: 2020,
      filters: { group: ['all'], area_type: ['city'] },
    });
    expect(
      reader.getRowsJS().map(row => row.map(value => (typeof value === 'bigint' ? Number(value) : value))),
    ).toEqual(wanted.map(row => [...row]));
  });

  test('as a page of JSON it is tried, and refused when it turns out so', async () => {
    const poor = makeHandler(folder, { bytes: 200_000, rows: 100 });
    expect((await ask(`${THINGS}?detail=units&group=all&limit=10`, {}, poor)).status).toBe(200);
    expect(
      (
        await ask(
          `${THINGS}?detail=units&group=all&offset=20000&limit=10`,
          {},
          makeHandler(folder, { bytes: 1000, rows: 9 }),
        )
      ).status,
    ).toBe(501);
  });

  test('rows to be sorted count too', async () => {
    const poor = makeHandler(folder, { bytes: 1 << 30, rows: 3 });
    expect((await ask(`${THINGS}?detail=units&area_code=150`, {}, poor)).status).toBe(501);
  });
});

describe('a tree that is not as its manifest says', () => {
  let broken: string;
  const slice = 'api/v1/demo/things/year=2022/areas';

  beforeAll(async () => {
    broken = await mkdtemp(join(tmpdir(), 'broken-'));
  });

  afterAll(() => rm(broken, { recursive: true }));

  async function breakTree(name: string, damage: (root: string) => Promise<void>): Promise<Handler> {
    const root = join(broken, name);
    await cp(folder, root, { recursive: true });
    await damage(root);
    return makeHandler(root);
  }

  async function expectNamed(from: Handler, path: string, file: string): Promise<void> {
    const response = await ask(path, {}, from);
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(text).toContain(file);
    expect(text).not.toContain(broken);
    expect(text).not.toMatch(/ at |\.ts/);
  }

  test('a missing file', async () => {
    const from = await breakTree('missing', root => rm(join(root, `${slice}.json`)));
    await expectNamed(from, `${THINGS}?year=2022`, `${slice}.json`);
    await expectNamed(from, `${THINGS}?year_min=2020`, `${slice}.json`);
    await expectNamed(from, `/${slice}.json`, `${slice}.json`);
    expect((await ask(`${THINGS}?year=2020`, {}, from)).status).toBe(200);
  });

  test('a truncated file', async () => {
    const from = await breakTree('truncated', async root => {
      for (const type of ['csv', 'json', 'parquet']) await truncate(join(root, `${slice}.${type}`), 3000);
    });
    await expectNamed(from, `${THINGS}?year=2022&format=csv`, `${slice}.csv`);
    await expectNamed(from, `${THINGS}?year_min=2020&format=csv`, `${slice}.csv`);
    await expectNamed(from, `${THINGS}?year=2022&limit=2`, `${slice}.json`);
    await expectNamed(from, `${THINGS}?year=2022&group=all`, `${slice}.parquet`);
  });

  test('a file of the right length with other bytes', async () => {
    const from = await breakTree('scrambled', async root => {
      for (const type of ['json', 'parquet']) {
        const path = join(root, `${slice}.${type}`);
        await writeFile(path, Buffer.alloc((await readFile(path)).length, 7));
      }
    });
    await expectNamed(from, `${THINGS}?year=2022&limit=2`, `${slice}.json`);
    await expectNamed(from, `${THINGS}?year=2022&group=all`, `${slice}.parquet`);
  });

  test('a missing root manifest', async () => {
    const from = await breakTree('no-root', root => rm(join(root, 'manifest.json')));
    await expectNamed(from, `${THINGS}?year=2022`, 'manifest.json');
  });

  test('manifests of two releases', async () => {
    const from = await breakTree('two', async root => {
      const path = join(root, 'api/v1/demo/things/manifest.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace('datasetrel00', 'datasetrel01'));
    });
    await expectNamed(from, `${THINGS}?year=2022`, 'api/v1/demo/things/manifest.json');
  });

  test('a release that is switched is noticed', async () => {
    const root = join(broken, 'switched');
    await cp(folder, root, { recursive: true });
    const slow = createHandler(createFolderFiles(root), {
      executors: [createHyparquetExecutor(BUDGET)],
      refreshAfter: 1e9,
    });
    expect(await (await ask(`${THINGS}?year=2022&limit=1`, {}, slow)).json()).not.toHaveProperty('sample');
    await writeTree(root, { sample: true });
    const response = await ask(`${THINGS}?year=2022&limit=1`, {}, slow);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('sample', true);
  });
});

describe('a reader who hangs up', () => {
  test('before the answer', async () => {
    await expect(ask(`${THINGS}?group=all`, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test('in the middle of a stream', async () => {
    const files = countReads(createFolderFiles(folder));
    const counted = createHandler(files, { executors: [createHyparquetExecutor(BUDGET)] });
    const response = await ask(`${THINGS}?detail=units&step=1,2&format=csv`, {}, counted);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const reads = files.reads.length;
    await new Promise(done => setTimeout(done, 50));
    expect(files.reads.length).toBe(reads);
  });
});
