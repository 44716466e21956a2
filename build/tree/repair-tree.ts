/** `civic verify --repair`: replaces damaged parts of a tree from a second copy of the same release. */
import { mkdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { refused, UnableError } from '../failure.ts';
import { BLOCK_BYTES, type TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import { isRegularFile } from '../lake/lake-files.ts';
import type { Reporter } from '../report.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import { replaceFile } from './durability.ts';
import { misshapen, TREE_MANIFEST } from './manifest-shape.ts';
import { type KnownFile, parseChecksums, readManifests } from './previous-tree.ts';
import { damagedBlocks } from './tree-lists.ts';
import { parseJson, sourceOf, type TreeSource } from './tree-source.ts';

/**
 * Replaces damaged files and blocks, and adds missing files. Checks every byte before it replaces anything.
 * Throws UnableError if the copy is of another release, RefusedError if it is damaged in the same place.
 */
export async function repairTree(folder: string, from: string, report: Reporter): Promise<void> {
  const copy = sourceOf(from);
  const sums = await copy.bytes(ROOT.checksums);
  const manifest = await copy.bytes(ROOT.manifest);
  const listed = parseChecksums(sums?.toString('utf8') ?? '');
  if (!sums || !manifest || listed.get(ROOT.manifest) !== digestText(manifest)) {
    throw new UnableError(
      'not-a-tree',
      `${from} has no ${ROOT.checksums} that matches its ${ROOT.manifest}. Name a whole copy of the tree.`,
    );
  }
  expectSameRelease(
    folder,
    listed,
    await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => ''),
    from,
  );
  const known = await filesOf(copy, manifest);
  let files = 0;
  let bytes = 0;
  for (const [name, sha256] of listed) {
    const target = path.join(folder, name);
    if (isRegularFile(target) && digestFile(target).sha256 === sha256) continue;
    const found = await soundBytes(copy, name, sha256, target, known.get(name));
    await mkdir(path.dirname(target), { recursive: true });
    await replaceFile(target, found.content);
    const modified = known.get(name)?.modified;
    if (modified !== undefined) await utimes(target, new Date(modified), new Date(modified));
    files++;
    bytes += found.fetched;
  }
  const own = path.join(folder, ROOT.checksums);
  if (!isRegularFile(own) || digestFile(own).sha256 !== digestText(sums)) {
    await replaceFile(own, sums);
    files++;
    bytes += sums.length;
  }
  const what =
    files === 0 ? 'Nothing was damaged' : `${files} ${files === 1 ? 'file is' : 'files are'} repaired`;
  report({ kind: 'note', text: `${what}; ${bytes} bytes came from ${from}.` });
}

/** Two lists of one release share most lines, even if either is damaged. */
function expectSameRelease(
  folder: string,
  listed: ReadonlyMap<string, string>,
  own: string,
  from: string,
): void {
  const lines = parseChecksums(own);
  const same = [...lines].filter(([name, sha256]) => listed.get(name) === sha256).length;
  const agree = lines.size === 0 || (lines.get(ROOT.manifest) ?? '') === listed.get(ROOT.manifest);
  if (agree || same >= Math.max(lines.size, listed.size) - 1) return;
  throw new UnableError(
    'other-release',
    `${from} is of another release than ${folder}. Name a copy of the same release, or copy the whole tree again.`,
  );
}

/** The files that the copy's manifests list. */
async function filesOf(copy: TreeSource, text: Buffer): Promise<ReadonlyMap<string, KnownFile>> {
  const manifest = parseJson<TreeManifest>(text.toString('utf8'));
  if (manifest === null || misshapen(TREE_MANIFEST, manifest) !== null) return new Map();
  const { files } = await readManifests(manifest, async <T>(file: string, sha256: string) => {
    const found = await copy.bytes(file);
    return found !== null && digestText(found) === sha256 ? parseJson<T>(found.toString('utf8')) : null;
  });
  return files;
}

interface SoundBytes {
  readonly content: Buffer;
  /** Bytes that came from the copy. */
  readonly fetched: number;
}

/** The file's correct bytes. If the rest is sound, only damaged blocks come from the copy. */
async function soundBytes(
  copy: TreeSource,
  name: string,
  sha256: string,
  target: string,
  known: KnownFile | undefined,
): Promise<SoundBytes> {
  const damaged = known && isRegularFile(target) ? damagedBlocks(target, known) : null;
  if (damaged !== null) {
    const content = await readFile(target);
    let fetched = 0;
    for (const block of damaged) {
      const start = block * BLOCK_BYTES;
      const part = await copy.bytes(name, { start, end: Math.min(content.length, start + BLOCK_BYTES) });
      part?.copy(content, start);
      fetched += part?.length ?? 0;
    }
    if (digestText(content) === sha256) return { content, fetched };
  }
  const whole = await copy.bytes(name);
  if (whole !== null && digestText(whole) === sha256) return { content: whole, fetched: whole.length };
  const message = `The file is damaged here, and ${whole === null ? 'missing' : 'damaged'} in ${copy.name} too. Name another copy.`;
  throw refused('tree-corrupt-file', name, message);
}
