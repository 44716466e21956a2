/** Problems with the files of a lake that their names show. Pure. */

import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { ascending, isWithdrawnSlice } from '../contract/years-and-levels.ts';
import { isName, NO_YEAR } from '../format/paths.ts';
import { someOf } from '../format/shown-text.ts';
import { levelsByYears, spellYears } from '../format/time-text.ts';
import { type Ignored, type LakeFile, type LakeSlice, sliceName } from './lake-files.ts';
import { isBoundaries, sliceReader, tableFormat, tableStem } from './lake-layout.ts';

const OTHER_TABLE = /\.(xlsb|ods|numbers|orc|avro|arrow|feather|(csv|tsv|jsonl|ndjson)\.(gz|zst|bz2|zip))$/i;

export function unclaimed({ path: file }: LakeFile): Diagnostic[] {
  // Programs give such names to their own files.
  if (/(^|\/)\.[^/]*$/.test(file)) return [];
  if (tableFormat(file) !== null) {
    const message = `No contract promises this file, so it is not published. Write a contract (civic init ${shellWord(file)} drafts one), give the file the place that its contract expects, or remove it.`;
    return [diagnosticAt(file, 'warning', 'lake-unclaimed-file', message)];
  }
  if (!OTHER_TABLE.test(file)) return [];
  const message =
    'A build reads rows from Parquet, CSV, TSV, JSON lines, XLSX and XLS, so this file is not published. Write it as one of these, or remove it.';
  return [diagnosticAt(file, 'warning', 'lake-not-parquet', message)];
}

export function misplacedBoundaries(
  files: readonly LakeFile[],
  claimed: ReadonlySet<string>,
  dimensions: readonly Pick<Dimension, 'path'>[],
): Diagnostic[] {
  const [first] = dimensions;
  return files
    .filter(file => isBoundaries(file.path) && !claimed.has(file.path))
    .map(({ path: file }) => {
      const place =
        first === undefined
          ? 'Write a contract of a dimension with its places'
          : `Name it like the rows of its dimension, such as ${tableStem(first.path)}.geojson`;
      const message = `These boundaries belong to no dimension, so no map shows them. ${place}, or remove it.`;
      return diagnosticAt(file, 'warning', 'lake-unclaimed-file', message);
    });
}

