import type { Expectation } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

const COMPARISONS = [
  'mustBe',
  'mustNotBe',
  'mustBeGreaterThan',
  'mustBeGreaterOrEqualTo',
  'mustBeLessThan',
  'mustBeLessOrEqualTo',
] as const;
const INTERVALS = ['mustBeBetween', 'mustNotBeBetween'] as const;
const OPERATORS: readonly string[] = [...COMPARISONS, ...INTERVALS];

/** Reads a rule's operator. Returns null and reports `rule-operator` if it has none, several or an unknown one. */
export function readExpectation(rule: object, path: Path, problems: Problems): Expectation | null {
  const found = Object.keys(rule).filter(key => /^must/i.test(key));
  const fail = (at: Path, message: string) => {
    problems.doubt(at, 'rule-operator', message);
    return null;
  };
  const unknown = found.find(key => !OPERATORS.includes(key));
  if (unknown !== undefined) {
    const message = `${quote(unknown)} is not an operator${suggestion(unknown, OPERATORS)}: use ${OPERATORS.join(', ')}`;
    problems.atKey(problems.native ? 'error' : 'warning', [...path, unknown], 'rule-operator', message);
    return null;
  }
  if (found.length !== 1) {
    const what = found.length === 0 ? 'the rule has no operator' : `the rule has ${found.length} operators`;
    return fail(path, `${what}: write exactly one, such as mustBe: 0`);
  }
  const operator = found[0]!;
  const value = (rule as Record<string, unknown>)[operator];
  const comparison = COMPARISONS.find(name => name === operator);
  if (comparison !== undefined) {
    if (typeof value === 'number' && Number.isFinite(value)) return { operator: comparison, value };
    return fail(
      [...path, operator],
      `${operator} is ${quote(value)}: a rule measures a number, so write a number`,
    );
  }
  const interval = INTERVALS.find(name => name === operator)!;
  const [low, high, ...rest]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof low !== 'number' || typeof high !== 'number' || !(low <= high) || rest.length > 0) {
    return fail(
      [...path, operator],
      `${operator} is ${quote(value)}: write two numbers, the smaller first, such as [0, 1]`,
    );
  }
  return { operator: interval, low, high };
}

/** Whether an expectation lets no row break the rule. */
export function expectsNone(expectation: Expectation): boolean {
  switch (expectation.operator) {
    case 'mustBe':
    case 'mustBeLessOrEqualTo':
      return expectation.value === 0;
    case 'mustBeLessThan':
      return expectation.value > 0 && expectation.value <= 1;
    default:
      return false;
  }
}
