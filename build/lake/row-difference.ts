/** Compares two Parquet files of the same slice row by row. */
import type { Session } from './database.ts';
import { identifier, parquetRows } from './sql.ts';

export interface RowDifference {
  readonly added: number;
  readonly removed: number;
  /** Rows with a key in both files and another column that differs. */
  readonly revised: number;
  /** Number of revised rows by column; columns without differences are absent. */
  readonly columns: Readonly<Record<string, number>>;
}

export interface ComparedFiles {
  readonly old: string;
  readonly new: string;
  /** The grain, which is unique; NULL counts as a value. */
  readonly keys: readonly string[];
  /** The other columns that both files have; `same` if their types are equal. */
  readonly columns: readonly { readonly name: string; readonly same: boolean }[];
}

/** No column of a contract has a name with a space. */
const SIDE = identifier('in file');

export async function compareRows(session: Session, files: ComparedFiles): Promise<RowDifference> {
  const differs = files.columns.map(({ name, same }) => {
    const [a, b] = ['a', 'b'].map(side => `${side}.${identifier(name)}${same ? '' : '::VARCHAR'}`);
    return `${a} IS DISTINCT FROM ${b}`;
  });
  const both = `a.${SIDE} AND b.${SIDE}`;
  const counts = [
    `count(*) FILTER (a.${SIDE} IS NULL) AS "added rows"`,
    `count(*) FILTER (b.${SIDE} IS NULL) AS "removed rows"`,
    `count(*) FILTER (${both} AND (${differs.join(' OR ') || 'false'})) AS "revised rows"`,
    ...files.columns.map(
      ({ name }, i) => `count(*) FILTER (${both} AND ${differs[i] ?? 'false'}) AS ${identifier(name)}`,
    ),
  ];
  const rows = (file: string) => `(SELECT true AS ${SIDE}, * FROM ${parquetRows([file])})`;
  const keys = files.keys.map(key => `a.${identifier(key)} IS NOT DISTINCT FROM b.${identifier(key)}`);
  const row = await session.row<Record<string, number>>(
    `SELECT ${counts.join(', ')} FROM ${rows(files.old)} a FULL OUTER JOIN ${rows(files.new)} b ON ${keys.join(' AND ') || 'true'}`,
  );
  return {
    added: row['added rows'] ?? 0,
    removed: row['removed rows'] ?? 0,
    revised: row['revised rows'] ?? 0,
    columns: Object.fromEntries(
      files.columns.flatMap(({ name }) => {
        const count = row[name] ?? 0;
        return count === 0 ? [] : [[name, count] as const];
      }),
    ),
  };
}
