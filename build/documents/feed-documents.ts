/** Writes the feeds and notes of a release, which list what changed since the release before. */
import { documentText } from '../catalog/document-text.ts';
import {
  atomFeed,
  feedItems,
  isFirstOfDay,
  isSameContent,
  jsonFeed,
  parseItems,
  releaseNotes,
} from '../catalog/feed.ts';
import type { TreeDescription } from '../catalog/tree-description.ts';
import { ROOT } from '../format/paths.ts';
import type { SessionSource } from '../lake/database.ts';
import { diffTrees, type OpenedTree } from '../tree/diff-trees.ts';
import { readDocument } from '../tree/tree-source.ts';

export interface FeedInput {
  /** The release before: the tree of --previous, or else the one that the build replaces; null if there is neither. */
  readonly previous: OpenedTree | null;
  readonly session: SessionSource;
}

export async function feedTexts(
  tree: TreeDescription,
  staged: OpenedTree,
  { previous, session }: FeedInput,
): Promise<[string, string][]> {
  const earlier = previous && {
    release: previous.manifest.release,
    date: previous.manifest.date,
    items: parseItems(await readDocument(previous.source, ROOT.jsonFeed)),
  };
  const same = earlier === null || isSameContent(tree, earlier) || isFirstOfDay(tree, earlier);
  const difference =
    previous === null || earlier === null
      ? null
      : same
        ? { old: earlier, new: tree, datasets: [], dimensions: [], unchanged: 0 }
        : await diffTrees(previous, staged, session);
  const items = feedItems(tree, earlier, difference);
  return [
    [ROOT.jsonFeed, documentText(jsonFeed(tree, items) as object)],
    [ROOT.feed, atomFeed(tree, items)],
    [ROOT.notes, releaseNotes(tree, items)],
  ];
}
