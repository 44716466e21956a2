/** Flushes files to the disk, so that they survive a power cut. */
import { execFile } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Files flushed one by one before other tasks get a turn. */
const BATCH = 16;

/**
 * Flushes everything in a folder. One `sync -f` writes the whole file system in a fraction of the time that
 * single files take. If there is no such program, or the disk refuses it, flushes each file and folder.
 */
export async function makeTreeDurable(folder: string): Promise<void> {
  if (!(await flushFileSystem(folder))) await syncEach(folder);
}

/** False if it can't. A build's end flushes what is left, so it may be called early and in vain. */
export function flushFileSystem(folder: string): Promise<boolean> {
  const flushed = promisify(execFile)('sync', ['-f', folder]);
  return flushed.then(
    () => true,
    () => false,
  );
}

/** Doesn't follow links, because a tree has none. */
async function syncEach(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  let done = 0;
  for (const entry of entries) {
    const name = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) syncFile(name);
    else if (entry.isDirectory()) syncFolder(name);
    if (++done % BATCH === 0) await setImmediate();
  }
  syncFolder(folder);
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Flushes the names in a folder. Systems that can't open folders keep names in order anyway. */
export function syncFolder(folder: string): void {
  try {
    syncFile(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(code)) throw error;
  }
}

/** Replaces a file in one step: after a power cut it has its old bytes or the new ones. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
  syncFolder(path.dirname(file));
}
