/** The stages of a build, in order. `build.ts` loads this file, and with it DuckDB and the parsers, only if needed. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BuildNote } from '../cache/build-note.ts';
import { withDatabase } from '../lake/database.ts';
import { type BuildInput, databaseOptions } from '../plan/build-input.ts';
import { compileInput } from '../plan/compiled-input.ts';
import { piecesOf } from '../plan/pieces.ts';
import { planTree } from '../plan/tree-plan.ts';
import { readEarlierLog } from '../releases/earlier-log.ts';
import { readEarlierTrees, restNotes } from '../releases/earlier-trees.ts';
import { findLosses } from '../releases/row-losses.ts';
import { refuseSilentChanges } from '../releases/withdrawals.ts';
import { findWithheld } from '../releases/withheld-figures.ts';
import type { Reporter } from '../report.ts';
import { writeEarly } from '../tree/durability.ts';
import { expectServable, stageForHost } from './assembly-stage.ts';
import { type BuildOptions, openCache } from './build-options.ts';
import { reportFound } from './findings.ts';
import { type BuildResult, type ClaimedWorkspace, publishTree, Stopwatch } from './publication.ts';
import { readRows, writingLimits } from './rows-stage.ts';

interface WholeBuildInput {
  readonly options: BuildOptions;
  readonly workspace: ClaimedWorkspace;
  readonly last: BuildNote | null;
  readonly input: BuildInput;
  /** Their digest. */
  readonly inputs: string;
}

export async function buildTree(
  { options, workspace, last, input, inputs }: WholeBuildInput,
  report: Reporter,
): Promise<BuildResult> {
  expectServable(options);
  const clock = new Stopwatch();
  for (const folder of [workspace.staging, workspace.temporary]) await mkdir(folder, { recursive: true });
  const limits = databaseOptions(options, workspace.temporary);
  const cache = await openCache(options, workspace.cache);

  // Compile.
  const { temporary } = workspace;
  const compiled = await compileInput(options, input, { cache, temporary, limits }, report);

  // Plan, and refuse changes that nobody declared.
  const plan = planTree(compiled, await readEarlierTrees(options, workspace, compiled));
  await refuseSilentChanges(options, compiled, plan, input.contractFiles);
  const log = await readEarlierLog(options, workspace, last?.log ?? null);
  const build = { options, compiled, plan, cache, report };
  for (const text of restNotes(options, compiled, plan)) report({ kind: 'note', text });

  const staged = await writeEarly(workspace.folder, () =>
    withDatabase(writingLimits(limits), async database => {
      // Check and write the rows, or take what the cache has of the same rows.
      const pieces = piecesOf(plan, compiled, options);
      const made = path.join(temporary, 'made');
      const { lake } = input;
      const { checked, written } = await readRows({ ...build, lake, pieces, made, clock, database, limits });
      reportFound(await findLosses(options, compiled, plan, written), options, report);

      // Assemble the tree within its host's limits, with all threads and memory.
      await database.limit(limits);
      const session = await database.connect();
      const stage = { ...build, session, written };
      const staged = await stageForHost({ ...stage, workspace, checked, log });
      const { staging } = workspace;
      const withheld = await findWithheld({ ...stage, staging, release: staged.summary.release });
      reportFound(withheld, options, report);
      return staged;
    }),
  );

  const result = await publishTree(workspace, last, inputs, staged, clock);
  await cache.trim();
  return result;
}
