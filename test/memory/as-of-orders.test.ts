/**
 * Answers about an earlier release of datasets of all times, whose levels have orders: by every executor what the tree of
 * that release gave.
 */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
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
import { withoutReason } from './pond-releases.ts';

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
  return () => rm(survey.root, { recursive: true });
});

/** Of each kind of time, and of none: columns that an order is for, others, ranges, pages, and CSV. */
const QUESTIONS = [
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
];

test.each(QUESTIONS)('%s', async url => {
  const then = await asker(before, [createHyparquetExecutor(budget)])(url);
  const expected = { status: then.status, text: withoutReason(await then.text()) };
  for (const executor of [
    createHyparquetExecutor(budget),
    createDuckdbExecutor({ folder: survey.out, budget }),
  ]) {
    const ask = asker(survey.out, [executor]);
    const found = await ask(`${url}&as_of=${RELEASE_DATE}`);
    const text = withoutReason(await found.text())
      .replace(`"as_of":"${RELEASE_DATE}",`, '')
      .replaceAll(`&as_of=${RELEASE_DATE}`, '');
    expect({ status: found.status, text }).toEqual(expected);
    if (!url.includes('nation')) expect(withoutReason(await (await ask(url)).text())).not.toBe(expected.text);
  }
});
