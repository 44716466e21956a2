/**
 * Hosts that can only rewrite, as the bundled program sets them up, held against the planner: never another file than
 * its, and no refusal but where it has none.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datasets } from '../../scripts/georgia/sample/datasets.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { FUNCTION_BYTES } from '../../site/edge/adapters/rewrite/cloudfront-script.ts';
import type { HostFile } from '../../site/edge/adapters/rewrite/render.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { civic } from '../cli/program.ts';
import { sampleLake } from '../georgia/specification/sample.ts';
import { randomRuns } from '../random-runs.ts';
import {
  loadFunction,
  NGINX_MISSING,
  NJS_MISSING,
  type Returned,
  type RunningNginx,
  runNjs,
  type Served,
  startRewriting,
  toEvent,
} from './rewrite-hosts.ts';
import { type Expected, expectRequest, type Request, requests, type Subject } from './rewrite-requests.ts';
import { CONTRACTS } from './sample-tree.ts';

const REQUESTS = randomRuns(4000);
const OF_NGINX = 3000;

let work: string;
let tree: string;
let script: string;
let ofNginx: readonly HostFile[];
let asked: { readonly request: Request; readonly expected: Expected }[];

/** Builds the sample for a host, and returns the files beside the tree. */
async function buildFor(host: string): Promise<readonly HostFile[]> {
  const places = ['--contracts', CONTRACTS, '--data', await sampleLake(), '--out', tree];
  const ended = await civic(['build', ...places, '--host', host, '--release-date', '2026-11-21']);
  if (ended.code !== 0) throw new Error(ended.stderr);
  const names = await readdir(`${tree}.host`);
  return Promise.all(
    names.map(async name => ({ path: name, text: await readFile(path.join(`${tree}.host`, name), 'utf8') })),
  );
}

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'rewrite-'));
  tree = path.join(work, 'tree');
  const ofCloudFront = await buildFor('s3-cloudfront');
  expect(ofCloudFront.map(file => file.path)).toEqual(['cloudfront-function.js']);
  script = ofCloudFront[0]!.text;
  ofNginx = await buildFor('nginx');
  const found = await readdir(tree, { recursive: true, withFileTypes: true });
  there = new Set(
    found.flatMap(entry =>
      entry.isFile() ? [path.relative(tree, path.join(entry.parentPath, entry.name))] : [],
    ),
  );
  const catalog = new Catalog(createFolderFiles(tree), { refreshAfter: Infinity, now: () => 0 });
  const current = await catalog.current();
  const subjects: Subject[] = [];
  for (const key of current.entries.keys())
    subjects.push({ url: `/api/v1/${key}`, table: (await catalog.subject(current, key))!.table });
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  asked = [];
  for (const request of fc.sample(requests(subjects), { seed, numRuns: REQUESTS }))
    asked.push({ request, expected: await expectRequest(catalog, request) });
}, 600_000);
afterAll(() => rm(work, { recursive: true, force: true }));

/** Whether a file is in the tree. */
const isThere = (name: string) => there.has(name);
let there: ReadonlySet<string>;

interface Found {
  readonly status: number;
  /** The file sent, or the address sent to. */
  readonly path: string | null;
  readonly problems: readonly string[];
}

/** How an answer is not what the planner has; null where it is. `unsure` counts what it may not know. */
function differ(found: Found, expected: Expected, unsure: Map<string, number>): string | null {
  const said = JSON.stringify({ ...found, expected });
  switch (expected.kind) {
    case 'file':
      // A function knows all folders and not all files: for what it takes for a file, the bucket has no object.
      if (found.status === 301)
        return isThere(`${found.path?.slice(1).split('?')[0]}index.html`) ? null : said;
      if (found.status === 404)
        return isThere(expected.path) || isThere(`${expected.path}/index.html`) ? said : null;
      return found.status === 200 && found.path === expected.path ? null : said;
    case 'redirect':
      return found.status === 307 && found.path === `/${expected.path}` ? null : said;
    case 'work':
      return found.status === 501 ? null : said;
    case 422: {
      if (found.status === 501) {
        const kinds = expected.problems.map(problem => problem.split(' ')[0]).join();
        unsure.set(kinds, (unsure.get(kinds) ?? 0) + 1);
        const known =
          /^(((enum|int_parsing|int_parsing_size|float_parsing) .*|(place_parts|string_unicode) place),?)+$/;
        return known.test(expected.problems.join()) ? null : said;
      }
      const known = found.problems.every(problem => expected.problems.includes(problem));
      return found.status === 422 && known && found.problems.length > 0 ? null : said;
    }
    case 404:
    case 414:
      return found.status === expected.kind ? null : said;
    default:
      return expected satisfies never;
  }
}

