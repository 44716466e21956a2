/** Writes the documents of the whole tree. */
import type { Cache } from '../cache/cache.ts';
import type { HostFile } from '../format/host-files.ts';
import type { PublishedFile, TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import { type DimensionRecord, dimensionKey } from '../tree/published-records.ts';
import { folderSource } from '../tree/tree-source.ts';
import { sealedText } from './document-text.ts';
import type { FeedItem } from './feed.ts';
import { type PageFinding, type PageMaker, writePages } from './pages.ts';
import { notFoundPage } from './plain-pages.ts';
import { type MadeTree, ROOT_DOCUMENTS, TOOL_DOCUMENTS, writeRegistered } from './register.ts';
import { treeStamp } from './service-documents.ts';
import type { TreeDescription } from './tree-description.ts';
import { writeTreeIndex } from './tree-index.ts';

/** Datasets, dimensions and withdrawn ones are sorted by key. */
interface RootInput extends Omit<MadeTree, 'items'> {
  /** The items of the tree's feeds. `staged`: the tree with all documents of its datasets and dimensions. */
  readonly itemsOf: (tree: TreeDescription, staged: OpenedTree) => Promise<readonly FeedItem[]>;
}

export async function writeRootDocuments(input: RootInput): Promise<MadeTree & { manifest: TreeManifest }> {
  const { staging, date, datasets, dimensions, withdrawn } = input;
  const order = ({ domain, schema }: DimensionRecord) => `${dimensionKey(schema)} ${domain}`;
  const sorted = [...dimensions].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const described = { ...input, dimensions: sorted };
  const gone = withdrawn.map(({ entry }) => entry);
  const entries = {
    ...treeStamp(input),
    date,
    datasets: datasets.map(({ entry }) => entry),
    dimensions: dimensions.map(({ entry }) => entry),
  };
  const items = await input.itemsOf(described, {
    source: folderSource(staging.folder),
    manifest: { ...entries, documents: [], withdrawn: gone },
  });
  const tree: MadeTree = { ...described, items };
  const documents: PublishedFile[] = await writeRegistered(ROOT_DOCUMENTS, tree, [], staging);
  for (const dataset of tree.datasets) {
    const { main_topic, topic } = dataset.schema;
    const made = { tree, dataset };
    documents.push(...(await writeRegistered(TOOL_DOCUMENTS, made, [main_topic, topic], staging)));
  }
  const manifest: TreeManifest = { ...entries, documents, ...(gone.length > 0 && { withdrawn: gone }) };
  await staging.write(ROOT.manifest, sealedText(manifest));
  return { ...tree, manifest };
}

/**
 * Writes the other files of a tree whose documents are written: pages for people, the one for unknown addresses, the
 * host's files, and the index of all. Returns what the pages' maker found.
 */
export async function finishTree(
  tree: MadeTree,
  maker: PageMaker | null,
  cache: Cache | null,
  host: { readonly basePath: string; readonly files: readonly HostFile[] } | null,
): Promise<readonly PageFinding[]> {
  const { staging, baseUrl } = tree;
  const basePath = host?.basePath ?? (baseUrl === null ? '/' : new URL(baseUrl).pathname);
  const { folders, findings } = await writePages(staging, maker, baseUrl, cache);
  await staging.write(ROOT.notFound, notFoundPage(tree, basePath));
  for (const { path, text } of host?.files ?? []) await staging.write(path, text);
  await writeTreeIndex(staging, { ...tree, pages: folders });
  return findings;
}
