/** The object that `--json` prints. Every command prints the same shape, whether it passes or fails. */

import type { CheckOutcome } from '../check/check.ts';
import type { SubjectOutcome } from '../check/check-stage.ts';
import { describeExpectation } from '../check/run-checks.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';

/** The fields that every command prints, in addition to those of its own result, such as `BuildResult`. */
export interface JsonReport {
  /** Whether the exit code is 0. */
  readonly ok: boolean;
  /** Every problem, errors first, notes last. Warnings refuse nothing, except with `--strict`; notes never do. */
  readonly diagnostics: readonly ReportedDiagnostic[];
}

export interface ReportedDiagnostic {
  readonly severity: Diagnostic['severity'];
  /** Stable, kebab-case; `rule-failed`, `rule-warned` and `rule-skipped` have `rule`. */
  readonly code: string;
  /** Says what is wrong and what to do. */
  readonly message: string;
  /** Absent for problems without a file, such as a full disk or a taken port. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Present for rules: what the rule found in the rows. */
  readonly rule?: ReportedRule;
}

export interface ReportedRule extends Pick<CheckOutcome, 'found' | 'slices' | 'rows' | 'places' | 'reason'> {
  /** The dataset, as domain/topic, or the dimension. */
  readonly subject: string;
  readonly name: string;
  readonly description: string;
  readonly result: Exclude<CheckOutcome['result'], 'passed'>;
}

/** `result`: the command's own result, if it has one. */
export function jsonReport<Result extends object>(
  ok: boolean,
  diagnostics: readonly ReportedDiagnostic[],
  result?: Result,
): JsonReport & Partial<Result> {
  const ranked = (['error', 'warning', 'note'] as const).flatMap(severity =>
    diagnostics.filter(one => one.severity === severity),
  );
  return { ...(result as Partial<Result>), ok, diagnostics: ranked };
}

/** A rule that did not pass. */
export function ruleDiagnostic({ subject, outcome }: SubjectOutcome): ReportedDiagnostic {
  const { check, result, found, slices, rows, places, reason } = outcome;
  if (result === 'passed') throw new Error(`Rule ${check.name} passed.`);
  const { file, line, column } = check.place ?? {};
  return {
    severity: result === 'failed' ? 'error' : 'warning',
    code: `rule-${result}`,
    message: `${subject}: rule ${check.name}: ${check.description.replace(/\.$/, '')}. ${reason ?? foundText(outcome)}`,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    rule: {
      subject,
      name: check.name,
      description: check.description,
      result,
      found,
      slices,
      rows,
      ...(places !== undefined && { places }),
      reason,
    },
  };
}

/** The rule's count, and the count that it allows. */
export function foundText({ check, found, codes }: CheckOutcome): string {
  const { measure } = check;
  const expected = 'expectation' in measure ? describeExpectation(measure.expectation) : 'must be 0';
  if (codes === undefined) return `Found ${found}, ${expected}.`;
  const more = codes.count > codes.named.length ? ` and ${codes.count - codes.named.length} more` : '';
  return `Found ${found}, ${expected}. These codes: ${codes.named.join(', ')}${more}.`;
}
