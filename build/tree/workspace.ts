/**
 * The hidden folder beside an output folder, where a build works: `.<name>.civic/` beside `<name>/`. It holds the
 * claims on it, the staged tree, the tree that is being replaced, and what the last build knew of its inputs.
 */
import { realpathSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UnableError } from '../failure.ts';
import { refusedPath, systemReason } from '../system-error.ts';

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
  /** Begins the names of the files with which processes claim the folder. */
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

/** Real paths of the folders that this process has, asks for or gives back. */
const held = new Set<string>();

/** So often whoever finds another claim looks again: two that asked at once gave way to each other. */
const ATTEMPTS = 10;

/** Longest wait between two looks, in milliseconds. Each waits as long as chance has it. */
const PAUSE = 40;

/**
 * Takes the output folder for this process, or says who has it. Claims of processes that are gone count for nothing.
 * Returns the function that gives it back.
 */
export async function lockWorkspace(workspace: Workspace): Promise<() => Promise<void>> {
  await makeFolder(workspace.folder).catch((error: unknown) => {
    throw unusable(workspace, error);
  });
  // The number of a claim cannot tell two builds of one process apart. Nothing may come between look and entry.
  const own = path.join(realpath(path.dirname(workspace.folder)), path.basename(workspace.folder));
  if (held.has(own)) throw lockedBy(process.pid, workspace);
  held.add(own);
  try {
    await claimFolder(workspace);
  } catch (error) {
    held.delete(own);
    throw error;
  }
  return async () => {
    await releaseFolder(workspace);
    held.delete(own);
  };
}

/**
 * Puts a claim down, then looks for others: of two that ask at once at least one sees the other, and whoever sees one
 * gives way. No file is ever taken from another process, which would be one step too late by the time it is taken.
 */
async function claimFolder(workspace: Workspace): Promise<void> {
  const { folder } = workspace;
  for (let attempt = 1; ; attempt++) {
    const holder = (await putClaim(workspace)) ? await otherHolder(workspace) : process.pid;
    if (holder === undefined) return;
    await rm(claimOf(workspace, process.pid), { force: true });
    if (attempt === ATTEMPTS) {
      await rmdir(folder).catch(() => undefined);
      throw lockedBy(holder, workspace);
    }
    await setTimeout(Math.random() * PAUSE);
  }
}

/** False where another build that ended meanwhile has removed the empty workspace. */
async function putClaim(workspace: Workspace): Promise<boolean> {
  await makeFolder(workspace.folder);
  try {
    await writeFile(claimOf(workspace, process.pid), '');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Another process that runs and has a claim; undefined where there is none, and then of those that are gone nothing is left. */
async function otherHolder(workspace: Workspace): Promise<number | undefined> {
  const others = (await readdir(workspace.folder))
    .flatMap(name => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter(holder => holder !== process.pid);
  const running = others.find(isRunning);
  if (running === undefined) for (const gone of others) await rm(claimOf(workspace, gone), { force: true });
  return running;
}

/** A file whose name has the process's number. In a container a killed build may have had the number that this one has. */
function claimOf({ lock }: Workspace, holder: number): string {
  return `${lock}.${holder}`;
}

function lockedBy(holder: number, workspace: Workspace): UnableError {
  return new UnableError(
    'output-locked',
    `Another build (process ${holder}) is writing ${workspace.out}. Wait for it, or build to another folder. If process ${holder} is no build, remove ${claimOf(workspace, holder)}.`,
  );
}

async function releaseFolder(workspace: Workspace): Promise<void> {
  await rm(claimOf(workspace, process.pid), { force: true });
  // A build that published nothing leaves nothing: this fails where there is a state.
  await rmdir(workspace.folder).catch(() => undefined);
}

/** Makes the parents only where they are missing: making them all hides that one may not be written. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return;
    // Where the parent is there, the disk makes no folders: fs.mkdir would try for ever to make it.
    if (code !== 'ENOENT' || (await exists(path.dirname(folder)))) throw error;
    await mkdir(folder, { recursive: true });
  }
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
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

/** What the system refuses beside or at the output folder; what is no refusal of the system stays as it is. */
function unusable({ out }: Workspace, error: unknown): unknown {
  const reason = systemReason(error);
  if (reason === null) return error;
  const code = /EACCES|EPERM|EROFS/.test(String(error)) ? 'no-permission' : 'output-unusable';
  const file = refusedPath(error) ?? out;
  return new UnableError(
    code,
    `A build cannot write ${out}: it makes ${path.join(path.dirname(out), `.${path.basename(out)}.civic`)} beside it, and of ${file} the system says: ${reason}. Name another folder with --out.`,
  );
}

/** A folder that is switched cannot be a mount point: name one in it. */
function refuseMountPoint({ out }: Workspace, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'EBUSY' && code !== 'EXDEV') return error;
  return new UnableError(
    'output-busy',
    `${out} is a mount point, or another program has it in use: a build replaces the folder as a whole and cannot do so here. Nothing was published; name a folder in it (${path.join(out, 'tree')}), or end what uses it.`,
  );
}

/** The staged tree becomes the published one; the one before is left to `removePrevious`. */
export async function swapTrees(workspace: Workspace): Promise<void> {
  try {
    if (await exists(workspace.out)) await rename(workspace.out, workspace.previous);
    await rename(workspace.staging, workspace.out);
  } catch (error) {
    if (await exists(workspace.previous)) await rename(workspace.previous, workspace.out);
    throw refuseMountPoint(workspace, error);
  }
}

export async function removePrevious(workspace: Workspace): Promise<void> {
  await rm(workspace.previous, { recursive: true, force: true });
}

export async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

export async function isEmptyFolder(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => null);
  return entries !== null && entries.length === 0;
}
