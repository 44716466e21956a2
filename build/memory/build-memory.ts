/**
 * Everything that a build remembers of the last one, in the workspace next to the tree. It decides how much work a build
 * does, never what the tree holds: if it is missing, damaged or from another version, the build does more.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ContractFile } from '../contract/parse-contracts.ts';
import {
  type BuildState,
  type DatasetState,
  digestOf,
  PROGRAM,
  readState,
  writeState,
} from './build-state.ts';
import { FileContents } from './file-contents.ts';
import type { CheckMemory } from './kept-counts.ts';

/** Where a build keeps its memory: files and folders of its workspace. */
interface MemoryPlace {
  readonly folder: string;
  readonly state: string;
  readonly checks: string;
  readonly temporary: string;
}

export class BuildMemory {
  /** The last build's note of its inputs and its tree; null without a readable note. */
  readonly last: BuildState | null;
  /** Hashes of the lake's files. */
  readonly contents: FileContents;
  readonly #place: MemoryPlace;

  private constructor(place: MemoryPlace, last: BuildState | null) {
    this.#place = place;
    this.last = last;
    this.contents = new FileContents(last?.contents);
  }

  static async open(place: MemoryPlace): Promise<BuildMemory> {
    return new BuildMemory(place, await readState(place.state));
  }

  /** Notes what is published now. Without the note, the next build does everything. */
  async note(state: BuildState): Promise<void> {
    const { state: file } = this.#place;
    await writeState(file, state).catch(() => rm(file, { force: true }));
  }

  /** The contracts as `parse` reads them: reading thirty of them again takes a third of a build with one changed slice. */
  contracts<Parsed>(
    files: readonly ContractFile[],
    parse: (files: readonly ContractFile[]) => Parsed,
  ): Parsed {
    const file = path.join(this.#place.folder, 'contracts.v8');
    const key = digestOf([PROGRAM, process.version, files]);
    const kept = readSealed(file, key);
    if (kept !== null) return deserialize(kept) as Parsed;
    const parsed = parse(files);
    try {
      writeFileSync(file, seal(serialize(parsed), key));
    } catch {
      // The next build reads the contracts again.
    }
    return parsed;
  }

  /** The folder of a dataset's last counts, and a folder for the new ones. */
  countsOf(dataset: string, { recipe, slices }: DatasetState): CheckMemory {
    const { checks, temporary } = this.#place;
    return {
      from: path.join(checks, dataset),
      to: path.join(temporary, 'checks', dataset),
      recipe,
      fingerprints: slices,
    };
  }

  /** Replaces the last counts with the new ones. Call it once the lake proves unchanged since the checks began. */
  async keepCounts({ from, to }: CheckMemory): Promise<void> {
    await rm(from, { recursive: true, force: true });
    await mkdir(path.dirname(from), { recursive: true });
    await rename(to, from).catch(() => undefined);
  }
}

/** Bytes of SHA-256. */
const SEAL = 32;

/** `value` behind a digest of it and of the key under which it is kept. */
function seal(value: Uint8Array, key: string): Buffer {
  return Buffer.concat([createHash('sha256').update(key).update(value).digest(), value]);
}

/** Null if there is no such file, or it is damaged or kept under another key. */
function readSealed(file: string, key: string): Buffer | null {
  try {
    const bytes = readFileSync(file);
    const value = bytes.subarray(SEAL);
    return seal(value, key).equals(bytes) ? value : null;
  } catch {
    return null;
  }
}
