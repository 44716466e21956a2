/** The words around a drawing: its title, what it is about, and why there is nothing to draw. */
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import type { CommonWords, Drawing, MapDrawing } from './drawing-parts.ts';
import { formatCount } from './format.ts';
import { levelTitle } from './levels.ts';
import { leafPlace, type Question, type ViewState } from './question.ts';
import { titleView } from './view-title.ts';
import { comparedAxis, mappedField, mappedLevel } from './view-questions.ts';
import { describeFilters, describeNull, describeSource, metricTitle } from './wording.ts';

export function deriveWords(dataset: ExploredDataset, state: ViewState, metric: Metric): CommonWords {
  const { question } = state;
  const compared = comparedAxis(dataset, question) ?? leafPlace(dataset, question.detail);
  return {
    title: titleView(dataset, state),
    figure: metricTitle(metric),
    subtitle: [dataset.schema.title, metricTitle(metric), ...describeFilters(dataset, question)].join(' · '),
    source: describeSource(dataset),
    sample: dataset.manifest.sample === true,
    unit: metric.column.unit,
    nullMeaning: describeNull(dataset, metric.column.name),
    labelTitle: compared?.label ?? t.drawing.figure,
  };
}

/** Says why there is nothing to draw: no rows, rows of another level, or unpublished figures. */
export function describeEmpty(
  dataset: ExploredDataset,
  { detail }: Question,
  { kind, figure, nullMeaning, figures }: Drawing,
): string {
  const mapped = kind === 'map' ? mappedField(dataset, detail) : null;
  const level = mapped && mappedLevel(dataset, mapped);
  if (level && level !== detail) return t.drawing.otherLevel(levelTitle(dataset, level));
  if (figures.length === 0) return t.drawing.noRows;
  return `${t.drawing.noFigures(formatCount(figures.length), figure)} ${nullMeaning}`;
}

/** How many places a note names. */
const NAMED = 5;

/** Says which places have rows and no shape, so that the map lacks them; null if there are none. */
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
