/** Problems as lines for a person, and as the JSON object that every command prints with --json. */
import type { CheckOutcome, SubjectOutcome } from '../check/check.ts';
import { describeExpectation } from '../check/run-checks.ts';
import { type Diagnostic, formatCauses, formatPlace, inert } from '../contract/diagnostic.ts';
import type { RefusedError } from '../failure.ts';
import { NO_YEAR } from '../format/paths.ts';
import { countOf, someOf } from '../format/shown-text.ts';

/** The fields that every command prints, with those of its own result, such as `BuildResult`. */
export interface JsonReport {
  /** Whether the exit code is 0. */
  readonly ok: boolean;
  /** Every problem: errors, then warnings, then notes. With `--strict`, warnings make a command fail. */
  readonly diagnostics: readonly ReportedDiagnostic[];
}

export interface ReportedDiagnostic {
  readonly severity: Diagnostic['severity'];
  /** Stable, kebab-case; `rule-failed`, `rule-warned` and `rule-skipped` have `rule`. */
  readonly code: string;
  /** Says what is wrong and what to do. */
  readonly message: string;
  /** Absent if the problem has no file, such as a taken port. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Only for rules: what the rule found in the rows. */
  readonly rule?: ReportedRule;
}

interface ReportedRule extends Pick<CheckOutcome, 'found' | 'slices' | 'rows' | 'places' | 'reason'> {
  /** The dataset, as domain/topic, or the dimension. */
  readonly subject: string;
  readonly name: string;
  readonly description: string;
  readonly result: Exclude<CheckOutcome['result'], 'passed'>;
}

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

/** For a rule that didn't pass. */
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

/** A line for each cause and for each rule that didn't pass. */
export function refusalLines({ diagnostics, failures }: RefusedError): string[] {
  return [...formatCauses(diagnostics.filter(isProblem)), ...failures.map(outcomeText)];
}

/** The number of errors and warnings, in words. */
export function refusalCounts({ diagnostics, failures }: RefusedError): string {
  const problems = diagnostics.filter(isProblem);
  const errors =
    diagnostics.filter(one => one.severity === 'error').length +
    failures.filter(({ outcome }) => outcome.result === 'failed').length;
  const warnings = problems.length + failures.length - errors;
  const strict = errors === 0 ? `, which --strict refuses` : '';
  const counts = [
    errors === 0 ? '' : countOf(errors, 'error'),
    warnings === 0 ? '' : countOf(warnings, 'warning'),
  ];
  return `${counts.filter(Boolean).join(', ')}${strict}.`;
}

export function isProblem({ severity }: Diagnostic): boolean {
  return severity !== 'note';
}

const VERDICT = { failed: 'error', warned: 'warning', skipped: 'skipped', passed: 'passed' } as const;

export function outcomeText({ subject, outcome }: SubjectOutcome): string {
  const { check, result, slices, rows, places = [], reason } = outcome;
  const head = `${subject} ${VERDICT[result]} rule ${check.name}: ${check.description}`;
  const what = reason ?? foundText(outcome);
  const where = slices.map(
    ({ year, detail, count }) => `${year === NO_YEAR ? '' : `${year} `}${detail} (${count})`,
  );
  return [
    head,
    `  ${what}`,
    ...(where.length === 0 ? [] : [`  In ${someOf(where, 8)}.`]),
    ...(check.place ? [`  The rule is at ${formatPlace(check.place)}.`] : []),
    ...rows.map((row, i) => `  ${places[i] == null ? '' : `${places[i]}: `}${JSON.stringify(row)}`),
  ]
    .map(inert)
    .join('\n');
}
