/** What the front page shows of a domain at first sight: live figures, a map, and questions that views answer. */
import { pageFolder } from '../../../build/format/paths.ts';
import { formatNumber, spellUnit } from '../view/format.ts';
import { describeLine, LineChart } from '../view/line-chart.tsx';
import { lineEnds } from '../view/line-path.ts';
import { describeStart } from '../view/wording.ts';
import type { Documents, OpenDataset } from './documents.ts';
import { type Headline, headlineName, readHeadline } from './headline.ts';
import { type MapFigures, readMapFigures, StaticMap } from './static-map.tsx';

const MOST_FIGURES = 3;
const MOST_QUESTIONS = 6;

interface FrontFigure {
  readonly dataset: OpenDataset;
  readonly headline: Headline;
}

export interface FrontDomain {
  readonly domain: string;
  readonly figures: readonly FrontFigure[];
  readonly map: MapFigures | null;
  readonly datasets: readonly OpenDataset[];
}

/** Reads the figures of each domain. Only the first domain with a map shows one. */
export async function readFront(documents: Documents): Promise<FrontDomain[]> {
  const { source } = documents;
  const datasets = await Promise.all(documents.datasets.map(dataset => dataset.open()));
  const domains = [...new Set(datasets.map(({ schema }) => schema.main_topic))].sort();
  const front: FrontDomain[] = [];
  for (const domain of domains) {
    const own = datasets.filter(({ schema }) => schema.main_topic === domain);
    const found: FrontFigure[] = [];
    for (const dataset of own) {
      const headline = await readHeadline(source, dataset.explored);
      if (headline?.points.at(-1)?.value != null) found.push({ dataset, headline });
    }
    let map: MapFigures | null = null;
    if (front.every(one => one.map === null))
      for (const dataset of bestFirst(found)) map ??= await readMapFigures(source, dataset.dataset.explored);
    front.push({ domain, figures: bestFirst(found).slice(0, MOST_FIGURES), map, datasets: own });
  }
  return front;
}

/** Figures of datasets with questions first, then figures of the whole, then those that need no pin, then lines. */
function bestFirst(found: readonly FrontFigure[]): FrontFigure[] {
  const rank = ({ dataset, headline }: FrontFigure) =>
    (dataset.schema.questions ? 0 : 8) +
    (headline.pins.some(pin => pin.isPart) ? 4 : 0) +
    (headline.of === 'whole' ? 0 : 2) +
    (headline.points.length > 1 ? 0 : 1);
  return [...found].sort((a, b) => rank(a) - rank(b));
}

export function FrontSection({ front, title }: { readonly front: FrontDomain; readonly title: string }) {
  const { domain, figures, map, datasets } = front;
  const questions = datasets.flatMap(({ schema }) =>
    (schema.questions ?? []).map(one => ({ ...one, folder: pageFolder(schema.main_topic, schema.topic) })),
  );
  return (
    <section aria-labelledby={`domain-${domain}`}>
      <h2 id={`domain-${domain}`}>{title}</h2>
      {figures.length > 0 && (
        <ul class="cards front-figures">
          {figures.map(figure => (
            <FigureCard key={figure.dataset.key} figure={figure} />
          ))}
        </ul>
      )}
      <div class="front-more">
        {map && <StaticMap figures={map} />}
        {questions.length > 0 && (
          <ul class="questions">
            {questions.slice(0, MOST_QUESTIONS).map(({ question, view, folder }) => (
              <li key={question}>
                {/* A script adds the view to the address: a copy of the site keeps each page once. */}
                <a href={folder} data-view={view}>
                  {question}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p>
        <a href={`#all-${domain}`}>All datasets: {title}</a>
      </p>
    </section>
  );
}

function FigureCard({ figure: { dataset, headline } }: { readonly figure: FrontFigure }) {
  const { schema, explored } = dataset;
  const { metric, points, of, level } = headline;
  const { column } = metric;
  const latest = points.at(-1);
  const unit = spellUnit(column.unit);
  const breaks = explored.comparability.breaksOf(column.name, level.name).map(one => one.after);
  const name = headlineName(headline);
  const start = describeStart(lineEnds(points), column.unit);
  return (
    <li class="card">
      <h3>
        <a href={pageFolder(schema.main_topic, schema.topic)}>{schema.title}</a>
      </h3>
      <p class="figure small">
        {formatNumber(latest?.value ?? 0, column.unit)}
        {unit && <small> {unit}</small>}
      </p>
      <p>
        {name}, {latest?.year}
        {of === 'whole' && schema.area ? `, ${schema.area}` : ''}
      </p>
      {points.length > 1 && (
        <div class="chart">
          <LineChart
            points={points}
            unit={column.unit}
            breaks={breaks}
            width={340}
            height={130}
            label={`${name} over the years. ${describeLine(points, column.unit, breaks)}`}
          />
          {start !== null && <p class="hint">{start}</p>}
        </div>
      )}
    </li>
  );
}
