/**
 * `civic merge`: all parts of a build become the tree that one build would have written. Rows come from the parts,
 * documents from the same code as a build's, and trees are switched in the same one step.
 */
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { CheckOptions } from '../input/build-input.ts';
import { databaseOptions } from '../input/build-input.ts';
import { compileInput } from '../input/compiled-input.ts';
import { withSession } from '../lake/database.ts';
import { BuildMemory } from '../memory/build-memory.ts';
import { type BuildState, digestOf } from '../memory/build-state.ts';
import type { BuildOptions } from '../pipeline/build-options.ts';
import { carryTree } from '../pipeline/carry-stage.ts';
import type { Findings } from '../pipeline/findings.ts';
import { type StagedForHost, stageForHost } from '../pipeline/host-stage.ts';
import { type BuildResult, publishTree, withWorkspace } from '../pipeline/publication.ts';
import { reportRest } from '../pipeline/rest-report.ts';
import type { Stopwatch } from '../pipeline/stopwatch.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import { digestFile } from '../slice/file-digest.ts';
import type { WrittenRowsOf } from '../slice/slice-stage.ts';
import type { Workspace } from '../tree/workspace.ts';
import { comparePartRecords, type NamedPart } from './shard-agreement.ts';
import { PART_RECORD, PART_ROWS, type PartRecord, partFiles, readPartRecord } from './shard-record.ts';

export type MergeOptions = Omit<
  BuildOptions,
  'contracts' | 'data' | 'only' | 'strict' | 'releaseDate' | 'ruleSeconds'
>;

/** Throws RefusedError where the folders are not all parts of one build, or a file of them is damaged. */
export async function merge(
  folders: readonly string[],
  options: MergeOptions,
  report: Reporter,
): Promise<BuildResult> {
  return withWorkspace(options.out, report, async workspace => {
    const parts = await readParts(folders);
    const inputs = digestOf([
      parts.map(one => one.record),
      options.previous,
      options.baseUrl,
      options.pages?.version ?? null,
      options.host?.profile.name ?? null,
      options.host?.basePath ?? null,
      options.extract === true,
    ]);
    const memory = await BuildMemory.open(workspace);
    return publishTree(workspace, memory, { digest: () => inputs, contents: () => ({}) }, clock =>
      stageParts(workspace, parts, options, memory.last, clock, report),
    );
  });
}

/** In their order, all of them, each once. */
async function readParts(folders: readonly string[]): Promise<NamedPart[]> {
  const parts: NamedPart[] = [];
  const damaged: Diagnostic[] = [];
  for (const folder of folders) {
    const record = await readPartRecord(folder);
    if (record === 'absent') {
      throw new UnableError(
        'not-a-part',
        `${folder} has no ${PART_RECORD}. Name the folders that civic build --part wrote.`,
      );
    }
    if (record === 'damaged')
      damaged.push(damage(path.join(folder, PART_RECORD), 'is not as it was written'));
    else parts.push({ folder, record });
  }
  const problems = [...damaged, ...comparePartRecords(parts)];
  if (problems.length > 0) throw new RefusedError(problems);
  return parts.sort((a, b) => a.record.number - b.record.number);
}

async function stageParts(
  workspace: Workspace,
  parts: readonly NamedPart[],
  options: MergeOptions,
  before: BuildState | null,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedForHost> {
  const records = parts.map(one => one.record);
  const [first] = records;
  if (first === undefined) throw new Error('There is no part.');
  const { contracts: contractFiles, lake, sample, ignored, only, strict, date, host, leftOut } = first.inputs;
  refuseOtherHost(host, options);
  const told: BuildOptions & CheckOptions = {
    ...options,
    contracts: 'the parts',
    data: 'the lake',
    only,
    strict,
    releaseDate: date,
  };
  const files = lake.map(file => ({ ...file, absolute: '', fingerprint: '', modified: 0 }));
  const compiled = compileInput(
    told,
    { contractFiles, lake: { files, sample, ignored: new Map(ignored) } },
    report,
  );
  const trees = await readEarlierTrees(told, workspace, compiled);
  const plan = await planTree(compiled, trees, new Set(leftOut), before);
  await refuseReleaseBefore(told, compiled, plan, contractFiles);
  await reportRest(told, compiled.contracts, plan, report);
  const homes = new Map(plan.dimensions.placed.map(({ dimension, home }) => [dimension.key, home]));
  await takeRows(parts, workspace.staging, homes);
  clock.lap('rows');
  const carried = await carryTree(told, workspace, compiled, plan);
  const found = findingsIn(records);
  const written = writtenIn(records);
  const staged = await withSession(databaseOptions(told, workspace.temporary), session =>
    stageForHost(
      { options: told, workspace, compiled, plan, session: async () => session, carried, found, written },
      report,
    ),
  );
  // Fingerprints are of another machine's lake: a build to this folder finds out for itself what it has to do.
  return { ...staged, state: { datasets: {}, dimensions: '' } };
}

/** What was left out of the parts was left out for their host. */
function refuseOtherHost(host: string | null, options: MergeOptions): void {
  const asked = options.host?.profile.name ?? null;
  if (asked === host) return;
  throw new UnableError(
    'part-host',
    `The parts were built ${host === null ? 'without --host' : `with --host ${host}`}, and the merge ${asked === null ? 'names none' : `names ${asked}`}. Give both the same.`,
  );
}

/** Every file of rows, held against its part's record, as a link where the disk has both folders. */
async function takeRows(
  parts: readonly NamedPart[],
  staging: string,
  homes: ReadonlyMap<string, string>,
): Promise<void> {
  const problems: Diagnostic[] = [];
  for (const { folder, record } of parts) {
    const names = partFiles(placedIn(record, homes)).map(file => file.path);
    for (const [i, file] of partFiles(record).entries()) {
      const source = path.join(folder, PART_ROWS, file.path);
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
      if (sha256 !== file.sha256) problems.push(damage(source, 'is not as it was written'));
    }
  }
  if (problems.length > 0) throw new RefusedError(problems);
}

/** The same part with dimensions where the tree has them: what --only leaves may put one under another domain first. */
function placedIn(record: PartRecord, homes: ReadonlyMap<string, string>): PartRecord {
  const dimensions = Object.entries(record.dimensions).map(
    ([key, one]) => [key, { ...one, home: homes.get(key) ?? one.home }] as const,
  );
  return { ...record, dimensions: Object.fromEntries(dimensions) };
}

function damage(file: string, what: string): Diagnostic {
  return {
    severity: 'error',
    code: 'part-damaged',
    file,
    message: `This file of a part ${what}. Bring the part here again, or build it again.`,
  };
}

function findingsIn(records: readonly PartRecord[]): Findings {
  const [first] = records;
  if (first === undefined) throw new Error('There is no part.');
  return {
    datasets: new Map(records.flatMap(record => Object.entries(record.findings))),
    dimensionRules: first.dimensionRules,
  };
}

function writtenIn(records: readonly PartRecord[]): WrittenRowsOf {
  return {
    slices: gather(records.map(record => record.slices)),
    histories: gather(records.map(record => record.histories)),
    dimensions: new Map(
      records.flatMap(record =>
        Object.entries(record.dimensions).map(([key, { written }]) => [key, written] as const),
      ),
    ),
  };
}

/** One map of maps from several. */
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
