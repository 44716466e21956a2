/**
 * Stages the pages for people. `site` renders them from published documents; the program passes its page maker to
 * the build, which knows nothing about their looks.
 */
import { readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Cache } from '../cache/cache.ts';
import { DIGEST_SLOT, LISTING_SLOT } from '../format/paths.ts';
import type { Staging } from '../tree/staging.ts';

export interface PageMaker {
  /** Changes whenever the same documents would give other pages. */
  readonly version: string;
  /** Files that pages load: scripts, styles. */
  readonly assets: readonly PageAsset[];
  renderPages(tree: DocumentSource): AsyncIterable<Page | Picture | Unmapped | DeadSynonym | Unanswered>;
}

export interface PageAsset {
  /** Path in the tree. */
  readonly path: string;
  /** Path on the disk. */
  readonly file: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Supplies the published documents from which pages are rendered. */
export interface DocumentSource {
  /** Address of the tree, ending in a slash; null if unknown. */
  readonly baseUrl: string | null;
  /** Text of a document by its path from the tree's root; null if absent. */
  readText(path: string): Promise<string | null>;
  /** Bytes of a file by its path; null if absent. */
  readBytes(path: string): Uint8Array | null;
}

export interface Page {
  /** Path from the tree's root. An `index.html` contains LISTING_SLOT and DIGEST_SLOT. */
  readonly path: string;
  readonly text: string;
}

export interface Picture {
  readonly path: string;
  /** SHA-256 of what it is drawn from, lower-case hexadecimal. */
  readonly source: string;
  /** Returns a PNG. */
  draw(): Uint8Array;
}

/** Keys of a dimension's places that the pages' map has no shape of. */
export interface Unmapped {
  /** `domain/_dimensions/name` */
  readonly dimension: string;
  /** How many places the dimension has. */
  readonly places: number;
  readonly unmapped: readonly string[];
}

/** A synonym of the publisher that leads to words that nothing published is called. */
export interface DeadSynonym {
  readonly synonym: string;
  readonly target: string;
  readonly unknown: readonly string[];
}

/** A question of a contract that its rows can't answer: no page asks it. */
export interface Unanswered {
  /** `domain/topic` */
  readonly dataset: string;
  readonly unanswered: string;
}

/** What pages can't use of what they are made from. */
export interface PageFindings {
  readonly unmapped: readonly Unmapped[];
  readonly deadSynonyms: readonly DeadSynonym[];
  readonly unanswered: readonly Unanswered[];
}

/** Stages assets and single pages. `folders` are the pages of folders, which get their listings later. */
export async function writePages(
  staging: Staging,
  maker: PageMaker,
  baseUrl: string | null,
  cache: Cache | null,
): Promise<PageFindings & { readonly folders: ReadonlyMap<string, string> }> {
  for (const asset of maker.assets) {
    if ((await staging.keep(asset.path, asset)) !== null) continue;
    const target = path.join(staging.folder, asset.path);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(asset.file, target);
    staging.add(asset.path, asset);
  }
  const folders = new Map<string, string>();
  const unmapped: Unmapped[] = [];
  const deadSynonyms: DeadSynonym[] = [];
  const unanswered: Unanswered[] = [];
  const readBytes = (name: string) => {
    try {
      return readFileSync(staging.locate(name));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  };
  const readText = async (name: string) => readBytes(name)?.toString('utf8') ?? null;
  for await (const page of maker.renderPages({ baseUrl, readText, readBytes })) {
    if ('unmapped' in page) unmapped.push(page);
    else if ('synonym' in page) deadSynonyms.push(page);
    else if ('unanswered' in page) unanswered.push(page);
    else if ('draw' in page) await writePicture(staging, page, cache);
    else if (path.posix.basename(page.path) !== 'index.html') await staging.write(page.path, page.text);
    else if (page.text.includes(LISTING_SLOT) && page.text.includes(DIGEST_SLOT))
      folders.set(page.path, page.text);
    else throw new Error(`${page.path} has no place for its folder's listing or digest.`);
  }
  return { folders, unmapped, deadSynonyms, unanswered };
}

async function writePicture(
  staging: Staging,
  { path: name, source, draw }: Picture,
  cache: Cache | null,
): Promise<void> {
  const recipe = { what: 'picture', inputs: source };
  const png = cache && (await cache.make(recipe, async () => ({ value: draw(), files: [] })));
  await staging.write(name, png ?? draw());
}
