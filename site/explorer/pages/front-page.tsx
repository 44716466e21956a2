/** The front page: a search, and a line for each dataset with its figure and a small curve. */
import { pageFolder } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { formatCount, formatNumber, formatTick, spanOf, spellUnit, titleName } from '../view/format.ts';
import { SmallCurve } from '../view/small-curve.tsx';
import type { Documents, OpenDataset } from './documents.ts';
import { type Headline, headlineName, readHeadline } from './headline.ts';
import { type Bundle, renderPage } from './layout.tsx';
import { SearchForm } from './search-form.tsx';

export async function renderFrontPage(documents: Documents, bundle: Bundle): Promise<string> {
  const { service, health, withdrawn, source } = documents;
  const lines = await Promise.all(
    documents.datasets.map(async one => {
      const dataset = await one.open();
      return { dataset, headline: await readHeadline(source, dataset.explored) };
    }),
  );
  const domains = [...new Set(lines.map(({ dataset }) => dataset.schema.main_topic))].sort();
  return renderPage(
    documents,
    bundle,
    {
      folder: '',
      section: 'data',
      title: service.service,
      description: service.description || t.front.datasetsOf(service.service),
    },
    <>
      <h1>{service.service}</h1>
      {service.description && <p class="lead">{service.description}</p>}
      <SearchForm />
      <div id="catalog" data-unsearched>
        {domains.map(domain => {
          const own = lines.filter(({ dataset }) => dataset.schema.main_topic === domain);
          return (
            <section key={domain} id={domain} aria-labelledby={`all-${domain}`}>
              <h2 id={`all-${domain}`}>
                {titleName(domain)} <span class="hint">{t.counts.datasets(own.length)}</span>
              </h2>
              <ul class="lines">
                {own.map(({ dataset, headline }) => (
                  <Line key={dataset.key} dataset={dataset} headline={headline} />
                ))}
              </ul>
            </section>
          );
        })}
        {withdrawn.length > 0 && (
          <section id="withdrawn" aria-labelledby="withdrawn-title">
            <h2 id="withdrawn-title">{t.front.withdrawn}</h2>
            <ul class="lines">
              {withdrawn.map(({ key, title, withdrawn: date, reason }) => (
                <li key={key}>
                  <span>
                    <a href={folderOf(key)}>{title}</a>
                    <span class="hint">{t.front.withdrawnOn(date, reason)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <p class="hint totals">
        {t.front.totals(
          t.counts.datasets(health.datasets),
          t.counts.rows(health.rows),
          formatCount(health.rules.run),
        )}
      </p>
    </>,
  );
}

function folderOf(key: string): string {
  const [domain = '', topic = ''] = key.split('/');
  return pageFolder(domain, topic);
}

interface LineProps {
  readonly dataset: OpenDataset;
  readonly headline: Headline | null;
}

function Line({ dataset: { key, schema, manifest, explored }, headline }: LineProps) {
  // A latest period without a figure is left out, not said to be one.
  const points = headline?.points.filter(({ value }) => value !== null) ?? [];
  const latest = points.at(-1);
  return (
    <li data-key={key}>
      <span>
        <a href={folderOf(key)}>{schema.title}</a>
        <span class="hint">
          {headline && latest
            ? describeFigure(headline, latest.year, explored)
            : [...spanOf(schema), t.counts.rows(manifest.rows)].join(', ')}
        </span>
      </span>
      {headline && latest && <Figure headline={headline} value={latest.value ?? 0} />}
      {headline && latest && <SmallCurve points={headline.points} />}
    </li>
  );
}

function describeFigure(headline: Headline, at: number, { schema, timeline }: ExploredDataset): string {
  const where = headline.of === 'whole' ? (schema.area ?? '') : '';
  return [headlineName(headline), timeline === null ? '' : timeline.label(at), where]
    .filter(Boolean)
    .join(', ');
}

/** From here on, a line has no room for all digits. */
const MILLION = 1_000_000;

function Figure({ headline, value }: { readonly headline: Headline; readonly value: number }) {
  const { unit } = headline.metric.column;
  const words = spellUnit(unit);
  return (
    <strong>
      {Math.abs(value) < MILLION ? formatNumber(value, unit) : formatTick(value, unit)}
      {words && <small> {words}</small>}
    </strong>
  );
}
