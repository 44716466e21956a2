/** What all datasets say of one place, each as it arrives. */
import { pageFolder } from '../../../build/format/paths.ts';
import type { Engine } from '../engine/engine.ts';
import type { Figures } from '../view/figure.ts';
import {
  countOf,
  formatMargin,
  formatNumber,
  NULL_MARK,
  spellName,
  spellUnit,
  titleName,
} from '../view/format.ts';
import { describeLine, LineChart } from '../view/line-chart.tsx';
import type { Place } from '../view/place-address.ts';
import type { SearchDocument, SearchMetric } from '../view/search-document.ts';
import { type PlaceAnswer, usePlaceAnswers } from './place-answers.ts';
import { type PlaceSubject, placeParameters } from './place-figures.ts';

interface Props {
  readonly root: URL;
  readonly document: SearchDocument;
  readonly place: Place;
  readonly engine: Engine;
}

export function PlaceReport({ root, document, place, engine }: Props) {
  const subjects = place.dimension.datasets.flatMap((rows): PlaceSubject[] => {
    const dataset = document.datasets.find(one => one.key === rows.key);
    return dataset ? [{ dataset, rows }] : [];
  });
  const alone = subjects.filter(({ rows, dataset }) => rows.alone && dataset.metric !== null);
  const others = subjects.filter(one => !alone.includes(one));
  const reading = usePlaceAnswers(engine, alone, place.key);
  const { answers, stopped } = reading;
  const done = alone.filter((_, i) => answers[i] !== undefined).length;
  const busy = done < alone.length;
  const domains = [...new Set(alone.map(({ dataset }) => dataset.key.split('/')[0] ?? ''))];
  const missing = alone.filter((_, i) => answers[i] === 'none');
  return (
    <>
      <p class="hint">Code: {place.key.join(' ')}</p>
      <div class="toolbar">
        <p role="status" class="hint">
          {busy
            ? `${done} of ${countOf(alone.length, 'dataset')} read${stopped ? ', then stopped.' : ' …'}`
            : `${countOf(alone.length - missing.length, 'dataset')} with figures of this place.`}
        </p>
        {busy && (
          <button type="button" class="button quiet small" onClick={stopped ? reading.resume : reading.stop}>
            {stopped ? 'Go on reading' : 'Stop reading'}
          </button>
        )}
      </div>
      {domains.map(domain => (
        <section key={domain} aria-label={titleName(domain)}>
          <h2>{titleName(domain)}</h2>
          <div class="cards">
            {alone.map((subject, i) => {
              const answer = answers[i];
              if (!subject.dataset.key.startsWith(`${domain}/`) || answer === 'none') return null;
              return (
                <Card
                  key={subject.dataset.key + subject.rows.detail}
                  root={root}
                  subject={subject}
                  place={place}
                  answer={answer}
                  stopped={stopped}
                  put={element => reading.place(i, element)}
                />
              );
            })}
          </div>
        </section>
      ))}
      {!busy && missing.length > 0 && (
        <p class="hint">
          Without rows of this place: {missing.map(({ dataset }) => dataset.title).join(', ')}.
        </p>
      )}
      {others.length > 0 && (
        <section aria-label="More rows">
          <h2>More rows about this place</h2>
          <ul>
            {others.map(({ dataset, rows }) => (
              <li key={dataset.key + rows.detail}>
                <a href={addressOf(root, { dataset, rows }, place)}>{dataset.title}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The dataset's page with the place chosen. */
function addressOf(root: URL, { dataset, rows }: PlaceSubject, place: Place): string {
  const [domain = '', topic = ''] = dataset.key.split('/');
  const url = new URL(pageFolder(domain, topic), root);
  const chosen = placeParameters(rows, null, place.key);
  url.search = new URLSearchParams(rows.alone ? [...chosen, ['view', 'chart']] : chosen).toString();
  return url.href;
}

function Card(props: {
  readonly root: URL;
  readonly subject: PlaceSubject;
  readonly place: Place;
  readonly answer: Exclude<PlaceAnswer, 'none'> | undefined;
  readonly stopped: boolean;
  put(element: Element | null): void;
}) {
  const { root, subject, place, answer, stopped, put } = props;
  const { metric, title } = subject.dataset;
  return (
    <article class="card" aria-busy={answer === undefined && !stopped} ref={put}>
      <h3>
        <a href={addressOf(root, subject, place)}>{title}</a>
      </h3>
      {answer === undefined && <p class="hint">{stopped ? 'Not read.' : 'Reading …'}</p>}
      {answer instanceof Error && <p class="hint">It could not be read: {answer.message}</p>}
      {metric && answer && !(answer instanceof Error) && <Figure metric={metric} figures={answer} />}
    </article>
  );
}

function Figure({ metric, figures }: { readonly metric: SearchMetric; readonly figures: Figures }) {
  const latest = figures.points.at(-1);
  if (latest === undefined) return null;
  const unit = spellUnit(metric.unit);
  const pins = metric.axes.flatMap(({ column, label, total, values }) => {
    const pin = figures.pins.get(column);
    if (pin === undefined || pin === total) return [];
    return [`${label}: ${values.find(([value]) => value === pin)?.[1] ?? spellName(pin)}`];
  });
  return (
    <>
      <p class="hint">
        {metric.label}, {latest.year}
      </p>
      <p class="figure small">
        {latest.value === null ? NULL_MARK : formatNumber(latest.value, metric.unit)}
        {latest.margin !== null && <small> {formatMargin(latest.margin, metric.unit)}</small>}
        {unit && <small> {unit}</small>}
      </p>
      {latest.value === null && <p class="hint">No figure: {metric.null_meaning ?? 'not known'}</p>}
      {pins.length > 0 && <p class="hint">{pins.join('. ')}</p>}
      {figures.points.length > 1 && (
        <div class="chart">
          <LineChart
            points={figures.points}
            unit={metric.unit}
            breaks={metric.breaks}
            label={`${metric.label} over the years. ${describeLine(figures.points, metric.unit, metric.breaks)}`}
            width={320}
            height={130}
          />
        </div>
      )}
    </>
  );
}
