/**
 * The signed log of releases, as its files are read: signed notes and their keys (C2SP signed-note), checkpoints, and
 * bundles of entries in a Merkle tree (RFC 6962, C2SP tlog-tiles). FORMAT.md specifies the bytes.
 */

/** Node and browsers bring their own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** Folder of the log, and its checkpoint. */
export const LOG_FOLDER = 'log';
export const CHECKPOINT = `${LOG_FOLDER}/checkpoint`;

/** Hashes are lower-case hexadecimal SHA-256. */
export interface LogEntry {
  readonly release: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Hash of its content (contentLines in manifest.ts). */
  readonly content: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function entryBytes(entry: LogEntry): Uint8Array {
  return encoder.encode(entryText(entry));
}

function entryText({ release, date, content }: LogEntry): string {
  return JSON.stringify({ release, date, content });
}

/** The entries of a bundle; null if it isn't one. */
export function parseBundle(bytes: Uint8Array): LogEntry[] | null {
  const entries: LogEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    const isWhole = at + 2 <= bytes.length && end <= bytes.length;
    const entry = isWhole ? parseEntry(bytes.subarray(at + 2, end)) : null;
    if (entry === null) return null;
    entries.push(entry);
    at = end;
  }
  return entries;
}

/** Null unless `entryBytes` gives the same bytes. */
function parseEntry(bytes: Uint8Array): LogEntry | null {
  try {
    const text = decoder.decode(bytes);
    const { release, date, content } = JSON.parse(text) as LogEntry;
    const entry = { release: String(release), date: String(date), content: String(content) };
    return entryText(entry) === text ? entry : null;
  } catch {
    return null;
  }
}

/** Lower-case hexadecimal. */
export function rootOf(entries: readonly LogEntry[], sha256: Sha256): string {
  return toHex(
    rootHash(
      entries.map(entry => leafHash(entryBytes(entry), sha256)),
      sha256,
    ),
  );
}

export function leafHash(entry: Uint8Array, sha256: Sha256): Uint8Array {
  return sha256(joinBytes(Uint8Array.of(0), entry));
}

export function rootHash(leaves: readonly Uint8Array[], sha256: Sha256): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return sha256(new Uint8Array());
  if (leaves.length === 1) return only;
  // The left part has the largest power of two less than all.
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return sha256(joinBytes(Uint8Array.of(1), rootHash(left, sha256), rootHash(right, sha256)));
}

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;

/** A file with `width` hashes or entries: tile `index` of a level. */
export interface Tile {
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

/** Paths of the files with a log's entries. */
export function bundlePaths(size: number): string[] {
  return tilesOf('entries', size).map(tile => `${LOG_FOLDER}/${tilePath(tile)}`);
}

/** The most entries of a log, because a forged size must not fill memory. */
const MOST_ENTRIES = 4_000_000;

export interface Checkpoint {
  readonly note: SignedNote;
  readonly origin: string;
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly root: string;
}

/** Null if the text isn't a checkpoint. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const note = parseNote(text);
  const [, origin = '', digits = '', root = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,8})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(note?.text ?? '') ?? [];
  const size = Number(digits);
  if (note === null || origin === '' || size > MOST_ENTRIES) return null;
  return { note, origin, size, root: toHex(decodeBase64(root) ?? new Uint8Array()) };
}

export interface SignedNote {
  /** Lines, each with its line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  /** The key's id, then the signature of its algorithm. */
  readonly bytes: Uint8Array;
}

/** Null if the text isn't a signed note. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || /[\0-\x09\x0b-\x1f\ufffd]/.test(note)) return null;
  const signatures: NoteSignature[] = [];
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
    const bytes = decodeBase64(encoded);
    if (name === undefined || bytes === null) return null;
    signatures.push({ name, bytes });
  }
  return { text: note.slice(0, end + 1), signatures };
}

/** A signer states the text; a witness states that it saw a checkpoint at a time. */
export type KeyKind = 'signer' | 'witness';

/** The bytes of C2SP signed-note for Ed25519 signatures and for timestamped cosignatures. */
export const ALGORITHM = { signer: 1, witness: 4 } as const;

export const KEY_BYTES = 32;
export const ID_BYTES = 4;

export interface PublicKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** A key's name, such as `data.example.org`, has no space and no plus sign. */
export function isKeyName(text: string): boolean {
  return /^[^\s+\p{C}]{1,200}$/u.test(text);
}

/** The first four bytes of a hash of the key's name, algorithm and bytes, as hexadecimal. */
export function keyId({ name, kind, bytes }: PublicKey, sha256: Sha256): string {
  const hash = sha256(joinBytes(encoder.encode(`${name}\n`), Uint8Array.of(ALGORITHM[kind]), bytes));
  return toHex(hash.subarray(0, ID_BYTES));
}

/** Null if the text isn't a public key, or its id doesn't fit its name and bytes. */
export function parsePublicKey(text: string, sha256: Sha256): PublicKey | null {
  const [, name = '', id, encoded = ''] =
    /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const bytes = decodeBase64(encoded);
  const kind =
    bytes?.[0] === ALGORITHM.signer ? 'signer' : bytes?.[0] === ALGORITHM.witness ? 'witness' : null;
  if (kind === null || bytes?.length !== 1 + KEY_BYTES || !isKeyName(name)) return null;
  const key = { name, kind, bytes: bytes.subarray(1) } as const;
  return keyId(key, sha256) === id ? key : null;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Null if the text isn't Base64. */
function decodeBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
