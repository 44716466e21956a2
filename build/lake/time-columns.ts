/** Reads columns of dates and timestamps written as text. */
import type { BaseColumn } from '../contract/dataset.ts';
import { FRACTION, NO_FORM, OFFSET, parseTimeFormat, readToken } from '../contract/text-form.ts';
import { readAggregates } from './column-batches.ts';
import { literal } from './sql.ts';
import {
  type Answer,
  type ColumnReading,
  type Doubt,
  findDoubt,
  isUnread,
  plainReading,
  presentText,
  readCellAggregates,
  readSkeletons,
  type Skeleton,
  type TextColumn,
  type TextRows,
  unreadTexts,
} from './text-cells.ts';

interface TimeColumn extends TextColumn {
  readonly type: 'date' | 'timestamp';
}

const SOME_ZONE = 'America/New_York';

export async function readTimeColumns(
  rows: TextRows,
  columns: readonly TimeColumn[],
): Promise<ColumnReading[]> {
  const { session, from } = rows;
  const looks = await readCellAggregates<number, TimeColumn>(session, from, columns, ({ type, stated }) => {
    const unread = isUnread('own', isoWithoutOffset('own', type));
    const isTime = `regexp_matches(own, '[0-9]') AND regexp_full_match(own, ${literal(SOME_TIME)})`;
    const others = stated === null ? `CASE WHEN ${unread} THEN NOT (${isTime}) END` : 'false';
    return [`count_if(${unread})`, `count_if(${others})`];
  });
  const found = new Map<TimeColumn, ColumnReading>();
  for (const [i, column] of columns.entries()) {
    const { format, zone } = column.stated?.form ?? NO_FORM;
    const [unread = 0, others = 0] = looks[i]!;
    const value = isoWithoutOffset(presentText(column), column.type);
    if (format === null && zone === null && unread === 0) found.set(column, plainReading(value, null));
    else if (others > 0) found.set(column, plainReading(value, unreadTexts(others)));
  }
  const guessed = columns.filter(column => !found.has(column) && column.stated?.form.format == null);
  const forms = await readSkeletons(session, from, guessed);
  const patterns = new Map(guessed.map((column, i) => [column, timePatterns(forms[i] ?? [])]));
  for (const [i, column] of guessed.entries()) {
    const value = isoWithoutOffset(presentText(column), column.type);
    const count = forms[i]?.reduce((sum, one) => sum + one.count, 0) ?? 0;
    if (column.stated === null && patterns.get(column)?.length === 0 && count > 0)
      found.set(column, plainReading(value, unreadTexts(count)));
  }
  const open = columns.flatMap(column => (found.has(column) ? [] : [tried(column, patterns.get(column))]));
  const counts = await readCellAggregates<number, TriedColumn>(session, from, open, ({ values }) =>
    [
      ...values('own').map(value => isUnread('own', value)),
      `${offsetText('own')} <> ''`,
      `${offsetText('own')} = ''`,
    ].map(condition => `count_if(${condition})`),
  );
  for (const [i, one] of open.entries()) found.set(one.column, await readTimeColumn(rows, one, counts[i]!));
  return columns.map(column => found.get(column)!);
}

interface TriedColumn extends TimeColumn {
  readonly column: TimeColumn;
  readonly patterns: readonly TimePattern[];
  readonly reader: (pattern: TimePattern, utc?: boolean) => TimeReader;
  /** From the SQL of `presentText`. */
  readonly values: (own: string) => readonly string[];
}

function tried(column: TimeColumn, guessed: readonly TimePattern[] = []): TriedColumn {
  const { type, stated } = column;
  const { format, zone } = stated?.form ?? NO_FORM;
  const isMoment = stated === null ? null : stated.physical === 'timestamptz';
  const reader = (pattern: TimePattern, utc = isMoment ?? true): TimeReader => ({
    ...{ pattern, type, utc },
    zone: zone ?? 'UTC',
  });
  const likely = guessed.length === 0 ? ['ISO'] : guessed;
  const patterns = format === null ? likely : [format];
  const values = (own: string) => patterns.map(pattern => valueIn(own, reader(pattern), format === null));
  return { ...column, column, patterns, reader, values };
}

