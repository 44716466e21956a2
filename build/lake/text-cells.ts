/** Queries over the texts of many columns at once. */
import type { BaseColumn, TextForm } from '../contract/dataset.ts';
import { NO_FORM } from '../contract/text-form.ts';
import type { ColumnType } from '../format/documents.ts';
import { inBatches } from './column-batches.ts';
import type { Session, SqlValue } from './database.ts';
import { literal, literals } from './sql.ts';

/** What a column's texts are read as. */
export type ValueType = ColumnType;

/** A column of a table of texts. */
export interface TextColumn {
  /** SQL of the text. */
  readonly text: string;
  readonly type: ValueType;
  /** Other texts that the contract reads as NULL. */
  readonly missing?: readonly string[];
  /** What the contract says of it; null while a contract is drafted, so that nothing but the values can decide. */
  readonly stated: Pick<BaseColumn, 'physical' | 'form'> | null;
  /** Whether the file has numbers of its own in the column, whose mark is a point: those of JSON and of workbooks. */
  readonly hasNumbers?: boolean;
  /** Whether no value reaches a thousand, as with degrees, so that no mark can group thousands. */
  readonly isSmall?: boolean;
}

/** A text of the table, with the number of its row from 1. */
export interface Cell {
  readonly row: number;
  readonly text: string;
}

/** One of several ways to read a column. */
export interface Answer {
  /** A line of the contract that settles it. */
  readonly yaml: string;
  /** What the first cell is then. */
  readonly means: string;
}

/** Why a column's texts are not read. */
export interface Doubt {
  /**
   * `unread`: texts that are no value of the type; `inexact`: whole numbers that a double cannot hold; `ambiguous`: texts
   * with several readings; `offset`: moments in a column of clock times; `unclear`: clock times that a zone skips or
   * repeats.
   */
  readonly kind: 'unread' | 'inexact' | 'ambiguous' | 'offset' | 'unclear';
  readonly rows: number;
  /** The first of them, at most three. */
  readonly cells: readonly Cell[];
  /** The ways to settle it; empty if the texts themselves need a correction. */
  readonly answers: readonly Answer[];
}

export interface ColumnReading {
  /** SQL of the value: NULL for a missing value, and for a text that is none. */
  readonly value: string;
  readonly doubt: Doubt | null;
  /** What a contract says so that other files are read in the same way. */
  readonly form: TextForm;
  /** Whether the texts are moments, with offsets from UTC. */
  readonly utc: boolean;
  /** SQL of a column of numbers as BIGINT; null if one has a fraction. */
  readonly whole: string | null;
}

/** A table, and the rows of it that are looked at. */
export interface TextRows {
  readonly session: Session;
  readonly table: string;
  readonly from: string;
}

export function plainReading(value: string, doubt: Doubt | null): ColumnReading {
  return { value, doubt, form: NO_FORM, utc: false, whole: null };
}

/** SQL that is true for a text that says something, and has no value. */
export function isUnread(own: string, value: string): string {
  return `${own} IS NOT NULL AND (${value}) IS NULL`;
}

/** Texts of a column that a draft tries as another type: nobody asks which they are. */
export function unreadTexts(rows: number): Doubt | null {
  return rows === 0 ? null : { kind: 'unread', rows, cells: [], answers: [] };
}

/** Null if no row meets the condition. A column without a contract may be of another type, so no cell is shown. */
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

/** Columns of one statement: it holds their texts of 2,048 rows in memory. */
const TOGETHER = 256;

/** More forms than this are free texts. */
const MOST_FORMS = 2_000;

/** The SQL of a text, and other texts that mean NULL. */
export interface Cells {
  readonly text: string;
  readonly missing?: readonly string[];
}

/** SQL of the texts: `i` is the number of the column, `v` the text, and `own` what `presentText` makes of it. */
function cellsOf(table: string, columns: readonly Cells[]): string {
  const texts = columns.map(({ text }) => text).join(', ');
  const own = presentText({ text: 'v', missing: columns[0]?.missing ?? [] });
  return `(SELECT i, v, ${own} AS own FROM (SELECT unnest(range(${columns.length})) AS i, unnest([${texts}]) AS v FROM ${table}))`;
}

/**
 * The rows of a query over the texts of columns, with `i`, by column. Columns of the same query are asked together. `query`
 * gives what stands before and after FROM.
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

/** The values of aggregates over `v` and `own`; none for a table without rows. */
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

/** The forms of each column's values; null for more than can be looked at. */
export async function readSkeletons(
  session: Session,
  table: string,
  columns: readonly Cells[],
): Promise<(readonly Skeleton[] | null)[]> {
  const from = `012345678${SPACES}\u2019\u2212`;
  const to = `999999999${' '.repeat(SPACES.length)}'-`;
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
  /** 9 for a digit and z for a leading zero; any space is a plain one, any apostrophe and minus too. */
  readonly form: string;
  /** Whether only zeros follow the last point or comma. */
  readonly endsInZeros: boolean;
  readonly count: number;
}

/** Texts by which programs write that a value is missing. A text column keeps them. */
const MISSING = ['', 'na', 'n/a', '#n/a', 'nan', 'null', 'none', '-', '.'];

/** Spaces and other characters that stand in numbers for plain ones: no-break, figure, thin and narrow spaces. */
export const SPACES = '\u00a0\u2007\u2009\u202f\t';

export const SPACE_CLASS = '[ \\x{00a0}\\x{2007}\\x{2009}\\x{202f}]';

export const APOSTROPHE_CLASS = "['\\x{2019}]";

export const SIGN_CLASS = '[-+\\x{2212}]';

/** DuckDB turns IN with a long list into a join, which carries all columns of the table. */
export function isListed(text: string, list: readonly string[]): string {
  return `list_contains([${literals(list)}], ${text})`;
}

/**
 * SQL of a text without spaces at its ends; NULL if it says that the value is missing. `text` is the SQL of a VARCHAR,
 * `missing` are other texts that the contract reads as NULL.
 */
export function presentText({ text, missing = [] }: { text: string; missing?: readonly string[] }): string {
  const own = `trim(${text}, ${literal(` ${SPACES}`)})`;
  const others = missing.length === 0 ? '' : ` AND NOT ${isListed(own, missing)}`;
  // Most figures begin with a digit, and searching the list takes longer than all else.
  const isPresent = `(${own} >= '0' AND ${own} < ':' OR NOT ${isListed(`lower(${own})`, MISSING)})`;
  return `CASE WHEN ${isPresent}${others} THEN ${own} END`;
}
