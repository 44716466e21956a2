/** Assembles a tree within the limits of its host. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { BuildNote } from '../cache/build-note.ts';
import { ruleResult } from '../check/check.ts';
import type { CheckStageResult } from '../check/check-stage.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { feedItems } from '../documents/feed.ts';
import { finishTree, type PageFinding } from '../documents/pages.ts';
import { writeRootDocuments } from '../documents/register.ts';
import { type Assembly, openEarlier } from '../documents/release-changes.ts';
import { treeRelease } from '../documents/service-documents.ts';
import { releaseOf, writeDataset, writeDimension, writeWithdrawn } from '../documents/table-documents.ts';
import { RefusedError } from '../failure.ts';
import { TEXT_FORMATS } from '../format/documents.ts';
import type { HostFile, PublishedDocuments } from '../format/host-files.ts';
import type { PublishedFile } from '../format/manifest.ts';
import { datasetFolder } from '../format/paths.ts';
import { groupDigits } from '../format/shown-text.ts';
import {
  chooseFormats,
  countLeftOut,
  describeLeftOut,
  type FileGroup,
  type LeftOut,
  sum,
} from '../hosts/format-choice.ts';
import { hostFolderOf } from '../hosts/host-folder.ts';
import type { HostInput, HostTarget } from '../hosts/host-profile.ts';
import type { Session } from '../lake/database.ts';
import { reportFound, type Work } from '../plan/build-input.ts';
import { publishedKeys, type TreePlan } from '../plan/plan.ts';
import { type EarlierLog, writeLog } from '../releases/earlier-log.ts';
import { expectSameDimensions, restFiles } from '../releases/earlier-trees.ts';
import { diffTrees } from '../tree/diff-trees.ts';
import { countRules, type DatasetRecord, type DimensionRecord } from '../tree/published-records.ts';
import { fileComparison } from '../tree/slice-comparison.ts';
import { Staging } from '../tree/staging.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { BuildOptions } from './build-options.ts';

interface StageInput extends Work<BuildOptions>, Pick<Assembly, 'made'> {
  readonly session: Session;
  readonly plan: TreePlan;
  readonly workspace: Workspace;
  readonly checked: CheckStageResult;
  /** The log that this release is added to; null for a tree without one. */
  readonly log: EarlierLog | null;
}

export interface StagedRelease extends Pick<BuildNote, 'summary' | 'log'> {
  /** Number of files that the tree in place lacks or has with other bytes. */
  readonly written: number;
  /** For the host's folder next to the tree. */
  readonly hostFiles: readonly HostFile[];
}

const NO_ADDRESS =
  'The tree does not know its address, so croissant.json links no file over HTTP, and there is no sitemap.xml. Give it with --base-url.';

/**
 * Assembles the tree. If it exceeds the host's limits, assembles it again without rows in some formats; documents then
 * name fewer files.
 */
export async function stageRelease(input: StageInput): Promise<StagedRelease> {
  const { options, plan, workspace, report } = input;
  const { host } = options;
  const built = new Set(plan.datasets.map(one => one.dataset.key));
  const leftOut = new Map<string, FileGroup['kind']>();
  let whole: number | null = null;
  for (;;) {
    const { files, documents, warnings, ...staged } = await stageTree(input, leftOut);
    const choice = host && chooseFormats(files, optionalFiles(documents, built), host.profile);
    if (choice && choice.leftOut.size > 0) {
      whole ??= sum([...files.values()].map(file => file.bytes));
      for (const [file, kind] of choice.leftOut) leftOut.set(file, kind);
      await rm(workspace.staging, { recursive: true });
      await mkdir(workspace.staging);
      continue;
    }
    if (choice && choice.problems.length > 0) throw new RefusedError(choice.problems);
    reportFound(warnings, options, report);
    if (!host || !choice) return { ...staged, hostFiles: [] };
    const { bytes } = choice;
    const { name, computes } = host.profile;
    const counts = countLeftOut(leftOut);
    if (whole !== null) {
      const instead = computes
        ? 'The edge answers those requests from Parquet.'
        : 'Readers get those only as Parquet.';
      const text = `${name}: the whole tree has ${groupDigits(whole)} bytes; without ${describeLeftOut(counts).join(' and ')} it has ${groupDigits(bytes)}. ${instead}`;
      report({ kind: 'note', text });
    }
    const hostFiles = await host.profile.folderFiles(hostInput(input, host, documents), [...files.keys()]);
    const folder = hostFiles.length === 0 ? null : hostFolderOf(workspace.out);
    if (options.baseUrl === null) report({ kind: 'note', text: NO_ADDRESS });
    const summary = { ...staged.summary, host: { name, bytes, leftOut: counts, folder } };
    return { ...staged, summary, hostFiles };
  }
}

