/**
 * The log of a tree's releases: an entry for each, in a Merkle tree (RFC 6962) under a signed checkpoint. Entries, tiles
 * and checkpoint are files in the forms of C2SP tlog-tiles and tlog-checkpoint; FORMAT.md specifies their bytes. Pure.
 */
import {
  CHECKPOINT,
  type Checkpoint,
  entryBytes,
  LOG_FOLDER,
  type LogEntry,
  leafHash,
  type PublicKey,
  rootHash,
  rootOf,
  type SignedNote,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tilesOf,
} from '../format/signed-log.ts';
import { formatNote, isSignedBy, type SigningKey, sha256, signNote } from './signed-note.ts';

export interface ReleaseLog {
  readonly checkpoint: SignedNote;
  /** The checkpoint's first line, which names the log. */
  readonly origin: string;
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
}

/** Lower-case hexadecimal. */
export function logRoot(entries: readonly LogEntry[]): string {
  return rootOf(entries, sha256);
}

/** Every file of a log. The same entries and key give the same bytes. */
export function logFiles(entries: readonly LogEntry[], key: SigningKey): [path: string, bytes: Buffer][] {
  const root = Buffer.from(logRoot(entries), 'hex').toString('base64');
  const text = `${key.name}\n${entries.length}\n${root}\n`;
  const checkpoint = formatNote({ text, signatures: [signNote(text, key)] });
  return [[CHECKPOINT, Buffer.from(checkpoint)], ...tileFiles(entries)];
}

export function tileFiles(entries: readonly LogEntry[]): [path: string, bytes: Buffer][] {
  const bytes = entries.map(entryBytes);
  const bundles = tilesOf('entries', entries.length).map((tile): [Tile, Buffer] => {
    const held = bytes.slice(tile.index * TILE_WIDTH, tile.index * TILE_WIDTH + tile.width);
    return [tile, Buffer.concat(held.flatMap(entry => [lengthOf(entry), entry]))];
  });
  const tiles = [...hashTiles(bytes.map(entry => leafHash(entry, sha256))), ...bundles];
  return tiles.map(([tile, content]) => [`${LOG_FOLDER}/${tilePath(tile)}`, content]);
}

function lengthOf(entry: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(entry.length);
  return length;
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
  return entries.length >= size && logRoot(entries.slice(0, size)) === root;
}

/** The number of equal entries at the start of two logs. */
export function sharedEntries(a: readonly LogEntry[], b: readonly LogEntry[]): number {
  const texts = b.map(entry => String(entryBytes(entry)));
  const different = a.findIndex((entry, i) => String(entryBytes(entry)) !== texts[i]);
  return different < 0 ? a.length : different;
}

/** All tiles of hashes. A hash above level 0 is the root of a full tile below. */
function hashTiles(leaves: readonly Uint8Array[]): [Tile, Buffer][] {
  const tiles: [Tile, Buffer][] = [];
  let hashes = leaves;
  for (let level = 0; hashes.length > 0; level++) {
    const list = tilesOf(level, hashes.length).map((tile): [Tile, readonly Uint8Array[]] => [
      tile,
      hashes.slice(tile.index * TILE_WIDTH, tile.index * TILE_WIDTH + tile.width),
    ]);
    tiles.push(...list.map(([tile, held]): [Tile, Buffer] => [tile, Buffer.concat(held)]));
    hashes = list.filter(([tile]) => tile.width === TILE_WIDTH).map(([, held]) => rootHash(held, sha256));
  }
  return tiles;
}
