/**
 * All that a build remembers of the one before it, in the workspace beside the tree. It decides how much a build has to
 * do, never what the tree holds: where anything is missing, damaged or of another program, the build does more.
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
  /** What the last build noted of its inputs and its tree; null where that is not known. */
  readonly last: BuildState | null;
  /** What files of the lake hold. */
  readonly contents: FileContents;
  /** File of the sizes that were estimated for a host. */
  readonly estimates: string;
  readonly #place: MemoryPlace;

  private constructor(place: MemoryPlace, last: BuildState | null) {
    this.#place = place;
    this.last = last;
    this.estimates = path.join(place.folder, 'estimates.json');
    this.contents = new FileContents(last?.contents);
  }

  static async open(place: MemoryPlace): Promise<BuildMemory> {
    return new BuildMemory(place, await readState(place.state));
  }

  /** Notes what is published now; without the note the next build does everything. */
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

  /** What the checks counted of a dataset last, and a folder for what they count now. */
  countsOf(dataset: string, { recipe, slices }: DatasetState): CheckMemory {
    const { checks, temporary } = this.#place;
    return {
      from: path.join(checks, dataset),
      to: path.join(temporary, 'checks', dataset),
      recipe,
      fingerprints: slices,
    };
  }

  /** Keeps what the checks counted now, once the lake is known to have stood still meanwhile. */
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
