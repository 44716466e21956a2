/** Writes the documents of the whole tree. */
import { documentText, sealedText } from '../catalog/document-text.ts';
import {
  atomFeed,
  feedItems,
  isFirstOfDay,
  isSameContent,
  jsonFeed,
  parseItems,
  releaseNotes,
} from '../catalog/feed.ts';
import { addCounts } from '../catalog/quality-document.ts';
import { treeRelease } from '../catalog/release.ts';
import type { TreeDescription } from '../catalog/tree-description.ts';
import type { Publisher } from '../contract/dataset.ts';
import {
  API_VERSION,
  type DatasetsDocument,
  FORMAT,
  type HealthDocument,
  type RuleCounts,
  type ServiceDocument,
  type TreeStamp,
} from '../format/documents.ts';
import type { PublishedFile, TreeManifest } from '../format/manifest.ts';
import { API_ROOT, ROOT, route } from '../format/paths.ts';
import type { SessionSource } from '../lake/database.ts';
import { diffTrees, type OpenedTree } from '../tree/diff-trees.ts';
import type { WithdrawnRecord } from '../tree/published-records.ts';
import { folderSource, readDocument } from '../tree/tree-source.ts';
import { type DescriptionInput, describeTree } from './description-documents.ts';
import { type MadeTree, ROOT_DOCUMENTS, TOOL_DOCUMENTS } from './root-register.ts';
import { textOf } from './table-register.ts';

export interface RootInput extends DescriptionInput {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly dimensionRules: RuleCounts;
  /** The input of the feeds, or, for an extract, the texts of the whole tree's feeds. */
  readonly feed: FeedInput | readonly [string, string][];
  /** Reads rows of slices that the tree stores only as Parquet. */
  readonly session: SessionSource;
}

export interface RootRecord {
  readonly manifest: TreeManifest;
  readonly release: string;
  readonly rows: number;
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

export async function writeRootDocuments(input: RootInput): Promise<RootRecord> {
  const { staging, publisher, date, sample, extract, datasets, dimensions, withdrawn } = input;
  const service = serviceWords(publisher);
  const all = [...datasets, ...dimensions, ...withdrawn].map(({ entry }) => entry);
  const release = nameRelease(publisher, date, all);
  const stamp: TreeStamp = {
    format: FORMAT,
    release,
    ...(sample ? { sample: true as const } : {}),
    ...(extract === null ? {} : { extract }),
  };
  const rows = datasets.reduce((sum, dataset) => sum + dataset.entry.rows, 0);
  const description = describeTree(input, date, release);
  const health: HealthDocument = {
    ...stamp,
    status: 'ok',
    date,
    datasets: datasets.length,
    dimensions: description.dimensions.length,
    rows,
    rules: datasets.map(dataset => dataset.rules).reduce(addCounts, input.dimensionRules),
  };
  const list: DatasetsDocument = {
    ...stamp,
    count: datasets.length,
    datasets: datasets.map(dataset => dataset.summary),
    ...withdrawnSummaries(withdrawn),
  };
  const entries = {
    date,
    datasets: datasets.map(({ entry }) => entry),
    dimensions: dimensions.map(({ entry }) => entry),
  };
  const staged = {
    source: folderSource(staging.folder),
    manifest: { ...stamp, ...entries, documents: [], withdrawn: withdrawn.map(({ entry }) => entry) },
  };
  const documents: PublishedFile[] = [];
  const made: MadeTree = { input, description, service: { ...stamp, ...service }, health, datasets: list };
  const texts: [string, string][] = [];
  for (const { path, render } of ROOT_DOCUMENTS) {
    const document = await render(made);
    if (document !== null) texts.push([path, textOf(document)]);
  }
  for (const dataset of description.datasets) {
    const { main_topic, topic } = dataset.schema;
    for (const { path, render } of TOOL_DOCUMENTS)
      texts.push([path(main_topic, topic), textOf(render(description, dataset))]);
  }
  texts.push(...('session' in input.feed ? await feedTexts(description, staged, input.feed) : input.feed));
  for (const [path, text] of texts) documents.push({ path, ...(await staging.write(path, text)) });
  const gone = withdrawn.length === 0 ? {} : { withdrawn: withdrawn.map(({ entry }) => entry) };
  const manifest: TreeManifest = { ...stamp, ...entries, documents, ...gone };
  await staging.write(ROOT.manifest, sealedText(manifest));
  return { manifest, release, rows };
}

function withdrawnSummaries(records: readonly WithdrawnRecord[]): Pick<DatasetsDocument, 'withdrawn'> {
  const datasets = records.filter(({ entry }) => entry.key.split('/').length === 2);
  if (datasets.length === 0) return {};
  return {
    withdrawn: datasets.map(({ title, entry: { key, withdrawn, reason, replacement } }) => {
      const [domain = '', topic = ''] = key.split('/');
      return { key, title, withdrawn, reason, replacement, schema_endpoint: route.schema(domain, topic) };
    }),
  };
}

function serviceWords(publisher: Publisher): Omit<ServiceDocument, keyof TreeStamp> {
  return {
    service: publisher.service,
    description: publisher.description,
    version: API_VERSION,
    api_root: `${API_ROOT}/`,
    license: publisher.license,
    license_url: publisher.licenseUrl,
    attribution: publisher.attribution,
    documentation: publisher.documentation,
    contact: publisher.contact,
    ...(publisher.language === null ? {} : { language: publisher.language }),
    ...(Object.keys(publisher.synonyms).length === 0 ? {} : { synonyms: publisher.synonyms }),
    datasets: ROOT.datasets,
    health: ROOT.health,
    manifest: ROOT.manifest,
    checksums: ROOT.checksums,
    urls: ROOT.urls,
    openapi: ROOT.openapi,
    duckdb: ROOT.duckdb,
  };
}

interface FeedInput {
  /** The release before: the tree of --previous, or else the one that the build replaces; null if there is neither. */
  readonly previous: OpenedTree | null;
  readonly session: SessionSource;
}

async function feedTexts(
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
