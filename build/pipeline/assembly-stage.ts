import { countRules } from '../catalog/quality-document.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { releaseOf, writeDataset } from '../documents/dataset-documents.ts';
import { writeDimension } from '../documents/dimension-documents.ts';
import { openEarlier } from '../documents/earlier-releases.ts';
import { type Unmapped, writePages } from '../documents/people-pages.ts';
import { writeLog } from '../documents/release-log.ts';
import { nameRelease, writeRootDocuments } from '../documents/root-documents.ts';
import { writeTreeIndex } from '../documents/tree-index.ts';
import { writeWithdrawn } from '../documents/withdrawn-documents.ts';
import { treeNotice } from '../format/envelope.ts';
import { hostFilesOf } from '../hosts/host-folder.ts';
import type { PublishedDocuments } from '../hosts/host-profile.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { releaseDate } from '../input/release-date.ts';
import type { SessionSource } from '../lake/database.ts';
import { type BuildState, digestOutputs, type StoredSummary } from '../memory/build-state.ts';
import type { EarlierLog } from '../plan/earlier-log.ts';
import { expectSameDimensions } from '../plan/kept-rest.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import type { WrittenRowsOf } from '../slice/slice-stage.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  describeDimensions,
  sortByKey,
} from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { BuildOptions } from './build-options.ts';
import type { Findings } from './findings.ts';
import { reportFound } from './rows-stage.ts';

/** Everything that a build carries over from the published tree. */
export interface CarriedTree {
  readonly staging: Staging;
  /** Unchanged datasets, by key. */
  readonly datasets: ReadonlyMap<string, DatasetRecord>;
  /** Unchanged dimensions, by key. */
  readonly dimensions: ReadonlyMap<string, readonly DimensionRecord[]>;
}

/** Everything that a tree is assembled from. */
export interface StageInput {
  readonly options: BuildOptions;
  readonly workspace: Workspace;
  readonly compiled: Pick<Compiled, 'contracts' | 'inventory'>;
  readonly plan: TreePlan;
  readonly session: SessionSource;
  readonly carried: CarriedTree;
  readonly found: Findings;
  readonly written: WrittenRowsOf;
  /** The log that this release is added to; null for a tree without one. */
  readonly log: EarlierLog | null;
}

export interface StagedTree {
  readonly files: Staging['files'];
  /** Digest of the files on the disk. */
  readonly outputs: string;
  readonly documents: PublishedDocuments;
  readonly summary: StoredSummary;
  readonly state: Pick<BuildState, 'datasets' | 'dimensions' | 'passedDimensions' | 'log'>;
  /** Number of files that the tree in place lacks, or has with other bytes. */
  readonly written: number;
}

