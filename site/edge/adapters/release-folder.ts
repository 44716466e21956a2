/** Releases in a folder of this machine: `releases/{release}/`, and `current`, a link to one of them. Node only. */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CURRENT, ROOT, releaseFolder } from '../../../build/format/paths.ts';
import type { ReleaseHost } from '../releases.ts';

/**
 * The folder that a tree is read from: where `current` leads, where a folder has it, else the folder itself. Links are
 * followed here and once, so that what is switched meanwhile does not change what a request is answered from.
 */
export async function resolveTree(folder: string): Promise<string> {
  return (await followed(join(folder, CURRENT))) ?? (await followed(folder)) ?? folder;
}

/**
 * Whether the root manifest of a tree in a folder is as its checksums say: all else is held against what it says, and
 * nothing but they against itself. True where there are no checksums, as in a copy of some files.
 */
export async function isManifestSound(folder: string): Promise<boolean> {
  const [manifest, checksums] = await Promise.all(
    [ROOT.manifest, ROOT.checksums].map(name => readFile(join(folder, name)).catch(() => null)),
  );
  if (!manifest || !checksums) return true;
  const line = new RegExp(`^([0-9a-f]{64})  ${ROOT.manifest}$`, 'm').exec(checksums.toString('utf8'));
  return line === null || line[1] === createHash('sha256').update(manifest).digest('hex');
}

/** `open` is given a folder, and what tells whether it is still the one that it was. */
export function createFolderReleases<Server>(
  folder: string,
  open: (root: string, isThere: () => boolean) => Server,
): ReleaseHost<Server> {
  return {
    readCurrent: async () => describePlace(await resolveTree(folder)),
    async findRelease(release) {
      const root = await followed(join(folder, releaseFolder(release)));
      return root !== null && (await isFile(join(root, ROOT.checksums))) ? describePlace(root) : null;
    },
    open: place => {
      const root = place.slice(place.indexOf(' ') + 1);
      return open(root, () => describePlace(root) === place);
    },
  };
}

/**
 * A build replaces a folder by another of its name, whose manifest may have the same length and time: the number
 * differs, and where a number is used again, the time at which the folder was made. Every request asks, and waits less
 * for the disk than for its turn there.
 */
function describePlace(root: string): string {
  const stat = lstatSync(root, { throwIfNoEntry: false });
  return `${stat?.ino ?? 0}-${stat?.birthtimeMs ?? 0} ${root}`;
}

/** Where a path leads; null where that is no folder. */
async function followed(path: string): Promise<string | null> {
  const place = await realpath(path).catch(() => null);
  return place !== null && (await lstat(place).catch(() => null))?.isDirectory() ? place : null;
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}
