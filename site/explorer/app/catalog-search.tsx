/** The catalog's search and filters: they follow the reader's typing, and the URL keeps them. */
import { render } from 'preact';
import { pageFolder } from '../../../build/format/paths.ts';
import { countOf, spanOf, spellName } from '../view/format.ts';
import type { SearchDataset, SearchWithdrawn } from '../view/search-document.ts';
import { PlaceList } from './place-list.tsx';
import { type FoundPlace, loadSearch } from './tree-search.ts';

/** Milliseconds between the last letter and the search. */
const PAUSE = 120;
const MOST_PLACES = 12;

interface Filters {
  readonly domain: string;
  readonly level: string;
  readonly year: string;
}

export function startCatalog(root: URL): void {
  const form = document.querySelector<HTMLFormElement>('#catalog-form');
  const results = document.getElementById('catalog-results');
  const catalog = document.getElementById('catalog');
  const status = document.getElementById('catalog-status');
  if (!form || !results || !catalog || !status) return;
  const control = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  const names = ['q', 'domain', 'level', 'year'] as const;

  const readUrl = () => {
    const query = new URL(location.href).searchParams;
    for (const name of names) control(name).value = query.get(name) ?? '';
  };
  const writeUrl = () => {
    const url = new URL(location.href);
    for (const name of names) {
      if (control(name).value.trim() === '') url.searchParams.delete(name);
      else url.searchParams.set(name, control(name).value.trim());
    }
    history.replaceState(null, '', url);
  };

  let round = 0;
  const update = async () => {
    round++;
    const own = round;
    const text = control('q').value.trim();
    const filters = {
      domain: control('domain').value,
      level: control('level').value,
      year: control('year').value,
    };
    if (text === '') {
      results.hidden = true;
      catalog.hidden = false;
      const shown = filterEntries(catalog, filters);
      const any = filters.domain || filters.level || filters.year;
      status.textContent = any ? countOf(shown, 'dataset') : '';
      return;
    }
    try {
      const search = await loadSearch(root);
      if (own !== round) return;
      const datasets = search.findDatasets(text).filter(dataset => fits(dataset, filters));
      // Withdrawn datasets have no levels and years.
      const withdrawn =
        filters.level || filters.year
          ? []
          : search.findWithdrawn(text).filter(({ key }) => isOf(key, filters.domain));
      const places = search.findPlaces(text);
      catalog.hidden = true;
      results.hidden = false;
      render(<Results root={root} datasets={datasets} withdrawn={withdrawn} places={places} />, results);
      status.textContent = `${countOf(datasets.length + withdrawn.length, 'dataset')} and ${countOf(places.length, 'place')} found.`;
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      writeUrl();
      update();
    }, PAUSE);
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    writeUrl();
    update();
  });
  addEventListener('popstate', () => {
    readUrl();
    update();
  });
  // Loads the index before the reader types.
  control('q').addEventListener('focus', () => loadSearch(root).catch(() => undefined), { once: true });
  // A reader may have typed before this script ran.
  if (control('q').value === '') readUrl();
  else writeUrl();
  update();
}

function fits({ key, levels, years }: SearchDataset, { domain, level, year }: Filters): boolean {
  return (
    isOf(key, domain) &&
    (level === '' || levels.includes(level)) &&
    (year === '' || years.includes(Number(year)))
  );
}

function isOf(key: string, domain: string): boolean {
  return domain === '' || key.startsWith(`${domain}/`);
}

/** Hides the entries that do not match; returns the number of datasets left, withdrawn ones not counted. */
function filterEntries(catalog: HTMLElement, { domain, level, year }: Filters): number {
  let shown = 0;
  for (const section of catalog.querySelectorAll('section')) {
    let here = 0;
    for (const entry of section.querySelectorAll<HTMLElement>('li[data-key]')) {
      const { domain: own, levels = '', years = '' } = entry.dataset;
      const fit =
        (domain === '' || own === domain) &&
        (level === '' || levels.split(' ').includes(level)) &&
        (year === '' || years.split(' ').includes(year));
      entry.hidden = !fit;
      if (fit) here++;
    }
    section.hidden = here === 0;
    if (section.id !== 'withdrawn') shown += here;
  }
  return shown;
}

function Results(props: {
  readonly root: URL;
  readonly datasets: readonly SearchDataset[];
  readonly withdrawn: readonly SearchWithdrawn[];
  readonly places: readonly FoundPlace[];
}) {
  const { root, datasets, withdrawn, places } = props;
  return (
    <>
      <h2>Datasets</h2>
      {datasets.length + withdrawn.length === 0 && <p>No dataset found. Try fewer or different words.</p>}
      <ul class="rows">
        {datasets.map(({ key, title, summary, years, levels }) => {
          const [domain = '', topic = ''] = key.split('/');
          return (
            <li key={key}>
              <h3>
                <a href={new URL(pageFolder(domain, topic), root).href}>{title}</a>
              </h3>
              <p>{summary}</p>
              <p class="hint">
                {[
                  spellName(domain),
                  ...spanOf({ available_years: years }),
                  levels.map(spellName).join(', '),
                ].join(' · ')}
              </p>
            </li>
          );
        })}
        {withdrawn.map(({ key, title, reason, withdrawn: date }) => {
          const [domain = '', topic = ''] = key.split('/');
          return (
            <li key={key}>
              <h3>
                <a href={new URL(pageFolder(domain, topic), root).href}>{title}</a>{' '}
                <span class="badge">Withdrawn</span>
              </h3>
              <p>{reason}</p>
              <p class="hint">
                {spellName(domain)} · withdrawn {date}
              </p>
            </li>
          );
        })}
      </ul>
      <h2>Places</h2>
      {places.length === 0 && <p>No place found.</p>}
      <PlaceList root={root} places={places} most={MOST_PLACES} />
    </>
  );
}
