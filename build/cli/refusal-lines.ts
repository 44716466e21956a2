/** What a person reads of diagnostics, of rules that did not pass, and of a refusal. */
import type { SubjectOutcome } from '../check/check-stage.ts';
import { type Diagnostic, formatCauses, formatPlace, inert } from '../contract/diagnostic.ts';
import type { RefusedError } from '../failure.ts';
import { countOf } from '../format/shown-text.ts';
import { foundText } from './json-report.ts';

/** A line for each cause and each failed rule. */
export function refusalLines({ diagnostics, failures }: RefusedError): string[] {
  return [...formatCauses(diagnostics.filter(isProblem)), ...failures.map(outcomeText)];
}

/** How many errors and warnings there are. */
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
  const where = slices.map(slice => `${slice.year} ${slice.detail} (${slice.count})`);
  const shown = where.slice(0, 8).join(', ') + (where.length > 8 ? `, and ${where.length - 8} more` : '');
  return [
    head,
    `  ${what}`,
    ...(where.length === 0 ? [] : [`  In ${shown}.`]),
    ...(check.place ? [`  The rule is at ${formatPlace(check.place)}.`] : []),
    ...rows.map((row, i) => `  ${places[i] == null ? '' : `${places[i]}: `}${JSON.stringify(row)}`),
  ]
    .map(inert)
    .join('\n');
}
