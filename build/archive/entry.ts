/** A file to pack. */
export interface ArchiveEntry {
  /** Path within the archive, with `/`. */
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
  /** Streams the bytes. */
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
