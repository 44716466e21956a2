/** `npm run bench -- serve`: asks the edge and live services over the same rows questions that none of them has seen. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import { Client } from 'undici';
import { integer } from '../../build/cli/arguments.ts';
import { withTemporaryFolder } from '../../build/tree/workspace.ts';
import {
  CIVIC,
  median,
  runMeasured,
  type ServerProcess,
  say,
  serveTree,
  startServer,
  startWorker,
  writeLake,
} from './measurement.ts';
import { drawQuestions, QUESTION_KINDS, readSubjects } from './questions.ts';

interface ServeBenchOptions {
  readonly tree?: string;
  readonly only: string;
  readonly hosts: string;
  readonly python: string;
  readonly rounds: number;
  readonly times: number;
  readonly seconds: number;
  readonly seed: number;
}

const DATASETS = [
  'education/attendance',
  'education/ccrpi_graduation_rate',
  'education/graduation_rate_4_year_cohort',
];

/** Open at once. */
const CONNECTIONS = 16;

/** Seconds of unmeasured load before the first round. */
const WARMING = 1;

/** The ratios compare each server with these. */
const LIVE = ['fastify', 'fastapi'] as const;
const PYTHON_PACKAGES = 'fastapi, uvicorn, duckdb';

const HOSTS: Readonly<Record<string, (tree: string, python: string) => Promise<ServerProcess>>> = {
  node: serveTree,
  workerd: startWorker,
  fastify: tree =>
    startServer('fastify', process.execPath, [path.join(import.meta.dirname, 'live-service.js'), tree]),
  fastapi: (tree, python) => {
    const args = ['live-service:app', '--app-dir', path.resolve('scripts/bench'), '--port', '0'];
    const workers = ['--workers', String(os.availableParallelism()), '--no-access-log'];
    const env = { TREE: path.resolve(tree) };
    return startServer('fastapi', python, ['-m', 'uvicorn', ...args, ...workers], env);
  },
};

interface Measured {
  /** Answers per second. */
  readonly rate: number;
  /** Processor milliseconds of the server per answer. */
  readonly processor: number;
  /** What came instead of an answer: each other status, and the error of each connection that broke. */
  readonly refused: readonly string[];
}

/** One server's rounds of one kind of question. Every server gets the same list and continues where it stopped. */
interface Rounds {
  readonly server: ServerProcess;
  readonly questions: Generator<string>;
  readonly list: Measured[];
}

export const SERVE: Command = new Command('serve')
  .description('asks the edge under Node and workerd, and two live services, questions that are new to them')
  .option('--tree <dir>', 'a tree; if there is none, it is built there and kept')
  .option('--only <text>', 'only kinds of questions whose names contain this text', '')
  .option('--hosts <names>', 'servers to ask', Object.keys(HOSTS).join(','))
  .option('--python <program>', `a Python with ${PYTHON_PACKAGES}`, 'python3')
  .option('--rounds <n>', 'measurements, alternating', integer(1, 20), 3)
  .option('--times <n>', 'how often to ask each question', integer(1, 9), 1)
  .option('--seconds <n>', 'seconds of load in each', integer(1, 60), 3)
  .option('--seed <n>', 'seed of the questions', integer(1, Number.MAX_SAFE_INTEGER), 1)
  .action((options: ServeBenchOptions) =>
    withTemporaryFolder(async scratch => {
      const tree = options.tree ?? path.join(scratch, 'tree');
      if (!existsSync(tree)) {
        say(`Building ${tree} from a full sample.`);
        const lake = path.join(scratch, 'lake');
        await writeLake(lake, 'full', DATASETS);
        await runMeasured(CIVIC, ['build', '--contracts', 'contracts', '--data', lake, '--out', tree]);
      }
      const servers: ServerProcess[] = [];
      try {
        for (const name of options.hosts.split(',')) {
          const start = HOSTS[name];
          if (start === undefined) throw new Error(`${name} isn't one of ${Object.keys(HOSTS)}.`);
          const isMissing =
            name === 'fastapi' && spawnSync(options.python, ['-c', `import ${PYTHON_PACKAGES}`]).status !== 0;
          if (isMissing) say(`FastAPI isn't measured: ${options.python} lacks one of ${PYTHON_PACKAGES}.`);
          else servers.push(await start(tree, options.python));
        }
        await measure(servers, tree, options);
        for (const server of servers)
          say(`${server.name.padEnd(8)} ${(await server.usage()).memory.toFixed(0)} MB resident at the end`);
      } finally {
        await Promise.all(servers.map(server => server.stop()));
      }
    }),
  );

