/** Rows → lines over years and bars, with nothing joined that is not comparable and nothing filled in. */
import type { SeriesBreak } from './comparability.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import { titleName } from './format.ts';
import { nameRows } from './identity.ts';
import type { Question } from './question.ts';
import { columnAt, numberAt, type Rows } from './rows.ts';

export interface Figure {
  readonly value: number | null;
  /** Half the width of the interval; null where none is published. */
  readonly margin: number | null;
  /** Ends of the interval, as far as the column can have such values; null where there is none. */
  readonly interval: readonly [number, number] | null;
}

export interface Point extends Figure {
  readonly year: number;
}

export interface Series {
  readonly key: string;
  readonly label: string;
  /** Every year that has a row, ascending; a value that is NULL is null. */
  readonly points: readonly Point[];
  /** What may be joined by a line: years in a row, all with a value, and no break between them. Of one point or more. */
  readonly segments: readonly (readonly Point[])[];
}

export interface Bar extends Figure {
  readonly key: string;
  readonly label: string;
}

/** Series in the order in which the rows bring them. */
export function deriveSeries(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
): Series[] {
  const names = nameRows(dataset, question, rows);
  const yearAt = columnAt(rows, dataset.yearColumn);
  const breaks = dataset.comparability.breaksOf(metric.column.name, question.detail);
  const groups = new Map<string, { label: string; points: Point[] }>();
  for (const [row, { key, label }] of names.entries()) {
    const year = numberAt(rows, row, yearAt);
    if (year === null) continue;
    const group = groups.get(key) ?? { label, points: [] };
    groups.set(key, group);
    group.points.push({ year, ...figureAt(rows, row, metric) });
  }
  return [...groups].map(([key, { label, points }]) => {
    points.sort((a, b) => a.year - b.year);
    return { key, label, points, segments: splitSegments(points, breaks) };
  });
}

export function deriveBars(dataset: ExploredDataset, question: Question, metric: Metric, rows: Rows): Bar[] {
  return nameRows(dataset, question, rows).map((identity, row) => ({
    key: identity.key,
    label: identity.label || titleName(question.detail),
    ...figureAt(rows, row, metric),
  }));
}

function figureAt(rows: Rows, row: number, { column, margin: marginColumn }: Metric): Figure {
  const value = numberAt(rows, row, columnAt(rows, column.name));
  const margin = marginColumn && numberAt(rows, row, columnAt(rows, marginColumn.name));
  if (value === null || margin === null) return { value, margin, interval: null };
  const least = column.value_min ?? (NEVER_NEGATIVE.has(column.unit ?? '') ? 0 : -Infinity);
  const most = column.value_max ?? (column.unit === 'proportion' ? 1 : Infinity);
  return { value, margin, interval: [Math.max(least, value - margin), Math.min(most, value + margin)] };
}

/** Units whose values are at least zero: an interval that says otherwise is the method's. */
const NEVER_NEGATIVE = new Set(['count', 'proportion', 'ratio', 'percentile']);

export function splitSegments(points: readonly Point[], breaks: readonly SeriesBreak[]): Point[][] {
  const segments: Point[][] = [];
  let before: Point | null = null;
  for (const point of points) {
    if (point.value !== null) {
      const follows =
        before !== null &&
        before.value !== null &&
        before.year + 1 === point.year &&
        !breaks.some(({ after }) => before!.year <= after && after < point.year);
      if (follows) segments.at(-1)!.push(point);
      else segments.push([point]);
    }
    before = point;
  }
  return segments;
}
