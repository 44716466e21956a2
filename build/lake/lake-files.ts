/** The files of a lake, whatever they are. Reads names, sizes and times, never a byte of them. */
import { type BigIntStats, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
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

/** Why what stands in a lake is not read: an object's name that no file can have, one that is not UTF-8, or where a link leads. */
export type Ignored = 'name' | 'encoding' | 'broken link' | 'link to a folder' | 'no regular file';

/** What stands in a name for each byte that is not UTF-8. */
const MISREAD = '\ufffd';

/** Every file beneath a folder, sorted by path. Links to folders are not followed: a lake cannot lead out of itself. */
export function listLake(location: string): {
  readonly files: readonly LakeFile[];
  readonly ignored: ReadonlyMap<string, Ignored>;
} {
  // DuckDB names a file of a relative path otherwise than it was named.
  const root = path.resolve(location);
  const ignored = new Map<string, Ignored>();
  const files = listFiles(root).flatMap((name): LakeFile[] => {
    const absolute = path.join(root, name);
    const info = infoOf(absolute);
    if (!info?.isFile()) {
      if (info === null && isLink(absolute)) ignored.set(name, 'broken link');
      else if (info === null && name.includes(MISREAD)) ignored.set(name, 'encoding');
      if (info?.isDirectory()) ignored.set(name, 'link to a folder');
      else if (info !== null) ignored.set(name, 'no regular file');
      return [];
    }
    return [
      {
        path: name,
        absolute,
        bytes: Number(info.size),
        fingerprint: `${info.size}-${info.mtimeNs}-${info.ctimeNs}-${info.ino}`,
        modified: Number(info.mtimeMs),
      },
    ];
  });
  return { files, ignored };
}

/** Null of a link that leads nowhere, and of what is gone by now. */
function infoOf(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true });
  } catch {
    return null;
  }
}

export function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Whether there is a file that ends, by itself or through a link: to open a pipe is to wait for ever. */
export function isRegularFile(file: string): boolean {
  return infoOf(file)?.isFile() === true;
}

/**
 * Paths of all files beneath a folder, relative to it and with forward slashes, sorted; links are not followed. One
 * synchronous call after the other takes a fraction of what the thread pool takes.
 */
export function listFiles(root: string): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // A name that is not UTF-8 leads to nothing by what it was read as.
      if (entry.isDirectory() && (!entry.name.includes(MISREAD) || existsSync(path.join(root, name))))
        walk(name);
      else found.push(name);
    }
  };
  walk('');
  return found.sort((a, b) => (a < b ? -1 : 1));
}
