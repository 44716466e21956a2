/** The part of the tree in place that a build with --only leaves unchanged. */
import path from 'node:path';
import { RefusedError } from '../failure.ts';
import { listedFiles } from '../format/manifest.ts';
import type { TreeManifest } from '../format/manifest-schemas.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  datasetRecords,
  dimensionKey,
  dimensionRecord,
  SoundDocuments,
  type WithdrawnRecord,
  withdrawnRecords,
} from '../tree/published-records.ts';

export interface KeptRest {
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** One entry for each domain of a dimension. */
  readonly dimensions: readonly DimensionRecord[];
  readonly withdrawn: readonly WithdrawnRecord[];
}

export const NOTHING_KEPT: KeptRest = { datasets: [], dimensions: [], withdrawn: [] };

/** Throws RefusedError if a document of it is missing or damaged. */
export async function readRest(
  previous: PreviousTree & { readonly manifest: TreeManifest },
  isAsked: (key: string) => boolean,
): Promise<KeptRest> {
  const { manifest } = previous;
  const hashes = new Map([...previous.published].map(([name, { sha256 }]) => [name, sha256]));
  const refuse = (name: string) => corrupt(previous, [name]);
  const documents = new SoundDocuments(previous.folder ?? '', hashes, refuse);
  const isDataset = ({ key }: { readonly key: string }) => key.split('/').length === 2;
  const entries = manifest.datasets.filter(({ key }) => !isAsked(key));
  const datasets = await datasetRecords(documents, entries, previous.datasets);
  const dimensions = await Promise.all(
    manifest.dimensions.map(entry => dimensionRecord(documents, entry, previous.dimensions)),
  );
  const withdrawn = (manifest.withdrawn ?? []).filter(entry => !isDataset(entry) || !isAsked(entry.key));
  return { datasets, dimensions, withdrawn: await withdrawnRecords(documents, withdrawn) };
}

/** The rest without the dimensions that the build writes, and without withdrawals that they end. */
export function withoutMade(
  { datasets, dimensions, withdrawn }: KeptRest,
  made: readonly { readonly key: string; readonly name: string; readonly domains: readonly string[] }[],
): KeptRest {
  const keys = new Set(made.map(one => one.key));
  const served = new Set(
    made.flatMap(({ name, domains }) => domains.map(domain => `${domain}/_dimensions/${name}`)),
  );
  return {
    datasets,
    dimensions: dimensions.filter(({ schema }) => !keys.has(dimensionKey(schema))),
    withdrawn: withdrawn.filter(({ entry }) => !served.has(entry.key)),
  };
}

/** The names of all its files in the tree. Throws RefusedError if one is missing or damaged. */
export function restFiles({ datasets, dimensions, withdrawn }: KeptRest, previous: PreviousTree): string[] {
  const names = [
    ...[...datasets, ...dimensions].flatMap(({ entry, manifest }) => [
      entry.path,
      ...listedFiles(manifest).map(file => path.posix.join(path.posix.dirname(entry.path), file.path)),
    ]),
    ...withdrawn.flatMap(({ entry }) => entry.documents.map(file => file.path)),
  ];
  const damaged = names.filter(name => !previous.files.has(name));
  if (damaged.length > 0) throw corrupt(previous, damaged);
  return names;
}

function corrupt({ folder }: PreviousTree, files: readonly string[]): RefusedError {
  const [file = ''] = files;
  const more = files.length > 1 ? ` (and ${files.length - 1} more)` : '';
  const message = `The file${more} of ${folder} is missing or damaged, so --only cannot keep it. Build without --only, or restore the tree.`;
  return new RefusedError([{ severity: 'error', code: 'tree-corrupt-file', file, message }]);
}

/**
 * Refuses a changed dimension that an unchanged dataset joins: the dataset's published rows hold the dimension's old names
 * and attributes.
 */
export function expectSameDimensions(
  {
    rest,
    previous,
    datasets,
  }: {
    readonly rest: KeptRest;
    readonly previous: PreviousTree;
    readonly datasets: readonly { readonly dataset: { readonly key: string } }[];
  },
  made: readonly DimensionRecord[],
  { out }: { readonly out: string },
): void {
  const releases = new Map(made.map(({ entry }) => [entry.key, entry.release]));
  const joining = new Map<string, string[]>();
  for (const { schema, entry } of rest.datasets) {
    for (const name of new Set(schema.foreign_keys.map(one => one.target_object))) {
      const key = `${schema.main_topic}/_dimensions/${name}`;
      const before = previous.dimensions.get(key)?.release;
      if (before === releases.get(key)) continue;
      joining.set(name, [...(joining.get(name) ?? []), entry.key]);
    }
  }
  if (joining.size === 0) return;
  throw new RefusedError(
    [...joining].map(([name, keys]) => ({
      severity: 'error',
      code: 'dimension-shared',
      file: out,
      message: `The dimension ${name} is not what it was published as, and ${keys.join(', ')}, which --only leaves as ${keys.length === 1 ? 'it is, joins' : 'they are, join'} it: their rows would not agree. Build them together: --only '${[...datasets.map(one => one.dataset.key), ...keys].join(',')}', or all without --only.`,
    })),
  );
}
