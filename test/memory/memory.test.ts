/** What builds remember of earlier releases: its files, its gaps, what is taken back, and what a figure was. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangesDocument } from '../../build/format/changes.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { buildPublisher, contents, readTreeJson, verify } from '../publishers/built-tree.ts';
import {
  copyBuilt,
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import {
  CLIMATE_CONTRACTS,
  CLIMATE_LAKE,
  MISTAKEN,
  RAINFALL,
  rainFile,
  rainfallRows,
  withdrawing,
} from '../publishers/weather.ts';
import { numbersFrom, Ponds } from './pond-releases.ts';
import { Wells } from './well-releases.ts';

const RAIN = 'api/v1/climate/rainfall';
const SECOND = '2031-06-01';
const THIRD = '2031-07-01';

const ask = async ({ out }: PublisherFolder, url: string) => {
  const executors = [createHyparquetExecutor({ bytes: Number.POSITIVE_INFINITY, rows: 1e6 })];
  const answer = await createHandler(createFolderFiles(out), { executors })(
    new Request(`http://edge.test/${RAIN}${url}`),
  );
  return { status: answer.status, body: (await answer.json()) as never as Answer };
};

interface Answer {
  readonly as_of?: string;
  readonly detail:
    | string
    | readonly { readonly msg: string; readonly ctx: Readonly<Record<string, unknown>> }[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly history: readonly {
    readonly from: string;
    readonly until: string | null;
    readonly why: readonly string[];
    readonly row: Readonly<Record<string, unknown>> | null;
    readonly forgotten?: true;
  }[];
}

const changesOf = ({ out }: PublisherFolder) => readTreeJson<ChangesDocument>(out, `${RAIN}/changes.json`);

/** The regions of 2021 with the same number of wet days everywhere. */
const wetDays = (days: number) => ({
  [rainFile(2021, 'regions')]:
    `SELECT * REPLACE (${days} AS wet_days) FROM (${rainfallRows(2021, 'regions')})`,
});

let original: PublisherFolder;

beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'), CLIMATE_CONTRACTS, CLIMATE_LAKE);
  await buildPublisher(original);
  await writeRows(original.data, wetDays(5));
  await writeTexts(original.contracts, { 'rain/rainfall.yaml': MISTAKEN });
  await buildPublisher(original, { releaseDate: SECOND });
  return () => rm(original.root, { recursive: true, force: true });
}, 120_000);

describe('the files', () => {
  test('name each row that changed, and nothing that did not', async () => {
    const { since, releases } = await changesOf(original);
    expect([since, releases.map(one => one.date)]).toEqual(['2031-05-17', [SECOND]]);
    expect(releases[0]).toMatchObject({
      ...{ version: '1.2.0', added: 0, removed: 0, revised: 6 },
      slices: [{ year: 2021, detail: 'regions', change: 'revised', added: 0, removed: 0, revised: 6 }],
      errata: [{ wrong: 'A gauge leaked.' }, { wrong: 'Snow was counted as rain.' }],
    });
    const { data } = await readTreeJson<Answer>(original.out, `${RAIN}/${releases[0]!.rows!.json!.path}`);
    expect(data[0]).toMatchObject({
      ...{ change: 'revised', year: 2021, detail: 'regions', key_region_code: 'n', key_season: 'all' },
      ...{ old_wet_days: 21, new_wet_days: 5, old_region_name: 'North', new_region_name: 'North' },
    });
    const regions = await readTreeJson<ChangesDocument>(
      original.out,
      'api/v1/climate/_dimensions/regions/changes.json',
    );
    expect(regions).toMatchObject({ since: '2031-05-17', releases: [] });
    await verify(original.out);
  });

  test('a first release that is built again on the same day is still the first', async () => {
    const folder = await copyBuilt(original);
    await rm(folder.out, { recursive: true });
    await buildPublisher(folder);
    await writeRows(folder.data, wetDays(6));
    await buildPublisher(folder);
    expect((await changesOf(folder)).releases).toEqual([]);
  });

  test('the same inputs and the same tree before: the same bytes, from --previous too', async () => {
    const [one, two] = [await copyBuilt(original), await copyBuilt(original)];
    const previous = path.join(original.out, 'manifest.json');
    for (const folder of [one, two]) await writeRows(folder.data, wetDays(8));
    await buildPublisher(one, { releaseDate: THIRD });
    await rm(two.out, { recursive: true });
    await buildPublisher(two, { releaseDate: THIRD, previous });
    const memory = async ({ out }: PublisherFolder) =>
      Object.entries(await contents(out)).filter(([name]) => /\/changes(\.json$|\/)/.test(name));
    expect(await memory(two)).toEqual(await memory(one));
    expect((await changesOf(two)).releases.map(release => release.date)).toEqual([THIRD, SECOND]);
  });
});

