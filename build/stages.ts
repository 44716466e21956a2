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
import { type CheckStageResult, runCheckStage, type SubjectOutcome } from './check/check-stage.ts';
import { referencedDatasets, referencedDimensions } from './check/dataset-checks.ts';
import type { Contracts, Dataset, Dimension } from './contract/dataset.ts';
import { sortDiagnostics } from './contract/diagnostic.ts';
import { datasetFilters, keyColumns } from './contract/filters.ts';
import type { ContractFile, ParsedContracts } from './contract/parse-contracts.ts';
import type { QualityDocument } from './format/documents.ts';
import { SAMPLE_NOTICE } from './format/envelope.ts';
import { qualityPath } from './format/paths.ts';
import { Database, type DatabaseOptions, portionOf, shareOf } from './lake/database.ts';
import { type Inventory, takeInventory } from './lake/inventory.ts';
import type { LakeFile } from './lake/lake-files.ts';
import { compareShape, type ParquetShape, readShapes } from './lake/parquet-shape.ts';
import { type BuildState, PROGRAM, readState, type StoredSummary } from './publish/build-state.ts';
import { carryDataset, type DatasetRecord, holdingsOf, writeDataset } from './publish/dataset-documents.ts';
import { type DatasetPlan, planDataset } from './publish/dataset-plan.ts';
import type { OpenedTree } from './publish/diff-trees.ts';
import { carryDimension, type DimensionRecord, writeDimension } from './publish/dimension-documents.ts';
import { type DimensionsPlan, planDimensions } from './publish/dimension-plan.ts';
import { RefusedError, UnableError } from './publish/failure.ts';
import { writePages } from './publish/people-pages.ts';
import {
  NO_TREE,
  type PreviousTree,
  readJson,
  readOutputTree,
  readPreviousManifest,
} from './publish/previous-tree.ts';
import { writeRootDocuments } from './publish/root-documents.ts';
import { Staging } from './publish/staging.ts';
import { writeTreeIndex } from './publish/tree-index.ts';
import { sourceOf } from './publish/tree-source.ts';
import type { Workspace } from './publish/workspace.ts';
import type { Reporter } from './report.ts';
import { type DatasetWork, runSliceStage, type WrittenRowsOf } from './slice/slice-stage.ts';

export interface Compiled {
  readonly contracts: Contracts;
  /** The datasets that are asked for (--only), whose rows the lake has; sorted by key. */
  readonly asked: readonly Dataset[];
  readonly inventory: Inventory;
}

/** Contracts and lake, understood; refuses what is wrong with either. */
export async function compileInput(
  options: CheckOptions,
  input: Pick<BuildInput, 'contractFiles' | 'lakeFiles'>,
  report: Reporter,
  parse: (files: readonly ContractFile[]) => Promise<ParsedContracts>,
): Promise<Compiled> {
  const parsed = await parse(input.contractFiles);
  if (refuses(parsed.diagnostics, options.strict))
    throw new RefusedError(sortDiagnostics(parsed.diagnostics));
  const datasets = parsed.contracts.datasets.filter(dataset => matchesGlob(options.only, dataset.key));
  if (datasets.length === 0) {
    throw new UnableError(
      'nothing-to-build',
      options.only === null
        ? `${options.contracts} holds no active data contract. Name the folder of the contracts.`
        : `No dataset matches --only ${options.only}. Name it as domain/topic; * stands for any name.`,
    );
  }
  const { inventory, diagnostics } = await takeInventory(
    options.data,
    input.lakeFiles,
    parsed.contracts,
    datasets,
  );
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
  return { contracts: parsed.contracts, asked: asked, inventory };
}

export interface TreePlan {
  /** Datasets that the lake has, sorted by key. */
  readonly datasets: readonly DatasetPlan[];
  readonly dimensions: DimensionsPlan;
  /** The tree at the output folder. */
  readonly previous: PreviousTree;
  /** The tree of --previous, which dates files but has none to carry over. */
  readonly told: PreviousTree;
  /** The release before this one: that of --previous, else the tree at the output folder; null where none is. */
  readonly before: OpenedTree | null;
}

