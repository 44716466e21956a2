/** One import: reads files, checks their rows and writes the slices. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../../build/contract/diagnostic.ts';
import { RefusedError, refused } from '../../../build/failure.ts';
import { databaseMessage, type Session } from '../../../build/lake/database.ts';
import { literal } from '../../../build/lake/sql.ts';
import { listSlices } from '../lake-table.ts';
import type { Importer } from './importer.ts';
import { addPlaces, findBlockedSlices, loadSlices, readLakeLists, writeSlices } from './lake.ts';
import { withMacros } from './macros.ts';
import {
  createRowTables,
  dropRepeatedRows,
  findConflicts,
  findFigureChanges,
  mergeRows,
  writeChanges,
} from './merge.ts';
import {
  type FileReport,
  findDoubtfulScale,
  findEmptySources,
  findOtherRows,
  findRemarks,
  findUnreadableCells,
  type ImportReport,
  noteLines,
  reportFile,
  type SliceReport,
} from './report.ts';
import { loadTable, readSource, type SourceTable } from './source-table.ts';
import type { Renamed } from './source-text.ts';

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

/**
 * A file that can't be read is left out and named, and the others are imported. Anything else that is wrong
 * leaves the lake unchanged.
 *
 * @throws RefusedError
 */
export async function runImport(
  importer: Importer,
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> {
  const { report, markers = [] } = options;
  const lake = resolve(options.lake);
  if (existsSync(join(lake, '_sample.json'))) {
    const message =
      'is a sample lake: published figures are never mixed with made-up ones; name another folder with --out';
    throw refused('lake-is-sample', options.lake, message);
  }
  if (report !== undefined && files.some(file => resolve(file) === resolve(report)))
    throw refused('report-write', report, 'is one of the files to read: name another file with --report');
  const scratch = await mkdtemp(join(tmpdir(), 'civic-import-'));
  try {
    return await withMacros(markers, session =>
      importFiles(session, importer, files, { ...options, lake }, scratch),
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function importFiles(
  session: Session,
  importer: Importer,
  files: readonly string[],
  options: ImportOptions,
  scratch: string,
): Promise<ImportReport> {
  const { target } = importer;
  const { lake } = options;
  await createRowTables(session, target);
  refuseIf('lake-dimension', lake, await readLakeLists(session, lake, target));
  const leftOut: Diagnostic[] = [];
  const sources: SourceTable[] = [];
  const notes: string[] = [];
  for (const file of files) {
    try {
      const read = await readFile(session, importer, file, sources.length, options, scratch);
      sources.push(...read.sources);
      notes.push(...read.unfit);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      leftOut.push(...error.diagnostics);
    }
  }
  if (importer.rows !== undefined) {
    await session.run(`INSERT INTO selected BY NAME SELECT *, 0 AS file FROM (${importer.rows})`);
  }
  if (leftOut.length > 0 && sources.length === 0) throw new RefusedError(leftOut);
  const together = files.join(', ');
  refuseIf('source-conflict', together, await countAllRecords(session, importer, sources));
  if (importer.repeated === 'refuse')
    refuseIf('source-conflict', together, await findConflicts(session, importer, sources));
  await dropRepeatedRows(session, importer);

  // An empty slice must never replace one that has rows, nor a list with only the importer's own rows (line 0).
  const own = target.kind === 'dimension' ? 'AND line IS DISTINCT FROM 0' : '';
  const slices = await listSlices(session, target, `(FROM selected WHERE dropped IS NULL ${own})`);
  refuseIf('lake-slice', lake, await findBlockedSlices(lake, slices));
  // Rows that may come only from a file that was left out stay in the lake.
  const kept =
    (importer.merges && !(target.kind === 'dimension' && options.replace === true)) || leftOut.length > 0;
  if (kept) refuseIf('lake-slice', lake, await loadSlices(session, lake, target, slices));
  for (const [index, source] of sources.entries()) await mergeRows(session, importer, source, index);
  if (importer.rows !== undefined) await mergeRows(session, importer, undefined, 0);

  const reports: FileReport[] = [];
  for (const [index, source] of sources.entries()) reports.push(await reportFile(session, source, index));
  const figures = await findFigureChanges(session, lake, target, slices, sources);
  if (options.report !== undefined) {
    try {
      await writeChanges(session, target, sources, options.report);
    } catch (error) {
      throw refused('report-write', options.report, `cannot be written: ${databaseMessage(error)}`);
    }
  }
  refuseIf('figure-erased', lake, figures.problems);
  await writeSlices(session, lake, target, slices, 'merged').catch(error => {
    throw refused('lake-write', lake, `cannot be written: ${databaseMessage(error)}`);
  });
  const written: SliceReport[] = [];
  for (const { path, where } of slices) {
    const counts = `count(*) AS rows, count(*) FILTER (WHERE kept) AS kept`;
    written.push({
      path,
      ...(await session.row<Omit<SliceReport, 'path'>>(`SELECT ${counts} FROM merged WHERE ${where}`)),
    });
  }
  // After the slices are written, so that a refused import doesn't change the lists.
  if (options.addPlaces) notes.unshift(...(await addPlaces(session, lake, target, sources)));
  notes.push(...figures.notes);
  const odd = await findRemarks(session, target, sources);
  // Records of several files count together, so the empty files among them are unknown.
  if (written.length === 0 || importer.counted === undefined) {
    const empty = await findEmptySources(session, sources);
    const isEmpty = (file: string) =>
      sources.some(({ path }) => path === file) &&
      sources.every(({ path }, index) => path !== file || empty.has(index));
    const without = written.length === 0 || target.kind === 'dataset' ? files.filter(isEmpty) : [];
    leftOut.push(...without.map(file => problem('source-empty', file, 'has no row to write')));
    const others = [...empty].filter(index => !without.includes(sources[index]!.path));
    notes.push(...others.map(index => `no row of ${sources[index]!.file} was left to write`));
  }
  const { changes } = figures;
  return { importer: importer.name, lake, files: reports, leftOut, written, changes, odd, notes };
}

function refuseIf(code: string, file: string, messages: readonly string[]): void {
  if (messages.length > 0) throw new RefusedError(messages.map(message => problem(code, file, message)));
}

function problem(code: string, file: string, message: string): Diagnostic {
  return { severity: 'error', code, file, message };
}

interface FileRead {
  readonly sources: readonly SourceTable[];
  /** Notes on tables that are not read. */
  readonly unfit: readonly string[];
}

/** Reads the tables of one file into tables `source_<index>`, and their rows into `selected`. */
async function readFile(
  session: Session,
  importer: Importer,
  file: string,
  first: number,
  options: ImportOptions,
  scratch: string,
): Promise<FileRead> {
  const read = await readSource(file, importer, options);
  if ('problem' in read) throw refused('source-unreadable', file, read.problem);
  const sources: SourceTable[] = [];
  try {
    for (const table of read.tables) {
      const index = first + sources.length;
      await loadTable(session, table, scratch);
      await selectRows(session, importer, table.source, index);
      await session.run(`ALTER TABLE source RENAME TO source_${index}`);
      sources.push(table.source);
    }
  } catch (error) {
    const tables = [...sources.keys()].map(at => `DROP TABLE source_${first + at};`);
    await session.run(`DELETE FROM selected WHERE file >= ${first}; ${tables.join(' ')}`);
    if (sources.some(({ shape }) => shape.records))
      await session.run(`DELETE FROM record WHERE file >= ${first}`);
    throw error;
  }
  return { sources, unfit: read.unfit };
}

/** Adds the rows of `source` to `selected`. Refuses a table that can't be read. */
async function selectRows(
  session: Session,
  importer: Importer,
  source: SourceTable,
  index: number,
): Promise<void> {
  const isDataset = importer.target.kind === 'dataset';
  const rows = source.shape.select(source.present, { name: source.name, year: source.year });
  if (source.shape.records) return keepRecords(session, rows, index, source.shape.name);
  const given = [...Object.keys(importer.target.columns), ...'line dropped remark detail unsaid'.split(' ')];
  await session.run(`
    INSERT INTO selected BY NAME
    SELECT COLUMNS('^(${given.join('|')})$'), ${index} AS file, ${literal(source.shape.name)} AS shape FROM (${rows})`);
  if (isDataset)
    await session.run(`
    UPDATE selected SET dropped = 'a note: it has no place, year or figure'
    WHERE file = ${index} AND line IN (${noteLines(source)})`);
  refuseIf('source-subject', source.path, await findOtherRows(session, source, index));
  refuseIf('source-value', source.path, [
    ...(await findUnreadableCells(session, source, index)),
    ...(await findDoubtfulScale(session, source)),
  ]);
  if (isDataset) refuseIf('source-year', source.path, await findMissingYears(session, source, index));
}

async function findMissingYears(session: Session, source: SourceTable, file: number): Promise<string[]> {
  const header = source.headers.get('year');
  const cell = header === undefined ? 'NULL' : 's.year';
  const rows = await session.rows<{ line: number | null; cell: string | null }>(`
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

/** Days that two files of one release may share: a night between two fiscal years. */
const SHARED_DAYS = 3;

/** Adds records to the table `record`, and dropped ones to `selected`. */
async function keepRecords(session: Session, rows: string, file: number, shape: string): Promise<void> {
  const read = `SELECT *, ${file} AS file FROM (${rows})`;
  await session.run(`
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
  session: Session,
  importer: Importer,
  sources: readonly SourceTable[],
): Promise<string[]> {
  const shape = sources.find(one => one.shape.records)?.shape;
  if (shape === undefined || importer.counted === undefined) return [];
  const overlaps = await session.rows<{ one: number; other: number }>(`
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
  await session.run(`
    INSERT INTO selected BY NAME
    SELECT *, (SELECT min(file) FROM record) AS file, ${literal(shape.name)} AS shape
    FROM (${importer.counted(importer.target)}) WHERE EXISTS (FROM record)`);
  return [];
}
