/**
 * The hidden folder beside an output folder, where a build works: `.<name>.civic/` beside `<name>/`. It holds the
 * lock, the staged tree, the tree that is being replaced, and what the last build knew of its inputs.
 */
import { readdirSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from './failure.ts';

export interface Workspace {
  /** The published tree's folder. */
  readonly out: string;
  readonly folder: string;
  readonly staging: string;
  readonly previous: string;
  readonly temporary: string;
  /** Copies of objects of a lake at a bucket. */
  readonly lake: string;
  readonly state: string;
  /** What checks counted of each dataset last. */
  readonly checks: string;
  /** Of each dataset and level, how many rows the places of its history have. */
  readonly places: string;
  /** What pages are made of, a file for each part. */
  readonly pages: string;
  readonly lock: string;
}

/** Where a link leads, the tree is replaced there, and the link stays. */
export function workspaceOf(out: string): Workspace {
  const absolute = realpath(path.resolve(out));
  const folder = path.join(path.dirname(absolute), `.${path.basename(absolute)}.civic`);
  return {
    out: absolute,
    folder,
    staging: path.join(folder, 'staging'),
    previous: path.join(folder, 'previous'),
    temporary: path.join(folder, 'temporary'),
    lake: path.join(folder, 'lake'),
    state: path.join(folder, 'state.json'),
    checks: path.join(folder, 'checks'),
    places: path.join(folder, 'places'),
    pages: path.join(folder, 'pages'),
    lock: path.join(folder, 'lock'),
  };
}

function realpath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Real paths of the locks that this process holds, takes or gives back. */
const held = new Set<string>();

/**
 * Takes the output folder for this process, or says who has it. A lock whose process is gone is taken over.
 * Returns the function that gives it back.
 */
export async function lockWorkspace(workspace: Workspace): Promise<() => Promise<void>> {
  await makeFolder(workspace.folder);
  // The number in a lock cannot tell two builds of one process apart. Nothing may come between look and entry.
  const own = path.join(realpath(path.dirname(workspace.folder)), path.basename(workspace.folder));
  if (held.has(own)) throw lockedBy(process.pid, workspace);
  held.add(own);
  try {
    await takeLock(workspace);
  } catch (error) {
    held.delete(own);
    throw error;
  }
  return async () => {
    await releaseLock(workspace);
    held.delete(own);
  };
}

/** Of the processes that ask at once, one goes on; the others learn its number. */
async function takeLock(workspace: Workspace): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    await makeFolder(workspace.folder);
    try {
      await claim(workspace.lock);
      await removeClaims(workspace);
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      // Another build that ended meanwhile may have removed the empty workspace.
      if (code === 'ENOENT') continue;
      if (code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(workspace.lock, 'utf8').catch(() => ''));
    // In a container a killed build may have had the number that this process has now.
    if (holder > 0 && holder !== process.pid && isRunning(holder)) throw lockedBy(holder, workspace);
    if (holder === 0 && (await isFresh(workspace.lock))) {
      throw new UnableError(
        'output-locked',
        `Another build is starting to write ${workspace.out}. Try again.`,
      );
    }
    await removeStale(workspace.lock, holder);
  }
  throw new UnableError('output-locked', `Another build holds ${workspace.lock}. Wait for it.`);
}

function lockedBy(holder: number, { out, lock }: Workspace): UnableError {
  return new UnableError(
    'output-locked',
    `Another build (process ${holder}) is writing ${out}. Wait for it, or build to another folder. If process ${holder} is no build, remove ${lock}.`,
  );
}

/** Renaming is what only one of several can do. What turns out to be the winner's new lock goes back. */
async function removeStale(lock: string, holder: number): Promise<void> {
  const stale = `${lock}.${process.pid}`;
  try {
    await rename(lock, stale);
  } catch {
    return;
  }
  if (Number(await readFile(stale, 'utf8')) !== holder) await link(stale, lock).catch(() => undefined);
  await rm(stale, { force: true });
}

/** Puts the lock there with this process's number in it, or fails where there is one. */
async function claim(lock: string): Promise<void> {
  const own = `${lock}.${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, lock);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    // A disk that knows no links: for a moment the lock is empty.
    await writeFile(lock, String(process.pid), { flag: 'wx' });
  } finally {
    await rm(own, { force: true });
  }
}

/** Removes what is left of locks whose processes were killed while they took them; those that run remove their own. */
async function removeClaims({ folder, lock }: Workspace): Promise<void> {
  const start = `${path.basename(lock)}.`;
  for (const name of await readdir(folder)) {
    if (name.startsWith(start) && !isRunning(Number(name.slice(start.length))))
      await rm(path.join(folder, name), { force: true });
  }
}

/** Makes the parents only where they are missing: making them all hides that one may not be written. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    await mkdir(folder, { recursive: true });
  }
}

async function releaseLock(workspace: Workspace): Promise<void> {
  await rm(workspace.lock, { force: true });
  // A build that published nothing leaves nothing: this fails where there is a state.
  await rmdir(workspace.folder).catch(() => undefined);
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isFresh(file: string): Promise<boolean> {
  const info = await stat(file).catch(() => null);
  return info !== null && Date.now() - info.mtimeMs < 2000;
}

/**
 * Puts things right after a build that was killed. Between the two renames of a swap there is a moment in which
 * the old tree has made room and the new one has not come: then the old one goes back. Returns what was done.
 */
export async function recoverWorkspace(workspace: Workspace): Promise<string | null> {
  const [hasOut, hasPrevious] = await Promise.all([exists(workspace.out), exists(workspace.previous)]);
  let told: string | null = null;
  if (!hasOut && hasPrevious) {
    await rename(workspace.previous, workspace.out);
    told = `A build was interrupted while it switched trees; the previous tree is back at ${workspace.out}.`;
  } else if (hasPrevious) {
    told = `A build was interrupted after it had switched trees; the tree at ${workspace.out} is its own, and whole.`;
  }
  for (const leftover of [workspace.staging, workspace.temporary, workspace.previous]) {
    if (!(await exists(leftover))) continue;
    told ??= 'A build was interrupted; what it had staged is removed, and the published tree is as it was.';
    await rm(leftover, { recursive: true, force: true });
  }
  return told;
}

/** The staged tree becomes the published one; the one before is left to `removePrevious`. */
export async function swapTrees(workspace: Workspace): Promise<void> {
  if (await exists(workspace.out)) await rename(workspace.out, workspace.previous);
  try {
    await rename(workspace.staging, workspace.out);
  } catch (error) {
    if (await exists(workspace.previous)) await rename(workspace.previous, workspace.out);
    throw error;
  }
}

export async function removePrevious(workspace: Workspace): Promise<void> {
  if (await exists(workspace.previous)) removeFolder(workspace.previous);
}

/** Of many small files: one synchronous call after the other takes half of what fs.rm takes, which asks what each is. */
function removeFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) removeFolder(name);
    else unlinkSync(name);
  }
  rmdirSync(folder);
}

export async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

export async function isEmptyFolder(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => null);
  return entries !== null && entries.length === 0;
}