async function readTimeColumn(
  rows: TextRows,
  { column, patterns, reader, values: valuesOf }: TriedColumn,
  counts: readonly number[],
): Promise<ColumnReading> {
  const { type, stated } = column;
  const own = presentText(column);
  const { format, zone } = stated?.form ?? NO_FORM;
  const isMoment = stated === null ? null : stated.physical === 'timestamptz';
  const values = valuesOf(own);
  const unread = patterns.map((_, i) => counts[i] ?? 0);
  const [moments = 0, clocks = 0] = counts.slice(-2);
  const best = unread.indexOf(Math.min(...unread));
  const pattern = patterns[best]!;
  const value = values[best]!;
  const likely = patterns.flatMap((one, i) => (unread[i] === 0 ? [{ pattern: one, value: values[i]! }] : []));
  const utc = type === 'timestamp' && (isMoment ?? moments > 0);
  const isSettled = likely.length === 1 && pattern !== 'ISO';
  const reading: ColumnReading = {
    ...plainReading(value, null),
    form: { ...NO_FORM, format: isSettled ? pattern : null },
    utc,
  };
  const doubt = async (kind: Doubt['kind'], condition: string, answers: readonly Answer[] = []) => ({
    ...reading,
    doubt: await findDoubt(rows, kind, column, condition, answers),
  });
  const inZones = ['UTC', SOME_ZONE].map(name => ({
    yaml: options({ format, timezone: true, defaultTimezone: name }),
    means: `a time of day in ${name}`,
  }));
  if (type === 'timestamp' && isMoment === false && moments > 0)
    return doubt(
      'offset',
      `${offsetText(own)} <> ''`,
      clocks > 0
        ? inZones
        : [{ yaml: options({ format, timezone: true }), means: 'a moment, published in UTC' }],
    );
  if (utc && zone !== null) {
    const unclear = await doubt('unclear', isUnclear(own, reader(pattern)));
    if (unclear.doubt !== null) return unclear;
  }
  if (likely.length === 0) return doubt('unread', isUnread(own, value));
  const isShort = format === null && isShortYear(pattern);
  const others = likely.filter(one => one.value !== value).map(one => one.value);
  const differences = others.map(other => `count_if(${isOther(value, other)})`);
  const differing = (await readAggregates<number>(rows.session, rows.from, differences)).findIndex(
    n => n > 0,
  );
  if (isShort || differing >= 0) {
    const asked = await doubt(
      'ambiguous',
      isShort ? `${own} IS NOT NULL` : isOther(value, others[differing]!),
    );
    const readers = likely.map(one => reader(one.pattern));
    return { ...asked, doubt: asked.doubt && (await withAnswers(rows, own, asked.doubt, readers, utc)) };
  }
  return utc && zone === null && moments > 0 && clocks > 0
    ? doubt('ambiguous', `${offsetText(own)} = ''`, inZones)
    : reading;
}

function isOther(value: string, other: string): string {
  return `(${value}) IS DISTINCT FROM (${other})`;
}

function isShortYear(pattern: TimePattern): boolean {
  return /(?<!y)yy(?!y)/.test(pattern);
}

/** Digits alone are a date only if the year is likely. */
function valueIn(own: string, reader: TimeReader, isGuess: boolean): string {
  const value = timeValueOf(own, reader);
  if (!isGuess || !/^[yMd]+$/.test(reader.pattern)) return value;
  return `CASE WHEN year(${value}) BETWEEN 1800 AND 2199 THEN ${value} END`;
}

async function withAnswers(
  { session, table }: TextRows,
  own: string,
  doubt: Doubt,
  readers: readonly TimeReader[],
  utc: boolean,
): Promise<Doubt> {
  const [first] = doubt.cells;
  const list = readers.map((one, i) => `(${timeValueOf(own, one)})::VARCHAR AS "${i}"`).join(', ');
  const means = await session.row<Record<string, string | null>>(
    `SELECT ${list} FROM ${table} WHERE rowid = ${(first?.row ?? 1) - 1}`,
  );
  return {
    ...doubt,
    answers: readers.map(({ pattern }, i) => ({
      yaml: options({ format: pattern, ...(utc ? { timezone: true } : {}) }),
      means: means[`${i}`] ?? 'no value',
    })),
  };
}

