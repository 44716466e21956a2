/** What random tables are made of. */
import { RandomChoices } from '../random.ts';

/** What a cell says, as a text and as values of other types; `text` is null for a missing value. */
export interface Cell {
  readonly text: string | null;
  readonly number?: number;
  readonly boolean?: boolean;
  /** A date or a timestamp as the API writes it; without its Z, a time of day of no zone. */
  readonly time?: string;
}

export interface RandomTable {
  /** The file's name. */
  readonly name: string;
  /** Names as the file has them. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly dialect: string;
  /** What `init` must say of a table that it refuses; absent for one that it drafts. */
  readonly refusal?: string;
  readonly write: () => Promise<Buffer | string>;
}

/** Numbers from 0 up to `below`. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  const choices = new RandomChoices(seed);
  return below => choices.below(below);
}

export const pick = <Item>(random: Random, list: readonly Item[]): Item => list[random(list.length)]!;

export const digits = (value: number, width = 2) => String(value).padStart(width, '0');

export const dayOf = (random: Random) =>
  `${2019 + random(5)}-${digits(1 + random(12))}-${digits(1 + random(28))}`;

export const HOSTILE = [
  'a "quoted" word',
  'two\nlines',
  'two\r\nlines',
  ' a space before',
  'and after ',
  ' ',
  '',
  'a,b;c|d\te',
  "it's",
  "'a','b'",
  '👩‍🚀 emoji',
  'é è ñ',
  '=1+1',
  '{"a":1}',
  "'; DROP TABLE t; --",
  '<b>&amp;</b>',
  '\\n',
  '%s',
  'x'.repeat(3000),
  '日本',
  '"',
  '- a',
  '# b',
  'null',
  'NA',
  'None',
  '-',
  'a: b',
  '1.2.3',
  '12%',
  '$1,200',
  '(5)',
];

/** Beyond what a workbook holds, and Windows-1252. */
export const CONTROLS = [
  'bell\u0007',
  '\u001b[1m',
  'tab\vulator',
  'page\fbreak',
  'next\u0085line',
  'line\u2028break',
  'zero\u200bwidth',
  '\ufeffmark',
  '\u00a0hard space',
  'y'.repeat(40_000),
];

export const text = (value: string): Cell => ({ text: value });
export const number = (value: number): Cell => ({ text: String(value), number: value });

/** The two marks of numbers. */
export interface Marks {
  readonly decimal: string;
  readonly group: string;
}

export const MARKS: readonly Marks[] = [
  { decimal: '.', group: ',' },
  { decimal: '.', group: "'" },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
];

/** A number as a table with such marks writes it. */
export function figure(value: number, { decimal, group }: Marks, isGrouped: boolean): Cell {
  const [whole = '', fraction] = String(Math.abs(value)).split('.');
  const shown = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  const rest = fraction === undefined ? '' : `${decimal}${fraction}`;
  return { text: `${value < 0 ? '-' : ''}${shown}${rest}`, number: value };
}

/** The number of a text of which a contract states one mark or both. */
export function readFigure(own: string, { decimal, group }: Partial<Marks>): number {
  const point = decimal ?? (group === '.' ? ',' : '.');
  const between = group ?? (decimal === ',' ? '.' : ',');
  return Number(own.replaceAll(between, '').replace(point, '.'));
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const PARTS = /yyyy|yy|M{1,4}|dd?|HH|hh|mm|ss|a/g;

/** Writes a moment in UTC in a pattern of the contract's letters. */
export function writeTime(moment: Date, pattern: string): string {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  const hour = moment.getUTCHours();
  const values: Readonly<Record<string, string | number>> = {
    ...{ yyyy: year, yy: digits(year % 100), M: month + 1, MM: digits(month + 1), d: day, dd: digits(day) },
    ...{
      MMM: MONTHS[month]!.slice(0, 3),
      MMMM: MONTHS[month]!,
      HH: digits(hour),
      a: hour < 12 ? 'AM' : 'PM',
    },
    ...{
      hh: digits(hour % 12 || 12),
      mm: digits(moment.getUTCMinutes()),
      ss: digits(moment.getUTCSeconds()),
    },
  };
  return pattern.replace(PARTS, part => String(values[part]));
}

/** What a text in such a pattern says, as the API writes it. */
export function readTime(own: string, pattern: string): string {
  const parts: string[] = [];
  const expression = pattern.replaceAll('.', '\\.').replace(PARTS, part => {
    parts.push(part[0] === 'M' || part === 'a' ? part : part[0]!);
    if (part.length > 2 && part[0] === 'M') return '([a-z]+)';
    return part === 'a' ? '([ap]m)' : part.length === 1 ? '(\\d{1,2})' : `(\\d{${part.length}})`;
  });
  const found = new RegExp(`^${expression}$`, 'i').exec(own)?.slice(1) ?? [];
  const of = (part: string) => found[parts.findIndex(one => one.startsWith(part))];
  const month = of('M') ?? '';
  const named = MONTHS.findIndex(one => one.slice(0, 3).toLowerCase() === month.slice(0, 3).toLowerCase());
  const year = of('y') ?? '';
  const day = `${year.length === 2 ? '20' : ''}${year}-${digits(named < 0 ? Number(month) : named + 1)}-${digits(Number(of('d')))}`;
  const half = of('a')?.toLowerCase();
  const hour = half === undefined ? Number(of('H')) : (Number(of('h')) % 12) + (half === 'pm' ? 12 : 0);
  return parts.includes('m') ? `${day}T${digits(hour)}:${of('m')}:${of('s') ?? '00'}` : day;
}
