/** Writes years in words and as periods, so that no document includes a missing year in a span. */

/** Consecutive years. */
interface YearRun {
  readonly first: number;
  readonly last: number;
}

/** Groups ascending years into runs. */
export function yearRuns(years: readonly number[]): readonly YearRun[] {
  const runs: { first: number; last: number }[] = [];
  for (const year of years) {
    const run = runs.at(-1);
    if (run && run.last === year - 1) run.last = year;
    else runs.push({ first: year, last: year });
  }
  return runs;
}

/** Writes ascending years as `2015 to 2019, 2023`. `to` stands between the ends of a run. */
export function spellYears(years: readonly number[], to = ' to '): string {
  return yearRuns(years)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${to}${last}`))
    .join(', ');
}

/** Writes each run in ISO 8601: an interval `2015/2019`, or a single year `2023`. */
export function yearPeriods(years: readonly number[]): readonly string[] {
  return yearRuns(years).map(({ first, last }) =>
    first === last ? fourDigits(first) : `${fourDigits(first)}/${fourDigits(last)}`,
  );
}

/** A year with four digits, as in dates. */
export function fourDigits(year: number): string {
  return String(year).padStart(4, '0');
}
