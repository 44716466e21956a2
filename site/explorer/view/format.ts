/** Formats figures, years and sizes in the tree's language. */
import type { Scalar, ColumnDescriptor } from '../../../build/format/documents.ts';
import { spellYears } from '../../../build/format/time-text.ts';
import { t } from '../messages/messages.ts';
import { countOf, formatDecimal, writeNumber } from '../messages/numbers.ts';
import type { Figure } from './curve.tsx';

export { countOf, formatCount, formatDecimal } from '../messages/numbers.ts';

type FormattedColumn = Pick<ColumnDescriptor, 'type' | 'unit'> & {
  /** Whether the values are margins of error. */
  readonly isMargin?: boolean;
};

/** Units that aren't written after a number. */
const SILENT = new Set(['count', 'score', 'rating', 'ratio', 'percentile']);

/** Units that are currencies, with their ISO codes. In contracts, `currency` means dollars. */
const CURRENCIES = new Map([
  ['currency', 'USD'],
  ...['USD', 'EUR', 'GBP', 'JPY'].map(code => [code, code]),
] as [string, string][]);

/** Shown for NULL; the page explains it nearby. */
export const NULL_MARK = '–';

/** How many percent one is, if the unit is a share; else null. */
export function percentOfOne(unit: string | null): 100 | 1 | null {
  return unit === 'proportion' ? 100 : unit === 'percent' ? 1 : null;
}

/**
 * Formats a number in its unit: the proportion 0.8406 as 84.1%, the currency 55204 as $55,204. `figure`: of a difference,
 * one of its figures, because differences have the decimals of small figures.
 */
export function formatNumber(value: number, unit: string | null, figure = value): string {
  const decimals = Math.max(decimalsOf(value, unit), decimalsOfSmall(figure, unit));
  const share = percentOfOne(unit);
  if (share !== null)
    return writeNumber((value * share) / 100, { style: 'percent', maximumFractionDigits: decimals });
  if (!isMoney(unit)) return formatDecimal(value, decimals);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return writeNumber(value, { ...moneyOf(unit), ...digits });
}

function isMoney(unit: string | null): unit is string {
  return unit !== null && CURRENCIES.has(unit);
}

function moneyOf(unit: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency: CURRENCIES.get(unit)!, currencyDisplay: 'narrowSymbol' };
}

/** The most decimals of a number; for a proportion, those of its percentage. */
function decimalsOf(value: number, unit: string | null): number {
  if (unit === 'proportion') return 1;
  if (Number.isInteger(value)) return 0;
  if (isMoney(unit)) return Math.abs(value) < 100 ? 2 : 0;
  return unit === 'ratio' || Math.abs(value) < 1 ? 3 : 2;
}

/** The decimals that a figure needs so that it doesn't read as zero; 0 if it doesn't. Browsers write at most 20. */
function decimalsOfSmall(figure: number, unit: string | null): number {
  const size = Math.abs(unit === 'proportion' ? figure * 100 : figure);
  const isSmall = size > 0 && size * 10 ** decimalsOf(figure, unit) < 0.5;
  return isSmall ? Math.min(20, 1 - Math.floor(Math.log10(size))) : 0;
}

/**
 * Formats a number for a chart's axis: `$15.5M`. If one number of the axis is long, all are compact, unless that makes two
 * of them equal.
 */
export function formatTick(value: number, unit: string | null, axis: readonly number[] = [value]): string {
  const digits = { minimumFractionDigits: 0, maximumFractionDigits: 2 };
  const compact = { notation: 'compact', ...(isMoney(unit) ? moneyOf(unit) : {}), ...digits } as const;
  const isLong = unit !== 'proportion' && axis.some(tick => Math.abs(tick) >= 100_000);
  if (isLong && new Set(axis.map(tick => writeNumber(tick, compact))).size === axis.length)
    return writeNumber(value, compact);
  const steps = axis.slice(1).map((tick, i) => tick - axis[i]!);
  return formatNumber(value, unit, steps.length === 0 ? value : Math.min(...steps));
}

/** Formats a difference without its sign. Shares differ by points: 0.013 is `1.3 points`. */
export function formatSize(value: number, unit: string | null, figure = value): string {
  const points = formatPoints(value, unit, figure);
  return points === null ? formatNumber(Math.abs(value), unit, figure) : t.format.points(points);
}

