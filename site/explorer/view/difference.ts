/** What two figures differ by, and whether the difference is more than chance. */
import { t } from '../messages/messages.ts';
import { formatMargin } from './format.ts';

interface Compared {
  readonly value: number | null;
  /** At 90 % confidence, as the Census Bureau publishes margins; null if unpublished. */
  readonly margin: number | null;
}

export interface Difference {
  /** The first figure less the second. */
  readonly value: number;
  /** At 90 %; null unless both figures have one. */
  readonly margin: number | null;
  /** False if the margin leaves open which figure is greater. */
  readonly isClear: boolean;
}

/**
 * The square root of the sum of both margins' squares: U.S. Census Bureau, "Understanding and Using American Community
 * Survey Data: What All Data Users Need to Know" (2020), chapter 8. It holds for estimates that do not share answers.
 */
function marginOfDifference(one: number, other: number): number {
  return Math.hypot(one, other);
}

/** Null without both figures. */
export function differenceOf(one: Compared, other: Compared): Difference | null {
  if (one.value === null || other.value === null) return null;
  const value = one.value - other.value;
  const margin =
    one.margin === null || other.margin === null ? null : marginOfDifference(one.margin, other.margin);
  return { value, margin, isClear: value !== 0 && (margin === null || Math.abs(value) > margin) };
}

/**
 * `6.4 points more than in 2023`, `6.4 points more (±1.2 points) than Bell`, `no clear difference from Bell`. `other` is
 * what the figure is compared with: a name, or a time as `in 2023`.
 */
export function describeDifference(
  { value, margin, isClear }: Difference,
  unit: string | null,
  other: string,
): string {
  const around = margin === null ? '' : ` (${formatMargin(margin, unit, 'points')})`;
  const size = formatMargin(Math.abs(value), unit, 'points').slice(1);
  if (margin !== null && !isClear) return t.difference.unclear(around, other);
  if (!/[1-9]/.test(size)) return t.difference.same(other);
  return value > 0 ? t.difference.more(size, around, other) : t.difference.less(size, around, other);
}
