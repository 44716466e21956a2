/** Writes the documents of the whole tree. */
import { documentText, sealedText } from '../catalog/document-text.ts';
import { atomFeed, feedItems, jsonFeed, parseItems, releaseNotes } from '../catalog/feed.ts';
import { treeRelease } from '../catalog/release.ts';
import { serviceWords, treeStamp } from '../catalog/service-documents.ts';
import {
  type DescribedDimension,
  type DimensionRecord,
  dimensionKey,
  type TreeDescription,
} from '../catalog/tree-description.ts';
import type { Publisher } from '../contract/dataset.ts';
import type { PublishedFile, TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import type { SessionSource } from '../lake/database.ts';
import { diffTrees, type OpenedTree } from '../tree/diff-trees.ts';
import { folderSource, readDocument } from '../tree/tree-source.ts';
import { type MadeTree, ROOT_DOCUMENTS, TOOL_DOCUMENTS, writeRegistered } from './register.ts';

/** Datasets, dimensions and what is withdrawn, each sorted by key. */
export interface RootInput extends Omit<MadeTree, 'release' | 'dimensions'> {
  readonly dimensions: readonly DimensionRecord[];
  /**
   * The release before: the tree of --previous, or else the one that the build replaces; null if there is neither. For
   * an extract, the texts of the whole tree's feeds.
   */
  readonly before: OpenedTree | null | readonly (readonly [path: string, text: string])[];
}

/** The name of the release of a tree with these datasets and dimensions. */
export function nameRelease(
  publisher: Publisher,
  date: string,
  entries: readonly { readonly key: string; readonly release: string }[],
): string {
  const parts = entries.map(({ key, release }) => ({ name: key, release }));
  return treeRelease(date, parts, JSON.stringify(serviceWords(publisher)));
}

export async function writeRootDocuments(input: RootInput): Promise<TreeManifest> {
  const { staging, session, publisher, date, datasets, dimensions, withdrawn, before } = input;
  const all = [...datasets, ...dimensions, ...withdrawn].map(({ entry }) => entry);
  const release = nameRelease(publisher, date, all);
  const tree: MadeTree = { ...input, release, dimensions: describeDimensions(dimensions) };
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
  const feeds =
    before === null || 'source' in before ? await feedTexts(tree, staged, before, session) : before;
  for (const [path, text] of feeds) documents.push({ path, ...(await staging.write(path, text)) });
  const manifest: TreeManifest = { ...entries, documents, ...(gone.length > 0 && { withdrawn: gone }) };
  await staging.write(ROOT.manifest, sealedText(manifest));
  return manifest;
}

/** Each dimension once, with its domains, sorted by its key in contracts. */
function describeDimensions(records: readonly DimensionRecord[]): DescribedDimension[] {
  const byKey = new Map<string, DescribedDimension>();
  for (const { domain, schema, manifest } of [...records].sort((a, b) => (a.domain < b.domain ? -1 : 1))) {
    const key = dimensionKey(schema);
    const first = byKey.get(key) ?? { schema, manifest, domains: [] };
    byKey.set(key, { ...first, domains: [...first.domains, domain] });
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

async function feedTexts(
  tree: TreeDescription,
  staged: OpenedTree,
  previous: OpenedTree | null,
  session: SessionSource,
): Promise<[string, string][]> {
  const earlier = previous && {
    release: previous.manifest.release,
    date: previous.manifest.date,
    items: parseItems(await readDocument(previous.source, ROOT.jsonFeed)),
  };
  const items = await feedItems(tree, earlier, () => diffTrees(previous!, staged, session));
  return [
    [ROOT.jsonFeed, documentText(jsonFeed(tree, items))],
    [ROOT.feed, atomFeed(tree, items)],
    [ROOT.notes, releaseNotes(tree, items)],
  ];
}
