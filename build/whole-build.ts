/** What a build does that has something to do. Loaded only then: one without does not pay for DuckDB and the parsers. */
import type { BuildInput, BuildOptions } from './build-input.ts';
import { carryTree } from './carry-stage.ts';
import { compileInput } from './compiled-input.ts';
import { makeEarlyTypes } from './early-types.ts';
import { expectServable, planHost, type StagedForHost, stageForHost } from './host-stage.ts';
import type { Database, DatabaseOptions, Session, SessionSource } from './lake/database.ts';
import { usedFiles } from './lake/inventory.ts';
import { allEnded } from './lake/side-by-side.ts';
import type { BuildState } from './publish/build-state.ts';
import { parseKept } from './publish/contract-cache.ts';
import type { FileContents } from './publish/file-contents.ts';
import type { Workspace } from './publish/workspace.ts';
import type { Reporter } from './report.ts';
import { reportRest } from './rest-report.ts';
import { type RowsStageInput, readRows, withRowDatabases } from './rows-stage.ts';
import { databaseOptions, findingsOf } from './stages.ts';
import type { Stopwatch } from './stopwatch.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore } from './tree-plan.ts';
import { wholeWork } from './work.ts';

export async function stageBuild(
  options: BuildOptions,
  workspace: Workspace,
  input: BuildInput,
  before: BuildState | null,
  contents: FileContents,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedForHost> {
  expectServable(options);
  const limits = databaseOptions(options, workspace.temporary);
  return withRowDatabases(limits, async ({ writing, checking }) => {
    const compiled = await compileInput(
      options,
      input,
      report,
      files => parseKept(workspace, files),
      file => contents.of(file),
    );
    await contents.read(usedFiles(compiled.inventory), (done, total, what) =>
      report({ kind: 'progress', stage: 'read', done, total, what }),
    );
    return writing.use(false, async database => {
      const types = makeEarlyTypes(database, workspace, compiled, before);
      // What went wrong is for whoever asks for them.
      types.catch(() => undefined);
      try {
        const trees = await readEarlierTrees(options, workspace, compiled);
        const leftOut = await planHost(options, workspace, input.lake, compiled, trees, report);
        const plan = await planTree(compiled, trees, leftOut, before);
        await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
        await reportRest(options, compiled.contracts, plan, report);
        const rows: RowsStageInput = {
          options,
          workspace,
          lake: input.lake,
          compiled,
          plan,
          work: wholeWork(plan),
          clock,
          database,
          types,
          checking,
          remembers: true,
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
      } finally {
        // The database is not closed under a statement.
        await types.catch(() => undefined);
      }
    });
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
