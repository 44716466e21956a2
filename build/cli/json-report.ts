/** What `--json` prints: one object of one shape, whatever the command and however it ends. */

import type { CheckOutcome } from '../check/check.ts';
import type { SubjectOutcome } from '../check/check-stage.ts';
import { describeExpectation } from '../check/expectation.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';

/** What every command prints. Beside it stand the fields of the command's own result, such as `BuildResult`. */
export interface JsonReport {
  /** Whether the exit code is 0. */
  readonly ok: boolean;
  /** All that was found wrong, errors first. Warnings alone refuse nothing, but with `--strict`. */
  readonly diagnostics: readonly ReportedDiagnostic[];
}

export interface ReportedDiagnostic {
  readonly severity: Diagnostic['severity'];
  /** Stable, kebab-case; `rule-failed`, `rule-warned` and `rule-skipped` have `rule`. */
  readonly code: string;
  /** What is wrong and what to do. */
  readonly message: string;
  /** Absent where no file is wrong: a disk is full, a port is taken. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** What a rule found in the rows. */
  readonly rule?: ReportedRule;
}

export interface ReportedRule extends Pick<CheckOutcome, 'found' | 'slices' | 'rows' | 'reason'> {
  /** The dataset, as domain/topic, or the dimension. */
  readonly subject: string;
  readonly name: string;
  readonly description: string;
  readonly result: Exclude<CheckOutcome['result'], 'passed'>;
}

/** `result`: what the command made, if it did. */
export function jsonReport<Result extends object>(
  ok: boolean,
  diagnostics: readonly ReportedDiagnostic[],
  result?: Result,
): JsonReport & Partial<Result> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  return { ...(result as Partial<Result>), ok, diagnostics: [...errors, ...warnings] };
}

/** A rule that did not pass. */
export function ruleDiagnostic({ subject, outcome }: SubjectOutcome): ReportedDiagnostic {
  const { check, result, found, slices, rows, reason } = outcome;
  if (result === 'passed') throw new Error(`Rule ${check.name} passed.`);
  const { file, line, column } = check.place ?? {};
  return {
    severity: result === 'failed' ? 'error' : 'warning',
    code: `rule-${result}`,
    message: `${subject}: rule ${check.name}: ${check.description.replace(/\.$/, '')}. ${reason ?? foundText(outcome)}`,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    rule: { subject, name: check.name, description: check.description, result, found, slices, rows, reason },
  };
}

/** What a rule found, against what it may find. */
export function foundText({ check, found }: CheckOutcome): string {
  const { measure } = check;
  const expected = 'expectation' in measure ? describeExpectation(measure.expectation) : 'must be 0';
  return `Found ${found}, ${expected}.`;
}
