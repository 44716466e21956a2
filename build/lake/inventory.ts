/** Assigns the files of a lake to contracts by their names. Reads names and sizes, never a row. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { NO_YEAR } from '../format/paths.ts';
import {
  type LeftOver,
  leftOverDiagnostics,
  misplacedBoundaries,
  missing,
  missingDimensions,
  promise,
  unclaimed,
  unread,
  unreadRows,
} from './inventory-diagnostics.ts';
import type { Lake } from './lake.ts';
import { type LakeFile, type LakeSlice, sliceName } from './lake-files.ts';
import {
  boundaryFiles,
  type DatasetFiles,
  datasetFiles,
  dimensionFiles,
  tableFormat,
  templatePattern,
} from './lake-layout.ts';
import type { LakeTable } from './prepared-table.ts';

export { type LakeSlice, sliceName };

export interface Inventory {
  /** By dataset key, sorted by year, then level; datasets without slices are absent. */
  readonly slices: ReadonlyMap<string, readonly LakeSlice[]>;
  /** By dimension key. */
  readonly dimensions: ReadonlyMap<string, LakeFile>;
  /** By dimension key. */
  readonly boundaries: ReadonlyMap<string, LakeFile>;
  /** Files from which the build prepares Parquet files. */
  readonly tables: readonly LakeFile[];
  /** See `Lake.sample`. */
  readonly sample: boolean;
  /** Latest modification of the used files in milliseconds; 0 without files. */
  readonly newest: number;
}

export interface PreparedSlice {
  /** Null if the table's name or owner decides it. */
  readonly year: number | null;
  readonly file: LakeFile;
}

export interface PreparedTable {
  readonly slices: readonly PreparedSlice[];
  readonly diagnostics: readonly Diagnostic[];
}

/** By `tableKey`. */
export type PreparedTables = ReadonlyMap<string, PreparedTable>;

export function drawnKey({ key }: Pick<Dimension, 'key'>): string {
  return `drawn ${key}`;
}

/** Two contracts may read one file, each with its own types. */
export function tableKey({ owner, file }: Pick<LakeTable, 'owner' | 'file'>): string {
  return `${owner.kind} ${owner.key} ${file.path}`;
}

type LakeNames = Pick<Lake, 'files' | 'sample' | 'ignored'>;

/** Files that have to be prepared as Parquet. */
export function findTables({ files }: Pick<LakeNames, 'files'>, contracts: Contracts): LakeTable[] {
  const ofDatasets = contracts.datasets.flatMap(dataset =>
    filesOf(dataset, files, contracts).files.flatMap(one => {
      return 'either' in one ? [] : (tableOf(dataset, one.file, one.year) ?? []);
    }),
  );
  const ofDimensions = [...contracts.dimensions.values()].flatMap(dimension => {
    const found = dimension.rowsOf === null ? dimensionFiles(dimension, files) : [];
    return found.length === 1 && found[0] !== undefined ? (tableOf(dimension, found[0], null) ?? []) : [];
  });
  return [...ofDatasets, ...ofDimensions];
}

export function rowFiles(
  dataset: Dataset,
  { files }: Pick<LakeNames, 'files'>,
  contracts: Contracts,
  prepared: PreparedTables,
): LakeFile[] {
  return filesOf(dataset, files, contracts).files.flatMap(one =>
    'either' in one ? [] : rowsOfFile(dataset, one.file, one.year, prepared, []).map(({ file }) => file),
  );
}

/** Null for a Parquet file of one slice or of a dimension, which is read directly. */
function tableOf(owner: Dataset | Dimension, file: LakeFile, year: number | null): LakeTable | null {
  const format = tableFormat(file.path) ?? 'parquet';
  const isOne = owner.kind === 'dimension' || owner.time.unit === 'none';
  if (format === 'parquet' && (isOne || year !== null)) return null;
  return { owner, file, format, year: owner.kind === 'dataset' && isOne ? NO_YEAR : year };
}

/**
 * Assigns files to contracts, and reports problems with the files of the `asked` datasets. Without
 * `prepared`, slices of the tables of `findTables` are missing.
 */
