/** The sentence above a view: its figure, and the difference from the year before or from another place. */
import { t } from '../messages/messages.ts';
import { joinWords } from '../messages/numbers.ts';
import { isKnown, type Known } from './curve.tsx';
import { hasNamedLevels, levelName, levelTitle } from './dataset.ts';
import type { BarDrawing, Drawing, Line, LineDrawing } from './drawing.ts';
import { describeDifference, differenceOf } from './figure.ts';
import { formatCount, formatNumber } from './format.ts';
import { comparisonOf, leafPlace, type Question } from './question.ts';
import type { Bar, Point } from './series.ts';
import { sayTime } from './timeline.ts';
import { comparedAxis, hasSeveralPlaces } from './views.ts';
import { metricName, namePins } from './wording.ts';

/** What is before the figure, the figure, and what is after it. Empty without a figure. */
export type Sentence = readonly [before: string, figure: string, after: string] | readonly [];

export function writeSentence(drawing: Drawing): Sentence {
  const { state, metric } = drawing;
  const name = [metricName(metric), ...namePins(state)].join(', ');
  switch (drawing.kind) {
    case 'lines':
      return sayLines(drawing, name);
    case 'bars':
      return sayBars(drawing, name);
    case 'map':
      return sayExtremes(drawing, [...drawing.areas.values()], drawing.period, name);
    default:
      return drawing satisfies never;
  }
}

function sayLines(drawing: LineDrawing, name: string): Sentence {
  const { timeline, metric, state } = drawing;
  const { unit } = metric.column;
  const own = drawing.panels.flatMap(({ lines }) => lines).filter(({ color }) => color !== null);
  const lastOf = ({ series }: Line) => series.points.filter(isKnown).at(-1);
  const at = Math.max(...own.map(line => lastOf(line)?.year ?? -Infinity));
  const shown = own.flatMap(line => {
    const point = line.series.points.filter(isKnown).find(({ year }) => year === at);
    return point === undefined ? [] : [{ line, point }];
  });
  const [first, second] = shown;
  if (first === undefined) return [];
  const time = timeline.label(at);
  if (second === undefined || own.length === 1) {
    const place = placeOf(state, first.line.series.label || first.line.series.place);
    return [
      `${[name, place, time].filter(Boolean).join(', ')}: `,
      formatNumber(first.point.value, unit),
      `${saySince(drawing, first.line, first.point)}.`,
    ];
  }
  const bars = shown.map(({ line, point }): Bar => ({ ...point, key: line.label, label: line.series.label }));
  if (bars.length === 2) return sayTwo(bars[0]!, bars[1]!, unit, `${name}, ${time}`);
  return sayExtremes(drawing, bars, time, name);
}

/** Empty for the whole of an area without a name. */
function placeOf({ dataset, detail }: Question, label: string): string {
  return label === levelTitle(dataset, detail) && !hasNamedLevels(dataset) ? '' : label;
}

/** The change since the last comparable figure, and since the first one. */
function saySince({ state, metric, timeline }: LineDrawing, { series }: Line, last: Known<Point>): string {
  const { yearOf } = timeline;
  if (timeline.unit === 'instant') return '';
  const compares = comparisonOf(state, metric.column.name);
  const compared = series.points
    .filter(isKnown)
    .filter(({ year }) => year < last.year && compares(yearOf(year), yearOf(last.year)));
  const [before, first] = [compared.at(-1), compared[0]];
  const said = [before, ...(first === before ? [] : [first])].flatMap(point => {
    const difference = point && differenceOf(last, point);
    if (!point || !difference) return [];
    return [describeDifference(difference, metric.column.unit, sayTime(point.year, timeline))];
  });
  return said.length === 0 ? '' : `, ${joinWords(said)}`;
}

function sayBars(drawing: BarDrawing, name: string): Sentence {
  const { bars, metric, period, yearBefore, state } = drawing;
  const { unit } = metric.column;
  const own = bars.filter(({ tone }) => tone !== 'context');
  const known = own.filter(isKnown);
  const named = [name, period].filter(one => one !== null).join(', ');
  const [first, second] = known;
  if (first === undefined) return [];
  if (second === undefined) {
    const difference = differenceOf(first, { value: first.before, margin: first.marginBefore });
    const said =
      difference && yearBefore !== null
        ? `, ${describeDifference(difference, unit, t.timeline.during.year(String(yearBefore)))}`
        : '';
    const where = [name, placeOf(state, first.label), period].filter(Boolean).join(', ');
    return [`${where}: `, formatNumber(first.value, unit), `${said}.`];
  }
  if (own.length === 2) return sayTwo(first, second, unit, named);
  const whole = own.find(({ tone }) => tone === 'whole');
  if (whole === undefined || !isKnown(whole)) return sayExtremes(drawing, own, period, name);
  const [before = '', figure = '', after = ''] = sayBars({ ...drawing, bars: [whole] }, name);
  const others = own.filter(bar => bar !== whole);
  return [before, figure, `${after} ${textOfSentence(sayExtremes(drawing, others, period, ''))}`];
}

/** Two figures, and whether they differ. */
function sayTwo(one: Bar, other: Bar, unit: string | null, named: string): Sentence {
  const difference = differenceOf(one, other);
  if (!isKnown(one) || !isKnown(other) || difference === null) return [];
  const than = describeDifference(difference, unit, `${other.label} (${formatNumber(other.value, unit)})`);
  return [`${named}. ${one.label}: `, formatNumber(one.value, unit), `, ${than}.`];
}

function sayExtremes(
  { state, metric }: Drawing,
  bars: readonly Bar[],
  period: string | null,
  name: string,
): Sentence {
  const { unit } = metric.column;
  const axis = comparedAxis(state);
  // Values without a total may be on different scales, such as test scores by subject.
  if (axis?.total === null && axis.overlap === null && hasSeveralPlaces(state)) return [];
  const known = bars.filter(isKnown).sort((a, b) => b.value - a.value);
  const [most, least] = [known[0], known.at(-1)];
  if (most === undefined || least === undefined) return [];
  const named = [name, name === '' ? null : period].filter(one => one !== null && one !== '').join(', ');
  if (most === least) return [`${named}: `, formatNumber(most.value, unit), '.'];
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
