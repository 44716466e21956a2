/** The forms of cells in random tables, and the values that texts in these forms have. */
import type { ColumnType } from '../../build/format/documents.ts';

/** How a column's texts are read, apart from their type. */
export interface Reading {
  readonly decimal?: string | undefined;
  readonly group?: string | undefined;
  /** Of dates, in the contract's letters. */
  readonly format?: string | undefined;
  /** The time zone of times without one. */
  readonly defaultTimezone?: string | undefined;
  /** Numbers with more digits than JavaScript's are rounded. */
  readonly rounds?: true;
  /** DuckDB's type of a column in Parquet. */
  readonly type?: string;
}

/** A column's texts, as a list or a pattern. */
export type Form = readonly [texts: readonly string[] | RegExp, reading?: Reading];

/** Characters that neither Windows-1252 nor workbooks have. */
export const CONTROLS = [
  ...['bell\u0007', '\u001b[1m', 'tab\vulator', 'page\fbreak', 'next\u0085line', 'line\u2028break', 'plain'],
  ...['zero\u200bwidth', '\ufeffmark', '\u00a0hard space', 'y'.repeat(40_000)],
];

export const HOSTILE = [
  ...['a "quoted" word', 'two\nlines', 'two\r\nlines', ' a space before', 'and after ', ' ', ''],
  ...['a,b;c|d\te', "it's", "'a','b'", '👩‍🚀 emoji', 'é è ñ', '=1+1', '{"a":1}', "'; DROP TABLE t; --"],
  ...['<b>&amp;</b>', '\\n', '%s', 'x'.repeat(3000), '日本', '"', '- a', '# b', 'null', 'NA', 'None', '-'],
  ...['a: b', '1.2.3', '12%', '$1,200', '(5)'],
];

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The letters of date patterns, and what is drawn for each. */
const LETTERS: Readonly<Record<string, string>> = {
  yyyy: '2019|202[0-3]',
  yy: '19|2[0-3]',
  MMMM: MONTHS.join('|'),
  MMM: MONTHS.map(month => month.slice(0, 3)).join('|'),
  MM: '0[1-9]|1[0-2]',
  M: '[1-9]|1[0-2]',
  dd: '0[1-9]|1\\d|2[0-8]',
  d: '[1-9]|1\\d|2[0-8]',
  HH: '[01]\\d|2[0-3]',
  hh: '0[1-9]|1[0-2]',
  mm: '[0-5]\\d',
  ss: '[0-5]\\d',
  a: 'AM|PM',
};
/** Days that may also be months. */
const EARLY: typeof LETTERS = { ...LETTERS, dd: '0[1-9]|1[0-2]', d: '[1-9]|1[0-2]' };
const PARTS = /yyyy|yy|M{1,4}|dd?|HH|hh|mm|ss|a/g;

function datePattern(format: string, write: (part: string) => string): RegExp {
  return new RegExp(`^${format.replaceAll('.', '\\.').replace(PARTS, write)}$`);
}

const DATES = [
  ...['dd/MM/yyyy', 'MM/dd/yyyy', 'd.M.yyyy', 'M/d/yy', 'yy-MM-dd', 'dd-MMM-yy', 'MMMM d, yyyy', 'yyyyMMdd'],
  ...['yyyy/MM/dd', 'dd.MM.yyyy HH:mm', 'MM/dd/yyyy hh:mm:ss a'],
].flatMap(format =>
  [LETTERS, EARLY].map((letters): Form => [datePattern(format, part => `(${letters[part]})`), { format }]),
);

/** Months in which no zone changes its clocks. */
const DAY = '(2019|202[0-3])-(0[124-9]|1[02])-(0[1-9]|1\\d|2[0-8])';
const MOMENTS = ['T', ' '].flatMap(join =>
  ['', '\\.\\d{3}', '\\.\\d{6}'].flatMap(fraction =>
    ['', 'Z?', '(Z|\\+02:00|-0530| UTC)'].map(
      (zone): Form => [new RegExp(`^${DAY}${join}([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d${fraction}${zone}$`)],
    ),
  ),
);

/** Markers of missing values. A sixth of a column's texts are two of these, the others are numbers. */
const MARKERS = ['NA', 'n/a', 'null', '-', '*', '..', '<10', 'NaN', '(D)', '#N/A', 'many', 'inf'];
const SENTINELS = ['-999', '9999', '-666666666', '99999'];
const NUMBERS = '0 3 7 12 29 31 48 56 77 88'.split(' ');
const marked = (marker: string, i: number, all: readonly string[]): Form => [
  [marker, all[(i + 5) % all.length]!, ...NUMBERS],
];

