/** What a build makes of rows: the checks, slices and copies of datasets, and dimensions; with their cache keys. */
import type { Made, Recipe } from '../cache/cache.ts';
import { referencedDatasets, referencedDimensions } from '../check/check-stage.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { hasErrors } from '../contract/diagnostic.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import { type Holdings, holdingsOf } from '../contract/years-and-levels.ts';
import { TEXT_FORMATS } from '../format/documents.ts';
import { datasetFolder, dimensionFolder, NO_YEAR } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import {
  type CopyRun,
  copyByPlace,
  copyByValues,
  filteredColumns,
  type WrittenCopies,
  writeDatasetSlice,
} from '../slice/dataset-rows.ts';
import { type WrittenDimension, writeDimensionRows } from '../slice/dimension-rows.ts';
import { publishedColumns } from '../slice/row-columns.ts';
import type { WrittenRows, WrittenSlice } from '../slice/rows-writer.ts';
import type { ValueTypes } from '../slice/slice-table.ts';
import type { CheckOptions } from './build-input.ts';
import type { Compiled } from './compiled-input.ts';

export interface DatasetPlan {
  readonly dataset: Dataset;
  /** Sorted by year, then level. */
  readonly slices: readonly LakeSlice[];
  readonly holdings: Holdings;
  readonly runs: readonly CopyRun[];
  /** Columns by which readers find rows, in each file. */
  readonly keyColumns: readonly string[];
  /** Columns that requests compare with a list of values. */
  readonly filtered: readonly string[];
}

export interface PlacedDimension {
  readonly dimension: Dimension;
  readonly file: LakeFile;
  /** Null if it has none. */
  readonly boundaries: LakeFile | null;
  /** The domain that owns it, else the first domain, by name, whose datasets join it. */
  readonly home: string;
  /** The home and all other domains whose datasets join it, sorted. */
  readonly domains: readonly string[];
}

/** The part of a plan that is made in pieces. */
export interface PiecesPlan {
  readonly datasets: readonly DatasetPlan[];
  readonly dimensions: readonly PlacedDimension[];
}

export interface Piece {
  /** Identifies its result. For checks, the dataset. */
  readonly of: Dimension | Dataset | LakeSlice | CopyRun;
  /** For progress and messages. */
  readonly what: string;
  readonly contract: Dataset | Dimension;
  readonly recipe: Recipe;
  /** The slices of its own dataset that it reads. */
  readonly slices: readonly LakeSlice[];
  /** Every file that it reads, except dimensions that its rows join. */
  readonly files: readonly LakeFile[];
  /** Time per byte of its files, compared with other pieces; measured on the sample lake. */
  readonly effort: number;
  /** Path in the tree of the folder with its files. */
  readonly folder: string;
  /** Null for checks, which the check stage runs. */
  readonly write: ((input: PieceInput) => Promise<Made<unknown>>) | null;
}

export type RowsPiece = Piece & { readonly write: NonNullable<Piece['write']> };

export interface PieceInput {
  readonly session: Session;
  readonly types: ValueTypes;
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly folder: string;
  /** Number of rows of its files. */
  readonly rows: number;
}

/** The results of the pieces with files. Each function throws if there is no such piece. */
export interface WrittenRowsOf {
  /** Folder of the files; those of a dataset or a dimension have the path that their folder has in the tree. */
  readonly folder: string;
  readonly slice: (slice: LakeSlice) => WrittenSlice;
  readonly copies: (run: CopyRun) => WrittenCopies;
  readonly dimension: (dimension: Dimension) => WrittenDimension;
}

type CheckLimits = Pick<CheckOptions, 'ruleSeconds' | 'maxRows'>;

/** `kept`: dimensions that stay in the tree, under their domains. */
export function planPieces(
  compiled: Compiled,
  kept: readonly { readonly key: string; readonly domain: string }[] = [],
): PiecesPlan {
  const { asked, withdrawn } = compiled;
  return {
    datasets: asked.map(dataset => planDataset(dataset, compiled)),
    // A withdrawn dataset keeps its dimensions under its domain.
    dimensions: placeDimensions(compiled, [...asked, ...withdrawn], kept),
  };
}

