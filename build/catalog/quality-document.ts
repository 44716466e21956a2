import type { CheckOutcome } from '../check/check.ts';
import type { RuleCounts, RuleResult } from '../format/documents.ts';

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

export function countRules(rules: readonly RuleResult[]): RuleCounts {
  const count = (result: RuleResult['result']) => rules.filter(rule => rule.result === result).length;
  const skipped = count('skipped');
  return { run: rules.length - skipped, passed: count('passed'), warned: count('warned'), skipped };
}

export function addCounts(a: RuleCounts, b: RuleCounts): RuleCounts {
  return {
    run: a.run + b.run,
    passed: a.passed + b.passed,
    warned: a.warned + b.warned,
    skipped: a.skipped + b.skipped,
  };
}
