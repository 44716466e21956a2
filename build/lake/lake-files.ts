/** The files of a lake, whatever they are. Reads names, sizes and times, never a byte of them. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export interface LakeFile {
  /** Relative to the lake's root, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  /** Changes whenever the file may have changed: size, times and inode. */
  readonly fingerprint: string;
  /** What tells its bytes from others, where the listing says it; else they have to be read. */
  readonly content?: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Every file beneath a folder, sorted by path. Links to folders are not followed: a lake cannot lead out of itself. */
export async function listLake(location: string): Promise<LakeFile[]> {
  // DuckDB names a file of a relative path otherwise than it was named.
  const root = path.resolve(location);
  const found: LakeFile[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await walk(relative);
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const absolute = path.join(root, relative);
        const info = await stat(absolute, { bigint: true }).catch(() => null);
        if (info === null || !info.isFile()) continue;
        found.push({
          path: relative,
          absolute,
          bytes: Number(info.size),
          fingerprint: `${info.size}-${info.mtimeNs}-${info.ctimeNs}-${info.ino}`,
          modified: Number(info.mtimeMs),
        });
      }
    }
  };
  await walk('');
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