/** Decimal marks and those between thousands. */
export const MARKS = ['.,', ".'", ',.', ', '].map(([decimal = '', group = '']) => ({ decimal, group }));

/** Writes a figure with the reading's marks, if it has any, in place of points and commas, but without a final comma. */
export function withMarks(figure: string, { decimal, group = '' }: Reading): string {
  if (decimal === undefined) return figure;
  return figure.replace(/[.,]/g, mark => (mark === '.' ? decimal : group)).replace(/,$/, '');
}

/** Kinds of columns in text files with these marks in numbers, each equally frequent. */
export const textForms = (marks: Reading): readonly (readonly Form[])[] => [
  ...[
    /^(0|[1-9]\d{0,2}(,\d{3}){0,2})$/,
    /^(0|1,\d{3}|[1-9]\d{0,2})$/,
    /^-?(0|[1-9]\d?)\.\d?[1-9]$/,
    /^(0|1?\d)\.\d{0,2}[1-9]$/,
    /^[1-9]\d{0,2}(,\d{3})?\.\d?[1-9]$/,
    /^[012](\.[1-9])?$/,
    /^(\.5|7\.|1\.25)$/,
  ].map((texts): Form[] => [[texts, marks]]),
  [[/^(0|[1-9]\d{0,2})$/]],
  [[/^-?[1-9]\d{0,5}$/]],
  [[/^[1-9]\d?[eE](-[1-4]|[0-4])$/]],
  [[/^(\+(0|[1-9]\d?)|[-\u2212][1-9]\d?)$/]],
  [[/^[1-9]\d{18}$/]],
  [[/^00[0-4]\d\d$/]],
  [[['north', 'south', 'east', 'west', 'Åre']]],
  [[/^(Ann|Bo|Cy) \d{1,3}$/]],
  [[HOSTILE]],
  ['true/false', 'Yes/No', 'Y/N', 'T/F'].map((pair): Form => [pair.split('/')]),
  [[new RegExp(`^${DAY}$`)]],
  DATES,
  MOMENTS,
  [[/^20(19|2[0-3])-Q[1-4]$/]],
  [[['2008-09', '2009-10', '2010-11', '2011-12']]],
  [[/^(many|few|[1-9]?\d|[1-9]\d|\d)$/]],
  MARKERS.map(marked),
  SENTINELS.map(marked),
];

/** Types of Parquet with some values. A draft may leave out columns of types after the 20th. */
const TYPES: readonly (readonly [type: string, ...Form])[] = [
  ...'TINYINT UTINYINT SMALLINT USMALLINT INTEGER UINTEGER BIGINT UBIGINT FLOAT DOUBLE'
    .split(' ')
    .map(type => [type, /^([1-9]?\d)$/] as const),
  ['BIGINT', /^9007199254740993\d$/],
  ['DECIMAL(38,0)', /^(0|[1-9]\d{0,2})$/],
  ['DECIMAL(38,3)', /^12345678901234567\d\.125$/],
  ['DECIMAL(9,2)', /^[1-9]\d?\.[257]5$/],
  ['DOUBLE', ['nan', '-inf', '0.5']],
  ['VARCHAR', HOSTILE.filter(one => !one.includes('\r'))],
  ['VARCHAR', ['a\rb', 'c']],
  ['VARCHAR', ['', 'NULL', 'a', ' b ']],
  ['UUID', /^a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a\d\d$/],
  ['VARCHAR', ['NA', '-', '', '0.5', '12']],
  ['TIME', ['12:30:01', '00:00:00', '23:59:59.5', '23:59:59.999999', '24:00:00']],
  ['TIMETZ', /^1\d:00:00\+00$/],
  ['INTERVAL', ['3 days', '1 year 2 months', '00:00:05']],
  ['JSON', ['{"a":1}', '[1,2]', 'null']],
  ["ENUM('a','b c')", ['a', 'b c']],
  ['BIT', ['101', '0']],
  ['BOOLEAN', ['true', 'false']],
  ['DATE', new RegExp(`^${DAY}$`)],
  ...['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'].map(
    type => [type, new RegExp(`^${DAY} 12:30:01$`)] as const,
  ),
  ['TIMESTAMPTZ', new RegExp(`^${DAY} 12:30:01\\+02$`)],
  ['HUGEINT', /^(0|[1-9]\d{0,2})$/],
  ['HUGEINT', ['170141183460469231731687303715884105727'], { rounds: true }],
  ['DECIMAL(38,0)', /^9{37}\d$/],
  ['FLOAT', ['0.1', '1.0', 'nan', 'inf']],
  ['DOUBLE', ['nan', '3', '2020']],
  ['DATE', ['0001-01-01', '9999-12-31', '1582-10-10']],
  ['DATE', ['infinity', '5881580-07-10', '0044-03-15 (BC)']],
  ['TIMESTAMP', ['0001-01-01 00:00:00', '9999-12-31 23:59:59.999999']],
  ['TIMESTAMP', ['infinity', '294247-01-10 04:00:54.775806']],
  ['TIMESTAMP_NS', ['2024-01-01 00:00:00.000001', '2262-04-11 23:47:16.85']],
  ['TIMESTAMP_NS', ['2024-01-01 00:00:00.123456789']],
  ['INTEGER[]', ['[1,2]']],
  ['INTEGER[2]', ['[1,2]']],
  ['INTEGER[][]', ['[[1],[2]]']],
  ['STRUCT(a INTEGER)', ["{'a': 1}"]],
  ['STRUCT(a STRUCT(b INTEGER[]))[]', ["[{'a': {'b': [1]}}]"]],
  ['UNION(n VARCHAR)', ['1']],
  ['MAP(VARCHAR, INTEGER)', ['{k=1}']],
  ['BLOB', ['\\xAA']],
];
export const PARQUET_FORMS = TYPES.map(([type, texts, reading]): Form => [texts, { ...reading, type }]);

