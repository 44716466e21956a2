/** `civic build --shard`: runs one share of a build's checks and writes one share of its rows, for `civic merge`. */
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import { type BuildInput, databaseOptions, readBuildInput } from '../input/build-input.ts';
import { type Compiled, compileInput } from '../input/compiled-input.ts';
import { releaseDate } from '../input/release-date.ts';
import { withDatabase } from '../lake/database.ts';
import { usedFiles } from '../lake/inventory.ts';
import { tableFormat } from '../lake/table-format.ts';
import { PROGRAM } from '../memory/build-state.ts';
import { byFingerprint } from '../memory/file-contents.ts';
import type { BuildOptions } from '../pipeline/build-options.ts';
import { findingsOf } from '../pipeline/findings.ts';
import { expectServable } from '../pipeline/host-stage.ts';
import { expectOutputApart } from '../pipeline/output-place.ts';
import { readPlan } from '../pipeline/plan-stage.ts';
import { type ClaimedWorkspace, startStages, withWorkspace } from '../pipeline/publication.ts';
import { readRows, writingLimits } from '../pipeline/rows-stage.ts';
import { tablePreparation } from '../pipeline/table-stage.ts';
import type { Reporter } from '../report.ts';
import { digestFile } from '../slice/file-digest.ts';
import { exists, isEmptyFolder, removePrevious, swapTrees } from '../tree/workspace.ts';
import type { ShardNumber } from './shard-number.ts';
import {
  readShardRecord,
  SHARD_ROWS,
  type ShardInputs,
  type ShardRecord,
  shardFiles,
  writeShardRecord,
} from './shard-record.ts';
import { shareWork } from './shares.ts';

export interface ShardResult extends ShardNumber {
  readonly out: string;
  /** Number of datasets whose rules the shard ran. */
  readonly checked: number;
  /** Number of files of rows. */
  readonly files: number;
  readonly bytes: number;
  /** Seconds by stage. `check` and `slice` run at the same time, within `rows`. */
  readonly seconds: Readonly<Record<string, number>>;
}

export async function buildShard(
  options: BuildOptions,
  shard: ShardNumber,
  report: Reporter,
): Promise<ShardResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async workspace => {
    await refuseForeignFolder(workspace.out);
    const input = await readBuildInput(options, workspace.lake);
    return writeShard(workspace, options, shard, input, report);
  });
}

async function refuseForeignFolder(out: string): Promise<void> {
  if (!(await exists(out)) || (await isEmptyFolder(out))) return;
  if ((await readShardRecord(out)) !== 'absent') return;
  throw new UnableError(
    'output-not-ours',
    `${out} is not empty and holds no shard of a build. The build leaves it unchanged. Name another folder.`,
  );
}

async function writeShard(
  workspace: ClaimedWorkspace,
  options: BuildOptions,
  shard: ShardNumber,
  input: BuildInput,
  report: Reporter,
): Promise<ShardResult> {
  const clock = await startStages(workspace);
  expectServable(options);
  const limits = databaseOptions(options, workspace.temporary);
  const prepare = tablePreparation(
    { lake: input.lake, folder: workspace.tables, limits, contentOf: byFingerprint },
    report,
  );
  const compiled = await compileInput(options, input, withoutWarnings(report), prepare);
  // A shard plans the whole build, without a tree in place: the merge carries over.
  const nowhere = { ...workspace, out: path.join(workspace.folder, 'none') };
  const plan = await readPlan({ options, workspace: nowhere, input, compiled, last: null });
  const work = shareWork(plan, shard.of)[shard.number - 1];
  if (work === undefined) throw new Error(`There is no shard ${shard.number} of ${shard.of}.`);
  const read: Record<string, string> = {};
  const rows = await withDatabase(writingLimits(limits), database =>
    readRows(
      {
        ...{ options, workspace, lake: input.lake, compiled, plan, work, clock, database, limits },
        memory: null,
        onFetched: files => {
          for (const file of files) read[file.path] = digestFile(file.absolute).sha256;
        },
      },
      shard.number === 1 ? report : withoutDimensions(report, compiled),
    ),
  );
  const found = findingsOf(rows.checked, plan);
  const record: ShardRecord = {
    ...shard,
    inputs: inputsOf(options, input, compiled),
    read,
    findings: Object.fromEntries(found.datasets),
    dimensionRules: found.dimensionRules,
    slices: objectsOf(rows.written.slices),
    copies: objectsOf(rows.written.copies),
    dimensions: Object.fromEntries(
      work.dimensions.flatMap(({ dimension: { key, name }, home }) => {
        const written = rows.written.dimensions.get(key);
        return written === undefined ? [] : [[key, { name, home, written }]];
      }),
    ),
  };
  const staged = path.join(workspace.temporary, 'shard');
  await mkdir(staged);
  await rename(workspace.staging, path.join(staged, SHARD_ROWS));
  await rename(staged, workspace.staging);
  await writeShardRecord(workspace.staging, record);
  await swapTrees(workspace, workspace.claim);
  await removePrevious(workspace);
  clock.lap('publish');
  const files = shardFiles(record);
  return {
    ...shard,
    out: workspace.out,
    checked: work.checks.length,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    seconds: clock.seconds,
  };
}

function inputsOf(
  options: BuildOptions,
  { contractFiles, lake }: BuildInput,
  compiled: Compiled,
): ShardInputs {
  const used = new Set(usedFiles(compiled.inventory));
  return {
    program: PROGRAM,
    contracts: contractFiles.map(({ file, text }) => ({
      file: path.relative(options.contracts, file).split(path.sep).join('/'),
      text,
    })),
    lake: lake.files
      .filter(file => used.has(file) || tableFormat(file.path) !== null)
      .map(({ path: name, bytes }) => ({ path: name, bytes })),
    tables: Object.fromEntries(
      [...compiled.prepared].map(([key, { slices }]) => [
        key,
        slices.map(({ year, file: { path: name, bytes, fingerprint } }) => ({
          year,
          path: name,
          bytes,
          fingerprint,
        })),
      ]),
    ),
    ignored: [...lake.ignored],
    sample: lake.sample,
    only: options.only,
    strict: options.strict,
    date: releaseDate(options.releaseDate, compiled.inventory.newest),
    host: options.host?.profile.name ?? null,
  };
}

function objectsOf<Value>(
  maps: ReadonlyMap<string, ReadonlyMap<string, Value>>,
): Record<string, Record<string, Value>> {
  return Object.fromEntries([...maps].map(([key, map]) => [key, Object.fromEntries(map)]));
}

/** Leaves warnings about contracts and lake to the merge, which reports them once. */
function withoutWarnings(report: Reporter): Reporter {
  return event => {
    if (event.kind !== 'warnings') report(event);
  };
}

/** Every shard checks every dimension; only the first reports notices of their rules. */
function withoutDimensions(report: Reporter, { asked }: Compiled): Reporter {
  const datasets = new Set(asked.map(dataset => dataset.key));
  return event => {
    if (event.kind !== 'notices') return report(event);
    const outcomes = event.outcomes.filter(one => datasets.has(one.subject));
    if (outcomes.length > 0) report({ ...event, outcomes });
  };
}
