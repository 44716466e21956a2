/**
 * People's pages. The site makes them from published documents; the build stages them, and knows nothing of how they
 * look. Whoever joins the halves gives the maker.
 */
import { readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DIGEST_SLOT, LISTING_SLOT } from '../format/paths.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import type { Staging } from '../tree/staging.ts';

export interface PageMaker {
  /** Changes whenever pages of the same documents would. */
  readonly version: string;
  /** Files that pages load: scripts, styles. */
  readonly assets: readonly PageAsset[];
  renderPages(tree: DocumentSource): AsyncIterable<Page>;
}

export interface PageAsset {
  /** In the tree. */
  readonly path: string;
  /** On the disk. */
  readonly file: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** The documents of a tree that pages are made of. */
export interface DocumentSource {
  /** Where the tree will be, ending in a slash; null where that is not known. */
  readonly baseUrl: string | null;
  /** Text of a document by its path from the tree's root; null where there is none. */
  readText(path: string): Promise<string | null>;
}

export interface Page {
  /** From the tree's root; `index.html` of a folder is HTML and has a LISTING_SLOT and a DIGEST_SLOT. */
  readonly path: string;
  readonly text: string;
}

/** Carries over the assets that are as they were. */
export async function carryAssets(staging: Staging, previous: PreviousTree, maker: PageMaker): Promise<void> {
  const same = maker.assets.filter(asset => previous.files.get(asset.path)?.sha256 === asset.sha256);
  await staging.carryAll(
    same.map(asset => asset.path),
    previous,
  );
}

/** Stages assets, and pages that are no folder's; returns the folders' pages, which take in their listings later. */
export async function writePages(
  staging: Staging,
  maker: PageMaker,
  baseUrl: string | null,
): Promise<ReadonlyMap<string, string>> {
  for (const asset of maker.assets) {
    if ((await staging.keep(asset.path, asset)) !== null) continue;
    const target = path.join(staging.folder, asset.path);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(asset.file, target);
    staging.add(asset.path, asset);
  }
  const folders = new Map<string, string>();
  const readText = async (name: string) => {
    try {
      return readFileSync(staging.locate(name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  };
  for await (const page of maker.renderPages({ baseUrl, readText })) {
    if (path.posix.basename(page.path) !== 'index.html') await staging.write(page.path, page.text);
    else if (page.text.includes(LISTING_SLOT) && page.text.includes(DIGEST_SLOT))
      folders.set(page.path, page.text);
    else throw new Error(`${page.path} has no place for its folder's listing or digest.`);
  }
  return folders;
}
