/** `npm run faults -- crowd`: what a crowd of scans and of slow readers does to `civic serve`. */
import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import type { LoadCounts, OrderedLoad } from './load-main.ts';
import { startServer } from '../bench/process.ts';
import { QUESTION_KINDS, QuestionList, readSubjects } from '../bench/questions.ts';
import { buildTree } from '../bench/serve.ts';
import type { FaultKind } from './fault-kind.ts';

interface Delays {
  readonly count: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

const PROGRAM = fileURLToPath(new URL('../../bin/civic.js', import.meta.url));

/** Milliseconds between two probes. */
const PROBE_EVERY = 50;

/** Different scans of each kind. */
const SCANS = 2000;

/** Connections that take nothing of their answers. */
const SLOW_READERS = 1000;

/** Milliseconds at the 99th percentile, beside the crowd of scans. */
const AIMS = { health: 20, stored: 100 };

/** A server that does nothing else: what a probe of it waits for is the machine, not the server. */
const BARE = `const server = require('node:http').createServer((request, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port })));`;

/** `--runs`: scans at once. */
export const CROWD: FaultKind = {
  name: 'crowd',
  about: 'lets many scans and slow readers loose on civic serve, and measures what others wait',
  runs: 500,
  options: [
    new Option('--tree <dir>', 'a tree with the datasets of npm run bench -- serve, instead of a new one'),
    new Option('--seconds <n>', 'how long the scans go on').argParser(Number).default(60),
  ],
  async run({ runs, tree, seconds = 60 }) {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-crowd-'));
    try {
      if (tree === undefined) await buildTree(path.join(scratch, 'tree'), scratch);
      return await tryCrowd(tree ?? path.join(scratch, 'tree'), runs, seconds);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** The number of aims that are missed. */
async function tryCrowd(tree: string, connections: number, seconds: number): Promise<number> {
  const args = [PROGRAM, 'serve', tree, '--port', '0', '--json'];
  const server = await startServer('civic serve', process.execPath, args);
  const bare = await startServer('a bare server', process.execPath, ['-e', BARE]);
  favourProbes();
  try {
    const [scans, pages] = await chooseScans(tree);
    const probed = [...['/healthz', await smallFile(tree)].map(one => server.url + one), bare.url];
    const memory = () => residentMegabytes(server.pid);
    say(`Memory at the start: ${await memory()} MB`);
    report('alone', await probe(probed, 2000));

    const load = runLoadApart({ url: server.url, paths: scans, options: { connections, seconds } });
    const beside = await probe(probed, seconds * 1000, memory);
    const { answers, refused } = await load;
    report(`beside ${connections} scans`, beside);
    say(`The scans: ${answers} answers, ${refused} refused or failed`);

    const hangUp = readSlowly(server.url, pages, SLOW_READERS);
    report(`beside ${SLOW_READERS} slow readers`, await probe(probed, 20_000, memory));
    hangUp();
    await wait(5000);
    const some = scans.slice(0, 4).map(one => server.url + one);
    await probe(some, 5000);
    say(`Memory after them: ${await memory()} MB`);
    const [health, stored] = beside;
    return [held(health, AIMS.health), held(stored, AIMS.stored)].filter(one => !one).length;
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
}

/** Questions that read much, and pages of up to 10,000 rows. */
async function chooseScans(tree: string): Promise<[scans: string[], pages: string[]]> {
  const subjects = await readSubjects(tree);
  const lists = ['a group, one year', 'a range, one year'].map(name => {
    const kind = QUESTION_KINDS.find(one => one.name === name)!;
    const list = new QuestionList(kind, subjects, 1);
    return Array.from({ length: SCANS }, (_, i) => list.at(i) ?? []).flat();
  });
  return [lists.flat(), lists[0]!];
}

function runLoadApart(order: OrderedLoad): Promise<LoadCounts> {
  const child = fork(fileURLToPath(new URL('./load-main.js', import.meta.url)));
  child.send(order);
  return new Promise((done, fail) => {
    child.once('message', counts => done(counts as LoadCounts));
    child.once('exit', code => fail(new Error(`The load ended with ${code}.`)));
  });
}

/** A stored slice of some kilobytes. */
async function smallFile(tree: string): Promise<string> {
  const [subject] = await readSubjects(tree);
  const manifest = JSON.parse(await readFile(path.join(tree, subject!.url, 'manifest.json'), 'utf8'));
  const [slice] = [...(manifest as DatasetManifest).slices].sort((a, b) => a.rows - b.rows);
  return `${subject!.url}/year=${slice!.year}/${slice!.detail}.csv`;
}

/** The probes and the crowd share the processors. Only some users may go before others. */
function favourProbes(): void {
  try {
    os.setPriority(-10);
  } catch {
    say('This user may not raise the priority of the probes, which wait for the crowd of readers too.');
  }
}

function held(delays: Delays | undefined, aim: number): boolean {
  return delays !== undefined && delays.errors === 0 && delays.p99 < aim;
}

/** Asks each address in turn, over and over, and prints memory ten times meanwhile. */
async function probe(
  urls: readonly string[],
  duration: number,
  memory?: () => Promise<number>,
): Promise<Delays[]> {
  const delays = urls.map((): number[] => []);
  let errors = 0;
  const sizes: number[] = [];
  const until = performance.now() + duration;
  const asking = urls.map(async (url, at) => {
    while (performance.now() < until) {
      const started = performance.now();
      const good = await ask(url);
      if (good) delays[at]!.push(performance.now() - started);
      else errors++;
      await wait(PROBE_EVERY);
    }
  });
  while (memory && performance.now() < until) {
    sizes.push(await memory());
    await wait(duration / 10);
  }
  await Promise.all(asking);
  if (memory) say(`Memory meanwhile: ${sizes.join(', ')} MB`);
  return delays.map(list => summarize(list, errors));
}

/** Each probe on a connection of its own, as a new reader has. */
function ask(url: string): Promise<boolean> {
  return new Promise(done => {
    http
      .get(url, { agent: false, timeout: 60_000 }, response => {
        response.on('close', () => done(response.statusCode === 200 && response.complete)).resume();
      })
      .on('error', () => done(false));
  });
}

/** Connections that ask for large answers and read nothing of them. Gives a function that hangs up. */
function readSlowly(url: string, paths: readonly string[], readers: number): () => void {
  const { hostname, port, host } = new URL(url);
  const sockets = Array.from({ length: readers }, (_, i) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined).pause();
    socket.write(`GET ${paths[i % paths.length]} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

function summarize(list: readonly number[], errors: number): Delays {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { count: list.length, errors, p50: at(0.5), p99: at(0.99), most: at(1) };
}

function report(when: string, [health, stored, bare]: readonly Delays[]): void {
  const describe = (name: string, { count, errors, p50, p99, most }: Delays) =>
    say(
      `${when}: ${name} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms of ${count}; ${errors} failed`,
    );
  if (health) describe('/healthz', health);
  if (stored) describe('a stored file', stored);
  if (bare) describe('a bare server', bare);
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
