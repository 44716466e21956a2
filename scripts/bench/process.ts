/** Programs in processes of their own: servers, and commands that end. Linux says what they cost. */
import { spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
  /** Bytes written by system calls, to sockets too. */
  readonly written: number;
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

interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the command only starts the server, as its child: it then costs nothing. */
  readonly isStarter?: boolean;
}

/** Starts a command and waits until it says its address. */
export async function startServer(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, isStarter = false }: StartOptions = {},
): Promise<ServerProcess> {
  const child = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  const said = [textOf(child.stdout), textOf(child.stderr)];
  const ended = new Promise<void>(done => child.once('error', done).once('exit', () => done()));
  const address = () => said.map(text => /http:\/\/127\.0\.0\.1:\d+/.exec(text())?.[0]).find(Boolean);
  while (address() === undefined) {
    if (child.pid === undefined || child.exitCode !== null)
      throw new Error(`${name} ended: ${said.map(text => text().slice(-2000))}`);
    await wait(20);
  }
  const pid = child.pid ?? 0;
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const usage = async () => sumUsage((await family(pid)).slice(isStarter ? 1 : 0));
  return { name, url: address() ?? '', pid, usage, stop };
}

/** What a stream has said so far. */
function textOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.on('data', part => (text += part));
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

/** Empty for a process that has ended. */
function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Runs a script of ours to its end. */
export async function runMeasured(script: string, args: readonly string[]): Promise<Measured> {
  const usageFile = path.join(os.tmpdir(), `civic-bench-${process.pid}-${performance.now()}`);
  // Node reads a machine's own certificates at every start. Those 55 ms are not the command's.
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