/** Assembles the whole tree in the workspace, next to the published one. */
export async function stageTree(input: StageInput, report: Reporter): Promise<StagedTree> {
  const { options, workspace, plan, session, carried, found, written } = input;
  const { contracts, inventory } = input.compiled;
  const date = releaseDate(options.releaseDate, inventory.newest);
  const { previous } = plan;
  const { staging } = carried;
  const sample = inventory.sample;
  const { rest } = plan;
  const dimensions: DimensionRecord[] = rest.dimensions.map(({ record }) => record);
  const dimensionReleases = new Map(
    plan.dimensions.placed.map(({ dimension: { key } }) => {
      const [first] = carried.dimensions.get(key) ?? [];
      return [key, first?.entry.release ?? writtenOf(written.dimensions, key).release] as const;
    }),
  );
  const keys = [...rest.dimensions.map(({ record }) => record), ...rest.withdrawn].map(one => one.entry.key);
  const gone = await writeWithdrawn(staging, contracts, plan.withdrawn, sample, new Set(keys));
  const release = nameRelease(contracts.publisher, date, [
    ...[...rest.datasets, ...dimensions, ...rest.withdrawn, ...gone].map(({ entry }) => entry),
    ...plan.dimensions.placed.flatMap(({ dimension: { key, name }, domains }) =>
      domains.map(domain => ({
        key: `${domain}/_dimensions/${name}`,
        release: dimensionReleases.get(key) ?? '',
      })),
    ),
    ...plan.datasets.map(one => ({
      key: one.dataset.key,
      release:
        carried.datasets.get(one.dataset.key)?.entry.release ??
        releaseOf(one, { contracts, written, dimensionReleases }),
    })),
  ]);
  const earlier = await openEarlier(plan, { release, date }, session);
  for (const placed of plan.dimensions.placed) {
    const { key } = placed.dimension;
    const input = { staging, contracts, sample, earlier };
    const made =
      carried.dimensions.get(key) ??
      (await writeDimension(input, placed, writtenOf(written.dimensions, key)));
    dimensions.push(...made);
  }
  expectSameDimensions(plan, dimensions, options);
  const stored = { leftOut: plan.leftOut, temporary: workspace.temporary, session, previous };
  const documents = { staging, contracts, sample, written, dimensionReleases, earlier, ...stored };
  const records: DatasetRecord[] = [...rest.datasets];
  for (const one of plan.datasets) {
    const { key } = one.dataset;
    records.push(
      carried.datasets.get(key) ?? (await writeDataset(one, writtenOf(found.datasets, key), documents)),
    );
  }
  const described = plan.dimensions.placed.map(({ dimension, domains }) => ({
    ...{ key: dimension.key, dimension, domains },
  }));
  const root = await writeRootDocuments({
    staging,
    publisher: contracts.publisher,
    date,
    sample,
    extract: plan.extract,
    datasets: records.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    withdrawn: [...rest.withdrawn, ...gone].sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    dimensions: dimensions.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    described: sortByKey([...described, ...describeDimensions(rest.dimensions)]),
    baseUrl: options.baseUrl,
    pages: Boolean(options.pages),
    dimensionRules: found.dimensionRules,
    feed: { previous: plan.before, session },
    session,
  });
  if (root.release !== release)
    throw new Error(`Release ${root.release} was named ${release} before its content was known.`);
  const log = await writeLog(staging, input.log, root.manifest);
  const { folders: pages, unmapped } = options.pages
    ? await writePages(staging, options.pages, options.baseUrl)
    : NO_PAGES;
  reportFound(unmappedPlaces(unmapped, plan), options, report);
  const published: PublishedDocuments = { manifest: root.manifest, datasets: records, dimensions };
  const hasPages = Boolean(options.pages);
  const forHost = await hostFilesOf(options, { publisher: contracts.publisher, sample, hasPages }, published);
  for (const file of forHost.listed) await staging.write(file.path, file.text);
  await writeTreeIndex(staging, {
    pages,
    title: contracts.publisher.service,
    notice: treeNotice(sample, plan.extract),
    baseUrl: options.baseUrl,
  });
  for (const file of forHost.unlisted) await staging.write(file.path, file.text);
  const outputs = digestOutputs(await staging.seal());
  const rules = found.dimensionRules;
  const fresh = [...staging.files].filter(([name, file]) => previous.files.get(name)?.sha256 !== file.sha256);
  return {
    files: staging.files,
    outputs,
    documents: published,
    summary: { release: root.release, datasets: records.length, rows: root.rows, files: staging.files.size },
    state: {
      datasets: {
        ...plan.restStates,
        ...Object.fromEntries(
          plan.datasets.map(({ dataset: { key }, state }) => {
            const { rules: own = [], warnings = 0 } = found.datasets.get(key) ?? {};
            const { warned, skipped } = countRules(own);
            return [key, warned + skipped + warnings > 0 ? { ...state, noticed: true } : state];
          }),
        ),
      },
      dimensions: plan.dimensions.recipe,
      ...(log === null ? {} : { log }),
      ...(rules.run === rules.passed && rules.skipped === 0
        ? { passedDimensions: { inputs: plan.dimensions.checkInputs, rules } }
        : {}),
    },
    written: fresh.length,
  };
}

const NO_PAGES: Awaited<ReturnType<typeof writePages>> = { folders: new Map(), unmapped: [] };

/** How many places a warning names. */
const NAMED = 5;

/** A warning for each dimension with places that the program's own atlas does not have. */
function unmappedPlaces(found: readonly Unmapped[], { dimensions: { placed } }: TreePlan): Diagnostic[] {
  return placed.flatMap(({ dimension: { name, path, source }, domains }): Diagnostic[] => {
    // A dimension has the same places under each domain.
    const one = found.find(({ dimension }) =>
      domains.some(domain => dimension === `${domain}/_dimensions/${name}`),
    );
    if (one === undefined) return [];
    const { unmapped, places } = one;
    const more = unmapped.length > NAMED ? ` and ${unmapped.length - NAMED} more` : '';
    const named = unmapped.slice(0, NAMED).map(key => `${key}${zeroHint(key)}`);
    const message = `The map has no shape of ${unmapped.length} of ${places} ${name}: ${named.join(', ')}${more}. Their rows are in tables and charts. To draw them, bring boundaries: ${path.replace(/\.\w+$/, '.geojson')} in the lake.`;
    return [{ severity: 'warning', code: 'places-not-on-map', file: source.file, message }];
  });
}

function zeroHint(key: string): string {
  return /^[1-9]\d{3}$/.test(key) ? ` (looks like 0${key} without its leading zero)` : '';
}

/** What the build found or wrote for a dataset or dimension that it did not carry over. */
function writtenOf<Made>(all: ReadonlyMap<string, Made>, key: string): Made {
  const made = all.get(key);
  if (made === undefined) throw new Error(`${key} was neither carried over nor written.`);
  return made;
}
