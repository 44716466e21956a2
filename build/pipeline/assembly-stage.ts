/** Assembles a tree within the limits of its host. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type BuildNote, digestOutputs, type HostSummary, type StoredSummary } from '../cache/build-note.ts';
import type { CheckStageResult } from '../check/check-stage.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { feedItems } from '../documents/feed.ts';
import { finishTree, type PageFinding } from '../documents/pages.ts';
import { writeRootDocuments } from '../documents/register.ts';
import { type Assembly, openEarlier } from '../documents/release-changes.ts';
import { treeRelease } from '../documents/service-documents.ts';
import { releaseOf, writeDataset, writeDimension, writeWithdrawn } from '../documents/table-documents.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { ofTextFormats, TEXT_FORMATS } from '../format/documents.ts';
import type { HostFile, PublishedDocuments } from '../format/host-files.ts';
import type { PublishedFile } from '../format/manifest.ts';
import { datasetFolder } from '../format/paths.ts';
import { groupDigits } from '../format/shown-text.ts';
import { chooseFormats, describeLeftOut, type FileGroup, sum } from '../hosts/format-choice.ts';
import { hostFolderOf, renderFolderFiles } from '../hosts/host-folder.ts';
import type { HostInput } from '../hosts/host-profile.ts';
import { releaseDate } from '../plan/build-input.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import { type EarlierLog, writeLog } from '../releases/earlier-log.ts';
import { expectSameDimensions, restFiles } from '../releases/earlier-trees.ts';
import type { BuildEvent, Reporter } from '../report.ts';
import { diffTrees } from '../tree/diff-trees.ts';
import { countRules, type DatasetRecord, type DimensionRecord } from '../tree/published-records.ts';
import { Staging } from '../tree/staging.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { BuildOptions } from './build-options.ts';
import { reportFound, ruleResult } from './findings.ts';

interface StageInput extends Pick<Assembly, 'compiled' | 'cache' | 'session' | 'written' | 'leftOut'> {
  readonly options: BuildOptions;
  readonly plan: TreePlan;
  readonly workspace: Workspace;
  readonly checked: CheckStageResult;
  /** The log that this release is added to; null for a tree without one. */
  readonly log: EarlierLog | null;
  readonly report: Reporter;
}

interface StagedTree {
  readonly files: Staging['files'];
  /** Digest of the files on the disk. */
  readonly outputs: string;
  /** What the host's files are rendered from; null without a host. */
  readonly forHost: HostInput | null;
  readonly summary: StoredSummary;
  readonly log: BuildNote['log'];
  /** Number of files that the tree in place lacks or has with other bytes. */
  readonly written: number;
}

export interface StagedForHost extends StagedTree {
  /** For the folder next to the tree. */
  readonly hostFiles: readonly HostFile[];
}

const NO_ADDRESS =
  'The tree does not know its address, so croissant.json links no file over HTTP, and there is no sitemap.xml. Give it with --base-url.';

/**
 * Assembles the tree. If it exceeds the host's limits, assembles it again without rows in some formats; documents then
 * name fewer files.
 */
