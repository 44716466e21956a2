/** Programs in processes of their own: servers, and commands that end. Linux says what they cost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServerProcess {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Of a process with its descendants. */
export interface Usage {
  /** Processor seconds, user and system. */
  readonly processor: number;
  /** Resident memory in MB. What two processes share counts twice. */
  readonly memory: number;
}

export interface Measured {
  readonly seconds: number;
  /** Processor seconds, user and system. */
  readonly processor: number;
  /** Largest resident size, in MiB. */
  readonly peak: number;
  readonly output: string;
}

/** The program that people run. */
export const CIVIC = fileURLToPath(new URL('../../bin/civic.js', import.meta.url));

const USAGE = fileURLToPath(new URL('./usage-preload.cjs', import.meta.url));
const TICKS_A_SECOND = 100;
const PATIENCE = 120_000;

/** Starts a command and waits until it prints a JSON object with its `url`, or until `address` responds. */
export async function startServer(
  name: string,
  command: string,
  args: readonly string[],
  { address = null, env = {} }: { readonly address?: string | null; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ServerProcess> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const url = await Promise.race([
    address === null ? readAddress(child) : waitFor(address),
    new Promise<never>((_, fail) => child.once('error', fail)),
    new Promise<never>((_, fail) => {
      let errors = '';
      child.stderr.on('data', (part: Buffer) => {
        errors = (errors + part.toString()).slice(-2000);
      });
      child.once('exit', code => fail(new Error(`${name} ended with ${code}: ${errors}`)));
    }),
  ]);
  const pid = child.pid ?? 0;
  return {
    ...{ name, url, pid },
    usage: async () => sumUsage(await family(pid)),
    stop: () =>
      new Promise<void>(done => {
        if (child.exitCode !== null) return done();
        child.once('exit', () => done());
        child.kill('SIGTERM');
      }),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise(done => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

async function readAddress(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of child.stdout ?? []) {
    text += part;
    const line = text.split('\n').find(one => one.startsWith('{'));
    if (line !== undefined && text.includes('\n')) {
      child.stdout?.resume();
      return (JSON.parse(line) as { url: string }).url;
    }
  }
  throw new Error('The server printed no address.');
}

async function waitFor(url: string): Promise<string> {
  const until = Date.now() + PATIENCE;
  while (Date.now() < until) {
    const answer = await fetch(url, { method: 'HEAD' }).catch(() => null);
    if (answer) return url;
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error(`${url} does not respond.`);
}

/** A process and its descendants. */
async function family(pid: number): Promise<number[]> {
  const found = [pid];
  for (const parent of found) {
    for (const task of await readdir(`/proc/${parent}/task`).catch(() => [])) {
      const children = await readFile(`/proc/${parent}/task/${task}/children`, 'utf8').catch(() => '');
      found.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return found;
}

async function sumUsage(pids: readonly number[]): Promise<Usage> {
  let [processor, memory] = [0, 0];
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    processor += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_A_SECOND;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    memory += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1000;
  }
  return { processor, memory };
}

/** Runs a script of ours to its end. */
export async function runMeasured(script: string, args: readonly string[]): Promise<Measured> {
  const usageFile = path.join(
    os.tmpdir(),
    `civic-bench-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  // Node reads a machine's own certificates at every start. Those 55 ms are not the command's.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', USAGE, script, ...args], {
    env: { ...env, CIVIC_BENCH_USAGE: usageFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    errors += part.toString();
  });
  const code = await new Promise<number | null>(done => child.once('close', done));
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${path.basename(script)} ended with ${code}:\n${output}${errors}`);
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  await rm(usageFile);
  return {
    seconds,
    processor: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peak: usage.maxRSS / 1024,
    output,
  };
}
