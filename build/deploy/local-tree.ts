/** The tree to deploy: read whole, and refused if it differs from its checksums. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError } from '../failure.ts';
import type { TreeManifest } from '../format/manifest.ts';
import { isRelease, isUnlisted, ROOT } from '../format/paths.ts';
import { listFiles } from '../lake/lake-files.ts';
import { parseChecksums, readJson } from '../tree/previous-tree.ts';
import { EtagHash } from './etag.ts';

export interface LocalFile {
  /** Relative to the tree's root. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The ETags that most buckets give these bytes: see etag.ts. */
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
  const manifest = readJson<TreeManifest>(path.join(folder, ROOT.manifest));
  const checksums = await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => null);
  if (checksums === null || !isRelease(String(manifest?.release))) {
    throw refused(
      'not-a-tree',
      name,
      `is not a tree: it has no ${manifest === null ? ROOT.manifest : ROOT.checksums}. Name a folder that civic build wrote.`,
    );
  }
  const listed = parseChecksums(checksums);
  const present = new Set(listFiles(folder));
  present.delete(ROOT.checksums);
  // A tree built for a host may hold that host's own instructions, which are not deployed.
  const foreign = [...present].filter(file => !listed.has(file) && !isUnlisted(file));
  if (foreign.length > 0)
    throw refused('foreign-file', name, `has files that no build wrote: ${someOf(foreign)}. Remove them.`);
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

/** A wrong input, such as a damaged tree or a missing release. Nothing was switched. */
export function refused(code: string, file: string, message: string): RefusedError {
  return new RefusedError([{ severity: 'error', code, file, message }]);
}

export function someOf(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
