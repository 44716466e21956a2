/** Reads columns of texts as values of the contract's types, and reports the texts that it can't read. */
import type { BaseColumn } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import type { Session } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import { readNumberColumns } from './number-columns.ts';
import { literals } from './sql.ts';
import {
  type ColumnReading,
  type Doubt,
  findDoubt,
  isListed,
  isUnread,
  plainReading,
  presentText,
  readCellAggregates,
  type TextColumn,
  type TextRows,
  unreadTexts,
} from './text-cells.ts';
import { readTimeColumns } from './time-columns.ts';

/** `placeOf`: such as `line 7`. */
export function valueDiagnostics(
  file: Pick<LakeFile, 'path'>,
  column: Pick<BaseColumn, 'name' | 'type' | 'form'>,
  { doubt }: ColumnReading,
  placeOf: (row: number) => string,
): Diagnostic[] {
  if (doubt === null) return [];
  const isOpen = doubt.kind === 'ambiguous' || doubt.kind === 'offset' || doubt.kind === 'unclear';
  return [
    diagnosticAt(
      file.path,
      'error',
      isOpen ? 'lake-ambiguous' : 'lake-value',
      messageOf(column, doubt, shownCells(doubt, placeOf)),
    ),
  ];
}

function messageOf(
  { name, type, form }: Pick<BaseColumn, 'name' | 'type' | 'form'>,
  doubt: Doubt,
  cells: string,
): string {
  const rows = countOf(doubt.rows, 'row');
  const first = JSON.stringify(doubt.cells[0]?.text ?? '');
  switch (doubt.kind) {
    case 'unread':
      return `Column ${name} is ${type} in the contract${statedForm(form)}, but the file has another text in ${rows}, such as ${cells}. If it says that there is no figure, add { property: missing_values, value: [${first}] } to the column; if not, correct it, or make the column a string.`;
    case 'inexact':
      return `Column ${name} has whole numbers beyond ±${Number.MAX_SAFE_INTEGER.toLocaleString('en')} in ${rows}, such as ${cells}, and programs that read JSON would round them. Make the column a string (logicalType: string).`;
    case 'ambiguous':
      return `Column ${name} ${openReadings(doubt)} in ${rows}, such as ${cells}. ${settle(type, doubt)}`;
    case 'offset':
      return `Column ${name} has times with an offset from UTC in ${rows}, such as ${cells}, and the contract does not say that it holds moments. Add ${doubt.answers.map(({ yaml }) => yaml).join(', or ')} to the column, and they are published in UTC; or make it a string.`;
    case 'unclear':
      return `Column ${name} has times in ${rows} that clocks in ${form.zone} skip or show twice, such as ${cells}. Write these with their offset from UTC, such as 2024-11-03T01:30:00-04:00.`;
    default:
      return doubt.kind satisfies never;
  }
}

function statedForm({ format, decimal, group }: BaseColumn['form']): string {
  const said = Object.entries({ format, decimal, group }).flatMap(([key, value]) =>
    value === null ? [] : [`${key} ${JSON.stringify(value)}`],
  );
  return said.length === 0 ? '' : ` with ${said.join(' and ')}`;
}

/** A date with only one answer has years of two digits. */
export function openReadings({ answers }: Pick<Doubt, 'answers'>): string {
  if (answers.length === 1) return 'has years of two digits, whose century is open,';
  return `can be read in ${answers.length === 2 ? 'two' : 'several'} ways`;
}

export function settle(type: BaseColumn['type'], { answers }: Pick<Doubt, 'answers'>): string {
  const isNumber = type === 'number' || type === 'integer';
  const where = isNumber ? 'the customProperties of the column, or of its table,' : 'the column';
  const lines = answers.map(({ yaml, means }) => `${yaml} (the first is ${means})`);
  const remedy = isNumber
    ? ''
    : `; or write them as ${type === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DDThh:mm:ss'}`;
  return `Say ${lines.length === 1 ? 'so' : 'which'} in ${where} with ${lines.length === 1 ? 'this line' : 'one of these lines'}: ${lines.join(', ')}${remedy}.`;
}

function shownCells({ cells }: Pick<Doubt, 'cells'>, placeOf: (row: number) => string): string {
  const shown = cells.map(({ row, text }) => `${JSON.stringify(text)} on ${placeOf(row)}`);
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/**
 * Reads each column in the only way that its texts, the other columns and the contract allow. `most`: look at
 * only so many first rows.
 */
export async function readColumnsOf(
  session: Session,
  table: string,
  columns: readonly TextColumn[],
  most: number | null = null,
): Promise<ColumnReading[]> {
  const rows = { session, table, from: most === null ? table : `(SELECT * FROM ${table} LIMIT ${most})` };
  const readings = new Map<TextColumn, ColumnReading>();
  const readAll = async <Type extends TextColumn['type']>(
    types: readonly Type[],
    read: (rows: TextRows, columns: readonly (TextColumn & { type: Type })[]) => Promise<ColumnReading[]>,
  ) => {
    const isOfType = (column: TextColumn): column is TextColumn & { type: Type } =>
      types.some(type => type === column.type);
    const own = columns.filter(isOfType);
    for (const [i, reading] of (await read(rows, own)).entries()) readings.set(own[i]!, reading);
  };
  await readAll(['number', 'integer'], readNumberColumns);
  await readAll(['date', 'timestamp'], readTimeColumns);
  await readAll(['boolean'], readBooleans);
  await readAll(['string'], async (_, texts) => texts.map(one => plainReading(stringValue(one), null)));
  return columns.map(column => readings.get(column)!);
}

function stringValue({ text, missing = [] }: TextColumn): string {
  return missing.length === 0 ? text : `CASE WHEN NOT ${isListed(`trim(${text})`, missing)} THEN ${text} END`;
}

const [TRUE, FALSE] = [
  ['true', 't', 'yes', 'y', '1'],
  ['false', 'f', 'no', 'n', '0'],
] as const;

const booleanValue = (own: string) =>
  `CASE WHEN lower(${own}) IN (${literals(TRUE)}) THEN true WHEN lower(${own}) IN (${literals(FALSE)}) THEN false END`;

async function readBooleans(rows: TextRows, columns: readonly TextColumn[]): Promise<ColumnReading[]> {
  const has = (...words: readonly string[]) => `bool_or(lower(own) IN (${literals(words)}))`;
  const pairs = TRUE.map((word, i) => `${has(word)} AND ${has(FALSE[i]!)}`);
  const looks = await readCellAggregates<number, TextColumn>(rows.session, rows.from, columns, () => [
    `count_if(${isUnread('own', booleanValue('own'))})`,
    // F alone is a sex, and NO a country.
    `(NOT (${has('true', 'false')} OR ${pairs.join(' OR ')}))::INTEGER`,
  ]);
  const found: ColumnReading[] = [];
  for (const [i, column] of columns.entries()) {
    const own = presentText(column);
    const value = booleanValue(own);
    const [unread = 0, lone = 0] = looks[i]!;
    const isOpen = unread > 0 && column.stated !== null;
    const texts = column.stated === null && rows.from === rows.table ? unread + lone : unread;
    const doubt = isOpen ? await findDoubt(rows, 'unread', column, isUnread(own, value)) : unreadTexts(texts);
    found.push(plainReading(value, doubt));
  }
  return found;
}
