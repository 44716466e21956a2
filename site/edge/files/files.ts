/** How an edge reads a tree. `proof.ts` checks what it reads. */

export interface Files {
  /** Null where the path leads to no file. Paths are relative and never contain `..`: the route has checked them. */
  stat(path: string, signal?: AbortSignal): Promise<FileStat | null>;
  /** Null where there is no file. A range that goes past the file's end stops there. */
  read(path: string, range: ByteRange | null, signal?: AbortSignal): Promise<FileBytes | null>;
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
