/** A dataset's latest figure for one place, and its line over the years. */
import { pageFolder } from '../../../build/format/paths.ts';
import type { Figures } from '../view/figure.ts';
import { formatMargin, formatNumber, NULL_MARK, spellName, spellUnit } from '../view/format.ts';
import { describeLine, LineChart } from '../view/line-chart.tsx';
import { lineEnds } from '../view/line-path.ts';
import type { Place } from '../view/place-address.ts';
import { describeRank } from '../view/rank.ts';
import type { SearchMetric } from '../view/search-document.ts';
import { describeStart } from '../view/wording.ts';
import type { PlaceAnswer } from './place-answers.ts';
import type { PlaceContext } from './place-context.ts';
import { type PlaceSubject, placeParameters, type WithoutFigures } from './place-figures.ts';

/** Links to the dataset's page with the place chosen, and with the pins that are not totals. */
export function addressOf(
  root: URL,
  { dataset, rows }: PlaceSubject,
  place: Place,
  pins: readonly NamedPin[] = [],
): string {
  const [domain = '', topic = ''] = dataset.key.split('/');
  const url = new URL(pageFolder(domain, topic), root);
  const chosen = [
    ...placeParameters(rows, null, place.key),
    ...pins.map(({ param, value }): [string, string] => [param, value]),
  ];
  url.search = new URLSearchParams(rows.alone ? [...chosen, ['view', 'chart']] : chosen).toString();
  return url.href;
}

interface NamedPin {
  readonly param: string;
  readonly value: string;
  readonly words: string;
}

/** Names the pins that are not totals. */
function namePins({ axes }: SearchMetric, { pins }: Figures): NamedPin[] {
  return axes.flatMap(({ param, column, label, total, values }) => {
    const value = pins.get(column) ?? null;
    if (value === null || value === total) return [];
    const name = values.find(([one]) => one === value)?.[1] ?? spellName(value);
    return [{ param, value, words: `${label}: ${name}` }];
  });
}

export function PlaceCard(props: {
  readonly root: URL;
  readonly subject: PlaceSubject;
  readonly place: Place;
  readonly answer: PlaceAnswer | undefined;
  /** Undefined until it is read. */
  readonly context: PlaceContext | undefined;
  /** Whether the larger places are drawn in grey. */
  readonly compared: boolean;
  readonly stopped: boolean;
  put(element: Element | null): void;
}) {
  const { root, subject, place, answer, context, compared, stopped, put } = props;
  const { metric, title } = subject.dataset;
  const figures = answer instanceof Error || typeof answer === 'string' ? undefined : answer;
  const pins = metric && figures ? namePins(metric, figures) : [];
  return (
    <article class="card" aria-busy={answer === undefined && !stopped} ref={put}>
      <h3>
        <a href={addressOf(root, subject, place, pins)}>{title}</a>
      </h3>
      {answer === undefined && <p class="hint">{stopped ? 'Not read.' : 'Reading…'}</p>}
      {typeof answer === 'string' && <p class="hint">{WITHOUT[answer]}</p>}
      {answer instanceof Error && <p class="hint">Could not be read.</p>}
      {metric && figures && (
        <Figure
          metric={metric}
          figures={figures}
          pins={pins}
          breaks={subject.rows.breaks}
          context={context}
          compared={compared}
        />
      )}
    </article>
  );
}

/** A card without a figure keeps its place: removing it would move the others. */
const WITHOUT: Readonly<Record<WithoutFigures, string>> = {
  'no rows': 'No rows for this place.',
  'no one figure': 'Several rows a year for this place, and no total. The dataset’s page shows them.',
};

function Figure(props: {
  readonly metric: SearchMetric;
  readonly figures: Figures;
  readonly pins: readonly NamedPin[];
  readonly breaks: readonly number[];
  readonly context: PlaceContext | undefined;
  readonly compared: boolean;
}) {
  const { metric, figures, pins, breaks, context, compared } = props;
  const larger = (compared && context?.larger) || [];
  const latest = figures.points.at(-1);
  if (latest === undefined) return null;
  const unit = spellUnit(metric.unit);
  const ends = [figures.points, ...larger.map(({ points }) => points)].flatMap(lineEnds);
  const start = describeStart(ends, metric.unit);
  return (
    <>
      <p class="hint">{[metric.label, ...pins.map(({ words }) => words), latest.year].join(', ')}</p>
      <p class="figure small">
        {latest.value === null ? NULL_MARK : formatNumber(latest.value, metric.unit)}
        {latest.margin !== null && <small> {formatMargin(latest.margin, metric.unit)}</small>}
        {unit && <small> {unit}</small>}
      </p>
      {latest.value === null && <p class="hint">No figure: {metric.null_meaning ?? 'not known'}</p>}
      {context?.rank && <p class="hint">{describeRank(context.rank, latest.margin !== null)}.</p>}
      {figures.points.length > 1 && (
        <div class="chart">
          <LineChart
            points={figures.points}
            unit={metric.unit}
            breaks={breaks}
            others={larger.map(({ points }) => points)}
            label={`${metric.label} over the years. ${describeLine(figures.points, metric.unit, breaks)}`}
            width={320}
            height={130}
          />
          {larger.length > 0 && (
            <p class="hint">
              In grey: {larger.map(({ name }, i) => name + (i > 0 ? ' (dashed)' : '')).join(', ')}.
            </p>
          )}
          {start !== null && <p class="hint">{start}</p>}
        </div>
      )}
    </>
  );
}
