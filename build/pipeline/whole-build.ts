/** The stages of a build, in order. `build.ts` loads this file, and with it DuckDB and the parsers, only if needed. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BuildNote } from '../cache/build-note.ts';
import { withDatabase } from '../lake/database.ts';
import { type BuildInput, databaseOptions, reportFound } from '../plan/build-input.ts';
import { compileInput } from '../plan/compiled-input.ts';
import { MadePieces, piecesOf } from '../plan/pieces.ts';
import { planTree } from '../plan/plan.ts';
import { readEarlierLog } from '../releases/earlier-log.ts';
import { readEarlierTrees, restNotes } from '../releases/earlier-trees.ts';
import { findLosses } from '../releases/row-losses.ts';
import { refuseSilentChanges } from '../releases/withdrawals.ts';
import { findWithheld } from '../releases/withheld-figures.ts';
import type { Reporter } from '../report.ts';
import { writeEarly } from '../tree/durability.ts';
import { stageRelease } from './assembly-stage.ts';
import { type BuildOptions, openCache } from './build-options.ts';
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
  const clock = new Stopwatch();
  for (const folder of [workspace.staging, workspace.temporary]) await mkdir(folder, { recursive: true });
  const limits = databaseOptions(options, workspace.temporary);
  const cache = await openCache(options, workspace.cache);

  // Compile.
  const { temporary } = workspace;
  const compiled = await compileInput(options, input, { cache, temporary, limits }, report);

  // Plan, and refuse changes that nobody declared.
  const plan = planTree(compiled, await readEarlierTrees(options, workspace, compiled));
  await refuseSilentChanges(options, plan, input.contractFiles);
  const log = await readEarlierLog(options, workspace, last?.log ?? null);
  for (const text of restNotes(options, plan)) report({ kind: 'note', text });
  const made = new MadePieces(cache, path.join(temporary, 'made'));
  const build = { options, plan, cache, made, report };

  const staged = await writeEarly(workspace.folder, () =>
    withDatabase(writingLimits(limits), async database => {
      // Check and write the rows, or take what the cache has of the same rows.
      const pieces = piecesOf(plan, options);
      const checked = await readRows({ ...build, lake: input.lake, pieces, clock, database, limits });
      reportFound(await findLosses(plan, made), options, report);

      // Assemble the tree within its host's limits, with all threads and memory.
      await database.limit(limits);
      const session = await database.connect();
      const staged = await stageRelease({ ...build, session, workspace, checked, log });
      const { release } = staged.summary;
      const withheld = await findWithheld({ ...build, session, staging: workspace.staging, release });
      reportFound(withheld, options, report);
      return staged;
    }),
  );

  const result = await publishTree(workspace, last, inputs, staged, clock);
  await cache.trim();
  return result;
}
