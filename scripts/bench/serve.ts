/** `npm run bench -- serve`: questions that nobody asked before, to the edge and to live services over the same rows. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Option } from 'commander';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { type Bench, median, say, wholeNumber } from './bench.ts';
import { BENCH_HOSTS } from './hosts.ts';
import { type Load, type LoadOptions, runLoad } from './load.ts';
import { CIVIC, runMeasured, type ServerProcess } from './process.ts';
import { QUESTION_KINDS, QuestionList, readSubjects } from './questions.ts';

interface ServeBenchOptions {
  readonly tree?: string;
  readonly lake?: string;
  readonly only: string;
  readonly hosts: string;
  readonly python: string;
  readonly rounds: number;
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

/** So many questions, then the same ones again. */
const REPEATED = 64;

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
  readonly once: Measured[];
  readonly twice: Measured[];
}

export const SERVE: Bench = {
  name: 'serve',
  about:
    'asks the edge under Node and workerd, and live services in Node and Python, questions that nobody asked before',
  options: [
    new Option('--tree <dir>', 'a tree; if there is none, it is made there and kept'),
    new Option('--lake <dir>', 'an existing lake for a new tree, instead of a full sample'),
    new Option('--only <text>', 'only kinds of questions whose names hold this text').default(''),
    new Option('--hosts <names>', 'what is asked').default(Object.keys(BENCH_HOSTS).join(',')),
    new Option('--python <program>', 'a Python that has fastapi, uvicorn and duckdb').default('python3'),
    new Option('--rounds <n>', 'measurements of each, alternating').argParser(wholeNumber(20)).default(3),
    new Option('--seconds <n>', 'seconds of load in each').argParser(wholeNumber(60)).default(3),
    new Option('--connections <n>', 'connections open at once').argParser(wholeNumber(256)).default(16),
    new Option('--seed <n>', 'seed of the questions').argParser(wholeNumber()).default(1),
  ],
  async run(command) {
    const options = command.opts<ServeBenchOptions>();
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
    const servers: ServerProcess[] = [];
    try {
      const tree = options.tree ?? path.join(scratch, 'tree');
      if (!existsSync(tree)) await buildTree(tree, scratch, options.lake);
      for (const name of options.hosts.split(',')) {
        const server = await BENCH_HOSTS[name]?.start(tree, options.python);
        if (server === undefined) throw new Error(`${name} is none of ${Object.keys(BENCH_HOSTS)}.`);
        if (server !== null) servers.push(server);
      }
      await measure(servers, tree, options);
      for (const server of servers)
        say(`${server.name.padEnd(8)} ${(await server.usage()).memory.toFixed(0)} MB resident at the end`);
    } finally {
      await Promise.all(servers.map(server => server.stop()));
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** Builds the tree of a lake, by default of a new full sample. */
export async function buildTree(out: string, scratch: string, given?: string): Promise<void> {
  const lake = given ?? path.join(scratch, 'lake');
  say(`Building ${out}${given === undefined ? ' of a full sample' : ''}.`);
  if (given === undefined) {
    const written = await writeSampleLake({ out: lake, scale: 'full', seed: 1, only: DATASETS });
    if (!written.ok) throw new Error(JSON.stringify(written.problems));
  }
  await runMeasured(CIVIC, ['build', '--contracts', 'contracts', '--data', lake, '--out', out]);
}

async function measure(
  servers: readonly ServerProcess[],
  tree: string,
  options: ServeBenchOptions,
): Promise<void> {
  const { rounds, seconds, connections, seed, only } = options;
  const subjects = await readSubjects(tree);
  const live = servers.filter(({ name }) => BENCH_HOSTS[name]?.isLive);
  say(
    `${subjects.length} datasets, seed ${seed}; ${rounds} rounds of ${seconds} s, ${connections} connections. Medians of the rounds; × is the ratio to a live service in the same round. CPU: processor milliseconds of the server per answer.`,
  );
  const columns = `answers/s${live.map(({ name }) => `× ${name}`.padStart(10)).join('')}    CPU ms    p99 ms`;
  say(`${''.padEnd(34)}${'each question once'.padEnd(columns.length + 3)}each twice`);
  say(`${'question'.padEnd(24)} ${'server'.padEnd(8)} ${columns}   ${columns}   refused`);
  for (const [at, kind] of QUESTION_KINDS.entries()) {
    if (!kind.name.includes(only)) continue;
    const list = new QuestionList(kind, subjects, seed + at);
    await expectAlike(servers, list.at(0) ?? '/');
    const found: Rounds[] = servers.map(server => ({ server, asked: 0, once: [], twice: [] }));
    for (let round = 0; round < rounds; round++)
      for (const one of found) {
        if (round === 0) await measureOne(one, list, 1, { connections, seconds: WARMING });
        one.once.push(await measureOne(one, list, 1, options));
        one.twice.push(await measureOne(one, list, 2, options));
      }
    const others = found.filter(({ server }) => live.includes(server));
    for (const one of found) say(`${kind.name.padEnd(24)} ${describe(one, others)}`);
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
    return list.at(index);
  };
  const load = await runLoad(one.server.url, next, options);
  const after = await one.server.usage();
  const processor = (1000 * (after.processor - before.processor)) / load.answers;
  return { ...load, processor, rate: load.answers / load.seconds };
}

function describe({ server, once, twice }: Rounds, live: readonly Rounds[]): string {
  const columns = (['once', 'twice'] as const).map(how => {
    const all = { once, twice }[how];
    const middle = (pick: (one: Measured, round: number) => number, digits: number) =>
      median(all.map(pick)).toFixed(digits).padStart(9);
    return [
      middle(one => one.rate, 1),
      ...live.map(other => middle((one, round) => one.rate / (other[how][round]?.rate ?? 0), 2)),
      middle(one => one.processor, 2),
      middle(({ delays }) => delays[Math.floor(delays.length * 0.99)] ?? Number.NaN, 0),
    ].join(' ');
  });
  const refused = new Map<string, number>();
  for (const load of [...once, ...twice])
    for (const [status, count] of load.refused) refused.set(status, (refused.get(status) ?? 0) + count);
  const answers = [...once, ...twice].reduce((sum, load) => sum + load.answers, 0);
  const said = [...refused].map(([status, count]) => `${count} × ${status}`).join(', ');
  return `${server.name.padEnd(8)} ${columns.join('   ')}   ${said === '' ? 'none' : `${said}, beside ${answers} answers`}`;
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
