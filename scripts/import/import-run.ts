import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../build/contract/diagnostic.ts';
import { openDatabase, type Database } from './database.ts';
import { findUnnamedKeys } from './dimension-coverage.ts';
import type { Importer } from './importer.ts';
import { listSlices, loadSlices, writeSlices } from './lake-slices.ts';
import type { FileReport, Finding, ImportReport } from './report.ts';
import { findDoubtfulScale, findOddRows, findUnreadableCells, groupFindings } from './row-checks.ts';
import { createMergedTable, createRowTables, findConflicts, mergeRows } from './row-merge.ts';
import { loadSource, type SourceTable } from './source-table.ts';
import { literal } from './sql-literal.ts';

export interface ImportOptions {
  readonly lake: string;
  /** Year of rows that name none, where the file's name does not say it either. */
  readonly year?: number | undefined;
  /** Further texts that stand for a withheld figure. */
  readonly markers?: readonly string[];
}

export type ImportResult =
  | { readonly ok: true; readonly report: ImportReport }
  | { readonly ok: false; readonly problems: readonly Diagnostic[] };

/** Reads the files, and writes the slices they fill unless anything is wrong: then the lake stays as it was. */
export async function runImport(
  importer: Importer,
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportResult> {
  const lake = resolve(options.lake);
  if (existsSync(join(lake, '_sample.json'))) {
    const message =
      'is a sample lake: published figures are never mixed with made-up ones; name another folder with --out';
    return { ok: false, problems: [problem('lake-is-sample', options.lake, message)] };
  }
  const database = await openDatabase(options.markers);
  const scratch = await mkdtemp(join(tmpdir(), 'civic-import-'));
  try {
    return await importFiles(database, importer, files, { ...options, lake }, scratch);
  } finally {
    database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function importFiles(
  database: Database,
  importer: Importer,
  files: readonly string[],
  options: ImportOptions,
  scratch: string,
): Promise<ImportResult> {
  const { target } = importer;
  const { lake } = options;
  const problems: Diagnostic[] = [];
  const reports: FileReport[] = [];
  const odd: Finding[] = [];
  const sources: SourceTable[] = [];
  await createRowTables(database, target);
  for (const [index, file] of files.entries()) {
    const source = await loadSource(database, file, importer.shapes, options.year, scratch);
    if ('problem' in source) {
      problems.push(problem('source-unreadable', file, source.problem));
      continue;
    }
    const unreadable = [
      ...(await findUnreadableCells(database, source)),
      ...(await findDoubtfulScale(database, source)),
    ];
    problems.push(...unreadable.map(message => problem('source-value', file, message)));
    if (unreadable.length > 0) continue;
    await selectRows(database, importer, source, index);
    problems.push(
      ...(await findMissingYears(database, importer, source)).map(message =>
        problem('source-year', file, message),
      ),
    );
    sources.push(source);
    reports.push(await reportFile(database, source, index));
    odd.push(...(await groupFindings(database, remarks(importer, index))));
  }
  if (problems.length > 0) return { ok: false, problems };

  const conflicts = importer.repeated === 'refuse' ? await findConflicts(database, importer) : [];
  if (conflicts.length > 0) {
    return {
      ok: false,
      problems: conflicts.map(message => problem('source-conflict', files.join(', '), message)),
    };
  }
  const slices = await listSlices(database, target, 'selected');
  await createMergedTable(database, target);
  if (importer.merges) {
    const unmergeable = await loadSlices(database, lake, target, slices, 'merged');
    if (unmergeable.length > 0) {
      return { ok: false, problems: unmergeable.map(message => problem('lake-slice', lake, message)) };
    }
  }
  for (const [index, source] of sources.entries()) await mergeRows(database, importer, source, index);

  const percents = Object.entries(target.columns)
    .filter(([name, type]) => type === 'DOUBLE' && /(^pct_|rate$)/.test(name))
    .map(([name]) => name);
  odd.push(...(await findOddRows(database, target, percents, 'merged')));
  const unnamed = await findUnnamedKeys(database, lake, target, 'merged');
  const written = await writeSlices(database, lake, target, slices, 'merged');
  const report: ImportReport = {
    importer: importer.name,
    lake,
    files: reports,
    written,
    odd: [...odd, ...unnamed.odd],
    notes: [...(written.length === 0 ? ['no row was left to write'] : []), ...unnamed.notes],
  };
  return { ok: true, report };
}

/** Adds the rows of `source`, read by the shape's SQL, to `selected`, with the file's index. */
async function selectRows(
  database: Database,
  importer: Importer,
  source: SourceTable,
  file: number,
): Promise<void> {
  await database.run(`
    INSERT INTO selected BY NAME
    SELECT *, ${file} AS file FROM (${source.shape.select(source.present)})`);
  // A column that the SQL does not give stays NULL; a dimension has no level.
  if (importer.target.kind === 'dimension') await database.run("UPDATE selected SET detail = ''");
}

async function findMissingYears(
  database: Database,
  importer: Importer,
  source: SourceTable,
): Promise<string[]> {
  if (importer.target.kind === 'dimension') return [];
  const header = source.headers.get('year');
  const cell = header === undefined ? 'NULL' : 'source.year';
  const rows = await database.rows<{ line: number; cell: string | null; count: number }>(`
    SELECT min(line) AS line, CAST(arg_min(${cell}, line) AS VARCHAR) AS cell, CAST(count(*) AS INTEGER) AS count
    FROM source SEMI JOIN (SELECT line FROM selected WHERE year IS NULL AND dropped IS NULL) s USING (line)
    HAVING count(*) > 0`);
  return rows.map(({ line, cell: text }) =>
    header === undefined || text === null
      ? `names no year on line ${line}, nor does the file's name: add --year`
      : `the column ${header} holds "${text}" on line ${line}: not a school year such as 2023-24 or 2024`,
  );
}

async function reportFile(database: Database, source: SourceTable, file: number): Promise<FileReport> {
  const cells = source.shape.columns
    .filter(column => source.present.has(column.name))
    .slice(0, 4)
    .map(column => `coalesce(s.${column.name}, '')`);
  const dropped = await groupFindings(
    database,
    `SELECT ANY_VALUE(r.dropped) AS what, concat('line ', s.line, ': ', concat_ws(', ', ${cells.join(', ')})) AS example
     FROM source s JOIN (SELECT DISTINCT line, dropped FROM selected WHERE file = ${file} AND dropped IS NOT NULL) r
     USING (line) GROUP BY ALL ORDER BY s.line`,
  );
  return {
    file: source.file,
    shape: source.shape.name,
    rowsRead: source.rowsRead,
    unusedColumns: source.unused,
    dropped: [...source.malformed, ...dropped],
  };
}

function remarks(importer: Importer, file: number): string {
  const key = importer.target.key.map(name => `coalesce(CAST(${name} AS VARCHAR), '-')`).join(', ');
  return `SELECT remark AS what, concat('line ', line, ': ', concat_ws(' / ', ${key})) AS example
    FROM selected WHERE file = ${file} AND dropped IS NULL ORDER BY line`;
}

function problem(code: string, file: string, message: string): Diagnostic {
  return { severity: 'error', code, file, message };
}

/** For a table of texts in SQL. */
export function valuesList(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `(${row.map(literal).join(', ')})`).join(', ');
}
