/**
 * Takes an archive apart into a folder. An archive is anybody's: whatever would leave the folder, stand twice, be more
 * than a file, or fill the disk is refused, and nothing is written for it.
 */
import { mkdir, open, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveFormat } from './archive-stream.ts';
import { ArchiveError } from './found-entry.ts';
import { readTar } from './tar-reader.ts';
import { readZip } from './zip-reader.ts';

export interface UnpackedFile {
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
}

export interface Unpacked {
  /** The one folder that all is in. */
  readonly root: string;
  readonly files: readonly UnpackedFile[];
  /** Why some files are missing or not as they were packed; null where nothing was noticed. */
  readonly damage: string | null;
}

/** No honest archive grows so: rows as text shrink some fiftyfold. */
const MOST_GROWTH = 300;
const SMALL_BYTES = 1 << 30;
const LONGEST_NAME = 1024;
const LONGEST_SEGMENT = 255;

/** Throws ArchiveError. */
export async function unpackArchive(
  file: string,
  format: ArchiveFormat,
  archiveLength: number,
  folder: string,
): Promise<Unpacked> {
  const { bavail, bsize } = await statfs(folder);
  const most = Math.min(Math.max(SMALL_BYTES, archiveLength * MOST_GROWTH), bavail * bsize * 0.95);
  const files: UnpackedFile[] = [];
  const seen = new Set<string>();
  const folders = new Set<string>();
  let total = 0;
  let damage: string | null = null;
  const onDamage = (message: string) => {
    damage ??= message;
  };
  for await (const entry of format === 'zip' ? readZip(file) : readTar(file, onDamage)) {
    const { name, kind, modified } = entry;
    const refuse = (code: string, message: string) => new ArchiveError(code, shownName(name), message);
    const wrong = wrongName(name);
    if (wrong !== null)
      throw refuse('archive-unsafe-name', `The entry's name ${wrong}. Nothing of it was written.`);
    if (kind === 'folder') continue;
    if (kind === 'other') {
      throw refuse(
        'archive-unsafe-entry',
        'The entry is a link or a device. An archive of a tree has files only.',
      );
    }
    if (seen.has(name)) throw refuse('archive-duplicate', 'The entry stands twice in the archive.');
    seen.add(name);
    const tooMuch = () =>
      refuse(
        'archive-too-large',
        `Unpacked, the archive would take more than ${most} bytes: it holds far more than its ${archiveLength} bytes promise, or the disk of temporary files is too small. Unpack it yourself, and verify the folder.`,
      );
    if (entry.bytes > most - total) throw tooMuch();
    const target = path.join(folder, name);
    if (!folders.has(path.dirname(target))) {
      await mkdir(path.dirname(target), { recursive: true }).catch(() => {
        throw refuse('archive-duplicate', 'The entry stands where another one is a file.');
      });
      folders.add(path.dirname(target));
    }
    const handle = await open(target, 'wx').catch(() => {
      throw refuse(
        'archive-duplicate',
        'The entry stands where another one is, as this disk tells names apart.',
      );
    });
    let bytes = 0;
    try {
      for await (const part of entry.read()) {
        bytes += part.length;
        total += part.length;
        if (total > most) throw tooMuch();
        if (bytes > entry.bytes) break;
        await handle.writeFile(part);
      }
    } finally {
      await handle.close();
    }
    if (bytes !== entry.bytes)
      throw refuse('archive-corrupt', `The entry does not have the ${entry.bytes} bytes that it says.`);
    files.push({ name, bytes, modified });
  }
  const roots = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  const [root = ''] = roots;
  if (roots.size !== 1 || root === '') {
    if (damage !== null) throw new ArchiveError('archive-corrupt', null, damageText(damage));
    throw new ArchiveError('not-a-bag', null, 'The archive does not hold one folder with all that it has.');
  }
  return { root: root.slice(0, -1), files, damage };
}

/** What is said of an archive with a damaged frame. */
export function damageText(damage: string): string {
  return `The archive cannot be read whole: ${damage}. Copy it again.`;
}

/** Why a name is none that a tree has; null where it is. */
function wrongName(name: string): string | null {
  if (name.length > LONGEST_NAME) return 'is too long';
  if (/[\u0000-\u001f\u007f\\]/.test(name)) return 'has a backslash, a NUL or another control character';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is absolute';
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.some(part => part === '..')) return 'leads out of the folder';
  if (parts.some(part => part === '' || part === '.')) return 'has an empty part';
  return parts.some(part => part.length > LONGEST_SEGMENT) ? 'is too long' : null;
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 200)).slice(1, -1);
}
