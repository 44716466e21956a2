/** Finds a table as it was published at the moment that a request names. */
import type {
  ChangesDocument,
  ReleaseChanges,
  TableBefore,
  TreeRelease,
} from '../../build/format/changes.ts';
import { changesPath, isRelease, ROOT } from '../../build/format/paths.ts';
import {
  AS_OF,
  countReleases,
  type LaterRelease,
  nameFrom,
  type PastTable,
  placeOf,
  preparePast,
  tooEarly,
  unknownRelease,
  type Version,
} from '../query/past.ts';
import type { Value } from '../query/order.ts';
import type { ScanPlan } from '../query/plan.ts';
import type { Problem } from '../query/problems.ts';
import { parseReadable } from '../query/query-string.ts';
import type { Table } from '../query/table.ts';
import { readMoment } from '../query/value.ts';
import type { Exchange } from './answer.ts';
import type { Subject } from './catalog.ts';
import { type Files, TreeMismatch } from './files/files.ts';
import { Kept } from './files/kept.ts';
import { readListed } from './files/proof.ts';
import { pickValues, Scan } from './rows/scan.ts';

/** The table of a moment, or what is wrong with the moment. */
export type FoundPast =
  | { readonly past: PastTable }
  | { readonly problem: Problem; readonly repaired: string };

export type Place = Pick<Exchange, 'files' | 'catalog' | 'tree'>;

type Found = Pick<Subject, 'table' | 'described'>;

/**
 * The table as it was published at the moment that a request names. Null where the request asks for the rows of today, or
 * its moment cannot be read. Throws TreeMismatch.
 */
export async function findPast(place: Place, found: Found, query: string): Promise<FoundPast | null> {
  const input = parseReadable(query).find(pair => pair.name === AS_OF)?.value;
  if (input === undefined || 'problem' in readMoment(AS_OF, input)) return null;
  const { manifest } = place.tree;
  const changes = await readChanges(place, found.table);
  const chain = isRelease(input) ? await readChain(place) : [];
  if (isRelease(input) && placeOf(input, chain) < 0)
    return { problem: unknownRelease(input, manifest.release), repaired: manifest.release };
  const count = countReleases(changes, input, chain);
  if (count === null) return { problem: tooEarly(input, changes), repaired: changes.since };
  const later = changes.releases.slice(0, changes.releases.length - count);
  const described = await readLater(place, found, later);
  const past =
    later.length === 0
      ? { table: found.table, forgotten: [] }
      : preparePast(found.table.folder, found.described, described);
  return { past };
}

/** A release that changed a table, and the table before and after it. */
export interface Turn {
  readonly release: ReleaseChanges;
  readonly before: Version;
  readonly after: Version;
}

/** The releases that changed a table, the newest first. Throws TreeMismatch. */
export async function openTurns(
  place: Place,
  found: Found,
  { releases }: ChangesDocument,
): Promise<readonly Turn[]> {
  const later = await readLater(place, found, releases);
  const oldest = [...releases].reverse();
  const turns: Turn[] = [];
  for (const [index, release] of releases.entries()) {
    const then = preparePast(found.table.folder, found.described, later.slice(0, index + 1));
    const nameOf = (name: string) => nameFrom(oldest, name, oldest.length - 1 - index);
    turns.push({ release, before: { ...then, nameOf }, after: turns.at(-1)?.before ?? versionOf(found) });
  }
  return turns;
}

/** The table of today. */
export function versionOf({ table }: Pick<Found, 'table'>): Version {
  return { table, forgotten: [], nameOf: name => name };
}

function readLater(
  place: Place,
  { table: { folder } }: Found,
  releases: readonly ReleaseChanges[],
): Promise<readonly LaterRelease[]> {
  return Promise.all(
    releases.map(async release => ({ release, before: await readBefore(place, folder, release) })),
  );
}

async function readBefore(
  place: Place,
  folder: string,
  { before }: ReleaseChanges,
): Promise<TableBefore | null> {
  if (before === undefined) return null;
  const path = `${folder}/${before.path}`;
  const document = await readDocument<TableBefore>(place, path);
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

/** What each release changed in a table. Throws TreeMismatch. */
export async function readChanges(place: Place, table: Table): Promise<ChangesDocument> {
  const changes = await readDocument<ChangesDocument>(place, changesPath(table.folder));
  return changes ?? unknownPast(table, place.tree.manifest.date);
}

/** What a tree without changes.json knows: the release that it is. */
function unknownPast({ name, stamp }: Table, date: string): ChangesDocument {
  const broken = 'its tree has no changes.json.';
  return { format: '', release: stamp.release, subject: name, since: date, broken, releases: [] };
}

/** All releases of the tree, oldest first. */
async function readChain(place: Place): Promise<readonly TreeRelease[]> {
  const feed = await readDocument<Feed>(place, ROOT.jsonFeed);
  const { release, date } = place.tree.manifest;
  const listed = (feed?.items ?? []).flatMap(({ _civic }) =>
    typeof _civic?.release === 'string'
      ? [{ release: _civic.release, date: _civic.release.slice(0, 10) }]
      : [],
  );
  return listed[0]?.release === release ? listed.reverse() : [...listed.reverse(), { release, date }];
}

interface Feed {
  readonly items: readonly { readonly _civic?: { readonly release?: unknown } }[];
}

/** Documents that questions about the past read again and again, by their hash. */
const DOCUMENTS = new WeakMap<Files, Kept<unknown>>();
const MOST_BYTES = 16 << 20;

/** Null where the tree lists no such file. Throws TreeMismatch. */
export async function readDocument<Document>(
  { files, catalog, tree }: Place,
  path: string,
): Promise<Document | null> {
  const entry = await catalog.find(tree, path);
  if (entry === null) return null;
  const kept = DOCUMENTS.get(files) ?? new Kept<unknown>(MOST_BYTES);
  DOCUMENTS.set(files, kept);
  const known = kept.get(entry.sha256);
  if (known !== undefined) return known as Document;
  const bytes = await readListed(files, { path, entry }, { start: 0, end: entry.bytes });
  const document = JSON.parse(new TextDecoder().decode(bytes)) as Document;
  kept.keep(entry.sha256, document, entry.bytes);
  return document;
}
