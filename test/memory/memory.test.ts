/** What a tree says about its releases: changes, gaps, withdrawn rows, a figure's history, and feeds of a place. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangesDocument, SliceChanges } from '../../build/format/changes.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { askTree } from '../conformance/executors.ts';
import { stagedSource } from '../explorer/explored-tree.ts';
import { keptCorrected, keptWeather } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher, writeTexts } from '../publishers/publisher-folder.ts';
import { contractHead } from '../publishers/contract-text.ts';
import {
  RAINFALL,
  rainFile,
  rainfallRows,
  TRAMS,
  tramRows,
  wetDays,
  withdrawing,
} from '../publishers/weather.ts';

const RAIN = 'api/v1/climate/rainfall';
const FIRST = '2031-05-17';
const SECOND = '2031-06-01';
const THIRD = '2031-07-01';

interface Answer {
  readonly detail: unknown;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly history: readonly {
    readonly from: string;
    readonly until: string | null;
    readonly why: readonly string[];
    readonly row: Readonly<Record<string, unknown>> | null;
  }[];
}

async function ask({ out }: Publisher, url: string) {
  const answer = await askTree(out)(`/${RAIN}${url}`);
  return { status: answer.status, body: (await answer.json()) as Answer };
}

const changesOf = (folder: Publisher, dataset = 'climate/rainfall') =>
  folder.json<ChangesDocument>(`api/v1/${dataset}/changes.json`);

const rainContract = ({ contracts }: Publisher, text: string) =>
  writeTexts(contracts, { 'rain/rainfall.yaml': text });

const original = await keptCorrected();

test('changes.json counts what changed, and pages tell each row that did', async () => {
  const changes = await changesOf(original);
  const { since, releases } = changes;
  expect([since, releases.map(one => one.date)]).toEqual([FIRST, [SECOND]]);
  expect(releases[0]).toMatchObject({
    ...{ version: '1.2.0', added: 0, removed: 0, revised: 3 },
    slices: [{ year: 2021, detail: 'regions', change: 'revised', added: 0, removed: 0, revised: 3 }],
    errata: [{ wrong: 'A <gauge> leaked.' }, { wrong: 'Snow was counted as rain.' }],
  });
  const [rows] = await stagedSource(original.out).readChanged('climate/rainfall', changes);
  expect(rows).toHaveLength(3);
  expect(rows![0]).toEqual({
    ...{ change: 'revised', year: 2021, detail: 'regions', key: [2021, 'n', null, 'all'] },
    values: [{ name: 'wet_days', old: 21, now: 5 }],
  });
  expect(await changesOf(original, 'climate/_dimensions/regions')).toMatchObject({
    since: FIRST,
    releases: [],
  });
  await original.verify();
});

test('a first release that is built again on the same day is still the first', async () => {
  const folder = await (await keptWeather()).copyBuilt();
  await folder.writeRows(wetDays(6));
  await folder.build();
  expect((await changesOf(folder)).releases).toEqual([]);
});

describe('a broken chain', () => {
  test('says where', async () => {
    const folder = await original.copyBuilt();
    const name = Object.keys(await folder.contents()).find(one =>
      one.startsWith(`${RAIN}/_past/year=2021.regions.`),
    )!;
    await writeFile(path.join(folder.out, name), 'damaged');
    await folder.writeRows(wetDays(9));
    await folder.build({ releaseDate: THIRD });
    const { since, broken, releases } = await changesOf(folder);
    expect([since, releases.map(one => one.date)]).toEqual([SECOND, [THIRD]]);
    expect(broken).toMatch(`${name} of release`);
    await folder.verify();
    expect(await ask(folder, '?as_of=2031-05-20')).toMatchObject({
      status: 422,
      body: {
        detail: [
          { msg: expect.stringMatching(/^Input should be 2031-06-01 or later, before which nothing/) },
        ],
      },
    });
  });

  test('by a dataset that was withdrawn and comes back', async () => {
    const folder = await original.copyBuilt();
    await folder.writeContracts({ 'trams.odcs.yaml': TRAMS });
    await folder.writeRows({ 'transit/trams/year=2021/nation.parquet': tramRows(2021, 'nation') });
    await folder.build({ releaseDate: THIRD });
    const broken = 'It was withdrawn on 2031-06-01.';
    expect(await changesOf(folder, 'transit/trams')).toMatchObject({ since: THIRD, releases: [], broken });
  });
});

describe('withdrawn rows', () => {
  const taken = withdrawing(
    RAINFALL,
    '[{ date: 2031-07-01, reason: "It named persons.", years: [2021], levels: [regions], forget: true }]',
  );
  async function withdrawnBy(contract: string): Promise<Publisher> {
    const folder = await original.copyBuilt();
    await rainContract(folder, contract);
    await rm(path.join(folder.data, rainFile(2021, 'regions')));
    await folder.build({ releaseDate: THIRD });
    return folder;
  }

  test('that are retracted are in no file of the memory, and answers about them are gone', async () => {
    const folder = await withdrawnBy(taken);
    const { forgotten, releases } = await changesOf(folder);
    const entry = { date: THIRD, reason: 'It named persons.', years: [2021], levels: ['regions'] };
    expect(forgotten).toMatchObject([entry]);
    const isTaken = ({ year, detail }: SliceChanges) => year === 2021 && detail === 'regions';
    const told = releases.map(({ slices }) => slices.find(isTaken)?.past);
    const gone = { sha256: expect.stringMatching(/^[\da-f]{64}$/), date: THIRD, reason: entry.reason };
    expect(told).toEqual([gone, gone]);
    const isLeft = (name: string) => name.startsWith(`${RAIN}/_past/year=2021.regions`);
    expect(Object.keys(await folder.contents()).filter(isLeft)).toEqual([]);
    const detail = expect.stringContaining('It named persons.');
    expect(await ask(folder, '?year=2021&as_of=2031-05-20')).toMatchObject({ status: 410, body: { detail } });
    expect((await ask(folder, '?year=2022&as_of=2031-05-20')).status).toBe(200);
    await folder.verify();
    // Withdrawn rows stay withdrawn, and later changes are recorded.
    await folder.writeRows(wetDays(4, 'n', 2022));
    await folder.build({ releaseDate: '2031-08-01' });
    const later = await changesOf(folder);
    expect([later.forgotten, later.releases[0]?.revised]).toEqual([forgotten, 3]);
  });

  test("stay in the memory if they aren't retracted", async () => {
    const folder = await withdrawnBy(taken.replace(', forget: true', ''));
    const then = await ask(folder, '?year=2021&as_of=2031-05-20&season=all');
    expect(then.body.data.map(row => row['wet_days'])).toEqual([21, 21]);
  });
});

describe('the history of a figure', () => {
  const KEY = '?history=true&year=2021&region_code=n&season=all';

  test('has each value, from when to when, and why', async () => {
    const { status, body } = await ask(original, KEY);
    expect(status).toBe(200);
    expect(body.history).toMatchObject([
      { from: FIRST, until: SECOND, why: ['A <gauge> leaked. Read again.'], row: { wet_days: 21 } },
      { from: SECOND, until: null, why: [], row: { wet_days: 5 } },
    ]);
    const steady = await ask(original, KEY.replace('2021', '2022'));
    expect(steady.body.history).toMatchObject([{ from: FIRST, until: null }]);
  });

  test.each([
    [KEY.replace('&season=all', ''), 'season'],
    [KEY.replace('&year=2021', ''), 'year'],
    [KEY.replace('season=all', 'season=all,wet'), 'season'],
    [`${KEY}&detail=stations`, 'station_code'],
    [`${KEY}&rain_mm_min=3`, 'rain_mm_min'],
  ])('needs the whole key and nothing else: %s', async (url, missing) => {
    const { status, body } = await ask(original, url);
    expect([status, JSON.stringify(body.detail)]).toEqual([422, expect.stringContaining(missing)]);
    // The corrected address has the history, or the rows among which the figure is.
    const [{ ctx }] = body.detail as [{ ctx: { url: string } }];
    const corrected = await ask(original, ctx.url.replace(`/${RAIN}`, ''));
    expect(corrected.status).toBe(200);
    expect([...(corrected.body.history ?? []), ...(corrected.body.data ?? [])]).not.toEqual([]);
  });

  test('whose contract states no grain is that of the row with these identifiers, if it has them alone', async () => {
    const columns = ['year', 'town', 'people'].map(
      (name, i) => `{ name: ${name}, logicalType: ${['integer', 'string', 'number'][i]} }`,
    );
    const contract = `${contractHead('d.towns')}schema: [{ name: towns, properties: [${columns.join(', ')}] }]\n`;
    const rows = (...lines: readonly string[]) => ({
      'd/towns.csv': ['year,town,people', ...lines].join('\n'),
    });
    const folder = await newPublisher({ 'towns.yaml': contract }, rows('2021,a,7', '2021,b,8'));
    await folder.build({ releaseDate: FIRST });
    await writeTexts(folder.data, rows('2021,a,9', '2021,b,8', '2021,b,8.5'));
    await folder.build({ releaseDate: SECOND });
    const told = async (town: string) =>
      (await askTree(folder.out)(`/api/v1/d/towns?year=2021&town=${town}&history=true`)).json();
    expect(await told('a')).toMatchObject({ history: [{ row: { people: 7 } }, { row: { people: 9 } }] });
    expect(await told('b')).toMatchObject({ detail: [{ msg: expect.stringMatching(/^Several rows/) }] });
  });
});

test('an invalid moment and an unknown release are refused with valid ones', async () => {
  const { release } = await original.json<{ release: string }>('manifest.json');
  for (const [moment, nearest] of [
    ['2031-5-2', '2031-05-02'],
    ['2031-05-20-00000000', release],
    ['2031-05-16', FIRST],
  ]) {
    const { status, body } = await ask(original, `?as_of=${moment}&year=2021`);
    expect([status, JSON.stringify(body.detail)]).toEqual([422, expect.stringContaining(nearest!)]);
  }
});

describe('a feed', () => {
  let folder: Publisher;
  beforeAll(async () => {
    folder = await original.copyBuilt();
    // A new year without rows of one region; and the other region is corrected too.
    const years = RAINFALL.replace('2019-2022', '2019-2023').replace('version: 1.2.0', 'version: 1.3.0');
    await rainContract(folder, years);
    await folder.writeRows({
      [rainFile(2023, 'regions')]:
        `SELECT * FROM (${rainfallRows(2023, 'regions')}) WHERE region_code <> 'n'`,
      [rainFile(2021, 'regions')]:
        `SELECT * REPLACE (CASE region_code WHEN 's' THEN 6 ELSE 5 END AS wet_days) FROM (${rainfallRows(2021, 'regions')})`,
    });
    await folder.build({ releaseDate: THIRD });
  });

  const answerTo = (query: string) => askTree(folder.out)(`/${RAIN}/feed.xml${query}`);

  /** Titles and contents of the entries, and all identifiers. */
  async function feed(query: string) {
    const answer = await answerTo(query);
    const text = await answer.text();
    const all = (name: string) =>
      [...text.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 'g'))].map(one => one[1]);
    expect([query, answer.status, answer.headers.get('content-type')]).toEqual([
      query,
      200,
      'application/xml',
    ]);
    return { titles: all('title').slice(1), contents: all('content'), ids: all('id') };
  }

  test('of a place has the releases that changed its rows, with old and new values, and why', async () => {
    const north = await feed('?place=n&detail=regions');
    expect(north.titles).toEqual([`${SECOND}: 3 rows revised.`]);
    expect(north.contents[0]).toContain('2021, n, all: wet_days 21 → 5.');
    expect(north.contents[0]).toContain('A &lt;gauge&gt; leaked. Read again.');
    const south = await feed('?place=s&detail=regions');
    expect(south.titles).toEqual([`${THIRD}: 3 rows revised.`]);
    expect(south.contents[0]).toContain('New: regions 2023.');
    expect(north.ids.filter(id => south.ids.includes(id))).toEqual([]);
  });

  test('follows a group, some years, and the level that is asked for', async () => {
    for (const [query, ...titles] of [
      ['?season=wet', `${THIRD}: 1 row revised.`, `${SECOND}: 1 row revised.`],
      ['?place=s&year=2023', `${THIRD}: New: regions 2023.`],
      ['?place=n&year=2023'],
      ['?detail=nation'],
    ])
      expect([query, ...(await feed(query!)).titles]).toEqual([query, ...titles]);
  });

  test('of all rows has no parameters, and a wrong parameter is named', async () => {
    const whole = await (await answerTo('')).text();
    expect(await (await answerTo('?utm_source=news')).text()).toBe(whole);
    for (const [query, named = ''] of [
      ['place=n:1&detail=regions', 'place'],
      ['place=n&detail=region', 'regions'],
      ['place=n&rain_mm_min=3', 'rain_mm_min'],
      ['place=n&limit=1', 'limit'],
      ['place=n&as_of=2031-06-01', 'as_of'],
      ['place=n&plaec=n', 'plaec'],
    ]) {
      const answer = await answerTo(`?${query}`);
      const expected = [query, 422, expect.stringContaining(named)];
      expect([query, answer.status, await answer.text()]).toEqual(expected);
    }
  });

  test('has the same bytes for the same question, and 304 for a reader who has them', async () => {
    const headers = { 'If-None-Match': (await answerTo('?place=n')).headers.get('etag')! };
    const handler = createHandler(createFolderFiles(folder.out), { budget: { bytes: 1e6, rows: 1e6 } });
    const again = await handler(new Request(`http://edge.test/${RAIN}/feed.xml?place=n`, { headers }));
    expect(again.status).toBe(304);
  });
});
