/** What a build makes of rows: the checks, slices and copies of datasets, and dimensions; with their cache keys. */
import path from 'node:path';
import type { Cache, Made, Recipe } from '../cache/cache.ts';
import { referencedDatasets, referencedDimensions } from '../check/check-stage.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { hasErrors } from '../contract/diagnostic.ts';
import { TEXT_FORMATS } from '../format/documents.ts';
import { datasetFolder, dimensionFolder, NO_YEAR } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import type { LakeFile, LakeSlice } from '../lake/lake-files.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import {
  type CopyRun,
  copyByPlace,
  copyByValues,
  type WrittenCopies,
  writeDatasetSlice,
} from '../slice/dataset-rows.ts';
import { type WrittenDimension, writeDimensionRows } from '../slice/dimension-rows.ts';
import type { WrittenRows, WrittenSlice } from '../slice/rows-writer.ts';
import type { ValueTypes } from '../slice/slice-table.ts';
import type { CheckOptions } from './build-input.ts';
import type { Compiled, DatasetPlan, PlacedDimension } from './plan.ts';

export interface Piece {
  /** Identifies its result. For checks, the dataset; null for those of all dimensions. */
  readonly of: Dimension | Dataset | LakeSlice | CopyRun | null;
  /** For progress and messages. */
  readonly what: string;
  /** Null for the checks of all dimensions. */
  readonly contract: Dataset | Dimension | null;
  readonly recipe: Recipe;
  /** Every file that it reads, except dimensions that its rows join. */
  readonly files: readonly LakeFile[];
  /** Time per byte of its files, compared with other pieces; measured on the sample lake. */
  readonly effort: number;
  /** Path in the tree of the folder with its files. */
  readonly folder: string;
  /** Null for checks, which the check stage runs. */
  readonly write: ((input: PieceInput) => Promise<Made<unknown>>) | null;
}

export interface PieceInput {
  readonly session: Session;
  readonly types: ValueTypes;
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly folder: string;
  /** Number of rows of its files. */
  readonly rows: number;
}

/** The results of pieces. `slice`, `copies` and `dimension` throw if there is no such piece. */
export class MadePieces {
  /** Folder of the files, each at its path in the tree; null: they stay in the cache. */
  readonly #folder: string | null;
  readonly #cache: Cache;
  /** By what the piece is `of`. */
  readonly #made = new Map<Piece['of'], unknown>();

  constructor(cache: Cache, folder: string | null) {
    this.#cache = cache;
    this.#folder = folder;
  }

  readonly slice = (slice: LakeSlice) => this.#get<WrittenSlice>(slice);
  readonly copies = (run: CopyRun) => this.#get<WrittenCopies>(run);
  readonly dimension = (dimension: Dimension) => this.#get<WrittenDimension>(dimension);

  #get<Value>(of: Piece['of']): Value {
    const value = this.#made.get(of);
    if (value === undefined) throw new Error(`A piece was not made: ${JSON.stringify(of)}`);
    // What it is made of says which type it has.
    return value as Value;
  }

  /** Where a file of rows is that has this path in the tree. */
  locate(name: string): string {
    return path.join(this.#folder ?? '', name);
  }

  /** Takes a piece from the cache; false if the cache lacks it. */
  async find({ of, recipe, folder, write }: Piece): Promise<boolean> {
    const value = await this.#cache.find(recipe, this.#placeOf({ folder, write }));
    if (value !== undefined) this.#made.set(of, value);
    return value !== undefined;
  }

  /** Returns the result of a piece, which it makes if the cache lacks it. */
  async make<Value>(piece: Piece, write: (folder: string) => Promise<Made<Value>>): Promise<Value> {
    if (!this.#made.has(piece.of))
      this.#made.set(piece.of, await this.#cache.make(piece.recipe, write, this.#placeOf(piece)));
    return this.#get(piece.of);
  }

  #placeOf({ folder, write }: Pick<Piece, 'folder' | 'write'>): string | null {
    return this.#folder === null || write === null ? null : path.join(this.#folder, folder);
  }
}

type CheckLimits = Pick<CheckOptions, 'ruleSeconds' | 'maxRows'>;

/** A dataset's pieces follow one another, since they read the same files. */
export function piecesOf(plan: Compiled, limits: CheckLimits): Piece[] {
  return [
    dimensionChecksPiece(plan, limits),
    ...plan.dimensions.map(placed => dimensionPiece(placed, plan)),
    ...plan.datasets.flatMap(one => [
      checksPiece(one, plan, limits),
      ...one.runs.map(run => copiesPiece(one, run, plan)),
      ...one.slices.map(slice => slicePiece(one, slice, plan)),
    ]),
  ];
}

function slicePiece(plan: DatasetPlan, slice: LakeSlice, compiled: Compiled): Piece {
  const { year, detail, files } = slice;
  return {
    ...ofDataset(plan),
    of: slice,
    what: [plan.dataset.key, ...(year === NO_YEAR ? [] : [year]), detail].join(' '),
    recipe: rowsRecipe('slice', plan, [slice], compiled),
    files,
    effort: 4,
    write: async input => {
      const value = await writeDatasetSlice(datasetInput(plan, compiled, input), slice, input.rows);
      return { value, files: filesOf(value) };
    },
  };
}

function ofDataset({ dataset }: DatasetPlan) {
  return { contract: dataset, folder: datasetFolder(dataset.domain, dataset.topic) };
}

function datasetInput(plan: DatasetPlan, compiled: Compiled, input: PieceInput) {
  return { ...plan, ...input, ...publication(compiled), contracts: compiled.contracts };
}

