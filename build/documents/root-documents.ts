/** Writes the documents of the whole tree. */
import type { Cache } from '../cache/cache.ts';
import type { HostFile } from '../format/host-files.ts';
import type { PublishedFile, TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import type { SessionSource } from '../lake/database.ts';
import { diffTrees, type OpenedTree } from '../tree/diff-trees.ts';
import { type DimensionRecord, dimensionKey } from '../tree/published-records.ts';
import { folderSource } from '../tree/tree-source.ts';
import { documentText, sealedText } from './document-text.ts';
import { atomFeed, feedItems, jsonFeed, releaseNotes } from './feed.ts';
import { type PageFinding, type PageMaker, writePages } from './pages.ts';
import { notFoundPage } from './plain-pages.ts';
import { type MadeTree, ROOT_DOCUMENTS, TOOL_DOCUMENTS, writeRegistered } from './register.ts';
import type { EarlierReleases } from './release-changes.ts';
import { treeRelease, treeStamp } from './service-documents.ts';
import type { TreeDescription } from './tree-description.ts';
import { writeTreeIndex } from './tree-index.ts';

/** Datasets, dimensions and withdrawn ones are sorted by key. */
interface RootInput extends Omit<MadeTree, 'release'> {
  /** For an extract, the texts of the whole tree's feeds. */
  readonly earlier:
    | Pick<EarlierReleases, 'before' | 'items'>
    | readonly (readonly [path: string, text: string])[];
}

export async function writeRootDocuments(
  input: RootInput,
): Promise<{ readonly tree: MadeTree; readonly manifest: TreeManifest }> {
  const { staging, session, publisher, date, datasets, dimensions, withdrawn, earlier } = input;
  const all = [...datasets, ...dimensions, ...withdrawn].map(({ entry }) => entry);
  const release = treeRelease(publisher, date, all);
  const order = ({ domain, schema }: DimensionRecord) => `${dimensionKey(schema)} ${domain}`;
  const sorted = [...dimensions].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const tree: MadeTree = { ...input, release, dimensions: sorted };
  const gone = withdrawn.map(({ entry }) => entry);
  const entries = {
    ...treeStamp(tree),
    date,
    datasets: datasets.map(({ entry }) => entry),
    dimensions: dimensions.map(({ entry }) => entry),
  };
  const staged = {
    source: folderSource(staging.folder),
    manifest: { ...entries, documents: [], withdrawn: gone },
  };
  const documents: PublishedFile[] = await writeRegistered(ROOT_DOCUMENTS, tree, [], staging);
  for (const dataset of tree.datasets) {
    const { main_topic, topic } = dataset.schema;
    const made = { tree, dataset };
    documents.push(...(await writeRegistered(TOOL_DOCUMENTS, made, [main_topic, topic], staging)));
  }
  const feeds = 'before' in earlier ? await feedTexts(tree, staged, earlier, session) : earlier;
  for (const [path, text] of feeds) documents.push({ path, ...(await staging.write(path, text)) });
  const manifest: TreeManifest = { ...entries, documents, ...(gone.length > 0 && { withdrawn: gone }) };
  await staging.write(ROOT.manifest, sealedText(manifest));
  return { tree, manifest };
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

async function feedTexts(
  tree: TreeDescription,
  staged: OpenedTree,
  earlier: Pick<EarlierReleases, 'before' | 'items'>,
  session: SessionSource,
): Promise<[string, string][]> {
  const items = await feedItems(tree, earlier, () => diffTrees(earlier.before!, staged, session));
  return [
    [ROOT.jsonFeed, documentText(jsonFeed(tree, items))],
    [ROOT.feed, atomFeed(tree, items)],
    [ROOT.notes, releaseNotes(tree, items)],
  ];
}
