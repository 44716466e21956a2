/** The page of places: finds a place by name, and shows the figures of every dataset about it. */
import { render } from 'preact';
import type { Engine } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { countOf } from '../view/format.ts';
import { parsePlace } from '../view/place-address.ts';
import { explain } from './explanation.ts';
import { ErrorNotice } from './explore/error-notice.tsx';
import { PlaceList } from './place-list.tsx';
import { PlaceReport } from './place-report.tsx';
import { loadSearch, type TreeSearch } from './tree-search.ts';

const PAUSE = 120;
const MOST_PLACES = 30;

export function startPlaces(root: URL): void {
  const form = document.querySelector<HTMLFormElement>('#place-form');
  const input = document.querySelector<HTMLInputElement>('#place-search');
  const status = document.getElementById('place-status');
  const results = document.getElementById('place-results');
  const place = document.getElementById('place');
  if (!form || !input || !status || !results || !place) return;

  const fail = (error: unknown, retry: () => void) => {
    status.textContent = '';
    const again = () => {
      render(null, results);
      retry();
    };
    render(
      <ErrorNotice message={`No place could be looked up. ${explain(error)}`} onRetry={again} />,
      results,
    );
  };
  const find = (search: TreeSearch) => {
    const text = input.value.trim();
    const places = text === '' ? [] : search.findPlaces(text);
    status.textContent = text === '' ? '' : `${countOf(places.length, 'place')} found.`;
    render(text === '' ? null : <PlaceList root={root} places={places} most={MOST_PLACES} />, results);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const search = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () =>
        loadSearch(root)
          .then(find)
          .catch(error => fail(error, search)),
      PAUSE,
    );
  };
  input.addEventListener('input', search);
  form.addEventListener('submit', event => {
    event.preventDefault();
    search();
  });
  input.addEventListener('focus', () => loadSearch(root).catch(() => undefined), { once: true });

  // A reader may have typed before this script ran.
  if (input.value !== '') search();
  const query = new URL(location.href).searchParams;
  const engine = query.has('dimension') ? openEngine(root) : null;
  const lookUp = (engine: Engine) => {
    status.textContent = 'Looking up the place…';
    engine.prepare();
    loadSearch(root)
      .then(({ document: known }) => {
        const found = parsePlace(known, query);
        if (found === null || found === 'unknown') {
          status.textContent =
            'No such place here. Its code may differ in this release: search for its name.';
          return;
        }
        status.textContent = '';
        const kinds = document.getElementById('place-kinds');
        if (kinds) kinds.hidden = true;
        const heading = document.querySelector('h1');
        // The enclosing place tells namesakes apart.
        const name = [found.name, found.within].filter(Boolean).join(', ');
        if (heading) heading.textContent = name;
        const lead = document.querySelector('main .lead');
        if (lead) lead.textContent = found.dimension.title;
        const label = form.querySelector('label');
        if (label) label.textContent = 'Find another place';
        document.title = `${name} · ${document.title}`;
        place.hidden = false;
        render(<PlaceReport root={root} document={known} place={found} engine={engine} />, place);
      })
      .catch(error => fail(error, () => lookUp(engine)));
  };
  if (engine !== null) lookUp(engine);
  else if (query.get('q')) {
    input.value = query.get('q') ?? '';
    search();
  }
}
