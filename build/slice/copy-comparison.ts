/** Checks that a copy has the rows of its slices, sorted, and that the manifest counts them rightly. */
import type { CopyEntry, RowColumn, ValueCounts } from '../format/manifest.ts';
import { databaseMessage, type Session } from '../lake/database.ts';
import { identifier, literal, parquetRows, rowOrder } from '../lake/sql.ts';
import { sqlType } from './format-comparison.ts';

export interface CopyFiles {
  readonly entry: CopyEntry;
  readonly columns: readonly RowColumn[];
  /** Columns that order the rows of an answer. */
  readonly order: readonly string[];
  readonly file: string;
  /** The Parquet files of the entry's years. */
  readonly slices: readonly string[];
}

/** Says what differs; null if nothing does. */
export async function compareCopy(session: Session, files: CopyFiles): Promise<string | null> {
  const { entry, columns } = files;
  const unknown = entry.by.find(name => !columns.some(column => column.name === name));
  if (unknown !== undefined) return `there is no column ${unknown}`;
  try {
    if (!(await hasRows(session, files))) return 'it does not hold the rows of its yearly slices';
    if (!(await isSorted(session, files))) return `its rows are not in the order of ${entry.by.join(', ')}`;
    const column = columns.find(({ name }) => name === entry.by[0]);
    if (entry.counted && column && !(await isCounted(session, entry.counted, column, files.slices)))
      return `the manifest counts other rows of ${column.name} than the slices have`;
    return null;
  } catch (error) {
    return `it, or a slice of it, cannot be read (${databaseMessage(error)})`;
  }
}

async function hasRows(session: Session, { columns, file, slices }: CopyFiles): Promise<boolean> {
  const names = columns.map(column => identifier(column.name)).join(', ');
  const digest = async (read: readonly string[]) => {
    const row = await session.row<{ digest: string }>(
      `SELECT concat_ws(' ', count(*), bit_xor(hash(${names})), sum(hash(${names}))) AS digest FROM ${parquetRows(read)}`,
    );
    return row.digest;
  };
  return slices.length > 0 && (await digest([file])) === (await digest(slices));
}

async function isSorted(session: Session, { entry, order, file }: CopyFiles): Promise<boolean> {
  const by = rowOrder(new Set([...entry.by, ...order]));
  const names = [...new Set([...entry.by, ...order])].map(identifier).join(', ');
  const { wrong } = await session.row<{ wrong: number }>(
    `SELECT count(*)::DOUBLE AS wrong FROM (SELECT "number of row", row_number() OVER (ORDER BY ${by}) AS "right number" FROM (SELECT row_number() OVER () AS "number of row", ${names} FROM ${parquetRows([file])})) WHERE "number of row" <> "right number"`,
  );
  return wrong === 0;
}

async function isCounted(
  session: Session,
  { values, rows: counts }: ValueCounts,
  column: RowColumn,
  slices: readonly string[],
): Promise<boolean> {
  const zone = column.utc === true ? 'Z' : '';
  const listed = values.flatMap((value, i) => {
    const text = literal(typeof value === 'string' ? value + zone : value);
    return (counts[i] ?? []).flatMap((rows, year) =>
      rows === 0 ? [] : [`(${text}::${sqlType(column)}, ${year}, ${rows})`],
    );
  });
  const found = slices.map(
    (slice, year) =>
      `SELECT ${identifier(column.name)}, ${year}, count(*) FROM ${parquetRows([slice])} GROUP BY 1`,
  );
  if (listed.length === 0) return false;
  const [expected, present] = [`VALUES ${listed.join(', ')}`, found.join(' UNION ALL ')];
  const { wrong } = await session.row<{ wrong: number }>(
    `SELECT count(*)::DOUBLE AS wrong FROM (((${expected}) EXCEPT ALL (${present})) UNION ALL ((${present}) EXCEPT ALL (${expected})))`,
  );
  return wrong === 0;
}
