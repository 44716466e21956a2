/**
 * The hidden folder in which a build works: `.<name>.civic/` next to the output folder `<name>/`. It holds the claims
 * of builds, the staged tree, the tree that a build replaces, and what the last build knew of its inputs.
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
  /** Parquet files made from the lake's tables in other formats. */
  readonly tables: string;
  readonly state: string;
  /** The last counts of each dataset's checks. */
  readonly checks: string;
  /** Prefix of the files by which processes claim the folder. */
  readonly lock: string;
}

/** Follows a link at `out`: the build replaces the folder that it leads to, and the link stays. */
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
    tables: path.join(folder, 'tables'),
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

/** Real paths of the workspaces that this process claims. */
const held = new Set<string>();

/** A build that finds another claim waits and looks again: two builds that start at once both give way. */
const ATTEMPTS = 10;

/** The longest wait between two attempts, in milliseconds. Each wait is random. */
const PAUSE = 40;

/**
 * Claims the output folder for this process, and ignores claims of processes that have ended. Throws UnableError if
 * another build has it. Returns the function that releases it.
 */
export async function lockWorkspace(workspace: Workspace): Promise<() => Promise<void>> {
  await makeFolder(workspace.folder).catch((error: unknown) => {
    throw unusable(workspace, error);
  });
  // A claim names a process, so it cannot tell two builds of one process apart. No await between has() and add().
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
 * Writes a claim, then looks for others. Of two builds that start at once, at least one sees the other and gives way.
 * A build never removes the claim of a running process.
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

/** False if another build ended in the meantime and removed the empty workspace. */
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

/** Finds another running process with a claim. If there is none, removes the claims of ended processes. */
async function otherHolder(workspace: Workspace): Promise<number | undefined> {
  const others = (await readdir(workspace.folder))
    .flatMap(name => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter(holder => holder !== process.pid);
  const running = others.find(isRunning);
  if (running === undefined) for (const gone of others) await rm(claimOf(workspace, gone), { force: true });
  return running;
}

/** The claim file of a process. In a container, a killed build may have had this build's process number. */
function claimOf({ lock }: Workspace, holder: number): string {
  return `${lock}.${holder}`;
}

function lockedBy(holder: number, workspace: Workspace): UnableError {
  return new UnableError(
    'output-locked',
    `Another build (process ${holder}) is writing ${workspace.out}. Wait for it, or build to another folder. If process ${holder} is not a build, remove ${claimOf(workspace, holder)}.`,
  );
}

async function releaseFolder(workspace: Workspace): Promise<void> {
  await rm(claimOf(workspace, process.pid), { force: true });
  // Only the workspace of a build that published nothing is empty; rmdir fails on any other.
  await rmdir(workspace.folder).catch(() => undefined);
}

/** Creates the parents only if they are missing: a recursive mkdir would hide that one of them is read-only. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return;
    // If the parent exists, the disk allows no new folders, and a recursive mkdir would retry forever.
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
 * Cleans up after a killed build. If the build died between the two renames of a switch, puts the old tree back.
 * Returns a message about what it did; null if nothing was left over.
 */
export async function recoverWorkspace(workspace: Workspace): Promise<string | null> {
  const [hasOut, hasPrevious] = await Promise.all([exists(workspace.out), exists(workspace.previous)]);
  let message: string | null = null;
  if (!hasOut && hasPrevious) {
    await rename(workspace.previous, workspace.out);
    message = `A build was interrupted while it switched trees; the previous tree is back at ${workspace.out}.`;
  } else if (hasPrevious) {
    message = `A build was interrupted after it switched trees; its tree at ${workspace.out} is complete.`;
  }
  for (const leftover of [workspace.staging, workspace.temporary, workspace.previous]) {
    if (!(await exists(leftover))) continue;
    message ??= 'A build was interrupted; its staged files are removed, and the published tree is unchanged.';
    await rm(leftover, { recursive: true, force: true });
  }
  return message;
}

/** Explains a system error at the output folder or next to it; returns any other error unchanged. */
function unusable({ out }: Workspace, error: unknown): unknown {
  const reason = systemReason(error);
  if (reason === null) return error;
  const code = /EACCES|EPERM|EROFS/.test(String(error)) ? 'no-permission' : 'output-unusable';
  const file = refusedPath(error) ?? out;
  return new UnableError(
    code,
    `The build cannot write ${out}: it needs ${path.join(path.dirname(out), `.${path.basename(out)}.civic`)} next to it, and the system reports for ${file}: ${reason}. Name another folder with --out.`,
  );
}

/** A mount point cannot be renamed, so a build cannot replace it; a folder inside it can be. */
function refuseMountPoint({ out }: Workspace, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'EBUSY' && code !== 'EXDEV') return error;
  return new UnableError(
    'output-busy',
    `${out} is a mount point, or another program is using it, so the build cannot replace it. The build published nothing. Name a folder in it (${path.join(out, 'tree')}), or end the program that uses it.`,
  );
}

/** Publishes the staged tree, and leaves the old one to `removePrevious`. */
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
