/** Finds the files of datasets and dimensions in a lake by their names. Pure. */
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { isName } from '../format/paths.ts';
import type { LakeFile } from './lake-files.ts';

/** What the name of a file says of its rows. */
export interface PlacedFile {
  readonly file: LakeFile;
  /** Null if the rows say their years. */
  readonly year: number | null;
  /** Absent if the name has no level. */
  readonly detail?: string | undefined;
}

export interface MisnamedFile extends AmbiguousName {
  readonly file: LakeFile;
}

export interface DatasetFiles {
  readonly files: readonly (PlacedFile | MisnamedFile)[];
  /** Files of the dataset that stand beside a Parquet file of the same name, which a build reads in their place. */
  readonly copies: readonly LakeFile[];
}

type Named = Pick<Dataset, 'key' | 'domain' | 'topic' | 'pathTemplate' | 'levels'>;

/** Whether a template is the one of datasets whose contracts state none. */
function isDefault({ domain, topic, pathTemplate }: Named): boolean {
  const start = `${domain}/${topic}/`;
  return [`${start}year={year}/{detail}.parquet`, `${start}{detail}.parquet`].includes(pathTemplate);
}

/** Finds the files of a dataset. `shared`: another dataset has the same topic, or a domain has its name. */
export function datasetFiles(dataset: Named, files: readonly LakeFile[], shared: boolean): DatasetFiles {
  const templated = withoutCopies(dataset, byTemplate(dataset, files));
  if (!isDefault(dataset) || templated.files.some(isOfLevel(dataset))) return templated;
  const starts = [`${dataset.domain}/${dataset.topic}`, ...(shared ? [] : [dataset.topic])];
  for (const start of starts) {
    const placed = files.flatMap(file => placeBelow(dataset, start, file) ?? []);
    if (placed.length > 0) return withoutCopies(dataset, placed);
  }
  return templated;
}

function isOfLevel({ levels }: Named) {
  return (one: PlacedFile | MisnamedFile) =>
    'either' in one || levels.length === 0 || levels.includes(one.detail ?? '');
}

/** Whether a name can be a level's where the contract states none: a level is part of URLs. */
export function isLevelName(name: string): boolean {
  return isName(name);
}

/** Names that jobs give to the parts of a table. */
const PART = /^(part|data|rows|table|file|chunk|output)([_-]?\d.*)?$/;

