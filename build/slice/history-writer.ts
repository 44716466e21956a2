/** One level's history: all its years in one file, ordered by place. Made anew, or of the one that is published. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ParquetFile } from '../format/manifest.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { rowsOf } from '../lake/parquet-shape.ts';
import { identifier, identifiers, parquetRows, rowOrder } from '../lake/sql.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import { digestFile } from './file-digest.ts';
import {
  groupsBetween,
  inBatches,
  isBetweenSamePlaces,
  isStanding,
  type Piece,
  partOf,
  revisedRun,
  type StandingRange,
  type StandingRun,
  writtenRows,
} from './history-pieces.ts';
import { cutEvery, damagedGroupsQuery, isOneRun, PLACE, type Run, runsQuery } from './history-runs.ts';
import { keepPlaces, placesKey, recallPlaces } from './kept-places.ts';
import { assembleParquet, type KnownFooters } from './parquet-assembly.ts';
import { groupRows } from './parquet-options.ts';
import type { PublishedColumn } from './row-columns.ts';
import { readRowGroups } from './row-groups.ts';
import { copyParquet, describeParquet, type WrittenParquet } from './rows-writer.ts';
import { factRows, joinedRows, sliceRows, storedColumns } from './slice-table.ts';

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
  /** Where places are kept from one build to the next; null where they are not. */
  readonly places: string | null;
  /** A folder for files that are not published. */
  readonly temporaryFolder: string;
}

interface Revision {
  readonly pieces: readonly Piece[];
  /** Of the published file, where some of it is taken over. */
  readonly footers?: KnownFooters;
  /** SELECT of the rows that are written, in their order; null where they are in HISTORY. */
  readonly select: string | null;
}

/** Temporary tables: rows in their order; those of slices that changed, without what is joined; places of both. */
const HISTORY = 'history';
const FRESH = 'fresh';
const PLACES = 'places';

/** Of a place, rows that came less those that went. No column of a dataset can have this name. */
const MORE = '"rows more"';

/** With fewer row groups, writing them all is sooner done than looking for those that stand. */
const LEAST_GROUPS = 4;

export async function writeHistory(input: HistoryInput): Promise<WrittenParquet> {
  await mkdir(input.temporaryFolder, { recursive: true });
  const scratch = await mkdtemp(path.join(input.temporaryFolder, 'history-'));
  try {
    const revision = (await revise(input, scratch)) ?? (await makeAnew(input));
    const written = await writePieces(input, revision, scratch);
    await remember(input, written, scratch);
    return written;
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await input.session.run(
      [HISTORY, FRESH, PLACES].map(table => `DROP TABLE IF EXISTS ${table};`).join(' '),
    );
  }
}

async function writePieces(
  input: HistoryInput,
  { pieces, footers, select }: Revision,
  scratch: string,
): Promise<WrittenParquet> {
  const { session } = input;
  const size = groupRows('history', input.rows);
  const name = `history/${input.detail}.parquet`;
  const target = path.join(input.folder, name);
  await mkdir(path.dirname(target), { recursive: true });
  const { batches, places } = inBatches(pieces, size);
  if (select !== null && batches.length > 1)
    await session.run(`CREATE OR REPLACE TEMP TABLE ${HISTORY} AS ${select}`);
  const table = select === null || batches.length > 1 ? HISTORY : `(${select})`;
  const rows = rowsInput(input, table, writtenRows(pieces));
  const made: StandingRange[] = [];
  for (const [i, batch] of batches.entries()) {
    const file = path.join(scratch, `${i}.parquet`);
    await copyParquet(rows, file, size, { offset: batch.offset, count: batch.rows });
    const { groups } = readRowGroups(file, rows.columns, rows.keyColumns);
    if (groups.length !== batch.groups)
      throw new Error(`${groups.length} row groups were written for ${name} instead of ${batch.groups}.`);
    made.push({ file, first: 0, end: groups.length, groups });
  }
  const ranges = pieces.map((piece, i) => {
    const place = places[i];
    return isStanding(piece) ? piece : partOf(made[place!.batch]!, place!.first, place!.end);
  });
  const groups = ranges.flatMap(range => range.groups);
  const starts = assembleParquet(target, ranges, footers);
  if (starts.length !== groups.length)
    throw new Error(`${name} has ${starts.length} row groups instead of ${groups.length}.`);
  return describeParquet(
    { ...rows, rows: input.rows },
    name,
    groups.map((group, i) => ({ ...group, start: starts[i]! })),
  );
}

