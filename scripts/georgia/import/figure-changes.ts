import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Target } from './importer.ts';
import { columnList, type LakeSlice, lakeRows } from './lake-slices.ts';
import type { Change } from './report.ts';
import { keyText } from './row-checks.ts';
import type { SourceTable } from './source-table.ts';

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
  database: Database,
  lake: string,
  target: Target,
  slices: readonly LakeSlice[],
  sources: readonly SourceTable[],
): Promise<FigureChanges> {
  const keys = target.key.map(name => `${identifier(name)} ${target.columns[name]}`);
  await database.run(`
    CREATE OR REPLACE TABLE change (kind VARCHAR, slice VARCHAR, detail VARCHAR, ${keys.join(', ')},
      "column" VARCHAR, before VARCHAR, after VARCHAR, file INTEGER)`);
  const notes: string[] = [];
  for (const slice of slices) {
    if (!existsSync(join(lake, slice.path))) continue;
    try {
      await database.run(compareSlice(lake, target, slice));
    } catch {
      // A merging import has read the slice before.
      notes.push(`${slice.path} replaces a file whose rows cannot be read`);
    }
  }
  await database.run(nameGivers(target));
  await database.run(`UPDATE change SET kind = CASE
      WHEN kind = 'removed' OR after IS NOT NULL THEN kind
      WHEN file IS NULL AND ${target.kind === 'dataset'} THEN 'erased' ELSE 'withheld' END`);
  return { ...(await groupChanges(database, target, sources)), notes };
}

/**
 * Writes a CSV file with a line for every change, then for every dropped row, then for every odd row that is
 * kept (a row with a figure left out is odd), with file, line and reason.
 */
export async function writeChanges(
  database: Database,
  target: Target,
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
  await database.run(`
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
function compareSlice(lake: string, target: Target, slice: LakeSlice): string {
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
    FROM (SELECT ${columnList(target)} FROM ${lakeRows(join(lake, slice.path), target)}) o
    LEFT JOIN (SELECT *, true AS here FROM merged WHERE ${slice.where}) n ON ${on.join(' AND ')},
      (VALUES ${[...figures, '(NULL, NULL, NULL)'].join(', ')}) AS c(name, before, after)
    WHERE CASE
      WHEN c.name IS NULL THEN n.here IS NULL AND ${empty}
      WHEN n.here IS NULL THEN c.before IS NOT NULL
      ELSE c.before IS NOT NULL AND c.before IS DISTINCT FROM c.after END`;
}

/** Names the first file that gives the new figure of each change. */
function nameGivers(target: Target): string {
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

interface Group {
  readonly kind: Change['kind'] | 'erased';
  /** Of `erased`: the column. */
  readonly what: string;
  readonly count: number;
  readonly examples: string;
}

async function groupChanges(
  database: Database,
  target: Target,
  sources: readonly SourceTable[],
): Promise<Pick<FigureChanges, 'changes' | 'problems'>> {
  const key = keyText(target);
  const groups = await database.rows<Group>(`
    SELECT kind, what, CAST(count("column") AS INTEGER) AS count,
      to_json(list(DISTINCT example ORDER BY example)[1:5])::VARCHAR AS examples
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
  const changes: Change[] = [];
  const problems: string[] = [];
  for (const { kind, what, count, examples: json } of groups) {
    const examples = JSON.parse(json) as string[];
    if (kind !== 'erased') changes.push({ kind, what, count, examples });
    else
      problems.push(
        `${count} published ${count === 1 ? 'figure' : 'figures'} of ${what} would become NULL, although no ` +
          `file withholds ${count === 1 ? 'it' : 'them'} (${examples.join('; ')}${count > 5 ? '; …' : ''}): ` +
          'import a file that has the column and its figures, or move the slice out of the lake first',
      );
  }
  return { changes, problems };
}
