/** A tree that leaves JSON and CSV out answers as the whole tree does, to the byte, and says what it leaves out. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { HOSTS, type HostTarget } from '../../build/hosts/host-profile.ts';
import { buildPublisher, readTreeJson } from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { askTree, EXECUTORS } from './executors.ts';

const RAINFALL = 'api/v1/climate/rainfall';

let publisher: PublisherFolder;
let whole: string;
let part: string;

beforeAll(async () => {
  // So many stations that rows are most of the tree.
  const many = Object.entries(LAKE).map(([file, rows]) => [
    file,
    rows.replaceAll('range(1, 4)', 'range(1, 300)'),
  ]);
  publisher = await writePublisher(await temporaryFolder('never'), CONTRACTS, Object.fromEntries(many));
  [whole, part] = ['whole', 'part'].map(name => path.join(publisher.root, name)) as [string, string];
  const hostOf = (bytesInAll: number | null): HostTarget => {
    const limits = { files: null, bytesPerFile: null, bytesInAll };
    return { profile: { ...HOSTS.generic, limits }, basePath: '/', renderEdge: null };
  };
  const { result } = await buildPublisher({ ...publisher, out: whole }, { host: hostOf(null) });
  const half = Math.floor(result.host!.bytes * 0.4);
  await buildPublisher({ ...publisher, out: part }, { host: hostOf(half) });
}, 120_000);
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

test('is of the same release, and says to programs what is left out', async () => {
  const [all, some] = await Promise.all(
    [whole, part].map(async tree => ({
      manifest: await readTreeJson<TreeManifest>(tree, 'manifest.json'),
      openapi: await readFile(path.join(tree, 'openapi.json'), 'utf8'),
      guide: await readFile(path.join(tree, 'llms.txt'), 'utf8'),
      resources: (await readTreeJson<Datapackage>(tree, 'datapackage.json')).resources,
    })),
  );
  expect(some!.manifest.release).toBe(all!.manifest.release);
  expect(some!.manifest.datasets.map(one => one.release)).toEqual(
    all!.manifest.datasets.map(one => one.release),
  );
  expect(some!.openapi).toBe(all!.openapi);
  expect(some!.resources.length).toBe(all!.resources.length);
  expect(new Set(some!.resources.map(one => one.format))).toEqual(new Set(['csv', 'parquet']));
  for (const file of some!.resources.flatMap(one => one.path)) await readFile(path.join(part, file));
  expect(some!.guide).toContain('some only as .parquet');
  expect(all!.guide).not.toContain('only as .parquet');
});

interface Datapackage {
  readonly resources: readonly { readonly format: string; readonly path: string | readonly string[] }[];
}

test.each(EXECUTORS)('%s: every slice, by query and by the names of its files', async name => {
  const asker = (folder: string) => {
    const ask = askTree(folder, name);
    return async (url: string) => {
      const response = await ask(`/${url}`);
      return [url, response.status, response.headers.get('content-type'), await response.text()];
    };
  };
  const [askWhole, askPart] = [asker(whole), asker(part)];
  const { slices } = await readTreeJson<DatasetManifest>(whole, `${RAINFALL}/manifest.json`);
  const left = await readTreeJson<DatasetManifest>(part, `${RAINFALL}/manifest.json`);
  expect(left.slices.filter(({ files }) => files.json.length === 0).length).toBeGreaterThan(0);
  const asked = slices.flatMap(({ year, detail, files }) => [
    `${RAINFALL}?year=${year}&detail=${detail}`,
    `${RAINFALL}?year=${year}&detail=${detail}&format=csv`,
    ...[...files.json, ...files.csv].map(file => `${RAINFALL}/${file.path}`),
  ]);
  for (const url of [...asked, `${RAINFALL}?detail=stations&offset=890&limit=20`, `${RAINFALL}?year=1900`])
    expect(await askPart(url)).toEqual(await askWhole(url));
});
