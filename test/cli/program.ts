/** The program `civic` itself, as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(ROOT, 'lib/bin/civic.js');

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it runs; the project if absent. */
  readonly folder?: string;
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
    cwd: options.folder ?? ROOT,
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
