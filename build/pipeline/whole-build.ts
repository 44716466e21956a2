/** The stages of a build, in order. `build.ts` loads this file, with DuckDB and the parsers, only if something changed. */
import path from 'node:path';
import type { BuildNote } from '../cache/build-note.ts';
import type { FileContents } from '../cache/file-contents.ts';
import { type BuildInput, databaseOptions } from '../input/build-input.ts';
import { compileInput } from '../input/compiled-input.ts';
import {
  type Database,
  type DatabaseOptions,
  type Session,
  type SessionSource,
  withDatabase,
} from '../lake/database.ts';
import { readEarlierLog } from '../plan/earlier-log.ts';
import { piecesOf } from '../plan/pieces.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import { writeEarly } from '../tree/durability.ts';
import { type BuildOptions, openCache } from './build-options.ts';
import { findingsOf } from './findings.ts';
import { expectServable, stageForHost } from './host-stage.ts';
import { reportLosses } from './loss-report.ts';
import {
  type BuildInputs,
  type BuildResult,
  type ClaimedWorkspace,
  publishTree,
  startStages,
} from './publication.ts';
import { reportRest } from './rest-report.ts';
import { readRows, writingLimits } from './rows-stage.ts';
import { reportWithheld } from './withheld-report.ts';

/** What `build.ts` has read. */
export interface WholeBuildInput {
  readonly options: BuildOptions;
  readonly workspace: ClaimedWorkspace;
  /** Null without a readable note. */
  readonly last: BuildNote | null;
  readonly contents: FileContents;
  readonly input: BuildInput;
  readonly inputs: BuildInputs;
}

export async function buildTree(
  { options, workspace, last, contents, input, inputs }: WholeBuildInput,
  report: Reporter,
): Promise<BuildResult> {
  expectServable(options);
  const clock = await startStages(workspace);
  const limits = databaseOptions(options, workspace.temporary);
  const cache = await openCache(options, workspace.cache);

  // Compile.
  const { temporary } = workspace;
  const compiled = await compileInput(options, input, { cache, temporary, limits, contents }, report);

  // Plan, and refuse what may not be published.
  const plan = planTree(compiled, await readEarlierTrees(options, workspace, compiled));
  await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
  const log = await readEarlierLog(options, workspace, last?.log ?? null);
  const build = { options, compiled, plan, cache, report };
  await reportRest(build);

  const staged = await writeEarly(workspace.folder, () =>
    withDatabase(writingLimits(limits), async database => {
      // Check and write the rows, or take what was made from the same rows before.
      const pieces = piecesOf(plan, compiled, options);
      const made = path.join(temporary, 'made');
      const { lake } = input;
      const { checked, written } = await readRows({ ...build, lake, pieces, made, clock, database, limits });
      await reportLosses(build, written);

      // Assemble the tree, as large as its host takes it.
      const session = sessionLater(database, limits);
      const stage = { ...build, workspace, session, written };
      const staged = await stageForHost({ ...stage, found: findingsOf(checked), log });
      await reportWithheld({ ...stage, release: staged.summary.release });
      return staged;
    }),
  );

  const result = await publishTree(workspace, last, inputs, staged, clock);
  await cache.trim();
  return result;
}

/** One session, opened when it is first needed, in a database that may then use all of the limits. */
function sessionLater(database: Database, limits: DatabaseOptions): SessionSource {
  let opened: Promise<Session> | undefined;
  return () => {
    opened ??= database.limit(limits).then(() => database.connect());
    return opened;
  };
}
