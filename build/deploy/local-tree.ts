/** The tree to deploy: read whole, and refused if it differs from its checksums. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError, UnableError } from '../failure.ts';
import { isRelease, ROOT } from '../format/paths.ts';
import { parseChecksums } from '../tree/previous-tree.ts';
import { collectFaults, judgeHash, readTreeLists } from '../tree/tree-lists.ts';

export interface LocalFile {
  /** Relative to the tree's root. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The ETags that most buckets give these bytes: sent at once, the MD5; in parts, the MD5 of their MD5s and their number. */
  readonly etags: readonly string[];
}

export interface LocalTree {
  readonly folder: string;
  readonly release: string;
  /** Text of SHA256SUMS. It is uploaded last, so a release that has it is complete. */
  readonly checksums: string;
  /** All files of a mirror except SHA256SUMS, by path. */
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** Reads every byte of a tree. Throws RefusedError if it is no tree, is damaged or has files that no build wrote. */
export async function readLocalTree(name: string): Promise<LocalTree> {
  const folder = await realpath(name).catch(() => name);
  const checksums = await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => '');
  const { found, wrong } = collectFaults();
  const { manifest, present, other } = await readTreeLists(folder, wrong).catch(error => {
    throw error instanceof UnableError ? refused(error.code, name, error.message) : error;
  });
  // What is read is held against the text that is sent: a build may have put another tree here in between.
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

/** Bytes of a piece when aws sends or copies a file in several. */
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

/** A wrong input, such as a damaged tree or a missing release. Nothing was switched. */
export function refused(code: string, file: string, message: string): RefusedError {
  return new RefusedError([{ severity: 'error', code, file, message }]);
}

export function someOf(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
