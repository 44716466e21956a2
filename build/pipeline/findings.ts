/** Runs the checks, and reports what they find. */
import type { CheckOutcome } from '../check/check.ts';
import {
  type CheckStageInput,
  type CheckStageResult,
  runCheckStage,
  type SubjectOutcome,
} from '../check/check-stage.ts';
import { sortDiagnostics } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import type { RuleResult } from '../format/documents.ts';
import { type DatabaseOptions, withSession } from '../lake/database.ts';
import { findTables, placedInSlices } from '../lake/inventory.ts';
import { findRowPlaces } from '../lake/prepared-table.ts';
import type { CheckOptions } from '../plan/build-input.ts';
import type { Compiled } from '../plan/plan.ts';
import type { Reporter } from '../report.ts';

export async function checkAll(
  options: CheckOptions,
  limits: DatabaseOptions,
  compiled: Compiled,
  work: Pick<CheckStageInput, 'datasets' | 'shapes' | 'make'>,
  report: Reporter,
): Promise<CheckStageResult> {
  const result = await runCheckStage({
    ...work,
    contracts: compiled.contracts,
    inventory: compiled.inventory,
    limits,
    ruleSeconds: options.ruleSeconds,
    maxRows: options.maxRows,
    onChecked: (done, total, what) => report({ kind: 'progress', stage: 'check', done, total, what }),
  });
  const failed = options.strict ? [...result.failures, ...result.notices] : result.failures;
  const refused = failed.length === 0 ? failed : await placedOutcomes(failed, compiled, limits);
  const warnings = [...result.datasets.values()].flatMap(one => one.warnings);
  if (result.notices.length > 0 && !options.strict) report({ kind: 'notices', outcomes: result.notices });
  if (warnings.length > 0 && !options.strict) report({ kind: 'warnings', diagnostics: warnings });
  const diagnostics = [...result.diagnostics, ...(options.strict ? warnings : [])];
  if (diagnostics.length > 0 || refused.length > 0) {
    throw new RefusedError(placedInSlices(sortDiagnostics(diagnostics), compiled.inventory), refused);
  }
  return result;
}

/** Adds the rows' places in the lake's files, if these have lines. */
async function placedOutcomes(
  outcomes: readonly SubjectOutcome[],
  { contracts, inventory }: Compiled,
  limits: DatabaseOptions,
): Promise<readonly SubjectOutcome[]> {
  const tables = findTables({ files: inventory.tables }, contracts);
  if (tables.length === 0) return outcomes;
  try {
    return await withSession(limits, async session => {
      const placed: SubjectOutcome[] = [];
      for (const { subject, outcome } of outcomes) {
        const own = tables.filter(({ owner }) => owner.key === subject);
        const places = await findRowPlaces(session, own, outcome.rows);
        placed.push({ subject, outcome: places.some(Boolean) ? { ...outcome, places } : outcome });
      }
      return placed;
    });
  } catch {
    // The problem matters more than its place.
    return outcomes;
  }
}

/** A rule's result as quality.json has it. A failed error never gets here, because it stops the build. Pure. */
export function ruleResult({ check, result, found, reason }: CheckOutcome): RuleResult {
  if (result === 'failed') throw new Error(`The rule ${check.name} failed and cannot be published.`);
  return {
    name: check.name,
    source: check.source,
    column: check.column,
    description: check.description,
    dimension: check.dimension,
    severity: check.severity,
    query: check.measure.kind === 'query' ? check.measure.query : null,
    result,
    found,
    ...(reason === null ? {} : { reason }),
  };
}
