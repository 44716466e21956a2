/** The note of a build's inputs and outputs, kept next to the tree. The next build does only what has changed since. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RuleCounts } from '../format/documents.ts';
import { listFiles } from '../lake/lake-files.ts';
import type { KnownContents } from './file-contents.ts';

/** Version of the program; raise it when published bytes change. Every digest contains it. */
export const PROGRAM = 'civic 0.12.0';

export interface BuildState {
  /** Digest of everything that the build read, and of its options. */
  readonly inputs: string;
  /** Digest of the name, size and time of every file of the tree. */
  readonly outputs: string;
  readonly summary: StoredSummary;
  /** By dataset key. */
  readonly datasets: Readonly<Record<string, DatasetState>>;
  /** Digest of everything that the files of the dimensions depend on. */
  readonly dimensions: string;
  /** Absent if a rule on the dimensions warned or was skipped: the next build must report it again. */
  readonly passedDimensions?: PassedDimensions;
  /** Names of the host's files next to the tree. */
  readonly hostFiles?: readonly string[];
  /** The log of releases that the build left; absent without one. */
  readonly log?: KnownLog;
  /** Hashes of the lake's files that the build read. */
  readonly contents?: KnownContents;
}

export interface KnownLog {
  /** Name of the log's key. */
  readonly origin: string;
  /** Number of releases. */
  readonly size: number;
  /** Root hash over them, lower-case hexadecimal. */
  readonly root: string;
}

/** Dimensions that pass every rule. */
export interface PassedDimensions {
  /** Digest of their contracts and rows. */
  readonly inputs: string;
  readonly rules: RuleCounts;
}

export interface StoredSummary {
  readonly release: string;
  readonly datasets: number;
  readonly rows: number;
  readonly files: number;
  /** Present for a tree that is built for a host. */
  readonly host?: HostSummary;
}

/** The tree that a host gets. */
export interface HostSummary {
  readonly name: string;
  /** Size of the whole tree. */
  readonly bytes: number;
  /** Numbers of slices without JSON, of slices without CSV, and of copies left out. */
  readonly leftOut: Readonly<Record<'json' | 'csv' | 'copies', number>>;
  /** Folder of the files that a deployment needs in addition; null if it needs none. */
  readonly folder: string | null;
}

export interface DatasetState {
  /** Digest of everything that slices depend on, except their own rows. */
  readonly recipe: string;
  /** Digest of what rules read, except the dataset's own rows and the dimensions that it joins. */
  readonly references: string;
  /** Fingerprint of the lake's files, by `year/level`. */
  readonly slices: Readonly<Record<string, string>>;
  /** Names of the runs of years that were copied, or are worth no copy. */
  readonly runs?: readonly string[];
  /** Present if rows raised a warning or a rule was skipped: the next build must say so again, and --strict refuses it. */
  readonly noticed?: true;
}

export async function readState(file: string): Promise<BuildState | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BuildState;
  } catch {
    // Without a readable note, the build does everything.
    return null;
  }
}

export async function writeState(file: string, state: BuildState): Promise<void> {
  await writeFile(file, `${JSON.stringify(state)}\n`);
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** A file of a tree on the disk. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  /** Time of its last change, in milliseconds since 1970. */
  readonly modified: number;
}

/** Digest of the names, sizes and times of all files of a tree; null without a tree. */
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

/** The order of the files does not matter. */
export function digestOutputs(files: readonly OutputFile[]): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return digestOf(sorted.map(({ path: name, bytes, modified }) => [name, bytes, modified]));
}