function shellWord(text: string): string {
  return /^[\w./=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const UNREAD: Readonly<Record<Ignored, readonly [code: string, message: string]>> = {
  name: [
    'lake-object-name',
    'No file can have the name of this object, so the build ignores it. Rename it, or remove it.',
  ],
  encoding: [
    'lake-file-name',
    'The name of this file or folder is not UTF-8, so the build cannot read it. Rename it, or remove it.',
  ],
  'broken link': [
    'lake-link',
    'This link leads nowhere, so its rows are missing. Fetch the file that it points to, or remove it.',
  ],
  'no regular file': [
    'lake-not-a-file',
    'This is a pipe, a socket or a device, which a build does not read, so its rows are missing. Put a file here, or remove it.',
  ],
  'link to a folder': [
    'lake-link',
    'This link leads to a folder, and the build does not follow it: a lake must not lead outside itself. Put the folder here, or name the target of the link as the lake.',
  ],
};

/** An error if a slice may lack rows without the file. */
export function unread(name: string, why: Ignored, asked: readonly Dataset[]): Diagnostic[] {
  const isFile = why === 'broken link' || why === 'no regular file';
  const isPromised = isFile && asked.some(dataset => sliceReader(dataset)(name) !== null);
  if (isFile && !isPromised && !name.endsWith('.parquet')) return [];
  // Programs give such names to their own files.
  if (why === 'link to a folder' && /(^|\/)[._]/.test(name)) return [];
  const severity = isPromised || why === 'encoding' ? 'error' : 'warning';
  // The name of an object may have control characters.
  return [diagnosticAt(why === 'name' ? JSON.stringify(name) : name, severity, ...UNREAD[why])];
}

/** A file of a year or level that the contract doesn't promise. */
export interface LeftOver {
  readonly year: number;
  readonly detail: string;
  readonly file: LakeFile;
}

type LeftOverCode =
  | 'lake-withdrawn-slice'
  | 'lake-unknown-year'
  | 'lake-year-in-gap'
  | 'lake-unknown-level'
  | 'lake-no-level';

/** One warning for each level and reason. */
export function leftOverDiagnostics(dataset: Dataset, files: readonly LeftOver[]): Diagnostic[] {
  const groups = new Map<string, LeftOver[]>();
  for (const one of files) {
    const key = `${leftOverCode(dataset, one)} ${one.detail}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap(group => {
    const [first] = group;
    return first === undefined ? [] : [leftOverDiagnostic(dataset, first, group)];
  });
}

function leftOverCode(dataset: Dataset, { year, detail }: LeftOver): LeftOverCode {
  if (isWithdrawnSlice(dataset.withdrawnSlices, year, detail)) return 'lake-withdrawn-slice';
  if (detail === '') return 'lake-no-level';
  if (!dataset.levels.includes(detail)) return 'lake-unknown-level';
  return dataset.yearGaps.includes(year) ? 'lake-year-in-gap' : 'lake-unknown-year';
}

function leftOverDiagnostic(dataset: Dataset, first: LeftOver, group: readonly LeftOver[]): Diagnostic {
  const { detail } = first;
  const code = leftOverCode(dataset, first);
  const years = spellYears(ascending(group.map(one => one.year)));
  const ofYears = first.year === NO_YEAR ? '' : `, ${years}`;
  const more = group.length > 1 ? ` (${group.length} files${ofYears})` : '';
  const [these, them] = group.length > 1 ? ['these files are', 'them'] : ['this file is', 'it'];
  const not = `so ${these} not published${more}`;
  const promised = spellYears(dataset.levelYears.get(detail) ?? dataset.years, '-');
  const remove = `remove ${them}${removal(group)}`;
  const message: Record<LeftOverCode, string> = {
    'lake-withdrawn-slice': `${dataset.key} withdraws ${detail} of ${years}, ${not}. You may ${remove}.`,
    'lake-unknown-year': `${dataset.key} promises ${detail} for ${promised}, not ${years}, ${not}. Widen the contract's years, or ${remove}.`,
    'lake-year-in-gap': `${dataset.key} declares ${years} without data (year_gaps), ${not}. Shorten year_gaps, or ${remove}.`,
    'lake-unknown-level': `${dataset.key} has no level "${detail}", ${not}; the levels are ${dataset.levels.join(', ')}. Add the level to detail_levels, rename ${them}, or ${remove}.`,
    'lake-no-level': `${dataset.key} has the levels ${dataset.levels.join(', ')}, and no folder or name says which one this is, ${not}. Put ${them} into a folder such as detail=${dataset.levels[0] ?? ''}, or ${remove}.`,
  };
  return diagnosticAt(first.file.path, 'warning', code, message[code]);
}

/** A command that deletes the files; empty if only some of their rows are concerned, or for many files. */
function removal(group: readonly LeftOver[]): string {
  const paths = [...new Set(group.map(({ file }) => file.path))];
  if (group.some(({ file }) => file.prepared === true) || paths.length > 3) return '';
  return ` (in the lake: rm ${paths.map(shellWord).join(' ')})`;
}

/**
 * `left over` becomes a warning, other problems are errors. A contract without years promises all that the
 * lake has.
 */
export function promise(
  dataset: Dataset,
  year: number,
  detail: string,
): { code: string; message: string } | 'left over' | null {
  if (isWithdrawnSlice(dataset.withdrawnSlices, year, detail)) return 'left over';
  if (detail === '__HIVE_DEFAULT_PARTITION__') {
    return {
      code: 'lake-unknown-level',
      message: `The job that wrote this file found rows of ${dataset.key} without a level. Give them a level, or omit them.`,
    };
  }
  // A contract without levels promises all that the lake has.
  if (!(dataset.open.levels ? isName(detail) : dataset.levels.includes(detail))) return 'left over';
  const promised = dataset.levelYears.get(detail) ?? dataset.years;
  return dataset.open.years || promised.includes(year) ? null : 'left over';
}

export function missing(dataset: Dataset, slices: readonly LakeSlice[]): Diagnostic[] {
  const file = dataset.source.file;
  if (slices.length === 0) {
    const message = `The lake has no rows of ${dataset.key} (${dataset.pathTemplate}); it is not published.`;
    return [diagnosticAt(file, 'warning', 'lake-missing-dataset', message)];
  }
  return missingYears(dataset, slices).map(({ level, years }) =>
    diagnosticAt(
      file,
      'warning',
      'lake-missing-slice',
      dataset.time.column
        ? `The lake lacks ${dataset.key} ${level} for ${spellYears(years, '-')}; the documents list only the years that it has.`
        : `The lake lacks ${dataset.key} ${level}; the documents list only the levels that it has.`,
    ),
  );
}

function missingYears({ levels, levelYears, years }: Dataset, slices: readonly LakeSlice[]) {
  const present = new Set(slices.map(sliceName));
  return levels.flatMap(level => {
    const lacks = (levelYears.get(level) ?? years).filter(
      year => !present.has(sliceName({ year, detail: level })),
    );
    return lacks.length === 0 ? [] : [{ level, years: lacks }];
  });
}

const MISSING = ['lake-missing-dataset', 'lake-missing-slice'];

/** Datasets named per list. */
const NAMED = 7;

/**
 * Sums up several warnings about missing data in one: which of the `asked` datasets are published, and what
 * is missing. The others become notes. `lake` is the lake's folder.
 */
export function summarizeMissing(
  diagnostics: readonly Diagnostic[],
  asked: readonly Dataset[],
  slices: ReadonlyMap<string, readonly LakeSlice[]>,
  lake: string,
): Diagnostic[] {
  const lacks = diagnostics.filter(one => MISSING.includes(one.code));
  if (lacks.length < 2) return [...diagnostics];
  const there = asked.filter(({ key }) => slices.has(key));
  const absent = asked.filter(one => !there.includes(one));
  const some = (names: readonly string[]) => someOf(names, NAMED);
  const partial = there.flatMap(one => {
    const lacking = missingYears(one, slices.get(one.key) ?? []);
    return lacking.length === 0 ? [] : [`${one.key} (${spellMissing(lacking)})`];
  });
  const has =
    absent.length === 0
      ? []
      : [
          `The lake has rows of ${there.length} of ${asked.length} datasets, which are published: ${some(there.map(({ key }) => key))}`,
          `It doesn't have ${some(absent.map(({ key }) => key))}`,
        ];
  const parts = partial.length === 0 ? [] : [`The lake lacks promised years or levels of ${some(partial)}`];
  const message = `${[...has, ...parts].join('. ')}. --json lists all that is missing.`;
  return [
    ...diagnostics.map(one => (lacks.includes(one) ? { ...one, severity: 'note' as const } : one)),
    diagnosticAt(lake, 'warning', 'lake-incomplete', message),
  ];
}

function spellMissing(lacking: ReturnType<typeof missingYears>): string {
  return levelsByYears(lacking.map(({ level, years }) => [level, years]))
    .map(([years, levels]) => `${levels.join(', ')} ${years}`.trim())
    .join('; ');
}

/** A dimension drawn from a dataset needs no file. */
export function unreadRows({ name }: Dimension, dataset: string, stored: readonly LakeFile[]): Diagnostic[] {
  return stored.map(file =>
    diagnosticAt(
      file.path,
      'warning',
      'lake-copy',
      `The rows of ${name} are drawn from ${dataset}, as rows_of in its contract says, so this file is not read. Remove the file or rows_of.`,
    ),
  );
}

/**
 * An error for each joined dimension that the lake lacks, unless its key is NULL in all rows of the levels
 * that the lake has.
 */
export function missingDimensions(
  datasets: readonly Dataset[],
  slices: ReadonlyMap<string, readonly LakeSlice[]>,
  { dimensions }: Contracts,
  found: ReadonlyMap<string, LakeFile>,
): Diagnostic[] {
  return [...dimensions.values()].flatMap(({ key, name, path: file, rowsOf }): Diagnostic[] => {
    const joining = datasets.filter(({ key: dataset, foreignKeys, levelKeys }) =>
      foreignKeys.some(
        ({ dimension, columns }) =>
          dimension === key &&
          (slices.get(dataset) ?? []).some(
            ({ detail }) => !columns.some(column => levelKeys.get(detail)?.absent.includes(column)),
          ),
      ),
    );
    if (found.has(key) || joining.length === 0) return [];
    const keys = joining.map(dataset => dataset.key).join(', ');
    const join = joining.length === 1 ? `${keys} joins` : `${joining.length} datasets join (${keys})`;
    const message =
      rowsOf === null
        ? `The lake has no ${file}, which ${join} as ${name}. Add the file.`
        : `The lake has no rows of ${rowsOf}, from which ${name} is drawn, which ${join}. Add the rows.`;
    return [diagnosticAt(file, 'error', 'lake-missing-dimension', message)];
  });
}
