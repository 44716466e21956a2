/** Derives lines and bars from rows. Lines join only comparable periods, and fill no gaps. */
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import { formatMargin, formatNumber } from './format.ts';
import { type Identity, nameRows } from './identity.ts';
import { levelTitle } from './levels.ts';
import { splitRuns } from './line-path.ts';
import type { Question } from './question.ts';
import { columnAt, numberAt, type Rows } from './rows.ts';

interface Figure {
  readonly value: number | null;
  /** Half the width of the interval; null if unpublished. */
  readonly margin: number | null;
  /** Ends of the interval, within the column's possible values; null if it has none. */
  readonly interval: readonly [number, number] | null;
}

export interface Point extends Figure {
  /** The year; on another timeline, the place of the period or the moment. */
  readonly year: number;
}

export interface Series {
  readonly key: string;
  readonly label: string;
  /** The level of its rows. */
  readonly detail: string;
  /** The place in full. */
  readonly place: string;
  /** The values of the axes that differ; empty if none does. */
  readonly group: string;
  /** Every period with a row, ascending. */
  readonly points: readonly Point[];
  /** Runs of consecutive periods with values and no break between them; at least one point each. */
  readonly segments: readonly (readonly Point[])[];
}

export interface Bar extends Figure {
  readonly key: string;
  readonly label: string;
}

/** Derives series in the order of the rows. `named`: name the place although the question has only one. */
export function deriveSeries(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  named: boolean,
): Series[] {
  const names = nameRows(dataset, question, rows, named);
  const { timeline } = dataset;
  const timeAt = columnAt(rows, timeline?.column ?? '');
  const breaks = dataset.comparability
    .breaksOf(metric.column.name, question.detail)
    .map(({ after }) => after);
  const groups = new Map<string, { identity: Identity; points: Point[] }>();
  for (const [row, identity] of names.entries()) {
    const year = timeAt < 0 ? null : (timeline?.at(rows.cell(row, timeAt)) ?? null);
    if (year === null) continue;
    const group = groups.get(identity.key) ?? { identity, points: [] };
    groups.set(identity.key, group);
    group.points.push({ year, ...figureAt(rows, row, metric) });
  }
  return [...groups.values()].map(({ identity, points }) => {
    points.sort((a, b) => a.year - b.year);
    const segments = splitRuns(points, breaks, timeline);
    return { ...identity, detail: question.detail, points, segments };
  });
}

export function deriveBars(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  named = false,
): Bar[] {
  return nameRows(dataset, question, rows, named).map((identity, row) => ({
    key: `${question.detail} ${identity.key}`,
    label: identity.label || levelTitle(dataset, question.detail),
    ...figureAt(rows, row, metric),
  }));
}

/** Adds the level to names that series of two levels share. */
export function nameApart<Held extends { readonly series: Series }>(
  dataset: ExploredDataset,
  held: readonly Held[],
): Held[] {
  return held.map(one => {
    const { label, place, detail } = one.series;
    if (!held.some(({ series }) => series.label === label && series.detail !== detail)) return one;
    const level = ` (${levelTitle(dataset, detail)})`;
    return { ...one, series: { ...one.series, label: label + level, place: place + level } };
  });
}

/** A figure in words: name, value, margin and period. */
export function describeFigure(
  { label, value, margin }: Bar,
  unit: string | null,
  period: number | string | null,
): string {
  return `${label}${period === null ? '' : `, ${period}`}: ${sayValue({ value, margin }, unit)}`;
}

/** Value, margin and whether it is unreliable. */
export function sayValue({ value, margin }: Pick<Figure, 'value' | 'margin'>, unit: string | null): string {
  const said = value === null ? t.words.noFigure : formatNumber(value, unit);
  const around = margin === null ? '' : ` ${formatMargin(margin, unit, 'points')}`;
  return `${said}${around}${isUnreliable({ value, margin }) ? `, ${t.words.unreliable}` : ''}`;
}

/** Whether the margin of error is more than half of the figure. */
export function isUnreliable({ value, margin }: Pick<Figure, 'value' | 'margin'>): boolean {
  return value !== null && margin !== null && margin > Math.abs(value) / 2;
}

function figureAt(rows: Rows, row: number, { column, margin: marginColumn }: Metric): Figure {
  const value = numberAt(rows, row, columnAt(rows, column.name));
  const margin = marginColumn && numberAt(rows, row, columnAt(rows, marginColumn.name));
  if (value === null || margin === null) return { value, margin, interval: null };
  const least = column.value_min ?? (NEVER_NEGATIVE.has(column.unit ?? '') ? 0 : -Infinity);
  const most = column.value_max ?? (column.unit === 'proportion' ? 1 : Infinity);
  return { value, margin, interval: [Math.max(least, value - margin), Math.min(most, value + margin)] };
}

/** Returns all values and ends of intervals: an axis includes them. */
export function seriesEnds(series: readonly Series[]): number[] {
  return series.flatMap(({ points }) =>
    points.flatMap(({ value, interval }) => (value === null ? [] : [value, ...(interval ?? [])])),
  );
}

/** Units without negative values: an interval stops at zero. */
const NEVER_NEGATIVE = new Set(['count', 'proportion', 'ratio', 'percentile']);

/** Null without values. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
