/**
 * Splits whole numbers into whole parts that add up exactly: students into groups, a county's people into tracts.
 * The n-th part is the rounded running share less the one before it. All arithmetic is on integers, so weights are
 * BIGINT columns (scale shares up before rounding them) and sums do not depend on the order of addition.
 */
export interface Split {
  /** Column or expression of the number that is split; the same on every row of a part. */
  readonly total: string;
  /** BIGINT column, at least 0. */
  readonly weight: string;
  /** Columns that name what is split. */
  readonly within: string;
  /** Columns that order the parts; unique within it. An order by `u(…)` makes the rounding look drawn. */
  readonly order: string;
}

export const splitMacros: readonly string[] = [
  `CREATE MACRO part(total, running, weight, weights) AS coalesce(
     (2 * total * running + weights) // (2 * weights) - (2 * total * (running - weight) + weights) // (2 * weights), 0)`,
];

/** SQL for a row's part: BIGINT, 0 if all weights are 0. */
export function split({ total, weight, within, order }: Split): string {
  const running = `sum(${weight}) OVER (PARTITION BY ${within} ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
  const weights = `sum(${weight}) OVER (PARTITION BY ${within})`;
  return `part((${total})::BIGINT, (${running})::BIGINT, ${weight}, (${weights})::BIGINT)`;
}

/**
 * Splits a number among demographic groups, category by category: groups of one category add up to the total, and
 * a group that stands alone in its category (English learners, say) gets its share of it. Rows need the columns
 * demographic, demographic_category and exhaustive, and one row of each place must be `all`.
 */
export function splitAmongGroups({ total, weight, within }: Omit<Split, 'order'>): string {
  const among = split({ total, weight, within: `${within}, demographic_category`, order: 'demographic' });
  const all = `max(${weight}) FILTER (demographic = 'all') OVER (PARTITION BY ${within})`;
  return `CASE WHEN exhaustive THEN ${among} ELSE part((${total})::BIGINT, ${weight}, ${weight}, ${all}) END`;
}
