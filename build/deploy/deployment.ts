/** The steps of a deployment, the same on every host. The switch is the only step that readers notice. */
import { type LocalTree, refused } from './local-tree.ts';

export interface Deployed {
  readonly release: string;
  /** The release that was online before; null if none was. */
  readonly before: string | null;
  /** Null if the host had the release already. */
  readonly uploaded: Uploaded | null;
  readonly removed: readonly string[];
}

/**
 * Uploads a tree's release, verifies it on the host and switches to it. Then removes all but the last `keep` releases
 * (null: removes none). Refuses another tree with the name of a release that the host has: a release never changes.
 */
export async function deployTree(
  host: ReleaseHost,
  tree: LocalTree,
  keep: number | null,
  tell: Tell,
): Promise<Deployed> {
  return withClaim(host, async claim => {
    const { release } = tree;
    const before = await host.readCurrent();
    const there = await host.readChecksums(release);
    if (there !== null && there !== tree.checksums) {
      throw refused(
        'release-differs',
        tree.folder,
        `is release ${release}, but the host has other files under that name, and a release never changes. Build with a later --release-date.`,
      );
    }
    tell(
      there === null ? `Release ${release}: sending new files.` : `The host has release ${release} already.`,
    );
    const uploaded = there === null ? await host.upload(tree, before) : null;
    if (there !== null) await host.prove(release);
    claim.expectHeld();
    await host.switchTo(release);
    const removed = keep === null ? [] : await removeOldest(host, release, keep);
    return { release, before, uploaded, removed };
  });
}

/** Switches to a release that the host has. */
export async function rollBack(host: ReleaseHost, release: string): Promise<Deployed> {
  const before = await host.readCurrent();
  if ((await host.readChecksums(release)) === null) {
    const list = await host.list();
    throw refused(
      'no-such-release',
      release,
      `is not on the host. ${list.length === 0 ? 'The host has no release.' : `The host has ${list.join(', ')}.`}`,
    );
  }
  await withClaim(host, async claim => {
    await host.prove(release);
    claim.expectHeld();
    await host.switchTo(release);
  });
  return { release, before, uploaded: null, removed: [] };
}

/** One deployment at a time: two would remove each other's releases. */
async function withClaim<Result>(
  host: ReleaseHost,
  work: (claim: HostClaim) => Promise<Result>,
): Promise<Result> {
  const claim = await host.claim();
  try {
    return await work(claim);
  } finally {
    await claim.release();
  }
}

async function removeOldest(host: ReleaseHost, current: string, keep: number): Promise<string[]> {
  const others = (await host.list()).filter(release => release !== current);
  const oldest = others.slice(keep - 1);
  for (const release of oldest) await host.remove(release);
  return oldest;
}

export interface ReleaseHost {
  /** Takes the host for one deployment. Throws UnableError if another has it. */
  claim(): Promise<HostClaim>;
  /** The complete releases, the last uploaded first. */
  list(): Promise<readonly string[]>;
  /** The release that is online; null before the first deployment. */
  readCurrent(): Promise<string | null>;
  /** SHA256SUMS of a release; null if the release is missing or incomplete. */
  readChecksums(release: string): Promise<string | null>;
  /**
   * Uploads a release next to the others and verifies it, without switching to it. Sends no file that the host has:
   * files of the release `from` are copied on the host.
   */
  upload(tree: LocalTree, from: string | null): Promise<Uploaded>;
  /** Checks a release against its checksums as far as the host allows. Throws if it is incomplete. */
  prove(release: string): Promise<void>;
  /** One write. */
  switchTo(release: string): Promise<void>;
  remove(release: string): Promise<void>;
}

export interface HostClaim {
  /** Throws UnableError if the claim was lost. Call it right before a switch. */
  expectHeld(): void;
  release(): Promise<void>;
}

/** The claim on a host that can hold nothing for anybody. */
export const NO_CLAIM: HostClaim = { expectHeld: () => undefined, release: async () => undefined };

export interface Uploaded {
  /** Files and bytes sent, without SHA256SUMS. */
  readonly sent: number;
  readonly bytes: number;
  /** Files that the host had already. */
  readonly kept: number;
}

export type Tell = (text: string) => void;
