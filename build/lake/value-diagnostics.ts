/** Says why the texts of a column are not read, where, and what settles it. */
import type { BaseColumn } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { LakeFile } from './lake-files.ts';
import type { ColumnReading, Doubt } from './text-reading.ts';

/** `placeOf` gives the place of a row, such as `line 7`. */
export function valueDiagnostics(
  file: Pick<LakeFile, 'path'>,
  column: Pick<BaseColumn, 'name' | 'type' | 'form'>,
  { doubt }: ColumnReading,
  placeOf: (row: number) => string,
): Diagnostic[] {
  if (doubt === null) return [];
  const isOpen = doubt.kind === 'ambiguous' || doubt.kind === 'offset' || doubt.kind === 'unclear';
  return [
    {
      severity: 'error',
      code: isOpen ? 'lake-ambiguous' : 'lake-value',
      file: file.path,
      message: messageOf(column, doubt, shownCells(doubt, placeOf)),
    },
  ];
}

function messageOf(
  { name, type, form }: Pick<BaseColumn, 'name' | 'type' | 'form'>,
  doubt: Doubt,
  cells: string,
): string {
  const rows = doubt.rows === 1 ? '1 row' : `${doubt.rows.toLocaleString('en')} rows`;
  const first = JSON.stringify(doubt.cells[0]?.text ?? '');
  switch (doubt.kind) {
    case 'unread':
      return `Column ${name} is ${type} in the contract${statedForm(form)}, but ${rows} of the file hold another text, such as ${cells}. If it says that there is no figure, add { property: missing_values, value: [${first}] } to the column; if not, correct it, or make the column a string.`;
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

/** What is open of a column. The only answer of a date is one with a year of two digits. */
export function openReadings({ answers }: Pick<Doubt, 'answers'>): string {
  if (answers.length === 1) return 'has years of two digits, whose century is open,';
  return `can be read in ${answers.length === 2 ? 'two' : 'several'} ways`;
}

/** The lines of the contract between which a person chooses. */
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
