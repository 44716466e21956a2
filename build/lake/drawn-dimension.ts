/** Draws the rows of a dimension from the rows of the dataset that its contract names. */
import path from 'node:path';
import type { Dimension } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Session } from './database.ts';
import type { LakeFile } from './lake-files.ts';
import { readShapes } from './parquet-shape.ts';
import type { Preparation } from './prepared-table.ts';
import { fileLiteral, identifier, identifiers, parquetRows } from './sql.ts';

const NAME = 'rows.parquet';

/**
 * Writes one row for each key: among its most complete rows, the one whose values most of its rows have. There is no file if the rows
 * can't be read or lack a column, which the checks of the dataset report.
 */
export async function drawDimension(
  session: Session,
  dimension: Dimension,
  files: readonly LakeFile[],
  folder: string,
): Promise<Preparation> {
  const { columns, primaryKey } = dimension;
  const { shapes } = await readShapes(session, files);
  const names = columns.map(({ name }) => name);
  const isWhole = files.every(file => names.every(name => shapes.get(file.path)?.columns.has(name)));
  if (!isWhole) return { files: [], diagnostics: [] };
  const hasKey = primaryKey.map(name => `${identifier(name)} IS NOT NULL`).join(' AND ');
  const rows = `FROM ${parquetRows(files.map(file => file.absolute))} WHERE ${hasKey}`;
  const [keys, values] = [identifiers(primaryKey), identifiers(names)];
  const blanks = names.map(name => `(${identifier(name)} IS NULL)::INTEGER`).join(' + ');
  // DuckDB 1.5.5 sums too many rows if a window names a column twice, so no key is among these.
  const others = names.filter(name => !primaryKey.includes(name)).map(identifier);
  const weights = ['0', ...others.map(other => `sum("row count") OVER (PARTITION BY ${keys}, ${other})`)];
  const told = `SELECT ${values}, count(*) AS "row count" ${rows} GROUP BY ${values}`;
  const weighed = `SELECT *, ${weights.join(' + ')} AS "row weight" FROM (${told})`;
  const best = `row_number() OVER (PARTITION BY ${keys} ORDER BY ${blanks}, "row weight" DESC, ${values}) = 1`;
  await session.run(
    `COPY (SELECT ${values} FROM (${weighed}) QUALIFY ${best} ORDER BY ${keys}) TO ${fileLiteral(path.join(folder, NAME))} (FORMAT parquet)`,
  );
  return {
    files: [{ year: null, name: NAME }],
    diagnostics: await differences(session, dimension, rows),
  };
}

/** A warning if rows of one key differ in texts. */
async function differences(
  session: Session,
  { columns, primaryKey, attributeColumns, rowsOf, name, path: file }: Dimension,
  rows: string,
): Promise<Diagnostic[]> {
  const texts = columns.filter(column => column.type === 'string' && attributeColumns.includes(column.name));
  if (texts.length === 0) return [];
  const differ = texts.map(text => `count(DISTINCT ${identifier(text.name)}) > 1`).join(' OR ');
  const keys = identifiers(primaryKey);
  const { count, first } = await session.row<{ count: number; first: string | null }>(
    `SELECT count(*) AS count, min(key) AS first FROM (SELECT concat_ws(', ', ${keys}) AS key ${rows} GROUP BY ${keys} HAVING ${differ})`,
  );
  if (first === null) return [];
  const message = `Rows of ${rowsOf} differ in ${texts.map(text => text.name).join(' or ')} for ${count} of the keys of ${name}, such as ${first}. The dimension has the values of most rows. Correct the others if they are wrong.`;
  return [{ severity: 'warning', code: 'lake-drawn-rows', file, message }];
}
