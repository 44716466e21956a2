/**
 * All that a build remembers of the one before it, in the workspace beside the tree. It decides how much a build has to
 * do, never what the tree holds: where anything is missing, damaged or of another program, the build does more.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { CheckMemory } from '../check/check-memory.ts';
import { type ContractFile, type ParsedContracts, parseContracts } from '../contract/parse-contracts.ts';
import {
  type BuildState,
  type DatasetState,
  digestOf,
  PROGRAM,
  readState,
  writeState,
} from './build-state.ts';
import { FileContents } from './file-contents.ts';
import type { Workspace } from './workspace.ts';

export class BuildMemory {
  /** What the last build noted of its inputs and its tree; null where that is not known. */
  readonly last: BuildState | null;
  /** What files of the lake hold. */
  readonly contents: FileContents;
  /** File of the sizes that were estimated for a host. */
  readonly estimates: string;
  readonly #workspace: Workspace;

  private constructor(workspace: Workspace, last: BuildState | null) {
    this.#workspace = workspace;
    this.last = last;
    this.estimates = path.join(workspace.folder, 'estimates.json');
    this.contents = new FileContents(last?.contents);
  }

  static async open(workspace: Workspace): Promise<BuildMemory> {
    return new BuildMemory(workspace, await readState(workspace.state));
  }

  /** Notes what is published now; without the note the next build does everything. */
  async note(state: BuildState): Promise<void> {
    const { state: file } = this.#workspace;
    await writeState(file, state).catch(() => rm(file, { force: true }));
  }

  /** The compiled contracts. To compile thirty of them takes as long as to make several slices. */
  contracts(files: readonly ContractFile[]): ParsedContracts {
    const file = path.join(this.#workspace.folder, 'contracts.v8');
    const key = digestOf([PROGRAM, process.version, files]);
    try {
      const kept = deserialize(readFileSync(file)) as { key: string; parsed: ParsedContracts };
      if (kept.key === key) return kept.parsed;
    } catch {
      // There is none yet, or it is damaged.
    }
    const parsed = parseContracts(files);
    try {
      writeFileSync(file, serialize({ key, parsed }));
    } catch {
      // Then the next build compiles them again.
    }
    return parsed;
  }

  /** What the checks counted of a dataset last, and a folder for what they count now. */
  countsOf(dataset: string, { recipe, slices }: DatasetState): CheckMemory {
    const { checks, temporary } = this.#workspace;
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
