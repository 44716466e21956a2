/** Assigns the files of a lake to contracts by their path templates. Reads names and sizes, never a row. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { isWithdrawnSlice } from '../contract/withdrawn-slices.ts';
import { spellYears } from '../format/year-runs.ts';
import type { Lake } from './lake.ts';
import type { Ignored, LakeFile } from './lake-files.ts';
import { sliceReader, templatePattern } from './path-template.ts';

/** One year of one level of one dataset, in one file or several. */
export interface LakeSlice {
  readonly year: number;
  readonly detail: string;
  readonly files: readonly LakeFile[];
}

/** The name of a slice within its dataset: `2024/schools`. */
export function sliceName({ year, detail }: Pick<LakeSlice, 'year' | 'detail'>): string {
  return `${year}/${detail}`;
}

export interface Inventory {
  /** Slices by dataset key, sorted by year, then level; a dataset with none is absent. */
  readonly slices: ReadonlyMap<string, readonly LakeSlice[]>;
  /** Files by dimension key. */
  readonly dimensions: ReadonlyMap<string, LakeFile>;
  /** Whether the lake declares itself a synthetic sample (`_sample.json` at its root). */
  readonly sample: boolean;
  /** Newest modification time of the files that contracts promise, in milliseconds; 0 if there are no files. */
  readonly newest: number;
}

/** Assigns files to contracts, and reports what is wrong with the files of the `asked` datasets. */
export function takeInventory(
  { files, sample, ignored }: Pick<Lake, 'files' | 'sample' | 'ignored'>,
  contracts: Contracts,
  asked: readonly Dataset[] = contracts.datasets,
): { inventory: Inventory; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const claimed = new Set<string>();
  const slices = new Map<string, LakeSlice[]>();
  for (const dataset of contracts.datasets) {
    const found = matchSlices(dataset, files, claimed, asked.includes(dataset) ? diagnostics : []);
    if (found.length > 0) slices.set(dataset.key, found);
  }
  // The lake may keep the rows of withdrawn datasets.
  for (const dataset of contracts.withdrawn.datasets) matchSlices(dataset, files, claimed, []);
  for (const { path: file } of contracts.withdrawn.dimensions) claimed.add(file);
  const dimensions = new Map<string, LakeFile>();
  for (const dimension of contracts.dimensions.values()) {
    const [file, ...others] = dimensionFiles(dimension, files);
    if (file === undefined) continue;
    for (const one of [file, ...others]) claimed.add(one.path);
    dimensions.set(dimension.key, file);
    if (others.length > 0) {
      diagnostics.push({
        severity: 'error',
        code: 'lake-dimension-files',
        file: dimension.path,
        message: `This folder holds ${others.length + 1} files, but a dimension must be one file. Write it as one file (coalesce(1) in Spark).`,
      });
    }
  }
  for (const file of files) if (!claimed.has(file.path)) diagnostics.push(...unclaimed(file));
  for (const [name, why] of ignored) diagnostics.push(...unread(name, why, asked));
  for (const dataset of asked) diagnostics.push(...missing(dataset, slices.get(dataset.key) ?? []));
  const present = asked.filter(({ key }) => slices.has(key));
  diagnostics.push(...missingDimensions(present, contracts, dimensions));
  const newest = usedFiles({ slices, dimensions }).reduce((last, file) => Math.max(last, file.modified), 0);
  return { inventory: { slices, dimensions, sample, newest }, diagnostics };
}

/** Tables in formats that a build does not read. */
const OTHER_TABLE = /\.(csv|tsv|jsonl|ndjson|xlsx?|orc|avro|arrow|feather)(\.(gz|zst|bz2|zip))?$/i;

/** Warns about a file that no contract promises. */
function unclaimed({ path: file }: LakeFile): Diagnostic[] {
  // Programs use names with a leading dot for files of their own.
  if (/(^|\/)\.[^/]*$/.test(file)) return [];
  if (/\.parquet$/i.test(file)) {
    const message =
      'No contract promises this file, so it is not published. Add a contract, or remove the file.';
    return [{ severity: 'warning', code: 'lake-unclaimed-file', file, message }];
  }
  if (!OTHER_TABLE.test(file)) return [];
  const message =
    'A build reads rows only from Parquet, so this file is not published. Write it as Parquet, or remove it.';
  return [{ severity: 'warning', code: 'lake-not-parquet', file, message }];
}

