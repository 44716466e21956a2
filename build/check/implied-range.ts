/** The range that a column's values have by its unit and its contract. Pure. */
import type { Column } from '../contract/dataset.ts';

/** Bounds from the unit (a proportion is 0 to 1, counts and ratios are not negative) and from the contract. */
export function impliedRange(
  column: Column,
): { description: string; violation: (value: string) => string } | null {
  if (column.type !== 'integer' && column.type !== 'number') return null;
  if (column.role === 'year') return null;
  const implied = UNIT_BOUNDS[column.unit ?? ''] ?? {};
  const low = column.valueMin ?? implied.low;
  const high = column.valueMax ?? implied.high;
  if (low === undefined && high === undefined) return null;
  const bounds =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : low !== undefined
        ? `at least ${low}`
        : `at most ${high}`;
  return {
    description: `${column.name} is ${bounds}${column.unit === null ? '' : ` (${column.unit})`}.`,
    violation: value => {
      const below = low === undefined ? [] : [`${value} < ${low}`];
      const above = high === undefined ? [] : [`${value} > ${high}`];
      const outside = [...below, ...above].join(' OR ');
      // Another check reports NaN and infinity.
      return column.type === 'number' ? `isfinite(${value}) AND (${outside})` : outside;
    },
  };
}

export const UNIT_BOUNDS: Readonly<Record<string, { readonly low?: number; readonly high?: number }>> = {
  proportion: { low: 0, high: 1 },
  count: { low: 0 },
  ratio: { low: 0 },
  percentile: { low: 0, high: 100 },
};
