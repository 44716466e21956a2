/** The note of the last build's inputs and tree, next to the tree. A build with the same inputs has nothing to do. */
import { existsSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TextFormat } from '../format/documents.ts';
import { listFiles } from '../lake/lake-files.ts';
import { digestOf } from './cache.ts';

export interface BuildNote {
  /** Digest of everything that the build read and of its options. */
  readonly inputs: string;
  /** Digest of the names, sizes and times of all files of the tree, and of its host's folder. */
  readonly outputs: string;
  readonly summary: StoredSummary;
  /** Names of the host's files next to the tree. */
  readonly hostFiles: readonly string[];
  /** The tree's log of releases; null if it has none. */
  readonly log: KnownLog | null;
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

/** Digest of the names, sizes and times of all files of a folder, which needn't exist. */
export function outputsDigest(folder: string): string {
  const names = existsSync(folder) ? listFiles(folder) : [];
  return digestOf(
    names.map(name => {
      const info = statSync(path.join(folder, name), { throwIfNoEntry: false });
      return [name, info?.size, info?.mtimeMs];
    }),
  );
}
