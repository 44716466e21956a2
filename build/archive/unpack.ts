/**
 * Unpacks an untrusted archive into a folder. Refuses, before writing it, an entry that would leave the folder, repeat
 * a name, be anything but a file, or fill the disk.
 */
import { mkdir, open, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ArchiveError, readZip } from './zip-reader.ts';

export interface UnpackedFile {
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
}

export interface Unpacked {
  /** The top-level folder of all files. */
  readonly root: string;
  readonly files: readonly UnpackedFile[];
}

/** Rows as text shrink about fiftyfold where another program packed them, so no honest archive grows this much. */
const MOST_GROWTH = 300;
const SMALL_BYTES = 1 << 30;
const LONGEST_NAME = 1024;
const LONGEST_SEGMENT = 255;

/** Throws ArchiveError. */
export async function unpackArchive(file: string, archiveLength: number, folder: string): Promise<Unpacked> {
  const { bavail, bsize } = await statfs(folder);
  const most = Math.min(Math.max(SMALL_BYTES, archiveLength * MOST_GROWTH), bavail * bsize * 0.95);
  const files: UnpackedFile[] = [];
  const seen = new Set<string>();
  const folders = new Set<string>();
  let total = 0;
  for await (const entry of readZip(file)) {
    const { name, kind, modified } = entry;
    const refuse = (code: string, message: string) => new ArchiveError(code, shownName(name), message);
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
    const tooMuch = () =>
      refuse(
        'archive-too-large',
        `Unpacked, the archive would take more than ${most} bytes: more than an archive of ${archiveLength} bytes should hold, or than the disk of temporary files has free. Unpack it yourself, and verify the folder.`,
      );
    if (entry.bytes > most - total) throw tooMuch();
    const target = path.join(folder, name);
    if (!folders.has(path.dirname(target))) {
      await mkdir(path.dirname(target), { recursive: true }).catch(() => {
        throw refuse('archive-duplicate', "Another entry is a file under the name of this entry's folder.");
      });
      folders.add(path.dirname(target));
    }
    const handle = await open(target, 'wx').catch(() => {
      throw refuse('archive-duplicate', 'On this disk, the entry has the same name as another entry.');
    });
    let bytes = 0;
    try {
      for await (const chunk of entry.read()) {
        bytes += chunk.length;
        total += chunk.length;
        if (total > most) throw tooMuch();
        if (bytes > entry.bytes) break;
        await handle.writeFile(chunk);
      }
    } finally {
      await handle.close();
    }
    if (bytes !== entry.bytes)
      throw refuse(
        'archive-corrupt',
        `The entry does not have the ${entry.bytes} bytes that its header states.`,
      );
    files.push({ name, bytes, modified });
  }
  const roots = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  const [root = ''] = roots;
  if (roots.size !== 1 || root === '')
    throw new ArchiveError('not-a-bag', null, 'The files of the archive are not all in one folder.');
  return { root: root.slice(0, -1), files };
}

/** Says why a name is unsafe; null if it is safe. */
function wrongName(name: string): string | null {
  if (name.length > LONGEST_NAME) return 'is too long';
  if (/[\u0000-\u001f\u007f\\]/.test(name)) return 'has a backslash, a NUL or another control character';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is absolute';
  const segments = name.replace(/\/$/, '').split('/');
  if (segments.includes('..')) return 'leads out of the folder';
  if (segments.includes('') || segments.includes('.')) return 'has an empty segment';
  return segments.some(segment => segment.length > LONGEST_SEGMENT) ? 'is too long' : null;
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 200)).slice(1, -1);
}
