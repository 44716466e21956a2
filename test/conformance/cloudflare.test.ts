import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Miniflare } from 'miniflare';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedCsv, expectedJson, questionUrl } from '../edge/tree/reference.ts';
import { writeTree } from '../edge/tree/write.ts';
import { EMPTY_QUESTIONS, QUESTIONS } from './questions.ts';

/** The real runtime, with each of the two places where a tree can be; and slices that are stored as Parquet alone. */
const WORKERS = ['assets', 'bucket', 'assets of Parquet alone'] as const;

interface Bucket {
  put(key: string, value: ArrayBuffer): Promise<unknown>;
}

let folder: string;
let alone: string;
let workers: Record<(typeof WORKERS)[number], Miniflare>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudflare-'));
  alone = await mkdtemp(join(tmpdir(), 'cloudflare-alone-'));
  await writeTree(folder, { sample: true });
  await writeTree(alone, { sample: true, parquetAlone: true });
  const script = await bundleWorker();
  const common = { modules: true, script, compatibilityDate: '2025-12-01' } as const;
  const overAssets = (directory: string) =>
    new Miniflare({
      ...common,
      name: 'worker',
      assets: {
        directory,
        binding: 'ASSETS',
        routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
        assetConfig: { html_handling: 'none', not_found_handling: 'none' },
      },
    });
  workers = {
    assets: overAssets(folder),
    'assets of Parquet alone': overAssets(alone),
    bucket: new Miniflare({ ...common, r2Buckets: ['TREE'] }),
  };
  const bucket = (await workers.bucket.getR2Bucket('TREE')) as unknown as Bucket;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    await bucket.put(relative(folder, path), new Uint8Array(await readFile(path)).buffer);
  }
}, 120_000);

afterAll(async () => {
  await Promise.all(Object.values(workers).map(worker => worker.dispose()));
  await Promise.all([folder, alone].map(one => rm(one, { recursive: true })));
});

async function bundleWorker(): Promise<string> {
  const input = new URL('../../site/edge/adapters/cloudflare-worker.ts', import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm' });
  return output[0].code;
}

const SAMPLE = 'Synthetic sample data: no figure here describes a real place.';
const SLICE = '/api/v1/demo/things/year=2022/areas';

describe.each(WORKERS)('workerd over %s', kind => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    workers[kind].dispatchFetch(`http://edge.test${path}`, { headers, redirect: 'manual' });

  test.each([...QUESTIONS, ...EMPTY_QUESTIONS])('%s', async (_, question, notice) => {
    const notices = notice === null ? [SAMPLE] : [SAMPLE, notice];
    expect(await (await ask(questionUrl(question))).text()).toBe(
      await expectedJson(folder, question, notices),
    );
    expect(await (await ask(questionUrl(question, 'csv'))).text()).toBe(expectedCsv(question));
  });

  test('stored files, ranges and conditional requests', async () => {
    const bytes = await readFile(join(folder, `${SLICE}.parquet`));
    const whole = await ask(`${SLICE}.parquet`);
    expect(whole.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(whole.headers.get('last-modified')).toBe('Sat, 21 Nov 2026 00:00:00 GMT');
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await ask(`${SLICE}.parquet`, { Range: 'bytes=100-299' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 300))).toBe(true);
    const none = await ask(`${SLICE}.parquet`, { 'If-None-Match': whole.headers.get('etag')! });
    expect(none.status).toBe(304);
  });

  test('pages for people, and what is not there', async () => {
    const page = await ask('/', { Accept: 'text/html' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('Demo');
    expect((await ask('/api/v1/')).status).toBe(200);
    expect((await ask('/api/v1/demo')).headers.get('location')).toBe('/api/v1/demo/');
    expect((await ask('/api/v1/demo/thing')).status).toBe(404);
    expect((await ask('/api/v1/demo/things?yaer=1')).status).toBe(422);
  });

  test('an answer as Parquet', async () => {
    const response = await ask('/api/v1/demo/things?area_code=150&format=parquet');
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('PAR1');
  });
});
