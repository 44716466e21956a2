/** What changed between two releases: by `civic diff`, in the feeds and in the notes. */
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FeedItem } from '../../build/documents/feed.ts';
import { ROOT } from '../../build/format/paths.ts';
import { diff } from '../../build/tree/diff-trees.ts';
import { differenceLines } from '../../build/tree/tree-difference.ts';
import { command } from '../cli/command.ts';
import { type Overrides, readTreeJson } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import {
  RAINFALL,
  rainFile,
  rainfallRows,
  TRAMS,
  tramRows,
  withdrawing,
  withdrawn,
} from '../publishers/weather.ts';
import { answering, served } from '../served.ts';

const OPTIONS = { jobs: 2, memory: '400MB' };
const LATER: Overrides = { releaseDate: '2031-06-01' };
const LATEST: Overrides = { releaseDate: '2031-07-01' };

const original = await keptWeather();
/** A later release with every kind of change. */
let changed: Publisher;
beforeAll(async () => {
  changed = await original.copyBuilt();
  await change(changed);
  await changed.build(LATER);
});

async function change({ contracts, data }: Publisher): Promise<void> {
  const rain = rainfallRows(2021, 'stations');
  await writeTexts(contracts, {
    'rain/rainfall.yaml': withdrawing(
      RAINFALL,
      '{ date: 2031-06-01, reason: "Lost.", years: [2019], levels: [regions] }',
    )
      .replace('2019-2022', '2019-2023')
      .replace(/ {6}- name: note\n(?: {8}.*\n)+/, ''),
  });
  const withoutNote = (rows: string) => `SELECT * EXCLUDE (note) FROM (${rows})`;
  for (const year of [2019, 2021, 2022]) {
    for (const level of ['stations', 'regions', 'nation'])
      await writeRows(data, { [rainFile(year, level)]: withoutNote(rainfallRows(year, level)) });
  }
  await writeRows(data, {
    // One row less, some revised, and others with a renamed station.
    [rainFile(2021, 'stations')]: withoutNote(`
      SELECT * REPLACE (
        CASE WHEN station_code = 'st1' AND season = 'wet' THEN rain_mm + 1 ELSE rain_mm END AS rain_mm,
        CASE WHEN station_code = 'st1' AND season = 'wet' AND region_code = 'n' THEN NULL ELSE wet_days END AS wet_days,
        CASE WHEN station_code = 'st2' AND season = 'dry' AND region_code = 's' THEN 'n' ELSE region_code END AS region_code)
      FROM (${rain}) WHERE NOT (station_code = 'st2' AND season = 'dry' AND region_code = 'n')`),
    [rainFile(2023, 'nation')]: withoutNote(rainfallRows(2023, 'nation')),
    'climate/_dimensions/stations.parquet':
      "SELECT 'n' AS region_code, 'st' || i AS station_code, 'Other ' || i AS station_name, 1.5 AS height_m FROM range(1, 4) b(i) UNION ALL SELECT 's', 'st' || i, 'Station S' || i, i * 10.5 FROM range(1, 4) b(i)",
  });
  await rm(path.join(data, rainFile(2019, 'regions')));
  await rm(path.join(data, 'transit'), { recursive: true });
  await writeTexts(contracts, { 'trams.odcs.yaml': withdrawn(TRAMS, 'climate/rainfall') });
}

const between = (old: string, now: string) => diff(old, now, OPTIONS);

