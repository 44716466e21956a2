/** The rows that files give: their conflicts, how they join the lake's rows, and which figures of the lake that changes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../../build/lake/database.ts';
import { identifier, literal, parquetRows } from '../../../build/lake/sql.ts';
import { columnList, columnTypes, type LakeSlice, type LakeTable } from '../lake-table.ts';
import type { Importer } from './importer.ts';
import { type Change, type Finding, figureText, keyText, REPEATED, rowPlace } from './report.ts';
import type { SourceTable } from './source-table.ts';

/**
 * Creates `selected`, for the rows that the shapes give, and `merged`, for the rows of the slices to write; `kept` marks
 * rows that only the lake had.
 */
export async function createRowTables(session: Session, target: LakeTable): Promise<void> {
  const columns = columnTypes(target);
  await session.run(`
    CREATE TABLE selected (
      file INTEGER, shape VARCHAR, line INTEGER, dropped VARCHAR, remark VARCHAR, unsaid VARCHAR[],
      detail VARCHAR, ${columns});
    CREATE TABLE merged (kept BOOLEAN DEFAULT true, detail VARCHAR, ${columns})`);
}

/**
 * Keys with different figures in two rows of one kind of file, or of two kinds that both supply a column: the
 * order of files must not decide.
 */
export async function findConflicts(
  session: Session,
  { target }: Importer,
  sources: readonly SourceTable[],
): Promise<string[]> {
  const place = rowPlace(sources);
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
  const rows = await session.rows<{ key: string; places: string }>(
    `SELECT key, min(places) AS places FROM (${conflicts.join(' UNION ALL ')}) GROUP BY key ORDER BY key LIMIT 6`,
  );
  return rows.map(({ key: text, places }, index) =>
    index === 5
      ? 'and more such rows'
      : `two rows of ${text} hold different figures (${places}): remove the wrong one`,
  );
}

