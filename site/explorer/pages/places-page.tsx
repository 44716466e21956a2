/** The page of places. The URL names the place, whose figures a script collects; without one, the page is a search. */
import { dimensionFolder, PAGES } from '../../../build/format/paths.ts';
import { countOf } from '../view/format.ts';
import type { SearchDocument } from '../view/search-document.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { SearchForm } from './search-form.tsx';

export function renderPlacesPage(documents: Documents, search: SearchDocument, bundle: Bundle): string {
  const folder = `${PAGES.places}/`;
  const root = rootFrom(folder);
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'places',
      title: 'Places',
      description: `Find a place and see what every dataset of ${documents.service.service} says about it.`,
    },
    <>
      <div id="place" />
      <div id="no-place">
        <h1>Places</h1>
        <p class="lead">Find a place, and see what every dataset says about it over the years.</p>
        <SearchForm />
        <div data-unsearched>
          {search.dimensions.length === 0 && <p>No dataset here is about places.</p>}
          <ul class="lines">
            {search.dimensions.map(({ id, title, domain, name, places, datasets }) => (
              <li key={id}>
                <span>
                  {title}
                  <span class="hint">
                    {countOf(places.length, 'place')}, in{' '}
                    {countOf(new Set(datasets.map(({ key }) => key)).size, 'dataset')}
                  </span>
                </span>
                <a href={`${root}${dimensionFolder(domain, name)}/rows.csv`}>List (CSV)</a>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <p class="without-script">
        This page needs JavaScript to collect the figures. Without it, download the files from each dataset's
        page.
      </p>
    </>,
  );
}
