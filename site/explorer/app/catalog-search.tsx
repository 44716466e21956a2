/** The catalog's search and filters: they follow the reader's typing, and the URL keeps them. */
import { render } from 'preact';
import { pageFolder } from '../../../build/format/paths.ts';
import { countOf, spanOf, spellName, titleName } from '../view/format.ts';
import type { SearchDataset, SearchDocument } from '../view/search-document.ts';
import { explain } from './explanation.ts';
import { ErrorNotice } from './explore/error-notice.tsx';
import { PlaceList } from './place-list.tsx';
import { loadSearch, type SearchAnswer } from './tree-search.ts';

/** Milliseconds between the last letter and the search. */
const PAUSE = 120;
const MOST_PLACES = 12;
const MOST_TAGS = 10;

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
  const front = document.getElementById('front');
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
      if (front) front.hidden = any !== '';
      status.textContent = any ? countOf(shown, 'dataset') : '';
      return;
    }
    try {
      const search = await loadSearch(root);
      if (own !== round) return;
      const answer = search.ask(text);
      const datasets = answer.datasets.filter(({ dataset }) => fits(dataset, filters));
      // Withdrawn datasets have no levels and years.
      const withdrawn =
        filters.level || filters.year ? [] : answer.withdrawn.filter(({ key }) => isOf(key, filters.domain));
      catalog.hidden = true;
      if (front) front.hidden = true;
      results.hidden = false;
      const shown = { ...answer, datasets, withdrawn };
      render(<Results root={root} answer={shown} tags={frequentTags(search.document)} />, results);
      status.textContent = `${describeReading(answer)}${countOf(datasets.length + withdrawn.length, 'dataset')} and ${countOf(answer.places.length, 'place')} found.`;
    } catch (error) {
      if (own !== round) return;
      status.textContent = '';
      results.hidden = false;
      const message = `The search does not work now. ${explain(error)}`;
      render(<ErrorNotice message={message} onRetry={update} />, results);
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

/** Says which words were read as others, or left out. */
function describeReading({ corrections, unknown }: SearchAnswer): string {
  const read = corrections.map(([from, to]) => `“${from}” was read as “${to}”. `);
  const left = unknown.map(word => `Nothing here is called “${word}”. `);
  return [...read, ...left].join('');
}

/** The subjects of most datasets, as further searches. */
function frequentTags({ datasets }: SearchDocument): string[] {
  const counts = new Map<string, number>();
  for (const tag of datasets.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_TAGS)
    .map(([tag]) => tag);
}

interface ResultsProps {
  readonly root: URL;
  readonly answer: SearchAnswer;
  readonly tags: readonly string[];
}

function Results({ root, answer: { datasets, withdrawn, places }, tags }: ResultsProps) {
  const page = (key: string, query = '') => {
    const [domain = '', topic = ''] = key.split('/');
    return new URL(pageFolder(domain, topic) + query, root).href;
  };
  return (
    <>
      <h2>Datasets</h2>
      {datasets.length + withdrawn.length === 0 && (
        <>
          <p>No dataset has these words. Try other words, or one of these subjects:</p>
          <ul class="on-page">
            {tags.map(tag => (
              <li key={tag}>
                <a href={new URL(`index.html?q=${encodeURIComponent(spellName(tag))}`, root).href}>
                  {spellName(tag)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <ul class="rows">
        {datasets.map(({ dataset: { key, title, summary, years, levels, whole, area }, view }) => (
          <li key={key}>
            <h3>
              <a href={page(key, view ? `?${view.query}` : '')}>{view ? view.words : title}</a>
            </h3>
            {view && (
              <p>
                A view of <a href={page(key)}>{title}</a>
              </p>
            )}
            <p>{summary}</p>
            <p class="hint">
              {[
                titleName(key.split('/')[0] ?? ''),
                ...spanOf({ available_years: years }),
                levels.map(level => (level === whole && area ? area : spellName(level))).join(', '),
              ].join(' · ')}
            </p>
          </li>
        ))}
        {withdrawn.map(({ key, title, reason, withdrawn: date }) => (
          <li key={key}>
            <h3>
              <a href={page(key)}>{title}</a> <span class="badge">Withdrawn</span>
            </h3>
            <p>{reason}</p>
            <p class="hint">
              {titleName(key.split('/')[0] ?? '')} · withdrawn {date}
            </p>
          </li>
        ))}
      </ul>
      <h2>Places</h2>
      {places.length === 0 && <p>No place has these words in its name.</p>}
      <PlaceList root={root} places={places} most={MOST_PLACES} />
    </>
  );
}
