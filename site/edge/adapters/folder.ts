/**
 * A tree in a folder, or releases in `releases/{release}/` with `current`, a link to one of them. Node only.
 */
import { lstatSync } from 'node:fs';
import { constants, type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import os from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CURRENT, PREVIOUS, ROOT, releaseFolder, workspaceName } from '../../../build/format/paths.ts';
import type { ByteRange, FileBytes, Files } from '../files/files.ts';
import type { Edge } from '../handler.ts';
import type { ReleaseHost } from '../releases.ts';
import type { Budget } from '../rows/scan.ts';

/** What an answer may cost: some seconds of work, in turns with other requests. */
export const FOLDER_BUDGET: Budget = { bytes: 1 << 30, rows: 5_000_000 };

const MOST_MEMORY = 512 << 20;

/** Bytes for decoded columns by default. */
export function usualMemory(): number {
  return Math.min(MOST_MEMORY, Math.floor(os.totalmem() / 4));
}

export function createFolderFiles(folder: string): Files {
  return {
    async stat(path) {
      const stat = await lstat(join(folder, path)).catch(nothingIfAbsent);
      return stat?.isFile() ? { bytes: stat.size, modified: stat.mtime, etag: null } : null;
    },
    async read(path, range, signal) {
      signal?.throwIfAborted();
      // A link isn't a file of the tree.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const handle = await open(join(folder, path), flags).catch(nothingIfAbsent);
      try {
        return handle && (await readRange(handle, range));
      } finally {
        await handle?.close();
      }
    },
  };
}

async function readRange(handle: FileHandle, range: ByteRange | null): Promise<FileBytes | null> {
  const stat = await handle.stat();
  if (!stat.isFile()) return null;
  const { start, end } = range ?? { start: 0, end: stat.size };
  const length = Math.max(0, Math.min(end, stat.size) - start);
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await handle.read(bytes, at, length - at, start + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return { size: stat.size, bytes: bytes.subarray(0, at) };
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR']);

function nothingIfAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && ABSENT.has(String(error.code))) return null;
  throw error;
}

/**
 * The folder to read a tree from: the target of `current` if there is one, else the folder itself. Links are
 * followed only here, so a request is answered from one release even if `current` changes meanwhile.
 */
export async function resolveTree(folder: string): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found =
      (await followed(join(folder, CURRENT))) ??
      (await followed(folder)) ??
      (await followed(await previousOf(folder)));
    if (found !== null) return found;
  }
  return folder;
}

/** The folder may have come back by the time its predecessor isn't found. */
const MOST_TRIES = 3;

/**
 * Where the old tree is while a build replaces its folder in two steps. A killed build leaves it there, and
 * the next one puts it back.
 */
async function previousOf(folder: string): Promise<string> {
  const link = await readlink(folder).catch(() => null);
  const place = link === null ? resolve(folder) : resolve(dirname(folder), link);
  return join(dirname(place), workspaceName(basename(place)), PREVIOUS);
}

/** `open` gets the folder of a release. */
export function createFolderReleases(folder: string, open: (root: string) => Edge): ReleaseHost {
  return {
    readCurrent: async () => describePlace(await resolveTree(folder)),
    async findRelease(release) {
      const root = await followed(join(folder, releaseFolder(release)));
      const whole = root && (await createFolderFiles(root).stat(ROOT.checksums));
      return whole ? describePlace(root) : null;
    },
    open: place => open(rootOf(place)),
    isThere: place => describePlace(rootOf(place)) === place,
  };
}

function rootOf(place: string): string {
  return place.slice(place.indexOf(' ') + 1);
}

/**
 * A build can replace a folder with one whose manifest has the same length and time. The inode differs, or
 * the creation time if the file system reuses the inode. Synchronous because that is faster than waiting for
 * a turn.
 */
function describePlace(root: string): string {
  const stat = lstatSync(root, { throwIfNoEntry: false });
  return `${stat?.ino ?? 0}-${stat?.birthtimeMs ?? 0} ${root}`;
}

/** The folder that a path resolves to, or null. */
async function followed(path: string): Promise<string | null> {
  const place = await realpath(path).catch(() => null);
  return place !== null && (await lstat(place).catch(() => null))?.isDirectory() ? place : null;
}
