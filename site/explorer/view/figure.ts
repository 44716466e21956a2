/** One figure a year out of rows: each axis is pinned to one value. */
import type { Scalar } from '../../../build/format/documents.ts';
import type { YearValue } from './line-path.ts';

export type FigureRow = Readonly<Record<string, Scalar | null>>;

export interface FigureAxis {
  readonly column: string;
  /** The value that holds all others; null where there is none. */
  readonly total: string | null;
  /** In the order in which one is chosen. */
  readonly values: readonly string[];
}

export interface FigureColumns {
  readonly year: string;
  readonly column: string;
  readonly margin: string | null;
}

const textOf = (row: FigureRow, column: string) => String(row[column] ?? '');

/** An axis without a total takes the first value that the rows left have with a figure, else the first they have. */
export function settlePins(
  axes: readonly FigureAxis[],
  column: string,
  rows: readonly FigureRow[],
): Map<string, string> {
  const pins = new Map<string, string>();
  let left = rows;
  for (const axis of axes) {
    const held = (list: readonly FigureRow[]) => new Set(list.map(row => textOf(row, axis.column)));
    const known = held(left.filter(row => (row[column] ?? null) !== null));
    const any = held(left);
    const value =
      axis.total ?? axis.values.find(one => known.has(one)) ?? axis.values.find(one => any.has(one));
    if (value === undefined) continue;
    pins.set(axis.column, value);
    left = left.filter(row => textOf(row, axis.column) === value);
  }
  return pins;
}

export function matchesPins(row: FigureRow, pins: ReadonlyMap<string, string>): boolean {
  return [...pins].every(([column, value]) => textOf(row, column) === value);
}

export interface Figures {
  /** Ascending by year; a year whose figure is NULL has null. */
  readonly points: readonly YearValue[];
  readonly pins: ReadonlyMap<string, string>;
}

/**
 * The figures of one place, from all its rows; pins are settled by its latest year. Null where it has no rows, or
 * where several remain in a year: then there is no one figure.
 */
export function deriveFigures(
  columns: FigureColumns,
  axes: readonly FigureAxis[],
  rows: readonly FigureRow[],
): Figures | null {
  const latest = Math.max(...rows.map(row => Number(row[columns.year])));
  if (rows.length === 0) return null;
  const pins = settlePins(
    axes,
    columns.column,
    rows.filter(row => row[columns.year] === latest),
  );
  const left = rows.filter(row => matchesPins(row, pins));
  const number = (value: Scalar | null | undefined) => (typeof value === 'number' ? value : null);
  const points = left
    .map(row => ({
      year: Number(row[columns.year]),
      value: number(row[columns.column]),
      margin: columns.margin === null ? null : number(row[columns.margin]),
    }))
    .sort((a, b) => a.year - b.year);
  const alone = points.every((point, i) => point.year !== points[i + 1]?.year);
  return alone && points.length > 0 ? { points, pins } : null;
}
