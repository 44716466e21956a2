/** Reads the trees that a build follows, and keeps the part of the tree in place that --only leaves unchanged. */

import path from 'node:path';
import { matchesGlob } from '../contract/dataset-name.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { TreeExtract } from '../format/documents.ts';
import { listedFiles, type TreeManifest } from '../format/manifest.ts';
import { contractPath } from '../format/paths.ts';
import { someOf } from '../format/shown-text.ts';
import { type ReleaseOptions, releaseDate } from '../plan/build-input.ts';
import type { Compiled, EarlierTrees, KeptRest, TreePlan } from '../plan/plan.ts';
import { digestText } from '../slice/file-digest.ts';
import { NO_TREE, type PreviousTree, readOutputTree, readPreviousManifest } from '../tree/previous-tree.ts';
import {
  type DimensionRecord,
  datasetRecords,
  dimensionRecord,
  soundDocuments,
  withdrawnRecords,
} from '../tree/published-records.ts';
import { checkedSource, sourceOf } from '../tree/tree-source.ts';
import type { Workspace } from '../tree/workspace.ts';

const NOTHING_KEPT: KeptRest = { datasets: [], dimensions: [], withdrawn: [] };

/** `rest` and `extract` are for --only. */
export async function readEarlierTrees(
  options: ReleaseOptions,
  workspace: Workspace,
  { contracts, datasets: asked, inventory }: Compiled,
): Promise<EarlierTrees> {
  const { only } = options;
  const date = releaseDate(options.releaseDate, inventory.newest);
  const previous = await readOutputTree(workspace.out);
  const named = options.previous === null ? NO_TREE : await readPreviousManifest(options.previous);
  // The tree of `civic dev` isn't published, so it may change without a declaration.
  const manifest = named.manifest ?? (options.draft === true ? null : previous.manifest);
  const source = sourceOf(options.previous ?? workspace.out, path.join(workspace.temporary, 'previous'));
  // A build rewrites damaged files of the tree in place; it refuses a damaged tree of --previous.
  const strict = named.manifest !== null;
  const { datasets, dimensions } = strict ? named : previous;
  const before = manifest && {
    manifest,
    source: strict ? checkedSource(source, hashesOf(named)) : source,
    ...{ datasets, dimensions, strict },
  };
  const trees = { date, previous, named, before };
  const served = [...contracts.datasets.filter(({ key }) => inventory.slices.has(key))];
  const keys = [...served, ...contracts.withdrawn.datasets].map(({ key }) => key);
  const inPlace = previous.manifest;
  if (only === null) return { ...trees, rest: NOTHING_KEPT, extract: null };
  if (inPlace === null || options.extract === true) {
    if (asked.length === 0) throw nothingAsked(only);
    return { ...trees, rest: NOTHING_KEPT, extract: extractOf(only, keys) };
  }
  if ((inPlace.sample === true) !== inventory.sample) {
    const is = (sample: boolean) => (sample ? 'a sample' : 'not a sample');
    throw new UnableError(
      'sample-mixture',
      `The tree at ${options.out} is ${is(inPlace.sample === true)}, and the lake is ${is(inventory.sample)}: --only would mix the two. Build without --only, or to another folder.`,
    );
  }
  const rest = await readRest({ ...previous, manifest: inPlace }, key => matchesGlob(only, key));
  if (asked.length === 0 && rest.datasets.length === 0) throw nothingAsked(only);
  const patterns = inPlace.extract === undefined ? [] : inPlace.extract.only.split(',');
  const held = [...new Set([...patterns, ...only.split(',')])].join(',');
  const extract = inPlace.extract === undefined ? null : extractOf(held, keys);
  return { ...trees, rest, extract };
}

function hashesOf({ published }: PreviousTree): ReadonlyMap<string, string> {
  return new Map([...published].map(([name, { sha256 }]) => [name, sha256]));
}

/** Null if the patterns leave no dataset out. */
function extractOf(only: string, keys: readonly string[]): TreeExtract | null {
  return keys.every(key => matchesGlob(only, key)) ? null : { only };
}

