/**
 * A tree's lists of its own files (checksums and manifests), and how the folder differs from them. Damaged
 * lists are ignored.
 */

import { lstatSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { UnableError } from '../failure.ts';
import {
  BLOCK_BYTES,
  type DatasetManifest,
  type DimensionManifest,
  type TreeManifest,
} from '../format/manifest.ts';
import { API_ROOT, isUnlisted, ROOT } from '../format/paths.ts';
import { someOf } from '../format/shown-text.ts';
import { isRegularFile, listFiles } from '../lake/lake-files.ts';
import { digestPublished, digestText } from '../slice/file-digest.ts';
import { type ManifestShape, misshapen, shapeDiagnostic, TREE_MANIFEST } from './manifest-shape.ts';
import { type KnownFile, parseChecksums, readManifests } from './previous-tree.ts';
import { parseJson } from './tree-source.ts';

export type ReportFault = (file: string, code: string, message: string) => void;

/** `wrong` adds a fault to `found`. */
export function collectFaults(): { readonly found: Diagnostic[]; readonly wrong: ReportFault } {
  const found: Diagnostic[] = [];
  return { found, wrong: (file, code, message) => found.push({ severity: 'error', code, file, message }) };
}

export interface TreeLists {
  readonly folder: string;
  /** Hashes by file, from SHA256SUMS. */
  readonly expected: ReadonlyMap<string, string>;
  /** Hashes by file, from manifests or, for files that no manifest lists, from the API's own checksums. */
  readonly other: ReadonlyMap<string, string>;
  /** The regular files in the folder: no pipes, no broken links. */
  readonly present: ReadonlySet<string>;
  /** Null if damaged. */
  readonly manifest: TreeManifest | null;
  /** The manifests that agree with SHA256SUMS, by key, and every file that they list. */
  readonly datasets: ReadonlyMap<string, DatasetManifest>;
  readonly dimensions: ReadonlyMap<string, DimensionManifest>;
  readonly files: ReadonlyMap<string, KnownFile>;
}

/** Reports files that are missing and files that no list has. */
export async function readTreeLists(folder: string, wrong: ReportFault): Promise<TreeLists> {
  const text = async (file: string) => {
    const where = path.join(folder, file);
    return isRegularFile(where) ? readFile(where, 'utf8').catch(() => null) : null;
  };
  const sums = await text(ROOT.checksums);
  const expected = parseChecksums(sums ?? '');
  const names = new Set(sums === null ? [] : listFiles(folder));
  const present = new Set([...names].filter(name => isRegularFile(path.join(folder, name))));
  if (sums === null || !(present.has(ROOT.manifest) || expected.has(ROOT.manifest))) {
    throw new UnableError(
      'not-a-tree',
      `${folder} has no ${sums === null ? ROOT.checksums : ROOT.manifest}. Name the root folder of a tree.`,
    );
  }
  const sound = async <T>(file: string, shape: ManifestShape<T>): Promise<T | null> => {
    const found = await text(file);
    if (found === null || digestText(found) !== expected.get(file)) return null;
    const value = parseJson<T>(found);
    const different = misshapen(shape, value);
    if (different === null) return value;
    const { code, message } = shapeDiagnostic(file, different);
    wrong(file, code, message);
    return null;
  };
  const manifest = await sound(ROOT.manifest, TREE_MANIFEST);
  const known = manifest && (await readManifests(manifest, (file, _, shape) => sound(file, shape)));
  const files = known?.files ?? new Map<string, KnownFile>();
  const other = new Map([...files].map(([name, file]) => [name, file.sha256]));
  const own = (await text(ROOT.apiChecksums)) ?? '';
  if (digestText(own) === expected.get(ROOT.apiChecksums)) {
    for (const [name, sha256] of parseChecksums(own)) {
      if (!other.has(`${API_ROOT}/${name}`)) other.set(`${API_ROOT}/${name}`, sha256);
    }
  }
  const lines = sums.split('\n').length - 1;
  if (!sums.endsWith('\n') || lines !== expected.size) {
    wrong(ROOT.checksums, 'tree-corrupt-file', 'The list is cut off, or has invalid lines. Copy it again.');
  }
  for (const name of names) {
    if (expected.has(name) || name === ROOT.checksums || isUnlisted(name)) continue;
    if (other.has(name) && present.has(name))
      wrong(ROOT.checksums, 'tree-corrupt-file', `The list lacks ${name}. Copy it again.`);
    else if (!other.has(name))
      wrong(
        name,
        'tree-extra-file',
        `The file is not in ${ROOT.checksums}. Remove it, or copy the tree again.`,
      );
  }
  for (const name of new Set([...expected.keys(), ...other.keys()])) {
    if (present.has(name)) continue;
    const by = expected.has(name) ? ROOT.checksums : 'A manifest';
    const instead = names.has(name) ? 'the folder has something else there' : 'the folder lacks it';
    wrong(name, 'tree-missing-file', `${by} lists the file, but ${instead}. Copy it again.`);
  }
  const { datasets = new Map(), dimensions = new Map() } = known ?? {};
  return { folder, expected, other, present, manifest, datasets, dimensions, files };
}

/**
 * Compares a file's hash with every list, and reports a difference. If the list is wrong, the fault is the
 * list's. `where` says which part of a damaged file differs.
 */
export function judgeHash(
  { expected, other }: Pick<TreeLists, 'expected' | 'other'>,
  name: string,
  sha256: string,
  wrong: ReportFault,
  where: () => string = () => '',
): boolean {
  const listed = expected.get(name);
  const second = other.get(name);
  if (listed === undefined) return false;
  if (listed === sha256) {
    if (second === undefined || second === sha256) return true;
    wrong(
      name,
      'tree-manifest-mismatch',
      `The manifest lists sha256 ${second}, but ${ROOT.checksums} lists ${sha256}. The tree mixes releases; copy it again.`,
    );
    return false;
  }
  if (second === sha256) {
    const message = `The list has sha256 ${listed} for ${name}, but its manifest and its bytes have ${sha256}. Copy it again.`;
    wrong(ROOT.checksums, 'tree-corrupt-file', message);
  } else {
    const message = `The file has sha256 ${sha256}, but ${ROOT.checksums} lists ${listed}.${where()} Copy it again.`;
    wrong(name, 'tree-corrupt-file', message);
  }
  return false;
}

/** Bytes of a SHA-256. */
const HASH = 32;

/**
 * The numbers of the damaged blocks, from 0. Null if the manifest lists no blocks, or the file has another
 * length.
 */
export function damagedBlocks(
  file: string,
  { bytes, blocks }: Pick<KnownFile, 'bytes' | 'blocks'>,
): number[] | null {
  if (blocks === undefined) return null;
  const { file: found } = digestPublished(file);
  if (found.bytes !== bytes || found.blocks === undefined) return null;
  const [expected, actual] = [blocks, found.blocks].map(text => Buffer.from(text, 'base64'));
  return Array.from({ length: Math.ceil(bytes / BLOCK_BYTES) }, (_, i) => i).filter(
    i =>
      !expected
        ?.subarray(i * HASH, (i + 1) * HASH)
        .equals(actual?.subarray(i * HASH, (i + 1) * HASH) ?? Buffer.of()),
  );
}

/** ` Damaged: block 3 of 0 to 11 (bytes 196608 to 262143).` */
export function blocksText(damaged: readonly number[] | null, bytes: number): string {
  if (damaged === null || damaged.length === 0) return '';
  const all = Math.ceil(bytes / BLOCK_BYTES);
  const said = damaged.map(
    i =>
      `block ${i} of 0 to ${all - 1} (bytes ${i * BLOCK_BYTES} to ${Math.min(bytes, (i + 1) * BLOCK_BYTES) - 1})`,
  );
  return ` Damaged: ${someOf(said)}.`;
}

/**
 * Compares what hashes don't show. Reports links as faults, because no server follows them, and returns
 * warnings about times and empty folders.
 */
export function compareLooks(
  { folder, present, files }: Pick<TreeLists, 'folder' | 'present' | 'files'>,
  wrong: ReportFault,
): Diagnostic[] {
  const otherTimes: string[] = [];
  for (const name of present) {
    const info = lstatSync(path.join(folder, name));
    if (info.isSymbolicLink()) {
      wrong(name, 'tree-link', 'The file is a link, and no server follows it. Put the file itself there.');
      continue;
    }
    const modified = files.get(name)?.modified;
    if (modified !== undefined && info.mtimeMs !== Date.parse(modified)) otherTimes.push(name);
  }
  return [
    ...warning(
      otherTimes,
      'tree-time-differs',
      'has another time than its manifest says, so mirrors and caches fetch it again',
      'Copy the tree with its times.',
    ),
    ...warning(
      emptyFolders(folder),
      'tree-empty-folder',
      'is an empty folder, which no build makes',
      'Remove it.',
    ),
  ];
}

/** One warning for all, which names the first. */
function warning(names: readonly string[], code: string, what: string, remedy: string): Diagnostic[] {
  const [file] = names;
  if (file === undefined) return [];
  const more = names.slice(1, 4).join(', ');
  const others =
    names.length > 1
      ? ` The same is true of ${names.length - 1} more (${more}${names.length > 4 ? ', …' : ''}).`
      : '';
  return [{ severity: 'warning', code, file, message: `It ${what}.${others} ${remedy}` }];
}

function emptyFolders(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(place => readdirSync(place).length === 0)
    .map(place => path.relative(root, place))
    .sort();
}
