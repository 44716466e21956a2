/** Opens a publisher's file as a table that a draft can query. */
import { UNFIT_TEXT } from '../check/derived-checks.ts';
import { describeWrongName } from '../contract/columns.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { someOf } from '../format/shown-text.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { type TableFormat, tableFormat } from '../lake/lake-layout.ts';
import { readShapes } from '../lake/parquet-shape.ts';
import { identifier, parquetRows } from '../lake/sql.ts';
import { UNKNOWN_TABLE } from '../lake/table-header.ts';
import { loadTextTable, type TextTable, type TextTableColumn, textColumn } from '../lake/text-table.ts';

export interface DraftFile {
  /** As the user gave it. */
  readonly name: string;
  readonly absolute: string;
  readonly bytes: number;
  /** Only if a workbook has several tables. */
  readonly sheet?: string;
  /** The files of a table that has one for each year; `absolute` is the first of them. */
  readonly years?: readonly DraftFile[];
}

export interface RawColumn extends Partial<TextTableColumn> {
  readonly name: string;
  readonly sql: string;
  /** DuckDB's type in a Parquet file; null for text. */
  readonly native: string | null;
}

export interface DraftTable {
  readonly file: DraftFile;
  readonly table: string;
  readonly columns: readonly RawColumn[];
  /** Columns of lists, records and bytes. */
  readonly leftOut: readonly RawColumn[];
  readonly rows: number;
  /** Assumptions about the file, and what is left out. */
  readonly notes: readonly Diagnostic[];
  /** Questions that only a person can answer, in the contract. */
  readonly questions: readonly Diagnostic[];
  /** See `FileLayout.year_columns`. */
  readonly yearColumns?: Readonly<Record<string, string>>;
}

/** One table for each sheet of a workbook that holds a table. Returns a diagnostic if there is none. */
export async function openDraftTables(
  session: Session,
  file: DraftFile,
  index: number,
): Promise<readonly DraftTable[] | Diagnostic> {
  let sheets: readonly string[] = [];
  if (tableFormat(file.absolute) === 'workbook') {
    // The library is large.
    const { sheetsOf } = await import('../lake/workbook-table.ts');
    // A workbook that can't be read is reported when its table is opened.
    sheets = await sheetsOf(file.absolute).catch(() => []);
  }
  if (sheets.length < 2) {
    const opened = await openDraftTable(session, file, index);
    return 'severity' in opened ? opened : [opened];
  }
  const tables: DraftTable[] = [];
  const problems: Diagnostic[] = [];
  const others: string[] = [];
  for (const sheet of sheets) {
    const opened = await openDraftTable(session, { ...file, sheet }, index + tables.length);
    if ('severity' in opened) problems.push(opened);
    // A sheet of notes has one column.
    if ('severity' in opened || opened.columns.length < 2) others.push(sheet);
    else tables.push(opened);
  }
  const [first, ...rest] = tables;
  if (first === undefined) {
    const message = 'No sheet holds a table of two columns or more.';
    return problems[0] ?? diagnosticAt(file.name, 'error', 'draft-no-rows', message);
  }
  if (others.length === 0) return tables;
  const why = problems.length === 0 ? '.' : `: ${problems[0]?.message}`;
  const message = `No table is drafted from the sheet${others.length === 1 ? '' : 's'} ${others.map(name => JSON.stringify(name)).join(', ')}${why}`;
  const note: Diagnostic = diagnosticAt(file.name, 'note', 'lake-sheets', message);
  return [{ ...first, notes: [...first.notes, note] }, ...rest];
}

/** Formats whose names are a row of cells. */
const HEADED: ReadonlySet<TableFormat> = new Set(['csv', 'tsv', 'workbook']);

/** Years, months and ages can be names; other figures can't. */
function looksLikeRow(names: readonly string[]): boolean {
  const figures = names.filter(name => /^[-+]?[0-9][0-9.,]*$/.test(name));
  const arePlain = figures.every(name => /^[-+]?[0-9]{1,4}$/.test(name));
  return figures.length > 0 && (!arePlain || figures.length === names.length);
}

const NESTED = /\[\d*\]$|^(STRUCT|MAP|UNION)\b|^BLOB$/;

