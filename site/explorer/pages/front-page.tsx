/**
 * The pages that begin with the search: the front page, with a line for each dataset, its figure and a small curve; and
 * the page of places.
 */
import { dimensionFolder, PAGES, pageFolder } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { SmallCurve } from '../view/curve.tsx';
import { formatCount, formatNumber, formatTick, spanOf, spellUnit, titleName } from '../view/format.ts';
import type { SearchDocument } from '../view/search-document.ts';
import type { Documents, OpenDataset } from './documents.ts';
import { type Headline, headlineOf, readFirstView } from './first-view.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';

export async function renderFrontPage(documents: Documents, bundle: Bundle): Promise<string> {
  const { service, health, withdrawn, source } = documents;
  const lines = await Promise.all(
    documents.datasets.map(async one => {
      const dataset = await one.open();
      const { explored } = dataset;
      return { dataset, headline: headlineOf(explored, await readFirstView(source, explored)) };
    }),
  );
  const domains = [...new Set(lines.map(({ dataset }) => dataset.schema.main_topic))].sort();
  return renderPage(
    documents,
    bundle,
    {
      folder: '',
      section: 'data',
      parts: ['search'],
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

function Line({ dataset: { key, schema, manifest }, headline }: LineProps) {
  return (
    <li data-key={key}>
      <span>
        <a href={folderOf(key)}>{schema.title}</a>
        <span class="hint">
          {headline?.name ?? [...spanOf(schema), t.counts.rows(manifest.rows)].join(', ')}
        </span>
      </span>
      {headline && <Figure headline={headline} />}
      {headline && <SmallCurve runs={headline.runs} />}
    </li>
  );
}

/** From here on, a line has no room for all digits. */
const MILLION = 1_000_000;

function Figure({ headline: { value, unit } }: { readonly headline: Headline }) {
  const words = spellUnit(unit);
  return (
    <strong>
      {Math.abs(value) < MILLION ? formatNumber(value, unit) : formatTick(value, unit)}
      {words && <small> {words}</small>}
    </strong>
  );
}

/** The field of the search, and the room for what it finds. A script fills it: app/search.tsx. */
function SearchForm() {
  return (
    <>
      <search class="needs-script" aria-label={t.search.form}>
        <form id="search-form">
          <label for="search">{t.search.field}</label>
          <input id="search" class="large" type="search" name="q" autocomplete="off" spellcheck={false} />
        </form>
      </search>
      <p id="search-status" class="hint needs-script" role="status" />
      <section id="search-results" aria-label={t.search.results} hidden />
    </>
  );
}

export function renderPlacesPage(documents: Documents, search: SearchDocument, bundle: Bundle): string {
  const folder = `${PAGES.places}/`;
  const root = rootFrom(folder);
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'places',
      parts: ['place'],
      title: t.placesPage.title,
      description: t.placesPage.described(documents.service.service),
    },
    <>
      <div id="place" />
      <div id="no-place">
        <h1>{t.placesPage.title}</h1>
        <p class="lead">{t.placesPage.lead}</p>
        <SearchForm />
        <div data-unsearched>
          {search.dimensions.length === 0 && <p>{t.placesPage.none}</p>}
          <ul class="lines">
            {search.dimensions.map(({ id, title, domain, name, places, datasets }) => (
              <li key={id}>
                <span>
                  {title}
                  <span class="hint">
                    {t.placesPage.countIn(
                      t.counts.places(places.length),
                      t.counts.datasets(new Set(datasets.map(({ key }) => key)).size),
                    )}
                  </span>
                </span>
                <a href={`${root}${dimensionFolder(domain, name)}/rows.csv`}>{t.placesPage.list}</a>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <p class="without-script">{t.placesPage.withoutScript}</p>
    </>,
  );
}
