/** One level's history: all its years in one file, ordered by place. Made anew, or of the one that is published. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ParquetFile, RowGroup } from '../format/manifest.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { rowsOf } from '../lake/parquet-shape.ts';
import { identifier, identifiers, parquetRows, rowOrder } from '../lake/sql.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import { digestFile } from './file-digest.ts';
import { cutEvery, isOneRun, PLACE, type Run, runsQuery } from './history-runs.ts';
import { assembleParquet, type GroupRange } from './parquet-assembly.ts';
import { groupRows } from './parquet-options.ts';
import { readRowGroups } from './row-groups.ts';
import { copyParquet, describeParquet, type WrittenParquet } from './rows-writer.ts';
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

/** A run that is taken over, with what is published of its row groups. */
interface StandingRange extends GroupRange {
  readonly groups: readonly RowGroup[];
}

/** A run that is taken over, or rows that follow each other in HISTORY. */
type Piece = StandingRange | { readonly rows: number };

/** Temporary tables: rows that are written, in their order; rows of slices that changed; places of both. */
const HISTORY = 'history';
const FRESH = 'fresh';
const PLACES = 'places';

export async function writeHistory(input: HistoryInput): Promise<WrittenParquet> {
  await mkdir(input.temporaryFolder, { recursive: true });
  const scratch = await mkdtemp(path.join(input.temporaryFolder, 'history-'));
  try {
    const pieces = (await revisedPieces(input, scratch)) ?? (await allPieces(input));
    return await writePieces(input, pieces, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await input.session.run(
      [HISTORY, FRESH, PLACES].map(table => `DROP TABLE IF EXISTS ${table};`).join(' '),
    );
  }
}

async function writePieces(
  input: HistoryInput,
  pieces: readonly Piece[],
  scratch: string,
): Promise<WrittenParquet> {
  const rows = rowsInput(input, HISTORY, input.rows);
  const size = groupRows('history', input.rows);
  const name = `history/${input.detail}.parquet`;
  const target = path.join(input.folder, name);
  await mkdir(path.dirname(target), { recursive: true });
  const ranges: GroupRange[] = [];
  const groups: RowGroup[] = [];
  let offset = 0;
  for (const piece of pieces) {
    if ('file' in piece) {
      ranges.push(piece);
      groups.push(...piece.groups);
      continue;
    }
    const file = path.join(scratch, `${ranges.length}.parquet`);
    await copyParquet(rows, file, size, { offset, count: piece.rows });
    const written = await readRowGroups(input.session, file, rows.columns, rows.keyColumns);
    ranges.push({ file, first: 0, end: written.length });
    groups.push(...written);
    offset += piece.rows;
  }
  const starts = assembleParquet(target, ranges);
  if (starts.length !== groups.length)
    throw new Error(`${name} has ${starts.length} row groups instead of ${groups.length}.`);
  return describeParquet(
    rows,
    name,
    groups.map((group, i) => ({ ...group, start: starts[i]! })),
  );
}

/** All rows of the level, sorted into HISTORY, and the runs that they are cut into. */
async function allPieces(input: HistoryInput): Promise<Piece[]> {
  const { session, dataset, slices, rows } = input;
  await session.run(sliceTableStatement(HISTORY, input, slices, orderOf(input)));
  if (dataset.placeColumns.length === 0 || isOneRun(rows, groupRows('history', rows))) return [{ rows }];
  const places = identifiers(dataset.placeColumns);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${PLACES} AS SELECT *, ${numberOf(input)} FROM (SELECT ${places}, 0::BIGINT AS ${PLACE.before}, count(*) AS ${PLACE.now}, true AS ${PLACE.differs} FROM ${HISTORY} GROUP BY ${places})`,
  );
  const runs = await readRuns(input, PLACE.now);
  return runs.map(run => ({ rows: run.rows }));
}

/**
 * The runs that are as they were, taken over from the published history, and the others, sorted into HISTORY. Null where
 * too little can be taken over, or where anything is not as it was published.
 */
async function revisedPieces(input: HistoryInput, scratch: string): Promise<Piece[] | null> {
  const { dataset, published, rows, shapes } = input;
  const size = groupRows('history', rows);
  if (published === null || dataset.placeColumns.length === 0 || isOneRun(rows, size)) return null;
  if (groupRows('history', published.entry.rows) !== size) return null;
  if (rowsOf(published.changed, shapes) > rows / 2) return null;
  if (![published, ...published.before].every(isIntact)) return null;
  await tellPlaces(input, published);
  const [were, are] = [await readRuns(input, PLACE.before), await readRuns(input, PLACE.now)];
  const ranges = rangesOf(published, were);
  if (ranges === null) return null;
  const standing = new Map(were.map((run, i) => [run.first, { run, range: ranges[i]! }]));
  const pieces = are.map((run): StandingRange | Run => {
    const found = standing.get(run.first);
    return found !== undefined && !run.differs && hasSamePlaces(run, found.run) ? found.range : run;
  });
  const anew = pieces.filter(piece => 'rows' in piece);
  if (rowsOfRuns(anew) > rows / 2) return null;
  const taken = new Set<StandingRange | Run>(pieces);
  await sortRest(
    input,
    published,
    ranges.filter(range => !taken.has(range)),
    anew,
    scratch,
  );
  return pieces;
}

/** Makes PLACES, and FRESH where slices changed. */
async function tellPlaces(input: HistoryInput, published: PublishedHistory): Promise<void> {
  const { session, dataset, columns } = input;
  const { file, before, changed } = published;
  if (changed.length > 0) await session.run(sliceTableStatement(FRESH, input, changed, orderOf(input)));
  const history = parquetRows([file]);
  const fresh = freshRows(input, published);
  const gone =
    before.length === 0 ? noRows(published) : `SELECT * FROM ${parquetRows(before.map(one => one.file))}`;
  const places = identifiers(dataset.placeColumns);
  // What is joined follows from the rest. Zero and minus zero are equal, and are not the same bytes.
  const own = columns.filter(({ join }) => join === null).map(({ column }) => column);
  const values = own.flatMap(({ name, type }) => {
    const value = identifier(name);
    return type === 'number' ? [value, `signbit(${value})`] : [value];
  });
  const differing = `SELECT ${places} FROM (SELECT *, 1 AS "rows more" FROM (${fresh}) UNION ALL SELECT *, -1 FROM (${gone})) GROUP BY ${values.join(', ')} HAVING sum("rows more") <> 0`;
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${PLACES} AS SELECT *, ${numberOf(input)} FROM (
      SELECT ${places}, sum(b)::BIGINT AS ${PLACE.before}, sum(n)::BIGINT AS ${PLACE.now}, bool_or(d) AS ${PLACE.differs} FROM (
        SELECT ${places}, count(*) AS b, count(*) AS n, false AS d FROM ${history} GROUP BY ${places}
        UNION ALL SELECT ${places}, 0, -count(*), false FROM (${gone}) GROUP BY ${places}
        UNION ALL SELECT ${places}, 0, count(*), false FROM (${fresh}) GROUP BY ${places}
        UNION ALL SELECT ${places}, 0, 0, true FROM (${differing}))
      GROUP BY ${places})`,
  );
}

