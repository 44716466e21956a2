import { appendFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TreeManifest } from '../../build/format/manifest.ts';
import type { Edges } from '../../build/hosts/host-profile.ts';
import { HOSTS } from '../../build/hosts/hosts.ts';
import { diff } from '../../build/tree/diff-trees.ts';
import { differenceLines } from '../../build/tree/tree-difference.ts';
import { command } from '../cli/command.ts';
import { NO_EDGES, type Overrides } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import type { Publisher } from '../publishers/publisher-folder.ts';
import { LAKE, RAINFALL, rainFile, rainfallRows, TRAMS, tramRows, withdrawn } from '../publishers/weather.ts';

const TRAM_FILE = 'transit/trams/year=2022/nation.parquet';
const MORE_RIDES = { [TRAM_FILE]: tramRows(2022, 'nation').replace('500::', '700::') };
const MORE_RAIN = { [rainFile(2022, 'nation')]: rainfallRows(2022, 'nation').replace('n * 7', 'n * 8') };

/** Builds, and returns the build's notes. */
async function done(folder: Publisher, releaseDate: string, only: string | null, more: Overrides = {}) {
  return (await folder.build({ releaseDate, only, ...more })).notes.join('\n');
}

const manifestOf = (folder: Publisher) => folder.json<TreeManifest>('manifest.json');
const keysOf = async (folder: Publisher) => (await manifestOf(folder)).datasets.map(one => one.key);
const BOTH = ['climate/rainfall', 'transit/trams'];
const TRAMS_ALONE = TRAMS.replace(/ {4}quality:\n.*\n/, '');
const lastNotes = async (folder: Publisher) =>
  (await folder.text('release-notes.md')).split('\n## ')[1] ?? '';
const isRain = (name: string) =>
  /^(api\/v1\/|)(datasets\/)?climate\//.test(name) && !/(index|embed)\.html$/.test(name);

const original = await keptWeather();

