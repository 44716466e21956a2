/** Derives one figure per year from rows, by pinning each axis to one value; and compares two figures. */
import { t } from '../messages/messages.ts';
import type { Figure, YearValue } from './curve.tsx';
import { formatMargin, formatSize } from './format.ts';
import { cellsOf, numbersOf, type Rows, rowNumbers } from './rows.ts';

export interface FigureAxis {
  readonly column: string;
  /** The total of all other values; null if the axis has none. */
  readonly total: string | null;
  /** The value that the contract names for the key figure; null if it names none. */
  readonly headline?: string | null;
  /** Of values with equally many figures, an earlier one is preferred. */
  readonly values: readonly string[];
}

/** One value per column; null if the rows have NULL. */
export type Pins = ReadonlyMap<string, string | null>;

function textsOf(rows: Rows, column: string): (row: number) => string | null {
  const cell = cellsOf(rows, column);
  return row => {
    const value = cell(row);
    return value === null ? null : String(value);
  };
}

/** The total, else the contract's value, else the value that counts most. `counts` has the possible values. */
export function choosePin<Value extends string | null>(
  { total, headline = null, values }: FigureAxis,
  counts: ReadonlyMap<Value, number>,
): Value | null {
  const wanted = [...counts.keys()].filter(
    value => value !== null && (value === total || value === headline),
  );
  const positions = new Map<string | null, number>(values.map((value, at) => [value, at]));
  const order = (value: Value) => (value === null ? Infinity : (positions.get(value) ?? -1));
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || order(a) - order(b));
  return wanted.find(value => value === total) ?? wanted[0] ?? most?.[0] ?? null;
}

/**
 * Pins totals first, if the rows that are left have a figure there, then every other axis. The value of the most figures
 * counts most; without figures, that of the most rows. `left`: the numbers of the rows.
 */
export function settlePins(
  axes: readonly FigureAxis[],
  metric: string,
  rows: Rows,
  left: readonly number[],
): Pins {
  const pins = new Map<string, string | null>();
  const figure = cellsOf(rows, metric);
  for (const isTotal of [true, false])
    for (const axis of axes) {
      if (pins.has(axis.column) || left.length === 0) continue;
      const text = textsOf(rows, axis.column);
      const known = left.filter(row => figure(row) !== null);
      const counts = new Map<string | null, number>();
      for (const row of known.length > 0 ? known : left)
        counts.set(text(row), (counts.get(text(row)) ?? 0) + 1);
      const pin = choosePin(axis, counts);
      if (isTotal && (pin === null || pin !== axis.total)) continue;
      pins.set(axis.column, pin);
      left = left.filter(row => text(row) === pin);
    }
  return pins;
}

/** The numbers of the rows with the pins' values. */
export function pinnedRows(rows: Rows, pins: Pins): number[] {
  const texts = [...pins].map(([column, value]) => ({ text: textsOf(rows, column), value }));
  return rowNumbers(rows).filter(row => texts.every(({ text, value }) => text(row) === value));
}

/** The numbers of those rows that are of the latest year among them. */
export function ofLatestYear(rows: Rows, year: string, among: readonly number[]): number[] {
  const yearAt = cellsOf(rows, year);
  const latest = among.reduce((most, row) => Math.max(most, Number(yearAt(row))), -Infinity);
  return among.filter(row => Number(yearAt(row)) === latest);
}

interface FigureColumns {
  readonly year: string;
  readonly column: string;
  readonly margin: string | null;
}

export function yearValuesOf(
  rows: Rows,
  { year, column, margin }: FigureColumns,
): (row: number) => YearValue {
  const [yearAt, valueAt, marginAt] = [cellsOf(rows, year), numbersOf(rows, column), numbersOf(rows, margin)];
  return row => ({ year: Number(yearAt(row)), value: valueAt(row), margin: marginAt(row) });
}

interface Figures {
  /** Ascending by year; null for a NULL figure. */
  readonly points: readonly YearValue[];
  readonly pins: Pins;
}

/**
 * The figures of one place from all its rows. The latest year with a figure decides the pins. Null if there are no rows,
 * or several in one year.
 */
export function deriveFigures(
  columns: FigureColumns,
  axes: readonly FigureAxis[],
  rows: Rows,
): Figures | null {
  const all = rowNumbers(rows);
  const yearValue = yearValuesOf(rows, columns);
  const known = all.filter(row => yearValue(row).value !== null);
  const settling = ofLatestYear(rows, columns.year, known.length > 0 ? known : all);
  const pins = settlePins(axes, columns.column, rows, settling);
  const points = pinnedRows(rows, pins)
    .map(yearValue)
    .sort((a, b) => a.year - b.year);
  const alone = points.every((point, i) => point.year !== points[i + 1]?.year);
  return alone && points.length > 0 ? { points, pins } : null;
}

export interface Difference {
  /** The first figure less the second. */
  readonly value: number;
  /** The first, or the second if the first is zero. */
  readonly figure: number;
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
  return {
    value,
    figure: one.value || other.value,
    margin,
    isClear: value !== 0 && (margin === null || Math.abs(value) > margin),
  };
}

/**
 * `6.4 points more than in 2023`, `6.4 points more (±1.2 points) than Bell`, `no clear difference from Bell`. `other` is a
 * name, or a time such as `in 2023`.
 */
export function describeDifference(
  { value, figure, margin, isClear }: Difference,
  unit: string | null,
  other: string,
): string {
  const around = margin === null ? '' : ` (${formatMargin(margin, unit)})`;
  const size = formatSize(value, unit, figure);
  if (margin !== null && !isClear) return t.difference.unclear(around, other);
  if (!/[1-9]/.test(size)) return t.difference.same(other);
  const { more, less, fewer } = t.difference;
  return (value > 0 ? more : unit === 'count' ? fewer : less)(size, around, other);
}
