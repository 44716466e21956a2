/** What each stage of a build does, from the rooms that know how. */
import path from 'node:path';
import {
  type BuildInput,
  type BuildOptions,
  type CheckOptions,
  matchesGlob,
  refuses,
  releaseDate,
} from './build-input.ts';
import { countRules, ruleResult } from './catalog/quality-document.ts';
import {
  type CheckStageInput,
  type CheckStageResult,
  runCheckStage,
  type SubjectOutcome,
} from './check/check-stage.ts';
import { referencedDatasets, referencedDimensions } from './check/dataset-checks.ts';
import type { Contracts, Dataset } from './contract/dataset.ts';
import { sortDiagnostics } from './contract/diagnostic.ts';
import { nearestName } from './contract/nearest-name.ts';
import { type ContractFile, parseContracts } from './contract/parse-contracts.ts';
import { versionDiagnostics } from './contract-versions.ts';
import type { RuleCounts } from './format/documents.ts';
import { SAMPLE_NOTICE } from './format/envelope.ts';
import type { DatabaseOptions, SessionSource } from './lake/database.ts';
import { type Inventory, takeInventory } from './lake/inventory.ts';
import type { Lake } from './lake/lake.ts';
import { type BuildState, digestOutputs, PROGRAM, type StoredSummary } from './publish/build-state.ts';
import { type DatasetFindings, type DatasetRecord, writeDataset } from './publish/dataset-documents.ts';
import { type DatasetPlan, planDataset } from './publish/dataset-plan.ts';
import type { OpenedTree } from './publish/diff-trees.ts';
import { type DimensionRecord, writeDimension } from './publish/dimension-documents.ts';
import { type DimensionsPlan, planDimensions } from './publish/dimension-plan.ts';
import { RefusedError, UnableError } from './publish/failure.ts';
import { byFingerprint, type ContentOf } from './publish/file-contents.ts';
import { hostFilesOf } from './publish/host-folder.ts';
import type { PublishedDocuments } from './publish/host-profile.ts';
import { writePages } from './publish/people-pages.ts';
import { NO_TREE, type PreviousTree, readOutputTree, readPreviousManifest } from './publish/previous-tree.ts';
import { writeRootDocuments } from './publish/root-documents.ts';
import type { Staging } from './publish/staging.ts';
import { writeTreeIndex } from './publish/tree-index.ts';
import { checkedSource, sourceOf } from './publish/tree-source.ts';
import { writeWithdrawn } from './publish/withdrawn-documents.ts';
import type { Workspace } from './publish/workspace.ts';
import type { Reporter } from './report.ts';
import { silentWithdrawals } from './silent-withdrawals.ts';
import type { WrittenRowsOf } from './slice/slice-stage.ts';

export interface Compiled {
  readonly contracts: Contracts;
  /** The datasets that are asked for (--only), whose rows the lake has; sorted by key. */
  readonly asked: readonly Dataset[];
  /** Datasets that are asked for, and withdrawn. */
  readonly withdrawn: readonly Dataset[];
  readonly inventory: Inventory;
  readonly contentOf: ContentOf;
}

/** Contracts and lake, understood; refuses what is wrong with either. */
export function compileInput(
  options: CheckOptions,
  input: Pick<BuildInput, 'contractFiles'> & { readonly lake: Pick<Lake, 'files' | 'sample' | 'ignored'> },
  report: Reporter,
  contentOf: ContentOf = byFingerprint,
  parse: typeof parseContracts = parseContracts,
): Compiled {
  const parsed = parse(input.contractFiles);
  if (refuses(parsed.diagnostics, options.strict))
    throw new RefusedError(sortDiagnostics(parsed.diagnostics));
  const datasets = parsed.contracts.datasets.filter(dataset => matchesGlob(options.only, dataset.key));
  const nothing = nothingToBuild(options, parsed.contracts, datasets);
  if (nothing !== null) {
    if (parsed.diagnostics.length > 0) report({ kind: 'warnings', diagnostics: parsed.diagnostics });
    throw new UnableError('nothing-to-build', nothing);
  }
  const { inventory, diagnostics } = takeInventory(input.lake, parsed.contracts, datasets);
  const all = sortDiagnostics([...parsed.diagnostics, ...diagnostics]);
  if (refuses(all, options.strict)) throw new RefusedError(all);
  if (all.length > 0) report({ kind: 'warnings', diagnostics: all });
  const asked = datasets.filter(dataset => inventory.slices.has(dataset.key));
  if (asked.length === 0) {
    throw new UnableError(
      'lake-empty',
      `${options.data} has no rows of any dataset of the contracts. Name the lake's folder.`,
    );
  }
  const withdrawn = parsed.contracts.withdrawn.datasets.filter(({ key }) => matchesGlob(options.only, key));
  return { contracts: parsed.contracts, asked, withdrawn, inventory, contentOf };
}

