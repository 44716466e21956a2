/** Opens a table as earlier releases published it, and compares two releases of it. */
import type {
  ChangesDocument,
  ReleaseChanges,
  SliceChanges,
  TableBefore,
} from '../../build/format/changes.ts';
import { changesPath, isRelease, ROOT } from '../../build/format/paths.ts';
import { compareRows, type Value } from '../query/order.ts';
import {
  AS_OF,
  countReleases,
  describeBefore,
  nameBefore,
  planEarlier,
  type RowChange,
  type Version,
} from '../query/past.ts';
import type { ScanPlan } from '../query/plan.ts';
import type { Pair } from '../query/query-string.ts';
import type { RowsRequest } from '../query/request.ts';
import { prepareTable, type Table } from '../query/table.ts';
import { type Reading, readMoment } from '../query/value.ts';
import type { Exchange } from './answer.ts';
import type { Tree } from './catalog.ts';
import { TreeMismatch } from './files/files.ts';
import { pickValues, Scan } from './rows/scan.ts';

/**
 * The table as published at the moment that the request names, or what is wrong with the moment. The current table if it
 * names none, or one that isn't a date or a release. Throws TreeMismatch.
 */
export async function findPast(tree: Tree, table: Table, pairs: readonly Pair[]): Promise<Reading<Table>> {
  const input = pairs.find(pair => pair.name === AS_OF)?.value;
  if (input === undefined || 'problem' in readMoment(AS_OF, input)) return { value: table };
  const changes = await readChanges(tree, table);
  const chain = isRelease(input) ? await readChain(tree) : [];
  const count = countReleases(changes, input, chain);
  if ('problem' in count) return count;
  let version: Version = table;
  for (const release of changes.releases.slice(0, changes.releases.length - count.value))
    version = describeBefore(version, release, await readBefore(tree, table, release));
  return { value: version === table ? table : prepareTable(table.folder, version) };
}

export interface Turn {
  readonly release: ReleaseChanges;
  readonly before: Table;
  readonly after: Table;
}

/** The `wanted` releases that changed a table, newest first, with the table before and after each. Throws TreeMismatch. */
export async function* openTurns(
  tree: Tree,
  table: Table,
  { releases }: ChangesDocument,
  wanted: (release: ReleaseChanges) => boolean = () => true,
): AsyncGenerator<Turn> {
  let version: Version = table;
  // Prepared only if a turn needs it.
  let prepared: Table | null = table;
  for (const release of releases) {
    const after: Table | null = wanted(release) ? (prepared ?? prepareTable(table.folder, version)) : null;
    version = describeBefore(version, release, await readBefore(tree, table, release));
    prepared = after && prepareTable(table.folder, version);
    if (after && prepared) yield { release, before: prepared, after };
  }
}

async function readBefore(
  tree: Tree,
  { folder }: Table,
  { before }: ReleaseChanges,
): Promise<TableBefore | null> {
  if (before === undefined) return null;
  const path = `${folder}/${before.path}`;
  const document = await tree.document<TableBefore>(path);
  if (document === null) throw new TreeMismatch(path, 'is missing');
  return document;
}

interface RowsReader extends Pick<Exchange, 'files' | 'cache' | 'budget' | 'endOfTurn'> {
  readonly incoming: Pick<Exchange['incoming'], 'signal'>;
}

/** At most `limit` rows of a scan, or all if null. */
export async function readRows(
  reader: RowsReader,
  plan: ScanPlan,
  limit: number | null = null,
): Promise<readonly (readonly Value[])[]> {
  const scan = new Scan(plan, { ...reader, signal: reader.incoming.signal });
  const found: Value[][] = [];
  for await (const picked of scan.pick(limit)) {
    const columns = await pickValues(scan.reader, picked);
    for (const row of picked.rows.keys()) found.push(columns.map(column => column[row]!));
  }
  return found;
}

