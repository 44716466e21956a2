/** One level's history: all its years in one file, ordered by place. Made anew, or of the one that is published. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ParquetFile } from '../format/manifest.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { fileList, identifier } from '../lake/sql.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import { digestFile } from './file-digest.ts';
import { cutEvery, isOneRun, type Run, runsQuery } from './history-runs.ts';
import { assembleParquet, type GroupRange } from './parquet-assembly.ts';
import { groupRows } from './parquet-options.ts';
import { copyParquet, describeParquet, type RowsInput, type WrittenParquet } from './rows-writer.ts';
import { sliceTableStatement, storedColumns } from './slice-table.ts';

/** A published file of the tree that is replaced. */
export interface StandingFile {
  /** On the disk. */
  readonly file: string;
  readonly entry: ParquetFile;
}

/** A history some of whose slices are not as they were: what the others say of it is taken over. */
export interface PublishedHistory extends StandingFile {
  /** The slices that are not as they were, or are gone, as they were published. */
  readonly before: readonly StandingFile[];
  /** The same slices, and new ones, as the lake has them. */
  readonly changed: readonly LakeSlice[];
  /** Years of both. */
  readonly years: readonly number[];
}

export interface HistoryInput extends SliceInput {
  readonly detail: string;
  readonly slices: readonly LakeSlice[];
  readonly rows: number;
  /** Null where nothing can be taken over. */
  readonly published: PublishedHistory | null;
  /** A folder for files that are not published. */
  readonly temporaryFolder: string;
}

/** A run that is taken over, or rows that follow each other in the table `history`. */
type Piece = GroupRange | { readonly rows: number };