/** The value that the API must give for a text of a contract's type; a message if the text isn't of that type. */
export function readText(text: string, type: ColumnType, reading: Reading): string | number | boolean {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return readFigure(text, reading) ?? `not a number: ${text}`;
    case 'boolean':
      return (
        /^(true|yes|y|t)$/i.test(text) || (/^(false|no|n|f)$/i.test(text) ? false : `not a boolean: ${text}`)
      );
    case 'date':
      return readTime(text, reading)?.slice(0, 10) ?? `not a time: ${text}`;
    case 'timestamp':
      return readTime(text, reading) ?? `not a time: ${text}`;
    default:
      return type satisfies never;
  }
}

/** A contract may state one mark or both. Null if JavaScript's numbers can't hold the text. */
export function readFigure(text: string, { decimal, group, rounds }: Reading): number | null {
  const point = decimal ?? (group === '.' ? ',' : '.');
  const between = group ?? (point === ',' ? '.' : ',');
  const own = text.trim().replaceAll(between, '').replace(point, '.').replace('\u2212', '-');
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(own)) return null;
  return !rounds && own.replace(/\D/g, '').length > 15 ? null : Number(own);
}

const two = (value: string | number) => String(value).padStart(2, '0');

function readTime(text: string, { format, defaultTimezone }: Reading): string | null {
  if (format === undefined) return readMoment(text, defaultTimezone);
  const pattern = datePattern(format, part => {
    const digits = part.length === 1 ? '\\d{1,2}' : `\\d{${part.length}}`;
    return `(?<${part[0]}>${/MMM|a/.test(part) ? '[A-Za-z]+' : digits})`;
  });
  const { groups } = pattern.exec(text.trim()) ?? {};
  if (groups === undefined) return null;
  const { y = '', M = '', d = '', H, h, m, s = '00', a } = groups;
  const month = MONTHS.findIndex(one => one.startsWith(M)) + 1 || M;
  const day = `${y.padStart(4, '20')}-${two(month)}-${two(d)}`;
  const hour = a === undefined ? H : (Number(h) % 12) + (a === 'PM' ? 12 : 0);
  return m === undefined ? day : `${day}T${two(hour ?? '')}:${m}:${s}`;
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?: ?(Z|UTC)|([-+]\d\d):?(\d\d)?)?)?$/;

function readMoment(text: string, zone: string | undefined): string | null {
  const [, day, clock, decimals = '', utc, hours, minutes = '00'] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined || clock === undefined) return day ?? null;
  const end = `.${decimals}`.replace(/\.?0*$/, '');
  if (utc === undefined && hours === undefined && zone === undefined) return `${day}T${clock}${end}`;
  // New York is four hours behind in the summer months that are drawn, and five in the others.
  const newYork = /-(0[4-9]|10)-/.test(day) ? '-04:00' : '-05:00';
  const own = utc === undefined && zone !== 'UTC' ? newYork : 'Z';
  const moment = new Date(`${day}T${clock}${hours === undefined ? own : `${hours}:${minutes}`}`);
  return `${moment.toISOString().slice(0, 19)}${end}Z`;
}
