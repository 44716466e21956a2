/** `civic build --only`: what it names is built, everything else stays; and extracts, which say that they are. */
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatasetsDocument, HealthDocument, ServiceDocument } from '../../build/format/documents.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { civic, type Ended } from '../cli/program.ts';
import { contents, readTreeJson, snapshot, undated, verify } from '../publishers/built-tree.ts';
import {
  copyBuilt,
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { LAKE, RAINFALL, rainFile, rainfallRows, TRAMS, tramRows, withdrawn } from '../publishers/weather.ts';

let original: PublisherFolder;
const TRAM_FILE = 'transit/trams/year=2022/nation.parquet';
const MORE_RIDES = { [TRAM_FILE]: tramRows(2022, 'nation').replace('500::', '700::') };
const MORE_RAIN = { [rainFile(2022, 'nation')]: rainfallRows(2022, 'nation').replace('n * 7', 'n * 8') };

function run(folder: PublisherFolder, date: string, ...more: readonly string[]): Promise<Ended> {
  const { contracts, data, out } = folder;
  const options = ['--contracts', contracts, '--data', data, '--out', out, '--release-date', date];
  return civic(['build', ...options, '--jobs', '1', ...more]);
}

async function done(folder: PublisherFolder, date: string, ...more: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(folder, date, ...more);
  expect(code, stdout + stderr).toBe(0);
  await verify(folder.out);
  return stderr;
}

const keysOf = async ({ out }: PublisherFolder) =>
  (await readTreeJson<TreeManifest>(out, 'manifest.json')).datasets.map(one => one.key);
const notesOf = ({ out }: PublisherFolder) => readFile(path.join(out, 'release-notes.md'), 'utf8');
const lastNotes = async (folder: PublisherFolder) => (await notesOf(folder)).split('\n## ')[1] ?? '';
const isRain = (name: string) =>
  /^(api\/v1\/|)(datasets\/)?climate\//.test(name) && !/(index|embed)\.html$/.test(name);

beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'));
  await done(original, '2031-05-17');
});
afterAll(() => rm(original.root, { recursive: true, force: true }));

