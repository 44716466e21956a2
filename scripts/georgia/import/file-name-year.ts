/** The meaning of a span of years in a file's name: none for school years; its last year for a survey that pools them. */
export type YearSpan = 'none' | 'last';

/** Surveys pool five years at most. A wider span is none: 2022_10 may be a month. */
const LONGEST_SPAN = 4;

const YEAR = '(?:19|20)\\d{2}';
// Month or day, in either order.
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const DATES = new RegExp(
  `(?<!\\d)(?:${YEAR}([-_.])${DAY}\\1${DAY}|${DAY}([-_.])${DAY}\\2${YEAR})(?!\\d)`,
  'g',
);
const SPAN = `(${YEAR})(?:[-_\\s\\u2010-\\u2014]+(${YEAR}|\\d{2})(?!\\d))?`;

/**
 * The year in a file's name: 2022 in `2022_rates.csv`; for a school year the one in which it ends, so 2024 in
 * `x_2023-24.csv` and `2023_2024_x.csv`. Skips dates, which say when a file was made. Undefined if the name has no year
 * or several.
 */
export function yearOfFileName(name: string, span: YearSpan): number | undefined {
  const found = [...name.replace(DATES, ' ').matchAll(new RegExp(`(?<!\\d)${SPAN}(?!\\d)`, 'g'))];
  const years = new Set(found.map(([, first, last]) => endOf(Number(first), last, span)));
  return years.size === 1 ? [...years][0] : undefined;
}

function endOf(first: number, last: string | undefined, span: YearSpan): number | undefined {
  if (last === undefined) return first;
  // Two digits continue the year before: 00 in 1999-00 is 2000.
  const end = last.length === 4 ? Number(last) : first + ((Number(last) - (first % 100) + 100) % 100);
  return end === first + 1 || (span === 'last' && end > first && end <= first + LONGEST_SPAN)
    ? end
    : undefined;
}

/**
 * The school year of what was published on the date in a file's name, as in `Rates_09_19_18.xlsx`: the year that ended
 * before. Rates come out from autumn on, so those of February 2018 are of 2017. Undefined without such a date.
 */
export function yearOfPublication(name: string): number | undefined {
  const date = /(?<!\d)(0?[1-9]|1[0-2])([-_.])(?:0?[1-9]|[12]\d|3[01])\2(?:20)?(\d{2})(?!\d)/.exec(name);
  if (date === null) return undefined;
  return 2000 + Number(date[3]) - (Number(date[1]) >= 7 ? 0 : 1);
}
