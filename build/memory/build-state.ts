/** What the last build knew of its inputs, so that the next one does only what changed. Kept beside the tree. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RuleCounts } from '../format/documents.ts';
import { listFiles } from '../lake/lake-files.ts';
import type { KnownContents } from './file-contents.ts';

/** Version of the program as far as it decides bytes; part of every digest. */
export const PROGRAM = 'civic 0.7.0';

export interface BuildState {
  /** Of everything that the build read and was told. */
  readonly inputs: string;
  /** Of every file of the tree: name, size, time. */
  readonly outputs: string;
  readonly summary: StoredSummary;
  /** By dataset key. */
  readonly datasets: Readonly<Record<string, DatasetState>>;
  /** Recipe of the dimensions. */
  readonly dimensions: string;
  /** Absent where a rule on the dimensions warned or was skipped: it has to say so again. */
  readonly passedDimensions?: PassedDimensions;
  /** Names of the files that were written beside the tree for its host. */
  readonly hostFiles?: readonly string[];
  /** Of the lake's files that were read. */
  readonly contents?: KnownContents;
}

/** Dimensions that pass every rule. */
export interface PassedDimensions {
  /** Of their contracts and rows. */
  readonly inputs: string;
  readonly rules: RuleCounts;
}

export interface StoredSummary {
  readonly release: string;
  readonly datasets: number;
  readonly rows: number;
  readonly files: number;
  /** Of a tree that is built for a host. */
  readonly host?: HostSummary;
}

/** What a host gets, beside what its limits are. */
export interface HostSummary {
  readonly name: string;
  /** Of the whole tree. */
  readonly bytes: number;
  /** Slices whose JSON or CSV is left out, and levels without a history. */
  readonly leftOut: Readonly<Record<'json' | 'csv' | 'history', number>>;
  /** Folder of the files that whoever deploys needs; null where there are none. */
  readonly folder: string | null;
}

export interface DatasetState {
  /** Of all that slices depend on besides their own rows. */
  readonly recipe: string;
  /** Of what rules read besides the dataset's own rows and the dimensions that it joins. */
  readonly references: string;
  /** Fingerprint of the lake files of each `year/level`. */
  readonly slices: Readonly<Record<string, string>>;
  /** Present where a rule warned or was skipped: it has to say so again, or to stop a stricter build. */
  readonly noticed?: true;
}

export async function readState(file: string): Promise<BuildState | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BuildState;
  } catch {
    // No state, or a broken one, only means that everything is built.
    return null;
  }
}

export async function writeState(file: string, state: BuildState): Promise<void> {
  await writeFile(file, `${JSON.stringify(state)}\n`);
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** A file of a tree as the disk has it. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was changed, in milliseconds since 1970. */
  readonly modified: number;
}

/** Names, sizes and times of all files of a tree; null where there is none. */
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

/** In whatever order. */
export function digestOutputs(files: readonly OutputFile[]): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return digestOf(sorted.map(({ path: name, bytes, modified }) => [name, bytes, modified]));
}
