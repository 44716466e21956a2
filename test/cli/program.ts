/** The program `civic` itself, as a process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { atEnd } from '../at-end.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const PROGRAM = path.join(ROOT, 'lib/bin/civic.js');

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: the project. */
  readonly folder?: string;
  /** Octal, such as `077`. */
  readonly umask?: string;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Waits until the output matches, and returns it. */
  says(pattern: RegExp): Promise<string>;
}

/** Stopped at the end of the test. */
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
  atEnd(async () => {
    child.kill();
    await ended;
  });
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text.stdout + text.stderr);
        if (found !== null) resolve(found[0]);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('close', code => reject(new Error(`It ended with ${code}. ${text.stdout}${text.stderr}`)));
      look();
    });
  return { process: child, ended, says };
}

export function civic(args: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  return startCivic(args, options).ended;
}

/** A folder for the PATH of commands in a guide or a workflow: in it, `npx civic-data-service` is the program. */
export async function folderOfNpx(): Promise<string> {
  const folder = await temporaryFolder();
  const script = `#!/bin/sh\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  await writeFile(path.join(folder, 'npx'), script, { mode: 0o755 });
  return folder;
}

/** A small file system in memory; null if it can't be mounted. */
export async function mounted(options: string): Promise<string | null> {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
  });
  return folder;
}
