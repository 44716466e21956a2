/**
 * Answers about an earlier release of datasets of all times, whose levels have orders: by every executor what the tree of
 * that release gave.
 */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { buildPublisher, RELEASE_DATE } from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { SURVEY_CONTRACTS, SURVEY_LAKE } from '../publishers/surveys.ts';
import { randomRuns } from '../random-runs.ts';
import { numbersFrom, withoutReason } from './pond-releases.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e6));
const QUESTIONS = randomRuns(50);

let survey: PublisherFolder;
let before = '';
const budget = { bytes: Number.POSITIVE_INFINITY, rows: 1_000_000 };
const asker = (folder: string, executors: Parameters<typeof createHandler>[1]['executors']) => {
  const handler = createHandler(createFolderFiles(folder), { executors });
  return (url: string) => handler(new Request(`http://edge.test/api/v1/survey/${url}`));
};

beforeAll(async () => {
  survey = await writePublisher(await temporaryFolder('never'), SURVEY_CONTRACTS, SURVEY_LAKE);
  await buildPublisher(survey);
  before = path.join(survey.root, 'before');
  await cp(survey.out, before, { recursive: true, preserveTimestamps: true });
  // A tenth of the rows gets other values, or goes.
  const changed = Object.entries(SURVEY_LAKE)
    .filter(([name]) => /2002|things/.test(name))
    .map(([name, rows]) => [
      name,
      `SELECT * REPLACE (CASE WHEN hash(site, kind, age) % 20 = 0 THEN 1000 ELSE count END::INTEGER AS count, CASE WHEN hash(site, kind, age) % 30 = 1 THEN NULL ELSE score END AS score) FROM (${rows}) WHERE hash(site, kind, age) % 40 <> 2`,
    ]);
  await writeRows(survey.data, Object.fromEntries(changed) as Record<string, string>);
  await buildPublisher(survey, { releaseDate: '2031-06-01' });
}, 120_000);

afterAll(() => rm(survey.root, { recursive: true, force: true }));

function randomQuestion(random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const topic = pick(['visits', 'stays', 'quarters', 'things']);
  const pairs = [`detail=${pick(['sites', 'sites', 'nation'])}`];
  if (topic !== 'things' && random() < 0.3) pairs.push(`year=${pick([2001, 2002])}`);
  else if (topic !== 'things' && random() < 0.2) pairs.push('year_min=2002');
  const conditions = [
    `kind=${pick(['rain', 'total,rain', encodeURIComponent('𝒳'), encodeURIComponent('é ü, "ß"')])}`,
    `age=${pick(['3', '3,5,9'])}`,
    `Open%3F=${pick(['true', 'false'])}`,
    'score=0.125,0.25',
    'seen_on=2001-03-01',
    'family=wet',
    'site=s003,s050',
    'count_min=80',
  ];
  // One column alone is what orders are for.
  if (random() < 0.6) pairs.push(pick(conditions.slice(0, 3)));
  else pairs.push(...conditions.filter(() => random() < 0.18));
  if (random() < 0.5) pairs.push(`limit=${pick([1, 7, 40, 500])}`);
  if (random() < 0.4) pairs.push(`offset=${pick([1, 30, 2000, 6000])}`);
  if (random() < 0.2) pairs.push('format=csv');
  return `${topic}?${pairs.join('&')}`;
}

test('levels with orders, rows that do not begin with the year, and rows without time', async () => {
  const random = numbersFrom(SEED);
  const then = asker(before, [createHyparquetExecutor(budget)]);
  const now = {
    hyparquet: asker(survey.out, [createHyparquetExecutor(budget)]),
    duckdb: asker(survey.out, [createDuckdbExecutor({ folder: survey.out, budget })]),
  };
  let other = 0;
  for (let i = 0; i < QUESTIONS; i++) {
    const url = randomQuestion(random);
    const answer = await then(url);
    const expected = { url, seed: SEED, status: answer.status, text: withoutReason(await answer.text()) };
    for (const ask of Object.values(now)) {
      const found = await ask(`${url}&as_of=${RELEASE_DATE}`);
      const text = withoutReason(await found.text())
        .replace(`"as_of":"${RELEASE_DATE}",`, '')
        .replaceAll(`&as_of=${RELEASE_DATE}`, '');
      expect({ url, seed: SEED, status: found.status, text }).toEqual(expected);
    }
    if (withoutReason(await (await now.hyparquet(url)).text()) !== expected.text) other++;
  }
  expect(other).toBeGreaterThan(QUESTIONS / 4);
}, 120_000);
