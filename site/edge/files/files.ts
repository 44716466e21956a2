/** The one interface through which an edge reads a tree, and the checks that every read passes. */
import type { PublishedFile } from '../../../build/format/manifest.ts';

export interface Files {
  /** What is known of a file; null where there is none, or a folder. Paths are relative, checked, without `..`. */
  stat(path: string, signal?: AbortSignal): Promise<FileStat | null>;
  /** Bytes of a file; null where there is none. A range past the file's end is cut to it. */
  read(path: string, range: ByteRange | null, signal?: AbortSignal): Promise<FileBytes | null>;
  /** The same as a stream, for files that are passed on as they are. */
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
  /** The host's own, without quotes, where it has one. */
  readonly etag: string | null;
}

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface FileBytes {
  /** Bytes of the whole file. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** A stored file is not what the manifest says. Either a release has just been switched, or the tree is damaged. */
export class TreeMismatch extends Error {
  override readonly name = 'TreeMismatch';
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.path = path;
  }
}

/** A file as a manifest lists it; its path from the tree's root. */
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
  // All of a file is no part of it: a host may compress what it sends whole.
  const whole = range.start === 0 && range.end >= entry.bytes;
  const found = await files.read(path, whole ? null : range, signal);
  if (!found) throw new TreeMismatch(path, 'is in the manifest and not in the tree');
  if (found.size !== entry.bytes) throw wrongLength(path, entry.bytes, found.size);
  const wanted = Math.min(range.end, entry.bytes) - range.start;
  if (found.bytes.length !== wanted)
    throw new TreeMismatch(path, `gave ${found.bytes.length} of ${wanted} bytes`);
  return found.bytes;
}

/** Throws TreeMismatch where a listed file is missing or has another length. */
export async function statListed(
  files: Files,
  { path, entry }: ListedFile,
  signal?: AbortSignal,
): Promise<FileStat> {
  const stat = await files.stat(path, signal);
  if (!stat) throw new TreeMismatch(path, 'is in the manifest and not in the tree');
  if (stat.bytes !== entry.bytes) throw wrongLength(path, entry.bytes, stat.bytes);
  return stat;
}

function wrongLength(path: string, said: number, found: number): TreeMismatch {
  return new TreeMismatch(path, `has ${found} bytes and the manifest says ${said}`);
}
