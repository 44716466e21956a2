/** The stages of a build, in order. `build.ts` loads this file, and with it parsers and renderers, only if needed. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { KnownLog } from '../cache/build-note.ts';
import { allEnded } from '../lake/database.ts';
import { reportFound, type Work } from '../plan/build-input.ts';
import { compileInput } from '../plan/compiled-input.ts';
import { piecesOf } from '../plan/pieces.ts';
import { planTree } from '../plan/plan.ts';
import { readEarlierLog } from '../releases/earlier-log.ts';
import { readEarlierTrees, restNotes } from '../releases/earlier-trees.ts';
import { findLosses } from '../releases/row-losses.ts';
import { refuseSilentChanges } from '../releases/withdrawals.ts';
import { findWithheld } from '../releases/withheld-figures.ts';
import { flushFileSystem } from '../tree/durability.ts';
import type { Workspace } from '../tree/workspace.ts';
import { type StagedRelease, stageRelease } from './assembly-stage.ts';
import { type BuildOptions, expectWritable } from './build-options.ts';
import type { Stopwatch } from './stopwatch.ts';
import { withRows } from './rows-stage.ts';

/** Everything but the switch to the new tree. `known`: the log in the note of the last build. */
export async function stageBuild(
  work: Work<BuildOptions>,
  workspace: Workspace,
  known: KnownLog | null,
  clock: Stopwatch,
): Promise<StagedRelease> {
  const { options, cache, temporary, report } = work;
  const { staging } = workspace;
  for (const folder of [staging, temporary]) await mkdir(folder, { recursive: true });
  await expectWritable(cache);

  // Compile.
  const compiled = await compileInput(work);

  // Plan, and refuse changes that nobody declared.
  const plan = planTree(compiled, await readEarlierTrees(options, workspace, compiled));
  await refuseSilentChanges(options, plan, work.contractFiles);
  const log = await readEarlierLog(options, workspace, known);
  for (const text of restNotes(options, plan)) report({ kind: 'note', text });
  clock.lap('read');

  // Check and write the rows, or take what the cache has of the same rows.
  const folder = path.join(temporary, 'made');
  const pieces = piecesOf(plan, options);
  const staged = await withRows(work, plan, pieces, folder, async ({ made, checked, database }) => {
    reportFound(await findLosses(plan, made), options, report);
    clock.lap('rows');

    // Assemble the tree within its host's limits, with all threads and memory.
    await database.limit(work.limits);
    const build = { ...work, plan, made, session: await database.connect() };
    // Flushing the rows meanwhile leaves less for the end.
    const [staged] = await allEnded([
      stageRelease({ ...build, workspace, checked, log }),
      flushFileSystem(temporary),
    ]);
    const { release } = staged.summary;
    reportFound(await findWithheld({ ...build, staging, release }), options, report);
    return staged;
  });
  await cache.trim();
  clock.lap('documents');
  return staged;
}
