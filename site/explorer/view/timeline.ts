/** A dataset's time axis: where its periods lie on a line of numbers, their names, and ticks. */
import type { Scalar, TimeUnit, SchemaDocument } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import { nameMonth } from '../messages/numbers.ts';

export interface Timeline {
  readonly unit: Exclude<TimeUnit, 'none'>;
  /** The column of the period or the moment. */
  readonly column: string;
  /** Consecutive periods are one apart; a moment is in days, with fractions. Null if the value isn't a time. */
  at(value: Scalar | null): number | null;
  /** `2024`, `2024 Q1`, `January 2024`, `15 January 2024`, `15 January 2024, 13:45:00 UTC`. */
  label(at: number): string;
  yearOf(at: number): number;
  /** The column's value: the period's first day, or a text in the form of the sample; of a moment, its second. */
  text(at: number, sample: string): string;
  /** The first period of a year. */
  startOf(year: number): number;
  /** The longest step between two figures of a series without a missing one between them. `at`: its places, ascending. */
  longestStep(at: readonly number[]): number;
  /** At most so many places at round times, with short names. */
  ticks(first: number, last: number, most: number): readonly Tick[];
}

interface Tick {
  readonly at: number;
  readonly label: string;
}

const DAY = 86_400_000;

/** Null if the dataset has no time. */
export function deriveTimeline(schema: SchemaDocument, yearColumn: string): Timeline | null {
  const { time, columns, available_years: years } = schema;
  const { unit = 'year', column = yearColumn } = time ?? {};
  if (unit === 'none' || column === null) return null;
  switch (unit) {
    case 'year':
      return yearly(column, stepOf(years));
    case 'quarter':
      return inParts('quarter', column, 4);
    case 'month':
      return inParts('month', column, 12);
    case 'day':
    case 'instant': {
      const utc = columns.find(({ name }) => name === column)?.time_zone === 'UTC';
      return inDays(unit, column, utc ? ' UTC' : '');
    }
    default:
      return unit satisfies never;
  }
}

/** The years between two figures of a dataset that has figures only every few years; else 1. */
function stepOf(years: readonly number[]): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return Math.max(
    1,
    years.slice(1).reduce((step, year, i) => divisor(year - years[i]!, step), 0),
  );
}

/** Weeks or quarters may be dated by a day or a month, and months differ by some days. */
function usualStep(at: readonly number[]): number {
  const steps = at.slice(1).map((next, i) => next - at[i]!);
  return 1.5 * (steps.sort((a, b) => a - b)[(steps.length - 1) >> 1] ?? 1);
}

function yearly(column: string, interval: number): Timeline {
  return {
    unit: 'year',
    column,
    at: value =>
      typeof value === 'number' ? value : value === null ? null : finite(Number(String(value).slice(0, 4))),
    label: String,
    text: String,
    yearOf: at => at,
    startOf: year => year,
    longestStep: () => interval,
    // Always with the last year, which readers look for.
    ticks: (first, last, most) => {
      const step = interval * Math.max(1, Math.ceil(((last - first) / interval + 1) / most));
      const count = Math.floor((last - first) / step) + 1;
      return Array.from({ length: count }, (_, i) => {
        const at = last - (count - 1 - i) * step;
        return { at, label: String(at) };
      });
    },
  };
}

/** Years of rows that aren't read by a dataset's own timeline. `all`: the dataset's years. */
export const yearsAmong = (all: readonly number[]): Timeline => yearly('', stepOf(all));

export const YEARS = yearsAmong([]);

const STEPS = {
  quarters: [1, 2, 4, 8, 20, 40, 80, 200, 400],
  months: [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200],
  days: [1, 2, 7, 14],
  hours: [1, 3, 6, 12],
} as const;

/** Quarters or months, counted from the year 0. */
function inParts(unit: 'quarter' | 'month', column: string, parts: 4 | 12): Timeline {
  const yearOf = (at: number) => Math.floor(at / parts);
  const partOf = (at: number) => at - yearOf(at) * parts;
  const label = (at: number) =>
    unit === 'quarter'
      ? t.timeline.quarter(String(yearOf(at)), partOf(at) + 1)
      : t.timeline.month(String(yearOf(at)), nameMonth(partOf(at), 'long'));
  const short = (at: number) =>
    unit === 'quarter'
      ? t.timeline.shortQuarter(String(yearOf(at)), partOf(at) + 1)
      : t.timeline.shortMonth(String(yearOf(at)), nameMonth(partOf(at), 'short'));
  return {
    unit,
    column,
    at: value => {
      const [, year, quarter, month] = /^(\d{4})-?(?:[QT]([1-4])|(\d\d))/.exec(String(value)) ?? [];
      if (year === undefined) return null;
      const first =
        quarter === undefined ? Math.floor((Number(month) - 1) / (12 / parts)) : Number(quarter) - 1;
      return Number(year) * parts + first;
    },
    label,
    text: (at, sample) => {
      const year = String(yearOf(at)).padStart(4, '0');
      const [, dash, letter] = /^\d{4}(-?)([QT])[1-4]$/.exec(sample) ?? [];
      if (letter !== undefined) return `${year}${dash}${letter}${partOf(at) + 1}`;
      const month = `${year}-${String(partOf(at) * (12 / parts) + 1).padStart(2, '0')}`;
      return sample.length === 7 ? month : `${month}-01`;
    },
    yearOf,
    startOf: year => year * parts,
    longestStep: usualStep,
    ticks: (first, last, most) => {
      const steps = unit === 'quarter' ? STEPS.quarters : STEPS.months;
      return ticksEvery(steps, first, last, most, (at, step) =>
        step % parts === 0 ? String(yearOf(at)) : short(at),
      );
    },
  };
}