async function measure(
  servers: readonly ServerProcess[],
  tree: string,
  { rounds, times, seconds, seed, only }: ServeBenchOptions,
): Promise<void> {
  const subjects = await readSubjects(tree);
  say(
    `${subjects.length} datasets, seed ${seed}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections, each question asked ${times}×. Medians of the rounds; × is the ratio to a live service in the same round. CPU: processor milliseconds of the server per answer.`,
  );
  say(`${'question'.padEnd(24)} server   answers/s × fastify × fastapi    CPU ms   refused`);
  for (const [at, kind] of QUESTION_KINDS.entries()) {
    if (!kind.name.includes(only)) continue;
    const draw = () => drawQuestions(kind, subjects, seed + at, times);
    await expectSameRows(servers, draw().next().value ?? '/');
    const found = servers.map((server): Rounds => ({ server, questions: draw(), list: [] }));
    for (let round = 0; round < rounds; round++)
      for (const one of found) {
        if (round === 0) await measureOne(one, WARMING);
        one.list.push(await measureOne(one, seconds));
      }
    const live = LIVE.map(name => found.find(({ server }) => server.name === name));
    for (const one of found) say(`${kind.name.padEnd(24)} ${describe(one, live)}`);
  }
}

/** For some seconds, each connection asks the next question when it has read the last answer. */
async function measureOne({ server, questions }: Rounds, duration: number): Promise<Measured> {
  const before = await server.usage();
  let answered = 0;
  const refused: string[] = [];
  const started = performance.now();
  const askRepeatedly = async (): Promise<void> => {
    const client = new Client(server.url, { pipelining: 1 });
    while (performance.now() < started + duration * 1000) {
      const question = questions.next();
      if (question.done) break;
      const outcome = await ask(client, question.value);
      if (outcome === '200') answered++;
      else refused.push(outcome);
    }
    await client.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askRepeatedly));
  const seconds = (performance.now() - started) / 1000;
  const processor = (await server.usage()).processor - before.processor;
  return { rate: answered / seconds, processor: (1000 * processor) / answered, refused };
}

function describe({ server, list }: Rounds, live: readonly (Rounds | undefined)[]): string {
  const middle = (pick: (one: Measured, round: number) => number, digits: number) =>
    median(list.map(pick)).toFixed(digits).padStart(9);
  const columns = [
    middle(one => one.rate, 1),
    ...live.map(other =>
      other ? middle((one, round) => one.rate / (other.list[round]?.rate ?? 0), 2) : '–'.padStart(9),
    ),
    middle(one => one.processor, 2),
  ];
  const refused = list.flatMap(load => load.refused);
  const kinds = [...new Set(refused)];
  const counts = kinds.map(kind => `${refused.filter(one => one === kind).length} × ${kind}`).join(', ');
  return `${server.name.padEnd(8)} ${columns.join(' ')}   ${counts || 'none'}`;
}

/** Throws if the servers give different rows: they can't be compared then. */
async function expectSameRows(servers: readonly ServerProcess[], question: string): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ name, url }) => {
      const answer = await fetch(url + question);
      const text = await answer.text();
      // Of CSV only the number of lines: booleans and quotes may differ.
      const rows = text.startsWith('{') ? JSON.parse(text).data : text.trimEnd().split('\n').length;
      return answer.ok ? [{ name, rows }] : [];
    }),
  );
  const [first, ...others] = answers.flat();
  for (const { name, rows } of others)
    if (!isDeepStrictEqual(rows, first?.rows))
      throw new Error(`${name} and ${first?.name} give different rows for ${question}`);
}

/** The status, or the error's message. */
async function ask(client: Client, path: string): Promise<string> {
  try {
    const { statusCode, body } = await client.request({ path, method: 'GET' });
    for await (const _ of body);
    return String(statusCode);
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}
