/**
 * The steps of a deployment, the same on every host, and what they need: the destination, the local tree, and
 * what a host must do. Readers notice only the switch.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError, refused, UnableError } from '../failure.ts';
import { isRelease, ROOT } from '../format/paths.ts';
import { parseChecksums } from '../tree/previous-tree.ts';
import { collectFaults, judgeHash, readTreeLists } from '../tree/tree-lists.ts';

export interface Deployed {
  readonly release: string;
  /** The release that was online before; null if none was. */
  readonly before: string | null;
  /** Null if the host had the release already. */
  readonly uploaded: Uploaded | null;
  readonly removed: readonly string[];
}

/**
 * Uploads a tree's release, verifies it on the host and switches to it. Then removes all but the last `keep`
 * releases (null removes none). A release never changes: refuses a tree that differs from the host's release
 * of the same name.
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
    const others = keep === null ? [] : (await host.list()).filter(other => other !== release);
    const removed = others.slice((keep ?? 1) - 1);
    for (const oldest of removed) await host.remove(oldest);
    return { release, before, uploaded, removed };
  });
}

/** Switches to a release that the host has. */
export async function rollBack(host: ReleaseHost, release: string): Promise<Deployed> {
  return withClaim(host, async claim => {
    const before = await host.readCurrent();
    const list = await host.list();
    if (!list.includes(release)) {
      const there = list.length === 0 ? 'The host has no release.' : `The host has ${list.join(', ')}.`;
      throw refused('no-such-release', release, `is not on the host. ${there}`);
    }
    await host.prove(release);
    claim.expectHeld();
    await host.switchTo(release);
    return { release, before, uploaded: null, removed: [] };
  });
}

/** Allows one deployment at a time, because two would remove each other's releases. */
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

export interface ReleaseHost {
  /** Throws UnableError if another deployment has the host. */
  claim(): Promise<HostClaim>;
  /** The complete releases, the last uploaded first. */
  list(): Promise<readonly string[]>;
  /** Null before the first deployment. */
  readCurrent(): Promise<string | null>;
  /** SHA256SUMS of a release; null if the release is missing or incomplete. */
  readChecksums(release: string): Promise<string | null>;
  /**
   * Uploads a release next to the others and verifies it, without switching to it. Files that release `from`
   * also has are copied on the host instead of sent.
   */
  upload(tree: LocalTree, from: string | null): Promise<Uploaded>;
  /** Compares a release with its checksums as far as the host allows. Throws if it is incomplete. */
  prove(release: string): Promise<unknown>;
  /** Must be one write. */
  switchTo(release: string): Promise<unknown>;
  remove(release: string): Promise<unknown>;
}

interface HostClaim {
  /** Throws UnableError if the claim was lost. Call it right before a switch. */
  expectHeld(): void;
  release(): Promise<void>;
}

/** For hosts without locks. */
export const NO_CLAIM: HostClaim = { expectHeld: () => undefined, release: async () => undefined };

interface Uploaded {
  /** Files and bytes sent, without SHA256SUMS. */
  readonly sent: number;
  readonly bytes: number;
  /** Files that the host had already. */
  readonly kept: number;
}

export type Tell = (text: string) => void;

export type Destination =
  /** `s3://bucket/prefix/` */
  | { readonly kind: 'bucket'; readonly bucket: string; readonly prefix: string }
  /** `user@host:/folder`, or a folder of this machine. */
  | { readonly kind: 'server'; readonly login: string | null; readonly folder: string };

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/;
const REMOTE = /^([A-Za-z0-9_][A-Za-z0-9._@-]*):(.+)$/;

/** Every shell takes these characters literally. The text becomes part of commands on another machine. */
const PLAIN = /^[A-Za-z0-9._/@+=~-]+$/;

/** Null if the text isn't a destination. */
export function parseDestination(text: string): Destination | null {
  const object = BUCKET.exec(text);
  if (object) {
    const prefix = (object[2] ?? '').replace(/\/+$/, '');
    // In a bucket, empty, `.` and `..` segments would be names.
    const isFolder = prefix.split('/').every(part => !['', '.', '..'].includes(part));
    if (prefix !== '' && !(PLAIN.test(prefix) && isFolder)) return null;
    return { kind: 'bucket', bucket: object[1] ?? '', prefix: prefix === '' ? '' : `${prefix}/` };
  }
  if (/^[a-z0-9]+:\/\//i.test(text)) return null;
  const remote = REMOTE.exec(text);
  const folder = (remote?.[2] ?? text).replace(/(?<=.)\/+$/, '');
  if (!PLAIN.test(folder) || folder.startsWith('-')) return null;
  return { kind: 'server', login: remote?.[1] ?? null, folder };
}

export interface LocalFile {
  /** Relative to the tree's root. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /**
   * The ETags that most buckets give these bytes: the MD5 if sent at once, otherwise the MD5 of the parts'
   * MD5s, with their number.
   */
  readonly etags: readonly string[];
}

export interface LocalTree {
  readonly folder: string;
  readonly release: string;
  /** Text of SHA256SUMS. It is uploaded last, so a release that has it is complete. */
  readonly checksums: string;
  /** All files except SHA256SUMS, by path. */
  readonly files: ReadonlyMap<string, LocalFile>;
}

/**
 * Reads every byte of a tree. Throws RefusedError if it isn't a tree, is damaged or has files that no build
 * wrote.
 */
export async function readLocalTree(name: string): Promise<LocalTree> {
  const folder = await realpath(name).catch(() => name);
  const checksums = await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => '');
  const { found, wrong } = collectFaults();
  const { manifest, present, other } = await readTreeLists(folder, wrong).catch(error => {
    throw error instanceof UnableError ? refused(error.code, name, error.message) : error;
  });
  // Compare with the text that is sent, because a build may have switched the tree since.
  const lists = { expected: parseChecksums(checksums), other };
  const files = new Map<string, LocalFile>();
  for (const file of lists.expected.keys()) {
    if (!present.has(file)) continue;
    const digests = await readDigests(path.join(folder, file));
    judgeHash(lists, file, digests.sha256, wrong);
    files.set(file, { path: file, ...digests });
  }
  if (manifest === null || found.length > 0) throw new RefusedError(found);
  // The name becomes a folder, and part of commands on another machine.
  if (!isRelease(manifest.release))
    throw refused('not-a-tree', ROOT.manifest, 'names no release. Build the tree again.');
  return { folder, release: manifest.release, checksums, files };
}

/** Bytes in each part when aws sends or copies a file in several. */
const PART = 8 << 20;

export async function readDigests(file: string): Promise<Omit<LocalFile, 'path'>> {
  const [sha256, whole, several] = [createHash('sha256'), createHash('md5'), createHash('md5')];
  const { size } = await stat(file);
  let parts = 0;
  for (let start = 0; start < size; start += PART) {
    const part = createHash('md5');
    for await (const bytes of createReadStream(file, { start, end: start + PART - 1 })) {
      for (const hash of [sha256, whole, part]) hash.update(bytes as Buffer);
    }
    several.update(part.digest());
    parts++;
  }
  const etags = [whole.digest('hex'), `${several.digest('hex')}-${parts}`];
  return { bytes: size, sha256: sha256.digest('hex'), etags };
}