/** ISO 8601 without an offset. */
function isoWithoutOffset(own: string, type: 'date' | 'timestamp'): string {
  const date = '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}';
  return type === 'date'
    ? `CASE WHEN regexp_full_match(${own}, '${date}([T ]00:00(:00(\\.0+)?)?)?') THEN TRY_CAST(${own} AS DATE) END`
    : `CASE WHEN regexp_full_match(${own}, '${date}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6}0*)?)?)?') THEN TRY_CAST(${own} AS TIMESTAMP) END`;
}

/** As a line of YAML. */
function options(values: Readonly<Record<string, string | boolean | null>>): string {
  const members = Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === 'ISO') return [];
    const text = String(value);
    return `${key}: ${/^[\w/.:-]+( [\w/.:-]+)*$/.test(text) ? text : JSON.stringify(text)}`;
  });
  return `logicalTypeOptions: { ${members.join(', ')} }`;
}

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
  readonly orders: readonly (readonly [first: string, last: string])[];
  /** Other patterns with the same digits. */
  readonly others?: readonly string[];
}

/** A year and a month number could be a school year (2011-12), so that form is missing. */
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
  { form: `${FIRST}(?<a>[-/.])9999`, pattern: '1ayyyy', orders: [['M', '']] },
  { form: '99999999', pattern: 'yyyyMMdd', orders: [['', '']], others: ['ddMMyyyy', 'MMddyyyy'] },
  { form: '999999', pattern: 'yyyyMM', orders: [['', '']], others: ['yyMMdd', 'ddMMyy', 'MMddyy'] },
];
const FORMS = DATES.map(({ form }) => new RegExp(`^${WEEKDAY}${form}${TIME}$`, 'i'));

/** Matches every text of these forms, and some others. */
const SOME_TIME = `(?i:[^\\p{L}]|[tz]|utc|gmt|[ap]m|mon|tue|wed|thu|fri|sat|sun|day|nesday|rsday|urday|${MONTH.replace('?<month>', '?:')})+`;

const ISO_FORM = /^9999-9{1,2}-9{1,2}([T ]99:99(:99(\.9+)?)?( ?(z|utc|gmt|[-+]99(:?99)?))?)?$/i;

