/**
 * Stages the files of a tree besides its documents. `site` renders the pages for people from published
 * documents, through a page maker that the program passes in, because `build` doesn't import `site`.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Cache } from '../cache/cache.ts';
import type { HostFile } from '../format/host-files.ts';
import { DIGEST_SLOT, LISTING_SLOT, ROOT } from '../format/paths.ts';
import type { Staging } from '../tree/staging.ts';
import { notFoundPage } from './plain-pages.ts';
import type { MadeTree } from './register.ts';
import { writeTreeIndex } from './tree-index.ts';

export interface PageMaker {
  /** Changes whenever the same documents would give other pages. */
  readonly version: string;
  readonly assets: readonly PageAsset[];
  renderPages(tree: DocumentSource): AsyncIterable<Page | PageFinding>;
}

interface PageAsset {
  /** Path in the tree. */
  readonly path: string;
  /** Path on the disk. */
  readonly file: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface DocumentSource {
  /** Address of the tree, ending in a slash; null if unknown. */
  readonly baseUrl: string | null;
  /** By path from the tree's root; null if absent. */
  readText(path: string): Promise<string | null>;
  /** A range of a file, with the size of the whole, by path from the tree's root; null if absent. */
  readRange(
    path: string,
    start: number,
    end: number,
  ): { readonly size: number; readonly bytes: Uint8Array } | null;
  /**
   * Returns the result of an earlier build with the same inputs, otherwise runs `make`. `of`: all inputs, as
   * JSON.
   */
  keep<Value>(of: unknown, make: () => Promise<Value>): Promise<Value>;
}

export interface Page {
  /** Path from the tree's root. An `index.html` contains LISTING_SLOT and DIGEST_SLOT. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A problem with the documents that pages are rendered from. */
export interface PageFinding {
  readonly code: string;
  /** Key of the dataset or dimension. */
  readonly about: string;
  readonly message: string;
}

/**
 * Writes the other files of a tree whose documents are written: pages for people, the one for unknown addresses, the
 * host's files, and the index of all. Returns what the pages' maker found.
 */
export async function finishTree(
  { staging, ...tree }: MadeTree,
  maker: PageMaker | null,
  cache: Cache | null,
  host: { readonly basePath: string; readonly files: readonly HostFile[] } | null,
): Promise<readonly PageFinding[]> {
  const { baseUrl } = tree;
  const findings: PageFinding[] = [];
  /** By path. The index adds listings to them. */
  const folders = new Map<string, string>();
  for (const asset of maker?.assets ?? []) await staging.copy(asset.path, asset, asset.file);
  for await (const page of maker?.renderPages(documentSource(staging, baseUrl, cache)) ?? []) {
    if ('code' in page) {
      findings.push(page);
      continue;
    }
    const { path: name, content } = page;
    if (typeof content !== 'string' || path.posix.basename(name) !== 'index.html')
      await staging.write(name, content);
    else if (content.includes(LISTING_SLOT) && content.includes(DIGEST_SLOT)) folders.set(name, content);
    else throw new Error(`${name} has no place for its folder's listing or digest.`);
  }
  const basePath = host?.basePath ?? (baseUrl === null ? '/' : new URL(baseUrl).pathname);
  await staging.write(ROOT.notFound, notFoundPage(tree, basePath));
  for (const file of host?.files ?? []) await staging.write(file.path, file.text);
  await writeTreeIndex(staging, { ...tree, pages: folders });
  return findings;
}

function documentSource(staging: Staging, baseUrl: string | null, cache: Cache | null): DocumentSource {
  const ifThere = <Value>(read: () => Value): Value | null => {
    try {
      return read();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  };
  return {
    baseUrl,
    readRange: (name, start, end) => ifThere(() => readFileRange(staging.locate(name), start, end)),
    readText: async name => ifThere(() => readFileSync(staging.locate(name), 'utf8')),
    keep: (of, make) =>
      cache === null
        ? make()
        : cache.make({ what: 'page', inputs: of, files: [] }, async () => ({
            value: await make(),
            files: [],
          })),
  };
}

/** Ends at the file's end. */
function readFileRange(name: string, start: number, end: number) {
  const file = openSync(name, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(file, bytes, at, bytes.length - at, start + at);
      if (read === 0) throw new Error(`${name} ends before its size.`);
      at += read;
    }
    return { size, bytes };
  } finally {
    closeSync(file);
  }
}