function readProblems(body: string): string[] {
  const { detail } = JSON.parse(body) as { detail: unknown };
  if (!Array.isArray(detail)) return [];
  return detail.map(({ type, loc }: { type: string; loc: string[] }) => `${type} ${loc[1]}`);
}

function readReturned(returned: Returned): Found {
  const { statusCode: status = 200, headers, uri = '', body = '{}' } = returned;
  const location = headers.location?.value ?? null;
  return {
    status,
    path: status === 200 ? uri.replace('/releases/@RELEASE@/', '') : location,
    problems: readProblems(body),
  };
}

function check(found: (index: number) => Found, count: number): Record<string, number> {
  const unsure = new Map<string, number>();
  const tally: Record<string, number> = {};
  for (const [index, { request, expected }] of asked.slice(0, count).entries()) {
    const difference = differ(found(index), expected, unsure);
    if (difference !== null) throw new Error(`${request.url} (${request.accept}): ${difference}`);
    tally[expected.kind] = (tally[expected.kind] ?? 0) + 1;
  }
  console.log('planner', JSON.stringify(tally), '501 for 422', JSON.stringify([...unsure]));
  return tally;
}

test('thirty datasets fit into one CloudFront Function', () => {
  console.log(`cloudfront-function.js has ${Buffer.byteLength(script)} bytes`);
  expect(datasets.length).toBe(30);
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(FUNCTION_BYTES);
  expect(script).toContain('attendance');
});

test('under Node', () => {
  const handler = loadFunction(script);
  const tally = check(index => readReturned(handler(toEvent(asked[index]!.request))), REQUESTS);
  // The requests are worth asking: every kind of answer is among them, often.
  for (const kind of ['file', 'redirect', 'work', '422', '404', '414'])
    expect(tally[kind]).toBeGreaterThan(5);
  expect(tally.file! + tally.redirect!).toBeGreaterThan(REQUESTS / 10);
});

test('it finds every file and every folder of the tree, and no others', () => {
  const handler = loadFunction(script);
  const ask = (uri: string) => readReturned(handler(toEvent({ url: `/${uri}`, accept: '*/*' })));
  const folders = new Set(
    [...there].flatMap(name =>
      name
        .split('/')
        .slice(1)
        .map((_, depth) =>
          name
            .split('/')
            .slice(0, depth + 1)
            .join('/'),
        ),
    ),
  );
  expect(folders.size).toBeGreaterThan(300);
  for (const name of there) expect([name, ask(name)]).toMatchObject([name, { status: 200, path: name }]);
  let [led, known] = [0, 0];
  for (const folder of folders) {
    const { status, path: to } = ask(folder);
    if (status === 301) expect([to, ++led]).toEqual([`/${folder}/`, led]);
    // The API's own URLs: rows, and documents.
    else expect([folder, status, ++known]).toEqual([folder, expect.toBeOneOf([200, 501]), known]);
    for (const wrong of [`${folder}x`, `${folder}/x`, `${folder}/year=1066`])
      if (!folders.has(wrong)) expect([wrong, ask(wrong).status]).toEqual([wrong, 404]);
  }
  expect(known).toBe(
    2 * datasets.length + 1 + [...folders].filter(one => /_dimensions\/\w/.test(one)).length,
  );
});

