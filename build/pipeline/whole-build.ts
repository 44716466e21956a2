/** The stages of a build, in order. `build.ts` loads this file, and with it DuckDB and the parsers, only if needed. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { KnownLog } from '../cache/build-note.ts';
import { withDatabase } from '../lake/database.ts';
import { type BuildInput, reportFound, workOf } from '../plan/build-input.ts';
import { compileInput } from '../plan/compiled-input.ts';
import { MadePieces, piecesOf } from '../plan/pieces.ts';
import { planTree } from '../plan/plan.ts';
import { readEarlierLog } from '../releases/earlier-log.ts';
import { readEarlierTrees, restNotes } from '../releases/earlier-trees.ts';
import { findLosses } from '../releases/row-losses.ts';
import { refuseSilentChanges } from '../releases/withdrawals.ts';
import { findWithheld } from '../releases/withheld-figures.ts';
import type { Reporter } from '../report.ts';
import type { Workspace } from '../tree/workspace.ts';
import { type StagedRelease, stageRelease } from './assembly-stage.ts';
import { type BuildOptions, openCache } from './build-options.ts';
import type { Stopwatch } from './stopwatch.ts';
import { readRows, writingLimits } from './rows-stage.ts';

/** Everything but the switch to the new tree. `known`: the log in the note of the last build. */
export async function stageBuild(
  options: BuildOptions,
  workspace: Workspace,
  input: BuildInput,
  known: KnownLog | null,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedRelease> {
  const { staging, temporary } = workspace;
  for (const folder of [staging, temporary]) await mkdir(folder, { recursive: true });
  const cache = await openCache(options, workspace.cache);
  const work = workOf(input, options, cache, temporary, report);

  // Compile.
  const compiled = await compileInput(work);

  // Plan, and refuse changes that nobody declared.
  const plan = planTree(compiled, await readEarlierTrees(options, workspace, compiled));
  await refuseSilentChanges(options, plan, input.contractFiles);
  const log = await readEarlierLog(options, workspace, known);
  for (const text of restNotes(options, plan)) report({ kind: 'note', text });
  clock.lap('read');

  const staged = await withDatabase(writingLimits(work.limits), async database => {
    // Check and write the rows, or take what the cache has of the same rows.
    const made = new MadePieces(cache, path.join(temporary, 'made'));
    const checked = await readRows({ ...work, plan, pieces: piecesOf(plan, options), made, database });
    reportFound(await findLosses(plan, made), options, report);
    clock.lap('rows');

    // Assemble the tree within its host's limits, with all threads and memory.
    await database.limit(work.limits);
    const build = { ...work, options, plan, made, session: await database.connect() };
    const staged = await stageRelease({ ...build, workspace, checked, log });
    const { release } = staged.summary;
    reportFound(await findWithheld({ ...build, staging, release }), options, report);
    return staged;
  });
  await cache.trim();
  clock.lap('documents');
  return staged;
}
