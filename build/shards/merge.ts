/**
 * `civic merge`: merges all shards of a build into the tree that a build in one go writes. It takes rows from the shards,
 * and writes documents and switches trees with the code of a build.
 */
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { CheckOptions } from '../input/build-input.ts';
import { databaseOptions } from '../input/build-input.ts';
import { compileInput } from '../input/compiled-input.ts';
import { withSession } from '../lake/database.ts';
import type { PreparedTables } from '../lake/inventory.ts';
import { formatPublicKey, publicKeyOf } from '../log/log-key.ts';
import { BuildMemory } from '../memory/build-memory.ts';
import { type BuildState, digestOf } from '../memory/build-state.ts';
import type { BuildOptions } from '../pipeline/build-options.ts';
import { carryTree } from '../pipeline/carry-stage.ts';
import type { Findings } from '../pipeline/findings.ts';
import { type StagedForHost, stageForHost } from '../pipeline/host-stage.ts';
import { reportLosses } from '../pipeline/loss-report.ts';
import {
  type BuildResult,
  publishTree,
  startStages,
  unchangedTree,
  withWorkspace,
} from '../pipeline/publication.ts';
import { reportRest } from '../pipeline/rest-report.ts';
import type { Stopwatch } from '../pipeline/stopwatch.ts';
import { reportWithheld } from '../pipeline/withheld-report.ts';
import { readEarlierLog } from '../plan/earlier-log.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import { digestFile } from '../slice/file-digest.ts';
import type { WrittenRowsOf } from '../slice/slice-stage.ts';
import type { Workspace } from '../tree/workspace.ts';
import { compareShardRecords, type NamedShard } from './shard-agreement.ts';
import { readShardRecord, SHARD_RECORD, SHARD_ROWS, type ShardRecord, shardFiles } from './shard-record.ts';

export type MergeOptions = Omit<
  BuildOptions,
  'contracts' | 'data' | 'only' | 'strict' | 'releaseDate' | 'ruleSeconds' | 'maxRows'
>;

/** Throws RefusedError if the folders are not all shards of one build, or if a file is damaged. */
export async function merge(
  folders: readonly string[],
  options: MergeOptions,
  report: Reporter,
): Promise<BuildResult> {
  return withWorkspace(options.out, report, async workspace => {
    const shards = await readShards(folders);
    const digest = digestOf([
      shards.map(one => one.record),
      options.previous,
      options.baseUrl,
      options.pages?.version ?? null,
      options.host?.profile.name ?? null,
      options.host?.basePath ?? null,
      options.extract === true,
      options.signingKey ? formatPublicKey(publicKeyOf(options.signingKey, 'signer')) : null,
    ]);
    const inputs = { digest: () => digest, contents: () => ({}) };
    const memory = await BuildMemory.open(workspace);
    const unchanged = await unchangedTree(workspace, memory, inputs);
    if (unchanged !== null) return unchanged;
    const clock = await startStages(workspace);
    const staged = await stageShards(workspace, shards, options, memory.last, clock, report);
    return publishTree(workspace, memory, inputs, staged, clock);
  });
}

/** Reads all shards, and sorts them by number. */
async function readShards(folders: readonly string[]): Promise<NamedShard[]> {
  const shards: NamedShard[] = [];
  const damaged: Diagnostic[] = [];
  for (const folder of folders) {
    const record = await readShardRecord(folder);
    if (record === 'absent') {
      throw new UnableError(
        'not-a-shard',
        `${folder} has no ${SHARD_RECORD}. Name the folders that civic build --shard wrote.`,
      );
    }
    if (record === 'damaged') damaged.push(damage(path.join(folder, SHARD_RECORD), 'has changed'));
    else shards.push({ folder, record });
  }
  const problems = [...damaged, ...compareShardRecords(shards)];
  if (problems.length > 0) throw new RefusedError(problems);
  return shards.sort((a, b) => a.record.number - b.record.number);
}

function preparedIn(tables: ShardRecord['inputs']['tables']): PreparedTables {
  return new Map(
    Object.entries(tables).map(([key, files]) => {
      const slices = files.map(({ year, ...file }) => ({
        year,
        file: { ...file, absolute: '', modified: 0, prepared: true as const },
      }));
      return [key, { slices, diagnostics: [] }];
    }),
  );
}

