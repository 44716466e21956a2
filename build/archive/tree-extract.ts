import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Publisher } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import type { FeedItem } from '../documents/feed.ts';
import { finishTree, type PageMaker } from '../documents/pages.ts';
import { writeRootDocuments } from '../documents/register.ts';
import { treeRelease } from '../documents/service-documents.ts';
import { RefusedError, refused, UnableError } from '../failure.ts';
import type { HealthDocument, QualityDocument, RuleCounts, ServiceDocument } from '../format/documents.ts';
import type { TreeManifest, WithdrawnEntry } from '../format/manifest.ts';
import { API_ROOT, PAGES, qualityPath, ROOT } from '../format/paths.ts';
import { LOG_FOLDER } from '../format/signed-log.ts';
import type { Session } from '../lake/database.ts';
import { NO_TREE, readJson } from '../tree/previous-tree.ts';
import {
  addCounts,
  countRules,
  type DatasetRecord,
  type DimensionRecord,
  datasetRecords,
  dimensionRecord,
  type SoundDocuments,
  soundDocuments,
  withdrawnRecords,
} from '../tree/published-records.ts';
import { Staging } from '../tree/staging.ts';
import { collectFaults, readTreeLists, type TreeLists } from '../tree/tree-lists.ts';

/**
 * Writes an extract's documents into the folder and leaves the rows where they are. An extract has a release
 * of its own.
 */
