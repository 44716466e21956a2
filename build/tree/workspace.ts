/**
 * The hidden folder in which a build works: `.<name>.civic/` next to the output folder `<name>/`. It has the
 * claims of builds, the staged tree, the tree that a build replaces, and notes of the last build about its
 * inputs.
 */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { UnableError } from '../failure.ts';
import { PREVIOUS, workspaceName } from '../format/paths.ts';
import { someOf } from '../format/shown-text.ts';
import { readWorkNotes } from '../lake/database.ts';
import { refusedPath, systemReason } from '../system-error.ts';
import { type Claim, claimFolder, makeFolder } from './claim.ts';
import { makeTreeDurable, syncFolder } from './durability.ts';

export interface Workspace {
  /** The published tree's folder. */
  readonly out: string;
  readonly folder: string;
  readonly staging: string;
  readonly previous: string;
  readonly temporary: string;
  /** Copies of a bucket lake's objects. */
  readonly lake: string;
  /** The cache, unless `--cache` names another folder. */
  readonly cache: string;
  /** The note of the last build. */
  readonly note: string;
  /** Prefix of the files by which commands claim the folder. */
  readonly lock: string;
  /** Copies of the published tree's own lists (kept-lists.ts). */
  readonly lists: string;
}

/** Follows a link at `out`: the build replaces the folder that it leads to, and keeps the link. */
export function workspaceOf(out: string): Workspace {
  const absolute = realpath(path.resolve(out));
  const folder = path.join(path.dirname(absolute), workspaceName(path.basename(absolute)));
  return {
    out: absolute,
    folder,
    staging: path.join(folder, 'staging'),
    previous: path.join(folder, PREVIOUS),
    temporary: path.join(folder, 'temporary'),
    lake: path.join(folder, 'lake'),
    cache: path.join(folder, 'cache'),
    note: path.join(folder, 'note.json'),
    lock: path.join(folder, 'lock'),
    lists: path.join(folder, 'lists'),
  };
}

function realpath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Whether `inner` is `outer` or a folder in it. Compares the folders' inodes, since links and mounts hide the path. */
export function isWithin(inner: string, outer: string): boolean {
  const folder = identity(outer);
  let at = path.resolve(inner);
  while (folder !== null) {
    // Only a folder that exists can be a link.
    if (existsSync(at)) at = realpathSync(at);
    if (identity(at) === folder) return true;
    if (path.dirname(at) === at) return false;
    at = path.dirname(at);
  }
  return false;
}

