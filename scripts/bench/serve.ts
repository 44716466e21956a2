/** `npm run bench -- serve`: the edge under Node and workerd, against nginx over the same files and a live service. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../build/pipeline/build.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { planQuestion } from '../../site/edge/question.ts';
import { planFiles } from '../../site/query/plan.ts';
import { planRequest } from '../../site/query/planner.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request-parser.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { type Load, runLoad } from './load.ts';
import { hasProgram, startNginx } from './nginx.ts';
import { ASKED_FOLDERS, chooseScenarios, type Scenario } from './serve-questions.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

export interface ServeBenchOptions {
  /** An existing lake; null, without a tree either, to write a full sample. */
  readonly lake: string | null;
  readonly tree: string | null;
  /** Only questions whose names hold this text; null: all. */
  readonly question: string | null;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

interface Measured extends Load {
  /** Processor seconds of the server per second. */
  readonly processor: number;
  /** Bytes that the server reads per byte that it sends; null if the system does not tell. */
  readonly read: number | null;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function benchServe(options: ServeBenchOptions): Promise<void> {
  if (!(await hasProgram('wrk', '-v'))) {
    say('wrk is not on this machine, and the load comes from it: apt-get install wrk');
    process.exitCode = 1;
    return;
  }
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const tree = options.tree ?? (await buildTree(options.lake, scratch));
    const { question } = options;
    const scenarios = (await chooseScenarios(tree)).filter(({ name }) => name.includes(question ?? ''));
    await describePlans(tree, scenarios);
    const start = async (server: Promise<ServerProcess>) => servers.push(await server);
    await start(
      startProcess('edge, Node', process.execPath, [
        script('../../bin/civic.js'),
        'serve',
        tree,
        '--port',
        '0',
        '--json',
      ]),
    );
    await start(
      startProcess('edge, workerd', process.execPath, [script('./worker-main.js'), tree, ...ASKED_FOLDERS]),
    );
    if (await hasProgram('nginx', '-v')) await start(startNginx(tree, scratch));
    else say('nginx is not on this machine, so there is no floor to compare with: apt-get install nginx');
    await start(startProcess('live service', process.execPath, [script('./live-service-main.js'), tree]));
    await measure(servers, scenarios, { ...options, scratch });
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A tree of a lake; null: of a new full sample. */
export async function buildTree(given: string | null, scratch: string): Promise<string> {
  const lake = given ?? path.join(scratch, 'lake');
  if (!existsSync(lake)) {
    say('Writing the full sample lake.');
    const written = await writeSampleLake({ out: lake, scale: 'full', seed: 1 });
    if (!written.ok) throw new Error(JSON.stringify(written.problems));
  }
  say('Building the tree.');
  const out = path.join(scratch, 'tree');
  const jobs = Math.min(8, os.availableParallelism());
  const rest = {
    only: null,
    strict: false,
    releaseDate: null,
    previous: null,
    baseUrl: null,
    memory: '800MB',
  };
  await build({ contracts: path.resolve('contracts'), data: lake, out, jobs, ...rest }, () => undefined);
  return out;
}

/** Reports the time of planning alone and the most reads that each question needs. */
async function describePlans(tree: string, scenarios: readonly Scenario[]): Promise<void> {
  const files = createFolderFiles(tree);
  const catalog = new Catalog(files, { refreshAfter: Number.POSITIVE_INFINITY, now: Date.now });
  say('Plan: microseconds to parse and plan (median of 2,000), files, most bytes read');
  for (const { name, urls } of scenarios) {
    const [url = ''] = urls;
    const [pathname = '', query = ''] = url.split('?');
    const plan = await planQuestion({ files, catalog }, pathname, `?${query}`);
    if (!plan) continue;
    const times: number[] = [];
    for (let i = 0; i < 2000; i++) {
      const started = performance.now();
      const parsed = parseRequest(plan.table, parseQuery(query) ?? []);
      if ('request' in parsed) planRequest(plan.table, parsed.request);
      times.push((performance.now() - started) * 1000);
    }
    const bytes =
      plan.kind === 'scan' ? plan.bytes : planFiles(plan).reduce((sum, file) => sum + file.bytes, 0);
    say(
      `  ${name.padEnd(20)} ${median(times).toFixed(1).padStart(6)}  ${plan.kind} ${planFiles(plan).length}  ${bytes}`,
    );
  }
}

async function measure(
  servers: readonly ServerProcess[],
  scenarios: readonly Scenario[],
  options: ServeBenchOptions & { readonly scratch: string },
): Promise<void> {
  const { rounds, seconds, connections } = options;
  say(
    `${rounds} rounds of ${seconds} s, ${connections} connections, wrk on 1 thread; medians. CPU: processor seconds a second of the server. Read: bytes by system calls (rchar of /proc/PID/io, which counts what arrives on sockets under Node) per byte answered.`,
  );
  say(`${'question'.padEnd(20)} ${'server'.padEnd(14)} requests/s   p50 ms   p99 ms   CPU   read  errors`);
  for (const scenario of scenarios) {
    const found = new Map<string, Measured[]>();
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        const urls = server.name === 'nginx' ? scenario.files : scenario.urls;
        if (!urls) continue;
        const load = { ...options, connections: scenario.connections ?? connections };
        if (round === 0) await runLoad(server.url, urls, load);
        found.set(server.name, [...(found.get(server.name) ?? []), await measureOne(server, urls, load)]);
      }
    }
    printScenario(scenario.name, found);
  }
}

async function measureOne(
  server: ServerProcess,
  urls: readonly string[],
  options: ServeBenchOptions & { readonly scratch: string },
): Promise<Measured> {
  const before = await server.usage();
  const load = await runLoad(server.url, urls, options);
  const after = await server.usage();
  const read =
    after.read === null || before.read === null ? null : (after.read - before.read) / Math.max(1, load.bytes);
  return { ...load, processor: (after.processor - before.processor) / load.seconds, read };
}

function printScenario(name: string, found: ReadonlyMap<string, readonly Measured[]>): void {
  const rate = (server: string) => {
    const all = found.get(server);
    return all && median(all.map(one => one.requests / one.seconds));
  };
  for (const [server, all] of found) {
    const of = (pick: (one: Measured) => number) => median(all.map(pick));
    const read = all.every(one => one.read !== null) ? of(one => one.read ?? 0).toFixed(2) : 'n/a';
    const cells = [
      of(one => one.requests / one.seconds)
        .toFixed(1)
        .padStart(10),
      of(one => one.p50)
        .toFixed(2)
        .padStart(8),
      of(one => one.p99)
        .toFixed(2)
        .padStart(8),
      of(one => one.processor)
        .toFixed(2)
        .padStart(5),
      read.padStart(6),
      String(all.reduce((sum, one) => sum + one.errors, 0)).padStart(7),
    ];
    say(`${name.padEnd(20)} ${server.padEnd(14)} ${cells.join(' ')}`);
  }
  const [live, floor] = [rate('live service'), rate('nginx')];
  for (const server of ['edge, Node', 'edge, workerd']) {
    const own = rate(server);
    if (own === undefined) continue;
    if (found.get(server)?.some(one => one.errors > 0)) {
      say(`${''.padEnd(20)} ${server.padEnd(14)} refused or failed: no ratio`);
      continue;
    }
    const floorRatio = floor === undefined ? '' : `, nginx is ${(floor / own).toFixed(2)} times as fast`;
    say(
      `${''.padEnd(20)} ${server.padEnd(14)} ${live ? (own / live).toFixed(1) : '?'} times the live service${floorRatio}`,
    );
  }
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