function publication({ contracts: { publisher }, inventory: { sample } }: Compiled) {
  return { publisher, sample };
}

/** Relative to the folder. */
function filesOf(written: WrittenSlice): readonly WrittenRows[] {
  return [...TEXT_FORMATS.flatMap(format => written[format]), written.parquet];
}

function copiesPiece(plan: DatasetPlan, run: CopyRun, compiled: Compiled): Piece {
  const { dataset, filtered } = plan;
  const { by, detail, slices } = run;
  const isCopied = new Set(plan.slices.map(slice => slice.year)).size > 1;
  return {
    ...ofDataset(plan),
    of: run,
    what: `${dataset.key} copies of ${detail} by ${by}`,
    recipe: rowsRecipe('copies', plan, slices, compiled, [by, filtered, isCopied]),
    files: filesIn(slices),
    effort: by === 'place' ? 1 : 2,
    write: async given => {
      const input = datasetInput(plan, compiled, given);
      const years = slices.map(slice => ({ year: slice.year, rows: rowsOf([slice], given.shapes) }));
      const value =
        by === 'place'
          ? await copyByPlace(input, run, years, isCopied)
          : await copyByValues(input, run, filtered, given.rows);
      return { value, files: value.copies.map(copy => copy.file) };
    },
  };
}

/** Rules may read other datasets and dimensions. Results name the contract's file, so it's an input. */
function checksPiece(plan: DatasetPlan, compiled: Compiled, limits: CheckLimits): Piece {
  const { dataset, slices: own } = plan;
  const { contracts, inventory } = compiled;
  const others = referencedDatasets(dataset, contracts);
  const slices = [...own, ...others.flatMap(({ key }) => inventory.slices.get(key) ?? [])];
  const dimensions = [
    ...joinedBy(dataset),
    ...referencedDimensions(dataset, contracts).map(({ key }) => key),
  ];
  const inputs = [
    [dataset.source.file, dataset.source.text],
    [dataset.years, dataset.levels, [...dataset.levelYears]],
    others.map(other => [other.key, other.source.text]),
    [limits.ruleSeconds, limits.maxRows],
  ];
  return {
    ...ofDataset(plan),
    of: dataset,
    what: dataset.key,
    recipe: recipeOf('checks', compiled, { slices, dimensions }, inputs),
    files: filesIn(slices),
    effort: 2,
    write: null,
  };
}

function dimensionPiece(placed: PlacedDimension, compiled: Compiled): Piece {
  const { dimension, file, boundaries, home } = placed;
  const { publisher, sample } = publication(compiled);
  const dimensions = [dimension.key];
  const recipe = recipeOf('dimension', compiled, { slices: [], dimensions }, [publisher, sample]);
  return {
    of: dimension,
    what: dimension.key,
    contract: dimension,
    recipe: { ...recipe, files: boundaries === null ? recipe.files : [...recipe.files, boundaries] },
    files: [file],
    effort: 4,
    folder: dimensionFolder(home, dimension.name),
    write: async input => {
      const value = await writeDimensionRows({ ...input, dimension, file, boundaries, publisher, sample });
      return { value, files: filesOf(value), keep: !hasErrors(value.diagnostics) };
    },
  };
}

function dimensionChecksPiece(compiled: Compiled, limits: CheckLimits): Piece {
  const all = compiled.contracts.dimensions;
  const inputs = [[...all.values()].map(({ source }) => source.file), [limits.ruleSeconds, limits.maxRows]];
  const recipe = recipeOf('dimension checks', compiled, { slices: [], dimensions: [...all.keys()] }, inputs);
  return {
    ...{ of: null, contract: null, folder: '', write: null },
    ...{ what: 'the dimensions', recipe, files: recipe.files, effort: 1 },
  };
}

/** Something that is made of published rows: of `slices`, and of the dimensions that they join. */
export function rowsRecipe(
  what: string,
  { dataset, keyColumns }: DatasetPlan,
  slices: readonly LakeSlice[],
  compiled: Compiled,
  more: unknown = null,
): Recipe {
  const { publisher, sample } = publication(compiled);
  const inputs = [dataset.source.text, keyColumns, publisher, sample, more];
  return recipeOf(what, compiled, { slices, dimensions: joinedBy(dataset) }, inputs);
}

function joinedBy({ foreignKeys }: Dataset): string[] {
  return foreignKeys.map(key => key.dimension);
}

interface Read {
  readonly slices: readonly LakeSlice[];
  /** Keys of dimensions; the lake may lack some. */
  readonly dimensions: readonly string[];
}

/** Reads the files of slices, and the files and contracts of dimensions. */
function recipeOf(
  what: string,
  { contracts, inventory }: Compiled,
  { slices, dimensions }: Read,
  inputs: readonly unknown[],
): Recipe {
  const keys = [...new Set(dimensions)].sort();
  const texts = keys.map(key => [key, contracts.dimensions.get(key)?.source.text]);
  // Which files are which slice's.
  const names = slices.map(({ year, detail, files }) => [year, detail, files.map(file => file.path)]);
  const files = keys.flatMap(key => inventory.dimensions.get(key) ?? []);
  return { what, inputs: [texts, names, ...inputs], files: [...files, ...filesIn(slices)] };
}

function filesIn(slices: readonly LakeSlice[]): LakeFile[] {
  return slices.flatMap(slice => slice.files);
}

/** Every file of the lake that the pieces are made from, once, sorted by path. */
export function neededFiles(pieces: readonly Piece[]): LakeFile[] {
  const files = new Set(pieces.flatMap(({ recipe }) => recipe.files));
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}
