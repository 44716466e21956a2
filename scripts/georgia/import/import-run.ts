/** One import: reads files, checks their rows and writes the slices. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../../build/contract/diagnostic.ts';
import { literal } from '../../../build/lake/sql.ts';
import { type Database, openDatabase } from './database.ts';
import { findFigureChanges, writeChanges } from './figure-changes.ts';
import type { Importer } from './importer.ts';
import { addPlaces, readLakeLists } from './lake-places.ts';
import { findBlockedSlices, listSlices, loadSlices, writeSlices } from './lake-slices.ts';
import type { FileReport, ImportReport, SliceReport } from './report.ts';
import {
  findAbsentColumns,
  findDoubtfulScale,
  findEmptySources,
  findOtherRows,
  findRemarks,
  findUnreadableCells,
  noteLines,
  reportFile,
  rowPlace,
} from './row-checks.ts';
import { createRowTables, dropRepeatedRows, findConflicts, mergeRows } from './row-merge.ts';
import type { Renamed } from './source-headers.ts';
import { loadTable, readSource, type SourceTable } from './source-table.ts';

export interface ImportOptions {
  readonly lake: string;
  /** Year of rows without one, if the file's name has none either. */
  readonly year?: number | undefined;
  /** New names of columns, by their plain old ones. */
  readonly renamed?: Renamed | undefined;
  /** Further texts that mark a withheld figure. */
  readonly markers?: readonly string[];
  /** True if a dimension's list is replaced, not added to. */
  readonly replace?: boolean | undefined;
  /** True if places that the lake's dimensions lack are added to them, under the names in the files. */
  readonly addPlaces?: boolean | undefined;
  /** CSV file to write, with every published figure that the import changes or removes. */
  readonly report?: string | undefined;
}

export type ImportResult =
  | { readonly ok: true; readonly report: ImportReport }
  | { readonly ok: false; readonly problems: readonly Diagnostic[] };

/**
 * A file that can't be read is left out and named, and the others are imported. Anything else that is wrong
 * leaves the lake unchanged.
 */
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
  const unreadable = await readLakeLists(database, lake, target);
  if (unreadable.length > 0) return refuse(unreadable.map(text => problem('lake-dimension', lake, text)));
  const leftOut: Diagnostic[] = [];
  const sources: SourceTable[] = [];
  // The file of each source: a workbook gives several.
  const paths: string[] = [];
  const unfit: string[] = [];
  for (const file of files) {
    const read = await readFile(database, importer, file, sources.length, options, scratch);
    if ('problems' in read) leftOut.push(...read.problems);
    else {
      sources.push(...read.sources);
      paths.push(...read.sources.map(() => file));
      unfit.push(...read.unfit);
    }
  }
  if (importer.rows !== undefined) {
    await database.run(`INSERT INTO selected BY NAME SELECT *, 0 AS file FROM (${importer.rows})`);
  }
  if (leftOut.length > 0 && sources.length === 0) return refuse(leftOut);
  if (importer.counted !== undefined) {
    const overlaps = await countAllRecords(database, importer, sources);
    if (overlaps.length > 0)
      return refuse(overlaps.map(text => problem('source-conflict', files.join(', '), text)));
  }
  if (importer.repeated === 'refuse') {
    const conflicts = await findConflicts(database, importer, sources, rowPlace(sources, paths));
    if (conflicts.length > 0)
      return refuse(conflicts.map(text => problem('source-conflict', files.join(', '), text)));
  }
  await dropRepeatedRows(database, importer);

  const slices = await listSlices(database, target);
  const blocked = await findBlockedSlices(lake, slices);
  if (blocked.length > 0) return refuse(blocked.map(text => problem('lake-slice', lake, text)));
  // Rows that may come only from a file that was left out stay in the lake.
  const kept =
    (importer.merges && !(target.kind === 'dimension' && options.replace === true)) || leftOut.length > 0;
  if (kept) {
    const unmergeable = await loadSlices(database, lake, target, slices);
    if (unmergeable.length > 0) return refuse(unmergeable.map(text => problem('lake-slice', lake, text)));
  }
  for (const [index, source] of sources.entries()) await mergeRows(database, importer, source, index);
  if (importer.rows !== undefined) await mergeRows(database, importer, undefined, 0);

  const reports: FileReport[] = [];
  for (const [index, source] of sources.entries()) reports.push(await reportFile(database, source, index));
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
    written = await writeSlices(database, lake, target, slices);
  } catch (error) {
    return refuse([problem('lake-write', lake, `cannot be written: ${firstLine(error)}`)]);
  }
  // After the slices are written, so that a refused import doesn't change the lists.
  const added = options.addPlaces ? await addPlaces(database, lake, target, sources) : [];
  const odd = [
    ...findAbsentColumns(sources),
    ...(await findRemarks(database, target, rowPlace(sources, paths))),
  ];
  const notes = [...added, ...unfit, ...figures.notes];
  // Records of several files count together, so the empty files among them are unknown.
  if (written.length === 0 || importer.counted === undefined) {
    const empty = await findEmptySources(database, sources);
    const isEmpty = (file: string) =>
      paths.includes(file) && paths.every((one, at) => one !== file || empty.has(at));
    const without = written.length === 0 || target.kind === 'dataset' ? files.filter(isEmpty) : [];
    leftOut.push(...without.map(file => problem('source-empty', file, 'has no row to write')));
    const others = [...empty].filter(index => !without.includes(paths[index]!));
    notes.push(...others.map(index => `no row of ${sources[index]!.file} was left to write`));
  }
  const { changes } = figures;
  return {
    ok: true,
    report: { importer: importer.name, lake, files: reports, leftOut, written, changes, odd, notes },
  };
}