function hostInput(
  { plan, options }: StageInput,
  { edges }: HostTarget,
  documents: PublishedDocuments,
): HostInput {
  const treeFolder = path.basename(path.resolve(options.out));
  return { publisher: plan.contracts.publisher, treeFolder, documents, edges };
}

/** Nothing is left out of datasets that --only leaves unchanged. */
function optionalFiles({ datasets }: PublishedDocuments, built: ReadonlySet<string>): readonly FileGroup[] {
  return datasets.flatMap(({ manifest, schema }) => {
    if (!built.has(manifest.dataset)) return [];
    const folder = datasetFolder(schema.main_topic, schema.topic);
    const group = (kind: FileGroup['kind'], files: readonly PublishedFile[]): FileGroup[] => {
      const [first, ...more] = files.map(file => `${folder}/${file.path}`);
      return first === undefined ? [] : [{ kind, paths: [first, ...more] }];
    };
    return [
      ...manifest.slices.flatMap(({ files }) => TEXT_FORMATS.flatMap(format => group(format, files[format]))),
      ...manifest.copies.flatMap(({ file }) => group('copy', [file])),
    ];
  });
}

/** The staging folder must be empty. */
async function stageTree(input: StageInput, leftOut: LeftOut) {
  const { options, workspace, plan, session, cache, checked, made } = input;
  const { contracts, previous, rest, date } = plan;
  const { sample } = plan.inventory;
  const staging = new Staging(workspace.staging, [previous, plan.named], new Date(`${date}T00:00:00Z`));
  await staging.carryAll(restFiles(rest, previous), previous);
  const dimensions: DimensionRecord[] = [...rest.dimensions];
  const gone = await writeWithdrawn(staging, plan);
  const release = treeRelease(contracts.publisher, date, [
    ...[...rest.datasets, ...dimensions, ...rest.withdrawn, ...gone].map(({ entry }) => entry),
    ...plan.dimensions.flatMap(placed =>
      publishedKeys(placed).map(key => ({ key, release: made.dimension(placed.dimension).release })),
    ),
    ...plan.datasets.map(one => ({ key: one.dataset.key, release: releaseOf(one, input) })),
  ]);
  const earlier = await openEarlier(plan.before, { release, date });
  const compare = fileComparison(session, cache);
  const assembly = { ...input, compare, leftOut, staging, earlier };
  for (const placed of plan.dimensions) dimensions.push(...(await writeDimension(placed, assembly)));
  expectSameDimensions(plan, dimensions, options);
  const records: DatasetRecord[] = [...rest.datasets];
  for (const one of plan.datasets) {
    const found = checked.datasets.get(one.dataset.key);
    if (found === undefined) throw new Error(`${one.dataset.key} was not checked.`);
    const { outcomes, values } = found;
    records.push(await writeDataset(one, { rules: outcomes.map(ruleResult), values }, assembly));
  }
  const tree = await writeRootDocuments({
    staging,
    publisher: contracts.publisher,
    date,
    release,
    sample,
    extract: plan.extract,
    datasets: records.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    withdrawn: [...rest.withdrawn, ...gone].sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    dimensions: dimensions.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    baseUrl: options.baseUrl,
    pages: Boolean(options.pages),
    dimensionRules: countRules(checked.dimensions.flatMap(one => one.outcomes.map(ruleResult))),
    session,
    itemsOf: (described, staged) =>
      feedItems(described, earlier, () => diffTrees(earlier.before!, staged, compare)),
  });
  const { manifest } = tree;
  const log = await writeLog(staging, input.log, manifest);
  const documents = { manifest, datasets: records, dimensions };
  const { host } = options;
  const own = host && {
    basePath: host.basePath,
    files: await host.profile.treeFiles(hostInput(input, host, documents)),
  };
  const findings = await finishTree(tree, options.pages ?? null, cache, own ?? null);
  staging.seal();
  const fresh = [...staging.files].filter(([name, file]) => previous.files.get(name)?.sha256 !== file.sha256);
  return {
    files: staging.files,
    documents,
    warnings: pageDiagnostics(findings, plan),
    summary: {
      release,
      datasets: records.length,
      rows: records.reduce((sum, { entry }) => sum + entry.rows, 0),
      files: staging.files.size,
    },
    log,
    written: fresh.length,
  };
}

/** Warnings about contracts that this build reads. */
function pageDiagnostics(findings: readonly PageFinding[], { datasets, dimensions }: TreePlan): Diagnostic[] {
  const files = new Map([
    ...datasets.map(({ dataset: { key, source } }) => [key, source.file] as const),
    // The pages of a dimension are the same under each domain.
    ...dimensions.map(
      ({ dimension: { name, source }, home }) => [`${home}/_dimensions/${name}`, source.file] as const,
    ),
  ]);
  return findings.flatMap(({ code, about, message }): Diagnostic[] => {
    const file = files.get(about);
    return file === undefined ? [] : [{ severity: 'warning', code, file, message }];
  });
}
