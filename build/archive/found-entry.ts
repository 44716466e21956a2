/** An archive as its readers find it: anybody's, and not believed. */

/** What is wrong with an archive, at the entry that it is wrong with. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code: string;
  /** Null where it is no single entry's. */
  readonly entry: string | null;

  constructor(code: string, entry: string | null, message: string) {
    super(message);
    this.code = code;
    this.entry = entry;
  }
}

/** An entry, as its reader finds it. */
export interface FoundEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  /** As the archive says; what comes is counted. */
  readonly bytes: number;
  readonly modified: Date;
  readonly read: () => AsyncIterable<Uint8Array>;
}
