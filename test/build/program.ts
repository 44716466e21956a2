/** The program `civic` itself, as a process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(ROOT, 'lib/build/cli.js');
const LOCK = path.join(os.tmpdir(), 'civic-compile.lock');

/** Compiles what changed, one file of tests at a time. Types that do not fit are the type check's business. */
export async function compileProgram(): Promise<void> {
  const file = await takeLock();
  try {
    execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], {
      cwd: ROOT,
      stdio: 'ignore',
    });
  } catch {
    // Said above.
  } finally {
    closeSync(file);
    rmSync(LOCK, { force: true });
  }
}

async function takeLock(): Promise<number> {
  for (;;) {
    try {
      return openSync(LOCK, 'wx');
    } catch {
      const taken = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - taken > 60_000) rmSync(LOCK, { force: true });
      await wait(50);
    }
  }
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Octal, such as `077`. */
  readonly umask?: string;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

export function startCivic(args: readonly string[], options: ProcessOptions = {}): RunningProgram {
  const command = [process.execPath, PROGRAM, ...args];
  const [file = '', ...rest] =
    options.umask === undefined
      ? command
      : ['/bin/sh', '-c', `umask ${options.umask} && exec "$@"`, 'sh', ...command];
  const child = spawn(file, rest, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text.stderr += part));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...text }));
  });
  return { process: child, ended };
}

export function civic(args: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  return startCivic(args, options).ended;
}
