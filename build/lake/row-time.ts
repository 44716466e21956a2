/** SQL for times and years in the columns of a Parquet file, and checks for values that can't be published exactly. */
import type { BaseColumn, Dataset } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import { readAggregates } from './column-batches.ts';
import type { Session } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import { isFloating, isInteger, type ParquetShape } from './parquet-shape.ts';
import { fileList, identifier, parquetRows } from './sql.ts';
import { presentText, textOfColumn } from './text-cells.ts';
import { readColumnsOf, valueDiagnostics } from './text-values.ts';
import { timeReader, timeValueOf } from './time-columns.ts';

export function isTime({ type }: Pick<BaseColumn, 'type'>): boolean {
  return type === 'date' || type === 'timestamp';
}

/** A timestamp without a time zone is read as UTC if the result has one. */
export function timeValue(
  value: string,
  from: string | undefined,
  to: string,
  column: Pick<BaseColumn, 'type' | 'physical' | 'form'>,
): string {
  return from === 'VARCHAR'
    ? `(${timeValueOf(presentText({ text: value }), timeReader(column))})::${to}`
    : `${value}::${to}`;
}

/**
 * The year of a row from the dataset's time column: in UTC for a timestamp, the first four digits of a
 * period. NULL if the value isn't a time; null if the dataset has no time.
 */
export function rowYear(
  { time, columns }: Pick<Dataset, 'time' | 'columns'>,
  shape: Pick<ParquetShape, 'columns'>,
): string | null {
  const column = columns.find(candidate => candidate.name === time.column);
  return column === undefined ? null : yearOf(column, shape);
}

export function yearOf(column: BaseColumn, shape: Pick<ParquetShape, 'columns'>): string {
  const name = identifier(column.name);
  const from = shape.columns.get(column.name);
  // A fraction would be rounded.
  const whole = isFloating(from) ? `CASE WHEN ${name} = trunc(${name}) THEN ${name} END` : name;
  if (column.type === 'integer') return `TRY_CAST(${whole} AS INTEGER)`;
  if (column.type === 'string') return `TRY_CAST(left(${name}::VARCHAR, 4) AS INTEGER)`;
  const moment = from === 'VARCHAR' ? timeValue(name, from, 'TIMESTAMP', column) : name;
  return `year(${moment})::INTEGER`;
}

/** An error for each column and file with values that can't be published as dates or timestamps. */
export async function findUnfitTimes(
  session: Session,
  columns: readonly BaseColumn[],
  files: readonly LakeFile[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const file of files) {
    const settled: { readonly column: BaseColumn; readonly name: string; readonly wrong: string }[] = [];
    for (const column of columns.filter(isTime)) {
      const from = shapes.get(file.path)?.columns.get(column.name);
      if (from === undefined) continue;
      const open = from === 'VARCHAR' ? await findOpenTexts(session, column, file) : [];
      found.push(...open);
      const name = identifier(column.name);
      if (open.length === 0) settled.push({ column, name, wrong: unfit(column, name, from) });
    }
    const values = await readAggregates<string | number | null>(
      session,
      parquetRows([file.absolute]),
      settled.flatMap(({ name, wrong }) => [`min(${name}::VARCHAR) FILTER (${wrong})`, `count_if(${wrong})`]),
    );
    for (const { column } of settled) {
      const [value, rows] = values.splice(0, 2);
      if (value == null) continue;
      const form = column.type === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DDThh:mm:ss';
      const message = `Column ${column.name} (${column.type}) has ${countOf(Number(rows), 'value')} such as ${JSON.stringify(value)}. ${WHY[column.type as keyof typeof WHY]} Write each as ${form}, in the years 1 to 9999, or make the column a string (logicalType: string, physicalType: ${column.type}).`;
      found.push(diagnosticAt(file.path, 'error', 'lake-unfit-time', message));
    }
  }
  return found;
}

