/** Finds columns that a table has once for each year, and reads them as rows. */
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { identifier } from '../lake/sql.ts';
import { longTable } from '../lake/year-columns.ts';
import { guessColumns } from './column-guess.ts';
import type { DraftTable, RawColumn } from './draft-table.ts';
import { freeName } from './plain-name.ts';

const YEAR = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/g;
const MONTHS =
  'jan|feb|m[aä]r|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|january|february|march|april|june|july|august|september|october|november|december';
/** A month or a quarter beside the year. */
const PART = new RegExp(`^\\W*((0?[1-9]|1[0-2])|[qtm]\\W*\\d{1,2}|${MONTHS})\\W*$`, 'iu');
/** Two years that follow one another: 2018-19, 2018/2019. */
const SCHOOL_YEAR = /(?<!\d)((?:1[89]|20|21)\d\d)\s*[-–/_]\s*((?:1[89]|20|21)?\d\d)(?!\d)/;

function isSchoolYear(name: string): boolean {
  const [, first, second] = SCHOOL_YEAR.exec(name) ?? [];
  return first !== undefined && Number(second) % 100 === (Number(first) + 1) % 100;
}

/** How a column's name is written, with `{year}` for its year; null without one year. */
function formOf(name: string): string | null {
  const [year, ...others] = name.match(YEAR) ?? [];
  if (year === undefined || others.some(other => other !== year) || isSchoolYear(name)) return null;
  return PART.test(name.replace(year, '')) ? null : name.replaceAll(year, '{year}');
}

/** A name for the figures: what is beside the year in the names of their columns. */
function figureName(form: string, taken: ReadonlySet<string>): string {
  const rest = form
    .replaceAll('{year}', ' ')
    .replace(/^[^\p{L}\p{N}%]+|[^\p{L}\p{N}%)]+$/gu, '')
    .replace(/\s+/g, ' ');
  const isNoName =
    rest === '' || !/\p{L}/u.test(rest) || /^(fy|cy|sy|yr?|x|year|jahr|año|ano|année)$/iu.test(rest);
  return freeName(isNoName ? 'value' : rest, taken);
}

/** `v#` for a name such as v17. */
function numberedForm(name: string): string {
  return name.replace(/\d+/g, '#');
}

/** The same table, or one with a row for each year, or with a note on how to read its columns of periods. */
export async function readYearColumns(session: Session, table: DraftTable): Promise<DraftTable> {
  const groups = new Map<string, RawColumn[]>();
  for (const column of table.columns) {
    const form = formOf(column.name);
    if (form !== null) groups.set(form, [...(groups.get(form) ?? []), column]);
  }
  // Among v1 to v2100, v1950 is no year.
  const numbered = new Set(
    table.columns.flatMap(({ name }) => (name.match(YEAR) === null ? [numberedForm(name)] : [])),
  );
  const repeated = [...groups].filter(
    ([, columns]) => columns.length > 1 && !columns.some(({ name }) => numbered.has(numberedForm(name))),
  );
  const isOfYears = repeated.flatMap(([, columns]) => columns);
  const rest = table.columns.filter(column => !isOfYears.includes(column));
  if (repeated.length === 0) return withPeriodNote(table, numbered);
  const guesses = await guessColumns(session, table);
  const hasTime = guesses.some(({ role }) => role === 'year' || role === 'time');
  const isNumeric = (column: RawColumn) =>
    guesses.some(({ name, type }) => name === column.name && (type === 'integer' || type === 'number'));
  // What is left with a year in its name would be a figure of every year.
  const isMixed = rest.some(({ name }) => name.match(YEAR) !== null);
  if (hasTime || isMixed || !repeated.some(([, columns]) => columns.every(isNumeric)))
    return hasTime ? table : withPeriodNote(table, numbered);
  const taken = new Set(rest.map(({ name }) => name));
  if (rest.some(({ name }) => name.toLowerCase() === 'year')) return table;
  taken.add('year');
  const forms: Record<string, string> = {};
  for (const [form] of repeated) {
    const name = figureName(form, taken);
    taken.add(name);
    forms[name] = form;
  }
  const texts = table.columns.every(({ native }) => native === null);
  const long = longTable(table.table, table.columns, forms, 'year', texts);
  if (long === null) return table;
  const rowsOfYears = `${table.table.slice(0, -1)} by year"`;
  await session.run(`CREATE OR REPLACE TEMP TABLE ${rowsOfYears} AS ${long.select}`);
  const described = await session.rows<{ column_name: string; column_type: string }>(
    `DESCRIBE ${rowsOfYears}`,
  );
  const columns = long.names.map((name, i): RawColumn => {
    const from = long.from[i]?.flatMap(at => table.columns[at] ?? []) ?? [];
    const { column_name: sql = '', column_type: native = '' } = described[i] ?? {};
    return {
      name,
      sql: identifier(sql),
      native: texts ? null : native,
      percent: from.length > 0 && from.every(({ percent }) => percent === true),
      hasNumbers: from.some(({ hasNumbers }) => hasNumbers),
    };
  });
  const [rows = 0] = await readAggregates<number>(session, rowsOfYears, ['count(*)']);
  const [first, last] = [long.years[0], long.years.at(-1)];
  const message = `The names of ${isOfYears.length} columns have years (${first} to ${last}), so each row is read as ${long.years.length} rows, with a column year: see year_columns of file_layout in the contract.`;
  const note = { severity: 'note', code: 'draft-years', file: table.file.name, message } as const;
  return { ...table, table: rowsOfYears, columns, rows, notes: [...table.notes, note], yearColumns: forms };
}

/** Says how to read columns of months, quarters or school years, or of a year that nothing tells from other columns. */
function withPeriodNote(table: DraftTable, numbered: ReadonlySet<string>): DraftTable {
  const isPeriod = (name: string) => name.match(YEAR) !== null && !numbered.has(numberedForm(name));
  const periods = table.columns.map(({ name }) => name).filter(isPeriod);
  if (periods.length < 2) return table;
  const named = `${periods
    .slice(0, 3)
    .map(name => JSON.stringify(name))
    .join(', ')}${periods.length > 3 ? ' and so on' : ''}`;
  const message = periods.every(isSchoolYear)
    ? `The names of ${periods.length} columns are school years (${named}). Write one year in each, such as that in which it ends, and draft again: then they are read as rows of years.`
    : `The names of ${periods.length} columns have periods (${named}), and a dataset has a row for each. Write them as rows, a column for the period and one for the figure, and draft again. In DuckDB: UNPIVOT (FROM 'file.csv') ON ${periods.map(identifier).join(', ')} INTO NAME period VALUE value.`;
  const note = { severity: 'note', code: 'draft-years', file: table.file.name, message } as const;
  return { ...table, notes: [...table.notes, note] };
}
