/** What `civic build` writes for `--host cloudflare` and `cloudflare-r2`, deployed as it is configured to the real runtime. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { civic } from '../cli/program.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';

interface Configuration {
  readonly name: string;
  readonly main: string;
  readonly compatibility_date: string;
  readonly assets?: {
    readonly directory: string;
    readonly binding: string;
    readonly run_worker_first: boolean;
    readonly html_handling: 'none';
    readonly not_found_handling: 'none';
  };
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name: string }[];
}

const FACTS = '/api/v1/climate/rainfall';

let publisher: PublisherFolder;
let host: string;
let node: RunningServer;

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  host = `${publisher.out}.host`;
  const { contracts, data, out } = publisher;
  const places = ['--contracts', contracts, '--data', data, '--out', out];
  const ended = await civic(['build', ...places, '--host', 'cloudflare', '--release-date', '2031-05-17']);
  if (ended.code !== 0) throw new Error(ended.stderr);
  node = await startServer({ folder: out, port: 0 });
}, 120_000);

afterAll(async () => {
  await node.close();
  await rm(publisher.root, { recursive: true, force: true });
});

/** As wrangler reads it: comments are whole lines. */
async function readConfiguration(name: string, folder = host): Promise<Configuration> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as Configuration;
}

/** A module by its place beside the tree. */
interface Module {
  readonly path: string;
  readonly contents: string;
}

const readModule = async (name: string): Promise<Module> => ({
  path: path.join(host, name),
  contents: await readFile(path.join(host, name), 'utf8'),
});

async function deploy(
  { name, compatibility_date, assets, r2_buckets = [] }: Configuration,
  modules: readonly Module[],
  assetConfig: object,
): Promise<Miniflare> {
  return new Miniflare({
    name,
    modules: modules.map(one => ({ type: 'ESModule' as const, ...one })),
    modulesRoot: host,
    compatibilityDate: compatibility_date,
    // Past Miniflare's own Worker, which would send on another address than was asked for.
    unsafeDirectSockets: [{ host: '127.0.0.1' }],
    r2Buckets: Object.fromEntries(r2_buckets.map(one => [one.binding, one.bucket_name])),
    ...(assets && {
      assets: {
        directory: path.resolve(host, assets.directory),
        binding: assets.binding,
        routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: assets.run_worker_first },
        assetConfig,
      },
    }),
  });
}

/** Sends a request line as it is. */
async function statusOf(port: number, target: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: edge.test\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const part of socket) {
    answer += part;
    // The runtime lets the connection stand for seconds.
    if (answer.includes('\r\n')) break;
  }
  return Number(answer.split(' ')[1]);
}

const QUERIES = [
  '/',
  '/healthz',
  '/api/v1/datasets',
  '/api/v1/',
  '/404.html',
  `${FACTS}?year=2021`,
  `${FACTS}?year=2021&detail=stations&format=csv`,
  `${FACTS}?season=wet&region_code=n`,
  `${FACTS}?detail=stations&limit=7&offset=3`,
  `${FACTS}?yaer=1`,
  `${FACTS}/year=2021/stations.json`,
  `${FACTS}/year=2021/stations.csv`,
  `${FACTS}/year=2021/`,
  '/api/v1/climate/_dimensions/regions',
  '/api/v1/datasets/climate/rainfall/contract',
  '/api/v1/climate/rainfal',
  // Folders without their slash.
  '/api',
  '/api/v1/climate',
  '/api/v1/climate?x=1',
  `${FACTS}/year=2021`,
  '/datasets/climate/rainfall',
  '/places',
  '/404',
];

const HEADERS = ['content-type', 'cache-control', 'access-control-allow-origin', 'link', 'location'];

/** What a fetch of Node and one of the runtime have in common. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Every answer as the Node edge gives it: status, headers, bytes. */
async function expectAsNode(worker: Miniflare, accept: string): Promise<void> {
  for (const query of QUERIES) {
    const options = { headers: { Accept: accept }, redirect: 'manual' as const };
    const [a, b] = await Promise.all([
      fetch(node.url + query, options),
      worker.dispatchFetch(`http://edge.test${query}`, options),
    ]);
    const described = async (response: Answer) => {
      // No manifest lists a page for people: its validators are the host's own.
      const page = response.headers.get('content-type')?.startsWith('text/html');
      const names = page ? HEADERS : [...HEADERS, 'etag', 'last-modified'];
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      return [query, response.status, ...names.map(name => response.headers.get(name)), body];
    };
    expect(await described(b)).toEqual(await described(a));
  }
}