/** Null if the file doesn't exist. */
function identity(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}-${ino}`;
  } catch {
    return null;
  }
}

/**
 * Claims the output folder for this command, and ignores claims of commands that have ended. Throws
 * UnableError if another command has it, or may have it.
 */
export async function lockWorkspace(workspace: Workspace): Promise<Claim> {
  try {
    await makeFolder(workspace.folder);
  } catch (error) {
    throw unusable(workspace, error);
  }
  return claimFolder(
    workspace,
    path.join(realpath(path.dirname(workspace.folder)), path.basename(workspace.folder)),
  );
}

/** With staging folders that no other command uses, even one that assumed this one had ended. */
export function ownWorkspace(workspace: Workspace, { token }: Claim): Workspace {
  const { staging, temporary } = workspace;
  return { ...workspace, staging: path.join(staging, token), temporary: path.join(temporary, token) };
}

/** Removes this command's folders from the workspace. */
export async function clearWorkspace({ staging, temporary }: Workspace): Promise<void> {
  for (const folder of [staging, temporary]) {
    await rm(folder, { recursive: true, force: true });
    await rmdir(path.dirname(folder)).catch(() => undefined);
  }
}

/**
 * Cleans up after a killed build. If the build died between the two renames of a switch, restores the old
 * tree. Returns a message about what it did; null if nothing was left over.
 */
export async function recoverWorkspace(workspace: Workspace): Promise<string | null> {
  const [hasOut, hasPrevious] = await Promise.all([exists(workspace.out), exists(workspace.previous)]);
  let message: string | null = null;
  if (!hasOut && hasPrevious) {
    await rename(workspace.previous, workspace.out);
    syncFolder(path.dirname(workspace.out));
    message = `A build was interrupted while it switched trees; the previous tree is back at ${workspace.out}.`;
  } else if (hasPrevious) {
    message = `A build was interrupted after it switched trees; its tree at ${workspace.out} is complete.`;
  }
  const work = await readWorkNotes(workspace.temporary);
  for (const leftover of [workspace.staging, workspace.temporary, workspace.previous]) {
    if (!(await exists(leftover))) continue;
    message ??= 'A build was interrupted; its staged files are removed, and the published tree is whole.';
    await rm(leftover, { recursive: true, force: true });
  }
  if (message === null || work.length === 0) return message;
  return `${message} It was working on ${someOf(work, 8)}. If that happens again, a file there breaks the reader or needs more memory than there is: leave it out, or build the others with --only.`;
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

/** Refuses an output folder that no build can replace, before the work begins. */
export async function expectReplaceable({ out }: Workspace): Promise<void> {
  const info = await stat(out).catch(() => null);
  if (info === null) return;
  const parent = await stat(path.dirname(out));
  if (info.dev !== parent.dev || (await mountPoints()).has(out)) throw busy(out);
}

/** Empty if the system doesn't list its mount points. */
async function mountPoints(): Promise<ReadonlySet<string>> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const escaped = /\\([0-7]{3})/g;
  const places = text.split('\n').map(line => line.split(' ')[4] ?? '');
  return new Set(
    places.map(place =>
      place.replace(escaped, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    ),
  );
}

function busy(out: string): UnableError {
  return new UnableError(
    'output-busy',
    `${out} is a mount point, or another program is using it, so the build cannot replace it. The build published nothing. Name a folder in it (${path.join(out, 'tree')}), or end the program that uses it.`,
  );
}

/** Whether the system refused to rename a folder that is in use. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EBUSY', 'EXDEV'].includes(String(error.code));
}

/**
 * Flushes and publishes the staged tree, and leaves the old one to `removePrevious`. If the system can
 * exchange two folders, the switch is one step. Otherwise it takes two, and in between our readers find the
 * old tree at `previous`.
 */
export async function swapTrees(workspace: Workspace, claim: Claim): Promise<void> {
  const { out, staging, previous, folder } = workspace;
  await makeTreeDurable(staging);
  await claim.expectHeld();
  try {
    if (!(await exists(out))) await rename(staging, out);
    else if (await exchangeFolders(staging, out)) await rename(staging, previous);
    else {
      await rename(out, previous);
      await rename(staging, out);
    }
  } catch (error) {
    if (!(await exists(out)) && (await exists(previous))) await rename(previous, out);
    throw isBusy(error) ? busy(out) : error;
  }
  for (const changed of [path.dirname(out), folder, path.dirname(staging)]) syncFolder(changed);
}

/**
 * False if this machine has no program that exchanges folders (coreutils 9.5 or later), or the disk can't do
 * it.
 */
async function exchangeFolders(one: string, other: string): Promise<boolean> {
  try {
    await promisify(execFile)('mv', ['--exchange', '--no-copy', '-T', one, other]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the replaced tree. First renames it, so that a server that uses it sees that it is gone, and never
 * a tree with missing files.
 */
export async function removePrevious({ previous, temporary }: Workspace): Promise<void> {
  if (!(await exists(previous))) return;
  const removed = path.join(temporary, PREVIOUS);
  await mkdir(temporary, { recursive: true });
  await rename(previous, removed);
  await rm(removed, { recursive: true });
}

/** Removes the folder afterwards. */
export async function withTemporaryFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

export async function isEmptyFolder(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => null);
  return entries !== null && entries.length === 0;
}