/** Keeps the places of a history of several runs, which were all counted then. */
async function remember(
  { session, dataset, columns, rows, places, published }: HistoryInput,
  { sha256 }: WrittenParquet,
  scratch: string,
): Promise<void> {
  const { placeColumns } = dataset;
  if (places === null || placeColumns.length === 0 || isOneRun(rows, groupRows('history', rows))) return;
  const stored = storedColumns(columns.filter(({ column }) => placeColumns.includes(column.name)));
  const select = `SELECT ${stored}, ${PLACE.now} AS ${PLACE.before} FROM ${PLACES} WHERE ${PLACE.now} > 0`;
  const before = published && placesKey(published.entry.sha256, placeColumns);
  await keepPlaces(session, places, select, placesKey(sha256, placeColumns), before, scratch);
}

/** All rows of the level, and the runs that they are cut into. */
async function makeAnew(input: HistoryInput): Promise<Revision> {
  const { session, dataset, slices, rows } = input;
  const select = sliceRows(input, slices, orderOf(input));
  if (dataset.placeColumns.length === 0 || isOneRun(rows, groupRows('history', rows)))
    return { pieces: [{ rows }], select };
  await session.run(`CREATE OR REPLACE TEMP TABLE ${HISTORY} AS ${select}`);
  const places = identifiers(dataset.placeColumns);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${PLACES} AS SELECT *, ${numberOf(input)} FROM (SELECT ${places}, 0::BIGINT AS ${PLACE.before}, count(*) AS ${PLACE.now}, true AS ${PLACE.differs} FROM ${HISTORY} GROUP BY ${places})`,
  );
  return { pieces: (await readRuns(input)).are, select: null };
}

/**
 * The row groups that are as they were, taken over from the published history, and the rows of the others. Null where too
 * little can be taken over, or where anything is not as it was published.
 */
async function revise(input: HistoryInput, scratch: string): Promise<Revision | null> {
  const { dataset, published, rows, shapes } = input;
  const size = groupRows('history', rows);
  if (published === null || dataset.placeColumns.length === 0 || rows < LEAST_GROUPS * size) return null;
  if (groupRows('history', published.entry.rows) !== size) return null;
  if (rowsOf(published.changed, shapes) > rows / 2) return null;
  const fresh = readFresh(input, published);
  // Files are hashed while rows are read.
  const intact = [published, ...published.before].every(isIntact);
  await fresh;
  if (!intact) return null;
  await tellPlaces(input, published);
  const { were, are } = await readRuns(input);
  const { row_groups: groups } = published.entry;
  const all = { file: published.file, first: 0, end: groups.length, groups };
  const standing = standingRuns(all, size, were);
  if (standing === null) return null;
  const before = new Map(standing.map(one => [one.run.first, one]));
  const damaged = await readDamage(
    input,
    are.filter(run => isBetweenSamePlaces(run, before.get(run.first))),
  );
  const pieces = are.flatMap((run): readonly Piece[] => {
    const found = before.get(run.first);
    return isBetweenSamePlaces(run, found)
      ? revisedRun(run, found, damaged.get(run.first) ?? new Set(), size)
      : [run];
  });
  if (writtenRows(pieces) > rows / 2) return null;
  const footers: KnownFooters = new Map();
  const select = restRows(input, published, groupsBetween(all, pieces), scratch, footers);
  return { pieces, footers, select };
}

/** Makes FRESH. */
async function readFresh(input: HistoryInput, published: PublishedHistory): Promise<void> {
  const { changed } = published;
  const fresh = changed.length === 0 ? noRows(published) : factRows(input, changed);
  await input.session.run(
    `CREATE OR REPLACE TEMP TABLE ${FRESH} AS SELECT ${storedColumns(ownColumns(input))} FROM (${fresh})`,
  );
}

/** What is joined follows from these. */
function ownColumns({ columns }: HistoryInput): PublishedColumn[] {
  return columns.filter(({ join }) => join === null);
}

/** Makes PLACES. */
async function tellPlaces(input: HistoryInput, published: PublishedHistory): Promise<void> {
  const { session, dataset } = input;
  const { file, before } = published;
  const gone =
    before.length === 0 ? noRows(published) : `SELECT * FROM ${parquetRows(before.map(one => one.file))}`;
  const places = identifiers(dataset.placeColumns);
  const kept = recallPlaces(input.places, placesKey(published.entry.sha256, dataset.placeColumns));
  const counted =
    kept === null
      ? `SELECT ${places}, count(*) AS ${PLACE.before} FROM ${parquetRows([file])} GROUP BY ${places}`
      : `SELECT ${places}, ${PLACE.before} FROM ${parquetRows([kept])}`;
  // Zero and minus zero are equal, and are not the same bytes.
  const same = ownColumns(input).flatMap(({ column: { name, type } }) => {
    const [f, g] = [`f.${identifier(name)}`, `g.${identifier(name)}`];
    const equal = `${f} IS NOT DISTINCT FROM ${g}`;
    return type === 'number' ? [equal, `signbit(${f}) IS NOT DISTINCT FROM signbit(${g})`] : [equal];
  });
  // No rows of a place are alike: as many of them as there were, each of which was there, are those that were.
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${PLACES} AS SELECT *, ${numberOf(input)} FROM (
      SELECT ${places}, sum(${PLACE.before})::BIGINT AS ${PLACE.before}, sum(${PLACE.before} + ${MORE})::BIGINT AS ${PLACE.now}, bool_or(${PLACE.differs}) OR sum(${MORE}) <> 0 AS ${PLACE.differs} FROM (
        SELECT ${places}, ${PLACE.before}, 0 AS ${MORE}, false AS ${PLACE.differs} FROM (${counted})
        UNION ALL SELECT ${places}, 0, -count(*), false FROM (${gone}) GROUP BY ${places}
        UNION ALL SELECT ${places}, 0, count(*), false FROM ${FRESH} GROUP BY ${places}
        UNION ALL SELECT ${places}, 0, 0, true FROM ${FRESH} f ANTI JOIN (${gone}) g ON ${same.join(' AND ')})
      GROUP BY ${places})`,
  );
}