describe('over a tree', () => {
  test('builds what it names, and leaves the rest in its bytes and times', async () => {
    const folder = await copyBuilt(original);
    const before = await snapshot(folder.out);
    await writeRows(folder.data, { ...MORE_RIDES, ...MORE_RAIN });
    const said = await done(folder, '2031-06-01', '--only', 'transit/trams');
    expect(said).toMatch(/--only: climate\/rainfall is not built and stays as release 2031-05-17-/);
    expect(await keysOf(folder)).toEqual(['climate/rainfall', 'transit/trams']);
    const after = await snapshot(folder.out);
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
    expect(await readTreeJson<HealthDocument>(folder.out, 'healthz.json')).toMatchObject({
      datasets: 2,
      dimensions: 2,
    });
    expect(await readTreeJson<object>(folder.out, 'manifest.json')).not.toHaveProperty('extract');
    expect(await run(folder, '2031-06-01', '--only', 'transit/trams')).toMatchObject({
      stdout: expect.stringMatching(/^Nothing changed/),
    });

    // What is built later is as if it had been built at once, but for what it remembers.
    await done(folder, '2031-07-01');
    const anew = await copyPublisher(folder, await temporaryFolder());
    await done(anew, '2031-07-01');
    const api = async ({ out }: PublisherFolder) =>
      Object.entries(await undated(out))
        .filter(
          ([name]) =>
            /^api\/.*(json|csv|parquet|yaml)$/.test(name) &&
            !/(jsonld|croissant)\.json$|\/changes(\.json$|\/)/.test(name),
        )
        .map(([name, text]) => [name, name.endsWith('/manifest.json') ? withoutMemory(text) : text]);
    expect(await api(folder)).toEqual(await api(anew));
  });

  test('says what contracts say otherwise by now, and builds none of it', async () => {
    const folder = await copyBuilt(original);
    await writeTexts(folder.contracts, {
      'rain/rainfall.yaml': RAINFALL.replace('Rain of a season.', 'All rain.').replace('1.2.0', '1.2.1'),
    });
    expect(await done(folder, '2031-06-01', '--only', 'transit/*')).toMatch(
      /the contracts differ from those published for climate\/rainfall; stays as published until built/,
    );
    await writeTexts(folder.contracts, { 'rain/rainfall.yaml': withdrawn(RAINFALL) });
    await writeTexts(folder.contracts, { 'trams.odcs.yaml': TRAMS.replace(/ {4}quality:\n.*\n/, '') });
    expect(await done(folder, '2031-06-02', '--only', 'transit/*')).toMatch(
      /contracts withdraw climate\/rainfall; stays/,
    );
    await rm(path.join(folder.contracts, 'rain/rainfall.yaml'));
    expect(await done(folder, '2031-06-03', '--only', 'transit/*')).toMatch(
      /no active contract has climate\/rainfall; stays/,
    );
    expect(await keysOf(folder)).toEqual(['climate/rainfall', 'transit/trams']);
    // A build of all asks for the word.
    expect(await run(folder, '2031-06-04')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/dataset-withdrawn-silently climate\/rainfall was published/),
    });
  });

  test('withdraws one dataset, and no other', async () => {
    const folder = await copyBuilt(original);
    await writeTexts(folder.contracts, { 'trams.odcs.yaml': withdrawn(TRAMS, 'climate/rainfall') });
    await done(folder, '2031-06-01', '--only', 'transit/trams');
    const manifest = await readTreeJson<TreeManifest>(folder.out, 'manifest.json');
    expect([manifest.datasets.map(one => one.key), manifest.withdrawn?.map(one => one.key)]).toEqual([
      ['climate/rainfall'],
      ['transit/trams'],
    ]);
    // It stays withdrawn while the other is built.
    await writeRows(folder.data, MORE_RAIN);
    await done(folder, '2031-06-02', '--only', 'climate/*');
    const later = await readTreeJson<TreeManifest>(folder.out, 'manifest.json');
    expect(later.withdrawn).toEqual(manifest.withdrawn);
    expect(await lastNotes(folder)).not.toMatch(/trams/);
  });

  test('adds a dataset, with a dimension that others join', async () => {
    const folder = await copyPublisher(original, await temporaryFolder());
    await rm(path.join(folder.contracts, 'rain/rainfall.yaml'));
    await writeTexts(folder.contracts, { 'trams.odcs.yaml': TRAMS.replace(/ {4}quality:\n.*\n/, '') });
    await done(folder, '2031-06-01');
    await writeTexts(folder.contracts, { 'rain/rainfall.yaml': RAINFALL });
    await done(folder, '2031-06-02', '--only', 'climate/rainfall');
    expect(await keysOf(folder)).toEqual(['climate/rainfall', 'transit/trams']);
    expect(await lastNotes(folder)).toMatch(/climate\/rainfall 1\.2\.0: new/);
    const schema = 'api/v1/transit/_dimensions/regions/schema.json';
    expect(await readTreeJson<object>(folder.out, schema)).toMatchObject({
      endpoint: '/api/v1/climate/_dimensions/regions',
    });
  });

  test('refuses a shared dimension that changed, and names who joins it', async () => {
    const folder = await copyBuilt(original);
    const before = await snapshot(folder.out);
    const regions = LAKE['_dimensions/regions.parquet']?.replace('North', 'Far North') ?? '';
    await writeRows(folder.data, { '_dimensions/regions.parquet': regions });
    const refused = await run(folder, '2031-06-01', '--only', 'transit/trams');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(
      /dimension-shared The dimension regions .* climate\/rainfall, .*--only 'transit\/trams,climate\/rainfall'/,
    );
    expect(await snapshot(folder.out)).toEqual(before);
    await done(folder, '2031-06-01', '--only', 'transit/trams,climate/rainfall');
  });

  test('refuses a rest that is damaged, and a mixture with a sample', async () => {
    const folder = await copyBuilt(original);
    await appendFile(path.join(folder.out, 'api/v1/climate/rainfall/year=2021/nation.csv'), 'x');
    expect(await run(folder, '2031-06-01', '--only', 'transit/trams')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/tree-corrupt-file .*so --only cannot keep it/),
    });
    const sample = await copyBuilt(original);
    await writeFile(path.join(sample.data, '_sample.json'), '{"sample": true}');
    expect(await run(sample, '2031-06-01', '--only', 'transit/trams')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^sample-mixture /m),
    });
  });

  test('a merge of shards does the same', async () => {
    const folder = await copyBuilt(original);
    await writeRows(folder.data, MORE_RIDES);
    const whole = await copyBuilt(folder);
    const shards = [1, 2].map(number => path.join(folder.root, `shard-${number}`));
    for (const [i, out] of shards.entries()) {
      const shard = ['--shard', `${i + 1}/2`, '--only', 'transit/trams'];
      expect(await run({ ...folder, out }, '2031-06-01', ...shard)).toMatchObject({ code: 0 });
    }
    const merged = await civic(['merge', ...shards, '--out', folder.out, '--jobs', '1']);
    expect(merged, merged.stderr).toMatchObject({ code: 0 });
    await done(whole, '2031-06-01', '--only', 'transit/trams');
    expect(await contents(folder.out)).toEqual(await contents(whole.out));
  });

  test('the script of a host knows the whole tree', async () => {
    const folder = await copyBuilt(original);
    await writeRows(folder.data, MORE_RIDES);
    await done(folder, '2031-06-01', '--only', 'transit/trams', '--host', 's3-cloudfront');
    const script = await readFile(path.join(`${folder.out}.host`, 'cloudfront-function.js'), 'utf8');
    expect(script).toContain('rainfall');
    expect(script).toContain('trams');
  });
});

