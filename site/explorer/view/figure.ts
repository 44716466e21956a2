/** Derives one figure per year from rows, by pinning each axis to one value; and compares two figures. */
import type { Scalar } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import type { Figure, YearValue } from './curve.tsx';
import { formatMargin, formatSize } from './format.ts';
import { columnAt, type Rows } from './rows.ts';

export type FigureRow = Readonly<Record<string, Scalar | null>>;

export interface FigureAxis {
  readonly column: string;
  /** The total of all other values; null if the axis has none. */
  readonly total: string | null;
  /** The value that the contract names for the key figure; null if it names none. */
  readonly headline?: string | null;
  /** Of values with equally many figures, an earlier one is preferred. */
  readonly values: readonly string[];
}

interface FigureColumns {
  readonly year: string;
  readonly column: string;
  readonly margin: string | null;
}

/** One value per column; null if the rows have NULL. */
export type Pins = ReadonlyMap<string, string | null>;

function textOf(row: FigureRow, column: string): string | null {
  const value = row[column] ?? null;
  return value === null ? null : String(value);
}

/**
 * Pins totals first, if the remaining rows have a figure there. Every other axis takes the contract's value if it has a
 * figure in the remaining rows, else the value with the most figures. Without rows, pins nothing.
 */
export function settlePins(axes: readonly FigureAxis[], column: string, rows: readonly FigureRow[]): Pins {
  const pins = new Map<string, string | null>();
  let left = rows;
  const countsOf = (axis: FigureAxis, isCounted: (row: FigureRow) => boolean) => {
    const counts = new Map<string | null, number>();
    for (const row of left)
      if (isCounted(row)) {
        const value = textOf(row, axis.column);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    return counts;
  };
  const hasFigure = (row: FigureRow) => (row[column] ?? null) !== null;
  const pin = (axis: FigureAxis, value: string | null) => {
    pins.set(axis.column, value);
    left = left.filter(row => textOf(row, axis.column) === value);
  };
  for (const axis of axes) {
    if (axis.total !== null && left.some(row => hasFigure(row) && textOf(row, axis.column) === axis.total))
      pin(axis, axis.total);
  }
  for (const axis of axes) {
    if (pins.has(axis.column) || left.length === 0) continue;
    const figures = countsOf(axis, hasFigure);
    const counts = figures.size > 0 ? figures : countsOf(axis, () => true);
    const wanted = [axis.total, axis.headline ?? null].find(value => value !== null && counts.has(value));
    const positions = new Map(axis.values.map((value, at) => [value, at]));
    const order = (value: string | null) => (value === null ? Infinity : (positions.get(value) ?? -1));
    const [most] = [...counts].sort(([a, m], [b, n]) => n - m || order(a) - order(b));
    pin(axis, wanted ?? most?.[0] ?? null);
  }
  return pins;
}

export function matchesPins(row: FigureRow, pins: Pins): boolean {
  return [...pins].every(([column, value]) => textOf(row, column) === value);
}

export function yearValueOf(row: FigureRow, { year, column, margin }: FigureColumns): YearValue {
  const number = (name: string | null) => {
    const value = name === null ? null : row[name];
    return typeof value === 'number' ? value : null;
  };
  return { year: Number(row[year]), value: number(column), margin: number(margin) };
}

interface Figures {
  /** Ascending by year; null for a NULL figure. */
  readonly points: readonly YearValue[];
  readonly pins: Pins;
}

/** The rows as objects with only these columns. */
export function takeFigureRows(rows: Rows, columns: readonly (string | null)[]): FigureRow[] {
  const taken = [...new Set(columns)].flatMap(name => {
    const at = name === null ? -1 : columnAt(rows, name);
    return name === null || at < 0 ? [] : [{ name, at }];
  });
  return Array.from({ length: rows.rows }, (_, row) =>
    Object.fromEntries(taken.map(({ name, at }) => [name, rows.cell(row, at)])),
  );
}

export function rowsOfLatestYear(rows: readonly FigureRow[], year: string): FigureRow[] {
  const latest = rows.reduce((most, row) => Math.max(most, Number(row[year])), -Infinity);
  return rows.filter(row => Number(row[year]) === latest);
}

/**
 * The figures of one place from all its rows. The latest year with a figure decides the pins. Null if there are no rows,
 * or several in one year.
 */
export function deriveFigures(
  columns: FigureColumns,
  axes: readonly FigureAxis[],
  rows: readonly FigureRow[],
): Figures | null {
  const known = rows.filter(row => typeof row[columns.column] === 'number');
  const settling = rowsOfLatestYear(known.length > 0 ? known : rows, columns.year);
  const pins = settlePins(axes, columns.column, settling);
  const left = rows.filter(row => matchesPins(row, pins));
  const points = left.map(row => yearValueOf(row, columns)).sort((a, b) => a.year - b.year);
  const alone = points.every((point, i) => point.year !== points[i + 1]?.year);
  return alone && points.length > 0 ? { points, pins } : null;
}

export interface Difference {
  /** The first figure less the second. */
  readonly value: number;
  /** At 90%; null unless both figures have one. */
  readonly margin: number | null;
  /** False if the difference is within its margin. */
  readonly isClear: boolean;
}

/**
 * Null without both figures. The margin is the square root of the sum of both margins' squares: U.S. Census Bureau,
 * "Understanding and Using American Community Survey Data: What All Data Users Need to Know" (2020), chapter 8. Only for
 * estimates that share no answers.
 */
export function differenceOf(one: Figure, other: Figure): Difference | null {
  if (one.value === null || other.value === null) return null;
  const value = one.value - other.value;
  const margin = one.margin === null || other.margin === null ? null : Math.hypot(one.margin, other.margin);
  return { value, margin, isClear: value !== 0 && (margin === null || Math.abs(value) > margin) };
}

/**
 * `6.4 points more than in 2023`, `6.4 points more (±1.2 points) than Bell`, `no clear difference from Bell`. `other` is a
 * name, or a time such as `in 2023`.
 */
export function describeDifference(
  { value, margin, isClear }: Difference,
  unit: string | null,
  other: string,
): string {
  const around = margin === null ? '' : ` (${formatMargin(margin, unit)})`;
  const size = formatSize(value, unit);
  if (margin !== null && !isClear) return t.difference.unclear(around, other);
  if (!/[1-9]/.test(size)) return t.difference.same(other);
  return value > 0 ? t.difference.more(size, around, other) : t.difference.less(size, around, other);
}
