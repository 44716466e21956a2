/** Reads the entries of an untrusted ZIP file in the order of its directory. */
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

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

/** Throws ArchiveError. */
export async function* readZip(file: string): AsyncGenerator<FoundEntry> {
  let last: string | null = null;
  const zip = await openPromise(file, { decodeStrings: false, autoClose: false }).catch(error => {
    throw unreadable(error, last);
  });
  try {
    for await (const entry of zip.eachEntry()) {
      last = nameOf(entry);
      yield {
        name: last,
        kind: kindOf(entry, last),
        bytes: entry.uncompressedSize,
        modified: entry.getLastModDate({ timezone: 'UTC' }),
        read: () => readEntry(zip, entry),
      };
    }
  } catch (error) {
    throw unreadable(error, last);
  } finally {
    zip.close();
  }
}

function unreadable(error: unknown, entry: string | null): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const cut = /end of central directory|unexpected EOF/i.test(why);
  return new ArchiveError(
    cut ? 'archive-truncated' : 'archive-corrupt',
    entry,
    `The program cannot read the archive: ${why.replace(/\.$/, '')}. Copy it again.`,
  );
}

/** Adds a NUL to a name that is not UTF-8, so that `unpackArchive` refuses it. */
function nameOf({ fileNameRaw }: Entry): string {
  const name = fileNameRaw.toString('utf8');
  return name.includes('\ufffd') ? `${name}\0` : name;
}

/** ZIP writers on Unix record an entry's kind; a name with a final slash is a folder everywhere. */
function kindOf({ versionMadeBy, externalFileAttributes }: Entry, name: string): FoundEntry['kind'] {
  if (name.endsWith('/')) return 'folder';
  const type = versionMadeBy >>> 8 === 3 ? (externalFileAttributes >>> 16) & 0o170000 : 0;
  return type === 0 || type === 0o100000 ? 'file' : 'other';
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let crc = 0;
  // The directory may lead to bytes that are no entry.
  const stream = await zip.openReadStreamPromise(entry).catch(error => {
    throw unreadable(error, nameOf(entry));
  });
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== entry.crc32) {
    const message = 'The bytes of the entry do not match its checksum. Copy the archive again.';
    throw new ArchiveError('archive-corrupt', nameOf(entry), message);
  }
}