describe('an extract', () => {
  const says = /only climate\/\\?\* are here/;

  async function expectExtract(folder: PublisherFolder): Promise<void> {
    expect(await keysOf(folder)).toEqual(['climate/rainfall']);
    const extract = { only: 'climate/*' };
    for (const name of ['manifest.json', 'index.json', 'healthz.json', 'api/v1/datasets/index.json'])
      expect(
        await readTreeJson<TreeManifest | ServiceDocument | HealthDocument | DatasetsDocument>(
          folder.out,
          name,
        ),
      ).toMatchObject({ extract });
    expect(await readTreeJson<object>(folder.out, 'openapi.json')).toMatchObject({ 'x-extract': extract });
    const texts = ['index.html', 'llms.txt', 'data.json', 'datapackage.json', 'CITATION.cff', 'feed.xml'];
    for (const name of [...texts, 'api/v1/duckdb.sql', 'release-notes.md', 'ro-crate-metadata.json'])
      expect(await readFile(path.join(folder.out, name), 'utf8'), name).toMatch(says);
  }

  test('into a new folder, and later the whole over it', async () => {
    const folder = await copyPublisher(original, await temporaryFolder());
    expect(await done(folder, '2031-06-01', '--only', 'climate/*')).toMatch(/^An extract: /m);
    await expectExtract(folder);
    await done(folder, '2031-06-02', '--only', 'climate/rainfall');
    expect((await readTreeJson<TreeManifest>(folder.out, 'manifest.json')).extract).toBeDefined();
    await done(folder, '2031-06-03');
    expect(await readTreeJson<object>(folder.out, 'manifest.json')).not.toHaveProperty('extract');
    expect(await keysOf(folder)).toEqual(['climate/rainfall', 'transit/trams']);
    const notes = await lastNotes(folder);
    expect(notes).toMatch(/The previous release is an extract: climate\/\*/);
    expect(notes).toMatch(/transit\/trams 1\.0\.0: not in the previous extract, 6 rows/);
    expect(notes).not.toMatch(/withdrawn|: new/);
  });

  test('is whole once --only has named everything', async () => {
    const folder = await copyPublisher(original, await temporaryFolder());
    await done(folder, '2031-06-01', '--only', 'climate/*');
    await done(folder, '2031-06-02', '--only', 'transit/*');
    expect(await keysOf(folder)).toEqual(['climate/rainfall', 'transit/trams']);
    expect(await readTreeJson<object>(folder.out, 'manifest.json')).not.toHaveProperty('extract');
  });

  test('on purpose over a tree, which it does not call withdrawn', async () => {
    const folder = await copyBuilt(original);
    await done(folder, '2031-06-01', '--only', 'climate/*', '--extract');
    await expectExtract(folder);
    expect(await lastNotes(folder)).not.toMatch(/withdrawn|trams/);
    const archive = path.join(folder.root, 'extract.zip');
    expect(await civic(['snapshot', folder.out, '--out', archive])).toMatchObject({ code: 0 });
    expect(await civic(['verify', archive])).toMatchObject({ code: 0 });
    const all = await civic(['diff', original.out, folder.out]);
    expect(all.stdout).toMatch(says);
    expect(all.stdout).not.toMatch(/withdrawn/);
  });

  test('--only that leaves nothing out makes none; --extract alone is no command', async () => {
    const folder = await copyPublisher(original, await temporaryFolder());
    await done(folder, '2031-05-17', '--only', '*/*');
    expect(await contents(folder.out)).toEqual(await contents(original.out));
    const wrong = await run(folder, '2031-05-17', '--extract');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--extract needs --only/)]);
  });
});

test('a snapshot of some datasets says that it is an extract, and of what', async () => {
  const folder = await temporaryFolder();
  const archive = path.join(folder, 'rain.zip');
  expect(await civic(['snapshot', original.out, '--only', 'climate/*', '--out', archive])).toMatchObject({
    code: 0,
  });
  expect((await stat(archive)).size).toBeGreaterThan(0);
  const { execFileSync } = await import('node:child_process');
  const listed = execFileSync('unzip', ['-p', archive, '*/data/manifest.json'], { encoding: 'utf8' });
  const { release } = await readTreeJson<TreeManifest>(original.out, 'manifest.json');
  expect((JSON.parse(listed) as TreeManifest).extract).toEqual({ only: 'climate/*', release });
});

/** A manifest's text without the files of what releases changed. */
function withoutMemory(text: string): object {
  const manifest = JSON.parse(text) as { readonly documents: readonly { readonly path: string }[] };
  return { ...manifest, documents: manifest.documents.filter(({ path }) => !/^(changes|feed)/.test(path)) };
}
