/** Hosts that can only rewrite, held against the planner: never another file than its, and no refusal but where it has none. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datasets } from '../../scripts/georgia/sample/datasets.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { FUNCTION_BYTES } from '../../site/edge/adapters/rewrite/cloudfront-script.ts';
import { renderRewrite } from '../../site/edge/adapters/rewrite/render.ts';
import { Catalog } from '../../site/edge/catalog.ts';
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
import { readRewriteInput } from './rewrite-input.ts';
import { type Expected, expectRequest, type Request, requests, type Subject } from './rewrite-requests.ts';
import { useSampleTree } from './sample-tree.ts';

const sample = useSampleTree(datasets.map(({ key }) => key));
const REQUESTS = 10_000;
const OF_NGINX = 3000;

let work: string;
let script: string;
let asked: { readonly request: Request; readonly expected: Expected }[];

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'rewrite-'));
  const input = await readRewriteInput(sample.tree);
  const found = await readdir(sample.tree, { recursive: true, withFileTypes: true });
  there = new Set(
    found.flatMap(entry =>
      entry.isFile() ? [path.relative(sample.tree, path.join(entry.parentPath, entry.name))] : [],
    ),
  );
  script = renderRewrite(input, 'cloudfront')[0]!.text;
  const catalog = new Catalog(createFolderFiles(sample.tree), { refreshAfter: Infinity, now: () => 0 });
  const tree = await catalog.current();
  const subjects: Subject[] = [];
  for (const key of tree.entries.keys())
    subjects.push({ url: `/api/v1/${key}`, table: (await catalog.subject(tree, key))!.table });
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  asked = [];
  for (const request of fc.sample(requests(subjects), { seed, numRuns: REQUESTS }))
    asked.push({ request, expected: await expectRequest(catalog, request) });
}, 300_000);
afterAll(() => rm(work, { recursive: true, force: true }));

/** Whether a file by its own name, or a folder's page, is in the tree; a rewriting host may know, or ask. */
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
      if (found.status === 404 || found.status === 301) return isThere(expected.path) ? said : null;
      return found.status === 200 && found.path === expected.path ? null : said;
    case 'redirect':
      return found.status === 307 && found.path === `/${expected.path}` ? null : said;
    case 'work':
      return found.status === 501 ? null : said;
    case 422: {
      if (found.status === 501) {
        const kinds = expected.problems.map(problem => problem.split(' ')[0]).join();
        unsure.set(kinds, (unsure.get(kinds) ?? 0) + 1);
        return /^((enum|int_parsing|int_parsing_size|float_parsing),?)+$/.test(kinds) ? null : said;
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
  if (status === 302) {
    // What has no extension may be a folder: its page decides.
    return { status: 200, path: headers.location!.value.slice(1, -1), problems: [] };
  }
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

  test('no request takes long', async () => {
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
      expect(spent / 100).toBeLessThan(0.005);
    }
  });
});

describe.skipIf(NGINX_MISSING)(
  NGINX_MISSING ? 'nginx (skipped: nginx or its module for JavaScript is not installed)' : 'nginx',
  () => {
    let nginx: RunningNginx;
    const sizes = new Map<string, number>();
    beforeAll(async () => {
      const files = renderRewrite(await readRewriteInput(sample.tree), 'nginx');
      nginx = await startRewriting(files, sample.tree, path.join(work, 'nginx'));
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
        const file = isThere(name) ? await readFile(path.join(sample.tree, name)) : Buffer.from('?');
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