function nothingAsked(only: string): UnableError {
  return new UnableError(
    'nothing-to-build',
    `Every dataset that --only ${only} names is withdrawn, and the tree would have no other. Name one that is served.`,
  );
}

/** The datasets, dimensions and withdrawals that stay. Throws RefusedError if one of their documents is missing or damaged. */
async function readRest(
  previous: PreviousTree & { readonly manifest: TreeManifest },
  isAsked: (key: string) => boolean,
): Promise<KeptRest> {
  const { manifest } = previous;
  const refuse = (name: string) => corrupt(previous, [name]);
  const documents = soundDocuments(previous.folder ?? '', hashesOf(previous), refuse);
  const entries = manifest.datasets.filter(({ key }) => !isAsked(key));
  const datasets = await datasetRecords(documents, entries, previous.datasets);
  const dimensions = await Promise.all(
    manifest.dimensions.map(entry => dimensionRecord(documents, entry, previous.dimensions)),
  );
  const withdrawn = (manifest.withdrawn ?? []).filter(entry => !isDataset(entry.key) || !isAsked(entry.key));
  return { datasets, dimensions, withdrawn: await withdrawnRecords(documents, withdrawn) };
}

/** The names of the rest's files in the tree. Throws RefusedError if one is missing or damaged. */
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
 * Throws RefusedError if a changed dimension is joined by an unchanged dataset, whose published rows have the dimension's
 * old names and attributes.
 */
export function expectSameDimensions(
  { rest, previous, datasets }: TreePlan,
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
      message: `The dimension ${name} has changed since it was published, and datasets that --only leaves unchanged join it (${keys.join(', ')}): their rows would not agree. Build them together: --only '${[...datasets.map(one => one.dataset.key), ...keys].join(',')}', or all without --only.`,
    })),
  );
}

/** Notes about what --only leaves unchanged, and where the contracts differ from it. */
export function restNotes(
  { only, out }: Pick<ReleaseOptions, 'only' | 'out'>,
  { contracts, rest, extract, previous }: TreePlan,
): string[] {
  if (only === null) return [];
  const notes =
    extract === null
      ? []
      : [`An extract: the tree at ${out} has only the datasets ${extract.only}, and its documents say so.`];
  const keys = [...rest.datasets, ...rest.withdrawn].map(({ entry }) => entry.key).filter(isDataset);
  if (keys.length === 0) return notes;
  const served = new Map(contracts.datasets.map(one => [one.key, one.source.published]));
  const changed = rest.datasets.flatMap(({ entry: { key } }) => {
    const [domain = '', topic = ''] = key.split('/');
    const text = served.get(key);
    const { sha256 } = previous.published.get(contractPath(domain, topic, 'yaml')) ?? {};
    return text === undefined || digestText(text) === sha256 ? [] : [key];
  });
  const published = rest.datasets.map(({ entry }) => entry.key);
  const withdrawn = new Set(contracts.withdrawn.datasets.map(one => one.key));
  const { license, attribution } = contracts.publisher;
  const others = rest.datasets.filter(
    ({ manifest }) => manifest.license !== license || manifest.attribution !== attribution,
  );
  const differences: readonly (readonly [what: string, keys: readonly string[]])[] = [
    ['the contracts differ from those published for', changed],
    ['contracts withdraw', published.filter(key => withdrawn.has(key))],
    ['no active contract has', published.filter(key => !served.has(key) && !withdrawn.has(key))],
    [
      'publisher.yaml states another licence or attribution than the manifests of',
      others.map(({ entry }) => entry.key),
    ],
  ];
  return [
    ...notes,
    `--only: not built and kept from release ${previous.manifest?.release ?? ''}: ${someOf(keys, 5)}.`,
    ...differences.flatMap(([what, own]) =>
      own.length === 0 ? [] : [`--only: ${what} ${someOf(own, 5)}; published unchanged until built.`],
    ),
  ];
}

function isDataset(key: string): boolean {
  return key.split('/').length === 2;
}
