/** A tree that is a folder of this machine. Node only. */
import { constants, type FileHandle, lstat, open } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import type { ByteRange, FileBytes, Files } from '../files/files.ts';
import type { Budget } from '../rows/scan.ts';

/** What an answer of a server may cost: some seconds of work, in turns with all other requests. */
export const FOLDER_BUDGET: Budget = { bytes: 1 << 30, rows: 5_000_000 };

const MOST_MEMORY = 512 << 20;

/** Bytes for decoded columns, unless the publisher says otherwise. */
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
      // A link leads to no file of the tree.
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
