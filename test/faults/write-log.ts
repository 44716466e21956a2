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

/** What each call of the system does. */
const CALLS: Readonly<Record<string, DiskStep['kind']>> = {
  ...{ open: 'create', openat: 'create', creat: 'create', mkdir: 'mkdir', mkdirat: 'mkdir' },
  ...{ write: 'write', pwrite64: 'write', writev: 'write', pwritev: 'write', ftruncate: 'write' },
  ...{ fallocate: 'write', copy_file_range: 'write', sendfile: 'write', link: 'link', linkat: 'link' },
  ...{ rename: 'rename', renameat: 'rename', renameat2: 'rename' },
  ...{ unlink: 'remove', unlinkat: 'remove', rmdir: 'remove' },
  ...{ fsync: 'sync', fdatasync: 'sync', syncfs: 'sync-all', sync: 'sync-all' },
};

/** Runs a command to its end, and returns its steps within a folder. Needs strace. */
export async function recordSteps(command: readonly string[], folder: string): Promise<DiskStep[]> {
  const log = path.join(path.dirname(folder), `${path.basename(folder)}.strace`);
  try {
    await promisify(execFile)('strace', [
      ...['-f', '-y', '-qq', '-s', '0', '-e', `trace=${Object.keys(CALLS)}`, '-o', log],
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
    const paths = step.kind === 'sync-all' ? [folder] : [step.path, ...('to' in step ? [step.to] : [])];
    if (paths.some(one => one === folder || one.startsWith(`${folder}/`))) steps.push(step);
  }
  return steps;
}

function stepOf(name: string, args: string): DiskStep | null {
  // A descriptor shows the path at which it was opened; a name in quotes follows the folder that it is relative to.
  const opened = [...args.matchAll(/\b\d+<([^>]*)>/g)].map(one => one[1] ?? '');
  const names = [...args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].map(
    ([, base = '', file = '']) => path.resolve(base || '/', decode(file)),
  );
  const [first = '', second = ''] = names;
  const kind = CALLS[name] ?? 'write';
  switch (kind) {
    case 'create':
      return name === 'creat' || /O_CREAT|O_TRUNC/.test(args) ? { kind, path: first } : null;
    case 'mkdir':
    case 'remove':
      return { kind, path: first };
    case 'rename':
    case 'link':
      return { kind, path: first, to: second };
    case 'write':
    case 'sync':
      // Of two descriptors, this call's target is the second.
      return { kind, path: opened[name === 'copy_file_range' ? 1 : 0] ?? '' };
    case 'sync-all':
      return { kind };
    default:
      return kind satisfies never;
  }
}

/** strace writes bytes beyond ASCII in octal. */
function decode(text: string): string {
  const bytes = text.replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
