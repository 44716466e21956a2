/** Writes the slices of a dataset, and copies of a level in another order: by place, or by the values of a column. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset, Publisher } from '../contract/dataset.ts';
import type { FilterDescriptor, Scalar } from '../format/documents.ts';
import type { CopyEntry, ValueCounts } from '../format/manifest.ts';
import { COPIES, copyPath, datasetFolder, NO_YEAR, yearSegment } from '../format/paths.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, numberedRows, parquetRows, rowOrder } from '../lake/sql.ts';
import { readCellAggregates } from '../lake/text-cells.ts';
import { countRows, describeRows, type LevelStatistics, type YearRows } from './level-statistics.ts';
import type { PublishedColumn } from './row-columns.ts';
import {
  copyParquet,
  envelopeStamp,
  groupRows,
  type RowsInput,
  sliceEnvelope,
  type WrittenParquet,
  type WrittenSlice,
  writeSlice,
} from './rows-writer.ts';
import { factRows, joinedRows, type SliceTableInput, sliceRows } from './slice-table.ts';
import { csvRow, jsonRow, needsSql, type TextNeeds, timeText, UNKNOWN_TEXT } from './text-sql.ts';

type WrittenCopy = Omit<CopyEntry, 'file'> & { readonly file: WrittenParquet };

export interface WrittenCopies {
  readonly copies: readonly WrittenCopy[];
  /** Null in copies by value. */
  readonly statistics: LevelStatistics | null;
}

