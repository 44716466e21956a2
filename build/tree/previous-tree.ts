/** The tree of the last release: its files, their hashes, and when each file got its bytes. */
import { readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UnableError } from '../failure.ts';
import {
  type DatasetManifest,
  type DimensionManifest,
  listedFiles,
  type ManifestEntry,
  type PublishedFile,
  type TreeManifest,
} from '../format/manifest.ts';
import { isUnlisted, ROOT } from '../format/paths.ts';
import { listFiles } from '../lake/lake-files.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import {
  DATASET_MANIFEST,
  DIMENSION_MANIFEST,
  type ManifestShape,
  misshapen,
  TREE_MANIFEST,
} from './manifest-shape.ts';
import { damaged, parseJson, sourceOf } from './tree-source.ts';
import { isEmptyFolder } from './workspace.ts';

export type KnownFile = Omit<PublishedFile, 'path'>;

type PublishedBytes = Pick<KnownFile, 'sha256' | 'modified'>;

export interface PreviousTree {
  /** Folder of the files; null if only the manifest is known. */
  readonly folder: string | null;
  readonly files: ReadonlyMap<string, KnownFile>;
  /** All published files, including those that are now damaged or missing. */
  readonly published: ReadonlyMap<string, PublishedBytes>;
  readonly manifest: TreeManifest | null;
  /** By `domain/topic`. */
  readonly datasets: ReadonlyMap<string, DatasetManifest>;
  /** By `domain/_dimensions/name`. */
  readonly dimensions: ReadonlyMap<string, DimensionManifest>;
}

export const NO_TREE: PreviousTree = {
  folder: null,
  files: new Map(),
  published: new Map(),
  manifest: null,
  datasets: new Map(),
  dimensions: new Map(),
};

/** Files examined before other tasks get a turn. */
const BATCH = 128;

/**
 * Reads the tree at an output folder. Refuses a non-empty folder that isn't our tree, or that has files that
 * no build wrote, because replacing it would delete them.
 */
export async function readOutputTree(out: string): Promise<PreviousTree> {
  const info = await stat(out).catch(() => null);
  if (info === null) return NO_TREE;
  if (!info.isDirectory()) throw new UnableError('output-not-a-folder', `${out} is a file. Name a folder.`);
  if (await isEmptyFolder(out)) return NO_TREE;
  const sums = readText(path.join(out, ROOT.checksums));
  const manifest = readJson<TreeManifest>(path.join(out, ROOT.manifest));
  if (sums === null || manifest === null || misshapen(TREE_MANIFEST, manifest) !== null) {
    throw new UnableError(
      'output-not-ours',
      `${out} is not empty, and no build wrote it. The build left it unchanged. Name another folder, or empty this one yourself.`,
    );
  }
  const hashes = parseChecksums(sums);
  const names = listFiles(out);
  for (const file of names.filter(isUnlisted)) hashes.set(file, digestFile(path.join(out, file)).sha256);
  const foreign = names.filter(file => !hashes.has(file) && file !== ROOT.checksums);
  if (foreign.length > 0) {
    throw new UnableError(
      'output-foreign-file',
      `${out} holds ${foreign.length === 1 ? 'a file' : `${foreign.length} files`} that no build wrote (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', …' : ''}). Move ${foreign.length === 1 ? 'it' : 'them'} elsewhere: a build replaces the whole folder.`,
    );
  }
  await setImmediate();
  const known = await readManifests(
    manifest,
    async <T>(file: string, sha256: string, shape: ManifestShape<T>) => {
      const text = readText(path.join(out, file));
      const found = parseJson<T>(text);
      // A manifest that a build wrote has the right shape, and checking every field takes longer than
      // hashing.
      return digestText(text ?? '') === sha256 || misshapen(shape, found) === null ? found : null;
    },
  );
  const files = new Map<string, KnownFile>();
  hashes.set(ROOT.checksums, digestText(sums));
  const published = datePublished(known.files, hashes);
  let looked = 0;
  // A power cut can leave files with their times but without their bytes. If one file has lost bytes, ignore
  // all times.
  const damaged = [...known.files].some(([name, { bytes }]) => sizeOf(path.join(out, name)) !== bytes);
  for (const [name, sha256] of hashes) {
    if (++looked % BATCH === 0) await setImmediate();
    const found = statSync(path.join(out, name), { throwIfNoEntry: false });
    if (found === undefined) continue;
    const modified = known.files.get(name)?.modified ?? utcTime(new Date(found.mtimeMs));
    // A file with another time may have changed: hash it.
    const touched = found.mtimeMs !== Date.parse(modified);
    if ((touched || damaged || found.size === 0) && digestFile(path.join(out, name)).sha256 !== sha256)
      continue;
    const { blocks } = known.files.get(name) ?? {};
    files.set(name, { bytes: found.size, sha256, modified, ...(blocks === undefined ? {} : { blocks }) });
    published.set(name, { sha256, modified });
  }
  const { datasets, dimensions } = known;
  return { folder: out, files, published, manifest, datasets, dimensions };
}