describe.skipIf(NJS_MISSING)(NJS_MISSING ? 'njs (skipped: njs is not installed)' : 'njs', () => {
  test('gives what the planner has', async () => {
    const { returned, spent } = await runNjs(
      script,
      asked.map(({ request }) => toEvent(request)),
      work,
    );
    check(index => readReturned(returned[index]!), REQUESTS);
    console.log(`${((spent * 1e6) / REQUESTS).toFixed(0)} µs of processor a request under njs`);
    expect(spent / REQUESTS).toBeLessThan(0.001);
  });

  test('no request takes much longer than others', async () => {
    const others = asked.slice(0, 500).map(({ request }) => toEvent(request));
    const usual = (await runNjs(script, others, work)).spent / others.length;
    const url = `/api/v1/${datasets[0]!.key}`;
    const queries = [
      'year='.padEnd(8191, '9'),
      'a&'.repeat(4095),
      'year=2024&'.repeat(800),
      '&'.repeat(8191),
      '%41'.repeat(2730),
      `county_fips=${'1,'.repeat(4089)}`,
      `county_fips=${"'".repeat(8179)}`,
      `county_fips=${'1,'.repeat(1900)}2`,
      `x=${'%01'.repeat(2700)}`,
      '%01'.repeat(2700),
      '"'.repeat(8190),
      `x=${'%F0%9D%92%B3'.repeat(680)}`,
      Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join('&'),
    ].map(query => `${url}?${query}`);
    queries.push(`/${'%41'.repeat(682)}`, `/${'a/'.repeat(1023)}`, `/${'../'.repeat(682)}`);
    for (const target of queries) {
      const event = toEvent({ url: target, accept: '*/*' });
      const { returned, spent } = await runNjs(script, Array(100).fill(event), work);
      console.log(`${(spent * 1e4).toFixed(0)} µs: ${target.slice(0, 60)}… ${returned[0]?.statusCode}`);
      expect(returned[0]?.statusCode ?? 200).not.toBe(500);
      // What CloudFront lets a function answer, and a few times what it lets it take.
      expect(Buffer.byteLength(returned[0]?.body ?? '')).toBeLessThan(38_000);
      // The longest take some 25 times as long: they are as long as a request may be, and name 4,000 parameters.
      expect(spent / 100 / usual).toBeLessThan(40);
    }
  });
});

describe.skipIf(NGINX_MISSING)(
  NGINX_MISSING ? 'nginx (skipped: nginx or its module for JavaScript is not installed)' : 'nginx',
  () => {
    let nginx: RunningNginx;
    const sizes = new Map<string, number>();
    beforeAll(async () => {
      const store = path.join(work, 'store');
      await mkdir(store);
      await symlink('../tree', path.join(store, 'current'));
      nginx = await startRewriting(ofNginx, store, path.join(work, 'nginx'));
    });
    afterAll(() => nginx.close());

    test('gives what the planner has, to the byte', async () => {
      const found: Found[] = [];
      for (const { request, expected } of asked.slice(0, OF_NGINX)) {
        const served = await nginx.ask(request.url, { accept: request.accept });
        expect(served.status, request.url).not.toBe(500);
        found.push(await readServed(served, expected));
      }
      check(index => found[index]!, OF_NGINX);
    });

    async function readServed({ status, headers, body }: Served, expected: Expected): Promise<Found> {
      if (status === 200) {
        const name = expected.kind === 'file' ? expected.path : '';
        const file = isThere(name) ? await readFile(path.join(tree, name)) : Buffer.from('?');
        sizes.set(name, file.length);
        return { status, path: file.equals(body) ? name : `not ${name}`, problems: [] };
      }
      // nginx itself refuses a path that leads out of the root, and one with a NUL.
      if (status === 400 && expected.kind === 404) return { status: 404, path: null, problems: [] };
      const problems = status === 422 ? readProblems(body.toString()) : [];
      return { status, path: headers.location ?? null, problems };
    }
  },
);
