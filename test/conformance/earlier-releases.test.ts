/**
 * Random questions about earlier releases of three datasets, to each host that computes: the answer is that of the tree of
 * then. `TEST_RUNS=20` asks 400 about 20 releases; `TEST_SEED` draws the same again.
 */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { Miniflare } from 'miniflare';
import { beforeAll, expect, test } from 'vitest';
import { openLake } from '../../scripts/fuzz/lake.ts';
import { faults, type Question, questions, questionUrl } from '../../scripts/fuzz/questions.ts';
import { describeSubjects } from '../../scripts/fuzz/run.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { askPage, CHROMIUM, openControlled, sharedBrowser, startPlainHost } from '../explorer/browser.ts';
import { addBundle } from '../explorer/engine-page.ts';
import { type Answer, BEGINNING, CHANGES, contentOf, type Frogs, writeFrogs } from '../memory/frogs.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { column } from '../publishers/contract-text.ts';
import {
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { SURVEY_CONTRACTS, SURVEY_LAKE } from '../publishers/surveys.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';
import { type Ask, askTree } from './executors.ts';

const QUESTIONS = randomRuns(20);
const RELEASES = QUESTIONS > 100 ? 20 : CHANGES.length;

/** After those of the frogs' own list, a slice or two is corrected. */
function changeOf(i: number): Partial<Frogs> {
  const own = CHANGES[i]?.[1];
  if (own) return own;
  const slice = `${2020 + (i % 4)}/${i % 3 === 0 ? 'land' : 'ponds'}`;
  return i % 2 === 0 ? { revised: { [slice]: i } } : { revised: { '2021/ponds': i }, fewer: { [slice]: i } };
}

const dateOf = (i: number) =>
  CHANGES[i]?.[0] ??
  new Date(Date.UTC(2031, 2, 12 + 5 * (i - CHANGES.length + 1))).toISOString().slice(0, 10);

/** Visits lack a year in some releases and have another column in others; the names of sites change. */
async function writeSurveys({ contracts, data }: PublisherFolder, i: number): Promise<void> {
  const lacks = i >= 3 && i < 6;
  const isNewer = i >= 7;
  const withdrawn = lacks ? '{ date: 2031-01-11, reason: "A flood.", years: [2001] }' : '';
  const properties = `customProperties:
  - { property: year_range, value: 2001-2003 }
  - { property: row_loss_limit, value: 100 }
  - { property: withdrawn, value: [${withdrawn}] }
`;
  const visits = SURVEY_CONTRACTS['survey/visits.odcs.yaml']!.replace(
    /customProperties: \[.*\]\n/,
    properties,
  )
    .replace('version: 1.0.0', `version: ${i + 1}.0.0`)
    .concat(isNewer ? column('rainy', 'integer', 'metric').replace(/^\n/, '') : '');
  const names = ['sites', 'kinds'].map(name => `_dimensions/${name}.odcs.yaml`);
  await writeTexts(contracts, {
    ...Object.fromEntries(
      [...names, 'survey/quarters.odcs.yaml'].map(name => [name, SURVEY_CONTRACTS[name]!] as const),
    ),
    'survey/visits.odcs.yaml': visits,
  });
  const rows = Object.entries(SURVEY_LAKE).flatMap(([name, select]): [string, string][] => {
    if (/stays|things/.test(name) || (lacks && /visits\/year=2001/.test(name))) return [];
    if (name.endsWith('sites.parquet') && name.includes('_dimensions') && i >= 5)
      return [[name, select.replace("'Site '", "'Place '")]];
    if (name.includes('_dimensions')) return [[name, select]];
    // In each release one year of visits and one of quarters is another.
    const year = 2001 + ((i + (name.includes('visits') ? 0 : 1)) % 3);
    const number = name.includes(`${year}/`) ? i : i - 3;
    const changed = `SELECT * REPLACE (CASE WHEN hash(site, kind, age) % 20 = ${number % 20} THEN ${number} ELSE count END::INTEGER AS count) FROM (${select}) WHERE hash(kind, age, site) % 50 <> ${number}`;
    return [
      [
        name,
        isNewer && name.includes('visits') ? `SELECT *, age + ${i} AS rainy FROM (${changed})` : changed,
      ],
    ];
  });
  await writeRows(data, Object.fromEntries(rows));
}

/** The statuses, and the texts from a little before they differ. */
function firstDifference(found: readonly [number, string], wanted: readonly [number, string]) {
  let at = 0;
  while (found[1][at] === wanted[1][at] && at < found[1].length) at++;
  const part = ([status, text]: readonly [number, string]) => [
    status,
    text.slice(Math.max(0, at - 200), at + 200),
  ];
  return { found: part(found), wanted: part(wanted) };
}

interface Asked {
  readonly url: string;
  readonly moment: string;
  /** With the moment among the other parameters. */
  readonly asOf: string;
  readonly expected: Answer;
}

const hosts = new Map<string, (url: string) => Promise<Answer>>();
const asked: Asked[] = [];

beforeAll(async () => {
  const seed = randomSeed();
  console.log(`seed ${seed}: ${QUESTIONS} questions about ${RELEASES} releases`);
  const folder = publisherAt(await temporaryFolder());
  let now = BEGINNING;
  const releases: { readonly moments: readonly string[]; readonly ask: Ask }[] = [];
  const drawn: string[] = [];
  const dates = Array.from({ length: RELEASES }, (_, i) => dateOf(i));
  for (const [i, releaseDate] of dates.entries()) {
    now = { ...now, ...changeOf(i) };
    await writeFrogs(folder, i + 1, now);
    await writeSurveys(folder, i);
    const { result } = await buildPublisher(folder, { releaseDate });
    const tree = path.join(folder.root, `release-${i}`);
    await cp(folder.out, tree, { recursive: true, preserveTimestamps: true });
    // A day means its last release.
    const isLast = dates[i + 1] !== releaseDate;
    const moments = [result.release, ...(isLast ? [releaseDate, nextDay(releaseDate)] : [])];
    releases.push({ moments, ask: askTree(tree) });
    drawn.push(...(await draw(folder, tree, seed + i, Math.ceil(QUESTIONS / RELEASES))));
  }
  for (const [n, url] of drawn.entries()) {
    // Some use the names and values of another release.
    const own = Math.floor((n * RELEASES) / drawn.length);
    const { moments, ask } = releases[n % 4 === 0 ? (n * 7) % RELEASES : own]!;
    const moment = moments[n % moments.length]!;
    asked.push({ url, moment, asOf: withMoment(url, moment, n), expected: await ask(url) });
  }
  const close = await startHosts(folder.out);
  return async () => {
    for (const one of close) await one();
    await rm(folder.root, { recursive: true });
  };
});

/** Every twelfth is wrong. */
async function draw(folder: PublisherFolder, tree: string, seed: number, count: number): Promise<string[]> {
  const lake = await openLake(folder.data, tree);
  const subjects = await describeSubjects(lake);
  lake.close();
  const facts = questions(subjects.filter(one => one.rows.length > 0));
  const any = fc.oneof({ weight: 7, arbitrary: facts }, { weight: 1, arbitrary: questions(subjects) });
  const right = any.map(question => [question, null] as const);
  const wrong = any.chain(question =>
    faults(subjects.find(one => one.table.url === question.url)!)
      .filter(({ name }) => name !== 'as_of')
      .map(fault => [question, fault] as const),
  );
  const all = fc.oneof({ weight: 11, arbitrary: right }, { weight: 1, arbitrary: wrong });
  return fc
    .sample(all, { seed, numRuns: count })
    .map(([question, fault]) => questionUrl({ ...question, as_of: undefined } as Question, fault));
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

function withMoment(url: string, moment: string, n: number): string {
  const [where = '', query = ''] = url.split('?');
  const pairs = query === '' ? [] : query.split('&');
  pairs.splice(n % (pairs.length + 1), 0, `as_of=${moment}`);
  return `${where}?${pairs.join('&')}`;
}

async function startHosts(tree: string): Promise<(() => Promise<unknown>)[]> {
  const server = await startServer({ folder: tree, port: 0 });
  hosts.set('civic serve', url => fetch(server.url + url));
  const worker = new Miniflare({
    modules: true,
    scriptPath: path.resolve(import.meta.dirname, '../../lib/workers/cloudflare-worker.js'),
    compatibilityDate: '2025-12-01',
    assets: {
      directory: tree,
      binding: 'ASSETS',
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
      assetConfig: { html_handling: 'none', not_found_handling: 'none' },
    },
  });
  hosts.set('workerd', url => worker.dispatchFetch(`http://edge.test${url}`));
  const close = [() => server.close(), () => worker.dispose()];
  if (CHROMIUM === null) return close;
  const bundled = `${tree}.bundled`;
  await cp(tree, bundled, { recursive: true });
  await addBundle(bundled);
  const plain = await startPlainHost(bundled);
  const visit = await openControlled(await sharedBrowser(), plain);
  hosts.set('the service worker', async url => {
    const { status, type, body } = await askPage(visit, url, 'GET');
    return new Response(Buffer.from(body, 'latin1'), { status, headers: { 'Content-Type': type ?? '' } });
  });
  return [...close, () => visit.page.context().close(), () => plain.close()];
}

test('every answer about a moment is that of the tree of then', async () => {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const differences: unknown[] = [];
  for (const { url, moment, asOf, expected } of asked) {
    const wanted = await contentOf(expected, moment);
    count(`${wanted[0]}`);
    count(/\/v1\/([^?]*)/.exec(url)![1]!);
    for (const [host, ask] of hosts) {
      const found = await contentOf(await ask(asOf), moment);
      if (found[0] === 410) {
        count(`410 on ${host}`);
        expect([url, found[1]]).toEqual([
          expect.stringMatching(/\/frogs\?.*detail=land/),
          expect.stringContaining('Nobody should know'),
        ]);
      } else if (found[0] !== wanted[0] || found[1] !== wanted[1])
        differences.push({ host, asOf, url, ...firstDifference(found, wanted) });
    }
  }
  console.log(JSON.stringify(Object.fromEntries(counts)));
  expect(differences).toEqual([]);
  expect(counts.get('200')).toBeGreaterThan(asked.length / 2);
  for (const table of ['water/frogs', 'survey/visits', 'survey/quarters'])
    expect([table, counts.get(table)]).toEqual([table, expect.any(Number)]);
});
