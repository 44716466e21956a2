import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../../build/contract/diagnostic.ts';
import { literal } from '../../../build/lake/sql.ts';
import { type Database, openDatabase } from './database.ts';
import { findUnnamedKeys } from './dimension-coverage.ts';
import { findFigureChanges, writeChanges } from './figure-changes.ts';
import { findAbsentColumns, findEmptyFiles, findRemarks, reportFile } from './file-findings.ts';
import type { Importer } from './importer.ts';
import { findBlockedSlices, listSlices, loadSlices, writeSlices } from './lake-slices.ts';
import type { FileReport, Finding, ImportReport, SliceReport } from './report.ts';
import { findDoubtfulScale, findOddRows, findUnreadableCells, noteLines } from './row-checks.ts';
import {
  createMergedTable,
  createRowTables,
  dropRepeatedRows,
  findConflicts,
  mergeRows,
} from './row-merge.ts';
import { rowPlace } from './row-place.ts';
import { loadSource, type SourceTable } from './source-table.ts';

export interface ImportOptions {
  readonly lake: string;
  /** Year of rows without one, if the file's name has none either. */
  readonly year?: number | undefined;
  /** Further texts that mark a withheld figure. */
  readonly markers?: readonly string[];
  /** CSV file to write, with every published figure that the import changes or removes. */
  readonly report?: string | undefined;
}

export type ImportResult =
  | { readonly ok: true; readonly report: ImportReport }
  | { readonly ok: false; readonly problems: readonly Diagnostic[] };

/** Reads the files and writes their slices. If anything is wrong, the lake stays unchanged. */
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
  const { report } = options;
  if (report !== undefined && files.some(file => resolve(file) === resolve(report))) {
    const message = 'is one of the files to read: name another file with --report';
    return { ok: false, problems: [problem('report-write', report, message)] };
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
  const refuse = (problems: readonly Diagnostic[]): ImportResult => ({ ok: false, problems });

  await createRowTables(database, target);
  const problems: Diagnostic[] = [];
  const sources: SourceTable[] = [];
  for (const file of files) {
    const source = await readFile(database, importer, file, sources.length, options.year, scratch);
    if ('problems' in source) problems.push(...source.problems);
    else sources.push(source);
  }
  if (importer.rows !== undefined) {
    await database.run(`INSERT INTO selected BY NAME SELECT *, 0 AS file FROM (${importer.rows})`);
  }
  if (problems.length > 0) return refuse(problems);
  if (importer.repeated === 'refuse') {
    const conflicts = await findConflicts(database, importer, sources, rowPlace(sources, files));
    if (conflicts.length > 0)
      return refuse(conflicts.map(text => problem('source-conflict', files.join(', '), text)));
  }
  await dropRepeatedRows(database, importer);

  const slices = await listSlices(database, target, 'selected');
  const blocked = await findBlockedSlices(lake, slices);
  if (blocked.length > 0) return refuse(blocked.map(text => problem('lake-slice', lake, text)));
  await createMergedTable(database, target);
  if (importer.merges) {
    const unmergeable = await loadSlices(database, lake, target, slices, 'merged');
    if (unmergeable.length > 0) return refuse(unmergeable.map(text => problem('lake-slice', lake, text)));
  }
  const rates: Finding[] = [];
  for (const [index, source] of sources.entries())
    rates.push(...(await mergeRows(database, importer, source, index, rowPlace(sources, files, 'f'))));
  if (importer.rows !== undefined) await mergeRows(database, importer, undefined, 0, "''");

  const reports: FileReport[] = [];
  for (const [index, source] of sources.entries()) reports.push(await reportFile(database, source, index));
  const unnamed = await findUnnamedKeys(database, lake, target, 'merged');
  if (unnamed.problems.length > 0)
    return refuse(unnamed.problems.map(text => problem('lake-dimension', lake, text)));
  const odd = [
    ...findAbsentColumns(sources),
    ...(await findRemarks(database, target, rowPlace(sources, files))),
    ...rates,
    ...(await findOddRows(database, target, 'merged')),
    ...unnamed.odd,
  ];
  const figures = await findFigureChanges(database, lake, target, slices, sources);
  if (options.report !== undefined) {
    try {
      await writeChanges(database, target, sources, options.report);
    } catch (error) {
      return refuse([problem('report-write', options.report, `cannot be written: ${firstLine(error)}`)]);
    }
  }
  if (figures.problems.length > 0)
    return refuse(figures.problems.map(text => problem('figure-erased', lake, text)));
  let written: SliceReport[];
  try {
    written = await writeSlices(database, lake, target, slices, 'merged');
  } catch (error) {
    return refuse([problem('lake-write', lake, `cannot be written: ${firstLine(error)}`)]);
  }
  const notes = [...(await findEmptyFiles(database, sources)), ...figures.notes, ...unnamed.notes];
  if (written.length === 0) notes.unshift('no row was left to write: the lake is unchanged');
  const { changes } = figures;
  return {
    ok: true,
    report: { importer: importer.name, lake, files: reports, written, changes, odd, notes },
  };
}

/** Reads one file into the table `source_<index>` and its rows into `selected`. */
async function readFile(
  database: Database,
  importer: Importer,
  file: string,
  index: number,
  year: number | undefined,
  scratch: string,
): Promise<SourceTable | { readonly problems: readonly Diagnostic[] }> {
  const source = await loadSource(database, file, importer.shapes, year, scratch);
  if ('problem' in source) return { problems: [problem('source-unreadable', file, source.problem)] };
  const values = [
    ...(await findUnreadableCells(database, source)),
    ...(await findDoubtfulScale(database, source)),
  ];
  if (values.length > 0) return { problems: values.map(text => problem('source-value', file, text)) };
  await database.run(`
    INSERT INTO selected BY NAME
    SELECT *, ${index} AS file, ${literal(source.shape.name)} AS shape
    FROM (${source.shape.select(source.present, { name: source.file, year: source.year })})`);
  const isDataset = importer.target.kind === 'dataset';
  if (isDataset)
    await database.run(`
    UPDATE selected SET dropped = 'a note: it has no place, year or figure'
    WHERE file = ${index} AND line IN (${noteLines(source)})`);
  const years = isDataset ? await findMissingYears(database, source, index) : [];
  await database.run(`ALTER TABLE source RENAME TO source_${index}`);
  return years.length > 0 ? { problems: years.map(text => problem('source-year', file, text)) } : source;
}

async function findMissingYears(database: Database, source: SourceTable, file: number): Promise<string[]> {
  const header = source.headers.get('year');
  const cell = header === undefined ? 'NULL' : 's.year';
  const rows = await database.rows<{ line: number | null; cell: string | null }>(`
    SELECT min(line) AS line, CAST(arg_min(${cell}, line) AS VARCHAR) AS cell FROM source s
    WHERE line IN (SELECT line FROM selected WHERE file = ${file} AND year IS NULL AND dropped IS NULL)`);
  const { line, cell: text } = rows[0]!;
  if (line === null) return [];
  return header === undefined || text === null
    ? [`has no year on ${source.unit} ${line}, nor in the file's name: add --year`]
    : [
        `the column ${header} holds "${text}" on ${source.unit} ${line}: not a school year such as 2023-24 or 2024`,
      ];
}

function firstLine(error: unknown): string {
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
}

function problem(code: string, file: string, message: string): Diagnostic {
  return { severity: 'error', code, file, message };
}
