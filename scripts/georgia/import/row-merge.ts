import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Importer, OwnRate, Target } from './importer.ts';
import type { Finding } from './report.ts';
import { figureText, groupFindings, keyText, REPEATED } from './row-checks.ts';
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
 * rows keep their values, so that the order of imports doesn't matter. Returns the rates that a reader should
 * check.
 *
 * @param source the file; undefined for rows of no file
 * @param place SQL for the place of the row `f` in its file
 */
export async function mergeRows(
  database: Database,
  { target }: Importer,
  source: SourceTable | undefined,
  file: number,
  place: string,
): Promise<Finding[]> {
  const shape = source?.shape;
  const supplies = source && shape?.supplies?.(source.present);
  const all = Object.keys(target.columns);
  const supplied = new Set(supplies ?? all);
  // A file without the rate can't correct it.
  const ownRate = shape?.ownRate && source?.present.has(shape.ownRate.column) ? shape.ownRate : undefined;
  const columns = all.map(name => {
    const column = identifier(name);
    if (target.key.includes(name)) return `coalesce(m.${column}, f.${column}) AS ${column}`;
    if (name === ownRate?.rate)
      return `CASE WHEN m.here AND NOT ${isOutdated(ownRate)} THEN m.${column} ELSE f.${column} END AS ${column}`;
    return supplied.has(name)
      ? `CASE WHEN f.here THEN f.${column} ELSE m.${column} END AS ${column}`
      : `CASE WHEN m.here THEN m.${column} ELSE f.${column} END AS ${column}`;
  });
  const on = ['detail', ...target.key]
    .map(name => `m.${identifier(name)} IS NOT DISTINCT FROM f.${identifier(name)}`)
    .join(' AND ');
  const rows = `(SELECT *, true AS here FROM selected WHERE file = ${file} AND dropped IS NULL) f ON ${on}`;
  const findings = shape?.ownRate
    ? await groupFindings(database, rateRemarks(shape.ownRate, target, rows, place, ownRate !== undefined))
    : [];
  await database.run(`
    CREATE OR REPLACE TABLE merged AS
    SELECT coalesce(m.kept, false) AND f.here IS NULL AS kept, coalesce(m.detail, f.detail) AS detail, ${columns.join(', ')}
    FROM (SELECT *, true AS here FROM merged) m FULL JOIN ${rows}`);
  return findings;
}

/**
 * SQL: `f` corrects the counts of the lake's row `m`, and the lake's rate is older: it differs too much from
 * the file's, or follows from the old counts and so came from an earlier file of counts. Rows of other files
 * of this run aren't older.
 */
function isOutdated(own: OwnRate): string {
  return `coalesce(f.here AND ${countsCorrected(own)} AND (${ratesDiffer(own)} OR ${isQuotient(own)}), false)`;
}

/** SQL: the lake has counts, and `f` has others. */
function countsCorrected({ whole, part }: OwnRate): string {
  const held = [whole, part].map(name => `m.${identifier(name)} IS NOT NULL`).join(' OR ');
  return `m.kept AND (${held}) AND ${countsDiffer([whole, part])}`;
}

function countsDiffer(counts: readonly string[]): string {
  return `(${counts.map(name => `m.${identifier(name)} IS DISTINCT FROM f.${identifier(name)}`).join(' OR ')})`;
}

function ratesDiffer({ rate, within }: OwnRate): string {
  return `abs(m.${identifier(rate)} - f.${identifier(rate)}) > ${within} + 1e-9`;
}

function isQuotient({ rate, whole, part, rounding }: OwnRate): string {
  const quotient = `m.${identifier(part)} / nullif(m.${identifier(whole)}, 0)`;
  return `abs(m.${identifier(rate)} - ${quotient}) <= ${rounding / 2} + 1e-9`;
}

/** @param corrects true if the file has rates, by which it may correct the lake's */
function rateRemarks(own: OwnRate, target: Target, rows: string, place: string, corrects: boolean): string {
  const { rate, whole, part, within } = own;
  const [held, given] = [`m.${identifier(rate)}`, `f.${identifier(rate)}`];
  const away = `${100 * within} points away`;
  const corrected = `${rate} is corrected with its counts: the old rate was`;
  const again = 'import the rates again if they are older';
  return `
    SELECT CASE
        WHEN ${corrects} AND ${isOutdated(own)} THEN
          CASE
            WHEN ${ratesDiffer(own)} THEN ${literal(`${corrected} more than ${away}`)}
            WHEN ${held} IS DISTINCT FROM ${given} THEN ${literal(`${corrected} that of the old counts`)}
          END
        WHEN ${ratesDiffer(own)}
          THEN ${literal(`${rate} stays, although this file's own is more than ${away}: ${again}`)}
        WHEN m.kept AND ${held} IS NULL AND ${given} IS NOT NULL AND ${countsDiffer([whole, part])}
          THEN ${literal(`${rate} stays withheld, although this file has one: ${again}`)}
        WHEN ${held} IS DISTINCT FROM ${given} AND ${countsCorrected(own)} THEN
          CASE
            WHEN f.${identifier(whole)} IS NULL AND f.${identifier(part)} IS NULL
              THEN ${literal(`${rate} stays, although this file withholds its counts: ${again}`)}
            ELSE ${literal(`${rate} stays, although this file corrects its counts: ${again}`)}
          END
      END AS what, concat(${place}, ': ', ${keyText(target, 'f')}) AS example, f.line AS position
    FROM merged m JOIN ${rows}`;
}
