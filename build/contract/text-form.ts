/** Reads how files write numbers, dates and times as text. */

import type { ColumnType } from '../format/documents.ts';
import type { RawProperty } from './contract-profile.ts';
import type { ColumnProperties, ObjectProperties } from './custom-profile.ts';
import type { TextForm } from './dataset.ts';
import { quote } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { CustomProperties } from './shape.ts';
import type { Path } from './yaml-document.ts';

/** The values of a column decide, if they can be read in only one way. */
export const NO_FORM: TextForm = { decimal: null, group: null, format: null, zone: null };

/** A column that states neither `decimal` nor `group` takes both from the table. */
export function readTextForm(
  raw: RawProperty,
  type: ColumnType,
  custom: CustomProperties<ColumnProperties>,
  table: CustomProperties<ObjectProperties>,
  path: Path,
  problems: Problems,
): TextForm {
  switch (type) {
    case 'integer':
    case 'number': {
      const of = custom.states('decimal') || custom.states('group') ? custom : table;
      const { decimal = null, group = null } = of.values;
      if (decimal === null || decimal !== group) return { ...NO_FORM, decimal, group };
      const message = `decimal and group are both ${quote(decimal)}, so no number could be read: correct one`;
      problems.doubt(of.pathOf('group'), 'text-form', message);
      return NO_FORM;
    }
    case 'date':
    case 'timestamp':
      return readTimeForm(raw, type, path, problems);
    case 'string':
    case 'boolean':
      return NO_FORM;
    default:
      return type satisfies never;
  }
}

function readTimeForm(raw: RawProperty, type: ColumnType, path: Path, problems: Problems): TextForm {
  const { format, defaultTimezone: zone } = raw.logicalTypeOptions ?? {};
  const fail = (key: string, message: string) => {
    problems.doubt([...path, 'logicalTypeOptions', key], 'text-form', message);
    return null;
  };
  const readFormat = () => {
    if (format === undefined || format === null) return null;
    if (typeof format !== 'string')
      return fail('format', `the format ${quote(format)} isn't a text: write it in quotes`);
    const read = parseTimeFormat(format);
    return typeof read === 'string'
      ? fail('format', `the format ${quote(format)} cannot be read: ${read}`)
      : format;
  };
  const readZone = () => {
    if (zone === undefined || zone === null) return null;
    if (typeof zone !== 'string' || !isZone(zone)) {
      const message = `the time zone ${quote(zone)} is not known: use a name such as Etc/UTC or America/New_York`;
      return fail('defaultTimezone', message);
    }
    return type === 'timestamp' ? zone : null;
  };
  return { ...NO_FORM, format: readFormat(), zone: readZone() };
}

