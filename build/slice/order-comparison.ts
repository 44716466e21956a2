/** Checks that an order has the rows of its slices, sorted, and that the manifest counts them rightly. */
import type { OrderEntry, RowColumn } from '../format/manifest.ts';
import { databaseMessage, type Session } from '../lake/database.ts';
import { identifier, literal, parquetRows, rowOrder } from '../lake/sql.ts';
import { compareHistory, sqlType } from './format-comparison.ts';

export interface OrderFiles {
  readonly entry: OrderEntry;
  readonly columns: readonly RowColumn[];
  /** Columns that order the rows of an answer. */
  readonly order: readonly string[];
  readonly file: string;
  /** The Parquet files of the entry's years. */
  readonly slices: readonly string[];
}

/** Says what differs; null if nothing does. */
export async function compareOrder(session: Session, files: OrderFiles): Promise<string | null> {
  const { entry, columns, file, slices } = files;
  const column = columns.find(({ name }) => name === entry.column);
  if (column === undefined) return `there is no column ${entry.column}`;
  if (slices.length !== entry.years.length) return 'it has other years than the slices';
  const differs = await compareHistory(session, columns, file, slices);
  if (differs !== null) return differs;
  try {
    if (!(await isSorted(session, files))) return `its rows are not in the order of ${entry.column}`;
    if (!(await isCounted(session, files, column)))
      return `the manifest counts other rows of ${entry.column} than the slices have`;
    return null;
  } catch (error) {
    return `it cannot be read (${databaseMessage(error)})`;
  }
}

async function isSorted(session: Session, { entry, order, file }: OrderFiles): Promise<boolean> {
  const by = rowOrder(new Set([entry.column, ...order]));
  const names = [...new Set([entry.column, ...order])].map(identifier).join(', ');
  const { wrong } = await session.row<{ wrong: number }>(
    `SELECT count(*)::DOUBLE AS wrong FROM (SELECT "number of row", row_number() OVER (ORDER BY ${by}) AS "right number" FROM (SELECT row_number() OVER () AS "number of row", ${names} FROM ${parquetRows([file])})) WHERE "number of row" <> "right number"`,
  );
  return wrong === 0;
}

async function isCounted(
  session: Session,
  { entry: { values, counts }, slices }: OrderFiles,
  column: RowColumn,
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