/**
 * SELECT of the rows of some row groups as they are now, in their order: what stands is read there, and rows of the years
 * that changed are from FRESH where their place has others than it had.
 */
function restRows(
  input: HistoryInput,
  published: PublishedHistory,
  ranges: readonly StandingRange[],
  scratch: string,
  footers: KnownFooters,
): string {
  const { dataset, columns } = input;
  const year = dataset.columns.find(column => column.role === 'year')?.name ?? 'year';
  const differing = `(SELECT * FROM ${PLACES} WHERE ${PLACE.differs})`;
  const same = dataset.placeColumns
    .map(name => `p.${identifier(name)} IS NOT DISTINCT FROM r.${identifier(name)}`)
    .join(' AND ');
  const come = joinedRows(input, `SELECT r.* FROM ${FRESH} r SEMI JOIN ${differing} p ON ${same}`);
  const selects = [`SELECT ${storedColumns(columns)} FROM (${come})`];
  if (ranges.length > 0) {
    const file = path.join(scratch, 'rest.parquet');
    assembleParquet(file, ranges, footers);
    selects.push(
      `SELECT r.* FROM ${parquetRows([file])} r LEFT JOIN ${differing} p ON ${same} WHERE p.${PLACE.number} IS NULL OR r.${identifier(year)} NOT IN (${published.years.join(', ')})`,
    );
  }
  return `SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY ${rowOrder(orderOf(input))}`;
}

function noRows({ file }: PublishedHistory): string {
  return `SELECT * FROM ${parquetRows([file])} WHERE false`;
}

/** The runs of the places as they were, and as they are. */
async function readRuns({ session, dataset }: HistoryInput): Promise<{ were: Run[]; are: Run[] }> {
  const { before, now } = PLACE;
  const count = (rows: string, name: string) =>
    `coalesce(sum(${rows}), 0)::DOUBLE AS ${name}, count(*) FILTER (${rows} > 0) AS ${name}_places`;
  const all = await session.row<Record<'were' | 'were_places' | 'are' | 'are_places', number>>(
    `SELECT ${count(before, 'were')}, ${count(now, 'are')} FROM ${PLACES}`,
  );
  const read = (when: typeof before | typeof now, rows: number, places: number) =>
    session.rows<Run>(
      runsQuery(PLACES, dataset.placeColumns, when, cutEvery(rows, places, groupRows('history', rows))),
    );
  return {
    were: await read(before, all.were, all.were_places),
    are: await read(now, all.are, all.are_places),
  };
}

/** Of runs whose places begin and end as they did: row groups whose rows are not what they were, by the run's first place. */
async function readDamage(
  { session, rows }: HistoryInput,
  runs: readonly Run[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const damaged = new Map<number, Set<number>>();
  if (runs.length === 0) return damaged;
  const found = await session.rows<{ first: number; group: number }>(
    damagedGroupsQuery(PLACES, runs, groupRows('history', rows)),
  );
  for (const { first, group } of found) damaged.set(first, (damaged.get(first) ?? new Set()).add(group));
  return damaged;
}

/** The runs that a file has, with their row groups; null where it is not cut as it would be cut now. */
function standingRuns(all: StandingRange, size: number, runs: readonly Run[]): StandingRun[] | null {
  const found: StandingRun[] = [];
  let end = 0;
  for (const run of runs) {
    const first = end;
    for (let left = run.rows; left > 0; left -= size)
      if (all.groups[end++]?.rows !== Math.min(left, size)) return null;
    found.push({ run, range: partOf(all, first, end) });
  }
  return found;
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
