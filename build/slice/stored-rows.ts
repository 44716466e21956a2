/** Reads rows of a published Parquet file as the API writes them. */
import type { RowColumn } from '../format/manifest.ts';
import type { Session } from '../lake/database.ts';
import { parquetRows } from '../lake/sql.ts';
import { jsonRow, UNKNOWN_TEXT } from './text-sql.ts';

/** The first row as the text of a JSON object; null if the file has no rows. */
export async function firstRow(
  session: Session,
  file: string,
  columns: readonly RowColumn[],
): Promise<string | null> {
  const row = jsonRow(
    columns.map(column => ({ column })),
    () => UNKNOWN_TEXT,
  );
  const [first] = await session.rows<{ row: string }>(
    `SELECT ${row} AS row FROM ${parquetRows([file])} LIMIT 1`,
  );
  return first?.row ?? null;
}