interface FileRead {
  readonly sources: readonly SourceTable[];
  /** Notes on tables that are not read. */
  readonly unfit: readonly string[];
}

/** Reads the tables of one file into tables `source_<index>`, and their rows into `selected`. */
async function readFile(
  database: Database,
  importer: Importer,
  file: string,
  first: number,
  options: ImportOptions,
  scratch: string,
): Promise<FileRead | { readonly problems: readonly Diagnostic[] }> {
  const read = await readSource(file, importer, options);
  if ('problem' in read) return { problems: [problem('source-unreadable', file, read.problem)] };
  const sources: SourceTable[] = [];
  for (const table of read.tables) {
    const { source } = table;
    const index = first + sources.length;
    await loadTable(database, table, scratch);
    const problems = await selectRows(database, importer, source, index);
    if (problems.length > 0) {
      const tables = [...sources.keys()].map(at => `DROP TABLE source_${first + at};`);
      await database.run(`DELETE FROM selected WHERE file >= ${first}; ${tables.join(' ')}`);
      if (sources.some(({ shape }) => shape.records))
        await database.run(`DELETE FROM record WHERE file >= ${first}`);
      return { problems: problems.map(({ code, text }) => problem(code, file, text)) };
    }
    await database.run(`ALTER TABLE source RENAME TO source_${index}`);
    sources.push(source);
  }
  return { sources, unfit: read.unfit };
}

/** Adds the rows of `source` to `selected`, or returns why the table can't be read. */
async function selectRows(
  database: Database,
  importer: Importer,
  source: SourceTable,
  index: number,
): Promise<readonly { readonly code: string; readonly text: string }[]> {
  const isDataset = importer.target.kind === 'dataset';
  const rows = source.shape.select(source.present, { name: source.name, year: source.year });
  if (source.shape.records) {
    await keepRecords(database, rows, index, source.shape.name);
    return [];
  }
  await database.run(`
    INSERT INTO selected BY NAME
    SELECT *, ${index} AS file, ${literal(source.shape.name)} AS shape FROM (${rows})`);
  if (isDataset)
    await database.run(`
    UPDATE selected SET dropped = 'a note: it has no place, year or figure'
    WHERE file = ${index} AND line IN (${noteLines(source)})`);
  const others = await findOtherRows(database, source, index);
  if (others.length > 0) return others.map(text => ({ code: 'source-subject', text }));
  const values = [
    ...(await findUnreadableCells(database, source, index)),
    ...(await findDoubtfulScale(database, source)),
  ];
  if (values.length > 0) return values.map(text => ({ code: 'source-value', text }));
  const years = isDataset ? await findMissingYears(database, source, index) : [];
  return years.map(text => ({ code: 'source-year', text }));
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

/** Days that two files of one release may share: a night between two fiscal years. */
const SHARED_DAYS = 3;

/** Adds records to the table `record`, and dropped ones to `selected`. */
async function keepRecords(database: Database, rows: string, file: number, shape: string): Promise<void> {
  const read = `SELECT *, ${file} AS file FROM (${rows})`;
  await database.run(`
    CREATE TEMP TABLE read_record AS ${read};
    INSERT INTO selected BY NAME
      SELECT file, ${literal(shape)} AS shape, line, dropped FROM read_record WHERE dropped IS NOT NULL;
    CREATE TABLE IF NOT EXISTS record AS FROM read_record LIMIT 0;
    INSERT INTO record BY NAME FROM read_record WHERE dropped IS NULL;
    DROP TABLE read_record`);
}

/**
 * Adds the counts of all records to `selected`. Files with records of the same days are problems: the records
 * would count twice.
 */
async function countAllRecords(
  database: Database,
  importer: Importer,
  sources: readonly SourceTable[],
): Promise<string[]> {
  const shape = sources.find(one => one.shape.records)?.shape;
  if (shape === undefined) return [];
  const overlaps = await database.rows<{ one: number; other: number }>(`
    SELECT a.file AS one, b.file AS other
    FROM (SELECT DISTINCT file, CAST(moment AS DATE) AS day FROM record) a
    JOIN (SELECT DISTINCT file, CAST(moment AS DATE) AS day FROM record) b ON a.day = b.day AND a.file < b.file
    GROUP BY ALL HAVING count(*) > ${SHARED_DAYS} ORDER BY ALL`);
  if (overlaps.length > 0)
    return overlaps.map(
      ({ one, other }) =>
        `${sources[one]!.file} and ${sources[other]!.file} have records of the same days, which would count twice: ` +
        'import the files of one release',
    );
  await database.run(`
    INSERT INTO selected BY NAME
    SELECT *, (SELECT min(file) FROM record) AS file, ${literal(shape.name)} AS shape
    FROM (${importer.counted}) WHERE EXISTS (FROM record)`);
  return [];
}
