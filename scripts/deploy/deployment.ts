/** The steps of a deployment, the same on every host. Until the switch, what is online stays as it is. */
import { type LocalTree, refused } from './local-tree.ts';
import type { ReleaseHost, Tell, Uploaded } from './release-host.ts';

export interface Deployed {
  readonly release: string;
  /** What was online before; null where nothing was. */
  readonly before: string | null;
  /** Null where the release was there already. */
  readonly uploaded: Uploaded | null;
  readonly removed: readonly string[];
}

/**
 * Brings a tree's release to a host, proves it there, and switches to it; then removes the oldest, where only some are
 * kept (null: all). A release never changes: another tree of the same name is refused.
 */
export async function deployTree(
  host: ReleaseHost,
  tree: LocalTree,
  keep: number | null,
  tell: Tell,
): Promise<Deployed> {
  const { release } = tree;
  const before = await host.readCurrent();
  const there = await host.readChecksums(release);
  if (there !== null && there !== tree.checksums) {
    throw refused(
      'release-differs',
      tree.folder,
      `is release ${release}, which is there already with other files, and a release never changes. Build with a later --release-date.`,
    );
  }
  tell(there === null ? `Release ${release}: sending what is new.` : `Release ${release} is there already.`);
  const uploaded = there === null ? await host.upload(tree, before) : null;
  if (there !== null) await host.prove(release);
  await host.switchTo(release);
  const removed = keep === null ? [] : await removeOldest(host, release, keep);
  return { release, before, uploaded, removed };
}

/** Switches to a release that is there. */
export async function rollBack(host: ReleaseHost, release: string): Promise<Deployed> {
  const before = await host.readCurrent();
  if ((await host.readChecksums(release)) === null) {
    const list = await host.list();
    throw refused(
      'no-such-release',
      release,
      `is not there. ${list.length === 0 ? 'No release is.' : `There are ${list.join(', ')}.`}`,
    );
  }
  await host.prove(release);
  await host.switchTo(release);
  return { release, before, uploaded: null, removed: [] };
}

async function removeOldest(host: ReleaseHost, current: string, keep: number): Promise<string[]> {
  const others = (await host.list()).filter(release => release !== current);
  const oldest = others.slice(keep - 1);
  for (const release of oldest) await host.remove(release);
  return oldest;
}
