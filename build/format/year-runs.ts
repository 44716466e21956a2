/** Years in words and as periods: every document tells which a dataset has, and leaves out those between that it has not. */

/** Years that follow one another without a gap. */
export interface YearRun {
  readonly first: number;
  readonly last: number;
}

/** The runs of years that ascend. */
export function yearRuns(years: readonly number[]): readonly YearRun[] {
  const runs: { first: number; last: number }[] = [];
  for (const year of years) {
    const run = runs.at(-1);
    if (run && run.last === year - 1) run.last = year;
    else runs.push({ first: year, last: year });
  }
  return runs;
}

/** `2015 to 2019, 2023` from years that ascend; `to` stands between the ends of a run. */
export function spellYears(years: readonly number[], to = ' to '): string {
  return yearRuns(years)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${to}${last}`))
    .join(', ');
}

/** ISO 8601 of each run: an interval `2015/2019`, or the one year `2023`. */
export function yearPeriods(years: readonly number[]): readonly string[] {
  return yearRuns(years).map(({ first, last }) =>
    first === last ? fourDigits(first) : `${fourDigits(first)}/${fourDigits(last)}`,
  );
}

/** A year as dates are written. */
export function fourDigits(year: number): string {
  return String(year).padStart(4, '0');
}
