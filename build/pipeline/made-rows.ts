/** Makes the pieces of a build, or finds them in the cache. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Cache, Made } from '../cache/cache.ts';
import type { MakeChecked } from '../check/check-stage.ts';
import type { Dataset } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { UnableError } from '../failure.ts';
import { datasetFolder, dimensionFolder } from '../format/paths.ts';
import type { CheckOptions } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { Database, DatabaseOptions } from '../lake/database.ts';
import { sliceName } from '../lake/inventory.ts';
import type { Lake } from '../lake/lake.ts';
import { fingerprintOf, type LakeFile } from '../lake/lake-files.ts';
import { runName } from '../plan/dataset-plan.ts';
import { dimensionChecks, type Piece, type WrittenRowsOf } from '../plan/pieces.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import type { WrittenCopies } from '../slice/dataset-rows.ts';
import type { WrittenDimension } from '../slice/dimension-rows.ts';
import type { WrittenSlice } from '../slice/rows-writer.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface RowsStageInput {
  readonly options: CheckOptions;
  readonly compiled: Compiled;
  readonly plan: Pick<TreePlan, 'datasets' | 'dimensions'>;
  /** What to make, or to find: all pieces of the plan, or a share. */
  readonly pieces: readonly Piece[];
  readonly cache: Cache;
  /** Folder for the files of rows; null leaves them in the cache. */
  readonly made: string | null;
  readonly lake: Lake;
  readonly clock: Stopwatch;
  /** The database that writes rows. Its tables stay for the stages that follow. */
  readonly database: Database;
  /** Limits of all databases together. */
  readonly limits: DatabaseOptions;
  readonly report: Reporter;
}

/** What the pieces of a build made, from the cache or from the lake. */
export class MadeRows {
  readonly #input: RowsStageInput;
  /** By kind and name. */
  readonly #made = new Map<string, unknown>();

  constructor(input: RowsStageInput) {
    this.#input = input;
  }

  get written(): WrittenRowsOf {
    const find = <Value>(name: string) => {
      const value = this.#made.get(name);
      if (value === undefined) throw new Error(`${name} was not made.`);
      // The type follows from the kind.
      return value as Value;
    };
    return {
      folder: this.#input.made ?? '',
      slice: (dataset, slice) => find<WrittenSlice>(`slice ${dataset} ${sliceName(slice)}`),
      copies: (dataset, run) => find<WrittenCopies>(`copies ${dataset} ${runName(run)}`),
      dimension: key => find<WrittenDimension>(`dimension ${key}`),
    };
  }

  /** What is wrong with the shapes of dimensions. */
  get diagnostics(): Diagnostic[] {
    const { written } = this;
    return this.#input.pieces.flatMap(piece =>
      piece.kind === 'dimension' ? written.dimension(piece.placed.dimension.key).diagnostics : [],
    );
  }

  /** Takes what the cache has, and returns the other pieces. */
  async findAll(): Promise<Piece[]> {
    const { cache, pieces } = this.#input;
    const lacking: Piece[] = [];
    for (const piece of pieces) {
      const value = await cache.find(piece.recipe, this.#placeOf(piece));
      if (value === undefined) lacking.push(piece);
      else this.#made.set(nameOf(piece), value);
      // Hashing the files of a large tree takes a while.
      await setImmediate();
    }
    return lacking;
  }

  async make(piece: Piece, write: (folder: string) => Promise<Made<unknown>>): Promise<void> {
    const unchanged = async (folder: string) => {
      const result = await write(folder);
      expectUnchanged(piece.files);
      return result;
    };
    const value = await this.#input.cache.make(piece.recipe, unchanged, this.#placeOf(piece));
    this.#made.set(nameOf(piece), value);
  }

  makeChecked: MakeChecked = async <Value>(
    subject: Dataset | null,
    check: () => Promise<Value>,
    isSound: (value: Value) => boolean,
  ) => {
    const { compiled, options, cache, pieces } = this.#input;
    const found = subject && this.#made.get(`checks ${subject.key}`);
    // The type of a result follows from its subject.
    if (found) return found as Value;
    const piece = pieces.find(one => one.kind === 'checks' && one.plan.dataset === subject);
    const { recipe, files } = piece ?? dimensionChecks(compiled, options);
    return cache.make(recipe, async () => {
      const value = await check();
      expectUnchanged(files);
      return { value, files: [], keep: isSound(value) };
    });
  };

  /** The folder on this machine for a piece's files; null for a piece without files, and if they stay in the cache. */
  #placeOf(piece: Piece): string | null {
    const { made } = this.#input;
    if (made === null || piece.kind === 'checks') return null;
    if (piece.kind === 'dimension')
      return path.join(made, dimensionFolder(piece.placed.home, piece.placed.dimension.name));
    const { domain, topic } = piece.plan.dataset;
    return path.join(made, datasetFolder(domain, topic));
  }
}

function nameOf(piece: Piece): string {
  switch (piece.kind) {
    case 'dimension':
      return `dimension ${piece.placed.dimension.key}`;
    case 'checks':
      return `checks ${piece.plan.dataset.key}`;
    case 'slice':
      return `slice ${piece.plan.dataset.key} ${sliceName(piece.slice)}`;
    case 'place':
    case 'values':
      return `copies ${piece.plan.dataset.key} ${runName(piece.run)}`;
    default:
      return piece satisfies never;
  }
}

/** What was read from a file that changed meanwhile is not kept: its key names the bytes from before. */
function expectUnchanged(files: readonly LakeFile[]): void {
  for (const { absolute, fingerprint, content, path: name } of files) {
    // Copies of a bucket's objects, and tables that the build prepared, do not change.
    if (content !== undefined) continue;
    const info = statSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (info !== undefined && fingerprintOf(info) === fingerprint) continue;
    throw new UnableError(
      'lake-changed',
      `${name} changed while the build read it. Nothing was published. Build again when no program writes to it.`,
    );
  }
}