/** Sorts into HISTORY the rows of some runs: of years that stand from the published row groups, of others from FRESH. */
async function sortRest(
  input: HistoryInput,
  published: PublishedHistory,
  ranges: readonly GroupRange[],
  runs: readonly Run[],
  scratch: string,
): Promise<void> {
  const { session, dataset } = input;
  const selects = [noRows(published)];
  if (ranges.length > 0) {
    const file = path.join(scratch, 'rest.parquet');
    assembleParquet(file, ranges);
    const year = dataset.columns.find(column => column.role === 'year')?.name ?? 'year';
    selects.push(
      `SELECT * FROM ${parquetRows([file])} WHERE ${identifier(year)} NOT IN (${published.years.join(', ')})`,
    );
  }
  if (runs.length > 0) {
    const same = dataset.placeColumns.map(
      name => `p.${identifier(name)} IS NOT DISTINCT FROM f.${identifier(name)}`,
    );
    const within = runs.map(({ first, last }) => `p.${PLACE.number} BETWEEN ${first} AND ${last}`);
    selects.push(
      `SELECT f.* FROM (${freshRows(input, published)}) f JOIN ${PLACES} p ON ${same.join(' AND ')} WHERE ${within.join(' OR ')}`,
    );
  }
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${HISTORY} AS SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY ${rowOrder(orderOf(input))}`,
  );
}

/** Rows of the slices that changed, as they are stored. */
function freshRows({ columns }: HistoryInput, published: PublishedHistory): string {
  return published.changed.length === 0
    ? noRows(published)
    : `SELECT ${storedColumns(columns)} FROM ${FRESH}`;
}

function noRows({ file }: PublishedHistory): string {
  return `SELECT * FROM ${parquetRows([file])} WHERE false`;
}

/** The runs of the places as they were, or as they are. */
async function readRuns(
  { session, dataset }: HistoryInput,
  when: typeof PLACE.before | typeof PLACE.now,
): Promise<Run[]> {
  const { rows, places } = await session.row<{ rows: number; places: number }>(
    `SELECT coalesce(sum(${when}), 0)::DOUBLE AS rows, count(*) AS places FROM ${PLACES} WHERE ${when} > 0`,
  );
  const every = cutEvery(rows, places, groupRows('history', rows));
  return session.rows<Run>(runsQuery(PLACES, dataset.placeColumns, when, every));
}

/** The row groups of each run; null where the file is not cut as it would be cut now. */
function rangesOf({ file, entry }: StandingFile, runs: readonly Run[]): StandingRange[] | null {
  const ranges: StandingRange[] = [];
  let end = 0;
  for (const run of runs) {
    const first = end;
    let rows = 0;
    while (rows < run.rows && end < entry.row_groups.length) rows += entry.row_groups[end++]!.rows;
    if (rows !== run.rows) return null;
    ranges.push({ file, first, end, groups: entry.row_groups.slice(first, end) });
  }
  return ranges;
}

function rowsOfRuns(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + run.rows, 0);
}

/** Of runs that begin alike, and have no place that is new. */
function hasSamePlaces(one: Run, other: Run): boolean {
  return one.last === other.last && one.places === other.places;
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

function numberOf({ dataset }: SliceInput): string {
  return `row_number() OVER (ORDER BY ${rowOrder(dataset.placeColumns)}) AS ${PLACE.number}`;
}
