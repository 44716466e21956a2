/**
 * Statistics of a level, from its rows in memory or in a file: counts of rows and descriptions of values. Only counts
 * have means, since no contract says that another figure may be averaged without weights.
 */
import type { Column, Dataset } from '../contract/dataset.ts';
import { hasRange } from '../contract/filters.ts';
import type { ColumnStatistics, Scalar, StatisticsDocument, ValueCount } from '../format/documents.ts';
import { readAggregates, readAggregatesBy, readSelects } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { identifier, identifiers, literal } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';
import { timeText } from './text-sql.ts';

/** `year` is 0 in a dataset without time. */
export interface YearRows {
  readonly year: number;
  readonly rows: number;
}

interface LevelInput {
  readonly dataset: Dataset;
  readonly columns: readonly PublishedColumn[];
  /** All years of the level, ascending. */
  readonly years: readonly YearRows[];
  /** Columns known to have no NULL. */
  readonly full: ReadonlySet<string>;
}

export type LevelStatistics = Pick<
  StatisticsDocument,
  'rows' | 'years' | 'year_rows' | 'columns' | 'combinations'
>;

const BINS = 20;

/** Nobody chooses from a list of more values. */
const MOST_VALUES = 1000;
const MOST_COMBINATIONS = 5000;
/** More possible combinations aren't counted: that takes longest, and nearly all occur. */
const MOST_POSSIBLE = 100_000;

export function countRows(years: readonly YearRows[]): number {
  return years.reduce((sum, { rows }) => sum + rows, 0);
}

/** `rows` is a table, or any SQL after FROM. */
export async function describeRows(
  session: Session,
  input: LevelInput,
  rows: string,
): Promise<LevelStatistics> {
  const { dataset, columns, years } = input;
  const nulls = await readNulls(session, input, rows);
  const ends = await readEnds(session, columns, rows);
  const means = await readMeans(session, input, rows);
  const values = await readValues(session, input, rows);
  const distinct = await readDistinct(session, input, rows, values);
  const bins = await readBins(session, dataset, rows, ends);
  return {
    rows: countRows(years),
    years: dataset.time.yearColumn === null ? [] : years.map(({ year }) => year),
    year_rows: years.map(({ rows: ofYear }) => ofYear),
    columns: columns.map(({ column: { name } }, at): ColumnStatistics => {
      const [min = null, max = null] = ends.get(name)?.shown ?? [];
      const [mean, counts, histogram] = [means.get(name), values.get(name), bins.get(name)];
      return {
        name,
        nulls: nulls.map(ofYear => ofYear[at] ?? 0),
        ...(distinct.has(name) ? { distinct: distinct.get(name)! } : {}),
        ...(ends.has(name) ? { min, max } : {}),
        ...(mean ? { mean } : {}),
        ...(histogram ? { histogram } : {}),
        ...(counts && counts.length <= MOST_VALUES ? { values: counts } : {}),
      };
    }),
    ...(await readCombinations(session, input, rows, values)),
  };
}

/** Of each column by year. */
async function readNulls(
  session: Session,
  { dataset, columns, years, full }: LevelInput,
  rows: string,
): Promise<number[][]> {
  const holed = columns.map(({ column }) => column.name).filter(name => !full.has(name));
  const counts = holed.map(name => `(count(*) - count(${identifier(name)}))::DOUBLE`);
  const found = await readAggregatesBy<number>(session, rows, yearOf(dataset), counts);
  return years.map(({ year }) => {
    const nulls = new Map(holed.map((name, i) => [name, found.get(year)?.[i] ?? 0]));
    return columns.map(({ column }) => nulls.get(column.name) ?? 0);
  });
}

interface Ends {
  /** As the API writes them; null without values. */
  readonly shown: readonly [Scalar | null, Scalar | null];
  /** As numbers: seconds of times. */
  readonly numbers: readonly [number | null, number | null];
}

