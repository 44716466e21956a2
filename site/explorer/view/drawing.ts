/** Derives what a view draws from its state and rows. */
import { drawBars, drawMap } from './bar-drawing.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import type { BesideRows, CommonWords, Drawing } from './drawing-parts.ts';
import { formatCount } from './format.ts';
import { levelTitle } from './levels.ts';
import { drawLines } from './line-drawing.ts';
import { leafPlace, type Question, type ViewState } from './question.ts';
import type { Rows } from './rows.ts';
import { comparedAxis, mappedField, mappedLevel } from './views.ts';
import { describeNull, describeQuestion, describeSource, metricTitle } from './wording.ts';

/** Derives the drawing of the state's view; a table gives lines. `beside`: the rows of places of other levels. */
export function deriveDrawing(
  dataset: ExploredDataset,
  { view, question }: ViewState,
  metric: Metric,
  rows: Rows,
  beside: readonly BesideRows[] = [],
): Drawing {
  const words = deriveWords(dataset, question, metric);
  if (view === 'map') return drawMap(dataset, question, metric, rows, words);
  return view === 'bars'
    ? drawBars(dataset, question, metric, rows, beside, words)
    : drawLines(dataset, question, metric, rows, beside, words);
}

function deriveWords(dataset: ExploredDataset, question: Question, metric: Metric): CommonWords {
  const compared = comparedAxis(dataset, question) ?? leafPlace(dataset, question.detail);
  return {
    title: metricTitle(metric),
    subtitle: `${dataset.schema.title}. ${describeQuestion(dataset, question)}`,
    source: describeSource(dataset),
    sample: dataset.manifest.sample === true,
    unit: metric.column.unit,
    nullMeaning: describeNull(dataset, metric.column.name),
    labelTitle: compared?.label ?? 'Figure',
  };
}

/** Says why there is nothing to draw: no rows, rows of another level, or unpublished figures. */
export function describeEmpty(
  dataset: ExploredDataset,
  { detail }: Question,
  { kind, title, nullMeaning, figures }: Drawing,
): string {
  const mapped = kind === 'map' ? mappedField(dataset, detail) : null;
  const level = mapped && mappedLevel(dataset, mapped);
  if (level && level !== detail)
    return `The map only shows rows of the level “${levelTitle(dataset, level)}”.`;
  if (figures.length === 0) return 'No rows match your selection.';
  return `None of these ${formatCount(figures.length)} rows has a figure for “${title}”. ${nullMeaning.replace(/\.?$/, '.')}`;
}
