/** Joins files of which each has the rows of a year, such as pop_2020.csv and pop_2021.csv. */
import path from 'node:path';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import type { Session } from '../lake/database.ts';
import { tableStem } from '../lake/lake-layout.ts';
import { identifier, literal } from '../lake/sql.ts';
import { guessColumns } from './column-guess.ts';
import type { DraftFile, DraftTable, RawColumn } from './draft-table.ts';

/** Other digits may be a month or a version. */
const YEAR_OF_FILE = /^(\D*)((?:1[89]|20|21)\d\d)(\D*)$/;
const YEAR = 'year';
/** SQL of the file's year. */
const FILE_YEAR = identifier('year of the file');

/** Replaces the tables of a folder that have the same columns, and names that differ by a year, with one. */
export async function joinYears(
  session: Session,
  tables: readonly DraftTable[],
): Promise<readonly DraftTable[]> {
  const groups = new Map<string, DraftTable[]>();
  for (const one of tables) {
    const name = yearOfFile(one.file);
    if (name === null) continue;
    const columns = one.columns.map(({ name, native, percent = false }) => [name, native, percent]);
    const { absolute } = one.file;
    const place = [path.dirname(absolute), path.extname(absolute), name.form];
    const key = JSON.stringify([place, columns.sort(), one.leftOut]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const joined = new Map<DraftTable, DraftTable | null>();
  for (const group of groups.values()) {
    const [first, ...others] = group;
    const whole = first && others.length > 0 ? await joinFiles(session, first, group) : null;
    if (first === undefined || whole === null) continue;
    joined.set(first, whole);
    for (const one of others) joined.set(one, null);
  }
  return tables.flatMap(one => {
    const whole = joined.get(one);
    return whole === undefined ? [one] : whole === null ? [] : [whole];
  });
}

interface YearOfFile {
  readonly year: string;
  /** The name without the year. */
  readonly form: string;
  /** What it calls the table; empty if it's only a year. */
  readonly table: string;
}

/** Null without exactly one year, and for sheets. */
export function yearOfFile({ absolute, sheet }: DraftFile): YearOfFile | null {
  if (sheet !== undefined) return null;
  const [, before = '', year, after = ''] = YEAR_OF_FILE.exec(path.basename(tableStem(absolute))) ?? [];
  if (year === undefined) return null;
  const form = `${before}{year}${after}`;
  return { year, form, table: `${before.replace(/^year=$/i, '')} ${after}`.trim() };
}

/** Null if rows say another year than the name of their file. */
async function joinFiles(
  session: Session,
  first: DraftTable,
  tables: readonly DraftTable[],
): Promise<DraftTable | null> {
  const isText = first.columns.every(({ native }) => native === null);
  const selects = tables.map(one => {
    const columns = first.columns.map(({ name, sql }) => {
      return `${one.columns.find(other => other.name === name)?.sql} AS ${sql}`;
    });
    const year = `${literal(yearOfFile(one.file)?.year ?? '')}${isText ? '' : '::INTEGER'} AS ${FILE_YEAR}`;
    return `SELECT ${[...columns, year].join(', ')} FROM ${one.table}`;
  });
  const name = `${first.table.slice(0, -1)} of years"`;
  // Only a table numbers its rows, which texts need. Parquet needn't be copied.
  const kind = isText ? 'TABLE' : 'VIEW';
  await session.run(
    `CREATE TEMP ${kind} ${name.replace('temp.main.', '')} AS ${selects.join(' UNION ALL ')}`,
  );
  const columns = first.columns.map((column): RawColumn => {
    const all = tables.flatMap(one => one.columns.find(other => other.name === column.name) ?? []);
    const has = (flag: 'hasNumbers' | 'areTexts') => all.some(one => one[flag] === true);
    return { ...column, hasNumbers: has('hasNumbers'), areTexts: has('areTexts') };
  });
  const files = tables.map(({ file }) => file);
  const [start, end] = [files[0]?.name ?? '', path.basename(files.at(-1)?.name ?? '')];
  const notes = tables.flatMap(one => one.notes).map(one => [one.message, one] as const);
  // One answer is for all files.
  const questions = tables.flatMap(one => one.questions).map(one => [answersOf(one), one] as const);
  const whole: DraftTable = {
    ...first,
    file: {
      name: `${start} to ${end}`,
      absolute: first.file.absolute,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      years: files,
    },
    table: name,
    columns,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    notes: [...new Map(notes).values()],
    questions: [...new Map(questions).values()],
  };
  const guesses = await guessColumns(session, whole);
  const time = guesses.find(({ role }) => role === 'year' || role === 'time');
  if (time === undefined) {
    if (columns.some(({ name: own }) => own.toLowerCase() === YEAR)) return null;
    const message = `The names of ${countOf(files.length, 'file')} have the years of their rows, which become a column year.`;
    const note = diagnosticAt(whole.file.name, 'note', 'draft-years', message);
    const year = { name: YEAR, sql: FILE_YEAR, native: isText ? null : 'INTEGER' };
    return { ...whole, columns: [year, ...columns], notes: [...whole.notes, note] };
  }
  const { wrong } = await session.row<{ wrong: number }>(
    `SELECT count_if(left((${time.value})::VARCHAR, 4) <> ${FILE_YEAR}::VARCHAR) AS wrong FROM ${name}`,
  );
  return wrong === 0 ? whole : null;
}

function answersOf({ message }: Diagnostic): string {
  return [...message.matchAll(/\{ property: .*? \} \}/g)].join('\n') || message;
}
