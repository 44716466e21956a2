/** The one figure of a dataset's first view: in the dataset's line on the front page, and in its preview picture. */
import { t } from '../messages/messages.ts';
import type { DrawnView } from '../panel/pictures.ts';
import { chosenChoices } from '../view/choices.ts';
import type { YearValue } from '../view/curve.tsx';
import type { ExploredDataset } from '../view/dataset.ts';
import type { DrawnBar } from '../view/drawing.ts';
import { levelName } from '../view/levels.ts';
import { levelOf, type Question } from '../view/question.ts';
import { type Bar, median } from '../view/series.ts';
import { comparedAxis } from '../view/views.ts';
import type { FirstView } from './first-view.ts';

export interface Headline {
  /** The measure, the groups that it is of, the place or the level, and the period, in the order of the sentence above a view. */
  readonly name: string;
  readonly value: number;
  readonly unit: string | null;
  /** The line of the figure; empty if the view draws none. Ends with the figure itself. */
  readonly points: readonly YearValue[];
  /** The last years before a break of the line. */
  readonly breaks: readonly number[];
}

/**
 * Null if the first view has no one figure: it is a table, several lines, bars of groups, or one place without the whole.
 */
export function headlineOf(dataset: ExploredDataset, { state, drawn }: FirstView): Headline | null {
  if (drawn === null || drawn.drawing.empty) return null;
  const { drawing, metric } = drawn;
  const { question } = state;
  const of = (value: number, where: string, period: string, line: Pick<Headline, 'points' | 'breaks'>) => {
    const { label, unit } = metric.column;
    const name = [label, ...namedGroups(dataset, question), where, period].filter(Boolean).join(', ');
    return { name, value, unit, ...line };
  };
  const noLine = { points: [], breaks: [] };
  const ofPlaces = (places: readonly Bar[], period: string) => {
    const values = places.map(({ value }) => value).filter(value => value !== null);
    const middle = values.length < 2 ? null : median(values);
    if (middle === null) return null;
    return of(middle, t.front.medianOf(levelName(dataset, question.detail)), period, noLine);
  };
  switch (drawing.kind) {
    case 'lines': {
      const [line, ...others] = drawing.panels.flatMap(panel => panel.lines);
      const points = line?.series.points ?? [];
      const at = points.findLastIndex(({ value }) => value !== null);
      const { year, value = null } = points[at] ?? {};
      if (others.length > 0 || year === undefined || value === null) return null;
      const period = dataset.timeline?.label(year) ?? '';
      const breaks = drawing.breaks.map(({ after }) => after);
      const where = wholeOf(dataset, question.detail) ?? line?.series.place ?? '';
      return of(value, where, period, { points: points.slice(0, at + 1), breaks });
    }
    case 'bars': {
      const period = drawing.period === null ? '' : String(drawing.period);
      const own = wholeOf(dataset, question.detail);
      const whole =
        own === null ? drawing.bars.find(({ tone }) => tone === 'whole') : totalOf(dataset, drawn);
      if (whole && whole.value !== null) return of(whole.value, own ?? whole.label, period, noLine);
      if (own !== null) return null;
      return drawing.median === null ? null : ofPlaces(drawing.bars, period);
    }
    case 'map':
      return ofPlaces([...drawing.areas.values()], drawing.period === null ? '' : String(drawing.period));
    default:
      return drawing satisfies never;
  }
}

/** The bar of the whole: the only one, or among those of groups the one of their total. */
function totalOf(dataset: ExploredDataset, { drawing, state }: DrawnView): DrawnBar | undefined {
  if (drawing.kind !== 'bars') return undefined;
  const axis = comparedAxis(dataset, state.question);
  if (axis === null) return drawing.bars.length === 1 ? drawing.bars[0] : undefined;
  const total = axis.choices.find(({ value }) => value === axis.total);
  return total && drawing.bars.find(({ label }) => label === total.label);
}

/** The area's name if the level is the whole; null if it has places. */
function wholeOf(dataset: ExploredDataset, detail: string): string | null {
  return levelOf(dataset, detail).places.length === 0 ? (dataset.schema.area ?? '') : null;
}

/** The chosen values of axes, but for totals. */
function namedGroups({ fields }: ExploredDataset, { filters }: Question): string[] {
  return fields
    .filter(({ kind, param, total }) => kind === 'axis' && filters.get(param)?.join() !== total)
    .flatMap(field => chosenChoices(field, filters).map(({ label }) => label));
}