function planDataset(dataset: Dataset, { contracts, inventory }: Compiled): DatasetPlan {
  const slices = inventory.slices.get(dataset.key) ?? [];
  const holdings = holdingsOf(dataset, slices);
  const filters = datasetFilters(dataset, contracts, holdings.levels);
  return {
    dataset,
    slices,
    holdings,
    runs: copyRuns(slices),
    keyColumns: keyColumns(dataset, filters),
    filtered: filteredColumns(dataset, filters),
  };
}

/** The runs of each level, from slices that are sorted by year. The one by place has all years, and describes them too. */
export function copyRuns(slices: readonly LakeSlice[]): CopyRun[] {
  return [...new Set(slices.map(slice => slice.detail))].sort().flatMap((detail): CopyRun[] => {
    const own = slices.filter(slice => slice.detail === detail);
    return [
      { by: 'place' as const, detail, slices: own },
      ...valueRuns(own).map(run => ({ by: 'values' as const, detail, slices: run })),
    ];
  });
}

/**
 * The most bytes of the lake in a run of several years. Longer runs answer questions over many years with fewer reads;
 * with shorter ones, a build has less to write when one slice changes.
 */
const RUN_BYTES = 1 << 20;

/** Runs begin at years that a power of two divides, so a new year changes only the last run. A small level is one run. */
function valueRuns(slices: readonly LakeSlice[]): LakeSlice[][] {
  const bytes = slices.flatMap(slice => slice.files).reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= RUN_BYTES) return [[...slices]];
  let years = 1;
  while ((2 * years * bytes) / slices.length <= RUN_BYTES) years *= 2;
  const runs = new Map<number, LakeSlice[]>();
  for (const slice of slices) {
    const start = Math.floor(slice.year / years);
    runs.set(start, [...(runs.get(start) ?? []), slice]);
  }
  return [...runs.values()];
}

/**
 * Decides under which domains each dimension is published: its own, those of the datasets that join it, and those where
 * the kept part of the tree has it. Leaves out a dimension that no dataset of this build joins if the kept part has it or
 * no domain owns it.
 */
function placeDimensions(
  { contracts, inventory }: Compiled,
  datasets: readonly Dataset[],
  kept: readonly { readonly key: string; readonly domain: string }[],
): PlacedDimension[] {
  return [...contracts.dimensions.values()].flatMap((dimension): PlacedDimension[] => {
    const { key, domain: owner } = dimension;
    const file = inventory.dimensions.get(key);
    const joining = datasets.filter(dataset => dataset.foreignKeys.some(one => one.dimension === key));
    const elsewhere = kept.filter(one => one.key === key);
    if (file === undefined || (elsewhere.length > 0 && joining.length === 0)) return [];
    const all = [owner, ...joining.map(dataset => dataset.domain), ...elsewhere.map(({ domain }) => domain)];
    const domains = [...new Set(all)].filter(domain => domain !== '').sort();
    const home = owner === '' ? domains[0] : owner;
    const boundaries = inventory.boundaries.get(key) ?? null;
    return home === undefined ? [] : [{ dimension, file, boundaries, home, domains }];
  });
}