export async function stageForHost(input: Omit<StageInput, 'leftOut'>): Promise<StagedForHost> {
  const { options, workspace, report } = input;
  if (!options.host) return { ...(await stageTree({ ...input, leftOut: new Set() })), hostFiles: [] };
  const { profile } = options.host;
  const built = new Set(input.plan.datasets.map(one => one.dataset.key));
  const leftOut = new Set<string>();
  let whole: number | null = null;
  for (;;) {
    const said: BuildEvent[] = [];
    const staged = await stageTree({ ...input, leftOut, report: event => said.push(event) });
    const optional = optionalFiles(staged.forHost!.documents, built);
    const choice = chooseFormats(staged.files, optional, profile);
    if (choice.leftOut.size > 0) {
      whole ??= sum([...staged.files.values()].map(file => file.bytes));
      for (const path of choice.leftOut) leftOut.add(path);
      await rm(workspace.staging, { recursive: true });
      await mkdir(workspace.staging);
      continue;
    }
    if (choice.problems.length > 0) throw new RefusedError(choice.problems);
    for (const event of said) report(event);
    const { bytes } = choice;
    const count = (pattern: RegExp) => [...leftOut].filter(one => pattern.test(one)).length;
    const texts = ofTextFormats(format => count(new RegExp(`\\.${format}$`)));
    const counts = { ...texts, copies: count(/\/_copies\//) };
    if (whole !== null) {
      const instead = profile.computes
        ? 'The edge answers those requests from Parquet.'
        : 'Readers get those only as Parquet.';
      report({
        kind: 'note',
        text: `${profile.name}: the whole tree has ${groupDigits(whole)} bytes; without ${describeLeftOut(counts).join(' and ')} it has ${groupDigits(bytes)}. ${instead}`,
      });
    }
    const hostFiles = await renderFolderFiles(profile, staged.forHost!, [...staged.files.keys()]);
    const folder = hostFiles.length === 0 ? null : hostFolderOf(workspace.out);
    const summary: HostSummary = { name: profile.name, bytes, leftOut: counts, folder };
    if (options.baseUrl === null) report({ kind: 'note', text: NO_ADDRESS });
    return { ...staged, summary: { ...staged.summary, host: summary }, hostFiles };
  }
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

/** Throws UnableError for a base path that the host can't serve. */
export function expectServable({ host }: BuildOptions): void {
  if (!host || host.basePath === '/' || host.profile.beneathPath) return;
  throw new UnableError(
    'base-path',
    `${host.profile.name} answers the API at the root of an address, not below ${host.basePath}. Leave out --base-path, and give a --base-url without a path.`,
  );
}

/** The staging folder must be empty. */
async function stageTree(input: StageInput): Promise<StagedTree> {
  const { options, workspace, plan, compiled, session, cache, checked, written } = input;
  const { contracts, inventory } = compiled;
  const { sample } = inventory;
  const { previous, rest } = plan;
  const date = releaseDate(options.releaseDate, inventory.newest);
  const staging = new Staging(workspace.staging, [previous, plan.named], new Date(`${date}T00:00:00Z`));
  await staging.carryAll(restFiles(rest, previous), previous);
  const dimensions: DimensionRecord[] = [...rest.dimensions];
  const keys = [...dimensions, ...rest.withdrawn].map(one => one.entry.key);
  const gone = await writeWithdrawn(staging, compiled, plan.withdrawn, new Set(keys));
  const release = treeRelease(contracts.publisher, date, [
    ...[...rest.datasets, ...dimensions, ...rest.withdrawn, ...gone].map(({ entry }) => entry),
    ...plan.dimensions.flatMap(({ dimension, domains }) =>
      domains.map(domain => ({
        key: `${domain}/_dimensions/${dimension.name}`,
        release: written.dimension(dimension).release,
      })),
    ),
    ...plan.datasets.map(one => ({ key: one.dataset.key, release: releaseOf(one, input) })),
  ]);
  const earlier = await openEarlier(plan.before, { release, date });
  const assembly = { ...input, staging, earlier, temporary: workspace.temporary };
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
      feedItems(described, earlier, () => diffTrees(earlier.before!, staged, session)),
  });
  const { manifest } = tree;
  const log = await writeLog(staging, input.log, manifest);
  const { host } = options;
  const forHost = host && {
    publisher: contracts.publisher,
    treeFolder: path.basename(path.resolve(options.out)),
    documents: { manifest, datasets: records, dimensions },
    edges: host.edges,
  };
  const own = host && forHost && { basePath: host.basePath, files: await host.profile.treeFiles(forHost) };
  const findings = await finishTree(tree, options.pages ?? null, cache, own ?? null);
  // A sample's names are invented, and some of the datasets don't have all words.
  const isWhole = !sample && options.only === null;
  reportFound(pageDiagnostics(findings, plan, isWhole), options, input.report);
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

/** Warnings about contracts that this build reads. */
function pageDiagnostics(
  findings: readonly PageFinding[],
  { datasets, dimensions }: TreePlan,
  isWhole: boolean,
): Diagnostic[] {
  const files = new Map([
    ...datasets.map(({ dataset: { key, source } }) => [key, source.file] as const),
    // The pages of a dimension are the same under each domain.
    ...dimensions.map(
      ({ dimension: { name, source }, home }) => [`${home}/_dimensions/${name}`, source.file] as const,
    ),
  ]);
  return findings.flatMap(({ code, about, message }): Diagnostic[] => {
    const file = about !== null ? files.get(about) : isWhole ? 'publisher.yaml' : undefined;
    return file === undefined ? [] : [{ severity: 'warning', code, file, message }];
  });
}
