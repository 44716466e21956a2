/** Builds, and what they leave on the disk. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Edges } from '../../build/hosts/host-profile.ts';
import type { BuildResult } from '../../build/pipeline/build.ts';
import type { BuildOptions } from '../../build/pipeline/build-options.ts';
import type { BuildEvent } from '../../build/report.ts';
import { verifyTree } from '../../build/tree/verify-tree.ts';

/** Where a publisher has its contracts, lake and tree. */
export interface PublisherFolder {
  readonly root: string;
  readonly contracts: string;
  readonly data: string;
  readonly out: string;
}

export type Overrides = Partial<BuildOptions>;

export const RELEASE_DATE = '2031-05-17';

export function buildOptions(
  { contracts, data, out }: PublisherFolder,
  overrides: Overrides = {},
): BuildOptions {
  return {
    contracts,
    data,
    out,
    only: null,
    strict: false,
    jobs: 1,
    memory: '400MB',
    releaseDate: RELEASE_DATE,
    previous: null,
    baseUrl: null,
    ...overrides,
  };
}

export interface Built {
  readonly result: BuildResult;
  readonly events: readonly BuildEvent[];
  readonly notes: string[];
  /** `code message` of each. */
  readonly warnings: string[];
}

export async function verify(folder: string) {
  return verifyTree(folder, { jobs: 1, memory: '400MB' }, () => undefined);
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface FileOnDisk {
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly inode: number;
}

/** Every file beneath a folder, by its path. */
export async function snapshot(folder: string): Promise<Map<string, FileOnDisk>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(entry => !entry.isDirectory())
    .map(entry => path.join(entry.parentPath, entry.name));
  const found = files.sort().map(async (file): Promise<[string, FileOnDisk]> => {
    const info = await stat(file);
    const hash = sha256(await readFile(file));
    return [path.relative(folder, file), { sha256: hash, modified: info.mtimeMs, inode: info.ino }];
  });
  return new Map(await Promise.all(found));
}

/** Only hashes, for trees of the same input. */
export async function contents(folder: string): Promise<Record<string, string>> {
  return Object.fromEntries([...(await snapshot(folder))].map(([name, file]) => [name, file.sha256]));
}

/**
 * Hashes without times, for trees of the same input with different histories. Files that refer to others are
 * hashed with names in place of hashes, because a manifest with another time has another hash. Copies of a
 * file have one name, because their times may differ.
 */
export async function undated(folder: string): Promise<Record<string, string>> {
  const tree = await contents(folder);
  const names = new Map(
    Object.entries(tree).map(([name, sha256]) => [sha256, name.split('/').slice(-2).join('/')]),
  );
  // Pages of rows refer to no other file.
  const speaking = Object.keys(tree).filter(
    name => /(\.json|\.html|SHA256SUMS)$/.test(name) && !name.includes('/year='),
  );
  for (const name of speaking) {
    const text = await readFile(path.join(folder, name), 'utf8');
    tree[name] = text
      .replace(/"(modified|seal)": "[^"]*"/g, '"$1": ""')
      .replace(/name="civic-digest" content="[^"]*"/, '')
      .replace(/\b[0-9a-f]{64}\b/g, sha256 => names.get(sha256) ?? sha256);
  }
  return tree;
}

export async function readTreeJson<T>(folder: string, name: string): Promise<T> {
  return JSON.parse(await readFile(path.join(folder, name), 'utf8')) as T;
}

export const NO_EDGES: Edges = {
  worker: async () => [],
  cloudfront: async () => [],
  nginx: async () => [],
  nginxTable: async () => ({ path: 'rewriting.txt', text: '# a table\n' }),
};
