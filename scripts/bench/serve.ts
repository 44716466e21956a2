/** `npm run bench -- serve`: questions that nobody asked before, to the edge and to live services over the same rows. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command, Option } from 'commander';
import { type Load, type LoadOptions, runLoad } from './load.ts';
import { CIVIC, runMeasured, type ServerProcess, startServer } from './process.ts';
import { listQuestions, QUESTION_KINDS, type QuestionList, readSubjects } from './questions.ts';
import { median, say, wholeNumber, writeFullLake } from './report.ts';

interface ServeBenchOptions {
  readonly tree?: string;
  readonly lake?: string;
  readonly only: string;
  readonly hosts: string;
  readonly python: string;
  readonly rounds: number;
  readonly times: number;
  readonly seconds: number;
  readonly connections: number;
  readonly seed: number;
}

const DATASETS = [
  'education/attendance',
  'education/ccrpi_graduation_rate',
  'education/graduation_rate_4_year_cohort',
];

/** Seconds of questions to each server before those that count. */
const WARMING = 1;

/** So many questions, before one of them is asked again. */
const REPEATED = 64;

/** What the edge is compared with. */
const LIVE = ['fastify', 'fastapi'] as const;
const PYTHON_PACKAGES = 'fastapi, uvicorn, duckdb';

type Start = (tree: string, python: string) => Promise<ServerProcess>;

const startScript = (name: string, ...args: readonly string[]) => startServer(name, process.execPath, args);

const HOSTS: Readonly<Record<string, Start>> = {
  node: tree => startScript('node', CIVIC, 'serve', tree, '--port', '0', '--json'),
  workerd: async tree => {
    const starter = path.join(import.meta.dirname, 'worker-main.js');
    return startServer('workerd', process.execPath, [starter, tree, 'api'], { isStarter: true });
  },
  fastify: tree =>
    startServer('fastify', process.execPath, [path.join(import.meta.dirname, 'live-service.js'), tree]),
  fastapi: (tree, python) => {
    const args = ['live-service:app', '--app-dir', path.resolve('scripts/bench'), '--port', '0'];
    const workers = ['--workers', String(os.availableParallelism()), '--no-access-log'];
    const env = { TREE: path.resolve(tree) };
    return startServer('fastapi', python, ['-m', 'uvicorn', ...args, ...workers], { env });
  },
};

interface Measured extends Load {
  readonly rate: number;
  /** Processor milliseconds of the server per answer. */
  readonly processor: number;
}

/** One server's rounds of one kind of question. */
interface Rounds {
  readonly server: ServerProcess;
  /** Questions of the list so far. */
  asked: number;
  readonly list: Measured[];
}

export const SERVE: Command = new Command('serve')
  .description(
    'asks the edge under Node and workerd, and two live services, questions that nobody asked before',
  )
  .option('--tree <dir>', 'a tree; if there is none, it is made there and kept')
  .option('--lake <dir>', 'an existing lake for a new tree, instead of a full sample')
  .option('--only <text>', 'only kinds of questions whose names hold this text', '')
  .option('--hosts <names>', 'what is asked', Object.keys(HOSTS).join(','))
  .option('--python <program>', `a Python that has ${PYTHON_PACKAGES}`, 'python3')
  .addOption(new Option('--rounds <n>', 'measurements, alternating').argParser(wholeNumber(20)).default(3))
  .addOption(new Option('--times <n>', 'ask each question so often').argParser(wholeNumber(9)).default(1))
  .addOption(new Option('--seconds <n>', 'seconds of load in each').argParser(wholeNumber(60)).default(3))
  .addOption(new Option('--connections <n>', 'open at once').argParser(wholeNumber(900)).default(16))
  .addOption(new Option('--seed <n>', 'seed of the questions').argParser(wholeNumber()).default(1))
  .action(async (options: ServeBenchOptions) => {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
    const servers: ServerProcess[] = [];
    try {
      const tree = options.tree ?? path.join(scratch, 'tree');
      if (!existsSync(tree)) await buildTree(tree, scratch, options.lake);
      for (const name of options.hosts.split(',')) {
        if (HOSTS[name] === undefined) throw new Error(`${name} is none of ${Object.keys(HOSTS)}.`);
        if (name === 'fastapi' && spawnSync(options.python, ['-c', `import ${PYTHON_PACKAGES}`]).status !== 0)
          say(`FastAPI isn't measured: ${options.python} has not all of ${PYTHON_PACKAGES}.`);
        else servers.push(await HOSTS[name](tree, options.python));
      }
      await measure(servers, tree, options);
      for (const server of servers)
        say(`${server.name.padEnd(8)} ${(await server.usage()).memory.toFixed(0)} MB resident at the end`);
    } finally {
      await Promise.all(servers.map(server => server.stop()));
      await rm(scratch, { recursive: true, force: true });
    }
  });

