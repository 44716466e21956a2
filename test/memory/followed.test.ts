/** Feeds of what releases changed at a place, in a group, in some years. */
import { rm } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';

const SECOND = '2031-06-01';
const THIRD = '2031-07-01';

let folder: PublisherFolder;

const ask = (url: string) => {
  const executors = [createHyparquetExecutor({ bytes: Number.POSITIVE_INFINITY, rows: 1e6 })];
  return createHandler(createFolderFiles(folder.out), { executors })(
    new Request(`http://edge.test/api/v1/climate/rainfall/${url}`),
  );
};

/** Titles and contents of the entries, and the identifiers of all. */
async function feed(url: string) {
  const answer = await ask(url);
  const text = await answer.text();
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 'g'))].map(one => one[1]);
  expect([url, answer.status, answer.headers.get('content-type')]).toEqual([url, 200, 'application/xml']);
  return { titles: all('title').slice(1), contents: all('content'), ids: all('id') };
}

beforeAll(async () => {
  folder = await writePublisher(await temporaryFolder('never'), CLIMATE_CONTRACTS, CLIMATE_LAKE);
  await buildPublisher(folder);
  await writeTexts(folder.contracts, {
    'rain/rainfall.yaml': RAINFALL.replace(
      'customProperties:\n',
      'customProperties:\n  - { property: errata, value: [{ date: 2031-06-01, wrong: "A <gauge> leaked.", corrected: "Read again.", years: [2021] }] }\n',
    ),
  });
  const north = (year: number) =>
    `SELECT * REPLACE (CASE WHEN region_code = 'n' THEN 5 ELSE wet_days END AS wet_days) FROM (${rainfallRows(year, 'regions')})`;
  await writeRows(folder.data, { [rainFile(2021, 'regions')]: north(2021) });
  await buildPublisher(folder, { releaseDate: SECOND });
  // A new year, which has no row of one region; and the other region is corrected too.
  const contract = RAINFALL.replace('2019-2022', '2019-2023').replace('version: 1.2.0', 'version: 1.3.0');
  await writeTexts(folder.contracts, { 'rain/rainfall.yaml': contract });
  await writeRows(folder.data, {
    [rainFile(2023, 'regions')]: `SELECT * FROM (${rainfallRows(2023, 'regions')}) WHERE region_code <> 'n'`,
    [rainFile(2021, 'regions')]:
      `SELECT * REPLACE (CASE WHEN region_code = 's' THEN 6 ELSE wet_days END AS wet_days) FROM (${north(2021)})`,
  });
  await buildPublisher(folder, { releaseDate: THIRD });
  return () => rm(folder.root, { recursive: true, force: true });
}, 120_000);

describe('a feed', () => {
  test('of a place has the releases that changed its rows, with old and new values, and why', async () => {
    const north = await feed('feed.xml?place=n&detail=regions');
    expect(north.titles).toEqual([`${SECOND}: 3 rows revised.`]);
    expect(north.contents[0]).toContain('2021, n, all: wet_days 21 → 5.');
    expect(north.contents[0]).toContain('A &lt;gauge&gt; leaked. Read again.');
    const south = await feed('feed.xml?place=s&detail=regions');
    expect(south.titles).toEqual([`${THIRD}: 3 rows revised.`]);
    expect(south.contents[0]).toContain('New: regions 2023.');
    expect(north.ids.filter(id => south.ids.includes(id))).toEqual([]);
  });

  test('follows a group, some years, and the level that is asked for', async () => {
    expect((await feed('feed.xml?season=wet')).titles).toEqual([
      `${THIRD}: 1 row revised.`,
      `${SECOND}: 1 row revised.`,
    ]);
    expect((await feed('feed.xml?place=s&year=2023')).titles).toEqual([`${THIRD}: New: regions 2023.`]);
    expect((await feed('feed.xml?place=n&year=2023')).titles).toEqual([]);
    expect((await feed('feed.xml?detail=nation')).titles).toEqual([]);
  });

  test('of all stands where no parameter says which rows, and a wrong one is named', async () => {
    const whole = await (await ask('feed.xml')).text();
    expect(await (await ask('feed.xml?utm_source=news')).text()).toBe(whole);
    for (const [query, named] of [
      ['place=n:1&detail=regions', 'place'],
      ['place=n&detail=region', 'regions'],
      ['place=n&rain_mm_min=3', 'rain_mm_min'],
      ['place=n&limit=1', 'limit'],
      ['place=n&as_of=2031-06-01', 'as_of'],
      ['place=n&plaec=n', 'plaec'],
    ]) {
      const { status, ...answer } = await ask(`feed.xml?${query}`).then(async one => ({
        status: one.status,
        text: await one.text(),
      }));
      expect([query, status, answer.text]).toEqual([query, 422, expect.stringContaining(named!)]);
    }
  });

  test('is the same bytes for the same question, and 304 to who has them', async () => {
    const one = await ask('feed.xml?place=n&detail=regions');
    const tag = one.headers.get('etag')!;
    const files = createFolderFiles(folder.out);
    const again = await createHandler(files, {
      executors: [createHyparquetExecutor({ bytes: 1e9, rows: 1e6 })],
    })(
      new Request('http://edge.test/api/v1/climate/rainfall/feed.xml?place=n&detail=regions', {
        headers: { 'If-None-Match': tag },
      }),
    );
    expect(again.status).toBe(304);
  });
});