describe('a chain that is broken', () => {
  test.each([
    ['.parquet', /^api\/v1\/climate\/rainfall\/changes\/2031-06-01-\w+\.parquet of release .* was missing/],
    ['.before.json', /before\.json of release/],
  ])('says where: %s', async (ending, reason) => {
    const folder = await copyBuilt(original);
    const [name = ''] = Object.keys(await contents(folder.out)).filter(
      one => one.startsWith(`${RAIN}/changes/`) && one.endsWith(ending),
    );
    await writeFile(path.join(folder.out, name), 'damaged');
    await writeRows(folder.data, wetDays(9));
    await buildPublisher(folder, { releaseDate: THIRD });
    const { since, broken, releases } = await changesOf(folder);
    expect([since, releases.map(one => one.date)]).toEqual([SECOND, [THIRD]]);
    expect(broken).toMatch(reason);
    await verify(folder.out);
    const early = await ask(folder, '?as_of=2031-05-20');
    expect([early.status, (early.body.detail as never as { msg: string }[])[0]?.msg]).toEqual([
      422,
      expect.stringMatching(/Input should be 2031-06-01 or later, with which its memory begins/),
    ]);
  });

  test('by a dataset that was withdrawn and comes back', async () => {
    const folder = publisherAt(await temporaryFolder());
    const [ponds, wells] = [new Ponds(numbersFrom(5)), new Wells(numbersFrom(6))];
    for (const [date, retired] of [
      ['2031-05-17', false],
      [SECOND, true],
      [THIRD, false],
    ] as const) {
      wells.retired = retired;
      wells.version++;
      await ponds.write(folder, { contracts: wells.contracts(), lake: wells.lake() });
      await buildPublisher(folder, { releaseDate: date });
    }
    expect(await readTreeJson(folder.out, 'api/v1/water/wells/changes.json')).toMatchObject({
      ...{ since: THIRD, releases: [], broken: 'It was withdrawn on 2031-01-01.' },
    });
  });
});

test('a file of memory with a flipped bit is refused by its name, or changes no answer', async () => {
  const folder = await copyBuilt(original);
  const urls = [
    '?as_of=2031-05-20&year=2021',
    '?history=true&year=2021&region_code=n&season=all',
    '/feed.xml?place=n',
  ];
  const text = async (url: string) =>
    JSON.stringify(await ask(folder, url).catch((error: unknown) => String(error)));
  const sound = await Promise.all(urls.map(text));
  const files = Object.keys(await contents(folder.out)).filter(name => name.startsWith(`${RAIN}/changes`));
  let refused = 0;
  for (const name of files.filter(one => !one.endsWith('.html'))) {
    const file = path.join(folder.out, name);
    const bytes = await readFile(file);
    for (let i = 0; i < 6; i++) {
      const damaged = Buffer.from(bytes);
      const at = Math.floor((i * bytes.length) / 6);
      damaged[at] = damaged[at]! ^ 1;
      await writeFile(file, damaged);
      for (const [n, url] of urls.entries()) {
        const found = await text(url);
        if (found === sound[n]) continue;
        refused++;
        expect(found).toContain(name);
        expect(found).toContain('"status":502');
      }
    }
    await writeFile(file, bytes);
  }
  expect(refused).toBeGreaterThan(10);
});