/**
 * Reads the tree of `--previous`: the path or URL of its root manifest.json, and the manifests next to it.
 */
export async function readPreviousManifest(location: string): Promise<PreviousTree> {
  const { text: read } = sourceOf(
    /^https?:/.test(location) ? new URL('.', location).href : path.dirname(location),
  );
  const name = path.basename(location.split(/[?#]/)[0] ?? location);
  const text = await read(name);
  const manifest = parseJson<TreeManifest>(text);
  const unable = (what: string) =>
    new UnableError(
      'previous-unreadable',
      `${what}. Name the root manifest.json of a whole tree, or omit --previous.`,
    );
  const wrong = misshapen(TREE_MANIFEST, manifest);
  if (manifest === null || wrong !== null) throw unable(`${location} ${wrong}`);
  const sums = (name === ROOT.manifest ? await read(ROOT.checksums) : null) ?? '';
  const hashes = parseChecksums(sums);
  const own = digestText(text ?? '');
  if ((hashes.get(ROOT.manifest) ?? own) !== own) throw damaged(location, ROOT.manifest);
  // A publisher may keep a root manifest without its tree; a manifest that is present must be the published
  // one.
  const known = await readManifests(
    manifest,
    async <T>(file: string, sha256: string, shape: ManifestShape<T>) => {
      const found = await read(file);
      if (found === null) return null;
      if (digestText(found) !== sha256) throw damaged(location, file);
      const value = parseJson<T>(found);
      const different = misshapen(shape, value);
      if (different !== null) throw unable(`${file} next to ${location} ${different}`);
      return value;
    },
  );
  // Every tree was published with these two files, even if they are missing here.
  hashes.set(ROOT.manifest, own).set(ROOT.checksums, digestText(sums));
  return { ...NO_TREE, manifest, ...known, published: datePublished(known.files, hashes) };
}

/** Gives files that no manifest lists the latest time of those that are listed; their own can't be later. */
function datePublished(
  files: ReadonlyMap<string, KnownFile>,
  hashes: ReadonlyMap<string, string>,
): Map<string, PublishedBytes> {
  const published = new Map<string, PublishedBytes>(files);
  const latest = [...files.values()].reduce((last, { modified }) => (modified > last ? modified : last), '');
  for (const [name, sha256] of latest === '' ? [] : hashes)
    if (!published.has(name)) published.set(name, { sha256, modified: latest });
  return published;
}

/**
 * Reads the manifests that a root manifest lists, and collects the files that they list. Skips unreadable
 * ones.
 */
export async function readManifests(
  manifest: TreeManifest,
  read: <T>(file: string, sha256: string, shape: ManifestShape<T>) => Promise<T | null>,
): Promise<Pick<PreviousTree, 'files' | 'datasets' | 'dimensions'>> {
  const files = new Map<string, KnownFile>();
  const datasets = new Map<string, DatasetManifest>();
  const dimensions = new Map<string, DimensionManifest>();
  const add = (base: string, file: PublishedFile) => files.set(path.posix.join(base, file.path), file);
  for (const file of manifest.documents) add('', file);
  for (const { documents } of manifest.withdrawn ?? []) for (const file of documents) add('', file);
  const readTable = async <T extends DatasetManifest | DimensionManifest>(
    entry: ManifestEntry,
    shape: ManifestShape<T>,
    found: Map<string, T>,
  ) => {
    add('', entry);
    const table = await read(entry.path, entry.sha256, shape);
    if (table === null) return;
    found.set(entry.key, table);
    for (const file of listedFiles(table)) add(path.posix.dirname(entry.path), file);
  };
  for (const entry of manifest.datasets) await readTable(entry, DATASET_MANIFEST, datasets);
  for (const entry of manifest.dimensions) await readTable(entry, DIMENSION_MANIFEST, dimensions);
  return { files, datasets, dimensions };
}

/** Undefined if there is no such file. */
function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

/** Null if the file is missing or isn't JSON. */
export function readJson<T>(file: string): T | null {
  return parseJson<T>(readText(file));
}

/** Null if the file is missing. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The hashes of `hash  path` lines, by path. */
export function parseChecksums(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) found.set(match[2], match[1]);
  }
  return found;
}

export function utcTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
