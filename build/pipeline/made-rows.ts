/** Makes the pieces of a build, or finds them in the cache. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Cache, Made } from '../cache/cache.ts';
import type { MakeChecked } from '../check/check-stage.ts';
import type { CheckedDataset } from '../check/dataset-checks.ts';
import type { Dataset } from '../contract/dataset.ts';
import { hasErrors } from '../contract/diagnostic.ts';
import { UnableError } from '../failure.ts';
import { datasetFolder, dimensionFolder } from '../format/paths.ts';
import type { CheckOptions } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { sliceName } from '../lake/inventory.ts';
import { fingerprintOf, type LakeFile } from '../lake/lake-files.ts';
import { runName } from '../plan/copy-runs.ts';
import { dimensionChecksRecipe } from '../plan/dataset-plan.ts';
import {
  PIECE_NAME,
  type Piece,
  pieceName,
  pieceRecipe,
  pieceSlices,
  type WrittenRowsOf,
} from '../plan/pieces.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { WrittenCopies } from '../slice/copy-writer.ts';
import type { WrittenSlice } from '../slice/rows-writer.ts';
import { filesOf, type RowsKeeper, type WrittenDimension } from '../slice/slice-stage.ts';

export interface PiecesInput {
  readonly options: CheckOptions;
  readonly compiled: Compiled;
  readonly plan: Pick<TreePlan, 'datasets' | 'dimensions'>;
  /** What to make, or to find: all pieces of the plan, or a share. */
  readonly pieces: readonly Piece[];
  readonly cache: Cache;
  /** Folder for the files of rows; null leaves them in the cache. */
  readonly made: string | null;
}

/** What the pieces of a build made, from the cache or from the lake. */
export class MadeRows implements RowsKeeper {
  readonly slices = new Map<string, Map<string, WrittenSlice>>();
  readonly copies = new Map<string, Map<string, WrittenCopies>>();
  readonly dimensions = new Map<string, WrittenDimension>();
  /** The datasets whose rules belong to these pieces. */
  readonly checkedDatasets: readonly Dataset[];
  readonly #input: PiecesInput;
  readonly #pieces: ReadonlyMap<string, Piece>;
  readonly #checks = new Map<string, CheckedDataset>();

  constructor(input: PiecesInput) {
    this.#input = input;
    this.#pieces = new Map(input.pieces.map(piece => [pieceName(piece), piece]));
    this.checkedDatasets = input.pieces.flatMap(one => (one.kind === 'checks' ? [one.plan.dataset] : []));
    for (const { dataset } of input.plan.datasets) {
      this.slices.set(dataset.key, new Map());
      this.copies.set(dataset.key, new Map());
    }
  }

  get written(): WrittenRowsOf {
    const { slices, copies, dimensions } = this;
    return { folder: this.#input.made ?? '', slices, copies, dimensions };
  }

  /** Takes what the cache has, and returns the other pieces. */
  async findAll(): Promise<Piece[]> {
    const { cache, compiled, options, made, pieces } = this.#input;
    const lacking: Piece[] = [];
    for (const piece of pieces) {
      const folder = folderOf(piece);
      const into = made === null || folder === null ? null : path.join(made, folder);
      const value = await cache.find(pieceRecipe(piece, compiled, options), into);
      if (value === undefined) lacking.push(piece);
      else this.#take(piece, value);
      // Hashing the files of a large tree takes a while.
      await setImmediate();
    }
    return lacking;
  }

  slice: RowsKeeper['slice'] = (dataset, slice, write) =>
    this.#make(PIECE_NAME.slice(dataset.key, slice), async folder => {
      const value = await write(folder);
      return { value, files: filesOf(value) };
    });

  copiesOf: RowsKeeper['copiesOf'] = (dataset, run, write) =>
    this.#make(PIECE_NAME.copies(dataset.key, run), async folder => {
      const value = await write(folder);
      return { value, files: value.copies.map(copy => copy.file) };
    });

  dimension: RowsKeeper['dimension'] = (key, write) =>
    this.#make(PIECE_NAME.dimension(key), async folder => {
      const value = await write(folder);
      return { value, files: filesOf(value), keep: !hasErrors(value.diagnostics) };
    });

  makeChecked: MakeChecked = async <Value>(
    subject: Dataset | null,
    check: () => Promise<Value>,
    isSound: (value: Value) => boolean,
  ) => {
    const { compiled, options, cache } = this.#input;
    const found = subject && this.#checks.get(subject.key);
    // The type of a result follows from its subject.
    if (found) return found as Value;
    const piece = subject && this.#pieces.get(PIECE_NAME.checks(subject.key));
    const recipe = piece ? pieceRecipe(piece, compiled, options) : dimensionChecksRecipe(compiled, options);
    const files = piece
      ? pieceSlices(piece, compiled).flatMap(slice => slice.files)
      : [...compiled.inventory.dimensions.values()];
    return cache.make(recipe, async () => {
      const value = await check();
      expectUnchanged(files);
      return { value, files: [], keep: isSound(value) };
    });
  };

  async #make<Value>(name: string, write: (folder: string) => Promise<Made<Value>>): Promise<void> {
    const { cache, compiled, options, made } = this.#input;
    const piece = this.#pieces.get(name);
    if (piece === undefined) throw new Error(`${name} is no piece of this build.`);
    const read =
      piece.kind === 'dimension'
        ? [piece.placed.file]
        : pieceSlices(piece, compiled).flatMap(one => one.files);
    const value = await cache.make(
      pieceRecipe(piece, compiled, options),
      async folder => {
        const result = await write(folder);
        expectUnchanged(read);
        return result;
      },
      made && path.join(made, folderOf(piece) ?? ''),
    );
    this.#take(piece, value);
  }

  #take(piece: Piece, value: unknown): void {
    switch (piece.kind) {
      case 'dimension':
        this.dimensions.set(piece.placed.dimension.key, value as WrittenDimension);
        return;
      case 'checks':
        this.#checks.set(piece.plan.dataset.key, value as CheckedDataset);
        return;
      case 'slice':
        this.slices.get(piece.plan.dataset.key)?.set(sliceName(piece.slice), value as WrittenSlice);
        return;
      case 'place':
      case 'values':
        this.copies.get(piece.plan.dataset.key)?.set(runName(piece.run), value as WrittenCopies);
        return;
      default:
        piece satisfies never;
    }
  }
}

/** The folder of the tree to which a piece's files are relative; null for a piece without files. */
function folderOf(piece: Piece): string | null {
  if (piece.kind === 'checks') return null;
  if (piece.kind === 'dimension') return dimensionFolder(piece.placed.home, piece.placed.dimension.name);
  const { domain, topic } = piece.plan.dataset;
  return datasetFolder(domain, topic);
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
