/** Asks the edge random questions and compares each answer with DuckDB reading the lake. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler, type Handler } from '../../site/edge/fetch.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { compareAnswer } from './answer.ts';
import { readContracts } from './contract-tables.ts';
import { expectAnswer } from './expectation.ts';
import { faults } from './faults.ts';
import { type Lake, type LakeTable, openLake } from './lake-tables.ts';
import {
  describeSubject,
  type Fault,
  type Question,
  questions,
  questionUrl,
  type Subject,
} from './question.ts';

export interface FuzzOptions {
  readonly contracts: string;
  readonly lake: string;
  /** A tree built from this lake. */
  readonly tree: string;
  readonly requests: number;
  readonly seed: number;
  /** The address of a server of the tree, which is asked in place of the edge in this process. */
  readonly server?: string;
  /** Receives the number of requests after each batch. */
  readonly onProgress?: (requests: number) => void;
}

export interface FuzzResult {
  readonly requests: number;
  /** Requests answered with rows, and the total of rows. */
  readonly answered: number;
  readonly rows: number;
  /** The smallest question with a wrong answer, the difference, and how to repeat it; null if all are right. */
  readonly failure: string | null;
}

/** Right requests per wrong one. */
const WRONG_ONE_IN = 12;
/** Questions whose expected answers are looked up together. */
const BATCH = 50;
/** Requests under way at once. */
const AT_ONCE = 4;
/** Batches per seed. Further seeds follow until there are enough requests. */
const BATCHES = 20;
/** Bytes of cached columns: so few that some questions find theirs and others do not. */
const KEPT = 8 << 20;
/** The origin of each question; the address of a server takes its place. */
const ORIGIN = 'http://edge.test';
const BUDGET = { bytes: Number.MAX_SAFE_INTEGER, rows: Number.MAX_SAFE_INTEGER };

interface Asked {
  readonly question: Question;
  readonly fault: Fault | null;
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const lake = await openLake(options.lake, await readContracts(options.contracts));
  try {
    const handler = openHandler(options.tree, options.server);
    const subjects = await describeSubjects(lake, options.tree);
    const tables = new Map(lake.tables.map(table => [table.url, table]));
    const sums = { requests: 0, answered: 0, rows: 0 };
    const property = fc.asyncProperty(batches(subjects), async batch => {
      const answers = lookUp(lake, tables, batch);
      const check = async ({ question, fault }: Asked, index: number): Promise<void> => {
        const wanted = await answers[index]!;
        sums.requests++;
        let difference: string | null;
        if (fault || !wanted) difference = fault && (await checkRefusal(handler, question, fault));
        else {
          sums.answered++;
          sums.rows += wanted.rows.length;
          difference = await compareAnswer(
            await ask(handler, question),
            question,
            tables.get(question.url)!,
            wanted,
          );
        }
        if (difference === null) return;
        throw new Error(`${questionUrl(question, fault)}: ${difference}`);
      };
      const waiting = batch.map((asked, index) => () => check(asked, index)).reverse();
      const work = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) await next();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      options.onProgress?.(sums.requests);
    });
    for (let seed = options.seed; sums.requests < options.requests; seed++) {
      const { failed, errorInstance } = await fc.check(property, { seed, numRuns: BATCHES });
      const cause = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
      if (failed) return { ...sums, failure: `${cause}\nAgain with --seed ${seed}` };
    }
    return { ...sums, failure: null };
  } finally {
    lake.close();
  }
}

/** Shrinks to a batch of one question. */
function batches(subjects: readonly Subject[]): fc.Arbitrary<Asked[]> {
  const byUrl = new Map(subjects.map(subject => [subject.table.url, subject]));
  const right = questions(subjects).map(question => ({ question, fault: null }));
  const wrong = questions(subjects).chain(question =>
    faults(byUrl.get(question.url)!).map(fault => ({ question: withoutFaulty(question, fault), fault })),
  );
  const one: fc.Arbitrary<Asked> = fc.oneof(
    { weight: WRONG_ONE_IN - 1, arbitrary: right },
    { weight: 1, arbitrary: wrong },
  );
  return fc.array(one, { minLength: 1, maxLength: BATCH, size: 'max' }).map(list => list);
}

/** Drops the fault's parameter from the question, so that only the fault is wrong. */
function withoutFaulty(question: Question, { name }: Fault): Question {
  const filters = Object.fromEntries(Object.entries(question.filters).filter(([param]) => param !== name));
  // The level says how many parts a place has.
  const places = name === 'detail' || question.places?.param === name ? undefined : question.places;
  const ranges = question.ranges?.filter(({ param }) => param !== name);
  const rest = { ...question, filters, places, ranges };
  if (name === 'format') return { ...rest, format: 'json' };
  return name in rest ? { ...rest, [name]: undefined } : rest;
}

function openHandler(tree: string, server: string | undefined): Handler {
  if (server !== undefined) return ({ url, method }) => fetch(url.replace(ORIGIN, server), { method });
  const files = createFolderFiles(path.resolve(tree));
  const cache = new ColumnCache(KEPT);
  return createHandler(files, { budget: BUDGET, cache, refreshAfter: Number.POSITIVE_INFINITY });
}

/** Reads every table of a lake as its tree's schema documents describe it. */
export async function describeSubjects(lake: Lake, tree: string): Promise<Subject[]> {
  const [connection] = lake.connections;
  const subjects: Subject[] = [];
  for (const table of lake.tables) {
    const schema = path.join(tree, table.url.replace('/api/v1/', '/api/v1/datasets/'), 'index.json');
    const filters = table.kind === 'dataset' ? JSON.parse(await readFile(schema, 'utf8')).filters : [];
    subjects.push(await describeSubject(connection!, table, filters));
  }
  return subjects;
}

/** Starts the lookups of a batch, distributed among the connections. */
function lookUp(lake: Lake, tables: ReadonlyMap<string, LakeTable>, batch: readonly Asked[]) {
  const last = lake.connections.map((): Promise<unknown> => Promise.resolve());
  return batch.map(({ question, fault }, index) => {
    if (fault) return Promise.resolve(null);
    const at = index % lake.connections.length;
    const found = last[at]!.then(() =>
      expectAnswer(lake.connections[at]!, tables.get(question.url)!, question),
    );
    last[at] = found.catch(() => undefined);
    return found;
  });
}

function ask(handler: Handler, question: Question, fault: Fault | null = null): Promise<Response> {
  return handler(new Request(`${ORIGIN}${questionUrl(question, fault)}`));
}

interface Refusal {
  readonly detail: readonly {
    readonly type: string;
    readonly loc: readonly string[];
    readonly ctx: { readonly url: string };
  }[];
}

/** The edge must respond 422 with just this problem and a corrected URL that works. */
async function checkRefusal(handler: Handler, question: Question, fault: Fault): Promise<string | null> {
  const response = await ask(handler, question, fault);
  const body = await response.text();
  if (response.status !== 422) return `status ${response.status}, not 422: ${body.slice(0, 300)}`;
  const { detail } = JSON.parse(body) as Refusal;
  const [first] = detail;
  if (
    !first ||
    detail.some(({ type, loc }) => type !== fault.type || loc.join('.') !== `query.${fault.name}`)
  )
    return `problems ${JSON.stringify(detail)}, not ${fault.type}`;
  const corrected = await handler(new Request(`${ORIGIN}${first.ctx.url}`, { method: 'HEAD' }));
  return corrected.status === 200 ? null : `the corrected URL ${first.ctx.url} gives ${corrected.status}`;
}
