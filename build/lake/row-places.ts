/** Finds where rows that a check shows are in the files of a lake. */
import type { Session, SqlRow } from './database.ts';
import { type LakeTable, RAW, readText } from './prepared-table.ts';
import { literal } from './sql.ts';

/** Reading a larger file again takes too long for an error. */
const MOST_BYTES = 500_000_000;

/**
 * Such as `data.csv, line 7`, for each row that one of the tables has; equal rows get a line each. Null for rows of
 * Parquet, and for rows that no file has as they are.
 */
export async function findRowPlaces(
  session: Session,
  tables: readonly LakeTable[],
  rows: readonly SqlRow[],
): Promise<(string | null)[]> {
  const places = rows.map((): string | null => null);
  for (const table of tables) {
    const { file, format } = table;
    if (format === 'parquet' || file.bytes > MOST_BYTES || !places.includes(null)) continue;
    const read = await readText(session, table, format);
    if (!('readings' in read)) continue;
    const taken = new Set<number>();
    for (const [i, row] of rows.entries()) {
      if (places[i] !== null) continue;
      if (table.year !== null && 'year' in row && row.year !== table.year) continue;
      const same = read.columns.flatMap(({ column }, k) =>
        column.name in row ? (isSame(read.readings[k]?.value ?? 'NULL', row[column.name]) ?? []) : [],
      );
      if (same.length === 0) continue;
      const found = await session.rows<{ id: number }>(
        `SELECT rowid AS id FROM ${RAW} WHERE ${same.join(' AND ')} ORDER BY rowid LIMIT ${rows.length}`,
      );
      const free = found.map(({ id }) => Number(id)).find(id => !taken.has(id));
      if (free === undefined) continue;
      taken.add(free);
      places[i] = `${file.path}, ${await read.text.where(free)}`;
    }
  }
  await session.run(`DROP TABLE IF EXISTS ${RAW}`);
  return places;
}

/** SQL that is true for the value; null for one that SQL cannot be asked for, such as a moment. */
function isSame(sql: string, value: unknown): string | null {
  if (value === null) return `(${sql}) IS NULL`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return `(${sql}) = ${literal(value)}`;
  return null;
}