/** Reports an entry of the lake that a build cannot read. */
function unread(name: string, why: Ignored, asked: readonly Dataset[]): Diagnostic[] {
  switch (why) {
    case 'name':
      return [
        {
          severity: 'warning',
          code: 'lake-object-name',
          // The name is untrusted: escape it for terminals.
          file: JSON.stringify(name),
          message:
            'No file can have the name of this object, so the build ignores it. Rename it, or remove it.',
        },
      ];
    case 'encoding':
      // An error: without the file, a slice may lack rows.
      return [
        {
          severity: 'error',
          code: 'lake-file-name',
          file: name,
          message:
            'The name of this file or folder is not UTF-8, so the build cannot read it. Rename it, or remove it.',
        },
      ];
    case 'broken link': {
      // An error if a contract promises it: without the file, a slice would lack rows.
      const isPromised = asked.some(dataset => sliceReader(dataset)(name) !== null);
      if (!isPromised && !name.endsWith('.parquet')) return [];
      return [
        {
          severity: isPromised ? 'error' : 'warning',
          code: 'lake-link',
          file: name,
          message:
            'This link leads nowhere, so its rows are missing. Fetch the file that it points to, or remove it.',
        },
      ];
    }
    case 'no regular file': {
      const isPromised = asked.some(dataset => sliceReader(dataset)(name) !== null);
      if (!isPromised && !name.endsWith('.parquet')) return [];
      return [
        {
          severity: isPromised ? 'error' : 'warning',
          code: 'lake-not-a-file',
          file: name,
          message:
            'This is a pipe, a socket or a device, which a build does not read, so its rows are missing. Put a file here, or remove it.',
        },
      ];
    }
    case 'link to a folder':
      // Programs use such names for files of their own.
      if (/(^|\/)[._]/.test(name)) return [];
      return [
        {
          severity: 'warning',
          code: 'lake-link',
          file: name,
          message:
            'This link leads to a folder, and the build does not follow it: a lake must not lead outside itself. Put the folder here, or name the target of the link as the lake.',
        },
      ];
    default:
      return why satisfies never;
  }
}

/** Adds the year and the level to diagnostics about files of slices. */
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

/** Every file that a contract promises. */
export function usedFiles({ slices, dimensions }: Pick<Inventory, 'slices' | 'dimensions'>): LakeFile[] {
  return [...[...slices.values()].flat().flatMap(slice => slice.files), ...dimensions.values()];
}

/** The dimension's file, or the files in a folder of that name, as jobs write them. */
function dimensionFiles({ path }: Dimension, files: readonly LakeFile[]): LakeFile[] {
  const inFolder = templatePattern(`${path}/*.parquet`);
  return files.filter(file => file.path === path || inFolder.test(file.path));
}

/** The folder in which Hive, Spark and others put rows whose partition column is NULL. */
const NULL_PARTITION = '__HIVE_DEFAULT_PARTITION__';

