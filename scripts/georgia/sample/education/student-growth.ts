/**
 * How far students of a school advance compared with students of similar earlier scores, 0 on average, on the logit
 * scale: the SQL expression over z, school (`601/0103`) and year. Growth percentiles and growth scores follow it.
 */
export function growthAdvantage(subject: string): string {
  return `(0.12 * z + 0.25 * drift(concat_ws('/', 'growth', ${subject}, school), year))`;
}

/**
 * Median growth percentile of `received` students, of whom `low` lie below 35, `typical` from 35 to 65 and `high`
 * above, each evenly spread: DOUBLE, 1 to 99, a half only for an even number; NULL without students.
 */
export const medianGrowthPercentile = `
  CASE WHEN received > 0 THEN greatest(1, least(99,
    round((1 + (received + 1) % 2) * CASE
      WHEN 2 * low >= received THEN 1 + 33.5 * received / (2 * low)
      WHEN 2 * (low + typical) >= received THEN 34.5 + 31 * (received / 2 - low) / typical
      ELSE 65.5 + 33.5 * (received / 2 - low - typical) / high
    END) / (1 + (received + 1) % 2))) END`;
