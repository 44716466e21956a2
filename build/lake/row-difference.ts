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
  /** Null if all rows are gone, or cannot be told apart by the same key. */
  readonly now: string | null;
  /** The grain, which is unique; NULL counts as a value. */
  readonly keys: readonly NamePair[];
  /** The other columns to compare. */
  readonly values: readonly NamePair[];
}

/** No column of a contract has a name with a space. */
const SIDE = identifier('in file');

/** The rows of both files as `a` and `b`, and conditions on them. */
function joinFiles({ old, now, keys, values }: ComparedFiles) {
  // The names of the old file, where there is no other.
  const names = (pair: NamePair) => (now === null ? { old: pair.old, now: pair.old } : pair);
  const [keyPairs, valuePairs] = [keys.map(names), values.map(names)];
  const rows = (file: string, none = '') => `(SELECT true AS ${SIDE}, * FROM ${parquetRows([file])}${none})`;
  const same = keyPairs.map(
    pair => `a.${identifier(pair.old)} IS NOT DISTINCT FROM b.${identifier(pair.now ?? pair.old)}`,
  );
  const differs = valuePairs.map(({ old: a, now: b, asText }: NamePair) => {
    if (b === null) return `a.${identifier(a)} IS NOT NULL`;
    const cast = asText ? '::VARCHAR' : '';
    return `a.${identifier(a)}${cast} IS DISTINCT FROM b.${identifier(b)}${cast}`;
  });
  return {
    from: `${rows(old)} a FULL OUTER JOIN ${now === null ? rows(old, ' WHERE false') : rows(now)} b ON ${same.join(' AND ') || 'true'}`,
    added: `a.${SIDE} IS NULL`,
    removed: `b.${SIDE} IS NULL`,
    both: `a.${SIDE} AND b.${SIDE}`,
    differs,
    keyPairs,
    valuePairs,
  };
}

export async function compareRows(session: Session, files: ComparedFiles): Promise<RowDifference> {
  const { from, added, removed, both, differs } = joinFiles(files);
  const counts = [added, removed, `${both} AND (${differs.join(' OR ') || 'false'})`]
    .concat(differs.map(one => `${both} AND ${one}`))
    .map((condition, i) => `count(*) FILTER (${condition}) AS ${identifier(`count ${i}`)}`);
  const row = await session.row<Record<string, number>>(`SELECT ${counts.join(', ')} FROM ${from}`);
  const countOf = (i: number) => row[`count ${i}`] ?? 0;
  return {
    added: countOf(0),
    removed: countOf(1),
    revised: countOf(2),
    columns: Object.fromEntries(
      files.values.flatMap(({ old }, i) => (countOf(3 + i) === 0 ? [] : [[old, countOf(3 + i)] as const])),
    ),
  };
}

/**
 * Selects the rows that differ: `change`, then each column of the key as `key_{name}`, the other earlier values as
 * `old_{name}`, and those that take their place as `new_{name}`. Prefixes keep the names of the three parts apart.
 */
export function changedRows(files: ComparedFiles): string {
  const { from, added, removed, differs, keyPairs, valuePairs } = joinFiles(files);
  const as = (value: string, name: string) => `${value} AS ${identifier(name)}`;
  const columns = [
    `CASE WHEN ${added} THEN 'added' WHEN ${removed} THEN 'removed' ELSE 'revised' END AS change`,
    ...keyPairs.map(({ old, now }) =>
      as(`CASE WHEN ${added} THEN b.${identifier(now ?? old)} ELSE a.${identifier(old)} END`, `key_${old}`),
    ),
    ...valuePairs.map(({ old }) => as(`a.${identifier(old)}`, `old_${old}`)),
    ...valuePairs.flatMap(({ now }) => (now === null ? [] : [as(`b.${identifier(now)}`, `new_${now}`)])),
  ];
  return `SELECT ${columns.join(', ')} FROM ${from} WHERE ${[added, removed, ...differs].join(' OR ')}`;
}
