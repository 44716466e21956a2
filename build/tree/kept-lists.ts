/**
 * Copies of a published tree's checksums and root manifest, next to the tree. If a power cut or the disk
 * damages the tree's own lists, a build recognizes the tree by the copies and repairs it, instead of refusing
 * it as a foreign folder.
 */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isUnlisted, ROOT } from '../format/paths.ts';
import { listFiles } from '../lake/lake-files.ts';
import { digestText } from '../slice/file-digest.ts';
import { replaceFile } from './durability.ts';
import { parseChecksums } from './previous-tree.ts';
import type { Workspace } from './workspace.ts';

const LISTS = [ROOT.checksums, ROOT.manifest] as const;

type Place = Pick<Workspace, 'out' | 'lists'>;

/** Call it when a tree is published. */
export async function keepLists({ out, lists }: Place): Promise<void> {
  await mkdir(lists, { recursive: true });
  for (const name of LISTS) await replaceFile(path.join(lists, name), await readFile(path.join(out, name)));
}

/**
 * Restores the lists of a damaged tree, unless the folder has a file that they lack. The build that follows
 * rewrites all other damaged files. Returns a message if it did something, otherwise null.
 */
export async function mendLists({ out, lists }: Place): Promise<string | null> {
  if (!(await stat(out).catch(() => null))?.isDirectory()) return null;
  const found = await readLists(out);
  if (proveEachOther(found)) return null;
  const kept = await readLists(lists);
  const [sums] = kept;
  if (sums === null || !proveEachOther(kept)) return null;
  const known = parseChecksums(sums.toString('utf8'));
  const names = listFiles(out).filter(name => name !== ROOT.checksums && !isUnlisted(name));
  if (names.length === 0 || names.some(name => !known.has(name))) return null;
  for (const [i, name] of LISTS.entries()) {
    const bytes = kept[i];
    if (bytes) await replaceFile(path.join(out, name), bytes);
  }
  return `The tree at ${out} was damaged; its lists are restored, and the build rewrites the files that do not match them.`;
}

type Lists = readonly [Buffer | null, Buffer | null];

async function readLists(folder: string): Promise<Lists> {
  const [sums, manifest] = await Promise.all(
    LISTS.map(name => readFile(path.join(folder, name)).catch(() => null)),
  );
  return [sums ?? null, manifest ?? null];
}

/** Whether the checksums are complete and have the manifest's hash. */
function proveEachOther([sums, manifest]: Lists): boolean {
  if (sums === null || manifest === null || sums.length === 0) return false;
  const text = sums.toString('utf8');
  const known = parseChecksums(text);
  return (
    text.endsWith('\n') &&
    known.size === text.split('\n').length - 1 &&
    known.get(ROOT.manifest) === digestText(manifest)
  );
}
