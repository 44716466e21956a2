/** How often a contract says that figures are added, and when the next ones are due. Pure. */
import type { RawContract } from './contract-profile.ts';

interface Interval {
  readonly months: number;
  readonly days: number;
}

const months = (count: number): Interval => ({ months: count, days: 0 });
const days = (count: number): Interval => ({ months: 0, days: count });

/** The Dublin Core frequency vocabulary, with the time between two updates; null if it varies. */
const FREQUENCIES: Readonly<Record<string, Interval | null>> = {
  triennial: months(36),
  biennial: months(24),
  annual: months(12),
  semiannual: months(6),
  threeTimesAYear: months(4),
  quarterly: months(3),
  bimonthly: months(2),
  monthly: months(1),
  semimonthly: null,
  biweekly: days(14),
  threeTimesAMonth: null,
  weekly: days(7),
  semiweekly: null,
  threeTimesAWeek: null,
  daily: days(1),
  continuous: null,
  irregular: null,
};

const UNITS: readonly (readonly [RegExp, Interval])[] = [
  [/^(y|yr|year|a)s?$/i, months(12)],
  [/^(mo|mon|month)s?$/i, months(1)],
  [/^(w|wk|week)s?$/i, days(7)],
  [/^(d|day)s?$/i, days(1)],
];

/** The term for the frequency among the service levels of ODCS; null if none fits. */
export function serviceFrequency(levels: RawContract['slaProperties'] = []): string | null {
  const stated = levels.find(one => one?.property?.toLowerCase() === 'frequency');
  const [, unit] = UNITS.find(([name]) => name.test(stated?.unit?.trim() ?? '')) ?? [];
  if (unit === undefined) return null;
  const count = Number(stated?.value);
  const terms = Object.entries(FREQUENCIES);
  const found = terms.find(
    ([, one]) => one?.months === unit.months * count && one.days === unit.days * count,
  );
  return found?.[0] ?? null;
}

/** The vocabulary's term; undefined if it has none for the words. */
export function frequencyTerm(words: string | null): string | undefined {
  const plain = words?.toLowerCase().replace(/[^a-z]/g, '');
  return Object.keys(FREQUENCIES).find(term => term.toLowerCase() === plain);
}

/**
 * The day by which the next figures are due after those of `last`, YYYY-MM-DD; null if the words say none. A month's
 * day that the later month lacks becomes its last: a month after January 31 is February 28.
 */
export function nextUpdate(words: string | null, last: string | undefined): string | null {
  const interval = FREQUENCIES[frequencyTerm(words) ?? ''];
  if (!interval || last === undefined) return null;
  const [year = 0, month = 0, day = 0] = last.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + interval.months, 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, length) + interval.days);
  return first.toISOString().slice(0, 10);
}
