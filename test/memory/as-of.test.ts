/**
 * Answers about earlier releases: what the tree of that release gave. `TEST_RUNS=20` asks 400 random questions;
 * `TEST_SEED` draws the same again.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangesDocument } from '../../build/format/changes.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { openLake } from '../../scripts/fuzz/lake.ts';
import { questions, questionUrl, wrongQuestions } from '../../scripts/fuzz/questions.ts';
import { explainQuery, openTree } from '../../site/edge/adapters/command.ts';
import { type Ask, askTree } from '../conformance/executors.ts';
import { RELEASE_DATE, readTreeJson, verify } from '../publishers/built-tree.ts';
import { keptTimes } from '../publishers/kept-trees.ts';
import { duckdb, type Publisher, quoted } from '../publishers/publisher-folder.ts';
import { SURVEY_LAKE } from '../publishers/surveys.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';
import { asOf, type BuiltRelease, buildReleases, CHANGES, contentOf } from './frogs.ts';

interface Release extends BuiltRelease {
  /** Names it in as_of: the release, its day if it's the last of the day, or the day after. */
  readonly moment: string;
  readonly ask: Ask;
}

let out: string;
const releases: Release[] = [];
let edge: Ask;

beforeAll(async () => {
  const built = await buildReleases();
  out = built.out;
  for (const [i, one] of built.releases.entries()) {
    const next = new Date(Date.parse(one.date) + 86_400_000).toISOString().slice(0, 10);
    const moment = [one.date, next, one.name][i % 3]!;
    releases.push({ ...one, moment, ask: askTree(one.folder.out) });
  }
  edge = askTree(out);
});

/** Some use names of one release, and are wrong in all others. */
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

const FORGOTTEN = expect.stringContaining('Nobody should know');

test.for(CHANGES.map(([date], i) => [date, i] as const))('as of %s, release %i', async ([, i]) => {
  const { ask, moment } = releases[i]!;
  let [differed, gone] = [0, 0];
  for (const url of QUESTIONS) {
    const expected = await contentOf(await ask(url), moment);
    const found = await contentOf(await edge(asOf(url, moment)), moment);
    if (found[0] === 410) {
      gone++;
      expect([url, found[1]]).toEqual([expect.not.stringMatching(/ponds|year=/), FORGOTTEN]);
    } else expect([url, ...found]).toEqual([url, ...expected]);
    if ((await contentOf(await edge(url), moment))[1] !== expected[1]) differed++;
  }
  const isEarlier = i < releases.length - 1;
  expect([differed > QUESTIONS.length / 4, gone > 0]).toEqual([isEarlier, isEarlier]);
});

/** Random questions with the names and values of a release. One in twelve is wrong. */
async function draw({ data, out: tree }: Publisher, seed: number, count: number): Promise<string[]> {
  const lake = await openLake(data, tree);
  lake.close();
  const tables = lake.tables.filter(one => one.rows.length > 0);
  const any = fc.oneof(
    { weight: 11, arbitrary: questions(tables) },
    { weight: 1, arbitrary: wrongQuestions(tables).filter(({ fault }) => fault.name !== 'as_of') },
  );
  const urls = any.map(question => questionUrl({ ...question, as_of: undefined }));
  return fc.sample(urls, { seed, numRuns: count });
}

test('random questions, with names of the first or the last release', async () => {
  const seed = randomSeed();
  const count = randomRuns(10);
  const first = await draw(releases[0]!.folder, seed, count);
  const last = await draw(releases.at(-1)!.folder, seed, count);
  let right = 0;
  for (const [n, url] of [...first, ...last].entries()) {
    const { ask, moment } = releases[n % releases.length]!;
    const [status, text] = await contentOf(await ask(url), moment);
    const found = await contentOf(await edge(asOf(url, moment)), moment);
    if (status === 200) right++;
    if (found[0] === 410) expect([url, found[1]]).toEqual([expect.stringContaining('/frogs?'), FORGOTTEN]);
    else expect([seed, url, moment, ...found]).toEqual([seed, url, moment, status, text]);
  }
  expect(right).toBeGreaterThan(count);
});

