/** Finds the patterns in which a column's texts can be dates or moments, from the forms that occur in it. Pure. */
import type { Skeleton } from './text-skeletons.ts';
import type { TimePattern } from './time-texts.ts';

const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const FIRST = '(?<first>9{1,2})';
const LAST = '(?<last>9{1,2})';
const YEAR = '(?<year>9999|99)';
const WEEKDAY =
  '(?:(?<weekday>mon|tue|wed|thu|fri|sat|sun)(?<whole>s?day|nesday|rsday|urday)?(?<after>,? ))?';
const TIME =
  '(?:(?<join>T|,? )(?<hour>9{1,2}):99(?<second>:99)?(?<fraction>\\.9+)?(?:(?<gap> ?)(?<half>[ap]m))?(?:(?<space> ?)(?<offset>z|utc|gmt|[-+]99(?::?99)?))?)?';

interface DateForm {
  readonly form: string;
  /** Patterns with 1 and 2 for the first and the last number, $ for the year and @ for the month's name. */
  readonly pattern: string;
  /** What the two numbers can be. */
  readonly orders: readonly (readonly [first: string, last: string])[];
  /** Other patterns of the same digits. */
  readonly others?: readonly string[];
}

/** A number of the month alone after its year would look like a school year (2011-12), so it is none of these. */
const DATES: readonly DateForm[] = [
  { form: `9999(?<a>[-/.])${FIRST}\\k<a>${LAST}`, pattern: 'yyyya1a2', orders: [['M', 'd']] },
  {
    form: `${FIRST}(?<a>[-/.])${LAST}\\k<a>${YEAR}`,
    pattern: '1a2a$',
    orders: [
      ['d', 'M'],
      ['M', 'd'],
    ],
  },
  {
    form: `${FIRST}(?<a>\\.? |[-/]|)${MONTH}(?<b>\\.? |[-/,]|, |)${YEAR}`,
    pattern: '1a@b$',
    orders: [['d', '']],
  },
  { form: `${MONTH}(?<a>\\.? |[-/])${FIRST}(?<b>,? |[,/-])${YEAR}`, pattern: '@a1b$', orders: [['d', '']] },
  { form: `9999(?<a>[-/ ])${MONTH}\\k<a>${FIRST}`, pattern: 'yyyya@a1', orders: [['d', '']] },
  { form: `${MONTH}(?<a>[-/ ]|, |)${YEAR}`, pattern: '@a$', orders: [['', '']] },
  { form: `${FIRST}(?<a>[-/])9999`, pattern: '1ayyyy', orders: [['M', '']] },
  { form: '99999999', pattern: 'yyyyMMdd', orders: [['', '']], others: ['ddMMyyyy', 'MMddyyyy'] },
  { form: '999999', pattern: 'yyyyMM', orders: [['', '']], others: ['yyMMdd', 'ddMMyy', 'MMddyy'] },
];
const FORMS = DATES.map(({ form }) => new RegExp(`^${WEEKDAY}${form}${TIME}$`, 'i'));

/** What every text of these forms is, and some other texts: signs, digits and the words of times. */
export const SOME_TIME = `(?i:[^\\p{L}]|[tz]|utc|gmt|[ap]m|mon|tue|wed|thu|fri|sat|sun|day|nesday|rsday|urday|${MONTH.replace('?<month>', '?:')})+`;

const ISO = /^9999-9{1,2}-9{1,2}([T ]99:99(:99(\.9+)?)?( ?(z|utc|gmt|[-+]99(:?99)?))?)?$/i;

/** In each of the patterns, every text can be read as far as its form tells. None for texts of no form, or of several. */
export function timePatterns(skeletons: readonly Skeleton[]): readonly TimePattern[] {
  const forms = skeletons.map(({ form }) => form.replaceAll('z', '9'));
  if (forms.length === 0) return [];
  if (forms.every(form => ISO.test(form))) return ['ISO'];
  for (const [i, date] of DATES.entries()) {
    const matches = forms.map(form => FORMS[i]!.exec(form)?.groups ?? null);
    if (!matches.every(groups => groups !== null)) continue;
    return patternsOf(date, matches);
  }
  return [];
}

type Groups = Readonly<Record<string, string | undefined>>;

function patternsOf(
  { pattern, orders, others = [] }: DateForm,
  matches: readonly Groups[],
): readonly TimePattern[] {
  const one = (name: string) => {
    const values = [...new Set(matches.map(groups => groups[name] ?? ''))];
    return values.length === 1 ? values[0]! : null;
  };
  const [a, b, year, after] = ['a', 'b', 'year', 'after'].map(one);
  const month = monthLetters(matches);
  const clock = clockPattern(matches);
  const weekday = matches.every(groups => groups['whole'] === undefined) ? 'EEE' : 'EEEE';
  if (a === null || b === null || year == null || after == null || month === null || clock === null)
    return [];
  const least = (name: string) => Math.min(...matches.map(groups => groups[name]?.length ?? 0));
  const date = (first: string, last: string) =>
    [...pattern]
      .map(character => {
        switch (character) {
          case 'a':
            return a;
          case 'b':
            return b;
          case '1':
            return first.repeat(least('first'));
          case '2':
            return last.repeat(least('last'));
          case '$':
            return 'y'.repeat(year.length);
          case '@':
            return month;
          default:
            return character;
        }
      })
      .join('');
  const found = [...orders.map(([first, last]) => date(first, last)), ...others];
  // 24-01-05 may also begin with its year.
  if (year.length === 2 && pattern === '1a2a$' && least('first') === 2)
    found.push(`yy${a}${'M'.repeat(least('last'))}${a}dd`);
  const start = after === '' ? '' : `${weekday}${after}`;
  return found.map(text => `${start}${text}${clock}`);
}

/** Null if months are written in two ways. */
function monthLetters(matches: readonly Groups[]): string | null {
  const names = matches.flatMap(({ month }) => (month === undefined || /^may$/i.test(month) ? [] : [month]));
  if (names.every(name => name.length === 3)) return 'MMM';
  return names.every(name => name.length > 3) ? 'MMMM' : null;
}

function clockPattern(matches: readonly Groups[]): string | null {
  const timed = matches.filter(({ hour }) => hour !== undefined);
  if (timed.length === 0) return '';
  const share = (name: string) => {
    const count = timed.filter(groups => groups[name] !== undefined).length;
    return count === 0 ? 'none' : count === timed.length ? 'all' : 'some';
  };
  const optional = (name: string, text: string) => {
    const found = share(name);
    return found === 'none' ? '' : found === 'all' ? text : `[${text}]`;
  };
  const of = (name: string) => new Set(timed.map(groups => groups[name] ?? ''));
  const half = share('half');
  const [joins, gaps, spaces] = [of('join'), of('gap'), of('space')];
  if (half === 'some' || joins.size > 1 || gaps.size > 1 || (share('offset') === 'all' && spaces.size > 1))
    return null;
  const letter = half === 'all' ? 'h' : 'H';
  const hour = letter.repeat(Math.min(...timed.map(groups => groups['hour']?.length ?? 1)));
  const second = optional('second', `:ss${optional('fraction', '.SSS')}`);
  const end = `${half === 'all' ? `${[...gaps][0]}a` : ''}${optional('offset', `${[...spaces].at(-1)}XXX`)}`;
  const join = [...joins][0] === 'T' ? "'T'" : [...joins][0];
  const clock = `${join}${hour}:mm${second}${end}`;
  return timed.length < matches.length ? `[${clock}]` : clock;
}
