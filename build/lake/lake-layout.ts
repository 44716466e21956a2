/** Finds the files of datasets and dimensions in a lake by their names. Pure. */
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { isName } from '../format/paths.ts';
import type { LakeFile } from './lake-files.ts';

interface PlacedFile {
  readonly file: LakeFile;
  /** Null if the rows say their years. */
  readonly year: number | null;
  readonly detail?: string | undefined;
}

interface MisnamedFile extends AmbiguousName {
  readonly file: LakeFile;
}

export interface DatasetFiles {
  readonly files: readonly (PlacedFile | MisnamedFile)[];
  /** Files with the same name as a read file, in another format. */
  readonly copies: readonly LakeFile[];
}

type Named = Pick<Dataset, 'key' | 'domain' | 'topic' | 'pathTemplate' | 'levels'>;

/** Whether it is the template of datasets that state none. */
function isDefault({ domain, topic, pathTemplate }: Named): boolean {
  const start = `${domain}/${topic}/`;
  return [`${start}year={year}/{detail}.parquet`, `${start}{detail}.parquet`].includes(pathTemplate);
}

/** `shared`: another dataset has the same topic, or a domain has its name. */
export function datasetFiles(dataset: Named, files: readonly LakeFile[], shared: boolean): DatasetFiles {
  const templated = withoutCopies(dataset, byTemplate(dataset, files));
  if (!isDefault(dataset) || templated.files.some(isOfLevel(dataset))) return templated;
  const starts = [`${dataset.domain}/${dataset.topic}`, ...(shared ? [] : [dataset.topic])];
  for (const start of starts) {
    const placed = files.flatMap(file => placeBelow(dataset, start, file) ?? []);
    const whole = placed.filter(({ file }) => tableStem(file.path) === start);
    if (placed.length > 0) return withoutCopies(dataset, whole.length > 0 ? whole : placed);
  }
  return templated;
}

function isOfLevel({ levels }: Named) {
  return (one: PlacedFile | MisnamedFile) =>
    'either' in one || levels.length === 0 || levels.includes(one.detail ?? '');
}

/** Names that jobs give to the parts of a table. */
const PART = /^(part|data|rows|table|file|chunk|output)([_-]?\d.*)?$/;

/** Files of other table formats may replace the template's. */
function byTemplate(dataset: Named, files: readonly LakeFile[]): (PlacedFile | MisnamedFile)[] {
  const { pathTemplate } = dataset;
  const read = sliceReader(dataset);
  const ending =
    tableFormat(pathTemplate) === null ? null : pathTemplate.slice(tableStem(pathTemplate).length);
  // Skips other datasets' files before matching a pattern.
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
  return name !== undefined && isName(name) && !PART.test(name);
}

/** Of files with the same name, the template's format wins, then the first of FORMATS. */
function withoutCopies(
  { pathTemplate }: Named,
  placed: readonly (PlacedFile | MisnamedFile)[],
): DatasetFiles {
  const preferred = tableFormat(pathTemplate) ?? 'parquet';
  const endings = [...FORMATS.keys()];
  const rank = ({ path }: LakeFile) =>
    tableFormat(path) === preferred ? -1 : endings.indexOf(path.replace(/^.*\./, '').toLowerCase());
  const best = new Map<string, LakeFile>();
  for (const { file } of placed) {
    const other = best.get(tableStem(file.path));
    if (other === undefined || rank(file) < rank(other)) best.set(tableStem(file.path), file);
  }
  const isBest = ({ file }: { file: LakeFile }) => best.get(tableStem(file.path)) === file;
  return { files: placed.filter(isBest), copies: placed.filter(one => !isBest(one)).map(one => one.file) };
}

/**
 * The default layout: `<start>.csv`, or any name in the folder `<start>/`, in which `year=2024` or `2024` is
 * a year, and `detail=x`, `level=x` or a level's name is a level.
 */
function placeBelow({ levels }: Named, start: string, file: LakeFile): PlacedFile | null {
  if (tableFormat(file.path) === null) return null;
  const stem = tableStem(file.path);
  if (stem === start) return { file, year: null };
  if (!stem.startsWith(`${start}/`)) return null;
  const segments = stem.slice(start.length + 1).split('/');
  // Programs give such names to their own files.
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

/** The dimension's file, or the files in a folder of that name; otherwise a table in another format. */
export function dimensionFiles({ path }: Pick<Dimension, 'path'>, files: readonly LakeFile[]): LakeFile[] {
  const inFolder = templatePattern(`${path}/*.parquet`);
  const own = files.filter(file => file.path === path || inFolder.test(file.path));
  if (own.length > 0) return own;
  const stem = tableStem(path);
  return files.filter(file => tableFormat(file.path) !== null && tableStem(file.path) === stem);
}

/** Boundaries have the dimension's name, as GeoJSON or TopoJSON. A second file is a copy. */
export function boundaryFiles({ path }: Pick<Dimension, 'path'>, files: readonly LakeFile[]): LakeFile[] {
  const stem = tableStem(path);
  return files.filter(file => isBoundaries(file.path) && file.path.replace(/\.[^./]+$/, '') === stem);
}

export function isBoundaries(path: string): boolean {
  return /\.(geojson|topojson)$/i.test(path);
}

/** `year` is null and `detail` absent if the template doesn't have them. */
interface SliceName {
  readonly year: number | null;
  readonly detail?: string | undefined;
}

/** Levels that a name fits equally well. */
interface AmbiguousName {
  readonly either: readonly string[];
}

/**
 * Returns null for names that don't fit. The longest fitting level wins: with `city` and `city_district`, the
 * name `city_district_0` is of the second.
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
 * Captures `{year}` and `{detail}`, which repeat the same value; `*` matches any text within a name. No
 * matched name may begin with a dot or `_`: programs use those for their own files.
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

/** `csv` may have any delimiter; `jsonl` is one JSON object per line. */
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

/** Null for other formats. */
export function tableFormat(path: string): TableFormat | null {
  return FORMATS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** Without the extension of a table format. */
export function tableStem(path: string): string {
  return tableFormat(path) === null ? path : path.replace(/\.[^./]+$/, '');
}