async function readEnds(
  session: Session,
  columns: readonly PublishedColumn[],
  rows: string,
): Promise<ReadonlyMap<string, Ends>> {
  const ordered = columns.filter(({ column }) => column.type !== 'string' && column.type !== 'boolean');
  const list = ordered.flatMap(({ column: { name, type } }) => {
    const ends = ['min', 'max'].map(end => `${end}(${identifier(name)})`);
    const isTime = type === 'date' || type === 'timestamp';
    return [...ends.map(end => (isTime ? timeText(end) : end)), ...ends.map(end => onLine(type, end))];
  });
  const found = await readAggregates(session, rows, list);
  return new Map(
    ordered.map(({ column: { name } }) => {
      const [least = null, most = null, from, to] = found.splice(0, 4);
      return [name, { shown: [least, most], numbers: [from as number | null, to as number | null] }];
    }),
  );
}

function onLine(type: PublishedColumn['column']['type'], value: string): string {
  return type === 'date' || type === 'timestamp' ? `epoch(${value})::DOUBLE` : `${value}::DOUBLE`;
}

/**
 * The mean of each count by year, over the rows at the totals of all axes, so that no case counts twice. Sums
 * of integers are exact in any order.
 */
async function readMeans(
  session: Session,
  { dataset, years }: LevelInput,
  rows: string,
): Promise<ReadonlyMap<string, readonly (number | null)[]>> {
  const axes = axesOf(dataset);
  const names = new Set(dataset.columns.map(({ name }) => name));
  const counts = dataset.columns.filter(
    ({ name, role, type, unit }) =>
      role === 'metric' &&
      type === 'integer' &&
      unit === 'count' &&
      !(name.endsWith('_moe') && names.has(name.slice(0, -'_moe'.length))),
  );
  if (counts.length === 0 || axes.some(({ totalValue }) => totalValue === null)) return new Map();
  const totals = axes.map(({ name, totalValue }) => `${identifier(name)}::VARCHAR = ${literal(totalValue)}`);
  const found = await readAggregatesBy<number | null>(
    session,
    `${rows}${totals.length === 0 ? '' : ` WHERE ${totals.join(' AND ')}`}`,
    yearOf(dataset),
    counts.map(({ name }) => `sum(${identifier(name)})::DOUBLE / count(${identifier(name)})`),
  );
  return new Map(counts.map(({ name }, i) => [name, years.map(({ year }) => found.get(year)?.[i] ?? null)]));
}

/** Columns of the grain that are neither place nor time. */
function axesOf({ columns, grain, placeColumns, time }: Dataset): Column[] {
  return columns.filter(
    ({ name }) =>
      grain.includes(name) &&
      !placeColumns.includes(name) &&
      name !== time.yearColumn &&
      name !== time.column,
  );
}

function yearOf({ time }: Dataset): string {
  return time.yearColumn === null ? '0' : `${identifier(time.yearColumn)}::INTEGER`;
}

/** The rows of each value by year, of axes and of columns with few values. */
async function readValues(
  session: Session,
  { dataset, columns, years }: LevelInput,
  rows: string,
): Promise<ReadonlyMap<string, readonly ValueCount[]>> {
  const axes = new Set(axesOf(dataset).map(({ name }) => name));
  const listed = columns.filter(
    ({ column }) =>
      column.type !== 'date' &&
      column.type !== 'timestamp' &&
      (axes.has(column.name) ||
        column.validValues !== null ||
        column.type === 'boolean' ||
        ('role' in column && column.role === 'categorical')),
  );
  if (listed.length === 0) return new Map();
  const selects = listed.map(({ column: { name } }, i) => {
    const value = identifier(name);
    return `SELECT ${i} AS at, ${yearOf(dataset)} AS year, ${value}::VARCHAR AS value, count(*)::DOUBLE AS rows FROM ${rows} WHERE ${value} IS NOT NULL GROUP BY 2, ${value}`;
  });
  const found = await readSelects<{ at: number; year: number; value: string; rows: number }>(
    session,
    selects,
  );
  const positions = new Map(years.map(({ year }, i) => [year, i]));
  const counts = listed.map(() => new Map<string, number[]>());
  for (const { at, year, value, rows: count } of found) {
    const own = counts[at]?.get(value) ?? years.map(() => 0);
    own[positions.get(year) ?? 0] = count;
    counts[at]?.set(value, own);
  }
  return new Map(
    listed.map(({ column: { name, type } }, i) => [
      name,
      [...counts[i]!]
        .map(([text, own]): ValueCount => ({ value: readValue(text, type), rows: own }))
        .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0)),
    ]),
  );
}

