/** What a program does to the disk, in order, as strace records it. */
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** One step. Paths are absolute. */
export type DiskStep =
  | { readonly kind: 'create' | 'write' | 'mkdir' | 'remove' | 'sync'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  /** Everything that was done before is on the disk. */
  | { readonly kind: 'sync-all' };

const CALLS = [
  ...['openat', 'open', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'fallocate'],
  ...['copy_file_range', 'sendfile', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink'],
  ...['unlinkat', 'mkdir', 'mkdirat', 'rmdir', 'fsync', 'fdatasync', 'syncfs', 'sync'],
];

/** Runs a command to its end, and returns its steps within a folder. Needs strace. */
export async function recordSteps(command: readonly string[], folder: string): Promise<DiskStep[]> {
  const log = path.join(path.dirname(folder), `${path.basename(folder)}.strace`);
  try {
    await promisify(execFile)('strace', [
      ...['-f', '-y', '-qq', '-s', '0', '-e', `trace=${CALLS.join(',')}`, '-o', log],
      ...command,
    ]);
    return parseSteps(await readFile(log, 'utf8'), folder);
  } finally {
    await rm(log, { force: true });
  }
}

/** Calls that strace cut in two are taken for done when they end. */
function parseSteps(text: string, folder: string): DiskStep[] {
  const begun = new Map<string, string>();
  const steps: DiskStep[] = [];
  for (const line of text.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const cut = /^(.*) <unfinished \.\.\.>$/.exec(rest);
    if (cut) {
      begun.set(thread, cut[1] ?? '');
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const call = resumed ? (begun.get(thread) ?? '') + resumed[1] : rest;
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/.exec(call) ?? [];
    if (name === '' || result.startsWith('-')) continue;
    const step = stepOf(name, args);
    if (step === null) continue;
    const within =
      step.kind === 'sync-all' || isWithin(step.path, folder) || ('to' in step && isWithin(step.to, folder));
    if (within) steps.push(step);
  }
  return steps;
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function stepOf(name: string, args: string): DiskStep | null {
  // A descriptor shows the path at which it was opened; a name in quotes follows the folder that it is relative to.
  const opened = [...args.matchAll(/\b\d+<([^>]*)>/g)].map(one => one[1] ?? '');
  const names = [...args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].map(
    ([, base = '', file = '']) => path.resolve(base || '/', decode(file)),
  );
  const [first = '', second = ''] = names;
  const file = opened[0] ?? '';
  switch (name) {
    case 'open':
    case 'openat':
    case 'creat':
      if (name !== 'creat' && !args.includes('O_CREAT') && !args.includes('O_TRUNC')) return null;
      return { kind: 'create', path: first };
    case 'copy_file_range':
    case 'sendfile':
      // The target stands last in the one and first in the other.
      return { kind: 'write', path: (name === 'sendfile' ? opened[0] : opened[1]) ?? '' };
    case 'mkdir':
    case 'mkdirat':
      return { kind: 'mkdir', path: first };
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return { kind: 'remove', path: first };
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return { kind: 'rename', path: first, to: second };
    case 'link':
    case 'linkat':
      return { kind: 'link', path: first, to: second };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path: file };
    case 'syncfs':
    case 'sync':
      return { kind: 'sync-all' };
    default:
      return { kind: 'write', path: file };
  }
}

/** strace writes bytes beyond ASCII in octal. */
function decode(text: string): string {
  const bytes = text.replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
