/** The content of a drawing, and why there may be nothing to draw. */
import { t } from '../messages/messages.ts';
import type { BesideQuestion } from './chosen-places.ts';
import type { SeriesBreak } from './contract.ts';
import type { Figure } from './curve.tsx';
import { levelTitle, type Metric } from './dataset.ts';
import { formatCount } from './format.ts';
import type { ViewState } from './question.ts';
import type { Rows } from './rows.ts';
import type { Bar, Series } from './series.ts';
import type { Timeline } from './timeline.ts';
import { mapOf } from './views.ts';
import { describeNoRows, describeNull, metricName } from './wording.ts';

interface Drawn {
  readonly state: ViewState;
  readonly metric: Metric;
  /** What the view shows: figure, places, groups and years. */
  readonly title: string;
  /** Warnings and explanations. */
  readonly notes: readonly string[];
  /** For the table of figures. */
  readonly figures: readonly FigureCell[];
  readonly empty: boolean;
}

/** `year` is the figure's place on the timeline, null in bars and maps. */
interface FigureCell extends Figure {
  readonly key: string;
  readonly label: string;
  readonly year: number | null;
}

export interface BesideRows extends BesideQuestion {
  readonly rows: Rows;
}

export type Drawing = LineDrawing | BarDrawing | MapDrawing;

export interface DrawInput {
  readonly state: ViewState;
  readonly metric: Metric;
  readonly rows: Rows;
  /** Rows of places of other levels, and of the year before. */
  readonly beside: readonly BesideRows[];
}

export interface LineDrawing extends Drawn {
  readonly kind: 'lines';
  /** One, or small ones with a common scale. */
  readonly panels: readonly Panel[];
  readonly timeline: Timeline;
  /** The first and the last place on the timeline with a figure. */
  readonly years: readonly [number, number];
  /** Breaks of the series within the years. */
  readonly breaks: readonly SeriesBreak[];
}

export interface Panel {
  /** Empty if there is only one. */
  readonly title: string;
  readonly lines: readonly Line[];
  /** Values of the axis, ascending. */
  readonly ticks: readonly number[];
}

export interface Line {
  readonly series: Series;
  /** Empty if the panel's title says it. */
  readonly label: string;
  /** Position among the colours; null for grey. */
  readonly color: number | null;
}

export interface BarDrawing extends Drawn {
  readonly kind: 'bars';
  readonly bars: readonly DrawnBar[];
  /** Keys of the bars that are drawn before the reader asks for all. */
  readonly brief: ReadonlySet<string>;
  /** The year of the marks on the bars; null without marks. */
  readonly yearBefore: number | null;
  /** In words; null without time. */
  readonly period: string | null;
}

/** A bar of the question's level, of another level, of the whole or an axis's total, or of a larger place in grey. */
export type BarTone = 'own' | 'beside' | 'whole' | 'context';

export interface DrawnBar extends Bar {
  readonly tone: BarTone;
  /** The figure of a year earlier; null if none compares. */
  readonly before: number | null;
  readonly marginBefore: number | null;
}

export interface MapDrawing extends Drawn {
  readonly kind: 'map';
  /** Figures by the key of their place. */
  readonly areas: ReadonlyMap<string, Bar>;
  /** In words; null without time. */
  readonly period: string | null;
}

/** Says why there is nothing to draw: no rows, rows of another level, or unpublished figures. */
export function describeEmpty({ kind, state, metric, figures }: Drawing): string {
  const { dataset, detail } = state;
  const { level = detail } = (kind === 'map' && mapOf(state)) || {};
  if (level !== detail) return t.drawing.otherLevel(levelTitle(dataset, level));
  if (figures.length === 0) return describeNoRows(state);
  const meaning = describeNull(dataset, metric.column.name);
  return `${t.drawing.noFigures(t.counts.rows(figures.length), metricName(metric))} ${meaning}`;
}

/** Places that the note below names. */
const NAMED = 5;

/** Names the places with rows that the map has no shape for; null if there are none. */
export function describeUnmapped({ areas }: MapDrawing, keys: readonly string[]): string | null {
  if (keys.length === 0) return null;
  const named = keys.slice(0, NAMED).map(key => {
    const { label = key } = areas.get(key) ?? {};
    return label.includes(key) ? label : `${label} (${key})`;
  });
  const more = keys.length - NAMED;
  const names = more > 0 ? t.words.andMore(named.join(', '), formatCount(more)) : named.join(', ');
  return t.drawing.unmapped(keys.length, areas.size, names);
}
