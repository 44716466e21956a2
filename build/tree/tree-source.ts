/** Reads a tree from a folder or from the address of a host. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RefusedError, refused, UnableError } from '../failure.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import { type ManifestShape, misshapen, shapeDiagnostic } from './manifest-shape.ts';

/** `end` isn't included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface TreeSource {
  /** The location that the caller gave. */
  readonly name: string;
  /** Null if the file is absent. */
  text(file: string): Promise<string | null>;
  /** The bytes of a file, or of a part of it; null if absent. */
  bytes(file: string, range?: ByteRange): Promise<Buffer | null>;
  /** Path of the file on this machine, after its hash is checked; null if absent. */
  local(file: string, sha256: string): Promise<string | null>;
}

export function folderSource(folder: string): TreeSource {
  return {
    name: folder,
    text: file => readFile(path.join(folder, file), 'utf8').catch(() => null),
    bytes: async (file, range) => {
      const bytes = await readFile(path.join(folder, file)).catch(() => null);
      return bytes && range ? bytes.subarray(range.start, range.end) : bytes;
    },
    local: async (file, sha256) => {
      const found = path.join(folder, file);
      if (!existsSync(found)) return null;
      if (digestFile(found).sha256 !== sha256) throw damaged(folder, file);
      return found;
    },
  };
}

/** Statuses that mean "absent". A bucket that hides its listing answers 403. */
const ABSENT: ReadonlySet<number> = new Set([403, 404, 410]);

function addressSource(address: string, temporaryFolder: string): TreeSource {
  const base = address.endsWith('/') ? address : `${address}/`;
  const get = async (file: string, headers = {}) => {
    const response = await fetch(new URL(file, base), { headers }).catch((error: unknown) => {
      const why = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      throw new UnableError('unreachable', `${base} cannot be reached${why}. Name the address of a tree.`);
    });
    if (response.ok) return response;
    if (ABSENT.has(response.status)) return null;
    throw new UnableError('unreachable', `${base}${file} answers ${response.status}. Try again.`);
  };
  return {
    name: address,
    text: async file => (await get(file))?.text() ?? null,
    bytes: async (file, range) => {
      const part = range && { Range: `bytes=${range.start}-${range.end - 1}`, 'Accept-Encoding': 'identity' };
      const response = await get(file, part);
      if (response === null) return null;
      const bytes = Buffer.from(await response.arrayBuffer());
      // A host may send the whole file instead of a part.
      return range && response.status === 200 ? bytes.subarray(range.start, range.end) : bytes;
    },
    local: async (file, sha256) => {
      const response = await get(file);
      if (response === null) return null;
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (digestText(bytes) !== sha256) throw damaged(address, file);
      const target = path.join(temporaryFolder, sha256);
      await mkdir(temporaryFolder, { recursive: true });
      await writeFile(target, bytes);
      return target;
    },
  };
}

/**
 * `text` throws RefusedError if a document's bytes don't have its hash, and returns null for an absent one, because
 * a publisher may keep a manifest without its tree.
 */
export function checkedSource(source: TreeSource, hashes: ReadonlyMap<string, string>): TreeSource {
  return {
    ...source,
    text: async file => {
      const text = await source.text(file);
      const sha256 = hashes.get(file);
      if (text !== null && sha256 !== undefined && digestText(text) !== sha256)
        throw damaged(source.name, file);
      return text;
    },
  };
}

export function damaged(tree: string, file: string): RefusedError {
  const message = `The file of ${tree} does not match its manifest: it is damaged or belongs to another release. Copy it again.`;
  return refused('tree-corrupt-file', file, message);
}

/**
 * Takes a folder, an address, or the root manifest.json of either. `temporaryFolder`: for downloads of
 * `local`.
 */
export function sourceOf(location: string, temporaryFolder = os.tmpdir()): TreeSource {
  const root = location.replace(/(^|\/)manifest\.json([?#].*)?$/, '$1');
  return /^https?:/.test(location)
    ? addressSource(root, temporaryFolder)
    : folderSource(root === '' ? '.' : root);
}

/** Null if the file is absent. Throws RefusedError if it doesn't have the shape. */
export async function readManifest<Manifest>(
  tree: TreeSource,
  file: string,
  shape: ManifestShape<Manifest>,
): Promise<Manifest | null> {
  const text = await tree.text(file);
  if (text === null) return null;
  const found = parseJson<Manifest>(text);
  const different = misshapen(shape, found);
  if (found === null || different !== null)
    throw new RefusedError([shapeDiagnostic(file, different ?? 'is empty')]);
  return found;
}

/** Null if the file is absent or isn't JSON. */
export async function readDocument<Document>(tree: TreeSource, file: string): Promise<Document | null> {
  return parseJson<Document>(await tree.text(file));
}

/** Null if the text isn't JSON. */
export function parseJson<Document>(text: string | null): Document | null {
  try {
    return text === null ? null : (JSON.parse(text) as Document);
  } catch {
    return null;
  }
}
