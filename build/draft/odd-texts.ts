/** Finds the texts in columns that otherwise hold figures: markers of missing figures, and texts that may be anything. */
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import type { RawColumn } from './draft-table.ts';

export interface OddTexts {
  /** Texts by which programs and offices write that there is no figure, as the column has them. */
  readonly missing: readonly string[];
  /** Texts of unknown meaning, the most frequent first. With them, the column is one of texts. */
  readonly unknown: readonly string[];
  /** Number of rows with any of them. */
  readonly rows: number;
}

/** A column of more different odd texts is one of texts. */
const MOST_TEXTS = 20;

/** With fewer different figures, a letter beside them may be one of their kind: grades are 1 to 12 and K. */
const LEAST_FIGURES = 20;

const WORDS =
  'n/?a|n\\.\\s?a\\.?|n\\.?d\\.?|nr|nc|nan|null|none|nil|missing|blank|unknown|unavailable|tfs|too few( students)?|not (available|applicable|reported|calculated|tested|measured|published|disclosed)|no data|insufficient data|suppressed|withheld|redacted|masked|confidential';
/** Signs alone; words; words and letters in brackets; a bound, such as <10; an error of a spreadsheet. */
const MARKER = new RegExp(
  `^([*.…?#:/_–—-]+|${WORDS}|\\((${WORDS}|[a-z])\\)|(n\\s*)?[<>≤≥]\\s*=?\\s*[\\d.,]+\\s*%?|#[a-z/0!]+[!?]?)$`,
  'iu',
);
const LETTER = /^[a-z]$/iu;

/** Texts that may be figures or dates: digits, and nothing that speaks against it. */
function figure(text: string): string {
  return `(regexp_matches(${text}, '[0-9]') AND NOT regexp_matches(${text}, '[<>≤≥*#\\p{L}]'))`;
}

/** The odd texts of columns that have both figures and odd texts. */
export async function findOddTexts(
  session: Session,
  table: string,
  columns: readonly RawColumn[],
): Promise<ReadonlyMap<RawColumn, OddTexts>> {
  const counts = await readAggregates<number>(
    session,
    table,
    columns.flatMap(({ sql }) => [
      `count_if(${figure(sql)})`,
      `count_if(${sql} <> '' AND NOT ${figure(sql)})`,
    ]),
  );
  const found = new Map<RawColumn, OddTexts>();
  for (const [i, column] of columns.entries()) {
    const [figures = 0, rows = 0] = counts.slice(2 * i, 2 * i + 2);
    if (figures === 0 || rows === 0) continue;
    const text = `trim(${column.sql})`;
    const texts = await session.rows<{ text: string; rows: number }>(
      `SELECT ${text} AS text, count(*) AS rows FROM ${table} WHERE ${column.sql} <> '' AND NOT ${figure(column.sql)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_TEXTS + 1}`,
    );
    if (texts.length > MOST_TEXTS) continue;
    const { different } = await session.row<{ different: number }>(
      `SELECT count(DISTINCT ${text}) AS different FROM ${table} WHERE ${figure(column.sql)}`,
    );
    const isMarker = (one: string) =>
      one === '' || MARKER.test(one) || (LETTER.test(one) && different >= LEAST_FIGURES);
    const unknown = texts.filter(one => !isMarker(one.text));
    // Few figures among texts are part of them.
    if (unknown.length > 0 && figures < rows) continue;
    found.set(column, {
      missing: texts.flatMap(one => (isMarker(one.text) && one.text !== '' ? [one.text] : [])),
      unknown: unknown.map(one => one.text),
      rows,
    });
  }
  return found;
}
