/**
 * Queries the texts of many columns at once, through a table with a row for each text and column number: a
 * statement takes as long for a thousand columns as for a few.
 */
import type { BaseColumn, TextForm } from '../contract/dataset.ts';
import { NO_FORM } from '../contract/text-form.ts';
import type { ColumnType } from '../format/documents.ts';
import { inBatches } from './column-batches.ts';
import type { Session, SqlValue } from './database.ts';
import { literal, literals } from './sql.ts';

export interface TextColumn {
  /** SQL of the text. */
  readonly text: string;
  readonly type: ColumnType;
  /** Other texts that mean NULL. */
  readonly missing?: readonly string[];
  /** What the contract states; null while a contract is drafted, so that only values decide. */
  readonly stated: Pick<BaseColumn, 'physical' | 'form'> | null;
  /** The file has numbers (JSON, workbooks), whose decimal mark is a point. */
  readonly hasNumbers?: boolean | undefined;
  /** No value reaches a thousand, as with degrees, so marks can't group thousands. */
  readonly isSmall?: boolean;
}

/** A text of a column as the contract states it. */
export function textOfColumn(stated: BaseColumn, text: string): TextColumn {
  return { text, type: stated.type, missing: stated.missingValues.map(String), stated };
}

/** `row` counts from 1. */
export interface Cell {
  readonly row: number;
  readonly text: string;
}

export interface Answer {
  /** The line of the contract that chooses this reading. */
  readonly yaml: string;
  /** The value of the first cell. */
  readonly means: string;
}

export interface Doubt {
  /**
   * `unread`: texts that aren't values of the type; `inexact`: whole numbers that a double can't hold;
   * `ambiguous`: texts with several readings; `offset`: times with offsets in a column of local times;
   * `unclear`: local times that a zone skips or repeats.
   */
  readonly kind: 'unread' | 'inexact' | 'ambiguous' | 'offset' | 'unclear';
  readonly rows: number;
  /** At most three. */
  readonly cells: readonly Cell[];
  /** Empty if the texts themselves have to be corrected. */
  readonly answers: readonly Answer[];
}

export interface ColumnReading {
  /** SQL of the value: NULL if it is missing or can't be read. */
  readonly value: string;
  readonly doubt: Doubt | null;
  /** What a contract has to state so that other files are read in the same way. */
  readonly form: TextForm;
  /** The texts have offsets from UTC. */
  readonly utc: boolean;
  /** SQL of the values as BIGINT; null if one has a fraction. */
  readonly whole: string | null;
}

/** `from` may be a part of the table's rows. */
export interface TextRows {
  readonly session: Session;
  readonly table: string;
  readonly from: string;
}

export function plainReading(value: string, doubt: Doubt | null): ColumnReading {
  return { value, doubt, form: NO_FORM, utc: false, whole: null };
}

/** True for texts that are present but have no value. */
export function isUnread(own: string, value: string): string {
  return `${own} IS NOT NULL AND (${value}) IS NULL`;
}

/** While a draft tries types, nobody is asked. */
export function unreadTexts(rows: number): Doubt | null {
  return rows === 0 ? null : { kind: 'unread', rows, cells: [], answers: [] };
}

/** Null if no row meets the condition. A draft needs no cells of texts that can't be read. */
export async function findDoubt(
  { session, from, table }: TextRows,
  kind: Doubt['kind'],
  { text, stated }: Pick<TextColumn, 'text' | 'stated'>,
  condition: string,
  answers: readonly Answer[] = [],
): Promise<Doubt | null> {
  const { rows } = await session.row<{ rows: number }>(
    `SELECT count(*) FILTER (${condition}) AS rows FROM ${from}`,
  );
  if (rows === 0) return null;
  if (stated === null && kind === 'unread') return unreadTexts(rows);
  const cells = await session.rows<Cell>(
    `SELECT rowid + 1 AS row, ${text} AS text FROM ${table} WHERE ${condition} ORDER BY rowid LIMIT 3`,
  );
  return { kind, rows, cells, answers };
}

/** Columns per statement, which holds their texts of 2,048 rows in memory. */
const TOGETHER = 256;

/** Texts with more forms are free text. */
const MOST_FORMS = 2_000;

export interface Cells {
  readonly text: string;
  readonly missing?: readonly string[];
}

/** `i` is the column's number, `v` the text, `own` the text after `presentText`. */
function cellsOf(table: string, columns: readonly Cells[]): string {
  const texts = columns.map(({ text }) => text).join(', ');
  const own = presentText({ text: 'v', missing: columns[0]?.missing ?? [] });
  return `(SELECT i, v, ${own} AS own FROM (SELECT unnest(range(${columns.length})) AS i, unnest([${texts}]) AS v FROM ${table}))`;
}

