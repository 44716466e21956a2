import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pagePolicy } from '../../site/edge/respond/headers.ts';
import { SLICE, THINGS, useTree } from './tree/fixture.ts';

const tree = useTree();

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const CSV = 'text/csv; charset=utf-8';
const PARQUET = 'application/vnd.apache.parquet';
const CONTRACT = '/api/v1/datasets/demo/things/contract';
const AREAS = '/api/v1/demo/_dimensions/areas';

describe('routes', () => {
  test.each([
    ['/', JSON_TYPE, '/index.json'],
    ['/healthz?x=1&x=2', JSON_TYPE, '/healthz.json'],
    ['/manifest.json', JSON_TYPE, '/manifest.json'],
    ['/SHA256SUMS', 'text/plain; charset=utf-8', '/SHA256SUMS'],
    ['/api/v1/', 'text/html; charset=utf-8', '/api/v1/index.html'],
    ['/api/v1/datasets', JSON_TYPE, '/api/v1/datasets/index.json'],
    ['/api/v1/datasets/demo/things', JSON_TYPE, '/api/v1/datasets/demo/things/index.json'],
    [CONTRACT, YAML, `${CONTRACT}.yaml`],
    [`${CONTRACT}?format=yaml&q=1`, YAML, `${CONTRACT}.yaml`],
    [`${CONTRACT}?format=json`, JSON_TYPE, `${CONTRACT}.json`],
    [`${CONTRACT}?utm=caf%E9&%E9=1&format=%E9&format=json`, JSON_TYPE, `${CONTRACT}.json`],
    [AREAS, JSON_TYPE, `${AREAS}/rows.json`],
    [`${AREAS}?format=csv`, CSV, `${AREAS}/rows.csv`],
    [`${AREAS}?format=parquet`, PARQUET, `${AREAS}/rows.parquet`],
    [`${AREAS}/schema`, JSON_TYPE, `${AREAS}/schema.json`],
    [`${THINGS}/values`, JSON_TYPE, `${THINGS}/values.json`],
    [`${THINGS}?year=2022`, JSON_TYPE, `${SLICE}.json`],
    [`${THINGS}?year=2022&format=csv`, CSV, `${SLICE}.csv`],
    [`${THINGS}?year=2022&format=parquet`, PARQUET, `${SLICE}.parquet`],
    [`${SLICE}.parquet`, PARQUET, `${SLICE}.parquet`],
  ])('%s', async (path, type, file) => {
    const response = await tree.ask(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('last-modified')).toBe('Sat, 21 Nov 2026 00:00:00 GMT');
    const bytes = await readFile(join(tree.folder, file));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const head = await tree.ask(path, { method: 'HEAD' });
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(response.headers));
    expect(await head.text()).toBe('');
  });

  test('the front page is for people', async () => {
    const page = await tree.ask('/', { headers: { Accept: 'text/html,*/*' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('Accept');
    expect((await tree.ask('/')).headers.get('vary')).toBe('Accept');
    const loud = await tree.ask('/', { headers: { Accept: 'TEXT/HTML' } });
    expect(loud.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('pages have a policy that only headers can have, which the page for other sites relaxes', async () => {
    const policy = async (path: string) => (await tree.ask(path)).headers.get('content-security-policy');
    expect(await policy('/api/v1/')).toBe("frame-ancestors 'self'; object-src 'none'; base-uri 'none'");
    expect(pagePolicy('datasets/demo/things/embed.html')).toEqual({
      'Content-Security-Policy': "frame-ancestors *; object-src 'none'; base-uri 'none'",
    });
    expect(await policy('/healthz')).toBe(null);
    expect((await tree.ask('/healthz')).headers.get('referrer-policy')).toBe(
      'strict-origin-when-cross-origin',
    );
  });

  test('a dimension is paged', async () => {
    const page = (await (await tree.ask(`${AREAS}?limit=2&offset=1`)).json()) as { data: unknown[] };
    const next = `${AREAS}?limit=2&offset=3`;
    expect(page).toMatchObject({ dimension: 'areas', total: 40, offset: 1, limit: 2, count: 2, next });
    expect([page.data.length, 'filters' in page]).toEqual([2, false]);
  });

  test('a folder without its slash is sent to the one with it', async () => {
    const response = await tree.ask('/api/v1/demo');
    expect([response.status, response.headers.get('location')]).toEqual([301, '/api/v1/demo/']);
    const asked = await tree.ask('/api/v1/demo?unit=a%20b&x');
    expect(asked.headers.get('location')).toBe('/api/v1/demo/?unit=a%20b&x');
  });

  test.each([
    ['/nothing', /Nothing is published here\. \/api\/v1\/datasets lists all datasets\./],
    ['/api/v1/dataset', /Did you mean \/api\/v1\/datasets\?/],
    ['/healthzz', /Did you mean \/healthz\?/],
    ['/api/v1/demo/thing', /There is no dataset demo\/thing\. Did you mean demo\/things\?/],
    ['/api/v1/datasets/demo/thinsg', /Did you mean demo\/things\?/],
    ['/api/v1/demo/thing/values', /Did you mean demo\/things\?/],
    ['/api/v1/other/things', /There is no dataset other\/things\. Did you mean demo\/things\?/],
    ['/api/v1/other/thing', /Did you mean demo\/things\?/],
    ['/api/v1/other/_dimensions/areas', /Did you mean \/api\/v1\/demo\/_dimensions\/areas\?/],
    ['/api/v1/other/_dimensions/area/schema', /Did you mean \/api\/v1\/demo\/_dimensions\/areas\?/],
    ['/api/v1/demo/areas', /Did you mean \/api\/v1\/demo\/_dimensions\/areas\?/],
    ['/api/v1/demo/_dimensions/things', /Did you mean \/api\/v1\/demo\/things\?/],
    ['/api/v1/demo/_dimensions/counties', /There is no dimension counties in demo\. The schema document/],
    ['/api/v1/demo/_dimensions/area', /There is no dimension area in demo\. Did you mean \S+\/areas\?/],
    ['/api/v1/nowhere/', /Nothing is published here/],
    ['/%2e%2e%2fsecret', /Nothing is published here/],
    ['/%00', /Nothing is published here/],
  ])('%s is not there', async (path, detail) => {
    const response = await tree.ask(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, JSON_TYPE]);
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) });
  });

  test.each([
    ['/api/v1/demo/thing', 'There is no dataset demo/thing.', true],
    ['/datasets/demo/thngs/?q=1', 'Nothing is published here.', true],
    ['/%3Cscript%3Ealert(1)%3C/things%3E', 'Nothing is published here.', true],
    ['/old/page.php', 'Nothing is published here.', false],
    [`/${'long-words/'.repeat(180)}`, 'Nothing is published here.', false],
    ['/%E0%A4%A', 'Nothing is published here.', false],
  ])('%.40s is not there: people get a page with what is near', async (path, said, isNear) => {
    const response = await tree.ask(path, {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    const text = await response.text();
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      404,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept',
        'content-length': String(Buffer.byteLength(text)),
      },
    ]);
    expect(text).toContain(said);
    expect(text).not.toContain('<script');
    const near = text.split('<h2>Near to it</h2>')[1]?.split('<h2>')[0];
    expect(near?.includes('data-key="demo/things"')).toBe(isNear ? true : undefined);
    expect(text.split('<h2>All datasets</h2>')[1]).toContain('data-key="demo/things"');
    // The style in the page is the one that the policy names.
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(text).toContain(`style-src 'sha256-${hash}'`);
    const program = await tree.ask(path, { headers: { Accept: '*/*' } });
    expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  test.each(['POST', 'DELETE'])('%s is not a method here', async method => {
    const response = await tree.ask(THINGS, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('OPTIONS', async () => {
    const response = await tree.ask(THINGS, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(response.headers.get('access-control-allow-headers')).toContain('Range');
  });

  test('what is too long is refused', async () => {
    expect((await tree.ask(`${THINGS}?area_code=${'1,'.repeat(5000)}1`)).status).toBe(414);
    expect((await tree.ask(`/${'a'.repeat(3000)}`)).status).toBe(414);
    expect((await tree.ask(`${THINGS}?limit=1&area_code=${'1,'.repeat(4000)}1`)).status).toBe(200);
  });
});

test('a 422 names every problem, in FastAPI’s shape', async () => {
  const response = await tree.ask(`${THINGS}?yaer=2019&detail=area`);
  const url = `${THINGS}?year=2019&detail=areas`;
  const [year, level] = [
    "Unknown parameter. Did you mean 'year'?",
    "Input should be 'areas', 'units' or 'whole'.",
  ];
  const expected = expect.arrayContaining(['year', 'limit']);
  expect([response.status, await response.json()]).toEqual([
    422,
    {
      detail: [
        {
          ...{ type: 'extra_forbidden', loc: ['query', 'yaer'], msg: year, input: '2019' },
          ctx: { expected, nearest: 'year', url },
        },
        {
          ...{ type: 'enum', loc: ['query', 'detail'], msg: `${level} Did you mean 'areas'?`, input: 'area' },
          ctx: { expected: ['areas', 'units', 'whole'], nearest: 'areas', url },
        },
      ],
    },
  ]);
  expect((await tree.ask(url)).status).toBe(200);
  for (const wrong of [`${THINGS}?a=%ff`, `${AREAS}?area_code=1`, `${CONTRACT}?format=xml`])
    expect([wrong, (await tree.ask(wrong)).status]).toEqual([wrong, 422]);
});

test.each([
  ['of one slice', '?year=2022&limit=100', 3],
  ['over several slices', '?limit=400', 3],
  ['of rows that only a scan can count', '?detail=units&area_code=150&step=1&limit=7', 48],
  ['of rows that are counted', '?detail=units&group=green&limit=3000', 3],
  ['of a stream', '?detail=units&limit=15000', 2],
  ['of earlier rows', '?detail=units&year=2023&as_of=2026-11-21&limit=6000', 3],
])('pages %s: each links to the next, and the last to none', async (_, query, pages) => {
  const whole = await (await tree.ask(`${THINGS}${query.replace(/&?limit=\d+/, '')}&format=csv`)).text();
  const found: string[] = [];
  let [url, count, rows]: [string | null, number, number] = [`${THINGS}${query}&format=csv`, 0, 0];
  for (; url !== null; count++) {
    const here = url;
    const inFormat = (format: string) => tree.ask(here.replace('format=csv', `format=${format}`));
    const csv = await tree.ask(url);
    const link = csv.headers.get('link');
    const parquet = (await inFormat('parquet')).headers.get('link');
    expect(parquet?.replace('=parquet', '=csv') ?? null).toBe(link);
    found.push(...(await csv.text()).split(/(?<=\r\n)/).slice(1));
    url = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
    // A page of JSON has at most 10,000 rows.
    if (query.includes('limit=15000')) continue;
    const json = await inFormat('json');
    const page = (await json.json()) as { next: string | null; total: number | null; data: unknown[] };
    rows += page.data.length;
    expect([page.next, json.headers.get('link')]).toEqual([
      url?.replace('format=csv', 'format=json') ?? null,
      link?.replace('format=csv', 'format=json') ?? null,
    ]);
    if (url === null) expect([page.total, rows]).toEqual([found.length, found.length]);
  }
  expect(found.join('')).toBe(whole.slice(whole.indexOf('\r\n') + 2));
  expect(count).toBe(pages);
});
