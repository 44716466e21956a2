import type { Expectation } from '../contract/dataset.ts';

/**
 * Whether a measured number meets a rule's expectation. NULL (a query over no rows) meets only mustNotBe and
 * mustNotBeBetween.
 */
export function meets(expectation: Expectation, found: number | null): boolean {
  if (found === null || Number.isNaN(found)) {
    return expectation.operator === 'mustNotBe' || expectation.operator === 'mustNotBeBetween';
  }
  switch (expectation.operator) {
    case 'mustBe':
      return found === expectation.value;
    case 'mustNotBe':
      return found !== expectation.value;
    case 'mustBeGreaterThan':
      return found > expectation.value;
    case 'mustBeGreaterOrEqualTo':
      return found >= expectation.value;
    case 'mustBeLessThan':
      return found < expectation.value;
    case 'mustBeLessOrEqualTo':
      return found <= expectation.value;
    case 'mustBeBetween':
      return found >= expectation.low && found <= expectation.high;
    case 'mustNotBeBetween':
      return found < expectation.low || found > expectation.high;
    default:
      return expectation satisfies never;
  }
}

const WORDS = {
  mustBe: 'must be',
  mustNotBe: 'must not be',
  mustBeGreaterThan: 'must be greater than',
  mustBeGreaterOrEqualTo: 'must be at least',
  mustBeLessThan: 'must be less than',
  mustBeLessOrEqualTo: 'must be at most',
  mustBeBetween: 'must be between',
  mustNotBeBetween: 'must not be between',
} as const satisfies Record<Expectation['operator'], string>;

/** `must be 0` */
export function describeExpectation(expectation: Expectation): string {
  const words = WORDS[expectation.operator];
  return 'low' in expectation
    ? `${words} ${expectation.low} and ${expectation.high}`
    : `${words} ${expectation.value}`;
}
