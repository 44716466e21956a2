/** A tree's lists of its own files: checksums and manifests. Damaged lists are ignored. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { UnableError } from '../failure.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../format/manifest.ts';
import { API_ROOT, isUnlisted, ROOT } from '../format/paths.ts';
import { isRegularFile, listFiles } from '../lake/lake-files.ts';
import { digestText } from '../slice/file-digest.ts';
import { type ManifestShape, misshapen, shapeDiagnostic, TREE_MANIFEST } from './manifest-shape.ts';
import { type KnownFile, parseChecksums, readManifests } from './previous-tree.ts';
import { parseJson } from './tree-source.ts';

/** Records a fault of a file. */
export type ReportFault = (file: string, code: string, message: string) => void;

/** `found` gets each fault that is told to `wrong`. */
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

/** Reads a tree's lists, and reports files that are missing and files that no list has. */
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
 * Compares a file's hash with every list. Reports a difference, as a fault of the list if the list is wrong. `where` tells
 * which part of a damaged file is.
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
