/** The note of the last build's inputs and tree, next to the tree. A build with the same inputs has nothing to do. */
import { statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TextFormat } from '../format/documents.ts';
import { type LakeFile, listFiles } from '../lake/lake-files.ts';
import { digestFile } from '../slice/file-digest.ts';
import { digestOf } from './cache.ts';

export interface BuildNote {
  /** Digest of everything that the build read and of its options. */
  readonly inputs: string;
  /** Digest of the name, size and time of every file of the tree. */
  readonly outputs: string;
  readonly summary: StoredSummary;
  /** Names of the host's files next to the tree. */
  readonly hostFiles: readonly string[];
  /** The tree's log of releases, if it has one. */
  readonly log?: KnownLog;
  /** Hashes of the lake's files, so that rewritten files with the same bytes count as unchanged. */
  readonly contents: KnownContents;
}

export interface KnownLog {
  /** Name of the log's key. */
  readonly origin: string;
  /** Number of releases. */
  readonly size: number;
  /** Root hash over them, lower-case hexadecimal. */
  readonly root: string;
}

export interface StoredSummary {
  readonly release: string;
  readonly datasets: number;
  readonly rows: number;
  readonly files: number;
  readonly host?: HostSummary;
}

export interface HostSummary {
  readonly name: string;
  /** Size of the tree. */
  readonly bytes: number;
  /** Numbers of slices without a text format, and of left-out copies. */
  readonly leftOut: Readonly<Record<TextFormat | 'copies', number>>;
  /** Folder of further files that a deployment needs; null if it needs none. */
  readonly folder: string | null;
}

/** Null if there is no readable note. */
export async function readNote(file: string): Promise<BuildNote | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BuildNote;
  } catch {
    return null;
  }
}

/** If this fails, there is no note, and the next build does everything. */
export async function writeNote(file: string, note: BuildNote): Promise<void> {
  await writeFile(file, `${JSON.stringify(note)}\n`).catch(() => rm(file, { force: true }));
}

/** A file of a tree on the disk. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
}

/** Digest of the names, sizes and times of all files of a tree; null if there is no tree. */
export async function outputsDigest(folder: string): Promise<string | null> {
  try {
    return digestOutputs(
      listFiles(folder).map(name => {
        const { size, mtimeMs } = statSync(path.join(folder, name));
        return { path: name, bytes: size, modified: mtimeMs };
      }),
    );
  } catch {
    return null;
  }
}

/** The order of the files doesn't matter. */
export function digestOutputs(files: readonly OutputFile[]): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return digestOf(sorted.map(({ path: name, bytes, modified }) => [name, bytes, modified]));
}

/** Returns the same text for files with the same bytes. */
export type ContentOf = (file: LakeFile) => string;

interface KnownContent {
  readonly fingerprint: string;
  readonly content: string;
}

/** Hashes by path. */
export type KnownContents = Readonly<Record<string, KnownContent>>;

/** Identifies a file by its size, times and inode, without reading it. */
export const byFingerprint: ContentOf = file => file.fingerprint;

/** Remembers the hash of each file until the file may have changed. */
export class FileContents {
  readonly #known: Map<string, KnownContent>;

  constructor(known: KnownContents = {}) {
    this.#known = new Map(Object.entries(known));
  }

  /** The SHA-256 of a file, or its identifier in a bucket's listing. */
  of(file: LakeFile): string {
    const { path, fingerprint } = file;
    const known = this.#knownOf(file);
    if (known !== undefined) return known.content;
    const content = file.content ?? hashOf(file);
    this.#known.set(path, { fingerprint, content });
    return content;
  }

  /** Reads the files that may have changed, and reports each. */
  async read(
    files: readonly LakeFile[],
    onRead: (done: number, total: number, what: string) => void,
  ): Promise<void> {
    const changed = files.filter(file => this.#knownOf(file) === undefined);
    for (const [index, file] of changed.entries()) {
      this.of(file);
      onRead(index + 1, changed.length, file.path);
      // Lets the terminal draw the progress.
      await setImmediate();
    }
  }

  /** The hash of a file that an earlier build read; the fingerprint of others, which a build may never read. */
  recalled(file: LakeFile): string {
    return this.#known.has(file.path) ? this.of(file) : file.fingerprint;
  }

  /** Undefined if the file may have changed. */
  #knownOf({ path, fingerprint }: LakeFile): KnownContent | undefined {
    const known = this.#known.get(path);
    return known?.fingerprint === fingerprint ? known : undefined;
  }

  /** The known hashes of these files. */
  among(files: readonly LakeFile[]): KnownContents {
    return Object.fromEntries(
      files.flatMap(file => {
        const known = this.#knownOf(file);
        return known === undefined ? [] : [[file.path, known]];
      }),
    );
  }
}

/** The fingerprint if the file is unreadable; the checks report it then. */
function hashOf(file: LakeFile): string {
  try {
    return digestFile(file.absolute).sha256;
  } catch {
    return file.fingerprint;
  }
}
