/** Names never move: withdrawn ones say so forever, and errata are published beside the data. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../build/contract/diagnostic.ts';
import type { FeedItem } from '../../build/documents/feed.ts';
import {
  type DatasetsDocument,
  type ErrataDocument,
  FORMAT,
  type WithdrawalDocument,
} from '../../build/format/documents.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { diff } from '../../build/tree/diff-trees.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { command } from '../cli/command.ts';
import { keptCorrected, keptWeather } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, GONE, MISTAKEN, RAINFALL, STATIONS, TRAMS, withdrawn } from '../publishers/weather.ts';

const LATER = { releaseDate: '2031-06-01' };
const original = await keptWeather();
const folder = await keptCorrected();

const budget = { bytes: 0, rows: 0 };
const askEdge = ({ out }: Publisher, url: string, method = 'GET') =>
  createHandler(createFolderFiles(out), { budget })(new Request(`http://edge.test${url}`, { method }));

/** A status and a URL each. */
async function expectStatuses(publisher: Publisher, wanted: readonly string[]): Promise<void> {
  const urls = wanted.map(one => one.slice(4));
  const found = urls.map(async url => `${(await askEdge(publisher, url)).status} ${url}`);
  expect(await Promise.all(found)).toEqual(wanted);
}

/** What the newest entry of the feed says. */
const newsOf = async (publisher: Publisher) =>
  (await publisher.json<{ items: FeedItem[] }>('feed.json')).items[0]?.content_text;

describe('a dataset that is withdrawn', () => {
  const WORDS = { reason: 'Nobody counts any more.', replacement: 'climate/rainfall' };

  test('leaves a document in place of its schema document, and its contract', async () => {
    const read = <T>(name: string) => folder.json<T>(name);
    const { release, ...document } = await read<WithdrawalDocument>(
      'api/v1/datasets/transit/trams/index.json',
    );
    const named = { key: 'transit/trams', title: 'trams', withdrawn: '2031-06-01', ...WORDS };
    expect(document).toEqual({ format: FORMAT, status: 'withdrawn', version: '1.0.0', ...named });
    const contract = path.join(folder.out, 'api/v1/datasets/transit/trams/contract.yaml');
    // YAML 1.1 reads an unquoted date as a timestamp.
    expect(await readFile(contract, 'utf8')).toBe(GONE.replace('2031-06-01', '"2031-06-01"'));
    const names = Object.keys(await folder.contents());
    expect(names.filter(name => name.startsWith('api/v1/transit/trams'))).toEqual([]);
    // Its domain's other names stay.
    expect(names).toContain('api/v1/transit/_dimensions/regions/rows.json');
    const list = await read<DatasetsDocument>('api/v1/datasets/index.json');
    const entry = { ...named, schema_endpoint: '/api/v1/datasets/transit/trams' };
    expect([list.count, list.withdrawn]).toEqual([1, [entry]]);
    const manifest = await read<TreeManifest>('manifest.json');
    expect(manifest.withdrawn?.map(one => [one.key, one.documents.length])).toEqual([['transit/trams', 3]]);
    await folder.verify();
  });

  test('feeds, notes, civic diff and civic query say when, why, and what to use instead', async () => {
    const says = 'since 2031-06-01: Nobody counts any more. Use climate/rainfall instead.';
    expect(await newsOf(folder)).toContain(`transit/trams 1.0.0: withdrawn, 6 rows\n  ${says}`);
    for (const name of ['feed.xml', 'release-notes.md'])
      expect(await folder.text(name)).toContain('Nobody counts any more.');
    const { datasets } = await diff(original.out, folder.out, { jobs: 1, memory: '400MB' });
    const withdrawal = { replacement: 'climate/rainfall' };
    expect(datasets[1]).toMatchObject({ key: 'transit/trams', change: 'removed', withdrawal });
    const { code, stderr } = await command('query', 'transit/trams?year=2021', '--base', folder.out);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/withdrawn on 2031-06-01: Nobody counts any/)]);
  });

  test('building again adds nothing; other lists change its release', async () => {
    const before = await folder.contents();
    const again = await folder.copy();
    await again.build({ ...LATER, previous: path.join(original.out, 'manifest.json') });
    expect(await again.contents()).toEqual(before);
    const { release } = await again.json<TreeManifest>('manifest.json');
    await again.writeContracts({ 'trams.odcs.yaml': GONE.replace('Nobody counts', 'No one counts') });
    await again.build(LATER);
    expect((await again.json<TreeManifest>('manifest.json')).release).not.toBe(release);
  });

  test('an edge answers 410 for its rows, and still has its documents', async () => {
    const trams = '/api/v1/transit/trams';
    await expectStatuses(folder, [
      ...['', '?year=2021&detail=regions&format=csv', '?nonsense=1'].map(end => `410 ${trams}${end}`),
      ...['/values', '/', '/manifest.json', '/year=2021/regions.parquet'].map(end => `410 ${trams}${end}`),
      ...['', '/index.json', '/', '/contract?format=json'].map(
        end => `200 /api/v1/datasets/transit/trams${end}`,
      ),
      '200 /api/v1/transit/_dimensions/regions',
      '200 /api/v1/climate/rainfall?year=2021&detail=nation',
      '404 /api/v1/transit/buses',
    ]);
    const gone = await askEdge(folder, trams);
    expect(Object.fromEntries(gone.headers)).toMatchObject({
      link: '</api/v1/climate/rainfall>; rel="successor-version"',
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    });
    const detail =
      'transit/trams was withdrawn on 2031-06-01: Nobody counts any more. Use /api/v1/climate/rainfall instead.';
    expect(await gone.json()).toEqual({ detail });
    const head = await askEdge(folder, trams, 'HEAD');
    expect([head.status, await head.text()]).toEqual([410, '']);
  });
});

