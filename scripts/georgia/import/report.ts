/** What an import says of its files: what is odd or wrong about their rows, and what it did to the lake. */
import type { Diagnostic } from '../../../build/contract/diagnostic.ts';
import type { Session } from '../../../build/lake/database.ts';
import { identifier, literal, literals } from '../../../build/lake/sql.ts';
import type { LakeTable } from '../lake-table.ts';
import type { SourceColumn } from './importer.ts';
import type { SourceRecord } from './source-parts.ts';
import type { SourceTable } from './source-table.ts';

export interface ImportReport {
  readonly importer: string;
  readonly lake: string;
  readonly files: readonly FileReport[];
  /** Problems with files that were left out. */
  readonly leftOut: readonly Diagnostic[];
  readonly written: readonly SliceReport[];
  readonly changes: readonly Change[];
  readonly odd: readonly Finding[];
  readonly notes: readonly string[];
}

export interface FileReport {
  readonly file: string;
  readonly shape: string;
  readonly rowsRead: number;
  /** Headers that the importer doesn't use. */
  readonly unusedColumns: readonly string[];
  readonly dropped: readonly Finding[];
}

export interface SliceReport {
  /** Path below the lake's root. */
  readonly path: string;
  readonly rows: number;
  /** Rows that only earlier imports gave. */
  readonly kept: number;
}

/** Published figures that changed for one reason. */
export interface Change extends Finding {
  /**
   * `withheld`: a file now withholds the figure. `removed`: the whole row is gone; it may have had no figure.
   */
  readonly kind: 'changed' | 'withheld' | 'removed';
}

export interface Finding {
  readonly what: string;
  readonly count: number;
  /** At most five. */
  readonly examples: readonly string[];
}

export function renderReport(report: ImportReport): string {
  const lines = [`${report.importer} -> ${report.lake}`];
  for (const file of report.files) {
    lines.push(`read     ${file.rowsRead} rows of ${file.file} (${file.shape})`);
    for (const finding of file.dropped) lines.push(...renderFinding('dropped', finding));
    if (file.unusedColumns.length > 0) lines.push(renderUnused(file.unusedColumns));
  }
  for (const file of new Set(report.leftOut.map(one => one.file)))
    lines.push(`left out ${file}: the lake keeps what it had of it`);
  for (const slice of report.written) {
    const kept = slice.kept > 0 ? `, ${slice.kept} of them from earlier imports` : '';
    lines.push(`wrote    ${slice.path} (${slice.rows} rows${kept})`);
  }
  for (const change of report.changes) lines.push(...renderFinding(change.kind, change, 'figure'));
  for (const finding of report.odd) lines.push(...renderFinding('odd', finding));
  for (const note of report.notes) lines.push(`note     ${note}`);
  return lines.join('\n') + '\n';
}

/** Files may have hundreds of columns, or labels as long as a line. */
const LONGEST_LIST = 90;

function renderUnused(columns: readonly string[]): string {
  const all = columns.join(', ');
  const shown = all.length > LONGEST_LIST ? `${all.slice(0, 60)}… (${columns.length} in all: --json)` : all;
  return `unused   columns ${shown}`;
}

function renderFinding(label: string, finding: Finding, unit = 'row'): string[] {
  const units = finding.count === 1 ? unit : `${unit}s`;
  return [
    `${label.padEnd(8)} ${finding.count} ${units}: ${finding.what}`,
    ...finding.examples.map(example => `           ${example}`),
  ];
}

/** Why a row is dropped whose key and figures an earlier one has. */
export const REPEATED = 'it repeats an earlier row';

/**
 * Counts the rows of a query with columns `what`, `example` and `position` by `what`, with up to five examples each: the
 * first by position, so that a report is always the same.
 */
export function groupFindings(session: Session, query: string): Promise<Finding[]> {
  return session.rows(`
    SELECT what, count(*) AS count, list(example ORDER BY position, example)[1:5] AS examples
    FROM (${query}) WHERE what IS NOT NULL GROUP BY what ORDER BY count DESC, what`);
}

const PLACE_AND_YEAR = new Set('year level state district school county tract geoid'.split(' '));

/** SQL for the lines of notes, which spreadsheets pad to rows: they have no place, year or figure. */
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

/** SQL for the filled cells of columns of `source`: `line`, the column's `name` and `cell`. */
function cellsOf(columns: readonly SourceColumn[]): string {
  const names = columns.map(({ name }) => identifier(name)).join(', ');
  return `UNPIVOT (SELECT line, ${names} FROM source) ON ${names} INTO NAME name VALUE cell`;
}

/** SQL: a cell can be read, by what its column holds. */
const READABLE = {
  count: 'is_count(cell)',
  boolean: 'boolean_of(cell) IS NOT NULL',
  number: 'is_figure(cell) AND isfinite(number_of(cell))',
};

/**
 * Cells of number columns that are neither figures nor markers, which must not become NULL as if they were withheld. Only
 * lines that give a row count: legends below a table fill number columns with text.
 */
export async function findUnreadableCells(
  session: Session,
  source: SourceTable,
  file: number,
): Promise<string[]> {
  const columns = source.shape.columns.filter(
    column => column.holds !== 'text' && source.present.has(column.name),
  );
  if (columns.length === 0) return [];
  const readable = Object.entries(READABLE).map(([kind, sql]) => {
    const names = columns.filter(({ holds }) => (holds === 'percent' ? 'number' : holds) === kind);
    return names.length === 0 ? '' : `WHEN name IN (${literals(names.map(({ name }) => name))}) THEN ${sql}`;
  });
  const rows = await session.rows<{ name: string; count: number; line: number; cell: string }>(`
    SELECT name, count(*) AS count, min(line) AS line, arg_min(cell, line) AS cell
    FROM (${cellsOf(columns)})
    WHERE line IN (SELECT line FROM selected WHERE file = ${file} AND dropped IS NULL)
      AND NOT is_marker(cell) AND NOT CASE ${readable.join(' ')} END
    GROUP BY name ORDER BY line, name`);
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
 * A file is about something else if most rows have codes that the dataset doesn't know (except student groups, of which the
 * offices report more and more), or most figures are off the scale of the dataset's test.
 */
