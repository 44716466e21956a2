/** Hosts of several releases: one answers, and each has its own address. test/conformance asks nginx. */
import { cp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CURRENT, ROOT, releaseFolder } from '../../build/format/paths.ts';
import { createWorkerHandler } from '../../site/edge/adapters/cloudflare.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { served } from '../served.ts';
import { folderBucket } from './folder-bucket.ts';
import { bytesOf, type Get, readComputed, readOneByOne, readPinned, switchOften, watch } from './reader.ts';
import { DATASET, type Release, threeReleases } from './three-releases.ts';

const three = await threeReleases();
const [first, second, third] = three;

/** A folder of the three. The second answers, by a link or by a file that names it. */
async function storeOf(point: (pointer: string) => Promise<void>): Promise<string> {
  const store = await temporaryFolder();
  for (const { id, folder } of three)
    await cp(folder, path.join(store, releaseFolder(id)), { recursive: true, preserveTimestamps: true });
  await point(path.join(store, CURRENT));
  return store;
}

/** As a bucket puts an object: whole or not at all. */
const name =
  ({ id }: Pick<Release, 'id'>) =>
  async (pointer: string) => {
    await writeFile(`${pointer}.new`, `${id}\n`);
    await rename(`${pointer}.new`, pointer);
  };
const linked = await storeOf(pointer => symlink(releaseFolder(second.id), pointer));
const bucket = await storeOf(name(second));
const server = await served(linked);
/** It reads the pointer again after 20 ms. */
const worker = createWorkerHandler({ TREE: folderBucket(bucket) }, 20);
const askWorker = (url: string) => worker(new Request(`http://edge.test${url}`));

describe.each([
  ['civic serve', linked, (url: string) => fetch(server + url, { redirect: 'manual' })],
  ['a Worker over a bucket', bucket, askWorker],
] as const)('%s', (_, store, ask) => {
  const own = `/${releaseFolder(first.id)}`;
  const facts = `${own}/api/v1/${DATASET}`;
  const json = async (url: string) => (await ask(url)).json();

  test('answers from the release that is named, and from each at its own address', async () => {
    expect(await json('/healthz')).toMatchObject({ release: second.id });
    expect(await json(`${own}/healthz`)).toMatchObject({ release: first.id });
  });

  test('links from a release to itself', async () => {
    const { next } = await json(`${facts}?limit=2`);
    expect(next).toBe(`${facts}?limit=2&offset=2`);
    expect((await ask(next)).status).toBe(200);
    expect(await json(`${facts}?yaer=2021`)).toMatchObject({
      detail: [{ ctx: { url: `${facts}?year=2021` } }],
    });
    for (const folder of [own, `${own}/api/v1/climate`])
      expect((await ask(folder)).headers.get('location')).toBe(`${folder}/`);
  });

  test('has no release that is incomplete or missing, or whose name is none', async () => {
    await rm(path.join(store, releaseFolder(third.id), ROOT.checksums));
    for (const id of [third.id, '2031-05-17-00000000', `${first.id}%2f..`, CURRENT])
      expect([id, (await ask(`/releases/${id}/healthz.json`)).status]).toEqual([id, 404]);
    await cp(
      path.join(third.folder, ROOT.checksums),
      path.join(store, releaseFolder(third.id), ROOT.checksums),
    );
    expect((await ask(`/${releaseFolder(third.id)}/healthz.json`)).status).toBe(200);
  });
});

async function switchTo(release: Pick<Release, 'id'>): Promise<void> {
  await name(release)(path.join(bucket, CURRENT));
  await wait(40);
}

test('a wrong name in the pointer of a bucket is an error of the host', async () => {
  await switchTo({ id: '../../secret' });
  expect((await askWorker('/healthz')).status).toBe(502);
  await switchTo(second);
  expect((await askWorker('/healthz')).status).toBe(200);
});

test('many switches of a bucket while readers read: no reader gets a mixture', async () => {
  const get: Get = url => bytesOf(url, askWorker(url));
  await switchTo(first);
  const watches = [
    watch('one by one', readOneByOne(get, three)),
    watch('pinned', readPinned(get, three)),
    watch('computed', await readComputed(get, three)),
  ];
  await switchOften(watches, three, switchTo);
});
