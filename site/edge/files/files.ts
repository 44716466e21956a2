/** How an edge reads a tree, and the checks of every read. */
import type { PublishedFile } from '../../../build/format/manifest.ts';

export interface Files {
  /** Null where the path leads to no file. Paths are relative and never contain `..`: the route has checked them. */
  stat(path: string, signal?: AbortSignal): Promise<FileStat | null>;
  /** Null where there is no file. A range that goes past the file's end stops there. */
  read(path: string, range: ByteRange | null, signal?: AbortSignal): Promise<FileBytes | null>;
  /** The same bytes as a stream. */
  stream(
    path: string,
    range: ByteRange | null,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array> | null>;
}

export interface FileStat {
  readonly bytes: number;
  /** Null where the host does not say. */
  readonly modified: Date | null;
  /** The host's ETag, without quotes; null where it has none. */
  readonly etag: string | null;
}

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface FileBytes {
  /** The length of the whole file in bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** A stored file does not match the manifest: another release has just become current, or the tree is damaged. */
export class TreeMismatch extends Error {
  override readonly name = 'TreeMismatch';
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.path = path;
  }
}

/** A file as a manifest lists it, with its path from the tree's root. */
export interface ListedFile {
  readonly path: string;
  readonly entry: PublishedFile;
}

/** Bytes of a listed file. Throws TreeMismatch where the file is missing or has another length. */
export async function readListed(
  files: Files,
  { path, entry }: ListedFile,
  range: ByteRange,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  // A whole file is read without a range, since a host may compress the files that it sends whole.
  const whole = range.start === 0 && range.end >= entry.bytes;
  const found = await files.read(path, whole ? null : range, signal);
  if (!found) throw new TreeMismatch(path, 'is in the manifest but not in the tree');
  if (found.size !== entry.bytes) throw wrongLength(path, entry.bytes, found.size);
  const wanted = Math.min(range.end, entry.bytes) - range.start;
  if (found.bytes.length !== wanted)
    throw new TreeMismatch(path, `gave only ${found.bytes.length} of ${wanted} bytes`);
  return found.bytes;
}

/** Throws TreeMismatch where a listed file is missing or has another length. */
export async function statListed(
  files: Files,
  { path, entry }: ListedFile,
  signal?: AbortSignal,
): Promise<FileStat> {
  const stat = await files.stat(path, signal);
  if (!stat) throw new TreeMismatch(path, 'is in the manifest but not in the tree');
  if (stat.bytes !== entry.bytes) throw wrongLength(path, entry.bytes, stat.bytes);
  return stat;
}

function wrongLength(path: string, said: number, found: number): TreeMismatch {
  return new TreeMismatch(path, `has ${found} bytes, but the manifest says ${said}`);
}
