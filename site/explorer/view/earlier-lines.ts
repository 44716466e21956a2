/** Lines of figures as they were published earlier, beside those of today. */
import type { ChangesDocument } from '../../../build/format/changes.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import type { BesideRows, Line, Panel } from './drawing-parts.ts';
import { countOf } from './format.ts';
import { columnAt } from './rows.ts';
import { deriveSeries, type Series } from './series.ts';

/** What was published as of a date. */
export interface EarlierSeries {
  readonly asOf: string;
  readonly series: readonly Series[];
}

/** Null if the reader did not ask for earlier figures, or they could not be read. */
export function deriveEarlier(
  dataset: ExploredDataset,
  metric: Metric,
  beside: readonly BesideRows[],
): EarlierSeries | null {
  const asOf = beside.find(one => one.asOf !== null)?.asOf ?? null;
  if (asOf === null) return null;
  // The figure may be younger than that.
  const found = beside.filter(one => one.asOf !== null && columnAt(one.rows, metric.column.name) >= 0);
  const series = found.flatMap(({ question, rows }) => deriveSeries(dataset, question, metric, rows, true));
  return { asOf, series };
}

/** Adds, in the colour of each line, the earlier line of the same figures, where one of them was another. */
export function withEarlier(panel: Panel, then: EarlierSeries | null): Panel {
  if (then === null) return panel;
  const lines = panel.lines.flatMap((line): Line[] => {
    const series = line.color === null ? undefined : earlierOf(line, then);
    return series === undefined || countChanges(line.series, series) === 0
      ? []
      : [{ ...line, series: { ...series, label: line.series.label }, asOf: then.asOf }];
  });
  return { ...panel, lines: [...panel.lines, ...lines] };
}

export function describeEarlier(then: EarlierSeries | null, lines: readonly Line[]): string[] {
  if (then === null) return [];
  const { asOf } = then;
  const today = lines.filter(line => line.asOf === null && line.color !== null);
  const known = today.flatMap(line => earlierOf(line, then) ?? []);
  if (known.length === 0) return [`None of these figures was published as of ${asOf}.`];
  const changed = today.reduce((sum, line) => {
    const series = earlierOf(line, then);
    return sum + (series === undefined ? 0 : countChanges(line.series, series));
  }, 0);
  return changed === 0
    ? [`As of ${asOf}, every figure that was published here was the same.`]
    : [`Dashed lines show what was published as of ${asOf}: ${countOf(changed, 'figure')} differed.`];
}

/** The days as of which other figures were published than today's, the newest first, and the chosen one. */
export function listEarlier(changes: ChangesDocument | null, chosen: string | null): string[] {
  const [latest, ...before] = changes?.releases ?? [];
  const days =
    changes === null || latest === undefined ? [] : [...before.map(one => one.date), changes.since];
  const listed = new Set(days.filter(day => day !== latest?.date));
  if (chosen !== null) listed.add(chosen);
  return [...listed].sort().reverse();
}

function earlierOf({ series: { detail, key } }: Line, { series }: EarlierSeries): Series | undefined {
  return series.find(one => one.detail === detail && one.key === key);
}

/** Figures of then that are others today, or gone. Those that came later are no change. */
function countChanges(today: Series, then: Series): number {
  return then.points.filter(
    ({ year, value }) => today.points.find(point => point.year === year)?.value !== value,
  ).length;
}
