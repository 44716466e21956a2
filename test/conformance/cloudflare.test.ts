/** What `civic build` writes for Cloudflare, deployed to the real runtime. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { read, utils } from '@e965/xlsx';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { civic } from '../cli/program.ts';
import { overHttp } from '../mcp/client.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { sendRaw, served } from '../served.ts';

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

let publisher: Publisher;
let host: string;
let node: string;
let configuration: Configuration;
const workers = new Map<string, Miniflare>();

beforeAll(async () => {
  publisher = await newPublisher();
  host = `${publisher.out}.host`;
  workers.set('a bucket', await deployBucket(await build('cloudflare-r2')));
  configuration = await build('cloudflare');
  node = await served(publisher.out);
  workers.set('static assets', await deployAssets());
  workers.set('Pages', await deployPages());
});

afterAll(() => Promise.all([...workers.values()].map(worker => worker.dispose())));

async function build(name: string): Promise<Configuration> {
  const ended = await civic(publisher.arguments('--host', name));
  if (ended.code !== 0) throw new Error(ended.stderr);
  // Like wrangler: comments are whole lines.
  const text = await readFile(path.join(host, 'wrangler.jsonc'), 'utf8');
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
}

const moduleOf = (name: string, contents: string) => ({
  ...{ type: 'ESModule' as const, path: path.join(host, name), contents },
});
const readModule = async (name: string) => moduleOf(name, await readFile(path.join(host, name), 'utf8'));

function deploy(
  { name, compatibility_date, assets, r2_buckets = [] }: Configuration,
  modules: ReturnType<typeof moduleOf>[],
  assetConfig: object,
): Miniflare {
  return new Miniflare({
    name,
    modules,
    modulesRoot: host,
    compatibilityDate: compatibility_date,
    // Goes past Miniflare's own Worker, which would change the address.
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

async function deployAssets(): Promise<Miniflare> {
  const { directory, html_handling, not_found_handling } = configuration.assets!;
  expect(path.resolve(host, directory)).toBe(publisher.out);
  return deploy(configuration, [await readModule(configuration.main)], { html_handling, not_found_handling });
}

/** Pages calls the function with the request and its bindings, and serves the pages of folders itself. */
async function deployPages(): Promise<Miniflare> {
  const entry = moduleOf(
    'pages.js',
    `import { onRequest } from './functions/[[path]].js';
export default { fetch: (request, env) => onRequest({ request, env }) };`,
  );
  const modules = [entry, await readModule('functions/[[path]].js'), await readModule('worker.js')];
  const assetConfig = { html_handling: 'auto-trailing-slash', not_found_handling: 'none' };
  return deploy(configuration, modules, assetConfig);
}

async function deployBucket(configuration: Configuration): Promise<Miniflare> {
  expect((await readdir(host)).sort()).toEqual(['worker.js', 'wrangler.jsonc']);
  const { name, r2_buckets } = configuration;
  expect([name, r2_buckets]).toEqual(['weather-of-arcadia', [{ binding: 'TREE', bucket_name: name }]]);
  const worker = deploy(configuration, [await readModule(configuration.main)], {});
  const bucket = (await worker.getR2Bucket('TREE')) as unknown as {
    put(key: string, value: string | ArrayBuffer): Promise<void>;
  };
  const read = (file: string) => readFile(path.join(publisher.out, file));
  const { release } = JSON.parse(String(await read('manifest.json')));
  const listed = String(await read('SHA256SUMS')).matchAll(/^\S+ {2}(.*)$/gm);
  for (const file of [...[...listed].map(([, name = '']) => name), 'SHA256SUMS'])
    await bucket.put(`releases/${release}/${file}`, new Uint8Array(await read(file)).buffer);
  await bucket.put('current', `${release}\n`);
  return worker;
}

const TARGETS = [
  ...[
    '/',
    '/healthz',
    '/api/v1/',
    '/404.html',
    '/404',
    '/places',
    `${FACTS}/year=2021/`,
    `${FACTS}/year=2021`,
  ],
  ...['/api/v1/climate?x=1', '/api/v1/climate/_dimensions/regions', '/api/v1/climate/rainfal'],
  ...[`${FACTS}?year=2021`, `${FACTS}?yaer=1`, `${FACTS}?detail=stations&limit=7&offset=3`],
  ...['', '&format=parquet'].map(format => `${FACTS}?season=wet&region_code=n${format}`),
  ...['json', 'parquet'].map(ending => `${FACTS}/year=2021/stations.${ending}`),
  '/api/v1/datasets/climate/rainfall/contract',
];