/**
 * Returns the rows of a query, by column. Columns with the same query share statements. `query` gives the SQL
 * before and after FROM.
 */
export async function readCells<Row, Column extends Cells>(
  session: Session,
  table: string,
  columns: readonly Column[],
  query: (column: Column) => readonly [select: string, rest: string],
): Promise<Row[][]> {
  const alike = new Map<string, number[]>();
  for (const [at, column] of columns.entries()) {
    const key = JSON.stringify([query(column), column.missing ?? []]);
    alike.set(key, [...(alike.get(key) ?? []), at]);
  }
  const found = columns.map((): Row[] => []);
  for (const all of alike.values()) {
    for (const batch of inBatches(all, TOGETHER)) {
      const asked = batch.map(at => columns[at]!);
      const [select, rest] = query(asked[0]!);
      const rows = await session.rows<Row & { i: number }>(
        `SELECT i, ${select} FROM ${cellsOf(table, asked)} ${rest}`,
      );
      for (const row of rows) found[batch[row.i]!]!.push(row);
    }
  }
  return found;
}

/** Empty for a table without rows. */
export async function readCellAggregates<Value extends SqlValue, Column extends Cells>(
  session: Session,
  table: string,
  columns: readonly Column[],
  aggregates: (column: Column) => readonly string[],
): Promise<Value[][]> {
  const found = await readCells<Record<string, Value>, Column>(session, table, columns, column => [
    aggregates(column)
      .map((sql, k) => `${sql} AS a${k}`)
      .join(', '),
    'GROUP BY i',
  ]);
  return found.map(([row], at) =>
    row === undefined ? [] : aggregates(columns[at]!).map((_, k) => row[`a${k}`] as Value),
  );
}

/** Null for columns with too many forms. */
export async function readSkeletons(
  session: Session,
  table: string,
  columns: readonly Cells[],
): Promise<(readonly Skeleton[] | null)[]> {
  const from = `012345678${SPACES}\u2019\u2212\u2013`;
  const to = `999999999${' '.repeat(SPACES.length)}'--`;
  const form = `translate(regexp_replace(own, '^(${SIGN_CLASS}?)0', '\\1z'), ${literal(from)}, ${literal(to)})`;
  const about = await readCellAggregates<number, Cells>(session, table, columns, () => [
    `approx_count_distinct(${form})`,
  ]);
  const isFew = about.map(([forms = 0]) => forms <= 2 * MOST_FORMS);
  const found = await readCells<{ form: string; zeros: boolean; count: number }, Cells>(
    session,
    table,
    columns.filter((_, at) => isFew[at]),
    () => [
      `${form} AS form, regexp_matches(own, '[.,]0+$') AS zeros, count(*) AS count`,
      'WHERE own IS NOT NULL GROUP BY ALL ORDER BY ALL',
    ],
  );
  return isFew.map(few => {
    const forms = few ? found.shift()! : null;
    if (forms === null || forms.length > MOST_FORMS) return null;
    return forms.map(one => ({ form: one.form, endsInZeros: one.zeros, count: one.count }));
  });
}

export interface Skeleton {
  /** 9 for a digit and z for a leading zero; spaces, apostrophes and minus signs are normalized. */
  readonly form: string;
  /** Only zeros follow the last point or comma. */
  readonly endsInZeros: boolean;
  readonly count: number;
}

/** Programs write these for missing values. A text column keeps them. */
const MISSING = ['', 'na', 'n/a', '#n/a', 'nan', 'null', 'none', '-', '.'];

/** No-break, figure, thin and narrow spaces, and tabs. */
const SPACES = '\u00a0\u2007\u2009\u202f\t';

export const SPACE_CLASS = '[ \\x{00a0}\\x{2007}\\x{2009}\\x{202f}]';

export const APOSTROPHE_CLASS = "['\\x{2019}]";

/** En dashes are minus signs of typesetters. */
export const SIGN_CLASS = '[-+\\x{2212}\\x{2013}]';

/** DuckDB turns a long IN list into a join, which carries all columns of the table. */
export function isListed(text: string, list: readonly string[]): string {
  return `list_contains([${literals(list)}], ${text})`;
}

/** SQL of a trimmed text; NULL if it means that the value is missing. `text` is the SQL of a VARCHAR. */
export function presentText({ text, missing = [] }: { text: string; missing?: readonly string[] }): string {
  const own = `trim(${text}, ${literal(` ${SPACES}`)})`;
  const others = missing.length === 0 ? '' : ` AND NOT ${isListed(own, missing)}`;
  // Most figures begin with a digit, and searching the list is slow.
  const isPresent = `(${own} >= '0' AND ${own} < ':' OR NOT ${isListed(`lower(${own})`, MISSING)})`;
  return `CASE WHEN ${isPresent}${others} THEN ${own} END`;
}