export async function writeExtract(
  tree: SourceTree,
  only: string,
  folder: string,
  session: Session,
  pages: PageMaker | null,
): Promise<{ readonly release: string; readonly files: readonly TreeFile[] }> {
  const { manifest, lists } = tree;
  const entries = manifest.datasets.filter(entry => matchesGlob(only, entry.key));
  if (entries.length === 0) {
    throw new UnableError(
      'nothing-to-pack',
      `No dataset of the tree matches --only ${only}. Name it as domain/topic; * stands for any name.`,
    );
  }
  const known = new Map(tree.files.map(file => [file.name, file]));
  const staging = new Staging(
    folder,
    [{ ...NO_TREE, published: known }],
    new Date(`${manifest.date}T00:00:00Z`),
  );
  const documents = soundDocuments(lists.folder, lists.expected, corrupt);
  const datasets = await datasetRecords(documents, entries, lists.datasets);
  const dimensions = await joinedDimensions(tree, documents, datasets);
  const withdrawn = await withdrawnRecords(documents, withdrawnEntries(tree, only));
  const kept = new Set([...datasets, ...withdrawn, ...dimensions].map(({ entry }) => entry.key));
  for (const file of tree.files) {
    const subject = subjectOf(file.name);
    if ((subject === null || kept.has(subject)) && !isLeftOut(file.name))
      staging.refer(file.name, file, file.where);
  }
  const health = await documents.read<HealthDocument>(ROOT.health);
  const publisher = publisherOf(tree.service);
  const all = [...datasets, ...dimensions, ...withdrawn].map(({ entry }) => entry);
  const feed = await documents.read<{ readonly items: readonly FeedItem[] }>(ROOT.jsonFeed);
  const own = await writeRootDocuments({
    staging,
    publisher,
    release: treeRelease(publisher, manifest.date, all),
    sample: manifest.sample === true,
    extract: { only, release: manifest.extract?.release ?? manifest.release },
    baseUrl: await readBaseUrl(documents),
    pages: pages !== null,
    date: manifest.date,
    datasets,
    withdrawn,
    dimensions,
    session,
    dimensionRules: await dimensionRules(tree, documents, health.rules),
    itemsOf: async () => feed.items,
  });
  await finishTree(own, pages, null, null);
  const files = [...staging.files]
    .map(([name, file]) => ({ ...file, name, where: staging.locate(name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { release: own.release, files };
}

/** The key of the file's dataset or dimension; null for a file of the whole tree. */
function subjectOf(name: string): string | null {
  const rows = /^api\/v1\/(?!datasets\/)([^/]+\/(?:_dimensions\/[^/]+|[^/]+))\//.exec(name);
  return (rows ?? /^(?:api\/v1\/)?datasets\/([^/]+\/[^/]+)\//.exec(name))?.[1] ?? null;
}

/** Files that list others, or that only pages load: the extract gets its own. */
const WRITTEN_ANEW: ReadonlySet<string> = new Set([
  ...[ROOT.checksums, ROOT.urls, ROOT.apiChecksums, ROOT.apiUrls, ROOT.notFound],
  ...[PAGES.search, PAGES.worker],
]);

/** An extract isn't a release, so the log of the whole tree doesn't list it. */
function isLeftOut(name: string): boolean {
  const isIn = (folder: string) => name.startsWith(`${folder}/`);
  return WRITTEN_ANEW.has(name) || /(^|\/)index\.html$/.test(name) || isIn(PAGES.assets) || isIn(LOG_FOLDER);
}

/** The dimensions of the datasets, under every domain that joins or owns them; sorted by key. */
async function joinedDimensions(
  { manifest, lists }: SourceTree,
  documents: SoundDocuments,
  datasets: readonly DatasetRecord[],
): Promise<DimensionRecord[]> {
  const wanted = new Set(
    datasets.flatMap(({ schema }) =>
      schema.foreign_keys.map(key => `${schema.main_topic}/_dimensions/${key.target_object}`),
    ),
  );
  const found: DimensionRecord[] = [];
  // The loop also visits owners that it adds.
  for (const key of wanted) {
    const entry = manifest.dimensions.find(one => one.key === key);
    if (entry === undefined) throw corrupt(ROOT.manifest);
    const record = await dimensionRecord(documents, entry, lists.dimensions);
    wanted.add(record.schema.endpoint.slice(`/${API_ROOT}/`.length));
    found.push(record);
  }
  return found.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1));
}

/** The withdrawn datasets that `only` matches, and the withdrawn dimensions of their domains. */
function withdrawnEntries({ manifest }: SourceTree, only: string): WithdrawnEntry[] {
  const isDataset = (key: string) => key.split('/').length === 2;
  const all = manifest.withdrawn ?? [];
  const datasets = all.filter(({ key }) => isDataset(key) && matchesGlob(only, key));
  const domains = new Set(datasets.map(({ key }) => key.split('/')[0]));
  return all.filter(
    entry => datasets.includes(entry) || (!isDataset(entry.key) && domains.has(entry.key.split('/')[0])),
  );
}

function publisherOf(service: ServiceDocument): Publisher {
  // No host keeps releases of an extract.
  return {
    ...service,
    licenseUrl: service.license_url,
    language: service.language ?? null,
    // The kept schema documents already name their area.
    area: null,
    releases: null,
    synonyms: service.synonyms ?? {},
  };
}

/** The tree's total minus the rules of all datasets. */
async function dimensionRules(
  { lists }: SourceTree,
  documents: SoundDocuments,
  all: RuleCounts,
): Promise<RuleCounts> {
  let others = all;
  for (const key of lists.datasets.keys()) {
    const [domain = '', topic = ''] = key.split('/');
    const counts = countRules((await documents.read<QualityDocument>(qualityPath(domain, topic))).rules);
    const { run, passed, warned, skipped } = counts;
    others = addCounts(others, { run: -run, passed: -passed, warned: -warned, skipped: -skipped });
  }
  return others;
}

/** The address that the tree was built for, from its list of URLs; null if the list is relative. */
async function readBaseUrl(documents: SoundDocuments): Promise<string | null> {
  const urls = (await documents.text(ROOT.urls)).split('\n');
  const own = urls.find(url => url.endsWith(`/${ROOT.checksums}`) && !url.endsWith(`/${ROOT.apiChecksums}`));
  return own === undefined || !/^https?:/.test(own) ? null : own.slice(0, -ROOT.checksums.length);
}

function corrupt(file: string): RefusedError {
  const message = `The file is missing, or differs from ${ROOT.checksums}. Copy it again.`;
  return refused('tree-corrupt-file', file, message);
}

export interface TreeFile {
  /** Relative to the tree's root. */
  readonly name: string;
  /** Path on this machine. */
  readonly where: string;
  readonly bytes: number;
  /** From SHA256SUMS; empty for SHA256SUMS itself. */
  readonly sha256: string;
  /** When its bytes were first released; the date of the release if no manifest lists the file. */
  readonly modified: string;
}

export interface SourceTree {
  readonly manifest: TreeManifest;
  readonly service: ServiceDocument;
  readonly lists: TreeLists;
  /** Sorted by name. */
  readonly files: readonly TreeFile[];
}

/**
 * Throws RefusedError if the tree's lists contradict each other or the folder. The packer checks the hashes
 * later, when it reads the files.
 */
export async function readSourceTree(folder: string): Promise<SourceTree> {
  const { found, wrong } = collectFaults();
  const lists = await readTreeLists(folder, wrong);
  if (found.length > 0) throw new RefusedError(found);
  const { manifest } = lists;
  const service = readJson<ServiceDocument>(path.join(folder, ROOT.service));
  if (manifest === null) throw corrupt(ROOT.manifest);
  if (service === null) throw corrupt(ROOT.service);
  const released = `${manifest.date}T00:00:00Z`;
  const names = [...lists.expected.keys(), ROOT.checksums].sort((a, b) => (a < b ? -1 : 1));
  const files = await Promise.all(
    names.map(async (name): Promise<TreeFile> => {
      const where = path.join(folder, name);
      const { size } = await stat(where);
      const modified = lists.files.get(name)?.modified ?? released;
      return { name, where, bytes: size, sha256: lists.expected.get(name) ?? '', modified };
    }),
  );
  return { manifest, service, lists, files };
}
