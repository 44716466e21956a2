/**
 * CloudFront's function over thirty datasets, under Node and njs, compared with the planner: it sends the
 * planner's file, and refuses only if there is none.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { datasets } from '../../scripts/georgia/sample/datasets.ts';
import { renderCloudFrontFiles } from '../../site/edge/adapters/rewrite/render.ts';
import { isInstalled } from '../installed.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { functionScript, loadFunction, type Returned, runNjs, toEvent } from './rewrite-hosts.ts';
import {
  type Asked,
  differ,
  drawRequests,
  type Found,
  readCloudFrontScript,
  readProblems,
  readRewriteInput,
} from './rewrite-requests.ts';
import { sampleTree } from './sample-tree.ts';

let script: string;
let release: string;
let asked: readonly Asked[];
let there: ReadonlySet<string>;

beforeAll(async () => {
  const tree = await sampleTree();
  const sums = await readFile(path.join(tree, 'SHA256SUMS'), 'utf8');
  there = new Set(['SHA256SUMS', ...[...sums.matchAll(/^\S+ {2}(.*)$/gm)].map(([, name = '']) => name)]);
  const input = await readRewriteInput(tree);
  release = input.manifest.release;
  script = functionScript(renderCloudFrontFiles(input, there, await readCloudFrontScript()), release);
  asked = await drawRequests(tree);
});

function readReturned({ statusCode: status = 200, headers, uri = '', body = '{}' }: Returned): Found {
  const location = headers.location?.value ?? null;
  const file = status === 200 ? uri.replace(`/releases/${release}/`, '') : location;
  return { status, path: file, problems: readProblems(body) };
}

function check(returned: readonly Returned[]): void {
  for (const [index, { request, expected }] of asked.entries())
    expect([request, differ(readReturned(returned[index]!), expected, there)]).toEqual([request, null]);
}

test('under Node', async () => {
  const handler = loadFunction(script);
  check(await Promise.all(asked.map(({ request }) => handler(toEvent(request)))));
  // Every usual kind of answer occurs.
  const kinds = new Set(asked.map(({ expected }) => expected.kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['file', 'work', 422, 404, 414]));
});

/** Requests of the greatest length. */
const LONG = [
  'year='.padEnd(8191, '9'),
  ...['a&', 'year=2024&', '%41', '"'].map(part => part.repeat(8190 / part.length)),
  `county_fips=${"'".repeat(8179)}`,
  `county_fips=${'1,'.repeat(1900)}2`,
  `x=${'%F0%9D%92%B3'.repeat(680)}`,
  Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join('&'),
];

test.skipIf(!isInstalled('njs'))('under njs', async () => {
  const work = await temporaryFolder();
  const long = LONG.map(query => ({ url: `/api/v1/${Object.keys(datasets)[0]}?${query}`, accept: '*/*' }));
  const events = [...asked.map(({ request }) => request), ...long].map(request => toEvent(request));
  const returned = await runNjs(script, events, work);
  check(returned.slice(0, asked.length));
  for (const { statusCode = 200, body = '' } of returned.slice(asked.length)) {
    expect([414, 422, 501]).toContain(statusCode);
    // CloudFront's limit for an answer.
    expect(Buffer.byteLength(body)).toBeLessThan(38_000);
  }
});

test('it finds every file and every folder of the tree, and no others', async () => {
  const handler = loadFunction(script);
  const ask = async (uri: string) => readReturned(await handler(toEvent({ url: `/${uri}`, accept: '*/*' })));
  const folders = new Set<string>();
  for (const name of there)
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
      folders.add(name.slice(0, at));
  expect(folders.size).toBeGreaterThan(300);
  for (const name of there)
    expect([name, await ask(name)]).toMatchObject([name, { status: 200, path: name }]);
  let known = 0;
  for (const folder of folders) {
    const { status, path: to } = await ask(folder);
    if (status === 301) expect(to).toBe(`/${folder}/`);
    // The API's own URLs: rows and documents.
    else expect([folder, status, ++known]).toEqual([folder, expect.toBeOneOf([200, 501]), known]);
    for (const wrong of [`${folder}x`, `${folder}/x`, `${folder}/year=1066`])
      if (!folders.has(wrong)) expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 404]);
  }
  const dimensions = [...folders].filter(one => /_dimensions\/\w/.test(one)).length;
  expect(known).toBe(2 * Object.keys(datasets).length + 1 + dimensions);
});

const ROWS = '/api/v1/census/employment';
const SLICE = `${ROWS}/year=2024/counties`;

describe('one request', () => {
  const ask = (method: string, url: string, accept = '*/*') =>
    loadFunction(script)(toEvent({ url, accept }, method));

  test('for a file has no query, and keeps a release of its own', async () => {
    const kept = '/releases/2031-05-17-0a1b2c3d';
    for (const [url, uri] of [
      [`${ROWS}?year=2024&detail=counties`, `/releases/${release}${SLICE}.json`],
      [`${kept}${SLICE}.csv`, `${kept}${SLICE}.csv`],
    ] as const)
      expect(await ask('GET', url)).toMatchObject({ method: 'GET', uri, querystring: {} });
    expect((await ask('HEAD', '/', 'text/html')).uri).toBe(`/releases/${release}/index.html`);
    for (const [folder, status] of [
      [kept, 301],
      [`${kept}/api/v1/census`, 301],
      ['/releases/current', 404],
      [`${kept}/nope`, 404],
    ] as const) {
      const { statusCode, headers } = await ask('GET', folder);
      const location = status === 301 ? `${folder}/` : undefined;
      expect([folder, statusCode, headers.location?.value]).toEqual([folder, status, location]);
    }
  });

  test('that is refused is answered in JSON, with CORS headers', async () => {
    const unknown = await ask('GET', `${ROWS}?yaer=2015`);
    expect(JSON.parse(unknown.body ?? '').detail[0].ctx.expected).toEqual(
      expect.arrayContaining(['year', 'limit']),
    );
    expect(unknown.headers).toEqual({
      'access-control-allow-origin': { value: '*' },
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
      'x-content-type-options': { value: 'nosniff' },
    });
    expect('body' in (await ask('HEAD', ROWS))).toBe(false);
    const post = await ask('POST', ROWS);
    expect([post.statusCode, post.headers.allow?.value]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const { statusCode, headers, ...options } = await ask('OPTIONS', ROWS);
    expect([statusCode, 'body' in options]).toEqual([204, false]);
    expect(headers['access-control-allow-methods']?.value).toBe('GET, HEAD, OPTIONS');
  });
});
