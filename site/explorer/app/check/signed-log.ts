/** Checks a signed log of releases in the browser. FORMAT.md, "log/", has its bytes. */
import { sha256 } from '../../../edge/files/sha256.ts';

export interface Checkpoint {
  /** What is signed. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly root: string;
  readonly signatures: readonly LogSignature[];
}

interface LogSignature {
  readonly name: string;
  /** The id of its key, 8 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface LogEntry {
  readonly release: string;
  /** Of the release's content, lower-case hexadecimal; absent in entries of earlier programs. */
  readonly content?: string;
  /** Of its manifest.json, in entries of earlier programs. */
  readonly manifest?: string;
}

interface PublicKey {
  readonly name: string;
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const TILE = 256;
const ID_BYTES = 4;
const KEY_BYTES = 32;
/** C2SP signed-note's byte for Ed25519. */
const ED25519 = 1;

/** A page reads at most so many releases of a log. */
export const MOST_ENTRIES = 100 * TILE;

const encoder = new TextEncoder();

/** Null if the text is no signed checkpoint. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [, origin = '', size = '', root = ''] =
    /^([^\n]+)\n(0|[1-9]\d{0,8})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(text) ?? [];
  const lines = note
    .slice(end + 2)
    .split('\n')
    .slice(0, -1);
  const signatures = lines.map(line => /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line));
  if (end < 0 || origin === '' || lines.length === 0 || signatures.includes(null)) return null;
  return {
    text,
    origin,
    size: Number(size),
    root: toHex(decode(root) ?? new Uint8Array()),
    signatures: signatures.map(match => {
      const bytes = decode(match?.[2] ?? '') ?? new Uint8Array();
      return { name: match?.[1] ?? '', id: toHex(bytes.subarray(0, ID_BYTES)), bytes: bytes.slice(ID_BYTES) };
    }),
  };
}

/** Null if the text is no public key of a log, or its id does not fit its name and bytes. */
export async function parsePublicKey(text: string): Promise<PublicKey | null> {
  const [, name = '', id = '', encoded = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const bytes = decode(encoded);
  if (bytes?.length !== KEY_BYTES + 1 || bytes[0] !== ED25519) return null;
  const hash = await sha256(joined(encoder.encode(`${name}\n`), bytes));
  return hash.startsWith(id) ? { name, id, bytes: bytes.slice(1) } : null;
}

/** Null if the browser cannot check such signatures, as on a page that did not come by https. */
export async function isSigned(checkpoint: Checkpoint, key: PublicKey): Promise<boolean | null> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  const imported = await subtle?.importKey('raw', key.bytes, 'Ed25519', false, ['verify']).catch(() => null);
  if (!subtle || !imported) return null;
  const text = encoder.encode(checkpoint.text);
  const mine = checkpoint.signatures.filter(({ name, id }) => name === key.name && id === key.id);
  const found = await Promise.all(mine.map(({ bytes }) => subtle.verify('Ed25519', imported, bytes, text)));
  return checkpoint.origin === key.name && found.includes(true);
}

/** Paths below the tree's root of the files that hold the entries. */
export function bundlePaths(size: number): string[] {
  return Array.from({ length: Math.ceil(size / TILE) }, (_, index) => {
    const digits = String(index);
    const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
    const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
    const width = Math.min(TILE, size - index * TILE);
    return `log/tile/entries/${name}${width < TILE ? `.p/${width}` : ''}`;
  });
}

/** The entries of a bundle, as their bytes; null if it breaks off. */
export function splitBundle(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | null {
  const entries: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    if (at + 2 > bytes.length || end > bytes.length) return null;
    entries.push(bytes.slice(at + 2, end));
    at = end;
  }
  return entries;
}

/** Null if the bytes are no entry. */
export function parseEntry(bytes: Uint8Array): LogEntry | null {
  try {
    const { release, content, manifest } = JSON.parse(new TextDecoder().decode(bytes)) as LogEntry;
    return {
      release: String(release),
      ...(content === undefined ? { manifest: String(manifest) } : { content: String(content) }),
    };
  } catch {
    return null;
  }
}

/** The root hash of RFC 6962 over entries, lower-case hexadecimal. */
export async function rootOf(entries: readonly Uint8Array[]): Promise<string> {
  if (entries.length === 0) return sha256(new Uint8Array());
  let hashes = await Promise.all(entries.map(entry => sha256(joined(Uint8Array.of(0), entry))));
  // Neighbours are joined level by level; one without a neighbour goes up as it is.
  while (hashes.length > 1) {
    const pairs = Array.from({ length: Math.ceil(hashes.length / 2) }, (_, i) =>
      hashes.slice(2 * i, 2 * i + 2),
    );
    hashes = await Promise.all(
      pairs.map(([left = '', right]) =>
        right === undefined ? left : sha256(joined(Uint8Array.of(1), fromHex(left), fromHex(right))),
      ),
    );
  }
  return hashes[0] ?? '';
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), one => one.charCodeAt(0));
  } catch {
    return null;
  }
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}
