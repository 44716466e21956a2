/** Adds the `all` of every axis, in all combinations. */
export interface Totals {
  /** Table or CTE with year, the axes and the summed columns. */
  readonly from: string;
  readonly axes: readonly string[];
  /** BIGINT columns to add up. */
  readonly sums: readonly string[];
}

export function withTotals({ from, axes, sums }: Totals): string {
  return `
    SELECT
      year,
      ${axes.map(axis => `coalesce(${axis}, 'all') AS ${axis}`).join(', ')},
      ${sums.map(column => `sum(${column})::BIGINT AS ${column}`).join(', ')}
    FROM ${from}
    GROUP BY year, CUBE (${axes.join(', ')})`;
}
