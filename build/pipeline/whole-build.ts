/** What a build does that has something to do. Loaded only then: one without does not pay for DuckDB and the parsers. */

import type { BuildInput } from '../input/build-input.ts';
import { databaseOptions } from '../input/build-input.ts';
import { compileInput } from '../input/compiled-input.ts';
import {
  type Database,
  type DatabaseOptions,
  type Session,
  type SessionSource,
  withDatabase,
} from '../lake/database.ts';
import { usedFiles } from '../lake/inventory.ts';
import { allEnded } from '../lake/side-by-side.ts';
import type { BuildMemory } from '../memory/build-memory.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore } from '../plan/tree-plan.ts';
import { wholeWork } from '../plan/work.ts';
import type { Reporter } from '../report.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { BuildOptions } from './build-options.ts';
import { carryTree } from './carry-stage.ts';
import { findingsOf } from './findings.ts';
import { expectServable, planHost, type StagedForHost, stageForHost } from './host-stage.ts';
import { reportRest } from './rest-report.ts';
import { type RowsStageInput, readRows, rowLimits } from './rows-stage.ts';
import type { Stopwatch } from './stopwatch.ts';

export async function stageBuild(
  options: BuildOptions,
  workspace: Workspace,
  input: BuildInput,
  memory: BuildMemory,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedForHost> {
  expectServable(options);
  const limits = databaseOptions(options, workspace.temporary);
  const { writing, checking } = rowLimits(limits);
  const { last, contents } = memory;
  const compiled = compileInput(options, input, report, file => contents.of(file));
  await contents.read(usedFiles(compiled.inventory), (done, total, what) =>
    report({ kind: 'progress', stage: 'read', done, total, what }),
  );
  const trees = await readEarlierTrees(options, workspace, compiled);
  const leftOut = await planHost(options, workspace, input.lake, compiled, trees, memory.estimates, report);
  const plan = await planTree(compiled, trees, leftOut, last);
  await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
  await reportRest(options, compiled.contracts, plan, report);
  return withDatabase(writing, async database => {
    const rows: RowsStageInput = {
      options,
      workspace,
      lake: input.lake,
      compiled,
      plan,
      work: wholeWork(plan),
      clock,
      database,
      checking,
      memory,
    };
    const [{ checked, written }, carried] = await allEnded([
      readRows(rows, report),
      carryTree(options, workspace, compiled, plan),
    ]);
    const found = findingsOf(checked, plan);
    const session = sessionLater(database, limits);
    return await stageForHost(
      { options, workspace, compiled, plan, session, carried, found, written },
      report,
    );
  });
}

/** One session, of a database that has all of the limits from then on. */
function sessionLater(database: Database, limits: DatabaseOptions): SessionSource {
  let opened: Promise<Session> | undefined;
  return () => {
    opened ??= database.limit(limits).then(() => database.connect());
    return opened;
  };
}
