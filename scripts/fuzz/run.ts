/** Asks the edge random questions and compares each answer with DuckDB reading the lake. */
import path from 'node:path';
import fc from 'fast-check';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler, type Handler } from '../../site/edge/fetch.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { compareAnswer, expectAnswer } from './answer.ts';
import { type Lake, openLake } from './lake.ts';
import { type Fault, type Question, questions, questionUrl, wrongQuestions } from './questions.ts';
import { trySeeds } from './seeds.ts';

interface FuzzOptions {
  readonly lake: string;
  /** A tree built from this lake. */
  readonly tree: string;
  readonly requests: number;
  readonly seed: number;
  /** The address of a server of the tree, asked instead of the edge in this process. */
  readonly server?: string;
  /** Receives the number of requests after each batch. */
  readonly onProgress?: (requests: number) => void;
}

interface FuzzResult {
  readonly requests: number;
  /** Requests answered with rows, and the total of rows. */
  readonly answered: number;
  readonly rows: number;
  /** The smallest question with a wrong answer, the difference, and how to repeat it; null if all answers are right. */
  readonly failure: string | null;
}

/** Right requests per wrong one. */
const WRONG_ONE_IN = 12;
/** Questions of a batch. A failing batch shrinks to one question. */
const BATCH = 50;
/** Batches per seed. Further seeds follow until there are enough requests. */
const BATCHES = 20;
/** Bytes of cached columns: few enough that some questions find theirs and others don't. */
const CACHED = 8 << 20;
const ORIGIN = 'http://edge.test';
const BUDGET = { bytes: Number.MAX_SAFE_INTEGER, rows: Number.MAX_SAFE_INTEGER };

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const lake = await openLake(options.lake, options.tree);
  try {
    const handler = openEdge(options.tree, options.server);
    const sums = { requests: 0, answered: 0, rows: 0 };
    const property = fc.asyncProperty(batches(lake.tables), async (batch: readonly Question[]) => {
      const waiting = [...batch];
      const work = async (connection: Lake['connections'][number]) => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          sums.requests++;
          const url = questionUrl(next);
          const response = await handler(new Request(`${ORIGIN}${url}`));
          let difference: string | null;
          if (next.fault === undefined) {
            const wanted = await expectAnswer(connection, next);
            sums.answered++;
            sums.rows += wanted.rows.length;
            difference = await compareAnswer(response, next, wanted);
          } else difference = await checkRefusal(handler, response, next.fault);
          if (difference !== null) throw new Error(`${url}: ${difference}`);
        }
      };
      await Promise.all(lake.connections.map(work));
      options.onProgress?.(sums.requests);
    });
    const isEnough = () => sums.requests >= options.requests;
    const failure = await trySeeds(property, options.seed, { numRuns: BATCHES }, isEnough);
    return { ...sums, failure };
  } finally {
    lake.close();
  }
}

function batches(tables: Lake['tables']): fc.Arbitrary<Question[]> {
  const one = fc.oneof<fc.WeightedArbitrary<Question>[]>(
    { weight: WRONG_ONE_IN - 1, arbitrary: questions(tables) },
    { weight: 1, arbitrary: wrongQuestions(tables) },
  );
  return fc.array(one, { minLength: 1, maxLength: BATCH, size: 'max' });
}

function openEdge(tree: string, server: string | undefined): Handler {
  if (server !== undefined) return ({ url, method }) => fetch(url.replace(ORIGIN, server), { method });
  const files = createFolderFiles(path.resolve(tree));
  const cache = new ColumnCache(CACHED);
  return createHandler(files, { budget: BUDGET, cache, refreshAfter: Number.POSITIVE_INFINITY });
}

interface Refusal {
  readonly detail: readonly {
    readonly type: string;
    readonly loc: readonly string[];
    readonly ctx: { readonly url: string };
  }[];
}

/** The edge must respond 422 with only this problem and a corrected URL that works. */
async function checkRefusal(handler: Handler, response: Response, fault: Fault): Promise<string | null> {
  const body = await response.text();
  if (response.status !== 422) return `status ${response.status}, not 422: ${body.slice(0, 300)}`;
  const { detail } = JSON.parse(body) as Refusal;
  const [first] = detail;
  const isOther = detail.some(
    ({ type, loc }) => type !== fault.type || loc.join('.') !== `query.${fault.name}`,
  );
  if (!first || isOther) return `problems ${JSON.stringify(detail)}, not ${fault.type}`;
  const corrected = await handler(new Request(`${ORIGIN}${first.ctx.url}`, { method: 'HEAD' }));
  return corrected.status === 200 ? null : `the corrected URL ${first.ctx.url} gives ${corrected.status}`;
}
