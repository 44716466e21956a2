/**
 * Writes a ZIP file of stored entries. It compresses nothing, because compressors differ between versions and these
 * bytes must not.
 */
import { once } from 'node:events';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A regular file, `rw-r--r--`. */
const MODE = 0o100644;

export async function* zipBytes(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const written = addEntries(zip, entries).catch((error: Error) => void output.destroy(error));
  for await (const chunk of output) yield chunk as Uint8Array;
  await written;
}

async function addEntries(zip: ZipFile, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  const output = zip.outputStream as PassThrough;
  const closed = once(output, 'close').catch(() => undefined);
  zip.on('error', error => output.destroy(error));
  for await (const { name, bytes, modified, read } of entries) {
    // yazl keeps the buffers that it is given, but not what streams bring.
    const content = Readable.from(read(), { objectMode: false });
    const options = { mtime: noonOf(modified), mode: MODE, compress: false, forceDosTimestamp: true };
    zip.addReadStream(content, name, { ...options, size: bytes });
    await Promise.race([finished(content), closed]);
    content.destroy();
    if (output.destroyed) return;
  }
  zip.end();
}

/** Noon of the day, in the machine's zone: yazl writes local times, and these bytes must not depend on the zone. */
function noonOf(day: Date): Date {
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12);
}

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