/** The requested rows that a release changed in some of its slices. */
export async function compareTurn(
  reader: RowsReader,
  request: RowsRequest,
  { release, before, after }: Turn,
  slices: readonly SliceChanges[],
): Promise<readonly RowChange[]> {
  const read = async (version: Table, kinds: readonly SliceChanges['change'][]) => {
    const years = slices.filter(({ change }) => kinds.includes(change)).map(({ year }) => year);
    const table = ofYears(version, request.detail, years);
    const plan = years.length === 0 ? null : planEarlier(table, request);
    return { table, rows: plan ? await readRows(reader, plan) : [] };
  };
  // The new rows of a replaced slice have another grain, so they can't be compared.
  return compareReleases(
    await read(before, ['revised', 'removed', 'replaced']),
    await read(after, ['revised']),
    release,
  );
}

type Row = readonly Value[];

interface ReleaseRows {
  readonly table: Table;
  readonly rows: readonly Row[];
}

/** The rows that a release changed, ordered by year and the earlier grain. A value in a dropped column is a revision. */
function compareReleases(before: ReleaseRows, after: ReleaseRows, release: ReleaseChanges): RowChange[] {
  const { order, year } = before.table;
  const { columns } = after.table;
  // -1 if the release dropped the column.
  const counterparts = before.table.columns.map(({ name }) =>
    columns.findIndex(one => nameBefore(release, one.name) === name),
  );
  const keyOf = (row: Row, positions: readonly number[]) => positions.map(position => row[position] ?? null);
  const orderNow = order.map(position => counterparts[position]!);
  const fresh = new Map(after.rows.map(row => [JSON.stringify(keyOf(row, orderNow)), row]));
  const found: RowChange[] = [];
  for (const old of before.rows) {
    const key = keyOf(old, order);
    const text = JSON.stringify(key);
    const now = fresh.get(text) ?? null;
    fresh.delete(text);
    const at = year < 0 ? 0 : Number(old[year]);
    if (now === null) {
      found.push({ change: 'removed', year: at, key, values: [] });
      continue;
    }
    const pairs = counterparts.map((position, i) => ({
      name: columns[position]?.name,
      old: old[i] ?? null,
      now: now[position] ?? null,
    }));
    const differing = pairs.filter(one => one.old !== one.now);
    const values = differing.flatMap(({ name, ...both }) => (name === undefined ? [] : [{ name, ...both }]));
    if (differing.length > 0) found.push({ change: 'revised', year: at, key, values });
  }
  for (const now of fresh.values()) {
    const { table } = after;
    const at = table.year < 0 ? 0 : Number(now[table.year]);
    found.push({ change: 'added', year: at, key: keyOf(now, orderNow), values: [] });
  }
  const byKey = compareRows([...order.keys()]);
  return found.sort((a, b) => a.year - b.year || byKey(a.key, b.key));
}

/** The table with only some years of one level. */
export function ofYears(table: Table, detail: string, years: readonly number[]): Table {
  const level = table.levels.get(detail);
  if (level === undefined) return table;
  const slices = level.slices.filter(({ year }) => years.includes(year));
  return { ...table, levels: new Map([[detail, { ...level, years: slices.map(one => one.year), slices }]]) };
}

/** Throws TreeMismatch. */
export async function readChanges(tree: Tree, table: Table): Promise<ChangesDocument> {
  const changes = await tree.document<ChangesDocument>(changesPath(table.folder));
  if (changes) return changes;
  const broken = 'its tree has no changes.json.';
  const known = { release: table.manifest.release, subject: table.name, since: tree.manifest.date };
  return { format: '', ...known, broken, releases: [] };
}

/** All releases of the tree, oldest first. */
export async function readChain(tree: Tree): Promise<readonly string[]> {
  const feed = await tree.document<Feed>(ROOT.jsonFeed);
  const { release } = tree.manifest;
  const listed = (feed?.items ?? []).flatMap(({ _civic }) =>
    typeof _civic?.release === 'string' ? [_civic.release] : [],
  );
  return [...new Set([release, ...listed])].reverse();
}

interface Feed {
  readonly items: readonly { readonly _civic?: { readonly release?: unknown } }[];
}
