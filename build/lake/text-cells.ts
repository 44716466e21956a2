/**
 * Asks about the texts of many columns at once: a table with a row for each text, and the number of its column. A statement
 * is then written once for all columns, and takes as long for a thousand as for a few.
 */
import { inBatches } from './column-batches.ts';
import type { Session, SqlValue } from './database.ts';
import { literal } from './sql.ts';
import { presentText, SIGN_CLASS, type Skeleton, SPACES } from './text-skeletons.ts';

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