export async function planTree(
  options: BuildOptions,
  workspace: Workspace,
  { contracts, asked, inventory }: Compiled,
): Promise<TreePlan> {
  const previous = await readOutputTree(workspace.out);
  const told = options.previous === null ? NO_TREE : await readPreviousManifest(options.previous);
  const manifest = told.manifest ?? previous.manifest;
  const before = manifest && {
    manifest,
    source: sourceOf(options.previous ?? workspace.out, path.join(workspace.temporary, 'previous')),
  };
  const state = await readState(workspace.state);
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
    });
  });
  const dimensions = planDimensions(contracts, inventory, asked, previous, known?.dimensions, PROGRAM);
  return { datasets, dimensions, previous, told, before };
}

export function databaseOptions(options: CheckOptions, temporaryFolder: string): DatabaseOptions {
  return { threads: options.jobs, memoryLimit: options.memory, temporaryFolder };
}

/** Every rule, on every dataset that changed; refuses rows that break one. */
export async function checkRows(
  options: CheckOptions,
  workspace: Workspace,
  compiled: Compiled,
  plan: TreePlan,
  report: Reporter,
): Promise<CheckStageResult> {
  const changed = plan.datasets.filter(one => one.unchanged === null).map(one => one.dataset);
  // Rows are written meanwhile, with the other half of the memory.
  const database = portionOf(databaseOptions(options, workspace.temporary), 2);
  return checkAll(options, database, compiled, changed, report);
}