/** Patterns that fit every form; none if a form is unknown or they differ. */
function timePatterns(skeletons: readonly Skeleton[]): readonly TimePattern[] {
  const forms = skeletons.map(({ form }) => form.replaceAll('z', '9'));
  if (forms.length === 0) return [];
  if (forms.every(form => ISO_FORM.test(form))) return ['ISO'];
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

/** The contract's letters, or ISO 8601: a date, with or without time and offset. */
type TimePattern = string | 'ISO';

const ISO = `[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.${FRACTION})?)?( ?${OFFSET})?)?`;

interface CompiledPattern {
  readonly expression: string;
  readonly specs: readonly string[];
  readonly hasOffset: boolean;
  readonly hasShortYear: boolean;
}

function compile(pattern: TimePattern): CompiledPattern {
  if (pattern === 'ISO') return { expression: ISO, specs: [], hasOffset: true, hasShortYear: false };
  const format = parseTimeFormat(pattern);
  // A contract with such a format has an error.
  if (typeof format === 'string')
    return { expression: '', specs: ['%Y'], hasOffset: false, hasShortYear: false };
  const has = (part: string) =>
    format.some(tokens => tokens.some(token => 'part' in token && token.part === part));
  const lists = format.map(tokens => tokens.map(readToken));
  const specs = lists.map(list =>
    list
      .map(([, specifier]) => specifier)
      .join('')
      .trim(),
  );
  return {
    expression: lists.map(list => list.map(([expression]) => expression).join('')).join('|'),
    specs: [...new Set(specs)],
    hasOffset: has('offset'),
    hasShortYear: has('short year'),
  };
}

/** SQL of the offset from UTC, such as `-05:00` or `Z`; empty without one. `own`: see `presentText`. */
function offsetText(own: string): string {
  return `regexp_extract(${own}, ${literal(`:[0-9]{2}(?:\\.[0-9]+)?(?: ?[AaPp][Mm])? ?${OFFSET}$`)}, 1)`;
}

const NO_OFFSET = ['Z', 'z', 'UTC', 'GMT'].map(one => literal(one)).join(', ');

function offsetMinutes(offset: string): string {
  const minutes = `coalesce(TRY_CAST(substr(replace(${offset}, ':', ''), 4, 2) AS INTEGER), 0)`;
  return `CASE WHEN ${offset} IN (${NO_OFFSET}) THEN 0 ELSE (CASE WHEN ${offset}[1] = '-' THEN -1 ELSE 1 END) * (substr(${offset}, 2, 2)::INTEGER * 60 + ${minutes}) END`;
}

interface TimeReader {
  readonly pattern: TimePattern;
  readonly type: 'date' | 'timestamp';
  /** Values are in UTC; otherwise texts with an offset have no value. */
  readonly utc: boolean;
  /** For texts without an offset. */
  readonly zone: string;
}

export function timeReader({
  type,
  physical,
  form,
}: Pick<BaseColumn, 'type' | 'physical' | 'form'>): TimeReader {
  return {
    pattern: form.format ?? 'ISO',
    type: type === 'date' ? 'date' : 'timestamp',
    utc: physical === 'timestamptz',
    zone: form.zone ?? 'UTC',
  };
}

/** SQL of the local time as a TIMESTAMP; NULL if the text doesn't fit the pattern. */
function localTime(own: string, pattern: TimePattern): string {
  const { expression, specs, hasOffset, hasShortYear } = compile(pattern);
  const offset = offsetText(own);
  const clock = hasOffset ? `rtrim(left(${own}, length(${own}) - length(${offset})))` : own;
  const read =
    pattern === 'ISO'
      ? `TRY_CAST(${clock} AS TIMESTAMP)`
      : `try_strptime(${clock}, [${specs.map(spec => literal(spec)).join(', ')}])`;
  // The JDK reads two digits as 2000 to 2099, DuckDB as 1969 to 2068.
  const century = hasShortYear
    ? `${read} + CASE WHEN year(${read}) < 2000 THEN INTERVAL 100 YEAR ELSE INTERVAL 0 YEAR END`
    : read;
  return `CASE WHEN regexp_full_match(${own}, ${literal(expression)}) THEN ${century} END`;
}

/**
 * SQL of a DATE, or a TIMESTAMP (in UTC if `utc`). NULL for a date with a time of day, or a local time that
 * its zone skips or repeats.
 */
export function timeValueOf(own: string, reader: TimeReader): string {
  const { pattern, type, utc, zone } = reader;
  const local = localTime(own, pattern);
  const offset = offsetText(own);
  const { hasOffset } = compile(pattern);
  const shifted = `${local} - to_minutes(${offsetMinutes(offset)})`;
  if (type === 'date') {
    const moment = hasOffset ? `CASE WHEN ${offset} = '' THEN ${local} ELSE ${shifted} END` : local;
    return `CASE WHEN ${moment} = date_trunc('day', ${moment}) THEN (${moment})::DATE END`;
  }
  if (!hasOffset) return utc ? inZone(local, zone) : local;
  return utc
    ? `CASE WHEN ${offset} = '' THEN ${inZone(local, zone)} ELSE ${shifted} END`
    : `CASE WHEN ${offset} = '' THEN ${local} END`;
}

function inZone(local: string, zone: string): string {
  if (zone === 'UTC') return local;
  const moment = `timezone(${literal(zone)}, ${local})`;
  return `CASE WHEN timezone(${literal(zone)}, ${moment}) = ${local} AND NOT (${isRepeated(local, zone)}) THEN ${moment}::TIMESTAMP END`;
}

/** True for local times that happen twice, when clocks are set back by an hour or half an hour. */
function isRepeated(local: string, zone: string): string {
  const moment = `timezone(${literal(zone)}, ${local})`;
  return [-60, -30, 30, 60]
    .map(minutes => `timezone(${literal(zone)}, ${moment} + to_minutes(${minutes})) = ${local}`)
    .join(' OR ');
}

/** True for local times that the zone skips or repeats. */
function isUnclear(own: string, { pattern, type, utc, zone }: TimeReader): string {
  if (type === 'date' || !utc || zone === 'UTC') return 'false';
  const local = localTime(own, pattern);
  const moment = `timezone(${literal(zone)}, ${local})`;
  return `coalesce(${offsetText(own)} = '' AND (timezone(${literal(zone)}, ${moment}) <> ${local} OR ${isRepeated(local, zone)}), false)`;
}
