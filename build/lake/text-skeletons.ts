/** The forms that occur in a column of texts: each text with its digits made alike. */
import type { Session } from './database.ts';
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
const SPACES = '\u00a0\u2007\u2009\u202f\t';
export const SPACE_CLASS = '[ \\x{00a0}\\x{2007}\\x{2009}\\x{202f}]';
export const APOSTROPHE_CLASS = "['\\x{2019}]";
export const SIGN_CLASS = '[-+\\x{2212}]';

/** More forms than this are free texts. */
const MOST_FORMS = 2_000;

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
  return `CASE WHEN NOT ${isListed(`lower(${own})`, MISSING)}${others} THEN ${own} END`;
}

/** Rows with the `presentText` of each column as `own0`, `own1` and so on: what asks much of a text then makes it once. */
export function presentTexts(from: string, columns: readonly Parameters<typeof presentText>[0][]): string {
  return `(SELECT ${columns.map((column, i) => `${presentText(column)} AS own${i}`).join(', ')} FROM ${from})`;
}

/** The forms of a column's values, from the SQL of `presentText`; null for more than can be looked at. */
export async function readSkeletons(
  session: Session,
  table: string,
  own: string,
): Promise<readonly Skeleton[] | null> {
  const from = `012345678${SPACES}\u2019\u2212`;
  const to = `999999999${' '.repeat(SPACES.length)}'-`;
  const found = await session.rows<{ form: string; zeros: boolean; count: number }>(
    `SELECT translate(regexp_replace(own, '^(${SIGN_CLASS}?)0', '\\1z'), ${literal(from)}, ${literal(to)}) AS form, regexp_matches(own, '[.,]0+$') AS zeros, count(*) AS count FROM (SELECT ${own} AS own FROM ${table}) WHERE own IS NOT NULL GROUP BY ALL ORDER BY ALL LIMIT ${MOST_FORMS + 1}`,
  );
  if (found.length > MOST_FORMS) return null;
  return found.map(({ form, zeros, count }) => ({ form, endsInZeros: zeros, count }));
}