function readValue(text: string, type: PublishedColumn['column']['type']): Scalar {
  if (type === 'boolean') return text === 'true';
  return type === 'integer' || type === 'number' ? Number(text) : text;
}

/** Not of figures: counting a million different numbers takes much memory and says little. */
async function readDistinct(
  session: Session,
  { columns }: LevelInput,
  rows: string,
  values: ReadonlyMap<string, readonly ValueCount[]>,
): Promise<ReadonlyMap<string, number>> {
  const known = [...values].map(([name, counts]): [string, number] => [name, counts.length]);
  const others = columns.filter(
    ({ column }) => !values.has(column.name) && !('role' in column && column.role === 'metric'),
  );
  if (others.length === 0) return new Map(known);
  const list = others.map(({ column }) => `count(DISTINCT ${identifier(column.name)})::DOUBLE`);
  const counts = await readAggregates<number>(session, rows, list);
  return new Map([...known, ...others.map(({ column }, i): [string, number] => [column.name, counts[i]!])]);
}

/** Rows in each of BINS equal parts between the least and the greatest value, of columns with ranges. */
async function readBins(
  session: Session,
  { columns }: Dataset,
  rows: string,
  ends: ReadonlyMap<string, Ends>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const ranged = columns.filter(hasRange).flatMap(column => {
    const [least = null, greatest = null] = ends.get(column.name)?.numbers ?? [];
    const width = least === null || greatest === null ? Number.NaN : (greatest - least) / BINS;
    return least !== null && Number.isFinite(width) ? [{ column, least, width }] : [];
  });
  if (ranged.length === 0) return new Map();
  const selects = ranged.map(({ column: { name, type }, least, width }, i) => {
    const value = identifier(name);
    const part = `trunc((${onLine(type, value)} - ${double(least)}) / ${double(width)})`;
    const bin = width > 0 ? `least(${BINS - 1}, greatest(0, ${part}))` : '0';
    return `SELECT ${i} AS at, ${bin}::UTINYINT AS bin, count(*)::DOUBLE AS rows FROM ${rows} WHERE ${value} IS NOT NULL GROUP BY 2`;
  });
  const found = await readSelects<{ at: number; bin: number; rows: number }>(session, selects);
  const counts = ranged.map(({ width }) => new Array<number>(width > 0 ? BINS : 1).fill(0));
  for (const { at, bin, rows: count } of found) counts[at]![bin] = count;
  return new Map(ranged.map(({ column: { name } }, i) => [name, counts[i]!]));
}

/** DuckDB reads a plain number with decimals as a DECIMAL. */
function double(value: number): string {
  return `${literal(String(value))}::DOUBLE`;
}

/** Combinations of year and axes that have rows, if there are several axes and few combinations. */
async function readCombinations(
  session: Session,
  { dataset, years }: LevelInput,
  rows: string,
  values: ReadonlyMap<string, readonly ValueCount[]>,
): Promise<Pick<LevelStatistics, 'combinations'>> {
  const { yearColumn } = dataset.time;
  const axes = axesOf(dataset).filter(({ type }) => type !== 'date' && type !== 'timestamp');
  const possible = axes.reduce(
    (product, { name }) => product * (1 + (values.get(name)?.length ?? 0)),
    years.length,
  );
  if (axes.length < 2 || possible > MOST_POSSIBLE) return {};
  const names = [...(yearColumn === null ? [] : [yearColumn]), ...axes.map(({ name }) => name)];
  const order = names.map((_, i) => `${i + 1} NULLS FIRST`).join(', ');
  const found = await session.rows<Readonly<Record<string, Scalar | null>>>(
    `SELECT ${identifiers(names)}, count(*)::DOUBLE AS "rows of combination" FROM ${rows} GROUP BY ALL ORDER BY ${order} LIMIT ${MOST_COMBINATIONS + 1}`,
  );
  if (found.length > MOST_COMBINATIONS) return {};
  return {
    combinations: {
      columns: names,
      rows: found.map(row => [...names.map(name => row[name] ?? null), Number(row['rows of combination'])]),
    },
  };
}