async function openDraftTable(
  session: Session,
  file: DraftFile,
  index: number,
): Promise<DraftTable | Diagnostic> {
  const fail = (code: string, message: string): Diagnostic => diagnosticAt(file.name, 'error', code, message);
  const table = `temp.main.${identifier(`table ${index}`)}`;
  const format = tableFormat(file.absolute);
  if (format === null) {
    const message =
      'The file is no CSV, TSV, JSON lines, Parquet, XLSX or XLS by its name. Save it as one of these: unpack an archive, and call a text with columns .csv or .tsv.';
    return fail('draft-format', message);
  }
  let all: RawColumn[];
  let text: TextTable | null = null;
  if (format === 'parquet') {
    const { shapes, diagnostics } = await readShapes(session, [{ ...file, path: file.name }]);
    const [broken] = diagnostics;
    if (broken !== undefined) return broken;
    // DuckDB respells names that differ in case alone.
    const spelled = [...(shapes.get(file.name)?.columns.keys() ?? [])];
    const view = table.replace('temp.main.', '');
    await session.run(`CREATE TEMP VIEW ${view} AS SELECT * FROM ${parquetRows([file.absolute])}`);
    const types = [...(await session.typesOf(table))];
    all = types.map(([name, native], i) => ({ name: spelled[i] ?? name, sql: identifier(name), native }));
  } else {
    const layout = file.sheet === undefined ? {} : { sheet: file.sheet };
    const known = { ...UNKNOWN_TABLE, layout };
    const loaded = await loadTextTable(session, { ...file, path: file.name }, format, table, known);
    if ('severity' in loaded) return loaded;
    text = loaded;
    all = text.columns.map((one, i) => ({ ...one, sql: textColumn(i), native: null }));
  }
  const leftOut = all.filter(({ native }) => NESTED.test(native ?? ''));
  const columns = all.filter(one => !leftOut.includes(one));
  const names = columns.map(({ name }) => name);
  const unnamed = columns.findIndex(({ name }) => name === '');
  if (unnamed >= 0) {
    const [text] = await readAggregates<string>(session, table, [`any_value(${columns[unnamed]!.sql})`]);
    const message = `Column ${unnamed + 1} of the header has no name, but rows have values there, such as ${JSON.stringify(text)}. Give it one.`;
    return fail('draft-header', message);
  }
  if (HEADED.has(format) && looksLikeRow(names))
    return fail(
      'draft-header',
      `The header (${someOf(names.map(name => JSON.stringify(name)))}) looks like a row. Write a line with the columns' names above it; if these are names, start them with a letter.`,
    );
  const [wrong] = all.flatMap(({ name }) => describeWrongName(name) ?? []);
  if (wrong !== undefined) return fail('draft-header', `${wrong}. Rename it in the file.`);
  const lower = names.map(name => name.toLowerCase());
  const twice = names.find((_, i) => lower.indexOf(lower[i] ?? '') < i);
  if (twice !== undefined) {
    const message = `Two columns are called ${JSON.stringify(twice)}. Give each its own name.`;
    return fail('draft-header', message);
  }
  const { rows } = await session.row<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
  if (rows === 0)
    return fail('draft-no-rows', 'The file has no rows, so there is nothing to guess from. Add some rows.');
  const texts = columns.filter(({ native }) => native === null || native === 'VARCHAR');
  const counts = await readAggregates<number | null>(
    session,
    table,
    texts.map(({ sql }) => `count_if(regexp_matches(${sql}, '${UNFIT_TEXT}'))`),
  );
  const unfit = texts.find((_, i) => (counts[i] ?? 0) > 0);
  if (unfit !== undefined) {
    const row = unfit.native === null ? 'rowid' : 'row_number() OVER () - 1';
    const { place, code } = await session.row<Record<'place' | 'code', number>>(
      `SELECT place, ord(regexp_extract(text, '${UNFIT_TEXT}')) AS code FROM (SELECT ${row} AS place, ${unfit.sql} AS text FROM ${table}) WHERE regexp_matches(text, '${UNFIT_TEXT}') ORDER BY place LIMIT 1`,
    );
    const character = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    const message = `Column ${JSON.stringify(unfit.name)} has texts with a control character, first on ${(await text?.where(Number(place))) ?? `row ${place + 1}`} (${character}), and a build refuses them. Remove it.`;
    return fail('draft-text', message);
  }
  const { notes = [], questions = [] } = text ?? {};
  return { file, table, columns, leftOut, rows, notes, questions };
}

/** Names of routes, devices and special files of a lake. */
const TAKEN = /^(con|prn|aux|nul|com[0-9]|lpt[0-9]|datasets|_.*)$/;

/** Lower-case letters, digits and `_`; `table` if nothing is left. */
export function plainName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
    .replace(/_+$/, '');
  if (plain === '') return 'table';
  return TAKEN.test(plain) ? `${plain}_data` : plain;
}

export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}_${i}`;
  return free;
}

/** `air_quality` → `Air quality` */
export function titleOf(name: string): string {
  const words = name.replace(/[_\s]+/gu, ' ').trim();
  return words === '' ? name : words[0]!.toLocaleUpperCase() + words.slice(1);
}
