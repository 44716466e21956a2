/** Bars and maps: the figures of one period. */
import { dimensionShapesPath } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import type { BarDrawing, BarTone, BesideRows, CommonWords, DrawnBar, MapDrawing } from './drawing-parts.ts';
import { formatNumber } from './format.ts';
import { leafPlace, levelOf, oneYear, type Question, type Rank } from './question.ts';
import { columnAt, type Rows } from './rows.ts';
import { type Bar, deriveBars, isUnreliable, median } from './series.ts';
import { comparedAxis, mappedField } from './view-questions.ts';
import { describeBars, describePeriod } from './wording.ts';

const MOST_BARS = 300;

/** Of many bars, a reader first sees so many of the greatest and of the least. */
const BRIEF = { most: 14, greatest: 9, least: 3 };

/** Draws places by size or by change, and the values of an axis in the dataset's order. Chosen places are all drawn. */
export function drawBars(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  beside: readonly BesideRows[],
  words: CommonWords,
  rank: Rank = 'value',
): BarDrawing {
  const shown = beside.filter(({ role }) => role !== 'before');
  const earlier = beside.filter(({ role }) => role === 'before');
  const before = new Map(
    earlier.flatMap(one =>
      deriveBars(dataset, one.question, metric, one.rows, true).map(bar => [bar.key, bar] as const),
    ),
  );
  const toDrawn = (bar: Bar, tone: BarTone): DrawnBar => ({
    ...bar,
    tone,
    isContext: tone === 'context',
    before: before.get(bar.key)?.value ?? null,
    marginBefore: before.get(bar.key)?.margin ?? null,
  });
  const own = deriveBars(dataset, question, metric, rows, shown.length > 0).map(bar => toDrawn(bar, 'own'));
  const others = shown.flatMap(({ question: asked, rows: found, role }) =>
    deriveBars(dataset, asked, metric, found, true).map(bar =>
      toDrawn(
        bar,
        role === 'context'
          ? 'context'
          : levelOf(dataset, asked.detail).places.length === 0
            ? 'whole'
            : 'beside',
      ),
    ),
  );
  const all = [...own, ...others];
  const places = comparedAxis(dataset, question) === null;
  const sizeOf = rank === 'change' ? changeOf : ({ value }: DrawnBar) => value;
  const isSorted = places || rank === 'change';
  const sorted = isSorted
    ? [...all].sort((a, b) => (sizeOf(b) ?? -Infinity) - (sizeOf(a) ?? -Infinity))
    : all;
  const isChosen = question.places.length > 0;
  const kept = new Set(
    sorted.filter(bar => !others.includes(bar)).slice(0, isChosen ? all.length : MOST_BARS),
  );
  const bars = sorted.filter(bar => kept.has(bar) || others.includes(bar));
  const known = own.flatMap(({ value }) => (value === null ? [] : [value]));
  const isLevel = places && !isChosen && leafPlace(dataset, question.detail) !== null;
  const middle = isLevel && known.length > 1 ? median(known) : null;
  const yearBefore = all.some(bar => bar.before !== null) ? oneYear(earlier[0]!.question.years) : null;
  return {
    ...words,
    kind: 'bars',
    bars,
    brief: briefOf(bars, isSorted, bar => isChosen || others.includes(bar), sizeOf),
    yearBefore,
    median: middle,
    period: describePeriod(dataset, question) ?? oneYear(question.years),
    summary: describeBars(metric, own),
    notes: [
      ...(all.length > bars.length
        ? [
            isSorted
              ? t.drawing.greatestBars(MOST_BARS, own.length)
              : t.drawing.firstBars(MOST_BARS, own.length),
          ]
        : []),
      ...(yearBefore === null
        ? []
        : [
            metric.column.unit === 'proportion'
              ? t.drawing.marksInPoints(yearBefore)
              : t.drawing.marks(yearBefore),
          ]),
      ...(middle === null ? [] : [t.drawing.median(known.length, formatNumber(middle, metric.column.unit))]),
      ...(metric.margin === null || bars.every(({ margin }) => margin === null)
        ? []
        : [t.drawing.barMargins(metric.margin.label)]),
      ...(bars.some(isUnreliable) ? [t.drawing.unreliableBar] : []),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: all.every(({ value }) => value === null),
  };
}

export function changeOf({ value, before }: DrawnBar): number | null {
  return value === null || before === null ? null : value - before;
}

function briefOf(
  bars: readonly DrawnBar[],
  isSorted: boolean,
  isWanted: (bar: DrawnBar) => boolean,
  sizeOf: (bar: DrawnBar) => number | null,
): ReadonlySet<string> {
  const { most, greatest, least } = BRIEF;
  if (bars.length <= most) return new Set(bars.map(({ key }) => key));
  const known = bars.filter(bar => sizeOf(bar) !== null);
  const ends = isSorted ? [...known.slice(0, greatest), ...known.slice(-least)] : bars.slice(0, most);
  return new Set([...ends, ...bars.filter(isWanted)].map(({ key }) => key));
}

export function drawMap(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  words: CommonWords,
): MapDrawing {
  const bars = deriveBars(dataset, question, metric, rows);
  const field = mappedField(dataset, question.detail);
  const column = field ? columnAt(rows, field.column) : -1;
  const join = dataset.schema.foreign_keys.find(key => key.column === field?.column);
  const areas = new Map(
    bars.flatMap((bar, row): [string, Bar][] => {
      const code = column < 0 ? null : rows.cell(row, column);
      return code === null ? [] : [[String(code), bar]];
    }),
  );
  const sorted = [...bars].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return {
    ...words,
    kind: 'map',
    areas,
    shapes: dimensionShapesPath(dataset.schema.main_topic, join?.target_object ?? ''),
    period: describePeriod(dataset, question) ?? oneYear(question.years),
    summary: describeBars(metric, bars),
    notes: [
      t.drawing.classes,
      ...(bars.some(({ value }) => value === null) ? [t.drawing.hatched(words.nullMeaning)] : []),
      ...(bars.some(isUnreliable) ? [t.drawing.unreliablePlace] : []),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: bars.every(({ value }) => value === null) || areas.size === 0,
  };
}
