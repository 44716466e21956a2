/** `npm run faults -- crowd`: what a crowd of scans and of slow readers does to `civic serve`. */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { CIVIC, type ServerProcess, startServer } from '../bench/process.ts';
import { QUESTION_KINDS, QuestionList, readSubjects } from '../bench/questions.ts';
import { buildTree } from '../bench/serve.ts';
import type { LoadCounts, OrderedLoad } from './crowd-load.ts';
import type { FaultKind } from './fault-kind.ts';
import { inScratch } from './sample-tree.ts';

interface Delays {
  readonly errors: number;
  readonly p99: number;
}

/** Milliseconds between two probes. */
const PROBE_EVERY = 50;

/** Different scans of each kind. */
const SCANS = 2000;

/** Connections that take nothing of their answers. */
const SLOW_READERS = 1000;

/** What is probed. */
const PROBED = ['/healthz', 'a stored file', 'a bare server'] as const;

/** Milliseconds at the 99th percentile, beside the crowd of scans. */
const AIMS: Readonly<Partial<Record<(typeof PROBED)[number], number>>> = {
  '/healthz': 20,
  'a stored file': 100,
};

/** A server that does nothing else: what a probe of it waits for is the machine, not the server. */
const BARE = `const server = require('node:http').createServer((request, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port })));`;

/** `--runs`: scans at once. */
export const CROWD: FaultKind = {
  name: 'crowd',
  about: 'lets many scans and slow readers loose on civic serve, and measures what others wait',
  runs: 500,
  options: [
    new Option('--tree <dir>', 'a tree as npm run bench -- serve makes it, instead of a new one'),
    new Option('--seconds <n>', 'how long the scans go on').argParser(Number).default(60),
  ],
  run: ({ runs, tree, seconds = 60 }) =>
    inScratch(async scratch => {
      if (tree === undefined) await buildTree(path.join(scratch, 'tree'), scratch);
      const given = tree ?? path.join(scratch, 'tree');
      const node = (...args: string[]) => startServer('node', process.execPath, args);
      const server = await node(CIVIC, 'serve', given, '--port', '0', '--json');
      const bare = await node('-e', BARE);
      try {
        return await tryCrowd(given, server, bare.url, { connections: runs, seconds });
      } finally {
        await Promise.all([server.stop(), bare.stop()]);
      }
    }),
};

/** The number of aims that are missed. */
async function tryCrowd(
  tree: string,
  server: ServerProcess,
  bare: string,
  options: OrderedLoad['options'],
): Promise<number> {
  try {
    // The probes and the crowd share the processors. Only some users may go before others.
    os.setPriority(-10);
  } catch {
    console.log(
      'This user may not raise the priority of the probes, which wait for the crowd of readers too.',
    );
  }
  const [subject] = await readSubjects(tree);
  const manifest = JSON.parse(await readFile(path.join(tree, subject!.url, 'manifest.json'), 'utf8'));
  const [least] = [...(manifest as DatasetManifest).slices].sort((a, b) => a.rows - b.rows);
  const small = `${subject!.url}/year=${least!.year}/${least!.detail}.csv`;
  const probed = [`${server.url}/healthz`, server.url + small, bare];
  const scans = await chooseScans(tree);
  const look = async (when: string, duration: number) => {
    const delays = await Promise.all(probed.map((url, i) => probe(`${when}: ${PROBED[i]}`, url, duration)));
    console.log(`${when}: ${(await server.usage()).memory.toFixed(0)} MB`);
    return delays;
  };
  await look('alone', 2000);
  const load = runLoadApart({ url: server.url, paths: scans, options });
  const beside = await look(`beside ${options.connections} scans`, options.seconds * 1000);
  const { answers, refused } = await load;
  console.log(`The scans: ${answers} answers, ${refused} refused or failed`);
  const hangUp = readSlowly(server.url, scans);
  await look(`beside ${SLOW_READERS} slow readers`, 20_000);
  hangUp();
  await wait(5000);
  await look('after them', 5000);
  return PROBED.filter((name, i) => {
    const { errors = 1, p99 = 0 } = beside[i] ?? {};
    return AIMS[name] !== undefined && (errors > 0 || p99 >= AIMS[name]);
  }).length;
}

/** Questions that read much, with pages of up to 10,000 rows. */
async function chooseScans(tree: string): Promise<string[]> {
  const subjects = await readSubjects(tree);
  return QUESTION_KINDS.filter(({ name }) => /^a (group|range), one year$/.test(name)).flatMap(kind => {
    const list = new QuestionList(kind, subjects, 1);
    return Array.from({ length: SCANS }, (_, i) => list.at(i) ?? []).flat();
  });
}

/** In a process of its own: a reader of many answers would keep the probes waiting. */
function runLoadApart(order: OrderedLoad): Promise<LoadCounts> {
  const child = fork(fileURLToPath(new URL('./crowd-load.js', import.meta.url)));
  child.send(order);
  return new Promise((done, fail) => {
    child.once('message', counts => done(counts as LoadCounts));
    child.once('exit', code => fail(new Error(`The load ended with ${code}.`)));
  });
}

/** Asks an address over and over, each time on a connection of its own, as a new reader has. */
async function probe(what: string, url: string, duration: number): Promise<Delays> {
  const delays: number[] = [];
  let errors = 0;
  const until = performance.now() + duration;
  for (; performance.now() < until; await wait(PROBE_EVERY)) {
    const started = performance.now();
    const good = await new Promise<boolean>(done => {
      http
        .get(url, { agent: false, timeout: 60_000 }, response => {
          response.on('close', () => done(response.statusCode === 200 && response.complete)).resume();
        })
        .on('error', () => done(false));
    });
    if (good) delays.push(performance.now() - started);
    else errors++;
  }
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN;
  console.log(
    `${what} p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, most ${at(1).toFixed(1)} ms of ${delays.length}; ${errors} failed`,
  );
  return { errors, p99: at(0.99) };
}

/** Connections that ask for large answers and read nothing of them. Gives a function that hangs up. */
function readSlowly(url: string, paths: readonly string[]): () => void {
  const { hostname, port, host } = new URL(url);
  const sockets = Array.from({ length: SLOW_READERS }, (_, i) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined).pause();
    socket.write(`GET ${paths[i % paths.length]} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
