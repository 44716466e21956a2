/**
 * A disk that may lose power. It knows what is on the disk and what the system still holds in memory: each
 * name in memory may survive or not, and files may lack their bytes.
 */
import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { RandomChoices } from '../../scripts/random.ts';

interface DiskFile {
  /** Where a copy of the whole content is; null if the file is deleted in the end. */
  content: string | null;
  safe: boolean;
}

/** Files and folders by their paths from the top. */
type Names = Map<string, DiskFile | 'folder'>;

/** A change of names. */
interface NameChange {
  readonly step: Exclude<DiskStep, { kind: 'sync-all' }>;
  readonly file: DiskFile;
}

/** What a power cut does to changes that aren't on the disk. */
export type Fate = 'lost' | 'names-alone' | 'kept' | 'random';

export class DiskModel {
  /** What is on the disk. */
  readonly #sure: Names = new Map([['.', 'folder']]);
  /** What programs see. */
  readonly #seen: Names;
  #pending: NameChange[] = [];
  /** Files in order of creation. */
  readonly #made: DiskFile[] = [];
  readonly #contents: readonly (string | null)[];

  /**
   * Begins with the content of a folder, all of it on the disk. `contents`: where the content of each later
   * file is, from `contentsIn` of another model of the same steps.
   */
  constructor(base: string, contents: readonly (string | null)[] = []) {
    this.#contents = contents;
    for (const entry of readdirSync(base, { recursive: true, withFileTypes: true })) {
      const place = path.join(entry.parentPath, entry.name);
      const file = entry.isDirectory() ? 'folder' : { content: place, safe: true };
      this.#sure.set(path.relative(base, place), file);
    }
    this.#seen = new Map(this.#sure);
  }

  /** Applies a step, whose paths are within the folder `of`. */
  take(step: DiskStep, of: string): void {
    if (step.kind === 'sync-all') {
      for (const change of this.#pending.splice(0)) apply(this.#sure, change);
      for (const file of this.#seen.values()) if (file !== 'folder') file.safe = true;
      return;
    }
    const within = (file: string) => path.relative(of, file) || '.';
    const own = { ...step, path: within(step.path), ...('to' in step && { to: within(step.to) }) };
    const known = this.#seen.get(own.path);
    if (own.kind === 'sync' && known === 'folder') {
      // A folder on the disk has its names there. A rename changes both of its folders at once.
      const isHere = ({ step: { path: from, ...rest } }: NameChange) =>
        [from, ...('to' in rest ? [rest.to] : [])].some(name => path.dirname(name) === own.path);
      for (const change of this.#pending.filter(isHere)) apply(this.#sure, change);
      this.#pending = this.#pending.filter(change => !isHere(change));
    } else if (known && known !== 'folder' && ['write', 'sync', 'create'].includes(own.kind))
      known.safe = own.kind === 'sync';
    else if (own.kind !== 'write' && own.kind !== 'sync') {
      const change = { step: own, file: { content: this.#contents[this.#made.length] ?? null, safe: false } };
      if (own.kind === 'create') this.#made.push(change.file);
      apply(this.#seen, change);
      this.#pending.push(change);
    }
  }

  /** Where `folder`, after all steps, has each created file; null if it was deleted. */
  contentsIn(folder: string): (string | null)[] {
    for (const [name, file] of this.#seen) if (file !== 'folder') file.content ??= path.join(folder, name);
    return this.#made.map(({ content }) => content);
  }

  /** Writes what a power cut leaves into `out`. Whole files are links to their contents. */
  write(out: string, fate: Fate, random: RandomChoices): void {
    const left: Names = new Map(this.#sure);
    const isKept = () => fate === 'kept' || (fate === 'random' && random.next() < 0.5);
    for (const change of this.#pending) if (fate === 'names-alone' || isKept()) apply(left, change);
    // Folders before their content.
    for (const [name, file] of [...left].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const place = path.join(out, name);
      if (file === 'folder') mkdirSync(place, { recursive: true });
      else if (file.content !== null && (file.safe || isKept())) linkSync(file.content, place);
      else writeFileSync(place, '');
    }
  }
}

/** A change that no longer fits, because an earlier one was lost, is lost too. */
function apply(names: Names, { step, file }: NameChange): void {
  const isFree = (name: string) => ![...names.keys()].some(one => one.startsWith(`${name}/`));
  if (names.get(path.dirname(step.path)) !== 'folder') return;
  switch (step.kind) {
    case 'create':
    case 'mkdir':
      if (!names.has(step.path)) names.set(step.path, step.kind === 'mkdir' ? 'folder' : file);
      return;
    case 'remove':
      if (names.get(step.path) !== 'folder' || isFree(step.path)) names.delete(step.path);
      return;
    case 'link':
    case 'rename': {
      const found = names.get(step.path);
      if (found === undefined || names.get(path.dirname(step.to)) !== 'folder') return;
      if (names.get(step.to) === 'folder' && !isFree(step.to)) return;
      names.set(step.to, found);
      if (step.kind === 'link') return;
      names.delete(step.path);
      if (found !== 'folder') return;
      for (const [name, child] of [...names])
        if (name.startsWith(`${step.path}/`)) {
          names.set(step.to + name.slice(step.path.length), child);
          names.delete(name);
        }
      return;
    }
    default:
  }
}

/** Inodes of a folder's files by name: links to one file have one. */
export function inodesOf(folder: string): Map<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => !entry.isDirectory()).map(one => path.join(one.parentPath, one.name));
  return new Map(files.map(file => [path.relative(folder, file), statSync(file).ino]));
}

/** One step. Paths are absolute. */
export type DiskStep =
  | { readonly kind: 'create' | 'write' | 'mkdir' | 'remove' | 'sync'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  /** Everything before it is on the disk. */
  | { readonly kind: 'sync-all' };

const CALLS: Readonly<Record<string, DiskStep['kind']>> = {
  ...{ open: 'create', openat: 'create', creat: 'create', mkdir: 'mkdir', mkdirat: 'mkdir' },
  ...{ write: 'write', pwrite64: 'write', writev: 'write', pwritev: 'write', ftruncate: 'write' },
  ...{ fallocate: 'write', copy_file_range: 'write', sendfile: 'write', link: 'link', linkat: 'link' },
  ...{ rename: 'rename', renameat: 'rename', renameat2: 'rename' },
  ...{ unlink: 'remove', unlinkat: 'remove', rmdir: 'remove' },
  ...{ fsync: 'sync', fdatasync: 'sync', syncfs: 'sync-all', sync: 'sync-all' },
};

/** Runs a command, and returns its steps within a folder. Needs strace. */
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

/** Calls that strace prints in two parts count as done at the second. */
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
  // A descriptor shows the path at which it was opened; a quoted name follows the folder that it is relative
  // to.
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
      // The second of two descriptors is the target.
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
