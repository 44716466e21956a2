/** How an edge reads a tree. `proof.ts` checks what it reads. */

export interface Files {
  /** Null if there is no such file. Paths are relative and never contain `..`: the route has checked them. */
  stat(path: string, signal?: AbortSignal): Promise<FileStat | null>;
  /** Null if there is no such file. A range stops at the file's end. */
  read(path: string, range: ByteRange | null, signal?: AbortSignal): Promise<FileBytes | null>;
}

export interface FileStat {
  readonly bytes: number;
  /** Null if the host doesn't say. */
  readonly modified: Date | null;
  /** The host's ETag without quotes, or null. */
  readonly etag: string | null;
}

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface FileBytes {
  /** Length of the whole file in bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/**
 * A stored file doesn't match the manifest: another release has just become current, or the tree is damaged.
 */
export class TreeMismatch extends Error {
  override readonly name = 'TreeMismatch';
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.path = path;
  }
}
