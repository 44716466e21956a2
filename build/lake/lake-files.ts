/** Lists the files of a lake. Reads names, sizes and times, never the content. */
import { type BigIntStats, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

export interface LakeFile {
  /** Relative to the lake's root, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  /** Size, times and inode: changes whenever the file may have changed. */
  readonly fingerprint: string;
  /** Identifies the bytes, if the listing does. */
  readonly content?: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The build made this file from another one. `path` names that one, and the year of the rows. */
  readonly prepared?: true;
}

/** 'name': no file can have this name; 'encoding': the name isn't UTF-8. */
export type Ignored = 'name' | 'encoding' | 'broken link' | 'link to a folder' | 'no regular file';

/** Node replaces bytes that aren't UTF-8 with it. */
const MISREAD = '\ufffd';

/** Sorted by path. Doesn't follow links to folders: a lake must not lead outside itself. */
export function listLake(location: string): {
  readonly files: readonly LakeFile[];
  readonly ignored: ReadonlyMap<string, Ignored>;
} {
  // DuckDB reports relative paths in another form.
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
        fingerprint: fingerprintOf(info),
        modified: Number(info.mtimeMs),
      },
    ];
  });
  return { files, ignored };
}

export function fingerprintOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}-${ino}`;
}

/** Null for a broken link or a deleted file. */
function infoOf(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true });
  } catch {
    return null;
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Follows links. Opening a pipe would block forever. */
export function isRegularFile(file: string): boolean {
  return infoOf(file)?.isFile() === true;
}

/**
 * Paths of all files below a folder, relative, with forward slashes, sorted. Doesn't follow links.
 * Synchronous calls take a fraction of the thread pool's time.
 */
export function listFiles(root: string): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // A folder whose name isn't UTF-8 can't be opened by the name as read.
      if (entry.isDirectory() && (!entry.name.includes(MISREAD) || existsSync(path.join(root, name))))
        walk(name);
      else found.push(name);
    }
  };
  walk('');
  return found.sort((a, b) => (a < b ? -1 : 1));
}

/** A year of a level of a dataset. */
export interface LakeSlice {
  readonly year: number;
  readonly detail: string;
  readonly files: readonly LakeFile[];
}

/** `2024/schools` */
export function sliceName({ year, detail }: Pick<LakeSlice, 'year' | 'detail'>): string {
  return `${year}/${detail}`;
}