/** A dataset's pieces follow one another, since they read the same files. */
export function piecesOf(
  { datasets, dimensions }: PiecesPlan,
  compiled: Compiled,
  limits: CheckLimits,
): Piece[] {
  return [
    ...dimensions.map(placed => dimensionPiece(placed, compiled)),
    ...datasets.flatMap(plan => [
      checksPiece(plan, compiled, limits),
      ...plan.runs.map(run => copiesPiece(plan, run, compiled)),
      ...plan.slices.map(slice => slicePiece(plan, slice, compiled)),
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
    slices: [slice],
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

function datasetInput({ dataset, keyColumns }: DatasetPlan, compiled: Compiled, input: PieceInput) {
  const { contracts } = compiled;
  const columns = publishedColumns(dataset, contracts);
  return { ...input, ...publication(compiled), contracts, dataset, keyColumns, columns };
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
    slices,
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
  const { dataset, slices } = plan;
  const { contracts, inventory } = compiled;
  const others = referencedDatasets(dataset, contracts).map(other => ({
    other,
    slices: inventory.slices.get(other.key) ?? [],
  }));
  const joined = dataset.foreignKeys.map(key => key.dimension);
  const named = referencedDimensions(dataset, contracts).map(({ key }) => key);
  const dimensions = readDimensions([...joined, ...named], compiled);
  const files = filesIn([...slices, ...others.flatMap(one => one.slices)]);
  const inputs = [
    [dataset.source.file, dataset.source.text],
    [dataset.years, dataset.levels, [...dataset.levelYears]],
    namesOf(slices),
    dimensions.texts,
    others.map(one => [one.other.key, one.other.source.text, namesOf(one.slices)]),
    [limits.ruleSeconds, limits.maxRows],
  ];
  return {
    ...ofDataset(plan),
    of: dataset,
    what: dataset.key,
    recipe: { what: 'checks', inputs, files: [...files, ...dimensions.files] },
    slices,
    files,
    effort: 2,
    write: null,
  };
}

function dimensionPiece(placed: PlacedDimension, compiled: Compiled): Piece {
  const { dimension, file, boundaries, home } = placed;
  const { publisher, sample } = publication(compiled);
  return {
    of: dimension,
    what: dimension.key,
    contract: dimension,
    recipe: {
      what: 'dimension',
      inputs: [dimension.key, dimension.source.text, publisher, sample],
      files: boundaries === null ? [file] : [file, boundaries],
    },
    slices: [],
    files: [file],
    effort: 4,
    folder: dimensionFolder(home, dimension.name),
    write: async input => {
      const value = await writeDimensionRows({ ...input, dimension, file, boundaries, publisher, sample });
      return { value, files: filesOf(value), keep: !hasErrors(value.diagnostics) };
    },
  };
}

/** The checks of all dimensions, for every build and shard. */
export function dimensionChecks(compiled: Compiled, limits: CheckLimits): Recipe {
  const { dimensions } = compiled.contracts;
  const sources = [...dimensions.values()].map(({ source }) => source.file);
  const { texts, files } = readDimensions([...dimensions.keys()], compiled);
  return { what: 'dimension checks', inputs: [sources, texts, [limits.ruleSeconds, limits.maxRows]], files };
}

/** Something that is made of published rows: of `slices`, and of the dimensions that they join. */
export function rowsRecipe(
  what: string,
  { dataset, keyColumns: keys }: DatasetPlan,
  slices: readonly LakeSlice[],
  compiled: Compiled,
  more: unknown = null,
): Recipe {
  const dimensions = readDimensions(
    dataset.foreignKeys.map(key => key.dimension),
    compiled,
  );
  const { publisher, sample } = publication(compiled);
  return {
    what,
    inputs: [dataset.source.text, keys, publisher, sample, dimensions.texts, namesOf(slices), more],
    files: [...dimensions.files, ...filesIn(slices)],
  };
}

/** The texts of dimensions' contracts, and the files that the lake has of them. */
function readDimensions(keys: readonly string[], { contracts, inventory }: Compiled) {
  const all = [...new Set(keys)].sort();
  return {
    texts: all.map(key => [key, contracts.dimensions.get(key)?.source.text]),
    files: all.flatMap(key => inventory.dimensions.get(key) ?? []),
  };
}

/** Which of a piece's files are which slice's. */
function namesOf(slices: readonly LakeSlice[]): unknown {
  return slices.map(({ year, detail, files }) => [year, detail, files.map(file => file.path)]);
}

function filesIn(slices: readonly LakeSlice[]): LakeFile[] {
  return slices.flatMap(slice => slice.files);
}

/** Every file of the lake that the pieces read, once, sorted by path. */
export function neededFiles(pieces: readonly Piece[], { inventory }: Compiled): LakeFile[] {
  const { dimensions, boundaries } = inventory;
  const files = [
    ...(pieces.length === 0 ? [] : [...dimensions.values(), ...boundaries.values()]),
    ...pieces.flatMap(piece => piece.files),
  ];
  const byPath = new Map(files.map(file => [file.path, file]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