export async function writeHistory(input: HistoryInput): Promise<WrittenParquet> {
  const { session } = input;
  await mkdir(input.temporaryFolder, { recursive: true });
  const scratch = await mkdtemp(path.join(input.temporaryFolder, 'history-'));
  try {
    const pieces = (await revisedPieces(input, scratch)) ?? (await allPieces(input));
    return await writePieces(input, pieces, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    for (const table of ['history', 'places', 'fresh']) await session.run(`DROP TABLE IF EXISTS ${table}`);
  }
}

async function writePieces(
  input: HistoryInput,
  pieces: readonly Piece[],
  scratch: string,
): Promise<WrittenParquet> {
  const rows: RowsInput = rowsInput(input, 'history', input.rows);
  const size = groupRows('history', input.rows);
  const name = `history/${input.detail}.parquet`;
  const target = path.join(input.folder, name);
  await mkdir(path.dirname(target), { recursive: true });
  const ranges: GroupRange[] = [];
  let offset = 0;
  for (const piece of pieces) {
    if ('file' in piece) {
      ranges.push(piece);
      continue;
    }
    const file = pieces.length === 1 ? target : path.join(scratch, `${ranges.length}.parquet`);
    await copyParquet(rows, file, size, { offset, count: piece.rows });
    ranges.push({ file, first: 0, end: Math.ceil(piece.rows / size) });
    offset += piece.rows;
  }
  if (pieces.length > 1) assembleParquet(target, ranges);
  return describeParquet(rows, name);
}

/** All rows of the level, sorted into `history`, and the runs that they are cut into. */
async function allPieces(input: HistoryInput): Promise<Piece[]> {
  const { session, dataset, slices, rows } = input;
  await session.run(sliceTableStatement('history', input, slices, orderOf(input)));
  if (dataset.placeColumns.length === 0 || isOneRun(rows, groupRows('history', rows))) return [{ rows }];
  const places = dataset.placeColumns.map(identifier);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE places AS SELECT *, row_number() OVER (${orderBy(dataset.placeColumns)}) AS number FROM (SELECT ${[...places, '0::BIGINT AS was', 'count(*) AS now', 'true AS differs'].join(', ')} FROM history GROUP BY ALL)`,
  );
  const runs = await readRuns(input, 'now');
  return runs.map(run => ({ rows: run.rows }));
}

/**
 * The runs that are as they were, taken over from the published history, and the others, sorted into `history`. Null
 * where too little can be taken over, or where anything is not as it was published.
 */
async function revisedPieces(input: HistoryInput, scratch: string): Promise<Piece[] | null> {
  const { session, dataset, published, rows } = input;
  const { placeColumns } = dataset;
  const size = groupRows('history', rows);
  if (published === null || placeColumns.length === 0) return null;
  if (isOneRun(rows, size)) return null;
  if (groupRows('history', published.entry.rows) !== size) return null;
  if (![published, ...published.before].every(isIntact)) return null;
  const { fresh, gone } = await tellPlaces(input, published);
  const [were, are] = [await readRuns(input, 'was'), await readRuns(input, 'now')];
  const ranges = rangesOf(published, were);
  if (ranges === null || are.reduce((sum, run) => sum + run.rows, 0) !== rows) return null;
  const standing = new Map(were.map((run, i) => [run.first, { run, range: ranges[i]! }]));
  const keep = (run: Run): GroupRange | null => {
    const found = standing.get(run.first);
    return found !== undefined && !run.differs && isSame(run, found.run) ? found.range : null;
  };
  const pieces = are.map(run => keep(run) ?? run);
  const anew = are.filter(run => keep(run) === null);
  if (anew.reduce((sum, run) => sum + run.rows, 0) > rows / 2) return null;
  const taken = new Set(pieces);
  const rest = ranges.filter(range => !taken.has(range));
  const old = path.join(scratch, 'rest.parquet');
  if (rest.length > 0) assembleParquet(old, rest);
  const year = identifier(dataset.columns.find(column => column.role === 'year')?.name ?? 'year');
  const same = placeColumns.map(name => `p.${identifier(name)} IS NOT DISTINCT FROM f.${identifier(name)}`);
  const within = anew.map(run => `p.number BETWEEN ${run.first} AND ${run.last}`);
  const selects = [
    ...(rest.length > 0
      ? [`SELECT * FROM ${parquet([old])} WHERE ${year} NOT IN (${published.years.join(', ')})`]
      : []),
    ...(within.length > 0
      ? [`SELECT f.* FROM (${fresh}) f JOIN places p ON ${same.join(' AND ')} WHERE ${within.join(' OR ')}`]
      : []),
  ];
  await session.run(
    `CREATE OR REPLACE TEMP TABLE history AS SELECT * FROM (${selects.length > 0 ? selects.join(' UNION ALL ') : gone}) ${orderBy(orderOf(input))}`,
  );
  return pieces;
}

/** Makes the table of places: their rows as they were and as they are, and whether any of those differ. */
async function tellPlaces(
  input: HistoryInput,
  { file, before, changed }: PublishedHistory,
): Promise<{ fresh: string; gone: string }> {
  const { session, dataset, columns } = input;
  const history = parquet([file]);
  const none = `SELECT * FROM ${history} LIMIT 0`;
  if (changed.length > 0) await session.run(sliceTableStatement('fresh', input, changed, orderOf(input)));
  const fresh = changed.length === 0 ? none : `SELECT ${storedColumns(columns)} FROM fresh`;
  const gone = before.length === 0 ? none : `SELECT * FROM ${parquet(before.map(one => one.file))}`;
  const places = dataset.placeColumns.map(identifier).join(', ');
  // What is joined follows from the rest. Zero and minus zero are equal, and are not the same bytes.
  const own = columns.filter(({ join }) => join === null).map(({ column }) => column);
  const values = own.flatMap(({ name, type }) => {
    const value = identifier(name);
    return type === 'number' ? [value, `signbit(${value})`] : [value];
  });
  const differing = `SELECT ${places} FROM (SELECT *, 1 AS "rows more" FROM (${fresh}) UNION ALL SELECT *, -1 FROM (${gone})) GROUP BY ${values.join(', ')} HAVING sum("rows more") <> 0`;
  await session.run(
    `CREATE OR REPLACE TEMP TABLE places AS
     SELECT ${places}, sum(was)::BIGINT AS was, sum(now)::BIGINT AS now, bool_or(differs) AS differs,
       row_number() OVER (${orderBy(dataset.placeColumns)}) AS number
     FROM (
       SELECT ${places}, count(*) AS was, count(*) AS now, false AS differs FROM ${history} GROUP BY ALL
       UNION ALL SELECT ${places}, 0, -count(*), false FROM (${gone}) GROUP BY ALL
       UNION ALL SELECT ${places}, 0, count(*), false FROM (${fresh}) GROUP BY ALL
       UNION ALL SELECT ${places}, 0, 0, true FROM (${differing}))
     GROUP BY ${places}`,
  );
  return { fresh, gone };
}

/** The runs of the places as they were, or as they are. */
async function readRuns({ session, dataset }: HistoryInput, when: 'was' | 'now'): Promise<Run[]> {
  const { rows, places } = await session.row<{ rows: number; places: number }>(
    `SELECT coalesce(sum(${when}), 0)::DOUBLE AS rows, count(*) AS places FROM places WHERE ${when} > 0`,
  );
  const every = cutEvery(rows, places, groupRows('history', rows));
  return session.rows<Run>(runsQuery(dataset.placeColumns, when, every));
}

/** The row groups of each run; null where the file is not cut as it would be cut now. */
function rangesOf({ file, entry }: StandingFile, runs: readonly Run[]): GroupRange[] | null {
  const ranges: GroupRange[] = [];
  let end = 0;
  for (const run of runs) {
    const first = end;
    let rows = 0;
    while (rows < run.rows && end < entry.row_groups.length) rows += entry.row_groups[end++]!.rows;
    if (rows !== run.rows) return null;
    ranges.push({ file, first, end });
  }
  return end === entry.row_groups.length ? ranges : null;
}

function isSame(one: Run, other: Run): boolean {
  return one.last === other.last && one.places === other.places && one.rows === other.rows;
}

function isIntact({ file, entry }: StandingFile): boolean {
  try {
    return digestFile(file).sha256 === entry.sha256;
  } catch {
    return false;
  }
}

function orderOf({ dataset }: SliceInput): string[] {
  return [...new Set([...dataset.placeColumns, ...dataset.grain])];
}

function orderBy(columns: readonly string[]): string {
  return `ORDER BY ${columns.map(name => `${identifier(name)} NULLS FIRST`).join(', ')}`;
}

function parquet(files: readonly string[]): string {
  return `read_parquet(${fileList(files)}, hive_partitioning = false)`;
}
