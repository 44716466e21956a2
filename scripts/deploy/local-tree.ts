/** The tree that is deployed: read whole, and refused where it is not as its checksums say. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError } from '../../build/failure.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { isRelease, isUnlisted, ROOT } from '../../build/format/paths.ts';
import { listFiles } from '../../build/lake/lake-files.ts';
import { parseChecksums, readJson } from '../../build/tree/previous-tree.ts';
import { EtagHash } from './etag.ts';

export interface LocalFile {
  /** From the tree's root. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What most buckets call an object of these bytes: see etag.ts. */
  readonly etags: readonly string[];
}

export interface LocalTree {
  readonly folder: string;
  readonly release: string;
  /** Text of SHA256SUMS. A release is whole where it has this file, which is written last. */
  readonly checksums: string;
  /** All that a mirror would have, but SHA256SUMS itself; by path. */
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** Reads every byte of a tree. Throws RefusedError where it is no tree, damaged, or holds files of somebody else. */
export async function readLocalTree(name: string): Promise<LocalTree> {
  const folder = await realpath(name).catch(() => name);
  const manifest = readJson<TreeManifest>(path.join(folder, ROOT.manifest));
  const checksums = await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => null);
  if (checksums === null || !isRelease(String(manifest?.release))) {
    throw refused(
      'not-a-tree',
      name,
      `is not a tree: it has no ${manifest === null ? ROOT.manifest : ROOT.checksums}. civic build makes one.`,
    );
  }
  const listed = parseChecksums(checksums);
  const present = new Set(listFiles(folder));
  present.delete(ROOT.checksums);
  // A host's own instructions are for the host that the tree was built for, and stay behind.
  const foreign = [...present].filter(file => !listed.has(file) && !isUnlisted(file));
  if (foreign.length > 0)
    throw refused('foreign-file', name, `holds files that no build wrote: ${someOf(foreign)}. Remove them.`);
  const files = new Map<string, LocalFile>();
  const wrong: string[] = [];
  for (const [file, sha256] of listed) {
    const found = present.has(file) ? await readDigests(path.join(folder, file)) : null;
    if (found?.sha256 === sha256) files.set(file, { path: file, ...found });
    else wrong.push(file);
  }
  if (wrong.length > 0)
    throw refused(
      'tree-damaged',
      name,
      `differs from its ${ROOT.checksums}: ${someOf(wrong)}. Build it again.`,
    );
  return { folder, release: manifest?.release ?? '', checksums, files };
}

async function readDigests(file: string): Promise<Omit<LocalFile, 'path'>> {
  const sha256 = createHash('sha256');
  const etags = new EtagHash();
  let bytes = 0;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    sha256.update(part);
    etags.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: sha256.digest('hex'), etags: etags.digest() };
}

/** An input that is wrong: the tree, or a release that is not there. Nothing was switched. */
export function refused(code: string, file: string, message: string): RefusedError {
  return new RefusedError([{ severity: 'error', code, file, message }]);
}

export function someOf(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
