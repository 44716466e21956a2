/** The search follows the reader's typing. The address keeps the text. */
import { render } from 'preact';
import { PAGES, pageFolderOf } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { Line } from '../pages/text.tsx';
import { formatCount, spanOf, spellName, titleName } from '../view/format.ts';
import { describePlace, placeAddress } from '../view/places.ts';
import type { SearchDataset, SearchDocument } from '../view/search-document.ts';
import { root } from '../view/tree-root.ts';
import { type Found, openSearch, type SearchAnswer, type TreeSearch } from '../view/tree-search.ts';
import { ErrorNotice, explain } from './explanation.tsx';
import { requireDocument } from './tree-documents.ts';

/** Milliseconds between the last letter and the search. */
const PAUSE = 120;
const MOST_SHOWN = 30;

export function loadSearchDocument(): Promise<SearchDocument> {
  return requireDocument(PAGES.search);
}

/** While there are results, elements with `data-unsearched` are hidden. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('#search-form');
  if (!form) return;
  const input = form.elements.namedItem('q') as HTMLInputElement;
  const results = document.getElementById('search-results');
  const status = document.getElementById('search-status');
  if (!results || !status) return;
  const others = document.querySelectorAll<HTMLElement>('[data-unsearched]');
  let search: TreeSearch | null = null;
  let round = 0;
  const show = (answer: SearchAnswer | null) => {
    const isFound = answer !== null && answer.found.length > 0;
    for (const one of others) one.hidden = isFound;
    results.hidden = !isFound;
    render(answer && <Results answer={answer} />, results);
    status.textContent = answer === null ? '' : describeAnswer(answer);
  };
  const update = async () => {
    round++;
    const own = round;
    const text = input.value.trim();
    if (text === '') return show(null);
    try {
      search ??= openSearch(await loadSearchDocument(), t.title.by);
      if (own === round) show(search.ask(text));
    } catch (error) {
      if (own !== round) return;
      show(null);
      results.hidden = false;
      render(<ErrorNotice message={explain(error)} onRetry={update} />, results);
    }
  };
  const writeUrl = () => {
    const url = new URL(location.href);
    if (input.value.trim() === '') url.searchParams.delete('q');
    else url.searchParams.set('q', input.value.trim());
    history.replaceState(null, '', url);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (pause: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      writeUrl();
      void update();
    }, pause);
  };
  form.addEventListener('input', () => follow(PAUSE));
  form.addEventListener('submit', event => {
    event.preventDefault();
    follow(0);
  });
  // Loads the index before the reader types.
  input.addEventListener('focus', () => loadSearchDocument().catch(() => undefined), { once: true });
  // The reader may have typed before this script ran.
  if (input.value === '') input.value = new URL(location.href).searchParams.get('q') ?? '';
  else writeUrl();
  void update();
}

/** Which words were corrected or ignored, and how much was found. */
function describeAnswer({ found, corrections, unknown }: SearchAnswer): string {
  const read = corrections.map(([from, to]) => t.search.readAs(from, to));
  return [...read, ...unknown.map(t.search.unknown), t.search.found(formatCount(found.length))].join(' ');
}

function Results({ answer: { found } }: { readonly answer: SearchAnswer }) {
  return (
    <>
      <h2 class="visually-hidden">{t.search.results}</h2>
      <ol class="rows found">
        {found.slice(0, MOST_SHOWN).map((one, at) => (
          <li key={at}>
            <Result found={one} />
          </li>
        ))}
      </ol>
      {found.length > MOST_SHOWN && (
        <p class="hint">{t.search.more(formatCount(found.length - MOST_SHOWN))}</p>
      )}
    </>
  );
}

function Result({ found }: { readonly found: Found }) {
  switch (found.kind) {
    case 'place': {
      const { dimension, name, key } = found.place;
      const code = key.join(' ');
      return (
        <h3>
          <a href={placeAddress(dimension, key)}>{name}</a>{' '}
          <span class="hint">
            {describePlace(found.place)}
            {code !== name && ` · ${code}`}
          </span>
        </h3>
      );
    }
    case 'dataset':
      return <DatasetResult {...found} />;
    case 'withdrawn': {
      const { key, title, reason, withdrawn } = found.withdrawn;
      return (
        <>
          <h3>
            <a href={addressOf(found.withdrawn)}>{title}</a> <span class="hint">{t.search.withdrawn}</span>
          </h3>
          <p>{t.words.withdrawn(withdrawn, reason)}</p>
          <p class="hint">{titleName(key.split('/')[0] ?? '')}</p>
        </>
      );
    }
    default:
      return found satisfies never;
  }
}

function DatasetResult({ dataset, view }: Extract<Found, { kind: 'dataset' }>) {
  const { key, title, summary, years, levels, whole, area } = dataset;
  const covered = levels.map(level => (level === whole && area ? area : spellName(level))).join(', ');
  const facts = [titleName(key.split('/')[0] ?? ''), ...spanOf({ available_years: years }), covered];
  return (
    <>
      <h3>
        <a href={addressOf(dataset, view ? `?${view.query}` : '')}>{view ? view.words : title}</a>{' '}
        {!view && <span class="hint">{t.search.dataset}</span>}
      </h3>
      {view ? (
        <p class="hint">
          <Line
            text={view.about === null ? t.search.viewOf : t.search.viewAbout(view.about)}
            parts={{ dataset: <a href={addressOf(dataset)}>{title}</a> }}
          />
        </p>
      ) : (
        <>
          <p>{summary}</p>
          <p class="hint">{facts.join(' · ')}</p>
        </>
      )}
    </>
  );
}

function addressOf({ key }: Pick<SearchDataset, 'key'>, query = ''): string {
  return new URL(pageFolderOf(key) + query, root).href;
}
