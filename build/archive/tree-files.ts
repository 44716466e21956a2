/** Lists the files of a published tree for an archive. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError } from '../failure.ts';
import type { ServiceDocument } from '../format/documents.ts';
import type { TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import { readJson } from '../tree/previous-tree.ts';
import { collectFaults, readTreeLists, type TreeLists } from '../tree/tree-lists.ts';

export interface TreeFile {
  /** Relative to the tree's root. */
  readonly name: string;
  /** Path on this machine. */
  readonly where: string;
  readonly bytes: number;
  /** When its bytes were first released; the date of the release if no manifest lists the file. */
  readonly modified: string;
}

export interface SourceTree {
  readonly manifest: TreeManifest;
  readonly service: ServiceDocument;
  readonly lists: TreeLists;
  /** Every file, sorted by name. */
  readonly files: readonly TreeFile[];
}

/**
 * Reads the lists of a tree. Throws RefusedError if they contradict each other or the folder. The packer checks the
 * hashes later, as it reads the files.
 */
export async function readSourceTree(folder: string): Promise<SourceTree> {
  const { found, wrong } = collectFaults();
  const lists = await readTreeLists(folder, wrong);
  const { manifest } = lists;
  const service = lists.present.has(ROOT.service)
    ? readJson<ServiceDocument>(path.join(folder, ROOT.service))
    : null;
  if (found.length === 0 && (manifest === null || service === null)) {
    wrong(
      manifest === null ? ROOT.manifest : ROOT.service,
      'tree-corrupt-file',
      'The file is damaged. Copy it again.',
    );
  }
  if (manifest === null || service === null || found.length > 0) throw new RefusedError(found);
  const released = `${manifest.date}T00:00:00Z`;
  const names = [...lists.expected.keys(), ROOT.checksums].sort((a, b) => (a < b ? -1 : 1));
  const files = await Promise.all(
    names.map(async (name): Promise<TreeFile> => {
      const where = path.join(folder, name);
      const { size } = await stat(where);
      return { name, where, bytes: size, modified: lists.files.get(name)?.modified ?? released };
    }),
  );
  return { manifest, service, lists, files };
}
