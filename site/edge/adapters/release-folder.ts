/** Releases in a folder of this machine: `releases/{release}/`, and `current`, a link to one of them. Node only. */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CURRENT, PREVIOUS, ROOT, releaseFolder, workspaceName } from '../../../build/format/paths.ts';
import type { Edge } from '../handler.ts';
import type { ReleaseHost } from '../releases.ts';

/**
 * The folder that a tree is read from: the target of the link `current` where a folder has one, else the folder itself.
 * Links are followed once, here, so that a request is answered from one release even if `current` changes meanwhile.
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

/** The folder may be back by the time that a look for the one that it replaces has failed. */
const MOST_TRIES = 3;

/**
 * Where the tree stands while a build replaces its folder in two steps. A build that is killed between them leaves it
 * there, and the next one puts it back.
 */
async function previousOf(folder: string): Promise<string> {
  const link = await readlink(folder).catch(() => null);
  const place = link === null ? resolve(folder) : resolve(dirname(folder), link);
  return join(dirname(place), workspaceName(basename(place)), PREVIOUS);
}

/**
 * Whether the root manifest of a tree matches its line in the checksums. The manifest proves every other file, and only
 * the checksums prove the manifest. True where there are no checksums, as in a copy of some files.
 */
export async function isManifestSound(folder: string): Promise<boolean> {
  const [manifest, checksums] = await Promise.all(
    [ROOT.manifest, ROOT.checksums].map(name => readFile(join(folder, name)).catch(() => null)),
  );
  if (!manifest || !checksums) return true;
  const line = new RegExp(`^([0-9a-f]{64})  ${ROOT.manifest}$`, 'm').exec(checksums.toString('utf8'));
  return line === null || line[1] === createHash('sha256').update(manifest).digest('hex');
}

/** `open` gets the folder of a release. */
export function createFolderReleases(folder: string, open: (root: string) => Edge): ReleaseHost {
  return {
    readCurrent: async () => describePlace(await resolveTree(folder)),
    async findRelease(release) {
      const root = await followed(join(folder, releaseFolder(release)));
      return root !== null && (await isFile(join(root, ROOT.checksums))) ? describePlace(root) : null;
    },
    open: place => open(rootOf(place)),
    isThere: place => describePlace(rootOf(place)) === place,
  };
}

function rootOf(place: string): string {
  return place.slice(place.indexOf(' ') + 1);
}

/**
 * A build replaces a folder with another of the same name, whose manifest may have the same length and time. The inode
 * number differs, or, where the file system reuses the number, the time of creation. The call is synchronous because
 * that takes less time than waiting for a turn.
 */
function describePlace(root: string): string {
  const stat = lstatSync(root, { throwIfNoEntry: false });
  return `${stat?.ino ?? 0}-${stat?.birthtimeMs ?? 0} ${root}`;
}

/** The folder that a path leads to; null where it leads to none. */
async function followed(path: string): Promise<string | null> {
  const place = await realpath(path).catch(() => null);
  return place !== null && (await lstat(place).catch(() => null))?.isDirectory() ? place : null;
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}
