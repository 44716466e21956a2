/** Compares two Parquet files of the same slice row by row. */
import type { Session } from './database.ts';
import { identifier, parquetRows } from './sql.ts';

export interface RowDifference {
  readonly added: number;
  readonly removed: number;
  /** Rows with a key in both files and another column that differs. */
  readonly revised: number;
  /** Number of revised rows by earlier column; columns without differences are absent. */
  readonly columns: Readonly<Record<string, number>>;
}

/** The names of a column before and after. */
export interface NamePair {
  readonly old: string;
  /** Null if the column is gone: a value in it makes a row revised. */
  readonly now: string | null;
  /** Whether its type is another, so that texts are compared. */
  readonly asText?: boolean;
}

export interface ComparedFiles {
  readonly old: string;
  readonly now: string;
  /** The grain, which is unique; NULL counts as a value. */
  readonly keys: readonly NamePair[];
  /** The other columns to compare. */
  readonly values: readonly NamePair[];
}

/** No column of a contract has a name with a space. */
const SIDE = identifier('in file');

export async function compareRows(
  session: Session,
  { old, now, keys, values }: ComparedFiles,
): Promise<RowDifference> {
  const rows = (file: string) => `(SELECT true AS ${SIDE}, * FROM ${parquetRows([file])})`;
  const same = keys.map(
    pair => `a.${identifier(pair.old)} IS NOT DISTINCT FROM b.${identifier(pair.now ?? pair.old)}`,
  );
  const differs = values.map(({ old: a, now: b, asText }: NamePair) => {
    if (b === null) return `a.${identifier(a)} IS NOT NULL`;
    const cast = asText ? '::VARCHAR' : '';
    return `a.${identifier(a)}${cast} IS DISTINCT FROM b.${identifier(b)}${cast}`;
  });
  const both = `a.${SIDE} AND b.${SIDE}`;
  const counts = [
    `a.${SIDE} IS NULL`,
    `b.${SIDE} IS NULL`,
    `${both} AND (${differs.join(' OR ') || 'false'})`,
  ]
    .concat(differs.map(one => `${both} AND ${one}`))
    .map((condition, i) => `count(*) FILTER (${condition}) AS ${identifier(`count ${i}`)}`);
  const row = await session.row<Record<string, number>>(
    `SELECT ${counts.join(', ')} FROM ${rows(old)} a FULL OUTER JOIN ${rows(now)} b ON ${same.join(' AND ') || 'true'}`,
  );
  const countOf = (i: number) => row[`count ${i}`] ?? 0;
  return {
    added: countOf(0),
    removed: countOf(1),
    revised: countOf(2),
    columns: Object.fromEntries(
      values.flatMap(({ old: name }, i) => (countOf(3 + i) === 0 ? [] : [[name, countOf(3 + i)] as const])),
    ),
  };
}