/** Null unless the unit is a share. */
function formatPoints(value: number, unit: string | null, figure: number): string | null {
  const share = percentOfOne(unit);
  const decimals = Math.max(decimalsOf(value, unit), decimalsOfSmall(figure, unit));
  return share === null ? null : formatDecimal(Math.abs(value) * share, decimals);
}

/** Formats a margin of error; that of a share is in points. */
export function formatMargin(value: number, unit: string | null): string {
  return `±${formatSize(value, unit)}`;
}

/** Formats a figure with its margin of error: `84.1% ±1.2 points`. */
export function formatFigure({ value, margin }: Figure, unit: string | null): string {
  if (value === null) return t.words.noFigure;
  const said = formatNumber(value, unit);
  return margin === null ? said : `${said} ${formatMargin(margin, unit)}`;
}

/** Formats a change with its sign; that of a share in points: 0.013 is +1.3. */
export function formatChange(value: number, unit: string | null, figure: number): string {
  const size = formatPoints(value, unit, figure) ?? formatNumber(Math.abs(value), unit, figure);
  if (!/[1-9]/.test(size)) return size;
  return `${value < 0 ? '−' : '+'}${size}`;
}

/** The unit that follows a number, such as `days`; null if the number already shows it. */
export function spellUnit(unit: string | null): string | null {
  return unit === null || SILENT.has(unit) || isMoney(unit) || percentOfOne(unit) !== null ? null : unit;
}

/** Null if the column has no unit. */
export function describeUnit(unit: string | null): string | null {
  if (unit === 'proportion') return t.format.share;
  if (unit === 'currency') return t.format.dollars;
  return unit;
}

/** Formats a table cell; NULL becomes NULL_MARK. Codes and years aren't changed. */
export function formatCell(value: Scalar | null, { type, unit, isMargin }: FormattedColumn): string {
  if (value === null) return NULL_MARK;
  if (typeof value === 'number' && isMargin) return formatMargin(value, unit);
  if (typeof value === 'boolean') return value ? t.format.yes : t.format.no;
  if (typeof value === 'number' && (type === 'number' || unit !== null)) return formatNumber(value, unit);
  return String(value);
}

/** A dataset's years; empty if it has no time. */
export function spanOf({ available_years }: { readonly available_years: readonly number[] }): string[] {
  return available_years.length === 0 ? [] : [formatYears(available_years)];
}

/** Formats ascending years as `2014–2024, without 2016, 2020–2023`. */
export function formatYears(years: readonly number[]): string {
  const first = years[0];
  const last = years.at(-1);
  if (first === undefined || last === undefined) return t.format.noYears;
  if (first === last) return String(first);
  const missing = missingYears(years);
  const span = `${first}–${last}`;
  return missing.length === 0 ? span : t.format.without(span, spellYears(missing, '–'));
}

/** The years missing between the first and the last. */
export function missingYears(years: readonly number[]): number[] {
  const known = new Set(years);
  const missing: number[] = [];
  const last = years.at(-1) ?? 0;
  for (let year = (years[0] ?? 0) + 1; year < last; year++) if (!known.has(year)) missing.push(year);
  return missing;
}

/** Formats bytes with two or three digits: 950 bytes, 12 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  for (const [size, unit] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
  ] as const) {
    if (bytes >= size * 0.9995) return `${formatDecimal(bytes / size, bytes < 10 * size ? 1 : 0)} ${unit}`;
  }
  return `${formatDecimal(bytes / 1000, bytes < 10_000 ? 1 : 0)} kB`;
}

/**
 * Spells a name for a sentence: `block_groups` as `block groups`, `grade-5` as `grade 5`. In a name with another separator or
 * with capitals, a hyphen belongs to a word: `Asian, non-Hispanic`, `age_18-24`.
 */
export function spellName(name: string): string {
  const separators = /[\s_]|\p{Lu}/u.test(name) ? /_+/g : /[_-]+/g;
  return name.replaceAll(separators, ' ').trim();
}

/** Spells a name with a capital. */
export function titleName(name: string): string {
  const words = spellName(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