function matchSlices(
  dataset: Dataset,
  files: readonly LakeFile[],
  claimed: Set<string>,
  diagnostics: Diagnostic[],
): LakeSlice[] {
  const readName = sliceReader(dataset);
  const withoutYear = templatePattern(dataset.pathTemplate.replaceAll('{year}', NULL_PARTITION));
  const slices = new Map<string, { year: number; detail: string; files: LakeFile[] }>();
  const leftOver: LeftOver[] = [];
  // Skip the files of other datasets before matching a pattern.
  const [start = ''] = dataset.pathTemplate.split(/[{*]/, 1);
  for (const file of files) {
    if (!file.path.startsWith(start)) continue;
    if (file.path.includes(NULL_PARTITION) && withoutYear.test(file.path)) {
      claimed.add(file.path);
      diagnostics.push({
        severity: 'error',
        code: 'lake-null-partition',
        file: file.path,
        message: `The job that wrote this file found rows of ${dataset.key} without a year. Give them a year, or omit them.`,
      });
    }
    const name = readName(file.path);
    if (name === null) continue;
    claimed.add(file.path);
    if ('either' in name) {
      diagnostics.push({
        severity: 'error',
        code: 'lake-ambiguous-name',
        file: file.path,
        message: `The path_template of ${dataset.key} matches this file as ${name.either.join(', or as ')}. Rename it, or narrow the template's *.`,
      });
      continue;
    }
    const { year, detail = dataset.defaultLevel } = name;
    const problem = unpromised(dataset, year, detail);
    if (problem === 'left over') {
      leftOver.push({ year, detail, file: file.path });
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
  diagnostics.push(...leftOverDiagnostics(dataset, leftOver));
  return [...slices.values()].sort((a, b) => a.year - b.year || (a.detail < b.detail ? -1 : 1));
}

interface LeftOver {
  readonly year: number;
  readonly detail: string;
  readonly file: string;
}

/** Returns a warning for each level whose files are not published because the contract does not promise them. */
function leftOverDiagnostics(dataset: Dataset, files: readonly LeftOver[]): Diagnostic[] {
  const details = [...new Set(files.map(one => one.detail))];
  return details.flatMap(detail => {
    const own = files.filter(one => one.detail === detail);
    const [first] = own;
    if (first === undefined) return [];
    const years = spellYears([...new Set(own.map(one => one.year))].sort((a, b) => a - b));
    const more = own.length > 1 ? ` (${own.length} files, ${years})` : '';
    const [these, them] = own.length > 1 ? ['these files are', 'them'] : ['this file is', 'it'];
    const isWithdrawn = own.every(one => isWithdrawnSlice(dataset.withdrawnSlices, one.year, detail));
    const code = isWithdrawn
      ? 'lake-withdrawn-slice'
      : dataset.levels.includes(detail)
        ? 'lake-unknown-year'
        : 'lake-unknown-level';
    const promised = dataset.levelYears.get(detail) ?? dataset.years;
    const why = {
      'lake-withdrawn-slice': `${dataset.key} withdraws ${detail} of ${years}, so ${these} not published${more}. You may remove ${them} from the lake.`,
      'lake-unknown-year': `${dataset.key} promises ${detail} for ${spellYears(promised, '-')}, not ${years}, so ${these} not published${more}. Remove ${them}, or widen the contract's years.`,
      'lake-unknown-level': `${dataset.key} has no level "${detail}", so ${these} not published${more}; the levels are ${dataset.levels.join(', ')}. Remove ${them}, rename ${them}, or add the level to detail_levels.`,
    }[code];
    return [{ severity: 'warning', code, file: first.file, message: why }];
  });
}

/** Why the contract does not promise a slice: `left over` leads to a warning, anything else is an error. */
function unpromised(
  dataset: Dataset,
  year: number,
  detail: string,
): { code: string; message: string } | 'left over' | null {
  if (isWithdrawnSlice(dataset.withdrawnSlices, year, detail)) return 'left over';
  if (dataset.open.levels ? detail === NULL_PARTITION : !dataset.levels.includes(detail)) {
    if (detail !== NULL_PARTITION) return 'left over';
    return {
      code: 'lake-unknown-level',
      message: `The job that wrote this file found rows of ${dataset.key} without a level. Give them a level, or omit them.`,
    };
  }
  const promised = dataset.levelYears.get(detail) ?? dataset.years;
  if (dataset.open.years || promised.includes(year)) return null;
  if (dataset.yearGaps.includes(year)) {
    return {
      code: 'lake-year-in-gap',
      message: `${dataset.key} declares ${year} a year without data (year_gaps). Remove the file, or the gap.`,
    };
  }
  if (year <= Math.max(...dataset.years)) return 'left over';
  return {
    code: 'lake-unknown-year',
    message: `${dataset.key} promises ${detail} for ${spellYears(promised, '-')}, not ${year}. Remove the file, or widen the contract's years.`,
  };
}

/** Warns about the dataset or the slices that the contract promises and the lake lacks. */
function missing(dataset: Dataset, slices: readonly LakeSlice[]): Diagnostic[] {
  const file = dataset.source.file;
  if (slices.length === 0) {
    return [
      {
        severity: 'warning',
        code: 'lake-missing-dataset',
        file,
        message: `The lake has no rows of ${dataset.key} (${dataset.pathTemplate}); it is not published.`,
      },
    ];
  }
  const found: Diagnostic[] = [];
  const present = new Set(slices.map(sliceName));
  for (const level of dataset.levels) {
    const years = (dataset.levelYears.get(level) ?? dataset.years).filter(
      year => !present.has(sliceName({ year, detail: level })),
    );
    if (years.length === 0) continue;
    found.push({
      severity: 'warning',
      code: 'lake-missing-slice',
      file,
      message: dataset.time.column
        ? `The lake lacks ${dataset.key} ${level} for ${spellYears(years, '-')}; the documents list only the years that it has.`
        : `The lake lacks ${dataset.key} ${level}; the documents list only the levels that it has.`,
    });
  }
  return found;
}

/** Returns an error for each dimension that datasets join and the lake lacks. */
function missingDimensions(
  datasets: readonly Dataset[],
  { dimensions }: Contracts,
  found: ReadonlyMap<string, LakeFile>,
): Diagnostic[] {
  return [...dimensions.values()].flatMap(({ key, name, path: file }): Diagnostic[] => {
    const joining = datasets.filter(({ foreignKeys }) => foreignKeys.some(one => one.dimension === key));
    if (found.has(key) || joining.length === 0) return [];
    const keys = joining.map(dataset => dataset.key).join(', ');
    const message = `The lake has no ${file}, which ${joining.length === 1 ? `${keys} joins` : `${joining.length} datasets join (${keys})`} as ${name}. Add the file.`;
    return [{ severity: 'error', code: 'lake-missing-dimension', file, message }];
  });
}