async function stageShards(
  workspace: Workspace,
  shards: readonly NamedShard[],
  options: MergeOptions,
  before: BuildState | null,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedForHost> {
  const records = shards.map(one => one.record);
  const [first] = records;
  if (first === undefined) throw new Error('There is no shard.');
  const { contracts: contractFiles, lake, tables, sample, ignored, only, strict, date, host } = first.inputs;
  refuseOtherHost(host, options);
  const buildOptions: BuildOptions & CheckOptions = {
    ...options,
    contracts: 'the shards',
    data: 'the lake',
    only,
    strict,
    releaseDate: date,
  };
  const files = lake.map(file => ({ ...file, absolute: '', fingerprint: '', modified: 0 }));
  const compiled = await compileInput(
    buildOptions,
    { contractFiles, lake: { files, sample, ignored: new Map(ignored) } },
    report,
    async () => preparedIn(tables),
  );
  const trees = await readEarlierTrees(buildOptions, workspace, compiled);
  const plan = await planTree(compiled, trees, before);
  await refuseReleaseBefore(buildOptions, compiled, plan, contractFiles);
  const log = await readEarlierLog(buildOptions, workspace, before?.log ?? null);
  await reportRest(buildOptions, compiled.contracts, plan, report);
  const homes = new Map(plan.dimensions.placed.map(({ dimension, home }) => [dimension.key, home]));
  await takeRows(shards, workspace.staging, homes);
  clock.lap('rows');
  const carried = await carryTree(buildOptions, workspace, compiled, plan);
  const found = findingsIn(records);
  const written = writtenIn(records);
  await reportLosses(buildOptions, compiled, plan, written, report);
  const staged = await withSession(databaseOptions(buildOptions, workspace.temporary), async one => {
    const session = async () => one;
    const tree = await stageForHost(
      {
        options: buildOptions,
        workspace,
        compiled,
        plan,
        session,
        carried,
        found,
        written,
        log,
      },
      report,
    );
    const { contracts } = compiled;
    const withheld = { options: buildOptions, contracts, plan, written, staging: workspace.staging, session };
    await reportWithheld({ ...withheld, release: tree.summary.release }, report);
    return tree;
  });
  // Fingerprints of another machine's lake mean nothing here, so the next build to this folder does everything.
  const { log: known } = staged.state;
  return { ...staged, state: { datasets: {}, dimensions: '', ...(known ? { log: known } : {}) } };
}

/** Shards leave out files for their host, so the merge must be for the same host. */
function refuseOtherHost(host: string | null, options: MergeOptions): void {
  const asked = options.host?.profile.name ?? null;
  if (asked === host) return;
  throw new UnableError(
    'shard-host',
    `The shards were built ${host === null ? 'without --host' : `with --host ${host}`}, and the merge ${asked === null ? 'without' : `with --host ${asked}`}. Give both the same host.`,
  );
}

/** Takes every file of rows and checks its hash. Links it if both folders are on one disk; otherwise copies it. */
async function takeRows(
  shards: readonly NamedShard[],
  staging: string,
  homes: ReadonlyMap<string, string>,
): Promise<void> {
  const problems: Diagnostic[] = [];
  for (const { folder, record } of shards) {
    const names = shardFiles(placedIn(record, homes)).map(file => file.path);
    for (const [i, file] of shardFiles(record).entries()) {
      const source = path.join(folder, SHARD_ROWS, file.path);
      const target = path.join(staging, names[i] ?? file.path);
      await mkdir(path.dirname(target), { recursive: true });
      try {
        await link(source, target).catch(() => copyFile(source, target));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
        problems.push(damage(source, 'is missing'));
        continue;
      }
      const { sha256 } = digestFile(target);
      if (sha256 !== file.sha256) problems.push(damage(source, 'has changed'));
    }
  }
  if (problems.length > 0) throw new RefusedError(problems);
}

/** Moves dimensions to their home in the tree, which a dataset that --only leaves unchanged may decide. */
function placedIn(record: ShardRecord, homes: ReadonlyMap<string, string>): ShardRecord {
  const dimensions = Object.entries(record.dimensions).map(
    ([key, one]) => [key, { ...one, home: homes.get(key) ?? one.home }] as const,
  );
  return { ...record, dimensions: Object.fromEntries(dimensions) };
}

function damage(file: string, what: string): Diagnostic {
  return {
    severity: 'error',
    code: 'shard-damaged',
    file,
    message: `This file of a shard ${what}. Copy the shard again, or build it again.`,
  };
}

function findingsIn(records: readonly ShardRecord[]): Findings {
  const [first] = records;
  if (first === undefined) throw new Error('There is no shard.');
  return {
    datasets: new Map(records.flatMap(record => Object.entries(record.findings))),
    dimensionRules: first.dimensionRules,
  };
}

function writtenIn(records: readonly ShardRecord[]): WrittenRowsOf {
  return {
    slices: gather(records.map(record => record.slices)),
    copies: gather(records.map(record => record.copies)),
    dimensions: new Map(
      records.flatMap(record =>
        Object.entries(record.dimensions).map(([key, { written }]) => [key, written] as const),
      ),
    ),
  };
}

/** Merges several maps of maps into one. */
function gather<Value>(
  all: readonly Readonly<Record<string, Readonly<Record<string, Value>>>>[],
): Map<string, Map<string, Value>> {
  const gathered = new Map<string, Map<string, Value>>();
  for (const [key, values] of all.flatMap(Object.entries<Readonly<Record<string, Value>>>)) {
    const known = gathered.get(key) ?? new Map<string, Value>();
    for (const [name, value] of Object.entries(values)) known.set(name, value);
    gathered.set(key, known);
  }
  return gathered;
}