export async function checkAll(
  options: CheckOptions,
  database: DatabaseOptions,
  compiled: Compiled,
  datasets: readonly DatasetPlan['dataset'][],
  report: Reporter,
): Promise<CheckStageResult> {
  const result = await runCheckStage({
    ...compiled,
    datasets,
    database,
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

/**
 * Columns and counts of every file that rows are written from; null where one is not what its contract says, which
 * the checks report.
 */
export async function readPlanShapes(
  options: BuildOptions,
  workspace: Workspace,
  plan: TreePlan,
): Promise<ReadonlyMap<string, ParquetShape> | null> {
  const database = await Database.open(shareOf(databaseOptions(options, workspace.temporary), 1));
  try {
    const session = await database.connect();
    const changed = plan.datasets.filter(one => one.unchanged === null);
    const facts = changed.flatMap(one => one.slices.flatMap(slice => slice.files));
    const read = await readShapes(session, [...facts, ...plan.dimensions.placed.map(one => one.file)]);
    const owners = [
      ...changed.flatMap(({ dataset, slices }) =>
        slices.map(slice => ({ contract: dataset, files: slice.files })),
      ),
      ...plan.dimensions.placed.map(one => ({ contract: one.dimension, files: [one.file] })),
    ];
    const wrong = owners.some(({ contract, files }) =>
      files.some(file => !fits(contract, file, read.shapes)),
    );
    return read.diagnostics.length > 0 || wrong ? null : read.shapes;
  } finally {
    database.close();
  }
}

function fits(
  contract: Dataset | Dimension,
  file: LakeFile,
  shapes: ReadonlyMap<string, ParquetShape>,
): boolean {
  const shape = shapes.get(file.path);
  const year =
    contract.kind === 'dataset' ? contract.columns.find(column => column.role === 'year') : undefined;
  return (
    shape !== undefined &&
    compareShape(contract.key, contract.columns, file, shape, year?.name ?? null).length === 0
  );
}

export async function writeRows(
  options: BuildOptions,
  workspace: Workspace,
  { contracts, inventory }: Compiled,
  plan: TreePlan,
  shapes: ReadonlyMap<string, ParquetShape>,
  signal: AbortSignal,
  report: Reporter,
): Promise<WrittenRowsOf> {
  const work = plan.datasets.flatMap((one): DatasetWork[] => {
    if (one.unchanged !== null) return [];
    const filters = datasetFilters(one.dataset, contracts, holdingsOf(one, 0).levels);
    return [
      {
        dataset: one.dataset,
        shapes,
        keyColumns: keyColumns(one.dataset, filters),
        slices: one.changed,
        histories: one.changedHistories.map(detail => ({
          detail,
          slices: one.slices.filter(slice => slice.detail === detail),
        })),
      },
    ];
  });
  const dimensions = plan.dimensions.placed.flatMap(one => {
    const shape = shapes.get(one.file.path);
    return shape === undefined ? [] : [{ ...one, shape, changed: !plan.dimensions.unchanged }];
  });
  return runSliceStage({
    contracts,
    dimensions,
    work,
    database: portionOf(databaseOptions(options, workspace.temporary), 2),
    jobs: options.jobs,
    sample: inventory.sample,
    root: workspace.staging,
    signal,
    onWritten: (done, total, what) => report({ kind: 'progress', stage: 'slice', done, total, what }),
  });
}

export interface StagedTree {
  readonly summary: StoredSummary;
  readonly state: Pick<BuildState, 'datasets' | 'dimensions'>;
  /** Files that are not in the tree that is replaced, or differ there. */
  readonly written: number;
}

/** Puts the whole tree together beside the published one, and holds it against what was meant. */
export async function stageTree(
  options: BuildOptions,
  workspace: Workspace,
  { contracts, inventory }: Compiled,
  plan: TreePlan,
  checked: CheckStageResult,
  written: WrittenRowsOf,
): Promise<StagedTree> {
  const date = releaseDate(options.releaseDate, inventory.newest);
  const { previous } = plan;
  const staging = new Staging(workspace.staging, [previous, plan.told], new Date(`${date}T00:00:00Z`));
  const sample = inventory.sample;
  const dimensions: DimensionRecord[] = [];
  const dimensionReleases = new Map<string, string>();
  for (const placed of plan.dimensions.placed) {
    const rows = written.dimensions.get(placed.dimension.key);
    const made = plan.dimensions.unchanged
      ? await carryDimension(staging, previous, placed)
      : await writeDimension(
          { staging, contracts, sample },
          placed,
          expectWritten(rows, placed.dimension.key),
        );
    dimensions.push(...made);
    dimensionReleases.set(placed.dimension.key, made[0]?.entry.release ?? '');
  }
  const input = { staging, previous, contracts, sample, written, dimensionReleases };
  const records: DatasetRecord[] = [];
  for (const one of plan.datasets) {
    const findings = checked.datasets.get(one.dataset.key);
    if (one.unchanged !== null) {
      const quality = await readJson<QualityDocument>(
        path.join(workspace.out, qualityPath(one.dataset.domain, one.dataset.topic)),
      );
      records.push(await carryDataset(one, one.unchanged, quality?.rules ?? [], input));
    } else if (findings !== undefined) {
      const rules = findings.outcomes.map(ruleResult);
      records.push(await writeDataset(one, { rules, values: findings.values }, input));
    }
  }
  const root = await writeRootDocuments({
    staging,
    publisher: contracts.publisher,
    date,
    sample,
    datasets: records,
    dimensions: dimensions.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    described: plan.dimensions.placed,
    baseUrl: options.baseUrl,
    pages: Boolean(options.pages),
    dimensionRules: countRules(checked.dimensions.flatMap(one => one.outcomes.map(ruleResult))),
    feed: { previous: plan.before, database: databaseOptions(options, workspace.temporary) },
  });
  const pages = options.pages ? await writePages(staging, options.pages, options.baseUrl) : new Map();
  await writeTreeIndex(staging, {
    pages,
    title: contracts.publisher.service,
    sampleNotice: sample ? SAMPLE_NOTICE : null,
    baseUrl: options.baseUrl,
  });
  await staging.seal();
  const fresh = [...staging.files].filter(([name, file]) => previous.files.get(name)?.sha256 !== file.sha256);
  return {
    summary: { release: root.release, datasets: records.length, rows: root.rows, files: staging.files.size },
    state: {
      datasets: Object.fromEntries(plan.datasets.map(one => [one.dataset.key, one.state])),
      dimensions: plan.dimensions.recipe,
    },
    written: fresh.length,
  };
}

function expectWritten<Written>(written: Written | undefined, what: string): Written {
  if (written === undefined) throw new Error(`${what} was not written.`);
  return written;
}
