/** Finds tables as they were published before, and which rows a release changed. */
import type {
  ChangesDocument,
  ReleaseChanges,
  SliceChanges,
  TableBefore,
} from '../../build/format/changes.ts';
import { changesPath, isRelease, ROOT } from '../../build/format/paths.ts';
import type { Value } from '../query/order.ts';
import {
  AS_OF,
  compareReleases,
  countReleases,
  describeBefore,
  planThen,
  type RowChange,
  type Version,
  withoutShared,
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
 * The table as it was published at the moment that a request names, or what is wrong with the moment. The table of today
 * where the request names none, or one that cannot be read. Throws TreeMismatch.
 */
export async function findPast(tree: Tree, table: Table, pairs: readonly Pair[]): Promise<Reading<Table>> {
  const input = pairs.find(pair => pair.name === AS_OF)?.value;
  if (input === undefined || 'problem' in readMoment(AS_OF, input)) return { value: table };
  const changes = await readChanges(tree, table);
  const chain = isRelease(input) ? await readChain(tree) : [];
  const count = countReleases(changes, input, chain);
  if ('problem' in count) return count;
  let then: Version = table;
  for (const release of changes.releases.slice(0, changes.releases.length - count.value))
    then = describeBefore(then, release, await readBefore(tree, table, release));
  return { value: then === table ? table : prepareTable(table.folder, then) };
}

/** A release that changed a table, and the table before and after it. */
export interface Turn {
  readonly release: ReleaseChanges;
  readonly before: Table;
  readonly after: Table;
}

/** The releases that changed a table and are `wanted`, the newest first. Throws TreeMismatch. */
export async function* openTurns(
  tree: Tree,
  table: Table,
  { releases }: ChangesDocument,
  wanted: (release: ReleaseChanges) => boolean = () => true,
): AsyncGenerator<Turn> {
  let then: Version = table;
  // Prepared only where a turn needs it.
  let here: Table | null = table;
  for (const release of releases) {
    const after: Table | null = wanted(release) ? (here ?? prepareTable(table.folder, then)) : null;
    then = describeBefore(then, release, await readBefore(tree, table, release));
    here = after && prepareTable(table.folder, then);
    if (after && here) yield { release, before: here, after };
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

/** What reads rows: an exchange, or a page that is made from them. */
export interface RowsReader extends Pick<Exchange, 'files' | 'cache' | 'budget' | 'endOfTurn'> {
  readonly incoming: Pick<Exchange['incoming'], 'signal'>;
}

/** At most `limit` rows of a scan, or all if that is null. None on a host that can't compute. */
export async function readRows(
  reader: RowsReader,
  plan: ScanPlan,
  limit: number | null = null,
): Promise<readonly (readonly Value[])[]> {
  const { budget, incoming } = reader;
  if (!budget) return [];
  const scan = new Scan(plan, { ...reader, budget, signal: incoming.signal });
  const found: Value[][] = [];
  for await (const picked of scan.pick(limit)) {
    const columns = await pickValues(scan.reader, picked);
    for (const row of picked.rows.keys()) found.push(columns.map(column => column[row]!));
  }
  return found;
}

/**
 * Which rows a release changed, of those that a request asks for, in slices that the release found and changed; by year
 * and the earlier grain.
 */
export async function compareTurn(
  reader: RowsReader,
  request: RowsRequest,
  { release, before, after }: Turn,
  slices: readonly SliceChanges[],
): Promise<readonly RowChange[]> {
  const prepare = (version: Table, kinds: readonly SliceChanges['change'][]) => {
    const years = slices.filter(({ change }) => kinds.includes(change)).map(({ year }) => year);
    const table = ofYears(version, request.detail, years);
    return { table, plan: years.length === 0 ? null : planThen(table, request) };
  };
  const old = prepare(before, ['revised', 'removed', 'replaced']);
  // Rows of another grain cannot be told apart by the earlier one.
  const now = prepare(after, ['revised']);
  const [oldPlan, nowPlan] =
    old.plan && now.plan ? withoutShared(old.plan, now.plan, release) : [old.plan, now.plan];
  return compareReleases(
    { table: old.table, rows: oldPlan ? await readRows(reader, oldPlan) : [] },
    { table: now.table, rows: nowPlan ? await readRows(reader, nowPlan) : [] },
    release,
  );
}

/** A table with some years of a level alone. */
export function ofYears(table: Table, detail: string, years: readonly number[]): Table {
  const level = table.levels.get(detail);
  if (level === undefined) return table;
  const slices = level.slices.filter(({ year }) => years.includes(year));
  return { ...table, levels: new Map([[detail, { ...level, years: slices.map(one => one.year), slices }]]) };
}

/** What each release changed in a table. Throws TreeMismatch. */
export async function readChanges(tree: Tree, table: Table): Promise<ChangesDocument> {
  const changes = await tree.document<ChangesDocument>(changesPath(table.folder));
  return changes ?? unknownPast(table, tree.manifest.date);
}

/** What a tree without changes.json knows: the release that it is. */
function unknownPast({ name, manifest }: Table, date: string): ChangesDocument {
  const broken = 'its tree has no changes.json.';
  return { format: '', release: manifest.release, subject: name, since: date, broken, releases: [] };
}

/** All releases of the tree, oldest first. */
async function readChain(tree: Tree): Promise<readonly string[]> {
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
