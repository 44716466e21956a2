/** Derives one figure per year from rows by pinning each axis to one value. */
import type { Scalar } from '../../../build/format/documents.ts';
import type { YearValue } from './line-path.ts';
import { columnAt, type Rows } from './rows.ts';

export type FigureRow = Readonly<Record<string, Scalar | null>>;

export interface FigureAxis {
  readonly column: string;
  /** The total of all other values; null if the axis has none. */
  readonly total: string | null;
  /** In order of preference. */
  readonly values: readonly string[];
}

interface FigureColumns {
  readonly year: string;
  readonly column: string;
  readonly margin: string | null;
}

/** One value per column; null if the rows have none. */
export type Pins = ReadonlyMap<string, string | null>;

function textOf(row: FigureRow, column: string): string | null {
  const value = row[column] ?? null;
  return value === null ? null : String(value);
}

/**
 * Pins totals first, if the remaining rows have them. Any other axis takes the first value that has a figure in the
 * remaining rows, else the first value. So every axis gets an existing value; without rows, none is pinned.
 */
export function settlePins(axes: readonly FigureAxis[], column: string, rows: readonly FigureRow[]): Pins {
  const pins = new Map<string, string | null>();
  let left = rows;
  const pin = (axis: FigureAxis, value: string | null) => {
    pins.set(axis.column, value);
    left = left.filter(row => textOf(row, axis.column) === value);
  };
  for (const axis of axes) {
    if (axis.total !== null && left.some(row => textOf(row, axis.column) === axis.total))
      pin(axis, axis.total);
  }
  for (const axis of axes) {
    if (pins.has(axis.column) || left.length === 0) continue;
    const held = (list: readonly FigureRow[]) => new Set(list.map(row => textOf(row, axis.column)));
    const known = held(left.filter(row => (row[column] ?? null) !== null));
    const any = held(left);
    const listed = axis.values.find(one => known.has(one)) ?? axis.values.find(one => any.has(one));
    pin(axis, listed ?? [...any][0] ?? null);
  }
  return pins;
}

export function matchesPins(row: FigureRow, pins: Pins): boolean {
  return [...pins].every(([column, value]) => textOf(row, column) === value);
}

export interface Figures {
  /** Ascending by year; null for a NULL figure. */
  readonly points: readonly YearValue[];
  readonly pins: Pins;
}

/** Returns the rows with only these columns. */
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
 * Derives the figures of one place from all its rows; the latest year with a figure settles the pins. Null if it has no
 * rows, or several rows in one year.
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