export async function findOtherRows(
  session: Session,
  { shape, unit }: SourceTable,
  file: number,
): Promise<string[]> {
  const rows = `SELECT * FROM selected WHERE file = ${file} AND line > 0`;
  const unknown = `dropped LIKE 'the % is not one of the dataset''s' AND dropped NOT LIKE 'the student group %'`;
  const { column, remark } = shape.scaled ?? {};
  const [found] = await session.rows<{
    all: number;
    unknown: number;
    code: string;
    line: number;
    figures: number;
    off: number;
    first: number;
  }>(`
    SELECT count(DISTINCT line) AS "all",
      count(DISTINCT line) FILTER (WHERE ${unknown}) AS unknown,
      arg_min(dropped, line) FILTER (WHERE ${unknown}) AS code, min(line) FILTER (WHERE ${unknown}) AS line,
      ${
        remark === undefined
          ? '0 AS off, 0 AS figures, 0 AS first'
          : `count(*) FILTER (WHERE remark = ${literal(remark)}) AS off,
      count(*) FILTER (WHERE remark = ${literal(remark)} OR ${identifier(column!)} IS NOT NULL) AS figures,
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

/** Percentages that all lie in [0, 1] are proportions already. A file may mix both scales, so each measure is judged by itself. */
export async function findDoubtfulScale(session: Session, source: SourceTable): Promise<string[]> {
  const columns = source.shape.columns.filter(
    ({ name, holds, scale }) => (holds === 'percent' || scale !== undefined) && source.present.has(name),
  );
  if (columns.length === 0) return [];
  const measureOf = (column: SourceColumn) => column.measure ?? column.name;
  const measures = columns.map(column => `${literal(column.name)}: ${literal(measureOf(column))}`);
  const doubtful = await session.rows<{ measure: string }>(`
    SELECT measure FROM (
      SELECT MAP {${measures.join(', ')}}[name] AS measure, number_of(cell) AS n FROM (${cellsOf(columns)}))
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

/** SQL for a figure without the `.0` of a whole DOUBLE. */
export function figureText(column: string): string {
  return `coalesce(regexp_replace(CAST(${column} AS VARCHAR), '\\.0$', ''), 'none')`;
}

/** SQL for a row's key: `2024 / 601 / 0103 / all`, with a hyphen for NULL. */
export function keyText({ key }: LakeTable): string {
  return `concat_ws(' / ', ${key.map(name => `coalesce(CAST(${identifier(name)} AS VARCHAR), '-')`).join(', ')})`;
}

export async function reportFile(session: Session, source: SourceTable, file: number): Promise<FileReport> {
  const cells = source.shape.columns
    .filter(column => source.present.has(column.name))
    .slice(0, 4)
    .map(column => `s.${identifier(column.name)}`);
  const dropped = await groupFindings(
    session,
    `SELECT r.dropped AS what, s.line AS position,
       concat_ws(': ', concat('${source.unit} ', s.line), nullif(concat_ws(', ', ${cells.join(', ')}), '')) AS example
     FROM source_${file} s
     JOIN (SELECT DISTINCT line, dropped FROM selected WHERE file = ${file} AND dropped IS NOT NULL) r USING (line)`,
  );
  const unread = source.unread.map(([what, rows]): Finding => {
    const said = (row: SourceRecord) => `${source.unit} ${row.line}: ${row.cells.join(', ').slice(0, 80)}`;
    return { what, count: rows.length, examples: rows.slice(0, 5).map(said) };
  });
  return {
    file: source.file,
    shape: source.shape.name,
    rowsRead: source.rowsRead,
    unusedColumns: source.unused,
    dropped: [...unread.filter(({ count }) => count > 0), ...dropped],
  };
}

/** Indexes of the sources that give no row. Those that only repeat rows of others don't count. */
export async function findEmptySources(
  session: Session,
  sources: readonly SourceTable[],
): Promise<ReadonlySet<number>> {
  const rows = await session.rows<{ file: number }>(
    `SELECT DISTINCT file FROM selected WHERE line > 0 AND (dropped IS NULL OR dropped = ${literal(REPEATED)})`,
  );
  const filled = new Set(rows.map(({ file }) => file));
  return new Set([...sources.keys()].filter(index => !filled.has(index)));
}

export function findRemarks(
  session: Session,
  target: LakeTable,
  sources: readonly SourceTable[],
): Promise<Finding[]> {
  return groupFindings(
    session,
    `SELECT remark AS what, concat(${rowPlace(sources)}, ': ', ${keyText(target)}) AS example, [file, line] AS position
     FROM selected WHERE dropped IS NULL`,
  );
}

/**
 * SQL for the place of a row of `selected`: `line 3`, or `b.csv line 3` if there are several files. Files of the same
 * name keep their folders.
 */
export function rowPlace(sources: readonly SourceTable[]): string {
  if (sources.length === 0) return "''";
  const unique = new Set(sources.map(({ file }) => file)).size === sources.length;
  const cases = sources.map(({ file, path, unit }, index) => {
    const name = sources.length === 1 ? '' : `${unique ? file : path} `;
    return `WHEN ${index} THEN ${literal(`${name}${unit} `)}`;
  });
  return `concat(CASE selected.file ${cases.join(' ')} END, selected.line)`;
}
