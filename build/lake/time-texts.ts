/** SQL that reads texts as dates and moments: the one reader for every format of the lake. Sessions have the time zone UTC. */
import type { BaseColumn } from '../contract/dataset.ts';
import { parseTimeFormat, type TimeToken } from '../contract/time-format.ts';
import { literal } from './sql.ts';

/** A pattern of the contract's letters, or ISO 8601: the date, with or without a time of day and an offset. */
export type TimePattern = string | 'ISO';

const SHORT_MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
const SHORT_DAYS = 'mon|tue|wed|thu|fri|sat|sun';
const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const OFFSET = '(Z|z|UTC|GMT|[-+](0[0-9]|1[0-8])(:?[0-5][0-9])?)';
/** At most six decimals: more would be lost. */
const FRACTION = '[0-9]{1,6}0*';

const ISO = `[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.${FRACTION})?)?( ?${OFFSET})?)?`;

/** What a part is in a regular expression, and for `strptime`. */
function partOf(token: TimeToken): { readonly expression: string; readonly spec: string } {
  if ('text' in token)
    return {
      expression: token.text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'),
      spec: token.text.replaceAll('%', '%%'),
    };
  const { part, letters } = token;
  const digits = letters === 1 ? '[0-9]{1,2}' : '[0-9]{2}';
  switch (part) {
    case 'year':
      return { expression: '[0-9]{4}', spec: '%Y' };
    case 'short year':
      return { expression: '[0-9]{2}', spec: '%y' };
    case 'month':
      return { expression: digits, spec: '%m' };
    case 'month name':
      return letters === 3
        ? { expression: `(?i:${SHORT_MONTHS})`, spec: '%b' }
        : { expression: `(?i:${MONTHS})`, spec: '%B' };
    case 'day':
      return { expression: digits, spec: '%d' };
    case 'day of year':
      return { expression: '[0-9]{3}', spec: '%j' };
    case 'weekday':
      return letters < 4
        ? { expression: `(?i:${SHORT_DAYS})`, spec: '%a' }
        : { expression: `(?i:${DAYS})`, spec: '%A' };
    case 'hour':
      return { expression: digits, spec: '%H' };
    case 'hour of half':
      return { expression: digits, spec: '%I' };
    case 'half':
      return { expression: '(?i:[ap]m)', spec: '%p' };
    case 'minute':
      return { expression: digits, spec: '%M' };
    case 'second':
      return { expression: digits, spec: '%S' };
    case 'fraction':
      return { expression: FRACTION, spec: '%f' };
    case 'offset':
      return { expression: OFFSET, spec: '' };
    default:
      return part satisfies never;
  }
}

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
  const lists = format.map(tokens => tokens.map(partOf));
  return {
    expression: lists.map(list => list.map(({ expression }) => expression).join('')).join('|'),
    specs: [
      ...new Set(
        lists.map(list =>
          list
            .map(({ spec }) => spec)
            .join('')
            .trim(),
        ),
      ),
    ],
    hasOffset: has('offset'),
    hasShortYear: has('short year'),
  };
}

/** SQL of a text's offset from UTC, such as `-05:00` or `Z`; empty for a text without one. `own`: see `presentText`. */
export function offsetText(own: string): string {
  return `regexp_extract(${own}, ${literal(`:[0-9]{2}(?:\\.[0-9]+)?(?: ?[AaPp][Mm])? ?${OFFSET}$`)}, 1)`;
}

const NO_OFFSET = ['Z', 'z', 'UTC', 'GMT'].map(one => literal(one)).join(', ');

function offsetMinutes(offset: string): string {
  const minutes = `coalesce(TRY_CAST(substr(replace(${offset}, ':', ''), 4, 2) AS INTEGER), 0)`;
  return `CASE WHEN ${offset} IN (${NO_OFFSET}) THEN 0 ELSE (CASE WHEN ${offset}[1] = '-' THEN -1 ELSE 1 END) * (substr(${offset}, 2, 2)::INTEGER * 60 + ${minutes}) END`;
}

/** How a column's texts become values. */
export interface TimeReader {
  readonly pattern: TimePattern;
  readonly type: 'date' | 'timestamp';
  /** Whether the values are moments, in UTC; otherwise a text with an offset is no value. */
  readonly utc: boolean;
  /** The time zone of texts without an offset. */
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

/** SQL of a text's clock time, without its offset, as a TIMESTAMP; NULL for a text of another pattern. */
function localTime(own: string, pattern: TimePattern): string {
  const { expression, specs, hasOffset, hasShortYear } = compile(pattern);
  const offset = offsetText(own);
  const clock = hasOffset ? `rtrim(left(${own}, length(${own}) - length(${offset})))` : own;
  const read =
    pattern === 'ISO'
      ? `TRY_CAST(${clock} AS TIMESTAMP)`
      : `try_strptime(${clock}, [${specs.map(spec => literal(spec)).join(', ')}])`;
  // The JDK reads two digits as a year from 2000 to 2099, DuckDB as one from 1969 to 2068.
  const century = hasShortYear
    ? `${read} + CASE WHEN year(${read}) < 2000 THEN INTERVAL 100 YEAR ELSE INTERVAL 0 YEAR END`
    : read;
  return `CASE WHEN regexp_full_match(${own}, ${literal(expression)}) THEN ${century} END`;
}

/**
 * SQL of a text's value: a DATE, or a TIMESTAMP, in UTC if the reader's values are. NULL for a text that is none: a date
 * with a time of day, a clock time that its zone skips or repeats.
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

/** SQL that is true for a clock time that happens twice, when clocks are set back by an hour or half an hour. */
function isRepeated(local: string, zone: string): string {
  const moment = `timezone(${literal(zone)}, ${local})`;
  return [-60, -30, 30, 60]
    .map(minutes => `timezone(${literal(zone)}, ${moment} + to_minutes(${minutes})) = ${local}`)
    .join(' OR ');
}

/** SQL that is true for a text whose clock time its zone skips or repeats. */
export function isUnclear(own: string, { pattern, type, utc, zone }: TimeReader): string {
  if (type === 'date' || !utc || zone === 'UTC') return 'false';
  const local = localTime(own, pattern);
  const moment = `timezone(${literal(zone)}, ${local})`;
  return `coalesce(${offsetText(own)} = '' AND (timezone(${literal(zone)}, ${moment}) <> ${local} OR ${isRepeated(local, zone)}), false)`;
}
