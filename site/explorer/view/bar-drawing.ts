/** Bars and maps: the figures of one period. */
import { dimensionShapesPath } from '../../../build/format/paths.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import type { BarDrawing, BesideRows, CommonWords, DrawnBar, MapDrawing } from './drawing-parts.ts';
import { countOf, formatNumber } from './format.ts';
import { leafPlace, oneYear, type Question } from './question.ts';
import { columnAt, type Rows } from './rows.ts';
import { type Bar, deriveBars, isUnreliable, median } from './series.ts';
import { comparedAxis, mappedField } from './views.ts';
import { describeBars, describePeriod } from './wording.ts';

const MOST_BARS = 60;

/** Draws places by size, and the values of an axis in the dataset's order. Chosen places are all drawn. */
export function drawBars(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  beside: readonly BesideRows[],
  words: CommonWords,
): BarDrawing {
  const own = deriveBars(dataset, question, metric, rows, beside.length > 0);
  const others = beside.flatMap(({ question: asked, rows: found, isContext }) =>
    deriveBars(dataset, asked, metric, found, true).map(bar => ({ ...bar, isContext })),
  );
  const all: DrawnBar[] = [...own.map(bar => ({ ...bar, isContext: false })), ...others];
  const places = comparedAxis(dataset, question) === null;
  const sorted = places ? [...all].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity)) : all;
  const most = question.places.length > 0 ? all.length : MOST_BARS;
  const kept = new Set(sorted.filter(bar => !others.includes(bar)).slice(0, most));
  const bars = sorted.filter(bar => kept.has(bar) || others.includes(bar));
  const known = own.flatMap(({ value }) => (value === null ? [] : [value]));
  const isLevel = places && question.places.length === 0 && leafPlace(dataset, question.detail) !== null;
  const middle = isLevel && known.length > 1 ? median(known) : null;
  return {
    ...words,
    kind: 'bars',
    bars,
    median: middle,
    period: describePeriod(dataset, question) ?? oneYear(question.years),
    summary: describeBars(metric, own),
    notes: [
      ...(all.length > bars.length
        ? [
            `The ${MOST_BARS} ${places ? 'greatest' : 'first'} of ${countOf(own.length, 'figure')} are drawn. The table has all of them.`,
          ]
        : []),
      ...(middle === null
        ? []
        : [
            `The dashed line is the median of ${countOf(known.length, 'figure')}: ${formatNumber(middle, metric.column.unit)}.`,
          ]),
      ...(metric.margin === null
        ? []
        : [`Strokes across the ends of the bars show the margin of error (“${metric.margin.label}”).`]),
      ...(bars.some(isUnreliable)
        ? ['A hatched bar is unreliable: its margin of error is more than half of its figure.']
        : []),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: all.every(({ value }) => value === null),
  };
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
      ...(bars.some(({ value }) => value === null)
        ? [`Places without a figure are crossed. ${words.nullMeaning}`]
        : []),
      ...(bars.some(isUnreliable)
        ? ['A hatched place is unreliable: its margin of error is more than half of its figure.']
        : []),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: bars.every(({ value }) => value === null) || areas.size === 0,
  };
}