/** Only ambiguous texts: those that don't fit the format are refused anyway. */
async function findOpenTexts(session: Session, column: BaseColumn, file: LakeFile): Promise<Diagnostic[]> {
  const text = identifier(column.name);
  const table = `(SELECT ${text}, file_row_number AS rowid FROM read_parquet(${fileList([file.absolute])}, hive_partitioning = false, file_row_number = true))`;
  const form = { ...column.form, format: column.form.format ?? 'ISO' };
  const [reading] = await readColumnsOf(session, table, [textOfColumn({ ...column, form }, text)]);
  if (reading === undefined || reading.doubt?.kind === 'unread') return [];
  return valueDiagnostics(file, column, reading, row => `row ${row}`);
}

const WHY = {
  date: 'A date is a day of the calendar without a time of day.',
  timestamp: 'A timestamp is a day of the calendar and a time of day with at most six decimals.',
} as const;

/**
 * SQL that is true for values that aren't times, are infinite, aren't written in full, or would lose
 * precision.
 */
function unfit(column: BaseColumn, name: string, from: string): string {
  const value = from === 'VARCHAR' ? timeValue(name, from, 'TIMESTAMP', column) : name;
  // `year` of an infinite value is NULL.
  const wrong = [`coalesce(year(${value}) NOT BETWEEN 1 AND 9999, true)`];
  if (column.type === 'date') wrong.push(`${value}::TIMESTAMP <> ${value}::DATE::TIMESTAMP`);
  if (from === 'TIMESTAMP_NS') wrong.push(`epoch_ns(${name}) % 1000 <> 0`);
  if (from === 'VARCHAR') {
    const form = column.type === 'date' ? '([T ].*)?' : '[T ].*';
    if (column.form.format === null)
      wrong.push(`NOT regexp_full_match(${name}, '\\d{4}-\\d{2}-\\d{2}${form}')`);
  }
  const present = from === 'VARCHAR' ? presentText(textOfColumn(column, name)) : name;
  return `${present} IS NOT NULL AND (${wrong.join(' OR ')})`;
}

/** A double holds all decimals of so many digits. */
export const EXACT_DIGITS = 15;

/** An error for each column and file with decimals that a double would round. */
export async function findInexactDecimals(
  session: Session,
  columns: readonly BaseColumn[],
  files: readonly LakeFile[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const examples = new Map<string, string>();
  for (const file of files) {
    const long = columns.flatMap(({ name, type: promised }) => {
      const type = shapes.get(file.path)?.columns.get(name) ?? '';
      // Checks report whole numbers.
      const isDecimal = promised === 'number' && !isInteger(type);
      const condition = isDecimal ? isInexact(identifier(name), type) : null;
      return condition === null ? [] : [{ name, type, condition }];
    });
    const values = await readAggregates<string | null>(
      session,
      parquetRows([file.absolute]),
      long.flatMap(({ name, condition }) => {
        const least = `min(${identifier(name)}) FILTER (${condition})`;
        return [`${least}::VARCHAR`, `${least}::VARCHAR::DOUBLE::VARCHAR`];
      }),
    );
    for (const { name, type } of long) {
      const [value, double] = values.splice(0, 2);
      if (value == null) continue;
      const example =
        examples.get(name) ?? `${value} in ${file.path}, which the build would publish as ${double}`;
      examples.set(name, example);
      const message = `Column ${name} (${type}) has decimals that a 64-bit float cannot hold, such as ${example}. Round them to ${EXACT_DIGITS} digits, or make the column a string (logicalType: string, physicalType: decimal).`;
      found.push(diagnosticAt(file.path, 'error', 'lake-inexact-decimal', message));
    }
  }
  return found;
}

/** SQL that is true for numbers that change when converted to a double and back; null if the type has none. */
export function isInexact(column: string, type: string): string | null {
  const [, digits = '0', scale = '0'] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? [];
  if (/^U?(BIGINT|HUGEINT)$/.test(type) || (Number(digits) > EXACT_DIGITS && scale === '0'))
    return `${column} NOT BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
  if (Number(digits) <= EXACT_DIGITS || scale === '0') return null;
  // Values with few digits are always exact.
  const limit = `'1e${EXACT_DIGITS - Number(scale)}'::${type}`;
  const again = `TRY_CAST(${column}::VARCHAR::DOUBLE::VARCHAR AS ${type})`;
  return `(${column} >= ${limit} OR ${column} <= -${limit}) AND ${again} IS DISTINCT FROM ${column}`;
}
