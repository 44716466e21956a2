import { identifier, literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { SourceColumn, Target } from './importer.ts';
import type { Finding } from './report.ts';
import type { SourceTable } from './source-table.ts';

interface Grouped {
  readonly what: string;
  readonly count: number;
  readonly examples: string[];
}

/**
 * Counts the rows of a query with columns `what`, `example` and `position` by `what`, with up to five examples each: the
 * first by position, so that a report is always the same.
 *
 * @param counted SQL for the number of rows
 */
export async function groupFindings(
  database: Database,
  query: string,
  counted = 'count(*)',
): Promise<Finding[]> {
  const rows = await database.rows<Grouped>(`
    SELECT what, CAST(${counted} AS INTEGER) AS count, 
      to_json(list(example ORDER BY position, example)[1:5])::VARCHAR AS examples
    FROM (${query}) WHERE what IS NOT NULL GROUP BY what ORDER BY count DESC, what`);
  return rows.map(row => ({ ...row, examples: JSON.parse(String(row.examples)) as string[] }));
}

/** Columns that say where and when, in all shapes of datasets. */
const PLACE_AND_YEAR: ReadonlySet<string> = new Set([
  'year',
  'level',
  'state',
  'district',
  'school',
  'county',
  'tract',
  'geoid',
]);

/** SQL for lines of `source` without place, year and figures: notes, which spreadsheets pad to rows. */
export function noteLines(source: SourceTable): string {
  const columns = source.shape.columns.filter(
    ({ name, holds }) => source.present.has(name) && (holds !== 'text' || PLACE_AND_YEAR.has(name)),
  );
  return `SELECT line FROM source WHERE ${columns.map(({ name }) => `${identifier(name)} IS NULL`).join(' AND ')}`;
}

const KIND_NAMES = {
  text: 'a text',
  count: 'a whole number',
  number: 'a number',
  percent: 'a number',
  boolean: 'a truth value (true, false)',
};

/**
 * Cells of number columns that are neither figures nor markers, in lines that give a row: NULL would call them withheld.
 * Legends below a table fill number columns with text.
 */
export async function findUnreadableCells(
  database: Database,
  source: SourceTable,
  file: number,
): Promise<string[]> {
  const columns = source.shape.columns.filter(
    column => column.holds !== 'text' && source.present.has(column.name),
  );
  if (columns.length === 0) return [];
  const select = columns.map(column => {
    const cell = identifier(column.name);
    const readable =
      column.holds === 'count'
        ? `is_count(${cell})`
        : column.holds === 'boolean'
          ? `boolean_of(${cell}) IS NOT NULL`
          : `is_figure(${cell}) AND isfinite(number_of(${cell}))`;
    return `SELECT ${literal(column.name)} AS name, line, ${cell} AS cell FROM source
      WHERE NOT is_marker(${cell}) AND NOT (${readable})
        AND line IN (SELECT line FROM selected WHERE file = ${file} AND dropped IS NULL)`;
  });
  const rows = await database.rows<{ name: string; count: number; line: number; cell: string }>(`
    SELECT name, CAST(count(*) AS INTEGER) AS count, min(line) AS line, arg_min(cell, line) AS cell
    FROM (${select.join(' UNION ALL ')}) GROUP BY name ORDER BY line, name`);
  return rows.map(({ name, count, line, cell }) => {
    const kind = KIND_NAMES[columns.find(column => column.name === name)!.holds];
    return (
      `the column ${source.headers.get(name)} holds "${cell}" on ${source.unit} ${line}` +
      `${count > 1 ? ` and ${count - 1} more such cells` : ''}: neither ${kind} nor a known marker; ` +
      'if it marks a withheld figure, add --marker with that text'
    );
  });
}

/**
 * Why a file is about something else, as its rows say: most have codes that the dataset does not know (student groups
 * apart, of which the offices report more and more), or most figures are off the scale of the dataset's test.
 */
export async function findOtherRows(
  database: Database,
  { shape, unit }: SourceTable,
  file: number,
): Promise<string[]> {
  const rows = `SELECT * FROM selected WHERE file = ${file} AND line > 0`;
  const unknown = `dropped LIKE 'the % is not one of the dataset''s' AND dropped NOT LIKE 'the student group %'`;
  const { column, remark } = shape.scaled ?? {};
  const [found] = await database.rows<{
    all: number;
    unknown: number;
    code: string;
    line: number;
    figures: number;
    off: number;
    first: number;
  }>(`
    SELECT CAST(count(DISTINCT line) AS INTEGER) AS "all",
      CAST(count(DISTINCT line) FILTER (WHERE ${unknown}) AS INTEGER) AS unknown,
      arg_min(dropped, line) FILTER (WHERE ${unknown}) AS code, min(line) FILTER (WHERE ${unknown}) AS line,
      ${
        remark === undefined
          ? '0 AS off, 0 AS figures, 0 AS first'
          : `CAST(count(*) FILTER (WHERE remark = ${literal(remark)}) AS INTEGER) AS off,
      CAST(count(*) FILTER (WHERE remark = ${literal(remark)} OR ${identifier(column!)} IS NOT NULL) AS INTEGER) AS figures,
      min(line) FILTER (WHERE remark = ${literal(remark)}) AS first`
      }
    FROM (${rows})`);
  const { all, code, line, figures, off, first } = found!;
  const other = 'is about something else';
  if (2 * found!.unknown > all)
    return [`${other}: ${code} (${unit} ${line}), and so in ${found!.unknown} of ${all} rows`];
  return 2 * off > figures
    ? [`${other}: ${remark} (${unit} ${first}), and so in ${off} of ${figures} rows`]
    : [];
}

/**
 * Percentages of a measure that all lie in [0, 1] are proportions already: dividing them again, or serving them as a
 * score of up to 100, would publish nonsense. Each measure is judged alone, since a file may mix both scales.
 */
export async function findDoubtfulScale(database: Database, source: SourceTable): Promise<string[]> {
  const columns = source.shape.columns.filter(
    ({ name, holds, scale }) => (holds === 'percent' || scale !== undefined) && source.present.has(name),
  );
  if (columns.length === 0) return [];
  const measureOf = (column: SourceColumn) => column.measure ?? column.name;
  const cells = columns.map(
    column =>
      `SELECT ${literal(measureOf(column))} AS measure, number_of(${identifier(column.name)}) AS n FROM source`,
  );
  const doubtful = await database.rows<{ measure: string }>(`
    SELECT measure FROM (${cells.join(' UNION ALL ')})
    GROUP BY measure HAVING max(n) <= 1 AND count(*) FILTER (WHERE n > 0 AND n < 1) > 0`);
  return [...new Set(columns.map(measureOf))]
    .filter(measure => doubtful.some(row => row.measure === measure))
    .map(measure => {
      const of = columns.filter(column => measureOf(column) === measure);
      const headers = of.map(({ name }) => source.headers.get(name));
      const names = `${headers.slice(0, 3).join(', ')}${headers.length > 3 ? ', …' : ''}`;
      const kind = of[0]!.holds === 'percent' ? 'percentage' : 'figure';
      const remedy = `multiply the ${of.length === 1 ? 'column' : 'columns'} by 100`;
      return `no ${kind} in ${names} exceeds 1: these are proportions already; ${remedy}`;
    });
}

/** Oddities of rows that are written: figures out of range, and places that no dimension has. */
export async function findOddRows(database: Database, target: Target, table: string): Promise<Finding[]> {
  const columns = Object.keys(target.columns);
  const proportions = columns.filter(name => /^pct_|_rate$/.test(name));
  const counts = columns.filter(name => name.startsWith('num_'));
  const checks = [
    ...proportions.map(name => ({ what: `${name} is outside 0 to 1`, where: `${name} NOT BETWEEN 0 AND 1` })),
    ...counts.map(name => ({ what: `${name} is below 0`, where: `${name} < 0` })),
  ];
  if (checks.length === 0) return [];
  return groupFindings(
    database,
    checks
      .map(
        ({ what, where }) =>
          `SELECT ${literal(what)} AS what, ${keyText(target)} AS example, 0 AS position FROM ${table} WHERE ${where}`,
      )
      .join(' UNION ALL '),
  );
}

/** SQL for a figure as people write it. */
export function figureText(column: string): string {
  return `coalesce(regexp_replace(CAST(${column} AS VARCHAR), '\\.0$', ''), 'none')`;
}

/** SQL for a row's key as people write it: `2024 / 601 / 0103 / all`, with a hyphen for NULL. */
export function keyText(target: Target, table?: string): string {
  const of = table === undefined ? '' : `${table}.`;
  const parts = target.key.map(name => `coalesce(CAST(${of}${identifier(name)} AS VARCHAR), '-')`);
  return `concat_ws(' / ', ${parts.join(', ')})`;
}