describe('wrangler.jsonc: the tree as static assets', () => {
  let worker: Miniflare;
  beforeAll(async () => {
    const configuration = await readConfiguration('wrangler.jsonc');
    expect(path.resolve(host, configuration.assets?.directory ?? '')).toBe(publisher.out);
    const { html_handling, not_found_handling } = configuration.assets ?? {};
    worker = await deploy(configuration, [await readModule(configuration.main)], {
      html_handling,
      not_found_handling,
    });
  }, 60_000);
  afterAll(() => worker.dispose());

  test.each(['application/json', 'text/html'])('every answer is that of the Node edge: %s', accept =>
    expectAsNode(worker, accept),
  );

  test.each([
    '/api/v1/%2e%2e/v1/',
    '/api/v1/.%2E/v1/datasets',
    '/api/v1/%2e/datasets',
    '/api\\v1\\datasets',
    '/api/v1/x\\..\\datasets',
  ])('%s is no other path: 404, as of civic serve', async target => {
    const runtime = await worker.unsafeGetDirectURL();
    const statuses = [new URL(node.url), runtime].map(({ port }) => statusOf(Number(port), target));
    expect(await Promise.all(statuses)).toEqual([404, 404]);
  });

  test('ranges of Parquet', async () => {
    const file = `${FACTS}/year=2021/stations.parquet`;
    const bytes = await readFile(path.join(publisher.out, file));
    const part = await worker.dispatchFetch(`http://edge.test${file}`, { headers: { Range: 'bytes=-8' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-8))).toBe(true);
  });
});

describe('functions/[[path]].js: Cloudflare Pages', () => {
  let worker: Miniflare;
  beforeAll(async () => {
    const configuration = await readConfiguration('wrangler.jsonc');
    // Pages calls the function with the request and its bindings, and gives folders their pages by itself.
    const entry = {
      path: path.join(host, 'pages.js'),
      contents: `import { onRequest } from './functions/[[path]].js';
export default { fetch: (request, env) => onRequest({ request, env }) };`,
    };
    const modules = [entry, await readModule('functions/[[path]].js'), await readModule('worker.js')];
    worker = await deploy(configuration, modules, {
      html_handling: 'auto-trailing-slash',
      not_found_handling: 'none',
    });
  }, 60_000);
  afterAll(() => worker.dispose());

  test.each(['application/json', 'text/html'])('every answer is that of the Node edge: %s', accept =>
    expectAsNode(worker, accept),
  );
});

test('cloudflare-r2: releases in the bucket that its configuration names', { timeout: 120_000 }, async () => {
  const { contracts, data } = publisher;
  const out = path.join(publisher.root, 'r2');
  const places = ['--contracts', contracts, '--data', data, '--out', out];
  const ended = await civic(['build', ...places, '--host', 'cloudflare-r2', '--release-date', '2031-05-17']);
  expect([ended.code, ended.stderr]).toEqual([0, expect.anything()]);
  expect((await readdir(`${out}.host`)).sort()).toEqual(['worker.js', 'wrangler.jsonc']);
  const configuration = await readConfiguration('wrangler.jsonc', `${out}.host`);
  const { name, r2_buckets } = configuration;
  expect([name, r2_buckets]).toEqual(['weather-of-arcadia', [{ binding: 'TREE', bucket_name: name }]]);
  const worker = await deploy(configuration, [await readModule(configuration.main)], {});
  const bucket = (await worker.getR2Bucket('TREE')) as unknown as {
    put(key: string, value: string | ArrayBuffer): Promise<void>;
  };
  const manifest = JSON.parse(
    await readFile(path.join(publisher.out, FACTS, 'manifest.json'), 'utf8'),
  ) as DatasetManifest;
  const files = (await readFile(path.join(publisher.out, 'SHA256SUMS'), 'utf8'))
    .trim()
    .split('\n')
    .map(line => line.slice(66));
  const { release } = JSON.parse(await readFile(path.join(out, 'manifest.json'), 'utf8'));
  for (const file of [...files, 'SHA256SUMS'])
    await bucket.put(
      `releases/${release}/${file}`,
      new Uint8Array(await readFile(path.join(out, file))).buffer,
    );
  await bucket.put('current', `${release}\n`);
  for (const { year, detail } of manifest.slices) {
    const query = `${FACTS}?year=${year}&detail=${detail}`;
    const answers = [await fetch(node.url + query), await worker.dispatchFetch(`http://edge.test${query}`)];
    const [a, b] = await Promise.all(answers.map(one => one.text()));
    expect(b).toBe(a);
  }
  await worker.dispose();
});

test('_headers: assets without the Worker have their types', { timeout: 60_000 }, async () => {
  const { compatibility_date } = await readConfiguration('wrangler.jsonc');
  const assets = new Miniflare({
    name: 'assets',
    modules: true,
    script: 'export default { fetch: (request, env) => env.ASSETS.fetch(request) };',
    compatibilityDate: compatibility_date,
    assets: {
      directory: publisher.out,
      binding: 'ASSETS',
      routerConfig: { has_user_worker: false },
      assetConfig: { html_handling: 'none', not_found_handling: 'none' },
    },
  });
  for (const [file, type] of [
    [`${FACTS}/year=2021/stations.parquet`, 'application/vnd.apache.parquet'],
    [`${FACTS}/year=2021/stations.csv`, 'text/csv; charset=utf-8'],
    ['/api/v1/datasets/climate/rainfall/contract.yaml', 'application/yaml'],
    ['/SHA256SUMS', 'text/plain; charset=utf-8'],
    ['/CITATION.cff', 'application/yaml'],
  ]) {
    const { status, headers } = await assets.dispatchFetch(`http://edge.test${file}`);
    expect([file, status, headers.get('content-type')]).toEqual([file, 200, type]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^frame-ancestors 'self'/);
  }
  expect((await assets.dispatchFetch('http://edge.test/_headers')).status).toBe(404);
  await assets.dispose();
});
