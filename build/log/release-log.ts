/**
 * The log of a tree's releases: an entry for each, in a Merkle tree (RFC 6962) under a signed checkpoint. Entries, tiles
 * and checkpoint are files in the forms of C2SP tlog-tiles and tlog-checkpoint; FORMAT.md specifies their bytes. Pure.
 */
import { createHash } from 'node:crypto';
import {
  formatNote,
  isSignedBy,
  type PublicKey,
  parseNote,
  type SignedNote,
  type SigningKey,
  signNote,
} from './signed-note.ts';

/** Folder of the log, and its checkpoint. */
export const LOG_FOLDER = 'log';
export const CHECKPOINT = `${LOG_FOLDER}/checkpoint`;

/** Hashes are lower-case hexadecimal SHA-256. */
export interface LogEntry {
  readonly release: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Hash of its content (contentLines in format/manifest.ts). Absent in entries of older programs. */
  readonly content?: string;
  /** Hash of its manifest.json, in entries of older programs. */
  readonly manifest?: string;
}

export interface ReleaseLog {
  readonly checkpoint: SignedNote;
  /** The checkpoint's first line, which names the log. */
  readonly origin: string;
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
}

function entryBytes({ release, date, content, manifest }: LogEntry): Buffer {
  return Buffer.from(
    JSON.stringify({ release, date, ...(content === undefined ? { manifest } : { content }) }),
  );
}

/** Whether two entries state the same release. A hash of content can't be compared with a hash of a manifest. */
function agree(a: LogEntry, b: LogEntry): boolean {
  if ((a.content === undefined) !== (b.content === undefined))
    return a.release === b.release && a.date === b.date;
  return entryBytes(a).equals(entryBytes(b));
}

export function logRoot(entries: readonly LogEntry[]): Buffer {
  return rootHash(entries.map(entry => leafHash(entryBytes(entry))));
}

/** Every file of a log. The same entries and key give the same bytes. */
export function logFiles(entries: readonly LogEntry[], key: SigningKey): [path: string, bytes: Buffer][] {
  const text = `${key.name}\n${entries.length}\n${logRoot(entries).toString('base64')}\n`;
  const checkpoint = formatNote({ text, signatures: [signNote(text, key)] });
  return [[CHECKPOINT, Buffer.from(checkpoint)], ...tileFiles(entries)];
}

export function tileFiles(entries: readonly LogEntry[]): [path: string, bytes: Buffer][] {
  const leaves = entries.map(entry => leafHash(entryBytes(entry)));
  const bundles = tilesOf('entries', entries.length).map((tile): [string, Buffer] => {
    const held = entries.slice(tile.index * TILE_WIDTH, tile.index * TILE_WIDTH + tile.width);
    return [inLog(tilePath(tile)), Buffer.concat(held.flatMap(entry => lengthAndBytes(entryBytes(entry))))];
  });
  return [
    ...hashTiles(leaves).map(([tile, bytes]): [string, Buffer] => [inLog(tilePath(tile)), bytes]),
    ...bundles,
  ];
}

function inLog(path: string): string {
  return `${LOG_FOLDER}/${path}`;
}

function lengthAndBytes(bytes: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return [length, bytes];
}

/** The most entries of a log, because a forged size must not fill memory. */
const MOST_ENTRIES = 4_000_000;

export interface Checkpoint {
  readonly note: SignedNote;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** Null if the text isn't a checkpoint. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const note = parseNote(text);
  const [, origin = '', digits = '', root = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,8})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(note?.text ?? '') ?? [];
  const size = Number(digits);
  if (note === null || origin === '' || size > MOST_ENTRIES) return null;
  return { note, origin, size, root: Buffer.from(root, 'base64') };
}

/** Paths of the files with a log's entries. */
export function bundlePaths(size: number): string[] {
  return tilesOf('entries', size).map(tile => inLog(tilePath(tile)));
}

/** The entries of a bundle; null if it isn't one. */
export function parseBundle(bytes: Buffer): LogEntry[] | null {
  const entries: LogEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 <= bytes.length ? at + 2 + bytes.readUInt16BE(at) : Number.POSITIVE_INFINITY;
    const entry = end <= bytes.length ? parseEntry(bytes.subarray(at + 2, end)) : null;
    if (entry === null) return null;
    entries.push(entry);
    at = end;
  }
  return entries;
}

/** Null unless `entryBytes` gives the same bytes. */
function parseEntry(bytes: Buffer): LogEntry | null {
  try {
    const { release, date, content, manifest } = JSON.parse(bytes.toString('utf8')) as LogEntry;
    const stated = content === undefined ? { manifest: String(manifest) } : { content: String(content) };
    const entry = { release: String(release), date: String(date), ...stated };
    return entryBytes(entry).equals(bytes) ? entry : null;
  } catch {
    return null;
  }
}

/** Whether the key signed the log, under the key's own name if it isn't a witness. */
export function isLogOf({ checkpoint, origin }: ReleaseLog, key: PublicKey): boolean {
  return (key.kind === 'witness' || origin === key.name) && isSignedBy(checkpoint, key);
}

/** Whether the log begins with the entries of a checkpoint. */
export function continuesFrom(
  entries: readonly LogEntry[],
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): boolean {
  return entries.length >= size && logRoot(entries.slice(0, size)).equals(root);
}

/** The number of equal entries at the start of two logs. */
export function sharedEntries(a: readonly LogEntry[], b: readonly LogEntry[]): number {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) {
    const [one, other] = [a[i], b[i]];
    if (one === undefined || other === undefined || !agree(one, other)) return i;
  }
  return most;
}

/** Hashes of a full tile, and entries of a full bundle. */
const TILE_WIDTH = 256;

export function leafHash(entry: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(entry).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

export function rootHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return createHash('sha256').digest();
  if (leaves.length === 1) return only;
  // The left part has the largest power of two less than all.
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeHash(rootHash(leaves.slice(0, half)), rootHash(leaves.slice(half)));
}

/** A file with `width` hashes or entries: tile `index` of a level. */
interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  readonly width: number;
}

/** Path in the log's folder: `tile/0/x001/234`, with `.p/5` after it if the tile isn't full. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** The tiles of one level with `count` hashes or entries. */
export function tilesOf(level: Tile['level'], count: number): Tile[] {
  return Array.from({ length: Math.ceil(count / TILE_WIDTH) }, (_, index) => ({
    level,
    index,
    width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH),
  }));
}

/** All tiles of hashes. A hash above level 0 is the root of a full tile below. */
function hashTiles(leaves: readonly Buffer[]): [Tile, Buffer][] {
  const tiles: [Tile, Buffer][] = [];
  let hashes = leaves;
  for (let level = 0; hashes.length > 0; level++) {
    const list = tilesOf(level, hashes.length).map((tile): [Tile, readonly Buffer[]] => [
      tile,
      hashes.slice(tile.index * TILE_WIDTH, tile.index * TILE_WIDTH + tile.width),
    ]);
    tiles.push(...list.map(([tile, held]): [Tile, Buffer] => [tile, Buffer.concat(held)]));
    hashes = list.filter(([tile]) => tile.width === TILE_WIDTH).map(([, held]) => rootHash(held));
  }
  return tiles;
}
