/** What an archive is made of, whatever its format. */

/** A file of an archive. */
export interface ArchiveEntry {
  /** Path within the archive, with `/`. */
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
  /** Its bytes, from the start; they may be asked for more than once. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

export function textEntry(name: string, text: string, modified: Date): ArchiveEntry {
  const bytes = Buffer.from(text);
  return {
    name,
    bytes: bytes.length,
    modified,
    read: async function* () {
      yield bytes;
    },
  };
}