export function takeInventory(
  { files, sample, ignored }: LakeNames,
  contracts: Contracts,
  asked: readonly Dataset[] = contracts.datasets,
  prepared: PreparedTables = new Map(),
): { inventory: Inventory; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const claimed = new Set<string>();
  const slices = new Map<string, LakeSlice[]>();
  for (const dataset of contracts.datasets) {
    const own = filesOf(dataset, files, contracts);
    const reports = asked.includes(dataset) ? diagnostics : [];
    const found = matchSlices(dataset, own, files, claimed, prepared, reports);
    if (found.length > 0) slices.set(dataset.key, found);
  }
  // The lake may keep rows of withdrawn datasets.
  for (const dataset of contracts.withdrawn.datasets)
    matchSlices(dataset, filesOf(dataset, files, contracts), files, claimed, prepared, []);
  for (const dimension of contracts.withdrawn.dimensions)
    for (const file of [...dimensionFiles(dimension, files), ...boundaryFiles(dimension, files)])
      claimed.add(file.path);
  const dimensions = new Map<string, LakeFile>();
  const boundaries = new Map<string, LakeFile>();
  for (const dimension of contracts.dimensions.values()) {
    const stored = dimensionFiles(dimension, files);
    for (const one of stored) claimed.add(one.path);
    const [file, ...others] = dimension.rowsOf === null ? stored : [];
    if (file === undefined && dimension.rowsOf === null) continue;
    const table = prepared.get(
      file === undefined ? drawnKey(dimension) : tableKey({ owner: dimension, file }),
    );
    diagnostics.push(...(table?.diagnostics ?? []));
    const rows = table?.slices[0]?.file ?? file;
    if (rows !== undefined) dimensions.set(dimension.key, rows);
    if (dimension.rowsOf !== null) diagnostics.push(...unreadRows(dimension, dimension.rowsOf, stored));
    const [shapes, copy] = boundaryFiles(dimension, files);
    if (shapes !== undefined) boundaries.set(dimension.key, shapes);
    for (const one of boundaryFiles(dimension, files)) claimed.add(one.path);
    if (copy !== undefined) {
      const message = `${shapes?.path} has the boundaries of ${dimension.name} too, and is the one that the map draws. Remove one of the two.`;
      diagnostics.push(diagnosticAt(copy.path, 'warning', 'lake-copy', message));
    }
    if (others.length > 0) {
      const message = `A dimension must be one file, but the lake has ${stored.length} of it (${stored
        .map(one => one.path)
        .slice(0, 3)
        .join(', ')}). Write it as one file (coalesce(1) in Spark), and remove the others.`;
      diagnostics.push(diagnosticAt(dimension.path, 'error', 'lake-dimension-files', message));
    }
  }
  for (const file of files) if (!claimed.has(file.path)) diagnostics.push(...unclaimed(file));
  diagnostics.push(...misplacedBoundaries(files, claimed, [...contracts.dimensions.values()]));
  for (const [name, why] of ignored) diagnostics.push(...unread(name, why, asked));
  for (const dataset of asked) {
    // Problems with the table have been reported.
    const failed = filesOf(dataset, files, contracts).files.some(
      ({ file }) => prepared.get(tableKey({ owner: dataset, file }))?.slices.length === 0,
    );
    if (!failed) diagnostics.push(...missing(dataset, slices.get(dataset.key) ?? []));
  }
  const present = asked.filter(({ key }) => slices.has(key));
  diagnostics.push(...missingDimensions(present, slices, contracts, dimensions));
  const tables = [...new Set(findTables({ files }, contracts).map(table => table.file))];
  const newest = usedFiles({ slices, dimensions, boundaries, tables }).reduce(
    (last, file) => Math.max(last, file.modified),
    0,
  );
  return { inventory: { slices, dimensions, boundaries, tables, sample, newest }, diagnostics };
}

/** Adds year and level to diagnostics about files of slices. */
export function placedInSlices(
  diagnostics: readonly Diagnostic[],
  { slices }: Pick<Inventory, 'slices'>,
): Diagnostic[] {
  if (diagnostics.length === 0) return [];
  const sliceOf = new Map(
    [...slices.values()]
      .flat()
      .flatMap(({ year, detail, files }) => files.map(file => [file.path, { year, detail }])),
  );
  return diagnostics.map(one => {
    const slice = one.line === undefined ? sliceOf.get(one.file) : undefined;
    return slice === undefined ? one : { ...one, slice };
  });
}

