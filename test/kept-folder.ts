/**
 * Folders that several test files only read, made once and kept in node_modules/.cache under the hash of
 * everything that decides their bytes, so that parallel files and later runs share them.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const PROJECT = path.resolve(import.meta.dirname, '..');
const CACHE = path.join(PROJECT, 'node_modules/.cache/civic-tests');
/** Hours after which an unused folder is deleted. */
const KEPT = 1;

/**
 * Makes a folder once; a second caller waits for the first. `sources` are files and folders of the project
 * that, with the name, decide what is made.
 */
export async function keptFolder(
  name: string,
  sources: readonly string[],
  make: (out: string) => Promise<void>,
): Promise<string> {
  const done = path.join(CACHE, `${name}-${await sourceHash(sources)}`);
  // A link to the number of the process that makes the folder.
  const lock = `${done}.maker`;
  await mkdir(CACHE, { recursive: true });
  while (!existsSync(done)) {
    const isMine = await symlink(String(process.pid), lock).then(
      () => true,
      () => false,
    );
    if (!isMine) {
      const maker = await readlink(lock).catch(() => null);
      if (maker !== null && !isRunning(Number(maker))) await rm(lock, { force: true });
      await wait(100);
      continue;
    }
    const work = `${done}.${process.pid}`;
    try {
      // Another process may have finished between the check and the lock.
      if (existsSync(done)) break;
      const made = path.join(work, name);
      await mkdir(work);
      await make(made);
      await rename(made, done);
      await forgetUnused();
    } finally {
      await rm(work, { recursive: true, force: true });
      await rm(lock, { force: true });
    }
  }
  const now = new Date();
  await utimes(done, now, now);
  return done;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function sourceHash(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const root = path.join(PROJECT, source);
    const files = (await stat(root)).isDirectory() ? await filesBeneath(root) : [root];
    for (const file of files) hash.update(path.relative(PROJECT, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesBeneath(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort();
}

async function forgetUnused(): Promise<void> {
  for (const entry of await readdir(CACHE)) {
    const folder = path.join(CACHE, entry);
    const info = await stat(folder).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > KEPT * 3_600_000)
      await rm(folder, { recursive: true, force: true });
  }
}
