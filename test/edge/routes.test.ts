import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pagePolicy } from '../../site/edge/respond/headers.ts';
import { SLICE, THINGS, openThings } from './tree/fixture.ts';

const tree = await openThings();

const JSON_TYPE = 'application/json';
const HTML = 'text/html; charset=utf-8';
const CONTRACT = '/api/v1/datasets/demo/things/contract';
const AREAS = '/api/v1/demo/_dimensions/areas';
const TYPES: Readonly<Record<string, string>> = {
  ...{ json: JSON_TYPE, html: HTML, yaml: 'application/yaml', csv: 'text/csv; charset=utf-8' },
  ...{ parquet: 'application/vnd.apache.parquet', '/SHA256SUMS': 'text/plain; charset=utf-8' },
};

/** No route, or no file of the tree. */
const NOWHERE = [
  ...'/%2e%2e%2fsecret /%252e%252e/secret //evil.test/ /api//v1 /api/v1/openapi/json /C:/windows'.split(' '),
  ...'/api/v1/datasets/a /a%00b /a%5cb /%ff /% /a%0d%0aSet-Cookie:x'.split(' '),
];

describe('routes', () => {
  test.each([
    ['/', '/index.json'],
    ['/healthz?x=1&x=2', '/healthz.json'],
    ['/healthz.json', '/healthz.json'],
    ['/manifest.json', '/manifest.json'],
    ['/SHA256SUMS', '/SHA256SUMS'],
    ['/api/v1/', '/api/v1/index.html'],
    ['/api/v1/datasets', '/api/v1/datasets/index.json'],
    ['/api/v1/datasets/demo/things', '/api/v1/datasets/demo/things/index.json'],
    [`${CONTRACT}?format=yaml&q=1`, `${CONTRACT}.yaml`],
    [`${CONTRACT}?utm=caf%E9&%E9=1&format=%E9&format=json`, `${CONTRACT}.json`],
    [AREAS, `${AREAS}/rows.json`],
    [`${AREAS}?format=csv`, `${AREAS}/rows.csv`],
    [`${AREAS}?format=parquet`, `${AREAS}/rows.parquet`],
    [`${AREAS}/schema`, `${AREAS}/schema.json`],
    [`${THINGS}/values`, `${THINGS}/values.json`],
    [`${THINGS}?year=2022`, `${SLICE}.json`],
    [`${THINGS}?year=2022&format=csv`, `${SLICE}.csv`],
    [`${THINGS}?year=2022&format=parquet`, `${SLICE}.parquet`],
    [`${SLICE}.parquet`, `${SLICE}.parquet`],
    [`${SLICE.replace('=', '%3D')}.csv`, `${SLICE}.csv`],
  ])('%s', async (path, file) => {
    const response = await tree.ask(path);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        ...{ 'content-type': TYPES[file.replace(/.*\./, '')], 'access-control-allow-origin': '*' },
        ...{ 'x-content-type-options': 'nosniff', etag: expect.stringMatching(/^"[^"]+"$/) },
        'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
      },
    ]);
    const bytes = await readFile(join(tree.folder, file));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const head = await tree.ask(path, { method: 'HEAD' });
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(response.headers));
    expect(await head.text()).toBe('');
  });

  test('the front page is a page for people', async () => {
    for (const [accept, type] of [
      ['text/html,*/*', HTML],
      ['TEXT/HTML', HTML],
      ['*/*', JSON_TYPE],
      ['text/html;q=0.05', HTML],
      ['text/html; q=0.0, */*', JSON_TYPE],
    ] as const) {
      const { headers } = await tree.ask('/', { headers: { Accept: accept } });
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([type, 'Accept']);
    }
  });

  test('pages have a policy that only headers can have, which the page for other sites relaxes', async () => {
    const header = async (path: string, name: string) => (await tree.ask(path)).headers.get(name);
    const policy = "frame-ancestors 'self'; object-src 'none'; base-uri 'none'";
    expect(await header('/api/v1/', 'content-security-policy')).toBe(policy);
    expect(pagePolicy('datasets/demo/things/embed.html')).toEqual({
      'Content-Security-Policy': policy.replace("'self'", '*'),
    });
    expect(await header('/healthz', 'content-security-policy')).toBe(null);
    expect(await header('/healthz', 'referrer-policy')).toBe('strict-origin-when-cross-origin');
  });

  test('a dimension is paged', async () => {
    const page = (await (await tree.ask(`${AREAS}?limit=2&offset=1`)).json()) as { data: unknown[] };
    const next = `${AREAS}?limit=2&offset=3`;
    expect(page).toMatchObject({ dimension: 'areas', total: 40, offset: 1, limit: 2, count: 2, next });
    expect([page.data.length, 'filters' in page]).toEqual([2, false]);
  });

  test('a folder without its slash redirects to the one with it', async () => {
    const { status, headers } = await tree.ask('/api/v1/demo?unit=a%20b&x');
    expect([status, headers.get('location')]).toEqual([301, '/api/v1/demo/?unit=a%20b&x']);
  });

  test.each([
    ['/nothing', /Nothing is published here\. \/api\/v1\/datasets lists all datasets\./],
    ['/api/v1/dataset', /Did you mean \/api\/v1\/datasets\?/],
    ['/healthzz', /Did you mean \/healthz\?/],
    ['/api/v1/demo/thing', /There is no dataset demo\/thing\. Did you mean demo\/things\?/],
    ['/api/v1/datasets/demo/thinsg', /Did you mean demo\/things\?/],
    ['/api/v1/other/things', /There is no dataset other\/things\. Did you mean demo\/things\?/],
    ['/api/v1/other/_dimensions/areas', /Did you mean \/api\/v1\/demo\/_dimensions\/areas\?/],
    ['/api/v1/demo/areas', /Did you mean \/api\/v1\/demo\/_dimensions\/areas\?/],
    ['/api/v1/demo/_dimensions/things', /Did you mean \/api\/v1\/demo\/things\?/],
    ['/api/v1/demo/_dimensions/counties', /There is no dimension counties in demo\. The schema document/],
    ['/api/v1/demo/_dimensions/area', /There is no dimension area in demo\. Did you mean \S+\/areas\?/],
    ...NOWHERE.map((path): [string, RegExp] => [path, /Nothing is published here/]),
  ])('%s is not there', async (path, detail) => {
    const response = await tree.ask(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, JSON_TYPE]);
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) });
  });

  test.each(['/api/v1/demo/thing', '/datasets/demo/thngs/?q=1', '/%3Cscript%3E', '/%E0%A4%A'])(
    '%s is not there: people get 404.html',
    async path => {
      const response = await tree.ask(path, {
        headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      });
      const text = await response.text();
      expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
        404,
        { 'content-type': HTML, 'cache-control': 'no-store', vary: 'Accept' },
      ]);
      expect(text).toBe(await (await tree.ask('/404.html')).text());
      const program = await tree.ask(path, { headers: { Accept: '*/*' } });
      expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/json']);
      expect(program.headers.get('vary')).toBe('Accept');
    },
  );

  test.each([
    ['POST', 405],
    ['OPTIONS', 204],
  ])('%s: %i', async (method, status) => {
    const response = await tree.ask(THINGS, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([status, 'GET, HEAD, OPTIONS']);
    const allowed = response.headers.get('access-control-allow-headers') ?? '';
    expect(allowed.includes('Range')).toBe(method === 'OPTIONS');
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
  ['of rows that only a scan can count', '?detail=units&area_code=150&step=1&limit=70', 5],
  ['of rows that are counted', '?detail=units&group=green&limit=3000', 3],
  ['of a stream', '?detail=units&limit=15000', 2],
  ['of earlier rows', '?detail=units&year=2023&as_of=2026-11-21&limit=6000', 3],
])('pages %s: each links to the next, and the last to none', async (_, query, pages) => {
  const whole = await (await tree.ask(`${THINGS}${query.replace(/&?limit=\d+/, '')}&format=csv`)).text();
  const found: string[] = [];
  let [url, count]: [string | null, number] = [`${THINGS}${query}&format=csv`, 0];
  for (; url !== null; count++) {
    const csv = await tree.ask(url);
    const link = csv.headers.get('link');
    found.push(...(await csv.text()).split(/(?<=\r\n)/).slice(1));
    // A page of JSON has at most 10,000 rows.
    for (const format of query.includes('limit=15000') ? ['parquet'] : ['parquet', 'json']) {
      const other = (await tree.ask(url.replace('=csv', `=${format}`))).headers.get('link');
      expect([format, other?.replace(`=${format}`, '=csv') ?? null]).toEqual([format, link]);
    }
    url = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
  }
  expect(found.join('')).toBe(whole.slice(whole.indexOf('\r\n') + 2));
  expect(count).toBe(pages);
});