test('a dimension that is withdrawn with its datasets leaves a document under each domain that had it', async () => {
  const own = await newPublisher({
    ...CONTRACTS,
    'rain/rainfall.yaml': withdrawn(RAINFALL),
    'shared/stations.yaml': withdrawn(STATIONS),
    'trams.odcs.yaml': TRAMS.replace(/ {4}quality:\n.*\n/, ''),
  });
  await own.build();
  const at = 'api/v1/climate/_dimensions/stations';
  const key = 'climate/_dimensions/stations';
  expect(await own.json(`${at}/schema.json`)).toMatchObject({ status: 'withdrawn', key });
  await own.verify();
  const statuses = [`410 /${at}`, `410 /${at}/rows.csv`, `200 /${at}/schema`];
  await expectStatuses(own, [...statuses, '200 /api/v1/climate/_dimensions/regions']);
});

describe('a withdrawal without a notice', () => {
  const codes = async (copy: Publisher, overrides = {}) =>
    (await copy.refusal({ ...LATER, ...overrides })).diagnostics.map(
      one => `${one.code} ${path.basename(one.file)}`,
    );

  test('a contract that is gone, or no longer active', async () => {
    const copy = await original.copyBuilt();
    await rm(path.join(copy.contracts, 'trams.odcs.yaml'));
    expect(await codes(copy)).toEqual(['dataset-withdrawn-silently contracts']);
    await copy.writeContracts({
      'trams.odcs.yaml': TRAMS.replace('status: active', 'status: retired'),
    });
    const { diagnostics } = await copy.refusal(LATER);
    const [{ code, file, line, message }] = diagnostics as [Diagnostic];
    expect([code, path.basename(file), line]).toEqual(['dataset-withdrawn-silently', 'trams.odcs.yaml', 5]);
    expect(message).toMatch(
      /^transit\/trams: published in release .*, and gone from this one\. The contract has status: retired and lacks the property withdrawn.*- \{ property: withdrawn, value: \{ date: 2031-06-01, reason: "…" \} \}$/,
    );
    // A dataset that was never published may disappear.
    await rm(copy.out, { recursive: true });
    await copy.build(LATER);
  });

  test('the notice itself', async () => {
    const copy = await folder.copy();
    await rm(path.join(copy.contracts, 'trams.odcs.yaml'));
    expect(await codes(copy, { previous: path.join(folder.out, 'manifest.json') })).toEqual([
      'dataset-withdrawn-silently contracts',
    ]);
  });
});

describe('errata', () => {
  test('are published beside the rows, newest first, and in the feeds', async () => {
    const name = 'api/v1/climate/rainfall/errata.json';
    const { errata, dataset } = await folder.json<ErrataDocument>(name);
    expect(dataset).toBe('climate/rainfall');
    const none = { releases: [], years: [], levels: [], columns: [] };
    expect(errata).toEqual([
      { ...none, date: '2031-05-25', wrong: 'A <gauge> leaked.', corrected: 'Read again.' },
      {
        ...{ ...none, years: [2021], levels: ['stations'], columns: ['rain_mm'] },
        ...{ date: '2031-05-20', wrong: 'Snow was counted as rain.', corrected: 'It is left out.' },
      },
    ]);
    const manifest = await folder.json<DatasetManifest>('api/v1/climate/rainfall/manifest.json');
    expect(manifest.documents.map(one => one.path)).toContain('errata.json');
    expect(await newsOf(folder)).toContain(
      '  erratum of 2031-05-20 (2021, stations, rain_mm): Snow was counted as rain. It is left out.',
    );
    // Kept while the dataset doesn't change, and not reported twice.
    const copy = await folder.copyBuilt();
    await copy.writeContracts({ 'trams.odcs.yaml': GONE.replace('any more', 'now') });
    await copy.build({ releaseDate: '2031-07-01' });
    expect(await copy.json<ErrataDocument>(name)).toMatchObject({ errata });
    expect(await newsOf(copy)).not.toContain('erratum');
    await copy.verify();
  });

  test('of a first release are in the feeds too; a tree without errata has no such file', async () => {
    const own = await original.copy();
    await own.writeContracts({ 'rain/rainfall.yaml': MISTAKEN });
    expect((await own.build()).warnings).toEqual([]);
    const notes = await own.text('release-notes.md');
    expect(notes).toContain('erratum of 2031-05-25: A <gauge> leaked.');
    const names = Object.keys(await original.contents());
    expect(names.filter(name => name.endsWith('errata.json'))).toEqual([]);
  });
});