/** Days since 1970; moments have fractions. */
function inDays(unit: 'day' | 'instant', column: string, zone: string): Timeline {
  const yearOf = (at: number) => new Date(at * DAY).getUTCFullYear();
  const startOf = (year: number) => daysAt(year, 0);
  const dayLabel = (at: number) => {
    const date = new Date(at * DAY);
    const month = nameMonth(date.getUTCMonth(), 'long');
    return t.timeline.day(String(date.getUTCFullYear()), month, date.getUTCDate());
  };
  return {
    unit,
    column,
    at: value => {
      const text = String(value).replace(/Z$/, '');
      return finite(Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`) / DAY);
    },
    label: at => (unit === 'day' ? dayLabel(at) : `${dayLabel(at)}, ${clock(at, 19)}${zone}`),
    text: at => {
      if (unit === 'day') return new Date(Math.round(at * DAY)).toISOString().slice(0, 10);
      // The fraction of a day is exact to about a microsecond.
      const seconds = Math.floor(at * 86_400 + 1e-4);
      return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${zone === '' ? '' : 'Z'}`;
    },
    yearOf,
    startOf,
    // Moments have no fixed distance, so none can be missing.
    longestStep: at => (unit === 'instant' ? Infinity : usualStep(at)),
    ticks: (first, last, most) => {
      const span = last - first;
      if (unit === 'instant' && span * 24 <= 12 * most && span < 2)
        return ticksEvery(STEPS.hours, Math.ceil(first * 24), last * 24, most, at => clock(at / 24, 16)).map(
          ({ at, label }) => ({ at: at / 24, label }),
        );
      if (span <= 14 * most) {
        return ticksEvery(STEPS.days, Math.ceil(first), last, most, at => {
          const date = new Date(at * DAY);
          return t.timeline.shortDay(nameMonth(date.getUTCMonth(), 'short'), date.getUTCDate());
        });
      }
      const months = inParts('month', column, 12);
      const monthAt = (at: number) => yearOf(at) * 12 + new Date(at * DAY).getUTCMonth();
      const begins = (month: number) => daysAt(Math.floor(month / 12), month % 12);
      // A month that begins before the first day would lie off the axis.
      const from = monthAt(first) + (begins(monthAt(first)) < first ? 1 : 0);
      return months.ticks(from, monthAt(last), most).map(({ at, label }) => ({ at: begins(at), label }));
    },
  };
}

/** `year`, `quarter`, `month`, `day` or `moment`, in the page's language. */
export function nameUnit({ unit }: Timeline): string {
  return t.timeline.nouns[unit];
}

/** `in 2024`, `on 15 January 2024`, `at 15 January 2024, 13:45:00 UTC` */
export function sayTime(at: number, { unit, label }: Timeline): string {
  return t.timeline.during[unit](label(at));
}

function clock(at: number, until: number): string {
  return new Date(Math.round(at * DAY)).toISOString().slice(11, until);
}

function daysAt(year: number, month: number): number {
  // Date.UTC takes years below 100 for those of the last century.
  return new Date(0).setUTCFullYear(year, month, 1) / DAY;
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

/** Multiples of the smallest step that gives few enough ticks; if none lies on the axis, its first place. */
function ticksEvery(
  steps: readonly number[],
  first: number,
  last: number,
  most: number,
  label: (at: number, step: number) => string,
): Tick[] {
  const isEnough = (step: number) => Math.floor(last / step) - Math.ceil(first / step) < most;
  let step = steps.find(isEnough) ?? steps.at(-1) ?? 1;
  while (!isEnough(step)) step *= 2;
  const ticks: Tick[] = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step)
    ticks.push({ at, label: label(at, step) });
  return ticks.length > 0 ? ticks : [{ at: first, label: label(first, 1) }];
}
