/** `civic diff`: compares two trees by their manifests, and the rows of files that differ. */
import { type ContractChange, contractChanges, publishedShape } from '../contract/contract-difference.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import { UnableError } from '../failure.ts';
import { newStatements, pairByKey } from '../format/changes.ts';
import type {
  DimensionSchemaDocument,
  ErrataDocument,
  SchemaDocument,
  WithdrawalDocument,
  WithdrawnSlices,
} from '../format/documents.ts';
import type {
  DatasetManifest,
  DimensionManifest,
  ManifestEntry,
  ParquetFile,
  RowColumn,
  TreeManifest,
} from '../format/manifest.ts';
import {
  API_ROOT,
  contractPath,
  dimensionSchemaPath,
  errataPath,
  ROOT,
  relativeLink,
  schemaPath,
} from '../format/paths.ts';
import type { RowDifference } from '../lake/column-batches.ts';
import { databaseMessage, withSession } from '../lake/database.ts';
import { DATASET_MANIFEST, DIMENSION_MANIFEST, TREE_MANIFEST } from './manifest-shape.ts';
import { parseChecksums } from './previous-tree.ts';
import {
  type ColumnPairs,
  type CompareFiles,
  fileComparison,
  pairColumns,
  slicesByName,
  type TableSlice,
} from './slice-comparison.ts';
import {
  type ContractDifference,
  type SliceDifference,
  sumRows,
  type TreeDifference,
} from './tree-difference.ts';
import { checkedSource, readDocument, readManifest, sourceOf, type TreeSource } from './tree-source.ts';
import { withTemporaryFolder } from './workspace.ts';

export interface OpenedTree {
  readonly source: TreeSource;
  readonly manifest: TreeManifest;
}

export async function diffTrees(
  { source: old, manifest: before }: OpenedTree,
  { source: now, manifest: after }: OpenedTree,
  compare: CompareFiles,
): Promise<TreeDifference> {
  const pair: Pair = { old, now, compare };
  const differences = async (kind: 'datasets' | 'dimensions') =>
    (await diffEntries(pair, before[kind], after[kind])).flatMap(one =>
      withinExtracts(withWithdrawal(one, after), before, after),
    );
  const [datasets, dimensions] = [await differences('datasets'), await differences('dimensions')];
  const all = after.datasets.length + after.dimensions.length;
  const touched = [...datasets, ...dimensions].filter(one => one.change !== 'removed').length;
  return {
    old: { release: before.release, date: before.date },
    new: { release: after.release, date: after.date },
    datasets,
    dimensions,
    unchanged: all - touched,
    ...(before.extract || after.extract
      ? { extracts: { old: before.extract ?? null, new: after.extract ?? null } }
      : {}),
  };
}

/** If an extract leaves out a dataset, the dataset is neither removed by it nor new in the tree after it. */
function withinExtracts(
  one: ContractDifference,
  before: TreeManifest,
  after: TreeManifest,
): readonly ContractDifference[] {
  const holds = ({ extract }: TreeManifest) => {
    if (extract === undefined) return true;
    // An extract has only the dimensions that its datasets join.
    return one.key.split('/').length === 2 && matchesGlob(extract.only, one.key);
  };
  if (one.change === 'removed' && one.withdrawal === undefined && !holds(after)) return [];
  return one.change === 'added' && !holds(before) ? [{ ...one, beyond: true }] : [one];
}

/** Adds the later tree's notice of withdrawal to a dataset or dimension that it no longer has. */
function withWithdrawal(one: ContractDifference, { withdrawn = [] }: TreeManifest): ContractDifference {
  const entry = one.change === 'removed' ? withdrawn.find(({ key }) => key === one.key) : undefined;
  if (entry === undefined) return one;
  const { withdrawn: date, reason, replacement } = entry;
  return { ...one, withdrawal: { withdrawn: date, reason, replacement } };
}

interface Pair {
  readonly old: TreeSource;
  readonly now: TreeSource;
  readonly compare: CompareFiles;
}

