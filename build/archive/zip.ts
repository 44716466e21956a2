/**
 * Writes and unpacks ZIP files. Written entries aren't compressed, because compressors differ between
 * versions and these bytes must not.
 */
import { once } from 'node:events';
import { mkdir, open, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ZipFile as ZipWriter } from 'yazl';
import { type RefusedError, refused } from '../failure.ts';

/** A regular file, `rw-r--r--`. */
const MODE = 0o100644;

type Entries = AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>;

export async function* zipBytes(entries: Entries): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  const output = zip.outputStream as PassThrough;
  const written = addEntries(zip, entries).catch((error: Error) => void output.destroy(error));
  for await (const chunk of output) yield chunk as Uint8Array;
  await written;
}

async function addEntries(zip: ZipWriter, entries: Entries): Promise<void> {
  const output = zip.outputStream as PassThrough;
  const closed = once(output, 'close').catch(() => undefined);
  zip.on('error', error => output.destroy(error));
  for await (const { name, bytes, modified, read } of entries) {
    // yazl keeps buffers in memory, but not streams.
    const content = Readable.from(read(), { objectMode: false });
    const options = { mtime: noonOf(modified), mode: MODE, compress: false, forceDosTimestamp: true };
    zip.addReadStream(content, name, { ...options, size: bytes });
    await Promise.race([finished(content), closed]);
    content.destroy();
    if (output.destroyed) return;
  }
  zip.end();
}

/** Noon in the machine's zone: yazl writes local times, and these bytes must not depend on the zone. */
function noonOf(day: Date): Date {
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12);
}

export interface ArchiveEntry {
  /** Path within the archive, with `/`. */
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
  readonly read: () => AsyncIterable<Uint8Array> | readonly Uint8Array[];
}

export function textEntry(name: string, text: string, modified: Date): ArchiveEntry {
  const bytes = Buffer.from(text);
  return { name, bytes: bytes.length, modified, read: () => [bytes] };
}

export interface Unpacked {
  /** The top-level folder of all files. */
  readonly root: string;
  readonly files: readonly Omit<ArchiveEntry, 'read'>[];
}

/**
 * Text rows shrink about fiftyfold when another program compresses them, so no honest archive grows this
 * much.
 */
const MOST_GROWTH = 300;
const SMALL_BYTES = 1 << 30;
const LONGEST_NAME = 1024;
const LONGEST_SEGMENT = 255;

/**
 * Unpacks an untrusted archive. Refuses entries, before writing them, that would leave the folder, repeat a
 * name, aren't files, or would fill the disk. Throws RefusedError.
 */
export async function unpackArchive(file: string, folder: string): Promise<Unpacked> {
  const { size } = await stat(file);
  const { bavail, bsize } = await statfs(folder);
  const most = Math.min(Math.max(SMALL_BYTES, size * MOST_GROWTH), bavail * bsize * 0.95);
  const files: Omit<ArchiveEntry, 'read'>[] = [];
  const seen = new Set<string>();
  let total = 0;
  for await (const entry of readZip(file)) {
    const { name, kind, bytes, modified } = entry;
    const refuse = (code: string, message: string) => refused(code, shownName(name), message);
    const wrong = wrongName(name);
    if (wrong !== null)
      throw refuse('archive-unsafe-name', `The entry's name ${wrong}. The program did not unpack it.`);
    if (kind === 'folder') continue;
    if (kind === 'other') {
      throw refuse(
        'archive-unsafe-entry',
        'The entry is a link or a device. An archive of a tree contains only files.',
      );
    }
    if (seen.has(name)) throw refuse('archive-duplicate', 'The archive contains the entry twice.');
    seen.add(name);
    if (bytes > most - total)
      throw refuse(
        'archive-too-large',
        `Unpacked, the archive would take more than ${most} bytes: more than an archive of ${size} bytes should hold, or than the disk of temporary files has free. Unpack it yourself, and verify the folder.`,
      );
    const target = path.join(folder, name);
    await mkdir(path.dirname(target), { recursive: true }).catch(() => {
      throw refuse('archive-duplicate', "Another entry is a file under the name of this entry's folder.");
    });
    const handle = await open(target, 'wx').catch(() => {
      throw refuse('archive-duplicate', 'On this disk, the entry has the same name as another entry.');
    });
    // yauzl refuses content whose length differs from the stated one.
    await writeFile(handle, entry.read()).finally(() => handle.close());
    total += bytes;
    files.push({ name, bytes, modified });
  }
  const roots = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  const [root = ''] = roots;
  if (roots.size !== 1 || root === '')
    throw refused('not-a-bag', file, 'The files of the archive are not all in one folder.');
  return { root: root.slice(0, -1), files };
}

/** Null if the name is safe. */
function wrongName(name: string): string | null {
  if (name.length > LONGEST_NAME) return 'is too long';
  if (/[\u0000-\u001f\u007f\\]/.test(name)) return 'has a backslash, a NUL or another control character';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is absolute';
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.includes('..')) return 'leads out of the folder';
  if (segments.includes('') || segments.includes('.')) return 'has an empty segment';
  return segments.some(segment => segment.length > LONGEST_SEGMENT) ? 'is too long' : null;
}

/** Control characters are escaped, and a name of any length fits a line. */
function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 200)).slice(1, -1);
}

interface FoundEntry extends ArchiveEntry {
  readonly kind: 'file' | 'folder' | 'other';
}

/** Lengths are as the archive states; the content may differ. Throws RefusedError. */
export async function* readZip(file: string): AsyncGenerator<FoundEntry> {
  let last = file;
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

/** `where`: the entry's name, or the archive's. */
function unreadable(error: unknown, where: string): RefusedError {
  const why = error instanceof Error ? error.message : String(error);
  const cut = /end of central directory|unexpected EOF/i.test(why);
  return refused(
    cut ? 'archive-truncated' : 'archive-corrupt',
    where,
    `The program cannot read the archive: ${why.replace(/\.$/, '')}. Copy it again.`,
  );
}

/** If the name isn't UTF-8, adds a NUL, so that `unpackArchive` refuses it. */
function nameOf({ fileNameRaw }: Entry): string {
  const name = fileNameRaw.toString('utf8');
  return name.includes('\ufffd') ? `${name}\0` : name;
}

/** ZIP writers on Unix record an entry's kind. A name with a final slash is a folder everywhere. */
function kindOf({ versionMadeBy, externalFileAttributes }: Entry, name: string): FoundEntry['kind'] {
  if (name.endsWith('/')) return 'folder';
  const type = versionMadeBy >>> 8 === 3 ? (externalFileAttributes >>> 16) & 0o170000 : 0;
  return type === 0 || type === 0o100000 ? 'file' : 'other';
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let crc = 0;
  try {
    // The directory may point to bytes that aren't an entry.
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      crc = crc32(chunk as Uint8Array, crc);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw unreadable(error, nameOf(entry));
  }
  if (crc !== entry.crc32) {
    const message = 'The bytes of the entry do not match its checksum. Copy the archive again.';
    throw refused('archive-corrupt', nameOf(entry), message);
  }
}