/** Why there is nothing to do; also where one of several patterns matches nothing, which would silently publish less. */
function nothingToBuild(
  { only, contracts: folder }: CheckOptions,
  contracts: Contracts,
  asked: readonly Dataset[],
): string | null {
  const keys = [...contracts.datasets, ...contracts.withdrawn.datasets].map(({ key }) => key);
  const unmatched = (only?.split(',') ?? []).filter(part => !keys.some(key => matchesGlob(part, key)));
  if (unmatched.length === 0 && asked.length > 0) return null;
  if (only === null) return `${folder} holds no active data contract. Name the folder of the contracts.`;
  const near = unmatched[0] === undefined ? null : nearestName(unmatched[0], keys);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `No dataset matches --only ${unmatched.join(',') || only}.${meant} Name it as domain/topic; * stands for any name.`;
}

export interface TreePlan {
  /** Datasets that the lake has, sorted by key. */
  readonly datasets: readonly DatasetPlan[];
  readonly withdrawn: readonly Dataset[];
  readonly dimensions: DimensionsPlan;
  /** The tree at the output folder. */
  readonly previous: PreviousTree;
  /** The tree of --previous, which dates files but has none to carry over. */
  readonly told: PreviousTree;
  /** The release before this one: that of --previous, else the tree at the output folder; null where none is. */
  readonly before: OpenedTree | null;
  /** Paths of what is not stored, so that the host takes the tree: a slice's first page, its CSV, a level's history. */
  readonly leftOut: ReadonlySet<string>;
}

export async function planTree(
  options: BuildOptions,
  workspace: Workspace,
  { contracts, asked, withdrawn, inventory, contentOf }: Compiled,
  leftOut: ReadonlySet<string>,
  state: BuildState | null,
): Promise<TreePlan> {
  const previous = await readOutputTree(workspace.out);
  const told = options.previous === null ? NO_TREE : await readPreviousManifest(options.previous);
  const manifest = told.manifest ?? previous.manifest;
  const source = sourceOf(options.previous ?? workspace.out, path.join(workspace.temporary, 'previous'));
  // What is damaged in the tree that is replaced is made anew; what is told must be as it was published.
  const before = manifest && {
    manifest,
    source: told.manifest ? checkedSource(source, manifest, told.files) : source,
  };
  // A build that was killed after it switched trees left the notes of the build before it, which say nothing of this.
  const known = state?.summary.release === previous.manifest?.release ? state : undefined;
  const datasets = asked.map(dataset => {
    const references = [
      ...referencedDatasets(dataset, contracts),
      ...referencedDimensions(dataset, contracts),
    ];
    return planDataset(dataset, {
      contracts,
      inventory,
      previous,
      state: known?.datasets[dataset.key],
      references,
      program: PROGRAM,
      contentOf,
      leftOut,
    });
  });
  // The dimensions of a dataset stay under its domain when it is withdrawn.
  const all = [...asked, ...withdrawn];
  const dimensions = planDimensions(
    contracts,
    inventory,
    all,
    previous,
    known ?? undefined,
    PROGRAM,
    contentOf,
  );
  return { datasets, withdrawn, dimensions, previous, told, before, leftOut };
}

/** Refuses a contract whose schema is not what was published under its version. */
export async function refuseReleaseBefore(
  options: BuildOptions,
  { contracts, asked }: Compiled,
  plan: TreePlan,
  files: readonly ContractFile[],
): Promise<void> {
  const { before } = plan;
  if (before === null) return;
  const found = [
    ...(await versionDiagnostics(contracts, asked, files, before)),
    ...silentWithdrawals(options, contracts, plan, before.manifest),
  ];
  if (found.length > 0) throw new RefusedError(sortDiagnostics(found));
}

export function databaseOptions(options: CheckOptions, temporaryFolder: string): DatabaseOptions {
  return { threads: options.jobs, memoryLimit: options.memory, temporaryFolder };
}

export async function checkAll(
  options: CheckOptions,
  limits: DatabaseOptions,
  compiled: Compiled,
  work: Pick<CheckStageInput, 'datasets' | 'dimensions' | 'shapes' | 'memory'>,
  report: Reporter,
): Promise<CheckStageResult> {
  const result = await runCheckStage({
    ...compiled,
    ...work,
    limits,
    ruleSeconds: options.ruleSeconds,
    onChecked: (done, total, what) => report({ kind: 'progress', stage: 'check', done, total, what }),
  });
  const refused: readonly SubjectOutcome[] = options.strict
    ? [...result.failures, ...result.notices]
    : result.failures;
  if (result.diagnostics.length > 0 || refused.length > 0) {
    throw new RefusedError(sortDiagnostics(result.diagnostics), refused);
  }
  if (result.notices.length > 0) report({ kind: 'notices', outcomes: result.notices });
  return result;
}

/** What checks leave to be published. */
export interface Findings {
  /** Of the datasets that were checked, by key. */
  readonly datasets: ReadonlyMap<string, DatasetFindings>;
  readonly dimensionRules: RuleCounts;
}