/** Builds the tree of a lake, by default of a new full sample. */
async function buildTree(out: string, scratch: string, given?: string): Promise<void> {
  const lake = given ?? path.join(scratch, 'lake');
  say(`Building ${out}${given === undefined ? ' of a full sample' : ''}.`);
  if (given === undefined) await writeFullLake(lake, DATASETS);
  await runMeasured(CIVIC, ['build', '--contracts', 'contracts', '--data', lake, '--out', out]);
}

async function measure(
  servers: readonly ServerProcess[],
  tree: string,
  options: ServeBenchOptions,
): Promise<void> {
  const { rounds, times, seconds, connections, seed, only } = options;
  const subjects = await readSubjects(tree);
  say(
    `${subjects.length} datasets, seed ${seed}; ${rounds} rounds of ${seconds} s, ${connections} connections, each question ${times} times. Medians of the rounds; × is the ratio to a live service in the same round. CPU: processor milliseconds of the server per answer.`,
  );
  say(`${'question'.padEnd(24)} server   answers/s × fastify × fastapi    CPU ms    p99 ms   refused`);
  for (const [at, kind] of QUESTION_KINDS.entries()) {
    if (!kind.name.includes(only)) continue;
    const list = listQuestions(kind, subjects, seed + at);
    await expectAlike(servers, list(0) ?? '/');
    const found: Rounds[] = servers.map(server => ({ server, asked: 0, list: [] }));
    for (let round = 0; round < rounds; round++)
      for (const one of found) {
        if (round === 0) await measureOne(one, list, times, { connections, seconds: WARMING });
        one.list.push(await measureOne(one, list, times, { connections, seconds }));
      }
    const live = LIVE.map(name => found.find(({ server }) => server.name === name));
    for (const one of found) say(`${kind.name.padEnd(24)} ${describe(one, live)}`);
  }
}

/** Every server is asked the same list, and goes on where it stopped. `times`: how often it is asked each block. */
async function measureOne(
  one: Rounds,
  list: QuestionList,
  times: number,
  options: LoadOptions,
): Promise<Measured> {
  const before = await one.server.usage();
  const [first, block] = [one.asked, times * REPEATED];
  let count = 0;
  const next = () => {
    const index = first + Math.floor(count / block) * REPEATED + (count % REPEATED);
    count++;
    one.asked = Math.max(one.asked, index + 1);
    return list(index);
  };
  const load = await runLoad(one.server.url, next, options);
  const after = await one.server.usage();
  const processor = (1000 * (after.processor - before.processor)) / load.answers;
  return { ...load, processor, rate: load.answers / load.seconds };
}

function describe({ server, list }: Rounds, live: readonly (Rounds | undefined)[]): string {
  const middle = (pick: (one: Measured, round: number) => number, digits: number) =>
    median(list.map(pick)).toFixed(digits).padStart(9);
  const p99 = (delays: readonly number[]) => delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
  const columns = [
    middle(one => one.rate, 1),
    ...live.map(other => middle((one, round) => one.rate / (other?.list[round]?.rate ?? Number.NaN), 2)),
    middle(one => one.processor, 2),
    middle(one => p99(one.delays), 0),
  ];
  const refused = new Map<string, number>();
  for (const load of list)
    for (const [status, count] of load.refused) refused.set(status, (refused.get(status) ?? 0) + count);
  const answers = list.reduce((sum, load) => sum + load.answers, 0);
  const said = [...refused].map(([status, count]) => `${count} × ${status}`).join(', ');
  return `${server.name.padEnd(8)} ${columns.join(' ')}   ${said === '' ? 'none' : `${said}, beside ${answers} answers`}`;
}

/** Servers that give other rows can't be compared. */
async function expectAlike(servers: readonly ServerProcess[], question: string): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ name, url }) => {
      const answer = await fetch(url + question);
      const text = await answer.text();
      return answer.ok ? [{ name, rows: rowsOf(text) }] : [];
    }),
  );
  const [first, ...others] = answers.flat();
  for (const { name, rows } of others)
    if (!isDeepStrictEqual(rows, first?.rows))
      throw new Error(`${name} and ${first?.name} give other rows for ${question}`);
}

/** The rows of a page of JSON; of CSV only their number, since its booleans and quotes may differ. */
function rowsOf(text: string): unknown {
  return text.startsWith('{')
    ? (JSON.parse(text) as { data: unknown }).data
    : text.trimEnd().split('\n').length;
}