/** The common part of a Node response and a runtime response. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

async function describeAnswer(answer: Answer) {
  const { status, headers } = answer;
  // No manifest lists pages for people, so their validators are the host's own.
  const own = headers.get('content-type')?.startsWith('text/html') ? [] : ['etag', 'last-modified'];
  const names = ['content-type', 'cache-control', 'access-control-allow-origin', 'link', 'location', ...own];
  const body = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  return [status, ...names.map(name => headers.get(name)), body];
}

describe.each(['static assets', 'Pages', 'a bucket'])('over %s', name => {
  test('tools for language models answer as those of the Node edge', async () => {
    const dispatch = workers.get(name)!.dispatchFetch as unknown as typeof fetch;
    const [own, other] = [await overHttp(node), await overHttp('http://edge.test', dispatch)];
    for (const [tool, request] of [
      ['search', { words: 'rain north' }],
      ['describe', { dataset: 'climate/rainfall' }],
      ['rows', { dataset: 'climate/rainfall', parameters: { season: 'wet', region_code: 'n' } }],
      ['rows', { dataset: 'climate/rainfal' }],
      ['figure', { dataset: 'climate/rainfall', place: 'North', compare: 'whole' }],
    ] as const) {
      const found = JSON.stringify(await other.ask(tool, request));
      const wanted = JSON.stringify(await own.ask(tool, request));
      expect(found.replaceAll('http://edge.test', node)).toBe(wanted);
    }
    expect((await dispatch('http://edge.test/mcp')).status).toBe(405);
    const body = 'x'.repeat(100_001);
    expect((await dispatch('http://edge.test/mcp', { method: 'POST', body })).status).toBe(413);
  });

  test.each(TARGETS)('%s: status, headers and bytes of the Node edge', async target => {
    for (const accept of ['application/json', 'text/html']) {
      const options = { headers: { Accept: accept }, redirect: 'manual' as const };
      const wanted = await fetch(node + target, options);
      const found = await workers.get(name)!.dispatchFetch(`http://edge.test${target}`, options);
      expect(await describeAnswer(found)).toEqual(await describeAnswer(wanted));
    }
  });

  test('a workbook has the cells of the Node edge, and Markdown its rows', async () => {
    const target = `${FACTS}?season=wet&region_code=n&format=`;
    const ask = (format: string) =>
      Promise.all([
        fetch(node + target + format),
        workers.get(name)!.dispatchFetch(`http://edge.test${target}${format}`),
      ]);
    const texts = (await Promise.all((await ask('md')).map(one => one.text()))) as string[];
    const [own, other] = texts.map(text => text.replaceAll(node, 'http://edge.test'));
    expect(other).toBe(own);
    const books = await Promise.all(
      (await ask('xlsx')).map(async one => Buffer.from(await one.arrayBuffer())),
    );
    const [wanted, found] = books
      .map(bytes => read(bytes).Sheets['Rows']!)
      .map(one => utils.sheet_to_json(one));
    expect(wanted!.length).toBeGreaterThan(1);
    expect(found).toEqual(wanted);
  });

  test('ranges of Parquet, and a condition', async () => {
    const file = `${FACTS}/year=2021/stations.parquet`;
    const bytes = await readFile(path.join(publisher.out, file));
    const ask = (headers: Record<string, string>) =>
      workers.get(name)!.dispatchFetch(`http://edge.test${file}`, { headers });
    const part = await ask({ Range: 'bytes=100-299' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 300))).toBe(true);
    expect((await ask({ 'If-None-Match': part.headers.get('etag')! })).status).toBe(304);
  });
});

test.each(['/api/v1/.%2E/v1/datasets', '/api/v1/x\\..\\datasets'])(
  '%s is no other path: 404, as of civic serve',
  async target => {
    const runtime = await workers.get('static assets')!.unsafeGetDirectURL();
    const request = `GET ${target} HTTP/1.1\r\nHost: edge.test\r\nConnection: close\r\n\r\n`;
    // The runtime keeps the connection open for seconds.
    for (const host of [node, runtime.href])
      expect(await sendRaw(host, request, '\r\n')).toMatch(/^HTTP\/1\.1 404/);
  },
);

test('_headers: assets without the Worker have their types', async () => {
  const assets = new Miniflare({
    name: 'assets',
    modules: true,
    script: 'export default { fetch: (request, env) => env.ASSETS.fetch(request) };',
    compatibilityDate: configuration.compatibility_date,
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
