import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import type { Executor } from '../../site/edge/executors/executor.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { COMPUTE_WORKER } from '../edge/compute-worker.ts';
import {
  expectedCsv,
  expectedJson,
  matchingRows,
  type Question,
  questionUrl,
} from '../edge/tree/reference.ts';
import { COLUMNS } from '../edge/tree/rows.ts';
import { writeTree } from '../edge/tree/write.ts';
import { EMPTY_QUESTIONS, QUESTIONS } from './questions.ts';

const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: 1_000_000 };

/** Each way to have a request answered: an executor behind an adapter. */
const EXECUTORS = {
  hyparquet: () => createHyparquetExecutor(BUDGET),
  duckdb: (folder: string) => createDuckdbExecutor({ folder, budget: BUDGET }),
} satisfies Record<string, (folder: string) => Executor>;

let folder: string;
let bare: string;
let server: RunningServer;
/** Computes in threads, with the compiled file that they start from. */
let crowded: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  bare = await mkdtemp(join(tmpdir(), 'conformance-bare-'));
  await writeTree(folder, { sample: true });
  await writeTree(bare, { sample: true, parquetAlone: true });
  server = await startServer({
    folder,
    port: 0,
    executors: [createHyparquetExecutor(BUDGET)],
  });
  crowded = await startServer({
    folder,
    port: 0,
    workers: 2,
    poolOptions: { entry: COMPUTE_WORKER, limits: { here: 0 } },
  });
}, 120_000);

afterAll(async () => {
  await crowded.close();
  await server.close();
  await rm(folder, { recursive: true });
  await rm(bare, { recursive: true });
});

const SAMPLE = 'Synthetic sample data: no figure here describes a real place.';

const noticesOf = (notice: string | null) => [SAMPLE, ...(notice === null ? [] : [notice])];

type Ask = (path: string) => Promise<Response>;

function askFetch(root: string, executor: Executor): Ask {
  const handler = createHandler(createFolderFiles(root), { executors: [executor] });
  return path => handler(new Request(`http://edge.test${path}`));
}

async function checkQuestion(ask: Ask, question: Question, notices: readonly string[]): Promise<void> {
  const json = await ask(questionUrl(question));
  expect(json.status).toBe(200);
  expect(await json.text()).toBe(await expectedJson(folder, question, notices));
  const csv = await ask(questionUrl(question, 'csv'));
  expect(csv.status).toBe(200);
  expect(await csv.text()).toBe(expectedCsv(question));
}

describe.each(Object.keys(EXECUTORS) as (keyof typeof EXECUTORS)[])('%s', name => {
  let ask: Ask;
  let askBare: Ask;
  beforeAll(() => {
    ask = askFetch(folder, EXECUTORS[name](folder));
    askBare = askFetch(bare, EXECUTORS[name](bare));
  });

  test.each(QUESTIONS)('%s', async (_, question, notice) => {
    await checkQuestion(ask, question, noticesOf(notice));
  });

  test.each(EMPTY_QUESTIONS)('%s', async (_, question, notice) => {
    await checkQuestion(ask, question, [SAMPLE, notice]);
  });

  test.each(QUESTIONS)('JSON and CSV from Parquet alone: %s', async (_, question, notice) => {
    await checkQuestion(askBare, question, noticesOf(notice));
  });

  test.each(EMPTY_QUESTIONS)('JSON and CSV from Parquet alone: %s', async (_, question, notice) => {
    await checkQuestion(askBare, question, [SAMPLE, notice]);
  });
});

describe('the Node server', () => {
  test.each(QUESTIONS)('%s', async (_, question, notice) => {
    await checkQuestion(path => fetch(server.url + path), question, noticesOf(notice));
  });

  test.each(QUESTIONS)('in threads: %s', async (_, question, notice) => {
    await checkQuestion(path => fetch(crowded.url + path), question, noticesOf(notice));
  });
});

describe('Parquet', () => {
  test.each(QUESTIONS)('%s', async (_, question) => {
    const answers = await Promise.all(
      Object.values(EXECUTORS).map(async make => {
        const response = await askFetch(folder, make(folder))(questionUrl(question, 'parquet'));
        expect(response.status).toBe(200);
        return response.arrayBuffer();
      }),
    );
    const computed = await fetch(crowded.url + questionUrl(question, 'parquet'));
    expect(Buffer.from(await computed.arrayBuffer()).equals(Buffer.from(answers[0]!))).toBe(true);
    expect(Buffer.from(answers[1]!).equals(Buffer.from(answers[0]!))).toBe(true);
    const { compressors } = await import('hyparquet-compressors');
    const objects = await parquetReadObjects({ file: answers[0]!, compressors });
    const { offset = 0, limit } = question;
    const rows = matchingRows(question).slice(offset, limit === undefined ? undefined : offset + limit);
    const found = objects.map(object => COLUMNS.map(({ name }) => plain(object[name])));
    expect(found).toEqual(rows.map(row => [...row]));
  });
});

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

describe('following next to the end', () => {
  test.each([
    ['a slice', { detail: 'units', year: 2023 }],
    ['all years', { detail: 'units', limit: 4_000 }],
    ['one axis', { detail: 'units', filters: { group: ['all'] }, limit: 1_500 }],
    ['one place', { detail: 'units', filters: { area_code: ['150'] }, limit: 13 }],
  ] as const)('%s', async (_, question) => {
    const ask = askFetch(folder, EXECUTORS.hyparquet());
    const found: unknown[] = [];
    let path: string | null = questionUrl(question);
    while (path !== null) {
      const response = await ask(path);
      const page = (await response.json()) as { next: string | null; total: number | null; data: object[] };
      expect(response.headers.get('link')).toBe(page.next === null ? null : `<${page.next}>; rel="next"`);
      found.push(...page.data.map(row => Object.values(row)));
      path = page.next;
      if (path === null) expect(page.total).toBe(found.length);
    }
    const { limit: _limit, ...whole }: Question = question;
    expect(found).toEqual(matchingRows(whole).map(row => [...row]));
  });
});