export function findingsOf(
  { datasets, dimensions }: CheckStageResult,
  { dimensions: { passed } }: Pick<TreePlan, 'dimensions'>,
): Findings {
  return {
    datasets: new Map(
      [...datasets].map(([key, { outcomes, values }]) => [key, { rules: outcomes.map(ruleResult), values }]),
    ),
    dimensionRules: passed ?? countRules(dimensions.flatMap(one => one.outcomes.map(ruleResult))),
  };
}

/** What was taken over from the published tree. */
export interface CarriedTree {
  readonly staging: Staging;
  /** By dataset key: those that are as they were. */
  readonly datasets: ReadonlyMap<string, DatasetRecord>;
  /** By dimension key. */
  readonly dimensions: ReadonlyMap<string, readonly DimensionRecord[]>;
}

/** What a tree is put together of. */
export interface StageInput {
  readonly options: BuildOptions;
  readonly workspace: Workspace;
  readonly compiled: Pick<Compiled, 'contracts' | 'inventory'>;
  readonly plan: TreePlan;
  readonly session: SessionSource;
  readonly carried: CarriedTree;
  readonly found: Findings;
  readonly written: WrittenRowsOf;
}

export interface StagedTree {
  readonly files: Staging['files'];
  /** Digest of the files as the disk has them. */
  readonly outputs: string;
  readonly documents: PublishedDocuments;
  readonly summary: StoredSummary;
  readonly state: Pick<BuildState, 'datasets' | 'dimensions' | 'passedDimensions'>;
  /** Files that are not in the tree that is replaced, or differ there. */
  readonly written: number;
}

/** Puts the whole tree together beside the published one, and holds it against what was meant. */
export async function stageTree(input: StageInput): Promise<StagedTree> {
  const { options, plan, session, carried, found, written } = input;
  const { contracts, inventory } = input.compiled;
  const date = releaseDate(options.releaseDate, inventory.newest);
  const { previous } = plan;
  const { staging } = carried;
  const sample = inventory.sample;
  const dimensions: DimensionRecord[] = [];
  const dimensionReleases = new Map<string, string>();
  for (const placed of plan.dimensions.placed) {
    const { key } = placed.dimension;
    const made =
      carried.dimensions.get(key) ??
      (await writeDimension({ staging, contracts, sample }, placed, writtenOf(written.dimensions, key)));
    dimensions.push(...made);
    dimensionReleases.set(key, made[0]?.entry.release ?? '');
  }
  const { leftOut } = plan;
  const documents = { staging, contracts, sample, written, dimensionReleases, leftOut };
  const records: DatasetRecord[] = [];
  for (const one of plan.datasets) {
    const { key } = one.dataset;
    records.push(
      carried.datasets.get(key) ?? (await writeDataset(one, writtenOf(found.datasets, key), documents)),
    );
  }
  const root = await writeRootDocuments({
    staging,
    publisher: contracts.publisher,
    date,
    sample,
    datasets: records,
    withdrawn: await writeWithdrawn(staging, contracts, plan.withdrawn, sample),
    dimensions: dimensions.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    described: plan.dimensions.placed,
    baseUrl: options.baseUrl,
    pages: Boolean(options.pages),
    dimensionRules: found.dimensionRules,
    feed: { previous: plan.before, session },
    session,
  });
  const pages = options.pages ? await writePages(staging, options.pages, options.baseUrl) : new Map();
  const forHost = hostFilesOf(options, { publisher: contracts.publisher, sample, datasets: records });
  for (const file of forHost.listed) await staging.write(file.path, file.text);
  await writeTreeIndex(staging, {
    pages,
    title: contracts.publisher.service,
    sampleNotice: sample ? SAMPLE_NOTICE : null,
    baseUrl: options.baseUrl,
  });
  for (const file of forHost.unlisted) await staging.write(file.path, file.text);
  const outputs = digestOutputs(await staging.seal());
  const rules = found.dimensionRules;
  const fresh = [...staging.files].filter(([name, file]) => previous.files.get(name)?.sha256 !== file.sha256);
  return {
    files: staging.files,
    outputs,
    documents: { manifest: root.manifest, datasets: records, dimensions },
    summary: { release: root.release, datasets: records.length, rows: root.rows, files: staging.files.size },
    state: {
      datasets: Object.fromEntries(
        plan.datasets.map(({ dataset: { key }, state }) => {
          const { warned, skipped } = countRules(found.datasets.get(key)?.rules ?? []);
          return [key, warned + skipped > 0 ? { ...state, noticed: true } : state];
        }),
      ),
      dimensions: plan.dimensions.recipe,
      ...(rules.run === rules.passed && rules.skipped === 0
        ? { passedDimensions: { inputs: plan.dimensions.checkInputs, rules } }
        : {}),
    },
    written: fresh.length,
  };
}

/** What was made of a dataset or dimension that is not carried over. */
function writtenOf<Made>(all: ReadonlyMap<string, Made>, key: string): Made {
  const made = all.get(key);
  if (made === undefined) throw new Error(`${key} was neither carried over nor made.`);
  return made;
}
