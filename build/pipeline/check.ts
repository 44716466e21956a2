/** `civic check` runs every check on every row; `civic validate` checks only the contracts. Neither publishes anything. */
import path from 'node:path';
import { Cache } from '../cache/cache.ts';
import { ruleResult } from '../check/check.ts';
import type { CheckStageResult } from '../check/check-stage.ts';
import { disclosureDiagnostics, runDisclosure } from '../check/disclosure.ts';
import { bindRules } from '../check/run-checks.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../contract/diagnostic.ts';
import { parseContracts } from '../contract/parse-contracts.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { RuleCounts } from '../format/documents.ts';
import {
  type CheckOptions,
  readContractFolder,
  readWork,
  refuse,
  reportFound,
  type Work,
} from '../plan/build-input.ts';
import { compileInput } from '../plan/compiled-input.ts';
import { neededFiles, piecesOf } from '../plan/pieces.ts';
import type { Compiled } from '../plan/plan.ts';
import type { Reporter } from '../report.ts';
import { countRules } from '../tree/published-records.ts';
import { withTemporaryFolder } from '../tree/workspace.ts';
import { unchangedWhile, withRows } from './rows-stage.ts';

interface LakeCheckOptions extends CheckOptions {
  /** If all checks pass, looks for withheld counts that readers can derive from published ones. */
  readonly disclosure?: boolean | undefined;
}

interface CheckResult {
  readonly datasets: number;
  readonly dimensions: number;
  readonly rows: number;
  readonly rules: RuleCounts;
}

export async function check(options: LakeCheckOptions, report: Reporter): Promise<CheckResult> {
  return withTemporaryFolder(async temporary => {
    const cache = new Cache({ folder: path.join(temporary, 'cache'), limit: Number.POSITIVE_INFINITY });
    const checking: Reporter = event => {
      if (event.kind !== 'progress' || event.stage !== 'slice') report(event);
    };
    const work = await readWork(options, cache, temporary, checking);
    const plan = await compileInput(work);
    // Dimensions are written too, because that checks their boundaries and points.
    const pieces = piecesOf(plan, options).filter(
      ({ write, contract }) => write === null || contract?.kind === 'dimension',
    );
    const checked = await withRows(work, plan, pieces, null, async rows => rows.checked);
    if (options.disclosure === true)
      await unchangedWhile(work, plan, neededFiles(pieces), () => checkDisclosure(work, plan, checked));
    const datasets = [...checked.datasets.values()];
    const shapes = datasets.flatMap(one => [...one.shapes.values()]);
    const outcomes = [...checked.dimensions, ...datasets].flatMap(one => one.outcomes);
    return {
      datasets: datasets.length,
      dimensions: checked.dimensions.length,
      rows: shapes.reduce((sum, { rows }) => sum + rows, 0),
      rules: countRules(outcomes.map(ruleResult)),
    };
  });
}

/** Reports warnings, or with --strict throws RefusedError. */
async function checkDisclosure(
  { options, limits, report }: Work,
  { contracts, inventory, datasets }: Compiled,
  checked: CheckStageResult,
): Promise<void> {
  const asked = datasets.map(({ dataset }) => dataset);
  const found = await runDisclosure({
    contracts,
    inventory,
    datasets: asked,
    checked,
    limits,
    onCompared: (done, total, what) => report({ kind: 'progress', stage: 'disclosure', done, total, what }),
  });
  report({ kind: 'disclosure', datasets: found });
  const severity = options.strict ? 'error' : 'warning';
  reportFound(disclosureDiagnostics(found, asked, severity), options, report);
}

interface ValidateResult {
  readonly files: number;
  readonly datasets: number;
  readonly dimensions: number;
  readonly rules: number;
  /** Contracts without errors that aren't active; the counts above exclude them. */
  readonly inactive: number;
  /** Warnings and notes. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function validate(folder: string, strict: boolean): Promise<ValidateResult> {
  const files = readContractFolder(folder);
  const { contracts, diagnostics, inactive, read } = parseContracts(files);
  return withTemporaryFolder(async temporaryFolder => {
    const bound = await bindRules(contracts, { threads: 1, memoryLimit: '400MB', temporaryFolder });
    // If a contract has errors, rules may fail to bind just because of these.
    const certain = hasErrors(diagnostics) ? bound.filter(one => one.code !== 'rule-does-not-bind') : bound;
    const all = sortDiagnostics([...diagnostics, ...certain]);
    refuse(all, strict);
    if (read === 0) {
      // Warnings about files that aren't contracts then explain why there is none.
      const none = all.filter(one => one.code === 'not-a-contract');
      if (none.length > 0) throw new RefusedError(none.map(one => ({ ...one, severity: 'error' })));
      throw new UnableError(
        'nothing-to-build',
        `${folder} has no active data contract. Name the folder of the contracts.`,
      );
    }
    const owners = [...contracts.datasets, ...contracts.dimensions.values()];
    return {
      files: files.length,
      datasets: contracts.datasets.length,
      dimensions: contracts.dimensions.size,
      rules: owners.reduce((sum, owner) => sum + owner.rules.length, 0),
      inactive,
      diagnostics: all,
    };
  });
}