describe('civic diff', () => {
  test('names what changed, to the row', async () => {
    const found = await between(original.out, changed.out);
    expect(found).toMatchObject({ old: { date: '2031-05-17' }, new: { date: '2031-06-01' } });
    const [rain, trams] = found.datasets;
    expect(found.datasets.map(({ key, change }) => [key, change])).toEqual([
      ['climate/rainfall', 'changed'],
      ['transit/trams', 'removed'],
    ]);
    expect(rain).toMatchObject({
      version: { old: '1.2.0', new: '2.0.0' },
      contract: [
        { level: 'major', text: 'column note removed' },
        { level: 'minor', text: 'year 2023 added' },
      ],
    });
    const slices = rain?.slices.map(({ year, detail, change: kind, rows: { old, new: now, ...counts } }) =>
      [year, detail, kind, `${old} → ${now}:`, counts.added, counts.removed, counts.revised].join(' '),
    );
    expect(slices).toEqual(
      expect.arrayContaining([
        // Three more rows lost a note.
        '2021 stations revised 18 → 17: 0 1 13',
        '2019 regions removed 6 → 0: 0 6 0',
        '2023 nation added 0 → 3: 3 0 0',
      ]),
    );
    const revised = rain?.slices.find(one => one.year === 2021 && one.detail === 'stations');
    expect(revised?.columns).toMatchObject({ rain_mm: 2, wet_days: 1 });
    const [stations] = found.dimensions;
    expect([found.dimensions.length, stations]).toMatchObject([
      1,
      {
        key: 'climate/_dimensions/stations',
        change: 'changed',
        rows: { old: 6, new: 6, added: 0, removed: 0 },
      },
    ]);
    expect(stations?.slices[0]?.columns).toEqual({ station_name: 3, height_m: 3 });
    const reason = 'Nobody counts any more.';
    const withdrawal = { withdrawn: '2031-06-01', reason, replacement: 'climate/rainfall' };
    expect([trams?.withdrawal, found.unchanged]).toEqual([withdrawal, 2]);
  });

  test('a tree and itself', async () => {
    const found = await between(original.out, original.out);
    expect(found).toMatchObject({ datasets: [], dimensions: [], unchanged: 5 });
    expect(differenceLines(found)).toEqual(['Nothing changed.']);
  });

  test('addresses in place of folders', async () => {
    const [old, now] = [await served(original.out), await served(changed.out)];
    expect(await between(old, `${now}/manifest.json`)).toEqual(await between(original.out, changed.out));
  });

  test('a URL that fails midway reports no changes', async () => {
    const url = await answering((request, response) => {
      if (request.url?.endsWith('rainfall/manifest.json')) return response.writeHead(503).end();
      readFile(path.join(original.out, request.url ?? '')).then(
        bytes => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    const message = expect.stringMatching(/rainfall\/manifest\.json answers 503/);
    await expect(between(url, changed.out)).rejects.toMatchObject({ code: 'unreachable', message });
  });

  test('a manifest without its tree: that something changed; and something other than a tree', async () => {
    const folder = await temporaryFolder();
    await expect(between(original.out, folder)).rejects.toMatchObject({ code: 'not-a-tree' });
    await expect(between(original.out, 'http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'unreachable' });
    await cp(path.join(original.out, ROOT.manifest), path.join(folder, ROOT.manifest));
    const found = await between(folder, changed.out);
    expect(found.datasets[0]).toMatchObject({ change: 'changed', rows: { added: null, revised: null } });
    expect(differenceLines(found)[0]).toMatch(/^climate\/rainfall 2\.0\.0: 81 rows became \d+$/);
  });

  test('the program: lines, and one object', async () => {
    const expected = await between(original.out, changed.out);
    const plain = await command('diff', original.out, changed.out);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toMatch(/^From release 2031-05-17-\w+ to 2031-06-01-\w+; 2 unchanged\.\n/);
    expect(plain.stdout).toContain(`\n${differenceLines(expected).join('\n')}\n`);
    for (const line of [
      'climate/rainfall 1.2.0 → 2.0.0: ',
      '  major: column note removed',
      '  2019 regions (withdrawn): 6 rows removed',
      'transit/trams 1.0.0: withdrawn, ',
    ])
      expect(plain.stdout).toContain(`\n${line}`);
    const json = await command('diff', original.out, changed.out, '--json');
    expect(JSON.parse(json.stdout)).toEqual({ ok: true, diagnostics: [], ...expected });
  });
});

async function itemsOf(folder: string): Promise<FeedItem[]> {
  return (await readTreeJson<{ items: FeedItem[] }>(folder, ROOT.jsonFeed)).items;
}

describe('feeds', () => {
  test('the first release has one item', async () => {
    const [item, ...others] = await itemsOf(original.out);
    expect(others).toEqual([]);
    expect(item?.title).toMatch(/^2031-05-17-[0-9a-f]{8}: first release$/);
    expect(item?.content_text).toBe(
      'climate/rainfall 1.2.0: years 2019, 2021 to 2022; stations, regions, nation\ntransit/trams 1.0.0: years 2021 to 2022; regions, nation',
    );
  });

  test('the next release says what changed, and keeps the earlier items', async () => {
    const [newest, ...earlier] = await itemsOf(changed.out);
    expect(earlier).toEqual(await itemsOf(original.out));
    expect(newest?.title).toContain('Rainfall');
    expect(newest?.content_text).toContain('  major: column note removed');
    expect(newest?.date_published).toBe('2031-06-01T00:00:00Z');
    const notes = await changed.text(ROOT.notes);
    expect(notes.match(/^## /gm)).toHaveLength(2);
    expect(notes).toContain('        major: column note removed'.slice(2));
  });

  test('Atom has the same, as RFC 4287 asks', async () => {
    const text = await changed.text(ROOT.feed);
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(one => one[1]);
    const items = await itemsOf(changed.out);
    expect(values('id').slice(1)).toEqual(items.map(one => one.id));
    expect(new Set(values('id')).size).toBe(3);
    for (const id of values('id')) expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(values('updated')).toEqual([items[0], ...items].map(one => one?.date_published));
    expect(values('name')).toEqual(['Weather office of Arcadia']);
    expect(values('content')[0]).toContain('major: column note removed');
  });

  test('a release of the same content adds nothing', async () => {
    const copy = await original.copyBuilt();
    await copy.build(LATER);
    expect(await itemsOf(copy.out)).toEqual(await itemsOf(original.out));
  });

  test('text of contracts stays text; a missing feed is started again', async () => {
    const copy = await original.copyBuilt();
    await copy.writeContracts({
      'trams.odcs.yaml': TRAMS.replace('version: 1.0.0', 'version: 2.0.0').replace(
        'id: transit.trams',
        'id: transit.trams\nname: "<b>&\\u0001 [x](y)"',
      ),
    });
    await copy.writeRows({
      'transit/trams/year=2021/nation.parquet': `SELECT * REPLACE (501::BIGINT AS rides) FROM (${tramRows(2021, 'nation')})`,
    });
    const previous = await temporaryFolder();
    await cp(copy.out, previous, { recursive: true });
    await rm(path.join(previous, ROOT.jsonFeed));
    await copy.build({ ...LATEST, previous: path.join(previous, ROOT.manifest) });
    expect(await itemsOf(copy.out)).toHaveLength(1);
    const atom = await copy.text(ROOT.feed);
    expect(atom).not.toContain('<b>');
    expect(atom).not.toContain('\u0001');
  });
});
