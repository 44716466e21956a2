/** The page of places. The URL names the place, whose figures a script collects; without one, the page is a search. */
import { dimensionFolder, PAGES } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { SearchDocument } from '../view/search-document.ts';
import type { Documents } from './documents.ts';
import { SearchForm } from './front-page.tsx';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';

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