/** Every file of the lake that a build reads. */
export function usedFiles({
  slices,
  dimensions,
  boundaries,
  tables,
}: Pick<Inventory, 'slices' | 'dimensions' | 'boundaries' | 'tables'>): LakeFile[] {
  const ofSlices = [...slices.values()].flat().flatMap(slice => slice.files);
  const read = [...ofSlices, ...dimensions.values(), ...boundaries.values()];
  return [...read.filter(file => file.prepared !== true && !tables.includes(file)), ...tables];
}

/** Hive and Spark put rows there whose partition column is NULL. */
const NULL_PARTITION = '__HIVE_DEFAULT_PARTITION__';

function filesOf(dataset: Dataset, files: readonly LakeFile[], contracts: Contracts): DatasetFiles {
  const all = [...contracts.datasets, ...contracts.withdrawn.datasets];
  const others = all.filter(one => one.key !== dataset.key);
  const shared =
    others.some(({ topic }) => topic === dataset.topic) || all.some(({ domain }) => domain === dataset.topic);
  return datasetFiles(dataset, files, shared);
}

function matchSlices(
  dataset: Dataset,
  { files: own, copies }: DatasetFiles,
  files: readonly LakeFile[],
  claimed: Set<string>,
  prepared: PreparedTables,
  diagnostics: Diagnostic[],
): LakeSlice[] {
  const slices = new Map<string, { year: number; detail: string; files: LakeFile[] }>();
  const leftOver: LeftOver[] = [];
  for (const file of nullPartitions(dataset, files)) {
    claimed.add(file.path);
    const message = `The job that wrote this file found rows of ${dataset.key} without a year. Give them a year, or omit them.`;
    diagnostics.push(diagnosticAt(file.path, 'error', 'lake-null-partition', message));
  }
  for (const file of copies) {
    claimed.add(file.path);
    const message = `A file of the same name in another format has the rows of ${dataset.key}, so this file is not published. Remove one of the two.`;
    diagnostics.push(diagnosticAt(file.path, 'warning', 'lake-copy', message));
  }
  for (const name of own) {
    claimed.add(name.file.path);
    if ('either' in name) {
      const message = `The path_template of ${dataset.key} matches this file as ${name.either.join(', or as ')}. Rename it, or narrow the template's *.`;
      diagnostics.push(diagnosticAt(name.file.path, 'error', 'lake-ambiguous-name', message));
      continue;
    }
    const { detail = dataset.levels.length > 1 ? NO_LEVEL : dataset.defaultLevel } = name;
    for (const { year, file } of rowsOfFile(dataset, name.file, name.year, prepared, diagnostics)) {
      const problem = promise(dataset, year, detail);
      if (problem === 'left over') {
        leftOver.push({ year, detail, file });
        continue;
      }
      if (problem !== null) {
        diagnostics.push({ severity: 'error', file: file.path, slice: { year, detail }, ...problem });
        continue;
      }
      const key = sliceName({ year, detail });
      const slice = slices.get(key) ?? { year, detail, files: [] };
      slice.files.push(file);
      slices.set(key, slice);
    }
  }
  diagnostics.push(...leftOverDiagnostics(dataset, leftOver));
  return [...slices.values()].sort((a, b) => a.year - b.year || (a.detail < b.detail ? -1 : 1));
}

/** For files without a level in a dataset with several. */
const NO_LEVEL = '';

function rowsOfFile(
  dataset: Dataset,
  file: LakeFile,
  stated: number | null,
  prepared: PreparedTables,
  diagnostics: Diagnostic[],
): { readonly year: number; readonly file: LakeFile }[] {
  const table = tableOf(dataset, file, stated);
  if (table === null) return [{ year: stated ?? NO_YEAR, file }];
  const made = prepared.get(tableKey(table));
  diagnostics.push(...(made?.diagnostics ?? []));
  return (made?.slices ?? []).map(slice => ({
    year: slice.year ?? table.year ?? NO_YEAR,
    file: slice.file,
  }));
}

function nullPartitions(dataset: Dataset, files: readonly LakeFile[]): LakeFile[] {
  const withoutYear = templatePattern(dataset.pathTemplate.replaceAll('{year}', NULL_PARTITION));
  return files.filter(file => file.path.includes(NULL_PARTITION) && withoutYear.test(file.path));
}