test('the plan of an earlier release reads its files', async () => {
  const tree = await openTree(out);
  const url = asOf('/api/v1/water/frogs?detail=ponds&year=2022&format=csv', releases[0]!.moment);
  const found = await explainQuery(tree, url);
  expect('files' in found && found.files.map(file => file.path)).toEqual([
    expect.stringContaining('/water/frogs/_past/year=2022.ponds.'),
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
  expect(values).toBeGreaterThan(50);
});

test.each(['ponds', 'land'])(
  'a feed of all rows of a level counts what the build counted: %s',
  async level => {
    const { releases: told } = await readTreeJson<ChangesDocument>(out, 'api/v1/water/frogs/changes.json');
    const expected = told.flatMap(({ date, slices }) => {
      const own = slices.filter(one => one.detail === level && !['added', 'forgotten'].includes(one.change));
      const sum = (kind: 'added' | 'removed' | 'revised') =>
        own.reduce(
          (total, one) => total + (one.change === 'replaced' && kind === 'added' ? 0 : one[kind]),
          0,
        );
      const words = (['revised', 'added', 'removed'] as const).flatMap(kind => {
        const count = sum(kind);
        return count === 0 ? [] : [`${count} ${count === 1 ? 'row' : 'rows'} ${kind}`];
      });
      return words.length === 0 ? [] : [`${date}: ${words.join(', ')}.`];
    });
    expect(expected.length).toBeGreaterThan(2);
    const text = await (await edge(`/api/v1/water/frogs/feed.xml?detail=${level}`)).text();
    const titles = [...text.matchAll(/<title[^>]*>([^<]*)<\/title>/g)].map(one => one[1]);
    expect(titles.filter(title => /: \d/.test(title!))).toEqual(expected);
  },
);

test('feed.json counts what changes.json counts, in renamed columns too', async () => {
  interface Told {
    readonly key: string;
    readonly rows: Readonly<Record<'added' | 'removed' | 'revised', number | null>>;
  }
  type Item = { readonly _civic: { readonly changes?: readonly Told[] } };
  let compared = 0;
  for (const { name, folder } of releases.slice(1)) {
    const { items } = await folder.json<{ readonly items: readonly Item[] }>('feed.json');
    const changes = await folder.json<ChangesDocument>('api/v1/water/frogs/changes.json');
    const { added, removed, revised, slices, renamed } = changes.releases[0]!;
    const { rows } = items[0]!._civic.changes!.find(one => one.key === 'water/frogs')!;
    // Rows of another grain, and rows that are taken back, can't be compared.
    if (slices.some(({ change }) => change === 'replaced' || change === 'forgotten')) continue;
    expect([name, rows]).toEqual([name, { ...rows, added, removed, revised }]);
    if (renamed && revised > 0) compared++;
  }
  expect(compared).toBeGreaterThan(0);
});

test('readers of a whole folder find each row once, since they skip names that begin with _', async () => {
  const root = path.join(out, 'api/v1/water/frogs');
  const { rows } = await readTreeJson<DatasetManifest>(out, 'api/v1/water/frogs/manifest.json');
  const all = (await readdir(root, { recursive: true })).filter(name => name.endsWith('.parquet'));
  const count = async (names: readonly string[]) => {
    const files = names.map(name => quoted(path.join(root, name)));
    const [found] = await duckdb(
      `SELECT sum(num_rows)::INTEGER AS rows FROM parquet_file_metadata([${files}])`,
    );
    return found?.['rows'];
  };
  expect(await count(all.filter(name => !/(^|\/)_/.test(name)))).toBe(rows);
  expect(await count(all)).toBeGreaterThan(rows);
  await verify(out);
});

describe('levels that have orders, of each kind of time and of none', () => {
  let survey: Publisher;
  let before = '';
  beforeAll(async () => {
    const original = await keptTimes();
    before = original.out;
    survey = await original.copyBuilt();
    // A tenth of the rows changes or disappears.
    const changed = Object.entries(SURVEY_LAKE)
      .filter(([name]) => /2002|things/.test(name))
      .map(([name, select]) => [
        name,
        `SELECT * REPLACE (CASE WHEN hash(site, kind, age) % 20 = 0 THEN 1000 ELSE count END::INTEGER AS count, CASE WHEN hash(site, kind, age) % 30 = 1 THEN NULL ELSE score END AS score) FROM (${select}) WHERE hash(site, kind, age) % 40 <> 2`,
      ]);
    await survey.writeRows(Object.fromEntries(changed) as Record<string, string>);
    await survey.build({ releaseDate: '2031-06-01' });
  });

  test.each([
    'visits?detail=sites&kind=rain',
    'visits?detail=sites&year=2002&age=3,5,9&limit=40&offset=30',
    'visits?detail=nation&year_min=2002&format=csv',
    'stays?detail=sites&kind=total,rain&limit=7&offset=1',
    'stays?detail=sites&family=wet&score=0.125,0.25&year=2002',
    `quarters?detail=sites&kind=${encodeURIComponent('é ü, "ß"')}`,
    'quarters?detail=sites&site=s003,s050&format=csv',
    `things?detail=sites&kind=${encodeURIComponent('𝒳')}`,
    'things?detail=nation&format=csv',
  ])('%s', async question => {
    const url = `/api/v1/survey/${question}`;
    const expected = await contentOf(await askTree(before)(url), RELEASE_DATE);
    const ask = askTree(survey.out);
    expect(await contentOf(await ask(asOf(url, RELEASE_DATE)), RELEASE_DATE)).toEqual(expected);
    if (!url.includes('nation')) expect(await contentOf(await ask(url), RELEASE_DATE)).not.toEqual(expected);
  });
});