export async function openTree(source: TreeSource): Promise<OpenedTree> {
  const checked = checkedSource(source, parseChecksums((await source.text(ROOT.checksums)) ?? ''));
  const manifest = await readManifest(checked, ROOT.manifest, TREE_MANIFEST);
  if (manifest === null) {
    throw new UnableError(
      'not-a-tree',
      `${source.name} has no ${ROOT.manifest}. Name the root of a tree: a folder or an address.`,
    );
  }
  return { source: checked, manifest };
}

interface Entries {
  readonly key: string;
  readonly old: ManifestEntry | undefined;
  readonly now: ManifestEntry | undefined;
}

async function diffEntries(
  pair: Pair,
  before: readonly ManifestEntry[],
  after: readonly ManifestEntry[],
): Promise<ContractDifference[]> {
  const byKey = (entries: readonly ManifestEntry[]) => new Map(entries.map(entry => [entry.key, entry]));
  const found: ContractDifference[] = [];
  for (const entries of pairByKey(byKey(before), byKey(after))) {
    // A manifest has the hash of every file, so equal manifests mean equal files.
    const difference = entries.old?.sha256 === entries.now?.sha256 ? null : await diffTable(pair, entries);
    if (difference !== null) found.push(difference);
  }
  return found;
}

/** Null if nothing changed except the build's own statements. */
async function diffTable(
  pair: Pair,
  { key, old: before, now: after }: Entries,
): Promise<ContractDifference | null> {
  const [domain = '', topic = '', dimension] = key.split('/');
  const folder = `${API_ROOT}/${key}`;
  const file = `${folder}/manifest.json`;
  const read = async (tree: TreeSource) =>
    dimension === undefined
      ? {
          manifest: await readManifest(tree, file, DATASET_MANIFEST),
          schema: await readSchema<SchemaDocument>(tree, schemaPath(domain, topic)),
          errata: (await readDocument<ErrataDocument>(tree, errataPath(domain, topic)))?.errata ?? [],
        }
      : {
          manifest: await readManifest(tree, file, DIMENSION_MANIFEST),
          schema: await readSchema<DimensionSchemaDocument>(tree, dimensionSchemaPath(domain, dimension)),
          errata: [],
        };
  const [old, now] = [await read(pair.old), await read(pair.now)];
  const title = now.schema?.title ?? old.schema?.title ?? dimension ?? topic;
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const version = { old: old.manifest?.version ?? null, new: now.manifest?.version ?? null };
  const base = { key, title, change, version } as const;
  const total = { old: before?.rows ?? 0, new: after?.rows ?? 0 };
  const gone = newStatements(withdrawnSlices(now.schema), withdrawnSlices(old.schema));
  const errata = newStatements(now.errata, old.errata);
  const statements = {
    ...(gone.length > 0 && { withdrawnSlices: gone }),
    ...(errata.length > 0 && { errata }),
  };
  // A root manifest kept without its tree shows that something changed, but not what.
  if ((before && old.manifest === null) || (after && now.manifest === null)) {
    const rows = { ...total, added: null, removed: null, revised: null };
    return { ...base, contract: [], rows, slices: [], ...statements };
  }
  const slices = await diffSlices(pair, folder, old.manifest, now.manifest, now.schema?.columns);
  const changes =
    old.schema && now.schema ? contractChanges(publishedShape(old.schema), publishedShape(now.schema)) : [];
  const link = relativeLink(file, contractPath(domain, topic, 'yaml'));
  const hashOf = (manifest: Manifest | null) => manifest?.documents.find(one => one.path === link)?.sha256;
  const reworded = changes.length === 0 && hashOf(old.manifest) !== hashOf(now.manifest);
  const words: ContractChange = { level: 'patch', text: 'words of the contract' };
  const contract = change !== 'changed' ? [] : reworded ? [words] : changes;
  if (change === 'changed' && contract.length + slices.length === 0 && version.old === version.new)
    return null;
  return { ...base, contract, rows: sumRows(slices, total.old, total.new), slices, ...statements };
}

