/** The forms that occur in a column of texts: each text with its digits made alike. */
import { literal, literals } from './sql.ts';

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
