/** What a span of several years in a file's name means: nothing to a school year, its last to a survey that pools them. */
export type YearSpan = 'none' | 'last';

/** Surveys pool five years at most. What is further apart is no span: 2022_10 may be a month. */
const LONGEST_SPAN = 4;

const YEAR = '(?:19|20)\\d{2}';
// Month or day: they come in either order.
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const DATES = new RegExp(
  `(?<!\\d)(?:${YEAR}([-_.])${DAY}\\1${DAY}|${DAY}([-_.])${DAY}\\2${YEAR})(?!\\d)`,
  'g',
);
const SPAN = `(${YEAR})(?:[-_\\s\\u2010-\\u2014]+(${YEAR}|\\d{2})(?!\\d))?`;

/**
 * The year that a file's name says: 2022 of `2022_rates.csv`, and of a school year the one in which it ends, 2024 of
 * `x_2023-24.csv` and of `2023_2024_x.csv`. Dates are passed over, since they say when a file was made. Undefined
 * where there is none, or more than one: nobody guesses.
 */
export function yearOfFileName(name: string, span: YearSpan): number | undefined {
  const found = [...name.replace(DATES, ' ').matchAll(new RegExp(`(?<!\\d)${SPAN}(?!\\d)`, 'g'))];
  const years = new Set(found.map(([, first, last]) => endOf(Number(first), last, span)));
  return years.size === 1 ? [...years][0] : undefined;
}

function endOf(first: number, last: string | undefined, span: YearSpan): number | undefined {
  if (last === undefined) return first;
  // Two digits are of the years that follow: 00 of 1999-00 is 2000.
  const end = last.length === 4 ? Number(last) : first + ((Number(last) - (first % 100) + 100) % 100);
  return end === first + 1 || (span === 'last' && end > first && end <= first + LONGEST_SPAN)
    ? end
    : undefined;
}
