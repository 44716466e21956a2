/**
 * Texts of dates and timestamps as ISO 8601 (FORMAT.md, section 2), and of runs of years.
 */
import { NO_YEAR } from './paths.ts';

const MICROS_A_SECOND = 1_000_000n;

/** `2024-01-15`, from days since 1970. */
export function dateText(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

/** `2024-01-15T13:45:00.5`, from microseconds since 1970, with as many decimals as needed and no Z. */
export function timestampText(micros: bigint): string {
  let seconds = micros / MICROS_A_SECOND;
  let rest = micros % MICROS_A_SECOND;
  if (rest < 0n) {
    seconds -= 1n;
    rest += MICROS_A_SECOND;
  }
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return rest === 0n ? text : `${text}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}

/** The inverse of `dateText`. */
export function daysOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
}

/** The inverse of `timestampText`. */
export function microsOf(text: string): bigint {
  const [seconds = '', decimals = ''] = text.split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(decimals.padEnd(6, '0'));
}

/** Whether a text is an existing date in the form YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;

/** Whether a text has the form YYYY-MM-DDThh:mm:ss, with up to six decimals and optionally a Z. */
export function isTimestamp(text: string): boolean {
  return canonicalTimestamp(text.replace(/Z$/, '')) !== null;
}

/**
 * A timestamp as `timestampText` writes it. The text may lack seconds and have a space instead of T. Null for
 * other texts.
 */
export function canonicalTimestamp(text: string): string | null {
  const date = text.slice(0, 10);
  const clock = text.slice(11);
  if (!/^[T ]$/.test(text.slice(10, 11)) || !isDate(date) || !CLOCK.test(clock)) return null;
  const [seconds = '', decimals = ''] = (clock.length === 5 ? `${clock}:00` : clock).split('.');
  const rest = decimals.replace(/0+$/, '');
  return `${date}T${seconds}${rest === '' ? '' : `.${rest}`}`;
}

interface YearRun {
  readonly first: number;
  readonly last: number;
}

/** Groups ascending years into runs without gaps. */
export function yearRuns(years: readonly number[]): readonly YearRun[] {
  const runs: { first: number; last: number }[] = [];
  for (const year of years) {
    const run = runs.at(-1);
    if (run && run.last === year - 1) run.last = year;
    else runs.push({ first: year, last: year });
  }
  return runs;
}

/** `2015 to 2019, 2023`, from ascending years. */
export function spellYears(years: readonly number[], to = ' to '): string {
  return yearRuns(years)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${to}${last}`))
    .join(', ');
}

/** Levels with the same years, by these years as `spellYears` writes them; '' without time. */
export function levelsByYears(
  levels: Iterable<readonly [level: string, years: readonly number[]]>,
): (readonly [years: string, levels: readonly string[]])[] {
  const found = new Map<string, string[]>();
  for (const [level, years] of levels) {
    const spelled = spellYears(years.filter(year => year !== NO_YEAR));
    found.set(spelled, [...(found.get(spelled) ?? []), level]);
  }
  return [...found];
}

/** Each run in ISO 8601: an interval `2015/2019`, or a single year `2023`. */
export function yearPeriods(years: readonly number[]): readonly string[] {
  return yearRuns(years).map(({ first, last }) =>
    first === last ? fourDigits(first) : `${fourDigits(first)}/${fourDigits(last)}`,
  );
}

export function fourDigits(year: number): string {
  return String(year).padStart(4, '0');
}