function conflictQuery(
  target: LakeTable,
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
export async function dropRepeatedRows(session: Session, importer: Importer): Promise<void> {
  const what = importer.repeated === 'first' ? 'an earlier row names the same place' : REPEATED;
  await session.run(`
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
  session: Session,
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
  await session.run(`
    CREATE OR REPLACE TABLE merged AS
    SELECT coalesce(m.kept, false) AND f.here IS NULL AS kept, coalesce(m.detail, f.detail) AS detail, ${columns.join(', ')}
    FROM (SELECT *, true AS here FROM merged) m
    FULL JOIN (SELECT *, true AS here FROM selected WHERE file = ${file} AND dropped IS NULL) f ON ${on}`);
}

interface FigureChanges {
  readonly changes: readonly Change[];
  /** Figures that would become NULL although no file withholds them. */
  readonly problems: readonly string[];
  /** Slices that were not compared, because the lake's file can't be read. */
  readonly notes: readonly string[];
}

/**
 * Compares the rows of `merged` with the slices that they replace. The table `change` then has one row for
 * each changed figure and one for each removed row without figures.
 */
export async function findFigureChanges(
  session: Session,
  lake: string,
  target: LakeTable,
  slices: readonly LakeSlice[],
  sources: readonly SourceTable[],
): Promise<FigureChanges> {
  const keys = target.key.map(name => `${identifier(name)} ${target.columns[name]}`);
  await session.run(`
    CREATE OR REPLACE TABLE change (kind VARCHAR, slice VARCHAR, detail VARCHAR, ${keys.join(', ')},
      "column" VARCHAR, before VARCHAR, after VARCHAR, file INTEGER)`);
  const notes: string[] = [];
  for (const slice of slices) {
    if (!existsSync(join(lake, slice.path))) continue;
    try {
      await session.run(compareSlice(lake, target, slice));
    } catch {
      // A merging import has read the slice before.
      notes.push(`${slice.path} replaces a file whose rows cannot be read`);
    }
  }
  await session.run(nameGivers(target));
  await session.run(`UPDATE change SET kind = CASE
      WHEN kind = 'removed' OR after IS NOT NULL THEN kind
      WHEN file IS NULL AND ${target.kind === 'dataset'} THEN 'erased' ELSE 'withheld' END`);
  return { ...(await groupChanges(session, target, sources)), notes };
}

/**
 * Writes a CSV file with a line for every change, then for every dropped row, then for every odd row that is
 * kept (a row with a figure left out is odd), with file, line and reason.
 */
export async function writeChanges(
  session: Session,
  target: LakeTable,
  sources: readonly SourceTable[],
  path: string,
): Promise<void> {
  const keys = target.key.map(identifier).join(', ');
  const blanks = target.key.map(name => `NULL AS ${identifier(name)}`).join(', ');
  const unread = sources.flatMap(({ file, unread }) =>
    unread.flatMap(([why, rows]) => rows.map(({ line }) => `(${literal(file)}, ${line}, ${literal(why)})`)),
  );
  const said = (column: string, change: string) => `
    SELECT ${literal(change)} AS change, NULL AS slice, ${keys}, NULL AS "column", NULL AS before, NULL AS after,
      ${fileName(sources)} AS file, line, ${column} AS why
    FROM selected WHERE ${column} IS NOT NULL AND line > 0 ${column === 'remark' ? 'AND dropped IS NULL' : ''}`;
  await session.run(`
    COPY (
      SELECT * FROM (
        SELECT kind AS change, slice, ${keys}, "column", before, after, ${fileName(sources)} AS file,
          NULL AS line, NULL AS why
        FROM change ORDER BY slice, ${keys}, "column")
      UNION ALL SELECT * FROM (SELECT DISTINCT * FROM (
        ${said('dropped', 'dropped')} UNION ALL BY NAME ${said('remark', 'odd')}
        ${unread.length > 0 ? `UNION ALL BY NAME SELECT 'dropped' AS change, NULL AS slice, ${blanks}, NULL AS "column", NULL AS before, NULL AS after, * FROM (VALUES ${unread.join(', ')}) AS u(file, line, why)` : ''})
        ORDER BY file, line, change, why, ${keys})
    ) TO ${literal(path)} (FORMAT csv, HEADER)`);
}

/** Fills `change` from one slice. Figures are compared as texts: DuckDB prints each number differently. */
function compareSlice(lake: string, target: LakeTable, slice: LakeSlice): string {
  const others = Object.keys(target.columns).filter(name => !target.key.includes(name));
  const on = target.key.map(name => `o.${identifier(name)} IS NOT DISTINCT FROM n.${identifier(name)}`);
  const figures = others.map(
    name =>
      `(${literal(name)}, CAST(o.${identifier(name)} AS VARCHAR), CAST(n.${identifier(name)} AS VARCHAR))`,
  );
  const empty = others.map(name => `o.${identifier(name)} IS NULL`).join(' AND ') || 'true';
  return `
    INSERT INTO change
    SELECT CASE WHEN n.here THEN 'changed' ELSE 'removed' END, ${literal(slice.path)}, n.detail,
      ${target.key.map(name => `o.${identifier(name)}`).join(', ')}, c.name, c.before, c.after, NULL
    FROM (SELECT ${columnList(target)} FROM ${parquetRows([join(lake, slice.path)])}) o
    LEFT JOIN (SELECT *, true AS here FROM merged WHERE ${slice.where}) n ON ${on.join(' AND ')},
      (VALUES ${[...figures, '(NULL, NULL, NULL)'].join(', ')}) AS c(name, before, after)
    WHERE CASE
      WHEN c.name IS NULL THEN n.here IS NULL AND ${empty}
      WHEN n.here IS NULL THEN c.before IS NOT NULL
      ELSE c.before IS NOT NULL AND c.before IS DISTINCT FROM c.after END`;
}

/** Names the first file that gives the new figure of each change. */
function nameGivers(target: LakeTable): string {
  const others = Object.keys(target.columns).filter(name => !target.key.includes(name));
  const said = others.map(
    name => `
      SELECT file, detail, ${target.key.map(identifier).join(', ')}, ${literal(name)} AS name,
        CAST(${identifier(name)} AS VARCHAR) AS value
      FROM selected WHERE dropped IS NULL AND NOT coalesce(list_contains(unsaid, ${literal(name)}), false)`,
  );
  if (said.length === 0) return 'SELECT 1';
  const on = ['detail', ...target.key].map(
    name => `s.${identifier(name)} IS NOT DISTINCT FROM c.${identifier(name)}`,
  );
  return `
    UPDATE change SET file = given.file FROM (
      SELECT c.rowid AS id, min(s.file) AS file
      FROM change c JOIN (${said.join(' UNION ALL ')}) s
        ON ${on.join(' AND ')} AND s.name = c."column" AND s.value IS NOT DISTINCT FROM c.after
      WHERE c.kind = 'changed' GROUP BY c.rowid) given
    WHERE change.rowid = given.id`;
}

function fileName(sources: readonly SourceTable[]): string {
  const cases = sources.map(({ file }, index) => `WHEN ${index} THEN ${literal(file)}`);
  return cases.length === 0 ? 'NULL' : `CASE file ${cases.join(' ')} END`;
}

async function groupChanges(
  session: Session,
  target: LakeTable,
  sources: readonly SourceTable[],
): Promise<Pick<FigureChanges, 'changes' | 'problems'>> {
  const key = keyText(target);
  // Of what is erased, `what` is the column.
  const groups = await session.rows<Change | (Finding & { readonly kind: 'erased' })>(`
    SELECT kind, what, count("column") AS count, list(DISTINCT example ORDER BY example)[1:5] AS examples
    FROM (
      SELECT kind, "column", CASE kind
          WHEN 'changed' THEN concat("column", ': ', coalesce(${fileName(sources)}, 'the import'), ' gives other figures')
          WHEN 'withheld' THEN concat("column", ': withheld or blank in ', coalesce(${fileName(sources)}, 'the files'))
          WHEN 'removed' THEN concat(slice, ' has ', CASE WHEN rows = 1 THEN 'a row' ELSE concat(rows, ' rows') END,
            ' fewer that no file has any more')
          ELSE "column" END AS what,
        concat(${key}, CASE kind WHEN 'changed' THEN concat(': ', before, ' is now ', after)
          WHEN 'removed' THEN '' ELSE concat(': ', before) END) AS example
      FROM change LEFT JOIN (
        SELECT slice, count(DISTINCT ${key}) AS rows FROM change WHERE kind = 'removed' GROUP BY slice) USING (slice))
    GROUP BY kind, what ORDER BY kind, what`);
  return {
    changes: groups.flatMap(group => (group.kind === 'erased' ? [] : [group])),
    problems: groups
      .filter(({ kind }) => kind === 'erased')
      .map(
        ({ what, count, examples }) =>
          `${count} published ${count === 1 ? 'figure' : 'figures'} of ${what} would become NULL, although no ` +
          `file withholds ${count === 1 ? 'it' : 'them'} (${examples.join('; ')}${count > 5 ? '; …' : ''}): ` +
          'import a file that has the column and its figures, or move the slice out of the lake first',
      ),
  };
}
