import path from 'node:path';
import { type BuildNote, digestOutputs, type StoredSummary } from '../cache/build-note.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { NO_PAGES, type PageFinding, writePages } from '../documents/pages.ts';
import { type Assembly, openEarlier } from '../documents/release-changes.ts';
import { nameRelease, writeRootDocuments } from '../documents/root-documents.ts';
import { releaseOf, writeDataset, writeDimension, writeWithdrawn } from '../documents/table-documents.ts';
import { writeTreeIndex } from '../documents/tree-index.ts';
import { treeNotice } from '../format/envelope.ts';
import { plainWords } from '../format/plain-pages.ts';
import type { HostInput } from '../hosts/host-profile.ts';
import { releaseDate } from '../input/build-input.ts';
import { type EarlierLog, writeLog } from '../plan/earlier-log.ts';
import { expectSameDimensions, restFiles } from '../plan/kept-rest.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { DatasetRecord, DimensionRecord } from '../tree/published-records.ts';
import { Staging } from '../tree/staging.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { PlannedBuild } from './build-options.ts';
import type { Findings } from './findings.ts';
import { reportFound } from './rows-stage.ts';

/** Everything that a tree is assembled from. */
export interface StageInput extends PlannedBuild, Pick<Assembly, 'session' | 'written' | 'leftOut'> {
  readonly workspace: Workspace;
  readonly found: Findings;
  /** The log that this release is added to; null for a tree without one. */
  readonly log: EarlierLog | null;
}

export interface StagedTree {
  readonly files: Staging['files'];
  /** Digest of the files on the disk. */
  readonly outputs: string;
  /** What further files of the host are rendered from; null without a host. */
  readonly forHost: HostInput | null;
  readonly summary: StoredSummary;
  readonly log: BuildNote['log'];
  /** Number of files that the tree in place lacks, or has with other bytes. */
  readonly written: number;
}

/** Assembles the whole tree in the workspace, next to the published one. The staging folder must be empty. */
export async function stageTree(input: StageInput): Promise<StagedTree> {
  const { options, workspace, plan, compiled, session, cache, found, written } = input;
  const { contracts, inventory } = compiled;
  const { sample } = inventory;
  const { previous, rest } = plan;
  const date = releaseDate(options.releaseDate, inventory.newest);
  const staging = new Staging(workspace.staging, [previous, plan.named], new Date(`${date}T00:00:00Z`));
  await staging.carryAll(restFiles(rest, previous), previous);
  const dimensions: DimensionRecord[] = [...rest.dimensions];
  const keys = [...dimensions, ...rest.withdrawn].map(one => one.entry.key);
  const gone = await writeWithdrawn(staging, compiled, plan.withdrawn, new Set(keys));
  const release = nameRelease(contracts.publisher, date, [
    ...[...rest.datasets, ...dimensions, ...rest.withdrawn, ...gone].map(({ entry }) => entry),
    ...plan.dimensions.flatMap(({ dimension: { key, name }, domains }) =>
      domains.map(domain => ({
        key: `${domain}/_dimensions/${name}`,
        release: written.dimension(key).release,
      })),
    ),
    ...plan.datasets.map(one => ({ key: one.dataset.key, release: releaseOf(one, input) })),
  ]);
  const earlier = await openEarlier(plan, { release, date });
  const assembly = { ...input, staging, earlier, temporary: workspace.temporary };
  for (const placed of plan.dimensions) dimensions.push(...(await writeDimension(placed, assembly)));
  expectSameDimensions(plan, dimensions, options);
  const records: DatasetRecord[] = [...rest.datasets];
  for (const one of plan.datasets) {
    const findings = found.datasets.get(one.dataset.key);
    if (findings === undefined) throw new Error(`${one.dataset.key} was not checked.`);
    records.push(await writeDataset(one, findings, assembly));
  }
  const manifest = await writeRootDocuments({
    staging,
    publisher: contracts.publisher,
    date,
    sample,
    extract: plan.extract,
    datasets: records.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    withdrawn: [...rest.withdrawn, ...gone].sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    dimensions: dimensions.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1)),
    baseUrl: options.baseUrl,
    pages: Boolean(options.pages),
    dimensionRules: found.dimensionRules,
    earlier,
    session,
  });
  if (manifest.release !== release)
    throw new Error(`Release ${manifest.release} was named ${release} before its content was known.`);
  const log = await writeLog(staging, input.log, manifest);
  const { folders: pages, findings } = options.pages
    ? await writePages(staging, options.pages, options.baseUrl, cache)
    : NO_PAGES;
  // The names of a sample are invented, and a part of the datasets has a part of the words.
  const isWhole = !sample && options.only === null;
  reportFound(pageDiagnostics(findings, plan, isWhole), options, input.report);
  const forHost = options.host && {
    ...options.host,
    publisher: contracts.publisher,
    sample,
    treeFolder: path.basename(path.resolve(options.out)),
    hasPages: Boolean(options.pages),
    documents: { manifest, datasets: records, dimensions },
  };
  for (const file of forHost ? await forHost.profile.treeFiles(forHost) : [])
    await staging.write(file.path, file.text);
  await writeTreeIndex(staging, {
    pages,
    title: contracts.publisher.service,
    language: contracts.publisher.language,
    notice: treeNotice(sample, plan.extract, plainWords(contracts.publisher.language).words.sample),
    baseUrl: options.baseUrl,
  });
  const outputs = digestOutputs(await staging.seal());
  const fresh = [...staging.files].filter(([name, file]) => previous.files.get(name)?.sha256 !== file.sha256);
  return {
    files: staging.files,
    outputs,
    forHost: forHost ?? null,
    summary: {
      release,
      datasets: records.length,
      rows: records.reduce((sum, { entry }) => sum + entry.rows, 0),
      files: staging.files.size,
    },
    log: log ?? undefined,
    written: fresh.length,
  };
}

/** Warnings at the contracts that this build reads. */
function pageDiagnostics(
  findings: readonly PageFinding[],
  { datasets, dimensions }: TreePlan,
  isWhole: boolean,
): Diagnostic[] {
  const files = new Map([
    ...datasets.map(({ dataset: { key, source } }) => [key, source.file] as const),
    // A dimension has the same places under each domain.
    ...dimensions.map(
      ({ dimension: { name, source }, home }) => [`${home}/_dimensions/${name}`, source.file] as const,
    ),
  ]);
  return findings.flatMap(({ code, about, message }): Diagnostic[] => {
    const file = about !== null ? files.get(about) : isWhole ? 'publisher.yaml' : undefined;
    return file === undefined ? [] : [{ severity: 'warning', code, file, message }];
  });
}
