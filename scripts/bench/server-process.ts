/** A server in its own process, and its resources as Linux counts them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

export interface ServerProcess {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export interface Usage {
  /** Processor seconds of the process and its children, user and system. */
  readonly processor: number;
  /** Bytes that they read by system calls (`rchar` of /proc/PID/io); null if the system does not tell. */
  readonly read: number | null;
}

const TICKS_A_SECOND = 100;
const PATIENCE = 120_000;

/** Starts a command and waits until it prints a JSON object with its `url`, or until `address` responds. */
export async function startProcess(
  name: string,
  command: string,
  args: readonly string[],
  address: string | null = null,
): Promise<ServerProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
  return {
    name,
    url,
    pid: child.pid ?? 0,
    usage: async () => sumUsage(await family(child.pid ?? 0)),
    stop: () =>
      new Promise<void>(done => {
        if (child.exitCode !== null) return done();
        child.once('exit', () => done());
        child.kill('SIGTERM');
      }),
  };
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
    const answer = await fetch(`${url}/manifest.json`, { method: 'HEAD' }).catch(() => null);
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
  let processor = 0;
  let read: number | null = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    processor += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_A_SECOND;
    const counted = /^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8').catch(() => ''));
    read = counted && read !== null ? read + Number(counted[1]) : null;
  }
  return { processor, read };
}