describe('over a tree', () => {
  test('builds what it names, and keeps the bytes and times of the rest', async () => {
    const folder = await original.copyBuilt();
    const before = await folder.snapshot();
    await folder.writeRows({ ...MORE_RIDES, ...MORE_RAIN });
    const said = await done(folder, '2031-06-01', 'transit/trams');
    expect(said).toMatch(/--only: not built and kept from release 2031-05-17-\w+: climate\/rainfall/);
    expect(await keysOf(folder)).toEqual(BOTH);
    await folder.verify();
    const after = await folder.snapshot();
    const rain = [...before].filter(([name]) => isRain(name));
    expect(rain.length).toBeGreaterThan(30);
    for (const [name, file] of rain) {
      // Documents for other tools name the release.
      if (/(jsonld|croissant)\.json$/.test(name)) continue;
      const { sha256, modified } = after.get(name) ?? {};
      expect({ name, sha256, modified }).toEqual({ name, sha256: file.sha256, modified: file.modified });
    }
    expect(await lastNotes(folder)).toMatch(/transit\/trams 1\.0\.0: 1 row revised/);
    expect(await lastNotes(folder)).not.toMatch(/rainfall|withdrawn|first release|extract/i);
    const counts = { datasets: 2, dimensions: 2 };
    expect(await folder.json<object>('healthz.json')).toMatchObject(counts);
    expect(await manifestOf(folder)).not.toHaveProperty('extract');
    const again = await folder.build({ releaseDate: '2031-06-01', only: 'transit/trams' });
    expect(again.result.changed).toBe(false);

    // A later build gives the tree of a single build, except for its history.
    await done(folder, '2031-07-01', null);
    const anew = await folder.copy();
    await done(anew, '2031-07-01', null);
    const api = async (one: Publisher) =>
      Object.entries(await one.undated())
        .filter(
          ([name]) =>
            /^api\/.*(json|csv|parquet|yaml)$/.test(name) &&
            !/(jsonld|croissant)\.json$|\/changes\.json$|\/_(changes|past)\//.test(name),
        )
        .map(([name, text]) => [name, name.endsWith('/manifest.json') ? withoutMemory(text) : text]);
    expect(await api(folder)).toEqual(await api(anew));
  });

  test("names contracts that have changed meanwhile, and doesn't build them", async () => {
    const folder = await original.copyBuilt();
    await folder.writeContracts({
      'rain/rainfall.yaml': RAINFALL.replace('Rain of a season.', 'All rain.').replace('1.2.0', '1.2.1'),
    });
    const said = (date: string) => done(folder, date, 'transit/*');
    expect(await said('2031-06-01')).toMatch(
      /contracts differ from those published for climate\/rainfall; published unchanged/,
    );
    const changed = { 'rain/rainfall.yaml': withdrawn(RAINFALL), 'trams.odcs.yaml': TRAMS_ALONE };
    await folder.writeContracts(changed);
    expect(await said('2031-06-02')).toMatch(/contracts withdraw climate\/rainfall; published unchanged/);
    await rm(path.join(folder.contracts, 'rain/rainfall.yaml'));
    expect(await said('2031-06-03')).toMatch(/no active contract has climate\/rainfall; published unchanged/);
    expect(await keysOf(folder)).toEqual(BOTH);
    // A build of everything needs the declaration.
    await expect(done(folder, '2031-06-04', null)).rejects.toThrow(
      /dataset-withdrawn-silently climate\/rainfall: published/,
    );
  });

  test('withdraws one dataset, and no other', async () => {
    const folder = await original.copyBuilt();
    await folder.writeContracts({ 'trams.odcs.yaml': withdrawn(TRAMS, 'climate/rainfall') });
    await done(folder, '2031-06-01', 'transit/trams');
    const manifest = await manifestOf(folder);
    expect(await keysOf(folder)).toEqual(['climate/rainfall']);
    expect(manifest.withdrawn?.map(one => one.key)).toEqual(['transit/trams']);
    // It stays withdrawn while the other is built.
    await folder.writeRows(MORE_RAIN);
    await done(folder, '2031-06-02', 'climate/*');
    const later = await manifestOf(folder);
    expect(later.withdrawn).toEqual(manifest.withdrawn);
    expect(await lastNotes(folder)).not.toMatch(/trams/);
    await folder.verify();
  });

  test('adds a dataset, with a dimension that others join', async () => {
    const folder = await original.copy();
    await rm(path.join(folder.contracts, 'rain/rainfall.yaml'));
    await folder.writeContracts({ 'trams.odcs.yaml': TRAMS_ALONE });
    await done(folder, '2031-06-01', null);
    await folder.writeContracts({ 'rain/rainfall.yaml': RAINFALL });
    await done(folder, '2031-06-02', 'climate/rainfall');
    expect(await keysOf(folder)).toEqual(BOTH);
    expect(await lastNotes(folder)).toMatch(/climate\/rainfall 1\.2\.0: new/);
    const schema = 'api/v1/transit/_dimensions/regions/schema.json';
    expect(await folder.json<object>(schema)).toMatchObject({
      endpoint: '/api/v1/climate/_dimensions/regions',
    });
    await folder.verify();
  });

  test('refuses a shared dimension that changed, and names who joins it', async () => {
    const folder = await original.copyBuilt();
    const before = await folder.snapshot();
    const regions = LAKE['_dimensions/regions.parquet']?.replace('North', 'Far North') ?? '';
    await folder.writeRows({ '_dimensions/regions.parquet': regions });
    await expect(done(folder, '2031-06-01', 'transit/trams')).rejects.toThrow(
      /dimension-shared The dimension regions .*climate\/rainfall.*--only 'transit\/trams,climate\/rainfall'/,
    );
    expect(await folder.snapshot()).toEqual(before);
    await done(folder, '2031-06-01', 'transit/trams,climate/rainfall');
  });

  test('refuses a damaged rest, and a mixture with a sample', async () => {
    const folder = await original.copyBuilt();
    await appendFile(path.join(folder.out, 'api/v1/climate/rainfall/year=2021/nation.csv'), 'x');
    await expect(done(folder, '2031-06-01', 'transit/trams')).rejects.toThrow(
      /tree-corrupt-file .*so --only cannot keep it/,
    );
    const sample = await original.copyBuilt();
    await writeFile(path.join(sample.data, '_sample.json'), '{"sample": true}');
    await expect(done(sample, '2031-06-01', 'transit/trams')).rejects.toMatchObject({
      code: 'sample-mixture',
    });
  });

  test('the edge of a host is made from the documents of the whole tree', async () => {
    const folder = await original.copyBuilt();
    await folder.writeRows(MORE_RIDES);
    let keys: readonly string[] = [];
    const cloudfront: Edges['cloudfront'] = async tree => {
      keys = [
        ...tree.datasets.map(one => `${one.manifest.dataset} ${one.schema.topic}`),
        ...tree.dimensions.map(one => `${one.domain} ${one.manifest.dimension}`),
      ];
      return [];
    };
    const host = { profile: HOSTS['s3-cloudfront'], basePath: '/', edges: { ...NO_EDGES, cloudfront } };
    await done(folder, '2031-06-01', 'transit/tram?', { host });
    const dimensions = ['climate regions', 'climate stations', 'transit regions'];
    expect(keys).toEqual(['climate/rainfall rainfall', 'transit/trams trams', ...dimensions]);
  });
});