/** Files that fit the template; another format of tables may take the place of the one that it names. */
function byTemplate(dataset: Named, files: readonly LakeFile[]): (PlacedFile | MisnamedFile)[] {
  const { pathTemplate } = dataset;
  const read = sliceReader(dataset);
  const ending =
    tableFormat(pathTemplate) === null ? null : pathTemplate.slice(tableStem(pathTemplate).length);
  // Skip the files of other datasets before matching a pattern.
  const [start = ''] = pathTemplate.split(/[{*]/, 1);
  const plain = ending !== null && start === pathTemplate ? tableStem(start) : start;
  return files.flatMap(file => {
    if (!file.path.startsWith(plain)) return [];
    const name =
      read(file.path) ??
      (ending === null || tableFormat(file.path) === null ? null : read(`${tableStem(file.path)}${ending}`));
    if (name === null) return [];
    const isPart = dataset.levels.length === 0 && 'year' in name && !isStatedLevel(name.detail);
    return [isPart ? { file, year: name.year } : { file, ...name }];
  });
}

function isStatedLevel(name: string | undefined): boolean {
  return name !== undefined && isLevelName(name) && !PART.test(name);
}

/** Of files with the same name, the format of the template counts, else Parquet. */
function withoutCopies(
  { pathTemplate }: Named,
  placed: readonly (PlacedFile | MisnamedFile)[],
): DatasetFiles {
  const preferred = tableFormat(pathTemplate) ?? 'parquet';
  const rank = (file: LakeFile) => {
    const format = tableFormat(file.path) ?? 'parquet';
    return format === preferred ? 2 : format === 'parquet' ? 1 : 0;
  };
  const best = new Map<string, number>();
  for (const { file } of placed) {
    const stem = tableStem(file.path);
    best.set(stem, Math.max(best.get(stem) ?? 0, rank(file)));
  }
  const isBest = ({ file }: { file: LakeFile }) => rank(file) === best.get(tableStem(file.path));
  return { files: placed.filter(isBest), copies: placed.filter(one => !isBest(one)).map(one => one.file) };
}

/**
 * Reads a name of the default layout: `<start>.csv`, or any name in the folder `<start>/`, in which `year=2024` or `2024`
 * is a year, and `detail=x`, `level=x` or `x` a level.
 */
function placeBelow({ levels }: Named, start: string, file: LakeFile): PlacedFile | null {
  if (tableFormat(file.path) === null) return null;
  const stem = tableStem(file.path);
  if (stem === start) return { file, year: null };
  if (!stem.startsWith(`${start}/`)) return null;
  const segments = stem.slice(start.length + 1).split('/');
  // Programs use such names for files of their own.
  if (segments.some(segment => /^[._]/.test(segment))) return null;
  let year: number | null = null;
  let detail: string | undefined;
  for (const segment of segments) {
    const [, stated] = /^(?:year=)?(\d{4})$/i.exec(segment) ?? [];
    if (stated !== undefined) year = Number(stated);
    const [, level] = /^(?:detail|level)=(.+)$/i.exec(segment) ?? [];
    if (level !== undefined) detail = level;
    else if (levels.includes(segment)) detail = segment;
  }
  return { file, year, detail };
}

/** The dimension's file, or the files in a folder of that name, as jobs write them; else a table in another format. */
export function dimensionFiles({ path }: Pick<Dimension, 'path'>, files: readonly LakeFile[]): LakeFile[] {
  const inFolder = templatePattern(`${path}/*.parquet`);
  const own = files.filter(file => file.path === path || inFolder.test(file.path));
  if (own.length > 0) return own;
  const stem = tableStem(path);
  return files.filter(file => tableFormat(file.path) !== null && tableStem(file.path) === stem);
}

/** The dimension's boundaries: the file of its name, in GeoJSON or TopoJSON. Another one beside it is a copy. */
export function boundaryFiles({ path }: Pick<Dimension, 'path'>, files: readonly LakeFile[]): LakeFile[] {
  const stem = tableStem(path);
  return files.filter(file => isBoundaries(file.path) && file.path.replace(/\.[^./]+$/, '') === stem);
}

export function isBoundaries(path: string): boolean {
  return /\.(geojson|topojson)$/i.test(path);
}

/** The slice that a file name gives. `year` is null and `detail` absent if the template has none. */
export interface SliceName {
  readonly year: number | null;
  readonly detail?: string | undefined;
}

/** Levels that a name fits equally. */
export interface AmbiguousName {
  readonly either: readonly string[];
}

/**
 * Returns a reader of names; it returns null for a name that does not fit the template. The longest fitting level wins:
 * of `city` and `city_district`, the name `city_district_0` belongs to the second.
 */
export function sliceReader({
  pathTemplate,
  levels,
}: Pick<Dataset, 'pathTemplate' | 'levels'>): (path: string) => SliceName | AmbiguousName | null {
  const any = templatePattern(pathTemplate);
  const ofLevel = (pathTemplate.includes('{detail}') ? levels : [])
    .map(level => ({ level, pattern: templatePattern(pathTemplate.replaceAll('{detail}', level)) }))
    .sort((a, b) => b.level.length - a.level.length);
  return path => {
    const match = any.exec(path);
    if (match === null) return null;
    const fitting = ofLevel.filter(({ pattern }) => pattern.test(path));
    const [longest] = fitting;
    if (longest === undefined) return { year: yearOf(match), detail: match.groups?.detail };
    if (fitting.some(({ level }) => !longest.level.includes(level)))
      return { either: fitting.map(({ level }) => level) };
    return { year: yearOf(longest.pattern.exec(path)), detail: longest.level };
  };
}

function yearOf(match: RegExpExecArray | null): number | null {
  const year = match?.groups?.year;
  return year === undefined ? null : Number(year);
}

/**
 * Turns a template into a pattern. It captures `{year}` and `{detail}`, which have the same value wherever they repeat;
 * `*` matches any text within a name. No name may begin with a dot or `_` there: programs use those for their own files.
 */
export function templatePattern(template: string): RegExp {
  const source = template
    .split(/(\{year\}|\{detail\}|\*)/)
    .map((token, i, tokens) => {
      const again = tokens.indexOf(token) < i;
      if (token === '{year}') return again ? '\\k<year>' : yearPattern(tokens, i);
      const own = /(^|\/)$/.test(tokens.slice(0, i).join('')) ? '(?![._])' : '';
      if (token === '{detail}') return again ? '\\k<detail>' : `(?<detail>${own}[^/]+?)`;
      if (token === '*') return `${own}[^/]*`;
      return token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/** Next to `*`, which could swallow digits, a year takes the whole run of digits. */
function yearPattern(tokens: readonly string[], i: number): string {
  const before = tokens[i - 1] === '' && tokens[i - 2] === '*' ? '(?<!\\d)' : '';
  const after = tokens[i + 1] === '' && tokens[i + 2] === '*' ? '(?!\\d)' : '';
  return `${before}(?<year>\\d{1,4})${after}`;
}

/** `csv` is also text with another delimiter; `jsonl` is one JSON object per line; `workbook` is a sheet of Excel's. */
export type TableFormat = 'parquet' | 'csv' | 'tsv' | 'jsonl' | 'workbook';

const FORMATS: ReadonlyMap<string, TableFormat> = new Map([
  ['parquet', 'parquet'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['jsonl', 'jsonl'],
  ['ndjson', 'jsonl'],
  ['xlsx', 'workbook'],
  ['xlsm', 'workbook'],
  ['xls', 'workbook'],
]);

/** Null for a file of any other format. */
export function tableFormat(path: string): TableFormat | null {
  return FORMATS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** The path without the ending of a table's format. */
export function tableStem(path: string): string {
  return tableFormat(path) === null ? path : path.replace(/\.[^./]+$/, '');
}
