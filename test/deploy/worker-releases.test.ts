/**
 * The Worker over a bucket of releases, on the real runtime: one small object names the release that answers.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Miniflare } from 'miniflare';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CURRENT, ROOT, releaseFolder } from '../../build/format/paths.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { bytesOf, type Get, readComputed, readOneByOne, readPinned, switchOften, watch } from './reader.ts';
import { DATASET, type Release, threeReleases } from './three-releases.ts';

interface Bucket {
  put(key: string, value: string | ArrayBuffer): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

const ADAPTERS = path.join(import.meta.dirname, '../../site/edge/adapters');

/** The Worker itself, except that it reads the pointer again after 20 ms. */
const ENTRY = `
import { createWorkerHandler } from '${path.join(ADAPTERS, 'cloudflare.ts')}';
let handler = null;
export default { fetch(request, environment) { handler ??= createWorkerHandler(environment, 20); return handler(request); } };
`;

const three = await threeReleases();
const [first, second, third] = three;
let worker: Miniflare;
let bucket: Bucket;

beforeAll(async () => {
  const entry = path.join(await temporaryFolder(), 'entry.js');
  await writeFile(entry, ENTRY);
  const bundle = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm' });
  worker = new Miniflare({
    modules: true,
    script: output[0].code,
    compatibilityDate: '2025-12-01',
    r2Buckets: ['TREE'],
  });
  bucket = (await worker.getR2Bucket('TREE')) as unknown as Bucket;
  for (const { id, folder, hashes } of three) {
    for (const file of [...hashes.keys(), ROOT.checksums]) {
      const bytes = new Uint8Array(await readFile(path.join(folder, file)));
      await bucket.put(`${releaseFolder(id)}/${file}`, bytes.buffer);
    }
  }
});
afterAll(() => worker.dispose());

const ask = (name: string) => worker.dispatchFetch(`http://edge.test${name}`, { redirect: 'manual' });

const get: Get = name => bytesOf(name, ask(name));

async function switchTo({ id }: Pick<Release, 'id'>): Promise<void> {
  await bucket.put(CURRENT, `${id}\n`);
  await wait(40);
}

test('workerd over a bucket answers from the release that is named, and from each at its own address', async () => {
  const at = ({ id }: Release, name = '') => `/${releaseFolder(id)}${name}`;
  const json = async (name: string) => JSON.parse((await get(name)).toString('utf8'));
  await switchTo(second);
  expect(await json('/healthz')).toMatchObject({ release: second.id });
  expect(await json(at(first, '/healthz'))).toMatchObject({ release: first.id });
  const page = at(third, `/api/v1/${DATASET}?limit=2`);
  expect(await json(page)).toMatchObject({ next: `${page}&offset=2` });
  expect((await ask(at(third))).status).toBe(301);
  expect((await ask('/releases/2031-05-17-00000000/healthz')).status).toBe(404);
  // An incomplete release isn't there.
  const sums = `${releaseFolder(third.id)}/${ROOT.checksums}`;
  await bucket.delete(sums);
  expect((await ask(at(third, '/healthz'))).status).toBe(404);
  await bucket.put(sums, await readFile(path.join(third.folder, ROOT.checksums), 'utf8'));
  // A wrong name in the pointer is an error of the host.
  await switchTo({ id: '../../secret' });
  expect((await ask('/healthz')).status).toBe(502);
  await switchTo(second);
  expect((await ask('/healthz')).status).toBe(200);
});

test('many switches while readers read: no reader gets a mixture', async () => {
  await switchTo(first);
  const watches = [
    watch('one by one', readOneByOne(get, three)),
    watch('pinned', readPinned(get, three)),
    watch('computed', await readComputed(get, three)),
  ];
  await switchOften(watches, three, switchTo);
});