/** Of the IANA database. */
function isZone(zone: string): boolean {
  if (!/^(UTC|GMT|[A-Z][A-Za-z_]*(\/[A-Za-z0-9_+-]+)+)$/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const SHORT_MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
const SHORT_DAYS = 'mon|tue|wed|thu|fri|sat|sun';
const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
export const OFFSET = '(Z|z|UTC|GMT|[-+](0[0-9]|1[0-8])(:?[0-5][0-9])?)';
/** More than six decimals would be lost. */
export const FRACTION = '[0-9]{1,6}0*';

interface Part {
  /** Of a pattern. */
  readonly letters: string;
  /** With more letters, the JDK writes something else. */
  readonly most: number;
  /** A regular expression of its texts, and its `strptime` specifier. `count`: that of the pattern's letters. */
  readonly read: (count: number) => readonly [expression: string, specifier: string];
}

const as = (expression: string, specifier: string) => () => [expression, specifier] as const;
const digits = (specifier: string) => (count: number) =>
  [count === 1 ? '[0-9]{1,2}' : '[0-9]{2}', specifier] as const;
const words = (texts: string, specifier: string) => [`(?i:${texts})`, specifier] as const;

const PARTS = {
  year: { letters: 'yu', most: 4, read: as('[0-9]{4}', '%Y') },
  'short year': { letters: '', most: 2, read: as('[0-9]{2}', '%y') },
  month: { letters: 'ML', most: 4, read: digits('%m') },
  'month name': {
    ...{ letters: '', most: 4 },
    read: count => (count === 3 ? words(SHORT_MONTHS, '%b') : words(MONTHS, '%B')),
  },
  day: { letters: 'd', most: 2, read: digits('%d') },
  'day of year': { letters: 'D', most: 3, read: as('[0-9]{3}', '%j') },
  weekday: {
    ...{ letters: 'E', most: 4 },
    read: count => (count < 4 ? words(SHORT_DAYS, '%a') : words(DAYS, '%A')),
  },
  hour: { letters: 'H', most: 2, read: digits('%H') },
  'hour of half': { letters: 'h', most: 2, read: digits('%I') },
  half: { letters: 'a', most: 1, read: as('(?i:[ap]m)', '%p') },
  minute: { letters: 'm', most: 2, read: digits('%M') },
  second: { letters: 's', most: 2, read: digits('%S') },
  fraction: { letters: 'S', most: 9, read: as(FRACTION, '%f') },
  offset: { letters: 'XxZ', most: 3, read: as(OFFSET, '') },
} as const satisfies Readonly<Record<string, Part>>;

type TimePart = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as TimePart[];

/** A part of a time, repeated as often as the pattern has its letter; or a text. */
type TimeToken = { readonly part: TimePart; readonly letters: number } | { readonly text: string };

/** A regular expression, and the `strptime` specifier. */
export function readToken(token: TimeToken): readonly [expression: string, specifier: string] {
  return 'text' in token
    ? [token.text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'), token.text.replaceAll('%', '%%')]
    : PARTS[token.part].read(token.letters);
}

/** One list for each combination of optional sections, the longest first. */
type TimeFormat = readonly (readonly TimeToken[])[];

const KNOWN = 'yyyy, yy, MM, MMM, MMMM, dd, HH, hh with a, mm, ss, SSS and XXX';

const MOST_OPTIONS = 4;

/**
 * Parses the letters of the JDK's DateTimeFormatter, as ODCS uses them. Returns the reason if it can't, as
 * the end of a sentence.
 */
export function parseTimeFormat(format: string): TimeFormat | string {
  const options = format.match(/'[^']*'|\[/g)?.filter(one => one === '[').length ?? 0;
  if (options > MOST_OPTIONS) return `it has more than ${MOST_OPTIONS} optional sections`;
  const texts = expanded(format);
  if (texts === null) return 'its brackets do not match';
  const lists: TimeToken[][] = [];
  for (const text of texts) {
    const tokens = tokensOf(text);
    const problem = typeof tokens === 'string' ? tokens : problemOf(tokens);
    if (problem !== null) return problem;
    if (typeof tokens !== 'string') lists.push(tokens);
  }
  return lists.sort((a, b) => b.length - a.length);
}

/** All patterns that optional sections (in brackets) stand for; null if brackets don't match. */
function expanded(format: string): string[] | null {
  const plain = format.replace(/'[^']*'/g, quoted => '_'.repeat(quoted.length));
  const open = plain.lastIndexOf('[');
  if (open < 0) return plain.includes(']') ? null : [format];
  const close = plain.indexOf(']', open);
  if (close < 0) return null;
  const [before, inside, after] = [
    format.slice(0, open),
    format.slice(open + 1, close),
    format.slice(close + 1),
  ];
  const [with_, without] = [expanded(`${before}${inside}${after}`), expanded(`${before}${after}`)];
  return with_ === null || without === null ? null : [...new Set([...with_, ...without])];
}

function tokensOf(format: string): TimeToken[] | string {
  const tokens: TimeToken[] = [];
  for (const [run, quoted, letter] of format.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g)) {
    if (letter === undefined) {
      tokens.push({ text: quoted === undefined ? run : quoted === '' ? "'" : quoted.replaceAll("''", "'") });
      continue;
    }
    const part = NAMES.find(name => PARTS[name].letters.includes(letter));
    if (part === undefined) {
      const meant = { Y: 'yyyy for the year', e: 'E for the day of the week', k: 'H for the hour' }[letter];
      return `it has the letter ${letter}, which a build does not read: use ${meant ?? KNOWN}`;
    }
    if (part === 'day of year' && run.length < 3)
      return `${run} is a day of the year: use dd for that of the month`;
    if (run.length > PARTS[part].most) return `it has ${run}, which a build does not read: use ${KNOWN}`;
    const isName = part === 'month' && run.length > 2;
    const isShort = part === 'year' && run.length === 2;
    tokens.push({ part: isName ? 'month name' : isShort ? 'short year' : part, letters: run.length });
  }
  return format.replace(/'(?:[^']|'')*'/g, '').includes("'") ? 'a quote does not end' : tokens;
}

function problemOf(tokens: readonly TimeToken[]): string | null {
  const parts = tokens.flatMap(token => ('part' in token ? [token.part] : []));
  const has = (...names: readonly TimePart[]) => names.some(name => parts.includes(name));
  const twice = parts.find((part, i) => parts.indexOf(part) < i);
  if (twice !== undefined) return `it has the ${twice} twice`;
  if (!has('year', 'short year')) return 'it has no year: add yyyy or yy';
  if (has('day') && !has('month', 'month name')) return 'it has a day without a month: add MM';
  if (has('hour of half') !== has('half'))
    return 'h counts to 12 and needs a (AM or PM), as a needs h: add it, or use HH';
  if (has('minute') && !has('hour', 'hour of half')) return 'it has minutes without an hour: add HH';
  if (has('second') && !has('minute')) return 'it has seconds without minutes: add mm';
  if (has('fraction') && !has('second')) return 'it has a fraction without seconds: add ss';
  if (has('offset') && parts.at(-1) !== 'offset') return 'it has an offset before its end: put it last';
  return null;
}
