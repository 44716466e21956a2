import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Importer, Target } from './importer.ts';
import { figureText, keyText, REPEATED } from './row-checks.ts';
import type { SourceTable } from './source-table.ts';

/**
 * Creates `selected`, for the rows that the shapes give, and `merged`, for the rows of the slices to write; `kept` marks
 * rows that only the lake had.
 */
export async function createRowTables(database: Database, target: Target): Promise<void> {
  const columns = Object.entries(target.columns).map(([name, type]) => `${identifier(name)} ${type}`);
  await database.run(`
    CREATE TABLE selected (
      file INTEGER, shape VARCHAR, line INTEGER, dropped VARCHAR, remark VARCHAR, unsaid VARCHAR[],
      detail VARCHAR, ${columns.join(', ')});
    CREATE TABLE merged (kept BOOLEAN DEFAULT true, detail VARCHAR, ${columns.join(', ')})`);
}

/**
 * Keys with different figures in two rows of one kind of file, or of two kinds that both supply a column: the
 * order of files must not decide.
 *
 * @param place SQL for the place of a row of `selected` in its file
 */
export async function findConflicts(
  database: Database,
  { target }: Importer,
  sources: readonly SourceTable[],
  place: string,
): Promise<string[]> {
  const conflicts = [
    conflictQuery(target, Object.keys(target.columns), 'shape', 'true', place),
    ...Object.keys(target.columns).flatMap(column => {
      const files = [...sources.keys()].filter(index => {
        const { shape, present } = sources[index]!;
        return shape.supplies?.(present).includes(column);
      });
      const kinds = new Set(files.map(index => sources[index]!.shape));
      return kinds.size > 1
        ? [conflictQuery(target, [column], 'NULL', `file IN (${files.join(', ')})`, place)]
        : [];
    }),
  ];
  const rows = await database.rows<{ key: string; places: string }>(
    `SELECT key, min(places) AS places FROM (${conflicts.join(' UNION ALL ')}) GROUP BY key ORDER BY key LIMIT 6`,
  );
  return rows.map(({ key: text, places }, index) =>
    index === 5
      ? 'and more such rows'
      : `two rows of ${text} hold different figures (${places}): remove the wrong one`,
  );
}

function conflictQuery(
  target: Target,
  columns: readonly string[],
  kind: string,
  where: string,
  place: string,
): string {
  const key = target.key.map(identifier).join(', ');
  const values = [...new Set([...target.key, ...columns])].map(identifier).join(', ');
  const differing = columns
    .filter(name => !target.key.includes(name))
    .map(name => {
      const value = figureText(identifier(name));
      return `CASE WHEN count(DISTINCT ${value}) > 1
        THEN concat(${literal(name)}, ' ', array_to_string(list(concat(${value}, ' on ', place) ORDER BY file, line)[1:5], ', ')) END`;
    });
  return `
    SELECT ${keyText(target)} AS key, concat_ws('; ', ${['NULL', ...differing].join(', ')}) AS places
    FROM (
      FROM (SELECT DISTINCT ON (kind, ${values}) ${kind} AS kind, file, line, ${place} AS place, ${values}
            FROM selected WHERE dropped IS NULL AND ${where} ORDER BY file, line)
      QUALIFY count(*) OVER (PARTITION BY kind, ${key}) > 1)
    GROUP BY kind, ${key}`;
}

/** Keeps the first row of each key and kind of file, and drops the others. */
export async function dropRepeatedRows(database: Database, importer: Importer): Promise<void> {
  const what = importer.repeated === 'first' ? 'an earlier row names the same place' : REPEATED;
  await database.run(`
    UPDATE selected SET dropped = ${literal(what)} WHERE rowid IN (
      SELECT id FROM (
        SELECT rowid AS id, row_number() OVER (
          PARTITION BY ${importer.repeated === 'first' ? '' : 'shape, '}${importer.target.key.map(identifier).join(', ')}
          ORDER BY file, line) AS n
        FROM selected WHERE dropped IS NULL)
      WHERE n > 1)`);
}

/**
 * Joins the rows of one file onto `merged`. The file sets the columns that it supplies; in other columns existing
 * rows keep their values, so that the order of imports doesn't matter.
 *
 * @param source the file; undefined for rows of no file
 */
export async function mergeRows(
  database: Database,
  { target }: Importer,
  source: SourceTable | undefined,
  file: number,
): Promise<void> {
  const supplied = source?.shape.supplies?.(source.present);
  const columns = Object.keys(target.columns).map(name => {
    const column = identifier(name);
    if (target.key.includes(name)) return `coalesce(m.${column}, f.${column}) AS ${column}`;
    if (supplied === undefined || supplied.includes(name))
      return `CASE WHEN f.here THEN f.${column} ELSE m.${column} END AS ${column}`;
    const isStale = source?.shape.stale?.[name];
    const keeps = isStale === undefined ? 'm.here' : `m.here AND NOT coalesce(${isStale}, false)`;
    return `CASE WHEN ${keeps} THEN m.${column} ELSE f.${column} END AS ${column}`;
  });
  const on = ['detail', ...target.key]
    .map(name => `m.${identifier(name)} IS NOT DISTINCT FROM f.${identifier(name)}`)
    .join(' AND ');
  await database.run(`
    CREATE OR REPLACE TABLE merged AS
    SELECT coalesce(m.kept, false) AND f.here IS NULL AS kept, coalesce(m.detail, f.detail) AS detail, ${columns.join(', ')}
    FROM (SELECT *, true AS here FROM merged) m
    FULL JOIN (SELECT *, true AS here FROM selected WHERE file = ${file} AND dropped IS NULL) f ON ${on}`);
}