/** Years of one level that are copied together. */
export interface CopyRun {
  readonly by: 'place' | 'values';
  readonly detail: string;
  /** Ascending by year. */
  readonly slices: readonly LakeSlice[];
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

const ROWS = 'copied';

/** Rows in the sample that measures how long rows are as text. */
const SAMPLE_ROWS = 400;

/**
 * Statistics of rows in memory cost a fifth of those from a file. Larger levels (some 100 MB) are read from
 * their file.
 */
export const MOST_VALUES_IN_MEMORY = 20_000_000;

/**
 * Describes the rows of a level, and copies them by place. A dataset with one year needs no copy, because its slices
 * already have that order.
 */
export async function copyByPlace(
  input: SliceInput,
  run: CopyRun,
  years: readonly YearRows[],
  isCopied: boolean,
): Promise<WrittenCopies> {
  const { session, dataset, columns, folder } = input;
  const rows = countRows(years);
  const select = sliceRows(input, run.slices, [...new Set([...dataset.placeColumns, ...dataset.order])]);
  const file = path.join(folder, copyName(input, run, null));
  const write = async (table: string, described: string) => {
    const { copy, full } = await writeCopy(input, run, null, table, rows);
    const statistics = await describeRows(session, { dataset, columns, years, full }, described);
    return { copies: isCopied ? [copy] : [], statistics };
  };
  const written =
    rows * columns.length > MOST_VALUES_IN_MEMORY
      ? await write(`(${select})`, parquetRows([file]))
      : await withRows(session, select, () => write(ROWS, ROWS));
  if (!isCopied) await rm(file);
  return written;
}

/** Copies some years by each column of `filtered` that is worth it. */
export async function copyByValues(
  input: SliceInput,
  run: CopyRun,
  filtered: readonly string[],
  rows: number,
): Promise<WrittenCopies> {
  if (filtered.length === 0 || isTooSmall(rows)) return { copies: [], statistics: null };
  const { session, dataset, columns, folder } = input;
  const select = joinedRows(input, factRows(input, run.slices));
  const copies = await withRows(session, select, async () => {
    const names = filtered.filter(name => columns.some(({ column }) => column.name === name));
    const values = await countValues(session, names);
    const counted = names.map((name, i) => ({ name, values: values[i]!, key: keyOf(columns, name) }));
    const chosen = chooseColumns(rows, counted, dataset);
    const written: WrittenCopy[] = [];
    if (chosen.length === 0) return written;
    const textBytes = await estimateText(input, rows);
    for (const name of chosen) {
      const sizes = written.map(one => one.file.bytes);
      if (!affordsCopy(sizes, textBytes)) break;
      const order = rowOrder(new Set([name, ...dataset.order]));
      const sorted = `(SELECT * FROM ${ROWS} ORDER BY ${order})`;
      const { copy } = await writeCopy(input, run, name, sorted, rows);
      if (keepsBudget([...sizes, copy.file.bytes], textBytes)) {
        const attributes = filtered.filter(other => keyOf(columns, other) === name);
        written.push({ ...copy, counted: await countYears(input, name, attributes, copy.years) });
      } else await rm(path.join(folder, copy.file.path));
    }
    return written;
  });
  return { copies, statistics: null };
}

async function withRows<Result>(
  session: Session,
  select: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.run(`CREATE TEMP TABLE ${ROWS} AS ${select}`);
  try {
    return await work();
  } finally {
    await session.run(`DROP TABLE ${ROWS}`);
  }
}

/** `sorted` is in the copy's order; by place if `column` is null. `full`: columns without NULLs. */
async function writeCopy(
  input: SliceInput,
  run: CopyRun,
  column: string | null,
  sorted: string,
  rows: number,
): Promise<{ readonly copy: WrittenCopy; readonly full: ReadonlySet<string> }> {
  await mkdir(path.join(input.folder, COPIES), { recursive: true });
  const name = copyName(input, run, column);
  const { file, known } = await copyParquet(rowsInput(input, sorted, rows), name, groupRows('copy', rows));
  const by = column === null ? input.dataset.placeColumns : [column];
  const years = run.slices.map(slice => slice.year);
  return { copy: { detail: run.detail, by, years, rows, file }, full: known.full };
}

/** Relative to the dataset's folder. */
function copyName(
  { dataset: { domain, topic }, columns }: SliceInput,
  { detail, slices }: CopyRun,
  column: string | null,
): string {
  const position = columns.findIndex(one => one.column.name === column);
  const by = column === null ? null : { name: column, position, first: slices[0]?.year ?? NO_YEAR };
  return path.posix.relative(datasetFolder(domain, topic), copyPath(domain, topic, detail, by));
}

/** Sets of many values take memory, so they are only estimated. */
async function countValues(session: Session, names: readonly string[]): Promise<number[]> {
  const columns = names.map(name => identifier(name));
  const about = await readAggregates<number>(
    session,
    ROWS,
    columns.map(column => `approx_count_distinct(${column})`),
  );
  const isFew = about.map(values => values <= 2 * MOST_VALUES);
  const exact = await readAggregates<number>(
    session,
    ROWS,
    columns.filter((_, i) => isFew[i]).map(column => `count(DISTINCT ${column})`),
  );
  return about.map((values, i) => (isFew[i] ? exact.shift()! : values));
}

/** The foreign key that alone determines a column's values; null if there is none. */
function keyOf(columns: SliceInput['columns'], name: string): string | null {
  const join = columns.find(({ column }) => column.name === name)?.join;
  return join?.columns.length === 1 ? (join.columns[0] ?? null) : null;
}

/** The rows of each value and year, and the attributes that follow from each value. */
async function countYears(
  { session, dataset, columns }: SliceInput,
  name: string,
  attributes: readonly string[],
  years: readonly number[],
): Promise<ValueCounts> {
  const { yearColumn } = dataset.time;
  const year = yearColumn === null ? `${NO_YEAR}` : identifier(yearColumn);
  // Columns may have any names, so these are aliases.
  const own = attributes.map((attribute, i) => `, ${identifier(attribute)} AS a${i}`);
  const list = attributes.map(
    (attribute, i) => `, any_value(${scalarSql(columns, attribute, `a${i}`)}) AS a${i}`,
  );
  const listed = await session.rows<
    { value: Scalar | null; year: number; rows: number } & Record<`a${number}`, Scalar | null>
  >(
    `SELECT ${scalarSql(columns, name, 'v')} AS value, y AS year, count(*)::DOUBLE AS rows${list.join('')} FROM (SELECT ${identifier(name)} AS v, ${year} AS y${own.join('')} FROM ${ROWS}) GROUP BY v, y ORDER BY v NULLS FIRST, y`,
  );
  const counts = new Map<Scalar | null, number[]>();
  const first = new Map<Scalar | null, (typeof listed)[number]>();
  for (const row of listed) {
    const ofYears = counts.get(row.value) ?? years.map(() => 0);
    counts.set(row.value, ofYears);
    ofYears[years.indexOf(row.year)] = row.rows;
    first.set(row.value, row);
  }
  const following = attributes.map((attribute, i) => [
    attribute,
    [...first.values()].map(row => row[`a${i}`] ?? null),
  ]);
  return {
    values: [...counts.keys()],
    rows: [...counts.values()],
    ...(following.length > 0 && { attributes: Object.fromEntries(following) }),
  };
}

/** A value `x` as the bounds of row groups have it: times are texts without the Z of UTC. */
function scalarSql(columns: SliceInput['columns'], name: string, x: string): string {
  const type = columns.find(({ column }) => column.name === name)?.column.type ?? 'string';
  switch (type) {
    case 'boolean':
      return x;
    case 'integer':
    case 'number':
      return `${x}::DOUBLE`;
    case 'string':
      return `${x}::VARCHAR`;
    case 'date':
    case 'timestamp':
      return `rtrim(${timeText(x)}, 'Z')`;
    default:
      return type satisfies never;
  }
}

/** Estimates the bytes of the rows as JSON and CSV, the same on any machine. */
async function estimateText({ session, columns }: SliceInput, rows: number): Promise<number> {
  const { from, number } = numberedRows(
    ROWS,
    columns.map(({ column }) => column.name),
  );
  const step = Math.max(1, Math.floor(rows / SAMPLE_ROWS));
  const mean = (text: string) => `avg(strlen(${text}))::DOUBLE`;
  const needs = () => UNKNOWN_TEXT;
  const { json, csv } = await session.row<{ json: number | null; csv: number | null }>(
    `SELECT ${mean(jsonRow(columns, needs))} AS json, ${mean(csvRow(columns, needs))} AS csv FROM ${from} WHERE ${number} % ${step} = 0`,
  );
  return rows * ((json ?? 0) + (csv ?? 0));
}

/** A column that requests can filter by. NULL isn't counted as a value. */
interface FilteredColumn {
  readonly name: string;
  readonly values: number;
  /** The foreign key that determines its values; null if none does. */
  readonly key: string | null;
}

/** The manifest lists the rows of each value and year, so more values would enlarge it. */
const MOST_VALUES = 1000;

/** Copies by value may take this share of their rows' bytes as JSON and CSV. */
const SHARE = 0.05;

/**
 * The columns that requests compare with a list of values, except time columns (slices are already sorted by
 * them) and codes that only have a meaning together with another column.
 */
export function filteredColumns(
  { time, foreignKeys }: Pick<Dataset, 'time' | 'foreignKeys'>,
  filters: readonly FilterDescriptor[],
): string[] {
  const found = filters.flatMap(({ column, multi_value: isList }) => {
    const isTime = column === time.column || column === time.yearColumn;
    const isPart = foreignKeys.some(key => key.columns.length > 1 && key.columns.at(-1) === column);
    return isList && column !== undefined && !isTime && !isPart ? [column] : [];
  });
  return [...new Set(found)];
}

/**
 * The columns worth a copy, the best first. A question about one value then reads the rows of that value and
 * about one more row group. That must save a row group of a slice and a quarter of the rows. No copy is
 * needed for the first column of the places or the grain that has several values (copies by place and slices
 * are sorted by them), nor for a column that follows from another one.
 */
export function chooseColumns(
  rows: number,
  columns: readonly FilteredColumn[],
  { order, placeColumns }: Pick<Dataset, 'order' | 'placeColumns'>,
): string[] {
  const saved = ({ values }: FilteredColumn) => saving(rows, values);
  const varied = columns.filter(({ values }) => values > 1);
  const isVaried = (name: string) => varied.some(column => column.name === name);
  const leading = [placeColumns.find(isVaried), order.find(isVaried)];
  const worth = varied
    .filter(
      column =>
        column.values <= MOST_VALUES && !leading.includes(column.name) && saved(column) >= leastSaving(rows),
    )
    .sort((a, b) => saved(b) - saved(a) || (a.name < b.name ? -1 : 1));
  const names = worth.map(({ name }) => name);
  return worth.filter(({ key }) => key === null || !names.includes(key)).map(({ name }) => name);
}

/** Too few rows for any copy. */
export function isTooSmall(rows: number): boolean {
  return saving(rows, MOST_VALUES) < leastSaving(rows);
}

/** Rows that a copy saves a question about one value, on average. */
function saving(rows: number, values: number): number {
  return rows - rows / values - groupRows('copy', rows);
}

function leastSaving(rows: number): number {
  return Math.max(groupRows('slice', rows), rows / 4);
}

/** Whether there is a budget for the next copy, if it is of average size. */
export function affordsCopy(written: readonly number[], textBytes: number): boolean {
  const spent = written.reduce((sum, bytes) => sum + bytes, 0);
  return spent + spent / Math.max(1, written.length) <= textBytes * SHARE;
}

export function keepsBudget(written: readonly number[], textBytes: number): boolean {
  return written.reduce((sum, bytes) => sum + bytes, 0) <= textBytes * SHARE;
}

interface SliceInput extends SliceTableInput {
  readonly session: Session;
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly keyColumns: readonly string[];
  /** The dataset's folder in the tree. */
  readonly folder: string;
}

const SLICE = 'slice';

export async function writeDatasetSlice(
  input: SliceInput,
  slice: LakeSlice,
  rows: number,
): Promise<WrittenSlice> {
  const { dataset, session, publisher, sample } = input;
  const stamp = envelopeStamp(dataset, publisher, sample);
  await session.run(`CREATE TEMP TABLE ${SLICE} AS ${sliceRows(input, [slice], dataset.order)}`);
  try {
    return await writeSlice(
      { ...rowsInput(input, SLICE, rows), needsOf: await readNeeds(input, SLICE) },
      `${yearSegment(slice.year)}/${slice.detail}`,
      groupRows('slice', rows),
      (release, page) => sliceEnvelope({ dataset: dataset.key, ...stamp }, slice, release, page),
    );
  } finally {
    await session.run(`DROP TABLE ${SLICE}`);
  }
}

/** Most texts need no quotes, and the SQL that writes quotes takes memory for each column. */
async function readNeeds(
  { session, columns, types }: SliceInput,
  table: string,
): Promise<RowsInput['needsOf']> {
  const free = columns.flatMap(column =>
    column.column.type === 'string' && types.needsOf(column) === UNKNOWN_TEXT
      ? [{ column, text: identifier(column.column.name) }]
      : [],
  );
  const asked = needsSql('v');
  const found = await readCellAggregates<boolean | null, (typeof free)[number]>(session, table, free, () => [
    asked.jsonEscape,
    asked.csvQuote,
    asked.lineFeed,
  ]);
  const needs = new Map(
    free.map(({ column }, i): [PublishedColumn, TextNeeds] => {
      const [jsonEscape = false, csvQuote = false, lineFeed = false] = found[i]!.map(need => need === true);
      return [column, { jsonEscape, csvQuote, lineFeed }];
    }),
  );
  return column => needs.get(column) ?? types.needsOf(column);
}

function rowsInput(input: SliceInput, table: string, rows: number): RowsInput {
  const { dataset, session, columns, keyColumns, types, publisher, sample, folder } = input;
  return {
    session,
    table,
    rows,
    columns,
    keyColumns,
    needsOf: types.needsOf,
    metadata: { subject: { dataset: dataset.key }, version: dataset.version, publisher, sample },
    folder,
  };
}