function withdrawnSlices(
  schema: SchemaDocument | DimensionSchemaDocument | null,
): readonly WithdrawnSlices[] {
  return (schema !== null && 'withdrawn_slices' in schema && schema.withdrawn_slices) || [];
}

/** Null if the document is absent, or announces that the dataset or dimension is withdrawn. */
async function readSchema<Document>(tree: TreeSource, path: string): Promise<Document | null> {
  const document = await readDocument<Document | WithdrawalDocument>(tree, path);
  const gone = document !== null && (document as Partial<WithdrawalDocument>).status === 'withdrawn';
  return gone ? null : (document as Document | null);
}

type Manifest = DatasetManifest | DimensionManifest;

async function diffSlices(
  pair: Pair,
  folder: string,
  before: Manifest | null,
  after: Manifest | null,
  columns: (SchemaDocument | DimensionSchemaDocument)['columns'] = [],
): Promise<SliceDifference[]> {
  const slicesOf = (one: Manifest | null) => (one ? slicesByName(one) : new Map<string, TableSlice>());
  const isDimension = 'dimension' in (before ?? after ?? {});
  const formerNames = new Map(
    columns.map(one => [one.name, 'renamed_from' in one ? one.renamed_from : undefined]),
  );
  const pairs = before && after && pairColumns(before, after, formerNames);
  const isReshaped = String(before?.columns.map(shapeOf)) !== String(after?.columns.map(shapeOf));
  const found: SliceDifference[] = [];
  for (const { old, now } of pairByKey(slicesOf(before), slicesOf(after))) {
    const { year = null, detail = null } = (isDimension ? null : (now ?? old)) ?? {};
    const total = { old: old?.rows ?? 0, new: now?.rows ?? 0 };
    if (!old || !now) {
      const rows = { ...total, added: total.new, removed: total.old, revised: 0 };
      found.push({ year, detail, change: old ? 'removed' : 'added', rows, columns: null });
      continue;
    }
    if (old.file?.sha256 === now.file?.sha256) continue;
    const compared = pairs && (await rowsOf(pair, folder, pairs, old.file, now.file));
    const { added = null, removed = null, revised = null, columns = null } = compared ?? {};
    // Files with the same rows may differ in their metadata (version, licence).
    if (!isReshaped && added === 0 && removed === 0 && revised === 0) continue;
    found.push({ year, detail, change: 'revised', rows: { ...total, added, removed, revised }, columns });
  }
  return found;
}

function shapeOf({ name, parquet }: RowColumn): string {
  return `${name} ${parquet}`;
}

/** Null if the keys differ, or a file is missing. */
async function rowsOf(
  pair: Pair,
  folder: string,
  pairs: ColumnPairs,
  old: ParquetFile | undefined,
  now: ParquetFile | undefined,
): Promise<RowDifference | null> {
  if (!pairs.comparable || old === undefined || now === undefined) return null;
  const local = (tree: TreeSource, { path, sha256 }: ParquetFile) => tree.local(`${folder}/${path}`, sha256);
  const [a, b] = [await local(pair.old, old), await local(pair.now, now)];
  if (a === null || b === null) return null;
  try {
    return await pair.compare({ ...old, local: a }, { ...now, local: b }, pairs);
  } catch (error) {
    throw new UnableError(
      'not-comparable',
      `The program cannot compare ${folder}/${now.path} (${databaseMessage(error)}). Verify both trees.`,
    );
  }
}

interface DiffOptions {
  readonly jobs: number;
  readonly memory: string;
}

export async function diff(old: string, now: string, { jobs, memory }: DiffOptions): Promise<TreeDifference> {
  return withTemporaryFolder(async temporaryFolder => {
    const [before, after] = [
      await openTree(sourceOf(old, temporaryFolder)),
      await openTree(sourceOf(now, temporaryFolder)),
    ];
    return withSession({ threads: jobs, memoryLimit: memory, temporaryFolder }, session =>
      diffTrees(before, after, fileComparison(session, null)),
    );
  });
}
