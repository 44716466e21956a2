/** A table of texts, its columns, and what is found of how they are written. */
import type { BaseColumn, TextForm } from '../contract/dataset.ts';
import { NO_FORM } from '../contract/text-form.ts';
import type { ColumnType } from '../format/documents.ts';
import type { Session } from './database.ts';

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
