/** What the benchmarks share: programs in their own processes, what they cost (Linux only), and the output. */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeSampleLake } from '../georgia/sample/lake.ts';

/** A process and its descendants. */
export interface Usage {
  /** Processor seconds, user and system. */
  readonly processor: number;
  /** Resident memory in MB. Memory that two processes share counts twice. */
  readonly memory: number;
  /** Bytes written by system calls, including to sockets. */
  readonly written: number;
}

export interface ServerProcess {
  readonly name: string;
  readonly url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export interface Measured {
  readonly seconds: number;
  /** Processor seconds, user and system. */
  readonly processor: number;
  /** Largest resident size, in MiB. */
  readonly peak: number;
  readonly output: string;
}

export const CIVIC = fileURLToPath(new URL('../../bin/civic.js', import.meta.url));

const USAGE = fileURLToPath(new URL('./usage-preload.cjs', import.meta.url));
const WORKER = fileURLToPath(new URL('../../workers/cloudflare-worker.js', import.meta.url));
/** The largest asset that a Worker may have. */
const MOST_ASSET_BYTES = 25 << 20;
const TICKS_A_SECOND = 100;

/** Starts a command and waits until it prints its address. */
export async function startServer(
  name: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const child = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  const output = textOf(child.stdout, child.stderr);
  const ended = new Promise<void>(done => child.once('error', done).once('exit', () => done()));
  let url: string | undefined;
  while (url === undefined) {
    if (child.pid === undefined || child.exitCode !== null)
      throw new Error(`${name} ended: ${output().slice(-4000)}`);
    await wait(20);
    [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output()) ?? [];
  }
  const pid = child.pid ?? 0;
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { name, url, usage: async () => sumUsage(await family(pid)), stop };
}

export function serveTree(tree: string): Promise<ServerProcess> {
  return startServer('node', process.execPath, [CIVIC, 'serve', tree, '--port', '0', '--json']);
}

/** workerd is a process of its own, which Miniflare starts. */
export async function startWorker(tree: string): Promise<ServerProcess> {
  // Only this server needs it, and tests that need none import this file.
  const { Miniflare } = await import('miniflare');
  const assets = await mkdtemp(path.join(os.tmpdir(), 'civic-assets-'));
  const filter = async (file: string) => (await stat(file)).size <= MOST_ASSET_BYTES;
  for (const part of ['manifest.json', 'api'])
    await cp(path.join(tree, part), path.join(assets, part), { recursive: true, filter });
  const worker = new Miniflare({
    name: 'worker',
    host: '127.0.0.1',
    port: 0,
    modules: true,
    scriptPath: WORKER,
    compatibilityDate: '2025-12-01',
    assets: {
      directory: assets,
      binding: 'ASSETS',
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
      assetConfig: { html_handling: 'none', not_found_handling: 'none' },
    },
  });
  const url = (await worker.ready).href.replace(/\/$/, '');
  const pids: number[] = [];
  for (const pid of await family(process.pid))
    if ((await read(`/proc/${pid}/comm`)).startsWith('workerd')) pids.push(pid);
  const stop = async () => {
    await worker.dispose();
    await rm(assets, { recursive: true, force: true });
  };
  return { name: 'workerd', url, usage: () => sumUsage(pids), stop };
}

/** What these streams have brought so far. */
function textOf(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let text = '';
  for (const stream of streams) stream.on('data', part => (text += part));
  return () => text;
}

/** A process and its descendants. */
async function family(pid: number): Promise<number[]> {
  const found = [pid];
  for (const parent of found)
    for (const task of await readdir(`/proc/${parent}/task`).catch(() => [])) {
      const children = await read(`/proc/${parent}/task/${task}/children`);
      found.push(...children.split(' ').filter(Boolean).map(Number));
    }
  return found;
}

async function sumUsage(pids: readonly number[]): Promise<Usage> {
  let [processor, memory, written] = [0, 0, 0];
  for (const pid of pids) {
    const stat = await read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    processor += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_A_SECOND;
    memory += Number(/^VmRSS:\s+(\d+) kB$/m.exec(await read(`/proc/${pid}/status`))?.[1] ?? 0) / 1000;
    written += Number(/^wchar: (\d+)$/m.exec(await read(`/proc/${pid}/io`))?.[1] ?? 0);
  }
  return { processor, memory, written };
}

/** '' if the process has ended. */
function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Runs one of our scripts to its end; throws if it fails. */
export async function runMeasured(script: string, args: readonly string[]): Promise<Measured> {
  const usageFile = path.join(os.tmpdir(), `civic-bench-${process.pid}-${performance.now()}`);
  // Node reads the machine's own certificates at every start, which takes 55 ms.
  const env = { ...process.env, CIVIC_BENCH_USAGE: usageFile, NODE_EXTRA_CA_CERTS: undefined };
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', USAGE, script, ...args], { env, stdio: 'pipe' });
  const [output, errors] = [textOf(child.stdout), textOf(child.stderr)];
  const code = await new Promise<number | null>(done => child.once('close', done));
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${path.basename(script)} ended with ${code}:\n${output()}${errors()}`);
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  await rm(usageFile);
  const processor = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
  return { seconds, processor, peak: usage.maxRSS / 1024, output: output() };
}

export function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export async function writeLake(
  out: string,
  scale: 'small' | 'full',
  only?: readonly string[],
): Promise<void> {
  await writeSampleLake({ out, scale, seed: 1, ...(only && { only }) });
}
