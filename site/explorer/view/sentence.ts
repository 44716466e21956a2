/** The sentence above a view: its figure, and the difference from the year before or from another place. */
import { t } from '../messages/messages.ts';
import { joinWords } from '../messages/numbers.ts';
import { type Figure, isKnown, type Known } from './curve.tsx';
import { hasNamedLevels, levelName, levelTitle } from './dataset.ts';
import type { BarTone, Drawing, LineDrawing } from './drawing.ts';
import { describeDifference, differenceOf } from './figure.ts';
import { formatCount, formatNumber } from './format.ts';
import { comparisonOf, leafPlace, type Question } from './question.ts';
import type { Bar, Series } from './series.ts';
import { sayTime } from './timeline.ts';
import { comparedAxis, hasSeveralPlaces } from './views.ts';
import { metricName, namePins } from './wording.ts';

/** What is before the figure, the figure, and what is after it. Empty without a figure. */
export type Sentence = readonly [before: string, figure: string, after: string] | readonly [];

export function writeSentence(drawing: Drawing): Sentence {
  switch (drawing.kind) {
    case 'lines': {
      const own = drawing.panels.flatMap(({ lines }) => lines).filter(({ color }) => color !== null);
      const last = own.flatMap(({ series }) => {
        const point = series.points.findLast(isKnown);
        return point === undefined
          ? []
          : [{ ...point, key: series.key, label: series.label || series.place }];
      });
      if (last.length === 0) return [];
      const at = Math.max(...last.map(({ year }) => year));
      const shown = last.filter(({ year }) => year === at);
      return sayFigures(drawing, shown, drawing.timeline.label(at), () =>
        differencesOf(drawing, own.find(({ series }) => series.key === shown[0]?.key)!.series),
      );
    }
    case 'bars':
      return sayFigures(
        drawing,
        drawing.bars.filter(({ tone }) => tone !== 'context'),
        drawing.period,
        ({ before, marginBefore }) =>
          drawing.yearBefore === null
            ? []
            : [[{ value: before, margin: marginBefore }, t.timeline.during.year(String(drawing.yearBefore))]],
      );
    case 'map':
      return sayFigures(drawing, [...drawing.areas.values()], drawing.period, () => []);
    default:
      return drawing satisfies never;
  }
}

/** An earlier figure, and when it was: `in 2023`. */
type Earlier = readonly [figure: Figure, time: string];

/** The last comparable figure before the latest one, and the first one. */
function differencesOf({ state, metric, timeline }: LineDrawing, { points }: Series): Earlier[] {
  const { yearOf, unit } = timeline;
  const last = points.findLast(isKnown)!;
  const compares = comparisonOf(state, metric.column.name);
  const compared = points.filter(
    one => isKnown(one) && one.year < last.year && compares(yearOf(one.year), yearOf(last.year)),
  );
  const ends = new Set(unit === 'instant' ? [] : [compared.at(-1), compared[0]]);
  return [...ends].flatMap((point): Earlier[] =>
    point === undefined ? [] : [[point, sayTime(point.year, timeline)]],
  );
}

/** One figure with what changed `since`, two with their difference, or the greatest and the least. */
function sayFigures<One extends Bar & { readonly tone?: BarTone }>(
  drawing: Drawing,
  bars: readonly One[],
  period: string | null,
  since: (bar: One) => readonly Earlier[],
): Sentence {
  const { state, metric } = drawing;
  const { unit } = metric.column;
  const name = [metricName(metric), ...namePins(state)].join(', ');
  const known = bars.filter(isKnown);
  const whole = bars.find(({ tone }) => tone === 'whole');
  const sayOne = (bar: Known<One>): Sentence => {
    const changes = since(bar).flatMap(([earlier, time]) => {
      const difference = differenceOf(bar, earlier);
      return difference === null ? [] : [describeDifference(difference, unit, time)];
    });
    const where = [name, placeOf(state, bar.label), period].filter(Boolean).join(', ');
    const changed = changes.length === 0 ? '' : `, ${joinWords(changes)}`;
    return [`${where}: `, formatNumber(bar.value, unit), `${changed}.`];
  };
  if (known.length < 2) return known[0] === undefined ? [] : sayOne(known[0]);
  const named = [name, period].filter(one => one !== null).join(', ');
  if (bars.length === 2) return sayTwo(bars[0]!, bars[1]!, unit, named);
  if (whole === undefined || !isKnown(whole)) return sayExtremes(drawing, bars, named);
  const [before = '', figure = '', after = ''] = sayOne(whole);
  const others = bars.filter(bar => bar !== whole);
  return [before, figure, `${after} ${textOfSentence(sayExtremes(drawing, others, ''))}`];
}

/** Empty for the whole of an area without a name. */
function placeOf({ dataset, detail }: Question, label: string): string {
  return label === levelTitle(dataset, detail) && !hasNamedLevels(dataset) ? '' : label;
}

/** Two figures, and whether they differ. */
function sayTwo(one: Bar, other: Bar, unit: string | null, named: string): Sentence {
  const difference = differenceOf(one, other);
  if (!isKnown(one) || !isKnown(other) || difference === null) return [];
  const than = describeDifference(difference, unit, `${other.label} (${formatNumber(other.value, unit)})`);
  return [`${named}. ${one.label}: `, formatNumber(one.value, unit), `, ${than}.`];
}

function sayExtremes({ state, metric }: Drawing, bars: readonly Bar[], named: string): Sentence {
  const { unit } = metric.column;
  const axis = comparedAxis(state);
  // Values without a total may be on different scales, such as test scores by subject.
  if (axis?.total === null && axis.overlap === null && hasSeveralPlaces(state)) return [];
  const known = bars.filter(isKnown).sort((a, b) => b.value - a.value);
  const [most, least] = [known[0], known.at(-1)];
  if (most === undefined || least === undefined || most === least) return [];
  const arePlaces = leafPlace(state) !== null && axis === null;
  const level = arePlaces && state.places.length === 0 ? levelName(state.dataset, state.detail) : '';
  const say = (one: Known<Bar>, { is, share }: (typeof t.sentence)['highest']) => {
    const equal = known.filter(({ value }) => value === one.value).length;
    const figure = formatNumber(one.value, unit);
    return equal > 1 ? share(formatCount(equal), figure) : is(one.label, figure);
  };
  const [before, greatest, after] = t.sentence.extremes(
    t.sentence.of(formatCount(known.length), level, bars.length > known.length),
    say(most, most.margin === null ? t.sentence.highest : t.sentence.estimatedHighest),
    say(least, t.sentence.lowest),
  );
  return [(named === '' ? '' : `${named}. `) + before, greatest, after];
}

export function textOfSentence(sentence: Sentence): string {
  return sentence.join('');
}
