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

type TimePart =
  | 'year'
  | 'short year'
  | 'month'
  | 'month name'
  | 'day'
  | 'day of year'
  | 'weekday'
  | 'hour'
  | 'hour of half'
  | 'half'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'offset';

/** `letters`: how often the pattern repeats the letter. */
export type TimeToken = { readonly part: TimePart; readonly letters: number } | { readonly text: string };

/** One list for each combination of optional sections, the longest first. */
type TimeFormat = readonly (readonly TimeToken[])[];

const PARTS: Readonly<Record<string, TimePart>> = {
  y: 'year',
  u: 'year',
  M: 'month',
  L: 'month',
  d: 'day',
  D: 'day of year',
  E: 'weekday',
  H: 'hour',
  h: 'hour of half',
  a: 'half',
  m: 'minute',
  s: 'second',
  S: 'fraction',
  X: 'offset',
  x: 'offset',
  Z: 'offset',
};

/** With more letters, the JDK writes something else. */
const MOST_LETTERS: Readonly<Record<TimePart, number>> = {
  year: 4,
  'short year': 2,
  month: 4,
  'month name': 4,
  day: 2,
  'day of year': 3,
  weekday: 4,
  hour: 2,
  'hour of half': 2,
  half: 1,
  minute: 2,
  second: 2,
  fraction: 9,
  offset: 3,
};

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
    const part = PARTS[letter];
    if (part === undefined) {
      const meant = { Y: 'yyyy for the year', e: 'E for the day of the week', k: 'H for the hour' }[letter];
      return `it has the letter ${letter}, which a build does not read: use ${meant ?? KNOWN}`;
    }
    if (part === 'day of year' && run.length < 3)
      return `${run} is a day of the year: use dd for that of the month`;
    if (run.length > MOST_LETTERS[part]) return `it has ${run}, which a build does not read: use ${KNOWN}`;
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
