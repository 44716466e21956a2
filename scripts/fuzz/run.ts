/** Asks the edge random questions and compares each answer with DuckDB reading the lake. */
import path from 'node:path';
import fc from 'fast-check';
import type { ValidationProblem } from '../../build/format/documents.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler, type Handler } from '../../site/edge/fetch.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { compareAnswer, expectAnswer } from './answer.ts';
import { type LakeTable, openLake } from './lake.ts';
import { type Fault, type Question, questions, questionUrl, wrongQuestions } from './questions.ts';
import { trySeeds } from './seeds.ts';

interface FuzzOptions {
  readonly lake: string;
  /** A tree built from this lake. */
  readonly tree: string;
  readonly requests: number;
  readonly seed: number;
  /** The address of a server of the tree, asked instead of the edge in this process. */
  readonly server?: string | undefined;
  /** Receives the number of requests after each batch. */
  readonly onProgress?: (requests: number) => void;
}

/** Right requests per wrong one. */
const WRONG_ONE_IN = 12;
/** Questions of a batch. A failing batch shrinks to one question. */
const BATCH = 50;
/** Batches per seed. Further seeds follow until there are enough requests. */
const BATCHES = 4;
/** Bytes of cached columns: few enough that some questions find theirs and others don't. */
const CACHED = 8 << 20;
const ORIGIN = 'http://edge.test';
const BUDGET = { bytes: Number.MAX_SAFE_INTEGER, rows: Number.MAX_SAFE_INTEGER };

/** `failure`: the smallest question with a wrong answer, and how to repeat it; null if all answers are right. */
export async function fuzz(options: FuzzOptions) {
  const { tables, connection, close } = await openLake(options.lake, options.tree);
  const handler = openEdge(options.tree, options.server);
  // `answered`: with rows, of which `rows` is the total.
  const sums = { requests: 0, answered: 0, rows: 0 };
  const check = async (question: Question) => {
    const response = await handler(new Request(`${ORIGIN}${questionUrl(question)}`));
    if (question.fault) return checkRefusal(handler, response, question.fault);
    const wanted = await expectAnswer(connection, question);
    sums.answered++;
    sums.rows += wanted.rows.length;
    return compareAnswer(connection, response, question, wanted);
  };
  const property = fc.asyncProperty(batches(tables), async (batch: readonly Question[]) => {
    for (const question of batch) {
      sums.requests++;
      const difference = await check(question);
      if (difference !== null) throw new Error(`${questionUrl(question)}: ${difference}`);
    }
    options.onProgress?.(sums.requests);
  });
  const isEnough = () => sums.requests >= options.requests;
  const failure = await trySeeds(property, options.seed, { numRuns: BATCHES }, isEnough);
  close();
  return { ...sums, failure };
}

function batches(tables: readonly LakeTable[]): fc.Arbitrary<Question[]> {
  const one = fc.oneof<fc.WeightedArbitrary<Question>[]>(
    { weight: WRONG_ONE_IN - 1, arbitrary: questions(tables) },
    { weight: 1, arbitrary: wrongQuestions(tables) },
  );
  return fc.array(one, { minLength: 1, maxLength: BATCH, size: 'max' });
}

function openEdge(tree: string, server: string | undefined): Handler {
  if (server !== undefined) return ({ url, method }) => fetch(url.replace(ORIGIN, server), { method });
  const options = { budget: BUDGET, cache: new ColumnCache(CACHED), refreshAfter: Number.POSITIVE_INFINITY };
  return createHandler(createFolderFiles(path.resolve(tree)), options);
}

/** The edge must respond 422 with only this problem and a corrected URL that works. */
async function checkRefusal(handler: Handler, response: Response, fault: Fault): Promise<string | null> {
  const body = await response.text();
  if (response.status !== 422) return `status ${response.status}, not 422: ${body.slice(0, 300)}`;
  const { detail } = JSON.parse(body) as { readonly detail: readonly ValidationProblem[] };
  const [first] = detail;
  const isOther = detail.some(
    ({ type, loc }) => type !== fault.type || loc.join('.') !== `query.${fault.name}`,
  );
  if (!first || isOther) return `problems ${JSON.stringify(detail)}, not ${fault.type}`;
  const corrected = await handler(new Request(`${ORIGIN}${first.ctx.url}`, { method: 'HEAD' }));
  return corrected.status === 200 ? null : `the corrected URL ${first.ctx.url} gives ${corrected.status}`;
}
