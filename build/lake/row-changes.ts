/** SQL for the rows that differ between two Parquet files of one slice. */
import { identifier, literal, parquetRows } from './sql.ts';

/** A column before and after. */
interface NamePair {
  readonly old: string;
  readonly now: string | null;
}

export interface RowChangesInput {
  readonly year: number;
  readonly detail: string;
  /** The file before. */
  readonly old: string;
  /** The file after; null if all rows are gone, or cannot be told apart by the same key. */
  readonly now: string | null;
  /** The grain; NULL counts as a value. */
  readonly keys: readonly NamePair[];
  /** All other columns before. */
  readonly values: readonly NamePair[];
  /** All other columns after. */
  readonly added: readonly string[];
}

/** No column of a contract has a name with a space. */
const SIDE = identifier('in file');

/**
 * Selects `change`, `year`, `detail`, the key, the values before and the values after. Values that only one of the two
 * files can have count as revised where the earlier one is not NULL.
 */
export function changedRows({ year, detail, old, now, keys, values, added }: RowChangesInput): string {
  const slice = [`${year}::INTEGER AS year`, `${literal(detail)} AS detail`];
  const ofOld = (name: string) => `a.${identifier(name)}`;
  const ofNow = (name: string) => `b.${identifier(name)}`;
  if (now === null) {
    const columns = [...keys, ...values].map(pair => ofOld(pair.old));
    const none = added.map(() => 'NULL');
    return `SELECT ${["'removed' AS change", ...slice, ...columns, ...none].join(', ')} FROM ${parquetRows([old])} a`;
  }
  const differs = values.map(pair =>
    pair.now === null
      ? `${ofOld(pair.old)} IS NOT NULL`
      : `${ofOld(pair.old)} IS DISTINCT FROM ${ofNow(pair.now)}`,
  );
  const gone = `b.${SIDE} IS NULL`;
  const fresh = `a.${SIDE} IS NULL`;
  const columns = [
    `CASE WHEN ${fresh} THEN 'added' WHEN ${gone} THEN 'removed' ELSE 'revised' END AS change`,
    ...slice,
    ...keys.map(pair => `CASE WHEN ${fresh} THEN ${ofNow(pair.now ?? pair.old)} ELSE ${ofOld(pair.old)} END`),
    ...values.map(pair => ofOld(pair.old)),
    ...added.map(ofNow),
  ];
  const same = keys.map(pair => `${ofOld(pair.old)} IS NOT DISTINCT FROM ${ofNow(pair.now ?? pair.old)}`);
  const rows = (file: string) => `(SELECT true AS ${SIDE}, * FROM ${parquetRows([file])})`;
  return `SELECT ${columns.join(', ')} FROM ${rows(old)} a FULL OUTER JOIN ${rows(now)} b ON ${same.join(' AND ') || 'true'} WHERE ${[fresh, gone, ...differs].join(' OR ')}`;
}
