/**
 * The log of a tree's releases: one entry for each, under a signed checkpoint. Entries, tiles and checkpoint are files
 * in the form of C2SP tlog-tiles and tlog-checkpoint; FORMAT.md has them to the byte. Pure.
 */
import type { PublicKey, SigningKey } from './log-key.ts';
import { hashTiles, leafHash, rootHash, TILE_WIDTH, tilePath, tilesOf } from './merkle-tree.ts';
import { formatNote, isSignedBy, parseNote, type SignedNote, signNote } from './signed-note.ts';

/** Folder of the log, and its checkpoint. */
export const LOG_FOLDER = 'log';
export const CHECKPOINT = `${LOG_FOLDER}/checkpoint`;

/** What the log states of a release, as lower-case hexadecimal SHA-256. Two entries are the same if their bytes are. */
export interface LogEntry {
  readonly release: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Of its content: contentLines in format/manifest.ts. Absent in entries of earlier programs. */
  readonly content?: string;
  /** Of its manifest.json, in entries of earlier programs. */
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

/** Whether two entries state the same release. One that names its content says nothing against one that names its manifest. */
function agree(a: LogEntry, b: LogEntry): boolean {
  if ((a.content === undefined) !== (b.content === undefined))
    return a.release === b.release && a.date === b.date;
  return entryBytes(a).equals(entryBytes(b));
}

/** The root hash over entries. */
export function logRoot(entries: readonly LogEntry[]): Buffer {
  return rootHash(entries.map(entry => leafHash(entryBytes(entry))));
}

/** Every file of a log, by path. The same entries and key give the same bytes. */
export function logFiles(entries: readonly LogEntry[], key: SigningKey): [path: string, bytes: Buffer][] {
  const text = `${key.name}\n${entries.length}\n${logRoot(entries).toString('base64')}\n`;
  const checkpoint = formatNote({ text, signatures: [signNote(text, key)] });
  return [[CHECKPOINT, Buffer.from(checkpoint)], ...tileFiles(entries)];
}

/** The files of entries and hashes. */
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

/** Most entries that a reader takes: a release a day for ten thousand years. A forged size must not fill memory. */
const MOST_ENTRIES = 4_000_000;

export interface Checkpoint {
  readonly note: SignedNote;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** Null if the text is no checkpoint. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const note = parseNote(text);
  const [, origin = '', digits = '', root = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,8})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(note?.text ?? '') ?? [];
  const size = Number(digits);
  if (note === null || origin === '' || size > MOST_ENTRIES) return null;
  return { note, origin, size, root: Buffer.from(root, 'base64') };
}

/** Paths of the files that hold a log's entries. */
export function bundlePaths(size: number): string[] {
  return tilesOf('entries', size).map(tile => inLog(tilePath(tile)));
}

/** The entries of one bundle; null if its bytes are none. */
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

/** Null unless the bytes are those that `entryBytes` gives. */
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

/** Whether a log is signed by the key under the key's own name. */
export function isLogOf({ checkpoint, origin }: ReleaseLog, key: PublicKey): boolean {
  return (key.kind === 'witness' || origin === key.name) && isSignedBy(checkpoint, key);
}

/** Whether the first entries of a log are those of a checkpoint. */
export function goesOnFrom(
  entries: readonly LogEntry[],
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): boolean {
  return entries.length >= size && logRoot(entries.slice(0, size)).equals(root);
}

/** The number of entries, from the first, that two logs share. */
export function sharedEntries(a: readonly LogEntry[], b: readonly LogEntry[]): number {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) {
    const [one, other] = [a[i], b[i]];
    if (one === undefined || other === undefined || !agree(one, other)) return i;
  }
  return most;
}