describe('an extract', () => {
  const says = /only climate\/\\?\* are here/;

  async function expectExtract(folder: Publisher): Promise<void> {
    expect(await keysOf(folder)).toEqual(['climate/rainfall']);
    await folder.verify();
    const extract = { only: 'climate/*' };
    for (const name of ['manifest.json', 'index.json', 'healthz.json', 'api/v1/datasets/index.json'])
      expect([name, await folder.json<object>(name)]).toMatchObject([name, { extract }]);
    expect(await folder.json<object>('openapi.json')).toMatchObject({ 'x-extract': extract });
    const texts = ['index.html', 'llms.txt', 'data.json', 'datapackage.json', 'CITATION.cff', 'feed.xml'];
    for (const name of [...texts, 'api/v1/duckdb.sql', 'release-notes.md', 'ro-crate-metadata.json'])
      expect(await folder.text(name), name).toMatch(says);
  }

  test('into a new folder, and later the whole over it', async () => {
    const folder = await original.copy();
    expect(await done(folder, '2031-06-01', 'climate/*')).toMatch(/^An extract: /m);
    await expectExtract(folder);
    await done(folder, '2031-06-02', 'climate/rainfall');
    expect((await manifestOf(folder)).extract).toBeDefined();
    const other = await folder.copyBuilt();
    await done(folder, '2031-06-03', null);
    expect(await manifestOf(folder)).not.toHaveProperty('extract');
    // Also after --only has named everything.
    await done(other, '2031-06-03', 'transit/*');
    expect([await keysOf(other), (await manifestOf(other)).extract]).toEqual([BOTH, undefined]);
    expect(await keysOf(folder)).toEqual(BOTH);
    const notes = await lastNotes(folder);
    expect(notes).toMatch(/The previous release is an extract: climate\/\*/);
    expect(notes).toMatch(/transit\/trams 1\.0\.0: not in the previous extract, 6 rows/);
    expect(notes).not.toMatch(/withdrawn|: new/);
  });

  test('over a tree on purpose, without calling the rest withdrawn', async () => {
    const folder = await original.copyBuilt();
    await done(folder, '2031-06-01', 'climate/*', { extract: true });
    await expectExtract(folder);
    expect(await lastNotes(folder)).not.toMatch(/withdrawn|trams/);
    const lines = differenceLines(await diff(original.out, folder.out, { jobs: 1, memory: '400MB' })).join(
      '\n',
    );
    expect(lines).toMatch(says);
    expect(lines).not.toMatch(/withdrawn/);
  });

  test('--only that leaves nothing out makes none; --extract alone is refused', async () => {
    const folder = await original.copy();
    await done(folder, '2031-05-17', '*/*');
    expect(await folder.contents()).toEqual(await original.contents());
    const wrong = await command('build', '--contracts', 'c', '--data', 'd', '--out', 'o', '--extract');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--extract needs --only/)]);
  });
});

/** A manifest's text without the files about changes. */
function withoutMemory(text: string): object {
  const manifest = JSON.parse(text) as { readonly documents: readonly { readonly path: string }[] };
  return {
    ...manifest,
    documents: manifest.documents.filter(({ path }) => !/^(changes|feed|_past)/.test(path)),
  };
}
