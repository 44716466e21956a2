/** Finds the texts in columns that otherwise hold figures: markers of missing figures, and texts that may be anything. */
import type { Session } from '../lake/database.ts';
import { type Cells, readCellAggregates, readCells } from '../lake/text-cells.ts';
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
  const isOdd = `v <> '' AND NOT ${figure('v')}`;
  const cells = columns.map(column => ({ column, text: column.sql }));
  const counts = await readCellAggregates<number, Cells>(session, table, cells, () => [
    `count_if(${figure('v')})`,
    `count_if(${isOdd})`,
    `approx_count_distinct(trim(v)) FILTER (${isOdd})`,
  ]);
  const mixed = cells.flatMap((cell, i) => {
    const [figures = 0, rows = 0, about = 0] = counts[i]!;
    return figures === 0 || rows === 0 || about > 2 * MOST_TEXTS ? [] : [{ ...cell, figures, rows }];
  });
  const listed = await readCells<{ text: string; rows: number }, Cells>(session, table, mixed, () => [
    'trim(v) AS text, count(*) AS rows',
    `WHERE ${isOdd} GROUP BY ALL ORDER BY i, rows DESC, text`,
  ]);
  const found = new Map<RawColumn, OddTexts>();
  for (const [i, { column, figures, rows }] of mixed.entries()) {
    const texts = listed[i]!;
    if (texts.length > MOST_TEXTS) continue;
    const letters = texts.some(one => LETTER.test(one.text));
    const { different } = letters
      ? await session.row<{ different: number }>(
          `SELECT count(DISTINCT trim(${column.sql})) AS different FROM ${table} WHERE ${figure(column.sql)}`,
        )
      : { different: 0 };
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
