/** Types for reading untrusted archives. */

/** A fault of an archive or of one entry. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code: string;
  /** Null if the fault concerns no single entry. */
  readonly entry: string | null;

  constructor(code: string, entry: string | null, message: string) {
    super(message);
    this.code = code;
    this.entry = entry;
  }
}

export interface FoundEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  /** The size that the archive states; the content may differ. */
  readonly bytes: number;
  readonly modified: Date;
  readonly read: () => AsyncIterable<Uint8Array>;
}
