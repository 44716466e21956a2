/** The stages of a build, in order. `build.ts` loads this file, with DuckDB and the parsers, only if something changed. */
import { parseContracts } from '../contract/parse-contracts.ts';
import { type BuildInput, databaseOptions } from '../input/build-input.ts';
import { compileInput } from '../input/compiled-input.ts';
import {
  type Database,
  type DatabaseOptions,
  type Session,
  type SessionSource,
  withDatabase,
} from '../lake/database.ts';
import { usedFiles } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { allEnded } from '../lake/side-by-side.ts';
import type { BuildMemory } from '../memory/build-memory.ts';
import { readEarlierLog } from '../plan/earlier-log.ts';
import { wholeWork } from '../plan/work.ts';
import type { Reporter } from '../report.ts';
import { writeEarly } from '../tree/durability.ts';
import type { BuildOptions } from './build-options.ts';
import { carryTree } from './carry-stage.ts';
import { findingsOf } from './findings.ts';
import { expectServable, stageForHost } from './host-stage.ts';
import { reportLosses } from './loss-report.ts';
import { readPlan } from './plan-stage.ts';
import {
  type BuildInputs,
  type BuildResult,
  type ClaimedWorkspace,
  publishTree,
  startStages,
} from './publication.ts';
import { reportRest } from './rest-report.ts';
import { readRows, writingLimits } from './rows-stage.ts';
import { tablePreparation } from './table-stage.ts';
import { reportWithheld } from './withheld-report.ts';

/** What `build.ts` has read. */
export interface WholeBuildInput {
  readonly options: BuildOptions;
  readonly workspace: ClaimedWorkspace;
  readonly memory: BuildMemory;
  readonly input: BuildInput;
  readonly inputs: BuildInputs;
}

export async function buildTree(
  { options, workspace, memory, input, inputs }: WholeBuildInput,
  report: Reporter,
): Promise<BuildResult> {
  const clock = await startStages(workspace);
  const limits = databaseOptions(options, workspace.temporary);
  const { last, contents } = memory;
  const { lake } = input;

  // Compile.
  expectServable(options);
  const parse = (files: typeof input.contractFiles) => memory.contracts(files, parseContracts);
  const contentOf = (file: LakeFile) => contents.of(file);
  const prepare = tablePreparation({ lake, folder: workspace.tables, limits, contentOf }, report);
  const compiled = await compileInput(options, input, report, prepare, contentOf, parse);
  await contents.read(usedFiles(compiled.inventory), (done, total, what) =>
    report({ kind: 'progress', stage: 'read', done, total, what }),
  );

  // Plan, and refuse what may not be published.
  const plan = await readPlan({ options, workspace, input, compiled, last });
  const log = await readEarlierLog(options, workspace, last?.log ?? null);
  await reportRest(options, compiled.contracts, plan, report);

  const staged = await writeEarly(workspace.staging, () =>
    withDatabase(writingLimits(limits), async database => {
      // Check and write the rows that changed, and meanwhile carry over everything else.
      const rows = { options, workspace, lake, compiled, plan, work: wholeWork(plan) };
      const [{ checked, written }, carried] = await allEnded([
        readRows({ ...rows, clock, database, limits, memory }, report),
        carryTree(options, workspace, compiled, plan),
      ]);

      await reportLosses(options, compiled, plan, written, report);

      // Assemble the tree, as large as its host takes it.
      const session = sessionLater(database, limits);
      const found = findingsOf(checked, plan);
      const staged = await stageForHost(
        { options, workspace, compiled, plan, session, carried, found, written, log },
        report,
      );
      const { contracts } = compiled;
      const withheld = { options, contracts, plan, written, staging: workspace.staging, session };
      await reportWithheld({ ...withheld, release: staged.summary.release }, report);
      return staged;
    }),
  );

  return publishTree(workspace, memory, inputs, staged, clock);
}

/** One session, opened when it is first needed, in a database that may then use all of the limits. */
function sessionLater(database: Database, limits: DatabaseOptions): SessionSource {
  let opened: Promise<Session> | undefined;
  return () => {
    opened ??= database.limit(limits).then(() => database.connect());
    return opened;
  };
}
