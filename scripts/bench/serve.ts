/** `npm run bench -- serve`: questions that nobody asked before, to the edge and to live services over the same rows. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { RandomChoices } from '../random.ts';
import { BENCH_HOSTS } from './hosts.ts';
import { type Load, runLoad } from './load.ts';
import { CIVIC, runMeasured, type ServerProcess } from './process.ts';
import { QUESTION_KINDS, QuestionList, readSubjects } from './questions.ts';

export interface ServeBenchOptions {
  /** A tree, made there if it doesn't exist; null: a new one that is removed. */
  readonly tree: string | null;
  /** An existing lake for a new tree; null: a full sample. */
  readonly lake: string | null;
  /** Only kinds of questions whose names hold this text; null: all. */
  readonly only: string | null;
  readonly hosts: readonly string[];
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
  readonly once: Measured[];
  readonly twice: Measured[];
}

export async function benchServe(options: ServeBenchOptions): Promise<void> {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const tree = options.tree ?? path.join(scratch, 'tree');
    if (!existsSync(tree)) await buildTree(tree, options.lake, scratch);
    for (const host of BENCH_HOSTS) {
      if (!options.hosts.includes(host.name)) continue;
      const missing = await host.missing(options);
      if (missing !== null) say(missing);
      else servers.push(await host.start(tree, options));
    }
    await measure(servers, tree, options);
    for (const server of servers) {
      const { memory } = await server.usage();
      say(`${server.name.padEnd(8)} ${memory.toFixed(0)} MB resident at the end`);
    }
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Builds the tree of a lake; null: of a new full sample. */
export async function buildTree(out: string, given: string | null, scratch: string): Promise<void> {
  const lake = given ?? path.join(scratch, 'lake');
  if (given === null) {
    say('Writing the full sample lake.');
    const written = await writeSampleLake({ out: lake, scale: 'full', seed: 1, only: DATASETS });
    if (!written.ok) throw new Error(JSON.stringify(written.problems));
  }
  say(`Building ${out}.`);
  await runMeasured(CIVIC, ['build', '--contracts', 'contracts', '--data', lake, '--out', out]);
}

async function measure(
  servers: readonly ServerProcess[],
  tree: string,
  options: ServeBenchOptions,
): Promise<void> {
  const { rounds, seconds, connections, seed, only } = options;
  const subjects = await readSubjects(tree);
  const live = servers.filter(({ name }) => BENCH_HOSTS.some(host => host.name === name && host.isLive));
  say(
    `${subjects.length} datasets, seed ${seed}; ${rounds} rounds of ${seconds} s, ${connections} connections. Medians of the rounds; × is the ratio to a live service in the same round. CPU: processor milliseconds of the server per answer.`,
  );
  const ratios = live.map(({ name }) => `× ${name}`.padStart(10)).join('');
  const columns = `answers/s${ratios}   CPU ms`;
  say(`${''.padEnd(33)} each question once${' '.repeat(columns.length - 7)}each twice`);
  say(`${'question'.padEnd(24)} ${'server'.padEnd(8)} ${columns}   p99 ms   ${columns}   refused`);
  for (const [at, kind] of QUESTION_KINDS.entries()) {
    if (!kind.name.includes(only ?? '')) continue;
    const list = new QuestionList(kind, subjects, new RandomChoices(seed + at));
    await expectAlike(kind.name, servers, list.at(0));
    // Every server is asked the same list, and each goes on where it stopped.
    const asked = new Map(servers.map(server => [server, 0]));
    const next = (server: ServerProcess) => () => {
      const index = asked.get(server) ?? 0;
      asked.set(server, index + 1);
      return list.at(index);
    };
    const found = new Map<ServerProcess, Rounds>();
    for (let round = 0; round < rounds; round++)
      for (const server of servers) {
        const fresh = next(server);
        if (round === 0) await runLoad(server.url, fresh, { connections, seconds: WARMING });
        const all = found.get(server) ?? { once: [], twice: [] };
        found.set(server, all);
        all.once.push(await measureOne(server, fresh, options));
        all.twice.push(await measureOne(server, twice(fresh), options));
      }
    for (const [server, all] of found)
      print(
        kind.name,
        server.name,
        all,
        live.map(one => found.get(one)!),
      );
  }
}

/** Gives some questions, and then the same once more. */
function twice(next: () => string | null): () => string | null {
  let [block, at]: [string[], number] = [[], 0];
  return () => {
    if (at > 0 && at === 2 * block.length) [block, at] = [[], 0];
    if (at < REPEATED && at === block.length) {
      const question = next();
      if (question !== null) block.push(question);
    }
    return block.length === 0 ? null : (block[at++ % block.length] ?? null);
  };
}

async function measureOne(
  server: ServerProcess,
  next: () => string | null,
  options: ServeBenchOptions,
): Promise<Measured> {
  const before = await server.usage();
  const load = await runLoad(server.url, next, options);
  const after = await server.usage();
  const processor = (1000 * (after.processor - before.processor)) / load.answers;
  return { ...load, processor, rate: load.answers / load.seconds };
}

function print(name: string, server: string, { once, twice }: Rounds, live: readonly Rounds[]): void {
  const cells = (all: readonly Measured[], other: (rounds: Rounds) => readonly Measured[]) => [
    median(all.map(one => one.rate))
      .toFixed(1)
      .padStart(9),
    ...live.map(rounds =>
      median(all.map((one, i) => one.rate / (other(rounds)[i]?.rate ?? Number.NaN)))
        .toFixed(2)
        .padStart(9),
    ),
    median(all.map(one => one.processor))
      .toFixed(2)
      .padStart(8),
  ];
  const slowest = median(once.map(({ delays }) => delays[Math.floor(delays.length * 0.99)] ?? Number.NaN));
  const all = [...once, ...twice];
  const refused = new Map<string, number>();
  for (const load of all)
    for (const [status, count] of load.refused) refused.set(status, (refused.get(status) ?? 0) + count);
  const answers = all.reduce((sum, load) => sum + load.answers, 0);
  const said = [...refused].map(([status, count]) => `${count} × ${status}`).join(', ');
  say(
    [
      `${name.padEnd(24)} ${server.padEnd(8)} ${cells(once, rounds => rounds.once).join(' ')}`,
      `${slowest.toFixed(1).padStart(8)} ${cells(twice, rounds => rounds.twice).join(' ')}`,
      said === '' ? 'none' : `${said}, beside ${answers} answers`,
    ].join('   '),
  );
}

/** Servers that give other rows can't be compared. */
async function expectAlike(
  name: string,
  servers: readonly ServerProcess[],
  question: string | null,
): Promise<void> {
  if (question === null) return;
  const answers = await Promise.all(
    servers.map(async server => {
      const answer = await fetch(server.url + question);
      return { server, status: answer.status, text: await answer.text() };
    }),
  );
  const good = answers.filter(({ status }) => status === 200);
  const [first] = good;
  for (const { server, text } of good)
    if (first && !isDeepStrictEqual(rowsOf(text), rowsOf(first.text)))
      throw new Error(`${name}: ${server.name} and ${first.server.name} give other rows for ${question}`);
}

/** The rows of a page of JSON; of CSV only their number, since its booleans and quotes may differ. */
function rowsOf(text: string): unknown {
  return text.startsWith('{')
    ? (JSON.parse(text) as { data: unknown }).data
    : text.trimEnd().split('\n').length;
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
