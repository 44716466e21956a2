/** The pages with a search: the front page, with a line for each dataset, and the page of places. */
import { dimensionFolder, PAGES, pageFolderOf } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { SmallCurve } from '../view/curve.tsx';
import { spanOf, titleName } from '../view/format.ts';
import type { SearchDocument } from '../view/search-document.ts';
import { textOfSentence } from '../view/sentence.ts';
import type { DatasetDocuments } from './documents.ts';
import { headlineOf } from './first-view.ts';
import { renderPage, rootFrom, type Site } from './layout.tsx';

export function renderFrontPage(site: Site): string {
  const { service, withdrawn, datasets } = site;
  const domains = [...new Set(datasets.map(({ schema }) => schema.main_topic))].sort();
  return renderPage(
    site,
    {
      folder: '',
      section: 'data',
      parts: ['search'],
      title: service.service,
      description: service.description || service.service,
    },
    <>
      <h1>{service.service}</h1>
      {service.description && <p class="lead">{service.description}</p>}
      <SearchForm />
      <div id="catalog" data-unsearched>
        {domains.map(domain => {
          const own = datasets.filter(({ schema }) => schema.main_topic === domain);
          return (
            <section key={domain} id={domain} aria-labelledby={`all-${domain}`}>
              <h2 id={`all-${domain}`}>
                {titleName(domain)} <span class="hint">{t.counts.datasets(own.length)}</span>
              </h2>
              <ul class="lines">
                {own.map(dataset => (
                  <Line key={dataset.key} dataset={dataset} />
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
                    <a href={pageFolderOf(key)}>{title}</a>
                    <span class="hint">{t.words.withdrawn(date, reason)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>,
  );
}

function Line({ dataset }: { readonly dataset: DatasetDocuments }) {
  const { key, folder, schema, manifest, first } = dataset;
  const headline = headlineOf(first);
  return (
    <li data-key={key}>
      <span>
        <a href={folder}>{schema.title}</a>
        <span class="hint">
          {headline?.name ??
            (textOfSentence(first.drawn?.sentence ?? []) ||
              [...spanOf(schema), t.counts.rows(manifest.rows)].join(', '))}
        </span>
      </span>
      {headline && <strong>{headline.figure}</strong>}
      {headline && <SmallCurve runs={headline.runs} />}
    </li>
  );
}

/** The search field, and the place of the results, which app/search.tsx fills. */
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

export function renderPlacesPage(site: Site, search: SearchDocument): string {
  const folder = `${PAGES.places}/`;
  const root = rootFrom(folder);
  return renderPage(
    site,
    {
      folder,
      section: 'places',
      parts: ['place'],
      title: t.nouns.places,
      description: t.placesPage.lead,
    },
    <>
      <div id="place" />
      <div id="no-place">
        <h1>{t.nouns.places}</h1>
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
