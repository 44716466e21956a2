/**
 * A disk that may lose power. It knows what is on the disk for certain and what the system still holds in memory: names
 * of the latter may be there or not, each for itself, and files may lack their bytes.
 */
import { linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RandomChoices } from '../random.ts';
import type { DiskStep } from './write-log.ts';

/** A file or folder, whatever its names are. */
interface DiskNode {
  readonly entries: Map<string, DiskNode> | null;
  /** Where a copy of the whole content is; null for a file that is gone in the end. */
  content: string | null;
  /** Whether the bytes are on the disk. */
  safe: boolean;
}

/** A change of names. */
interface NameChange {
  readonly step: DiskStep;
  readonly node: DiskNode | null;
  /** The folders that hold the names. */
  readonly folders: readonly string[];
}

/** How a power cut deals with what is not on the disk. */
export type Fate = 'lost' | 'names-alone' | 'kept' | 'random';

export class DiskModel {
  /** What is on the disk for certain. */
  readonly #root: DiskNode = folderNode();
  /** What programs see. */
  readonly #seen: DiskNode = folderNode();
  #pending: NameChange[] = [];
  /** Files in the order in which they came. */
  readonly #made: DiskNode[] = [];
  readonly #contents: readonly (string | null)[];

  /**
   * Begins with the content of a folder, all of it on the disk. `contents`: where the content of each file is that comes
   * later, as `contentsIn` of another model of the same steps has found it.
   */
  constructor(base: string, contents: readonly (string | null)[] = []) {
    this.#contents = contents;
    const read = (folder: string, nodes: readonly DiskNode[]): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const place = path.join(folder, entry.name);
        if (entry.isDirectory()) {
          const made = nodes.map(() => folderNode());
          nodes.forEach((node, i) => void node.entries?.set(entry.name, made[i] ?? folderNode()));
          read(place, made);
        } else {
          const file: DiskNode = { entries: null, content: place, safe: true };
          for (const node of nodes) node.entries?.set(entry.name, file);
        }
      }
    };
    read(base, [this.#root, this.#seen]);
  }

  /** Takes a step, whose paths are within the folder `of`. */
  take(step: DiskStep, of: string): void {
    if (step.kind === 'sync-all') {
      for (const change of this.#pending) apply(this.#root, change);
      this.#pending = [];
      walk(this.#seen, node => {
        node.safe = true;
      });
      return;
    }
    const own = { ...step, path: path.relative(of, step.path) };
    if ('to' in own) Object.assign(own, { to: path.relative(of, own.to) });
    const known = find(this.#seen, own.path);
    switch (own.kind) {
      case 'write':
        if (known) known.safe = false;
        return;
      case 'sync':
        if (known === null) return;
        known.safe = true;
        if (known.entries) this.#syncNames(own.path);
        return;
      case 'create':
        if (known) {
          known.safe = false;
          return;
        }
        return this.#change(own, this.#makeFile());
      case 'mkdir':
        return this.#change(own, folderNode());
      default:
        return this.#change(own, known);
    }
  }

  /** The place in `folder`, which has all steps behind it, of each file that came; null if it went again. */
  contentsIn(folder: string): (string | null)[] {
    const set = (node: DiskNode, place: string): void => {
      if (node.entries === null) node.content ??= place;
      else for (const [name, child] of node.entries) set(child, path.join(place, name));
    };
    set(this.#seen, folder);
    return this.#made.map(node => node.content);
  }

  #makeFile(): DiskNode {
    const content = this.#contents[this.#made.length] ?? null;
    const node = { entries: null, content, safe: false };
    this.#made.push(node);
    return node;
  }

  /** Writes into `out` what a power cut leaves. Whole files are links to their contents. */
  write(out: string, fate: Fate, random: RandomChoices): void {
    const left = copyOf(this.#root);
    for (const change of this.#pending) {
      if (fate === 'lost' || (fate === 'random' && random.next() < 0.5)) continue;
      apply(left, change);
    }
    writeNode(left, out, node => node.safe || fate === 'kept' || (fate === 'random' && random.next() < 0.5));
  }

  #change(step: DiskStep & { readonly path: string }, node: DiskNode | null): void {
    const names = 'to' in step ? [step.path, step.to] : [step.path];
    const change = { step, node, folders: names.map(name => path.dirname(name)) };
    apply(this.#seen, change);
    this.#pending.push(change);
  }

  /** A folder on the disk has its names there. A rename is one change of both of its folders. */
  #syncNames(folder: string): void {
    const name = folder === '' ? '.' : folder;
    const [done, left] = [true, false].map(is =>
      this.#pending.filter(change => change.folders.includes(name) === is),
    );
    for (const change of done ?? []) apply(this.#root, change);
    this.#pending = left ?? [];
  }
}

function folderNode(): DiskNode {
  return { entries: new Map(), content: null, safe: true };
}

/** Files are shared: their bytes are on the disk or not, whatever names they have there. */
function copyOf(node: DiskNode): DiskNode {
  if (node.entries === null) return node;
  return { ...node, entries: new Map([...node.entries].map(([name, child]) => [name, copyOf(child)])) };
}

function walk(node: DiskNode, see: (node: DiskNode) => void): void {
  see(node);
  for (const child of node.entries?.values() ?? []) walk(child, see);
}

function find(root: DiskNode, name: string): DiskNode | null {
  let at: DiskNode | undefined = root;
  for (const part of name === '' ? [] : name.split('/')) at = at?.entries?.get(part);
  return at ?? null;
}

/** A change that does not fit what is there, since one before it was lost, is lost too. */
function apply(root: DiskNode, { step, node }: NameChange): void {
  if (step.kind === 'sync-all') return;
  const parent = find(root, dirname(step.path))?.entries;
  const name = path.basename(step.path);
  if (!parent) return;
  switch (step.kind) {
    case 'create':
      if (node && !parent.has(name)) parent.set(name, node);
      return;
    case 'mkdir':
      if (!parent.has(name)) parent.set(name, folderNode());
      return;
    case 'remove':
      if (!parent.get(name)?.entries?.size) parent.delete(name);
      return;
    case 'link':
    case 'rename': {
      const found = parent.get(name);
      const target = find(root, dirname(step.to))?.entries;
      const there = target?.get(path.basename(step.to));
      if (!found || !target || there?.entries?.size) return;
      if (step.kind === 'rename') parent.delete(name);
      target.set(path.basename(step.to), found);
      return;
    }
    default:
  }
}

function dirname(name: string): string {
  const folder = path.dirname(name);
  return folder === '.' ? '' : folder;
}

function writeNode(node: DiskNode, place: string, isWhole: (node: DiskNode) => boolean): void {
  if (node.entries !== null) {
    mkdirSync(place, { recursive: true });
    for (const [name, child] of node.entries) writeNode(child, path.join(place, name), isWhole);
  } else if (node.content !== null && isWhole(node)) linkSync(node.content, place);
  else writeFileSync(place, '');
}

/** Files of a folder by name, each by its place on the disk: links to one file are the same. */
export function inodesOf(folder: string): Map<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter(entry => !entry.isDirectory())
      .map(entry => {
        const file = path.join(entry.parentPath, entry.name);
        return [path.relative(folder, file), statSync(file).ino];
      }),
  );
}
