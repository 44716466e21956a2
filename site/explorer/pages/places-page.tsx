/** The page of places: it finds a place and collects every dataset's figures about it. The URL names the place. */
import { dimensionFolder, PAGES } from '../../../build/format/paths.ts';
import { countOf } from '../view/format.ts';
import type { SearchDocument } from '../view/search-document.ts';
import type { Documents } from './documents.ts';
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
      title: 'Places',
      description: `Find a place and see what every dataset of ${documents.service.service} says about it.`,
      entry: 'app/explorer.ts',
    },
    <div id="places">
      <h1>Places</h1>
      <p class="lead">Find a place, and see what every dataset says about it over the years.</p>
      <search class="needs-script" aria-label="Places">
        <form id="place-form">
          <div class="field">
            <label for="place-search">Name or code of a place</label>
            <input id="place-search" type="search" name="q" autocomplete="off" spellcheck={false} />
          </div>
        </form>
      </search>
      <p id="place-status" class="hint needs-script" role="status" />
      <div id="place-results" />
      <section id="place" hidden />
      <div id="place-kinds">
        <h2>Kinds of places</h2>
        {search.dimensions.length === 0 && <p>No dataset here is about places.</p>}
        <ul class="cards">
          {search.dimensions.map(({ id, title, domain, name, places, datasets }) => (
            <li key={id} class="card">
              <h3>{title}</h3>
              <p>
                {countOf(places.length, 'place')}, in {countOf(datasets.length, 'dataset')}
              </p>
              <p class="hint">
                <a href={`${root}${dimensionFolder(domain, name)}/rows.csv`}>List of all places (CSV)</a>
              </p>
            </li>
          ))}
        </ul>
      </div>
      <p class="without-script">
        This page needs JavaScript to collect the figures. Without it, download the files from each dataset's
        page.
      </p>
    </div>,
  );
}