describe('rows that are taken back', () => {
  const taken = withdrawing(
    RAINFALL,
    '[{ date: 2031-07-01, reason: "It named persons.", years: [2021], levels: [regions], forget: true }]',
  );

  test('stand in no file of memory, and answers about them are gone', async () => {
    const folder = await copyBuilt(original);
    await writeTexts(folder.contracts, { 'rain/rainfall.yaml': taken });
    await rm(path.join(folder.data, rainFile(2021, 'regions')));
    await buildPublisher(folder, { releaseDate: THIRD });
    const { forgotten, releases } = await changesOf(folder);
    expect(forgotten).toMatchObject([
      { date: THIRD, reason: 'It named persons.', years: [2021], levels: ['regions'] },
    ]);
    expect(releases.map(one => [one.slices[0]?.change, one.rows])).toEqual([
      ['forgotten', null],
      ['forgotten', null],
    ]);
    const files = Object.keys(await contents(folder.out)).filter(name =>
      new RegExp(`^${RAIN}/changes/.*(json|parquet)$`).test(name),
    );
    expect(files.every(name => name.endsWith('.before.json'))).toBe(true);
    for (const name of files)
      expect(await readFile(path.join(folder.out, name), 'utf8')).not.toMatch(/"wet_days": \d/);
    const gone = await ask(folder, '?year=2021&as_of=2031-05-20');
    expect([gone.status, gone.body.detail]).toEqual([410, expect.stringContaining('It named persons.')]);
    expect((await ask(folder, '?year=2022&as_of=2031-05-20')).status).toBe(200);
    await verify(folder.out);
    // What was taken back stays so, and what happens later is remembered.
    await writeRows(folder.data, {
      [rainFile(2022, 'regions')]: `SELECT * REPLACE (4 AS wet_days) FROM (${rainfallRows(2022, 'regions')})`,
    });
    await buildPublisher(folder, { releaseDate: '2031-08-01' });
    const later = await changesOf(folder);
    expect([later.forgotten, later.releases[0]?.revised]).toEqual([forgotten, 6]);
  });

  test('withdrawn rows stay in the memory otherwise', async () => {
    const folder = await copyBuilt(original);
    await writeTexts(folder.contracts, { 'rain/rainfall.yaml': taken.replace(', forget: true', '') });
    await rm(path.join(folder.data, rainFile(2021, 'regions')));
    await buildPublisher(folder, { releaseDate: THIRD });
    const then = await ask(folder, '?year=2021&as_of=2031-05-20&season=all');
    expect(then.body.data.map(row => row['wet_days'])).toEqual([21, 21]);
  });
});

describe('the history of a figure', () => {
  const KEY = '?history=true&year=2021&region_code=n&season=all';

  test('has each value, from when to when, and why', async () => {
    const { status, body } = await ask(original, KEY);
    expect(status).toBe(200);
    expect(body.history.map(({ row, ...one }) => ({ ...one, days: row?.['wet_days'] }))).toMatchObject([
      { from: '2031-05-17', until: SECOND, why: ['A gauge leaked. Read again.'], days: 21 },
      { from: SECOND, until: null, why: [], days: 5 },
    ]);
    const steady = await ask(original, KEY.replace('2021', '2022'));
    expect(steady.body.history).toMatchObject([{ from: '2031-05-17', until: null }]);
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
    const [{ ctx } = { ctx: {} }] = Array.isArray(body.detail) ? body.detail : [];
    const completed = await ask(original, String(ctx['url']).replace(`/${RAIN}`, ''));
    expect([completed.status, completed.body.history.at(-1)?.row]).toEqual([200, expect.any(Object)]);
  });
});

test('a moment that is none, and a release that is none, are refused with what is right', async () => {
  for (const [moment, nearest] of [
    ['2031-5-2', '2031-05-02'],
    ['2031-05-20-00000000', (await readTreeJson<{ release: string }>(original.out, 'manifest.json')).release],
    ['2031-05-16', '2031-05-17'],
  ] as const) {
    const { status, body } = await ask(original, `?as_of=${moment}&year=2021`);
    expect([status, JSON.stringify(body.detail)]).toEqual([422, expect.stringContaining(nearest)]);
  }
});
