/** A tree that leaves JSON and CSV out says so; test/conformance/conformance.test.ts asks one for what it lacks. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { type HostLimits, type HostTarget, NO_LIMITS } from '../../build/hosts/host-profile.ts';
import { HOSTS } from '../../build/hosts/hosts.ts';
import { buildPublisher, NO_EDGES, readTreeJson } from '../publishers/built-tree.ts';
import { newPublisher, type PublisherFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';

let publisher: PublisherFolder;
let whole: string;
let part: string;

beforeAll(async () => {
  // So many stations that rows are most of the tree.
  const many = Object.entries(LAKE).map(([file, rows]) => [
    file,
    rows.replaceAll('range(1, 4)', 'range(1, 300)'),
  ]);
  publisher = await newPublisher(CONTRACTS, Object.fromEntries(many));
  [whole, part] = ['whole', 'part'].map(name => path.join(publisher.root, name)) as [string, string];
  const hostOf = (limits: Partial<HostLimits>): HostTarget => ({
    ...{ basePath: '/', edges: NO_EDGES },
    profile: { ...HOSTS.generic, limits: { ...NO_LIMITS, ...limits } },
  });
  const { result } = await buildPublisher({ ...publisher, out: whole }, { host: hostOf({}) });
  const half = Math.floor(result.host!.bytes * 0.4);
  await buildPublisher({ ...publisher, out: part }, { host: hostOf({ bytesInAll: half }) });
});

test('is of the same release, and says to programs what is left out', async () => {
  const read = async (tree: string) => ({
    manifest: await readTreeJson<TreeManifest>(tree, 'manifest.json'),
    openapi: await readFile(path.join(tree, 'openapi.json'), 'utf8'),
    hasNote: (await readFile(path.join(tree, 'llms.txt'), 'utf8')).includes('some only as .parquet'),
    resources: (await readTreeJson<Datapackage>(tree, 'datapackage.json')).resources,
  });
  const [all, some] = [await read(whole), await read(part)];
  const releases = ({ release, datasets }: TreeManifest) => [release, ...datasets.map(one => one.release)];
  expect(releases(some.manifest)).toEqual(releases(all.manifest));
  expect([some.openapi === all.openapi, some.hasNote, all.hasNote]).toEqual([true, true, false]);
  expect(some.resources.length).toBe(all.resources.length);
  expect(new Set(some.resources.map(one => one.format))).toEqual(new Set(['csv', 'parquet']));
  for (const file of some.resources.flatMap(one => one.path)) await readFile(path.join(part, file));
});

interface Datapackage {
  readonly resources: readonly { readonly format: string; readonly path: string | readonly string[] }[];
}
