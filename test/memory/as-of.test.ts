/** Answers about earlier releases: by every executor what the tree of that release gave. */
import { cp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import serve from 'serve-handler';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { explainQuery, openTree } from '../../site/edge/adapters/command.ts';
import { type Ask, askTree, EXECUTORS } from '../conformance/executors.ts';
import { buildPublisher, contents, RELEASE_DATE, readTreeJson, verify } from '../publishers/built-tree.ts';
import { column, dimension } from '../publishers/contract-text.ts';
import {
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { SURVEY_CONTRACTS, SURVEY_LAKE } from '../publishers/surveys.ts';
import { PUBLISHER } from '../publishers/weather.ts';

/** A dataset at one moment. Slices are named as in `2021/ponds`. */
interface Frogs {
  readonly years: readonly number[];
  /** Slices of which a third of the rows has other values, another third for each number. */
  readonly revised: Readonly<Record<string, number>>;
  /** Slices that lack a fifth of their rows, another fifth for each number. */
  readonly fewer: Readonly<Record<string, number>>;
  readonly absent: readonly string[];
  /** Entries of the property `withdrawn`. */
  readonly withdrawn: string;
  /** Names of columns, now and before. */
  readonly frogs: readonly [string, string?];
  readonly kind: readonly [string, string?];
  readonly weight: 'number' | 'integer';
  readonly note: boolean;
  readonly grain: string;
  readonly pond: string;
  readonly erratum: string;
}

const BEGINNING: Frogs = {
  ...{ years: [2020, 2021, 2022], revised: {}, fewer: {}, absent: [], withdrawn: '' },
  ...{ frogs: ['frogs'], kind: ['kind'], weight: 'number', note: true, grain: 'valley, pond, kind' },
  ...{ pond: 'Pond', erratum: 'Nothing' },
};
const withdrawal = (more: string) => `{ date: 2031-01-01, reason: "Nobody should know.", ${more} }`;
const YEAR = withdrawal('years: [2020]');
const LEVEL = withdrawal('years: [2022], levels: [land], forget: true');

/** What each release changes. One day has two. */
const CHANGES: readonly (readonly [date: string, change: Partial<Frogs>])[] = [
  ['2031-01-01', {}],
  ['2031-01-11', { revised: { '2021/ponds': 1, '2020/land': 1 }, erratum: 'A pond' }],
  ['2031-01-21', { fewer: { '2020/ponds': 1, '2022/land': 1 }, pond: 'Pool' }],
  ['2031-01-21', { fewer: { '2020/ponds': 2 }, revised: { '2021/ponds': 2 } }],
  ['2031-01-31', { frogs: ['frog_count', 'frogs'], weight: 'integer', years: [2020, 2021, 2022, 2023] }],
  ['2031-02-10', { note: false, kind: ['sort', 'kind'], grain: 'sort, valley, pond', erratum: 'A word' }],
  ['2031-02-20', { absent: ['2020/ponds', '2020/land'], withdrawn: YEAR }],
  ['2031-03-02', { frogs: ['amphibians', 'frog_count'], note: true, absent: [], withdrawn: '' }],
  ['2031-03-12', { weight: 'number', absent: ['2022/land'], withdrawn: LEVEL }],
];

const PLACES =
  "SELECT * FROM (VALUES ('v1', '1'), ('v1', '2'), ('v2', '1'), (' é', '𝒳'), ('v:2', 'a,b')) t(valley, pond)";

function contract(version: number, now: Frogs): string {
  const named = ([name, before]: readonly [string, string?], type: string, role: string) =>
    column(name, type, role, role !== 'metric').replace(
      '}]',
      before === undefined ? '}]' : `}, { property: renamed_from, value: ${before} }]`,
    );
  return `apiVersion: v3.1.0
kind: DataContract
id: water.frogs
version: ${version}.0.0
status: active
domain: water
customProperties:
  - { property: available_years, value: [${now.years.join(', ')}] }
  - { property: row_loss_limit, value: 100 }
  - { property: withdrawn, value: [${now.withdrawn}] }
  - { property: errata, value: [{ date: 2031-01-01, wrong: "${now.erratum}.", corrected: "Mended." }] }
schema:
  - name: frogs
    customProperties:
      - { property: detail_levels, value: [ponds, land] }
      - { property: grain, value: [year, ${now.grain}] }
      - { property: path_template, value: "water/frogs/year={year}/{detail}.parquet" }
      - property: foreign_keys
        value:
          - { column: valley, target_object: valleys, target_columns: [valley], scope: domain }
          - { column: pond, target_object: ponds, target_columns: [valley, pond], scope: domain }
    properties:${[
      column('year', 'integer', 'year', true),
      column('valley', 'string', 'fk_valley'),
      column('pond', 'string', 'fk_pond'),
      named(now.kind, 'string', 'categorical'),
      named(now.frogs, 'integer', 'metric'),
      column('weight', now.weight, 'metric'),
      column('wet', 'boolean', 'categorical'),
      column('seen', 'date', 'attribute'),
      column('checked', 'timestamp', 'attribute'),
      now.note ? column('note', 'string', 'metric') : '',
    ].join('')}
`;
}

function rows(now: Frogs, year: number, level: string): string {
  const [revised, fewer] = [now.revised, now.fewer].map(one => one[`${year}/${level}`] ?? 0);
  const places = level === 'ponds' ? PLACES : 'SELECT NULL::VARCHAR AS valley, NULL::VARCHAR AS pond';
  const third = `CASE WHEN hash(valley, pond, kind) % 3 = ${revised} % 3 THEN ${revised} ELSE 0 END`;
  const number = (salt: number, below: number) =>
    `(hash(valley, pond, kind, ${year}, ${salt}, ${third}) % ${below})::INTEGER`;
  const columns = [
    `${year}::INTEGER AS year, valley, pond, kind AS ${now.kind[0]}`,
    `CASE WHEN ${number(1, 9)} > 0 THEN ${number(2, 999)} END AS ${now.frogs[0]}`,
    `(${number(3, 1000)} / 8.0)::${now.weight === 'integer' ? 'INTEGER' : 'DOUBLE'} AS weight`,
    `CASE WHEN ${number(4, 3)} > 0 THEN ${number(4, 3)} = 1 END AS wet`,
    `DATE '2030-01-11' + ${number(5, 9)} * 30 AS seen`,
    `TIMESTAMP '2030-05-01 10:00:00' + INTERVAL (${number(6, 9)}) DAY AS checked`,
    now.note
      ? `[NULL, '', 'a "note", with a comma', 'frösche', chr(9), NULL][1 + ${number(7, 6)}] AS note`
      : '',
  ];
  return `SELECT ${columns.filter(Boolean).join(', ')}
    FROM (${places}), (SELECT unnest(['all', 'green', 'brown']) AS kind)
    WHERE ${fewer} = 0 OR hash(valley, pond, kind) % 5 <> ${fewer}`;
}

interface Release {
  readonly name: string;
  /** What names it in as_of: the day, for the newest of its day. */
  readonly moment: string;
  readonly now: Frogs;
  readonly ask: Ask;
}

let folder: PublisherFolder;
const releases: Release[] = [];
const edges: Ask[] = [];

async function write(version: number, now: Frogs): Promise<void> {
  await writeTexts(folder.contracts, {
    'publisher.yaml': PUBLISHER,
    'frogs.yaml': contract(version, now),
    'valleys.yaml': dimension('water', 'valleys', ['valley'], 'valley_name'),
    'ponds.yaml': dimension('water', 'ponds', ['valley', 'pond'], 'pond_name'),
  });
  await rm(folder.data, { recursive: true, force: true });
  const slices = now.years.flatMap(year => ['ponds', 'land'].map(level => [year, level] as const));
  await writeRows(folder.data, {
    'water/_dimensions/valleys.parquet': `SELECT DISTINCT valley, 'Valley ' || valley AS valley_name FROM (${PLACES})`,
    'water/_dimensions/ponds.parquet': `SELECT *, '${now.pond} ' || pond AS pond_name FROM (${PLACES})`,
    ...Object.fromEntries(
      slices
        .filter(slice => !now.absent.includes(slice.join('/')))
        .map(([year, level]) => [`water/frogs/year=${year}/${level}.parquet`, rows(now, year, level)]),
    ),
  });
}

beforeAll(async () => {
  folder = publisherAt(await temporaryFolder('never'));
  let now = BEGINNING;
  const host = createServer((request, answer) => serve(request, answer, { public: folder.root }));
  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  for (const [i, [releaseDate, change]] of CHANGES.entries()) {
    now = { ...now, ...change };
    await write(i + 1, now);
    const out = path.join(folder.root, `elsewhere-${i}`);
    const last = i === 0 ? {} : { previous: `${address}/elsewhere-${i - 1}/manifest.json` };
    await buildPublisher({ ...folder, out }, { releaseDate, ...last });
    const { result } = await buildPublisher(folder, { releaseDate });
    const previous = path.join(folder.root, `release-${i}`);
    await cp(folder.out, previous, { recursive: true, preserveTimestamps: true });
    const moment = i % 2 === 0 ? result.release : releaseDate;
    releases.push({ name: result.release, moment, now, ask: askTree(previous, 'hyparquet') });
  }
  await verify(folder.out);
  edges.push(...EXECUTORS.map(name => askTree(folder.out, name)));
  return async () => {
    host.closeAllConnections();
    host.close();
    await rm(folder.root, { recursive: true });
  };
});

/** Status and bytes of an answer without the moment that it states, and rows of Parquet in place of their file. */
async function contentOf(answer: Response, moment: string): Promise<[number, string]> {
  const bytes = await answer.arrayBuffer();
  if (answer.headers.get('content-type')?.includes('parquet')) {
    const found = await parquetReadObjects({ file: bytes, compressors });
    return [answer.status, JSON.stringify(found, (_, one) => (typeof one === 'bigint' ? String(one) : one))];
  }
  const text = new TextDecoder()
    .decode(bytes)
    .replace(`"as_of":"${moment}",`, '')
    .replace(new RegExp(`as_of=${moment}&|[?&]as_of=${moment}`, 'g'), '');
  // Why an answer is empty follows from the values of a tree, and no later tree has them.
  return [answer.status, text.includes('"count":0,') ? text.replace(/"notices":\[[^\]]*\]/, '') : text];
}

const asOf = (url: string, moment: string) => `${url}${url.includes('?') ? '&' : '?'}as_of=${moment}`;

/** Some use the names of one release, and are wrong in all others. */
const QUESTIONS = [
  'frogs?detail=ponds&format=csv',
  'frogs?detail=land&format=csv',
  'frogs?detail=ponds&year=2021&format=csv',
  'frogs?detail=ponds&year=2020',
  'frogs?detail=ponds&year_min=2021&year_max=2022&limit=5&offset=4',
  'frogs?detail=ponds&year=2023&limit=2',
  'frogs?detail=ponds&kind=green,brown&limit=17',
  'frogs?detail=ponds&sort=all&offset=1',
  'frogs?detail=land&year=2021&frogs_min=400',
  'frogs?detail=ponds&frog_count_min=400&format=parquet',
  'frogs?detail=ponds&amphibians_max=500&year=2022',
  'frogs?detail=ponds&place=v1:1,v%3A2:a%2Cb',
  'frogs?detail=ponds&valley=v1,%20%C3%A9&format=parquet',
  'frogs?detail=ponds&pond=zz',
  'frogs?detail=ponds&wet=true,false&weight_max=50',
  'frogs?detail=ponds&seen_min=2030-05-11&limit=40&offset=1',
  'frogs?checked_max=2030-05-05&year=2020',
  'frogs?detail=ponds&limit=0',
  'frogs?limit=3&offset=18',
  'frogs?detail=land&format=xml',
  '_dimensions/ponds?limit=3&offset=2',
  '_dimensions/ponds',
].map(one => `/api/v1/water/${one}`);

test.for(CHANGES.map(([date], i) => [date, i] as const))('as of %s, release %i', async ([, i]) => {
  const { ask, moment } = releases[i]!;
  let [differed, gone] = [0, 0];
  for (const url of QUESTIONS) {
    const expected = await contentOf(await ask(url), moment);
    for (const edge of edges) {
      const found = await contentOf(await edge(asOf(url, moment)), moment);
      if (found[0] === 410) {
        gone++;
        expect([url, found[1]]).toEqual([
          expect.not.stringMatching(/ponds|year=/),
          expect.stringContaining('Nobody should know'),
        ]);
      } else expect([url, ...found]).toEqual([url, ...expected]);
    }
    if ((await contentOf(await edges[0]!(url), moment))[1] !== expected[1]) differed++;
  }
  const isEarlier = i < releases.length - 1;
  expect([differed > QUESTIONS.length / 4, gone > 0]).toEqual([isEarlier, isEarlier]);
});

test('the plan of an earlier release reads its files', async () => {
  const tree = await openTree(folder.out);
  const url = asOf('/api/v1/water/frogs?detail=ponds&year=2022&format=csv', releases[0]!.moment);
  const found = await explainQuery(tree, url);
  expect('files' in found && found.files.map(file => file.path)).toEqual([
    expect.stringContaining('/water/frogs/_past/year=2022/ponds.'),
  ]);
});

test('the history of a figure has in each release the value that its tree gave', async () => {
  interface Period {
    readonly changed_by: string | null;
    readonly row: (Readonly<Record<string, unknown>> & { readonly pond_name: unknown }) | null;
    readonly forgotten?: true;
  }
  const [latest] = releases.slice(-1);
  let values = 0;
  for (const figure of [
    ...[2020, 2021, 2023].map(year => `detail=land&year=${year}`),
    ...['valley=v1&pond=1', 'valley=v2&pond=1', 'valley=%20%C3%A9&pond=%F0%9D%92%B3'].flatMap(place =>
      [2020, 2021].map(year => `detail=ponds&year=${year}&${place}`),
    ),
  ]) {
    const url = (release: Release) => `/api/v1/water/frogs?${figure}&${release.now.kind[0]}=green`;
    for (const edge of edges) {
      const answer = await edge(`${url(latest!)}&history=true`);
      const text = await answer.text();
      expect([figure, answer.status, text]).toEqual([figure, 200, text]);
      const { history } = JSON.parse(text) as { readonly history: Period[] };
      for (const [i, release] of releases.entries()) {
        const isLater = ({ changed_by: by }: Period) =>
          by === null || releases.findIndex(one => one.name === by) > i;
        const { row, forgotten } = history.find(isLater)!;
        if (forgotten) continue;
        const then = (await (await release.ask(url(release))).json()) as { data: Period['row'][] };
        const said = (found: Period['row'] | undefined, { now }: Release) =>
          found ? [found[now.frogs[0]], found.pond_name] : null;
        expect([figure, i, said(row, latest!)]).toEqual([figure, i, said(then.data[0], release)]);
        if (row) values++;
      }
    }
  }
  expect(values).toBeGreaterThan(100);
});

test('releases that are each built in an empty folder, after one at an address, are the same', async () => {
  const elsewhere = path.join(folder.root, `elsewhere-${CHANGES.length - 1}`);
  expect(await contents(elsewhere)).toEqual(await contents(folder.out));
});

test('readers of a whole folder find each row once, since they skip names that begin with _', async () => {
  const root = path.join(folder.out, 'api/v1/water/frogs');
  const { rows } = await readTreeJson<DatasetManifest>(folder.out, 'api/v1/water/frogs/manifest.json');
  const all = (await readdir(root, { recursive: true })).filter(name => name.endsWith('.parquet'));
  const count = async (names: readonly string[]) => {
    const sizes = names.map(async name => {
      const file = await asyncBufferFromFile(path.join(root, name));
      return Number((await parquetMetadataAsync(file)).num_rows);
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  expect(await count(all.filter(name => !/(^|\/)_/.test(name)))).toBe(rows);
  expect(await count(all)).toBeGreaterThan(rows);
});

describe('levels that have orders, of each kind of time and of none', () => {
  let survey: PublisherFolder;
  let before = '';
  beforeAll(async () => {
    survey = await writePublisher(await temporaryFolder('never'), SURVEY_CONTRACTS, SURVEY_LAKE);
    await buildPublisher(survey);
    before = path.join(survey.root, 'before');
    await cp(survey.out, before, { recursive: true, preserveTimestamps: true });
    // A tenth of the rows gets other values, or goes.
    const changed = Object.entries(SURVEY_LAKE)
      .filter(([name]) => /2002|things/.test(name))
      .map(([name, select]) => [
        name,
        `SELECT * REPLACE (CASE WHEN hash(site, kind, age) % 20 = 0 THEN 1000 ELSE count END::INTEGER AS count, CASE WHEN hash(site, kind, age) % 30 = 1 THEN NULL ELSE score END AS score) FROM (${select}) WHERE hash(site, kind, age) % 40 <> 2`,
      ]);
    await writeRows(survey.data, Object.fromEntries(changed) as Record<string, string>);
    await buildPublisher(survey, { releaseDate: '2031-06-01' });
    return () => rm(survey.root, { recursive: true });
  });

  test.each([
    'visits?detail=sites&kind=rain',
    'visits?detail=sites&year=2002&age=3,5,9&limit=40&offset=30',
    'visits?detail=sites&Open%3F=true&count_min=80',
    'visits?detail=nation&year_min=2002&format=csv',
    'stays?detail=sites&kind=total,rain&limit=7&offset=1',
    'stays?detail=sites&seen_on=2001-03-01',
    'stays?detail=sites&family=wet&score=0.125,0.25&year=2002',
    `quarters?detail=sites&kind=${encodeURIComponent('é ü, "ß"')}`,
    'quarters?detail=sites&site=s003,s050&format=csv',
    'quarters?detail=sites&limit=500&offset=2000',
    `things?detail=sites&kind=${encodeURIComponent('𝒳')}`,
    'things?detail=sites&age=3&limit=40',
    'things?detail=nation&format=csv',
  ])('%s', async question => {
    const url = `/api/v1/survey/${question}`;
    const expected = await contentOf(await askTree(before, 'hyparquet')(url), RELEASE_DATE);
    for (const name of EXECUTORS) {
      const ask = askTree(survey.out, name);
      expect(await contentOf(await ask(asOf(url, RELEASE_DATE)), RELEASE_DATE)).toEqual(expected);
      if (!url.includes('nation'))
        expect(await contentOf(await ask(url), RELEASE_DATE)).not.toEqual(expected);
    }
  });
});
