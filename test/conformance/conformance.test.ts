/** One table of questions over one tree, for the edge and for its server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, describe, expect, test } from 'vitest';
import { SLICE, thingsTree } from '../edge/tree/fixture.ts';
import { expectedCsv, expectedJson, pageOf, type Question, questionUrl } from '../edge/tree/reference.ts';
import { COLUMNS } from '../edge/tree/rows.ts';
import { served } from '../served.ts';
import { type Ask, askTree } from './executors.ts';
import { ALL_QUESTIONS, OF_EACH_PLAN } from './questions.ts';

let folder: string;
let asks: Readonly<Record<(typeof TREES)[number] | (typeof SERVERS)[number], Ask>>;

const TREES = ['the edge', 'the edge on Parquet alone'] as const;
const SERVERS = ['the Node server'] as const;

beforeAll(async () => {
  const bare = await thingsTree('parquet');
  folder = await thingsTree();
  const url = await served(folder);
  asks = {
    'the edge': askTree(folder),
    'the edge on Parquet alone': askTree(bare),
    'the Node server': path => fetch(url + path),
  };
});

async function checkTexts(ask: Ask, question: Question, notice: string | null): Promise<void> {
  const json = await ask(questionUrl(question));
  expect([json.status, await json.text()]).toEqual([200, await expectedJson(folder, question, notice)]);
  const csv = await ask(questionUrl(question, 'csv'));
  expect([csv.status, await csv.text()]).toEqual([200, expectedCsv(question)]);
}

describe.each(TREES)('%s', name => {
  test.each(ALL_QUESTIONS)('%s', (_, question, notice) => checkTexts(asks[name], question, notice));
});

describe.each(SERVERS)('%s', name => {
  test.each(OF_EACH_PLAN)('%s', (_, question, notice) => checkTexts(asks[name], question, notice));
});

test.each(ALL_QUESTIONS)('Parquet, to the byte by each: %s', async (_, question) => {
  const url = questionUrl(question, 'parquet');
  const names = ['the edge', 'the edge on Parquet alone', 'the Node server'] as const;
  const answers = await Promise.all(names.map(async name => (await asks[name](url)).arrayBuffer()));
  const [first, ...others] = answers.map(bytes => Buffer.from(bytes));
  expect(others.map(bytes => bytes.equals(first!))).toEqual([true, true]);
  const objects = await parquetReadObjects({ file: answers[0]!, compressors });
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  const found = objects.map(object => COLUMNS.map(({ name }) => plain(object[name])));
  expect(found).toEqual(pageOf(question).map(row => [...row]));
});

test.each(['year=2022/areas.json', 'year=2022/areas.csv', 'year=2023/units.page-2.json'])(
  'a file that is left out is made from Parquet: %s',
  async name => {
    const file = `/api/v1/demo/things/${name}`;
    const [whole, made] = await Promise.all([
      readFile(join(folder, file), 'utf8'),
      Promise.all(TREES.map(async tree => (await asks[tree](file)).text())),
    ]);
    expect(made).toEqual(TREES.map(() => whole));
  },
);

test.each([
  `${SLICE}.page-1.json`,
  `${SLICE}.page-2.json`,
  `${SLICE}.page-2.csv`,
  SLICE.replace('2022', '02022'),
  `${SLICE.replace('2022', '1900')}.json`,
])('%s is no file that was left out', async path => {
  expect((await asks['the edge on Parquet alone'](path)).status).toBe(404);
});
