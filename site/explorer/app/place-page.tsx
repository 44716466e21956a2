/** The page of a place: what it lies in, what lies in it, places like it, and all figures in one table. */
import { type ComponentChildren, render } from 'preact';
import { useState } from 'preact/hooks';
import { PAGES } from '../../../build/format/paths.ts';
import type { Engine } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { t } from '../messages/messages.ts';
import { Line } from '../pages/text.tsx';
import { formatCount } from '../view/format.ts';
import { closestPeers, type PlaceSubject } from '../view/place-figures.ts';
import { childrenOf, findPlace, formatPlace, type Place, parentOf, parsePlace } from '../view/places.ts';
import type { SearchDocument } from '../view/search-document.ts';
import { explain } from './explanation.ts';
import { ErrorNotice } from './explore/error-notice.tsx';
import { saveFile } from './explore/saving.ts';
import { usePlaceReading } from './place-reading.ts';
import { addressOf, PlaceTable, type ReadSubject, writeFiguresCsv } from './place-table.tsx';
import { loadSearchDocument, startSearch } from './search.tsx';

/** Children and peers that a page lists at once. */
const MOST_CHILDREN = 12;
const MOST_ALIKE = 6;

export function startPlace(element: HTMLElement, root: URL): void {
  const query = new URL(location.href).searchParams;
  const other = document.getElementById('no-place');
  if (other) other.hidden = true;
  const engine = openEngine(root);
  engine.prepare();
  const lookUp = async () => {
    render(<p role="status">{t.place.lookingUp}</p>, element);
    try {
      const known = await loadSearchDocument(root);
      const place = parsePlace(known, query);
      if (place === null || place === 'unknown') {
        render(<p role="status">{t.place.unknown}</p>, element);
        if (other) other.hidden = false;
        startSearch(root);
        return;
      }
      document.title = `${[place.name, place.within].filter(Boolean).join(', ')} · ${document.title}`;
      render(<PlacePage root={root} document={known} place={place} engine={engine} />, element);
    } catch (error) {
      const message = t.place.failed(explain(error));
      render(<ErrorNotice message={message} onRetry={lookUp} />, element);
    }
  };
  void lookUp();
}

function countDatasets(count: number): string {
  return t.counts.datasets(count);
}

interface PageProps {
  readonly root: URL;
  readonly document: SearchDocument;
  readonly place: Place;
  readonly engine: Engine;
}

function subjectsOf({ datasets }: SearchDocument, { dimension }: Place): PlaceSubject[] {
  return dimension.datasets.flatMap((rows): PlaceSubject[] => {
    const dataset = datasets.find(({ key }) => key === rows.key);
    return dataset ? [{ dataset, rows }] : [];
  });
}

function PlacePage({ root, document, place, engine }: PageProps) {
  const [subjects] = useState(() => subjectsOf(document, place));
  const { readings, retry } = usePlaceReading(engine, document, subjects, place);
  const [isWhole, setWhole] = useState(false);
  const read = subjects.map((subject, at): ReadSubject => ({ ...subject, reading: readings[at]! }));
  const alone = read.filter(({ rows }) => rows.alone);
  const done = read.filter(({ reading }) => reading.figures !== null);
  const shown = read.filter(({ reading }) => (reading.figures?.length ?? 0) > 0);
  const failed = read.filter(({ reading }) => reading.figures === null && reading.error !== null);
  const isBusy = done.length + failed.length < read.length;
  const figures = shown.reduce((sum, { reading }) => sum + (reading.figures?.length ?? 0), 0);
  const { dimension, name, key } = place;
  return (
    <>
      <Heading root={root} document={document} place={place} />
      <div class="toolbar">
        <p role="status" class="hint">
          {isBusy
            ? t.place.progress(formatCount(done.length), countDatasets(read.length))
            : figures === 0
              ? t.place.noFigure(dimension.kind)
              : t.place.found(t.counts.figures(figures), countDatasets(shown.length))}
        </p>
        {alone.length > 0 && (
          <>
            <button
              type="button"
              class="button quiet small"
              disabled={isBusy || figures === 0}
              onClick={() =>
                saveFile(
                  new Blob([writeFiguresCsv(place, shown)], { type: 'text/csv' }),
                  `${[dimension.name, ...key].join('-')}.csv`,
                )
              }
            >
              {t.place.save}
            </button>
            <button
              type="button"
              class="button quiet small"
              aria-pressed={isWhole}
              onClick={() => setWhole(!isWhole)}
            >
              {t.place.showAll}
            </button>
          </>
        )}
      </div>
      {failed.length > 0 && (
        <ErrorNotice
          message={t.place.unread(countDatasets(failed.length), explain(failed[0]?.reading.error))}
          onRetry={retry}
        />
      )}
      {alone.length > 0 && (
        <section class="table-scroll" aria-label={t.place.figuresOf(name)} tabindex={0}>
          <PlaceTable root={root} place={place} subjects={alone} isWhole={isWhole} />
        </section>
      )}
      {childrenOf(document, place).map(children => (
        <Listed
          key={children.dimension.id}
          root={root}
          title={t.place.here(children.dimension.title)}
          places={children.places}
        />
      ))}
      {done.map(subject =>
        subject.reading.partners.map(partners => (
          <Listed
            key={`${subject.dataset.key} ${partners.dimension.id}`}
            root={root}
            title={subject.dataset.title}
            places={partners.places}
          >
            <p>
              <Line
                text={t.place.inRows(partners.dimension.title, dimension.kind)}
                parts={{ link: <a href={addressOf(root, subject, place)}>{t.place.showRows}</a> }}
              />
            </p>
          </Listed>
        )),
      )}
      <Alike root={root} place={place} subjects={shown} />
    </>
  );
}

function Heading({ root, document, place }: Omit<PageProps, 'engine'>) {
  const parent = parentOf(document, place);
  const { dimension, name, key } = place;
  const code = key.join(' ');
  return (
    <>
      {parent && (
        <nav class="trail" aria-label={t.place.liesIn}>
          <PlaceLink root={root} place={parent} /> <span class="hint">{parent.dimension.kind}</span>
        </nav>
      )}
      <h1>{name}</h1>
      <p class="hint">
        {dimension.kind.charAt(0).toUpperCase() + dimension.kind.slice(1)}
        {code !== name && ` · ${t.place.code(code)}`}
      </p>
    </>
  );
}

function PlaceLink({ root, place: { dimension, name, key } }: { readonly root: URL; readonly place: Place }) {
  return <a href={new URL(`${PAGES.places}/?${formatPlace(dimension, key)}`, root).href}>{name}</a>;
}

interface ListedProps {
  readonly root: URL;
  readonly title: string;
  readonly places: readonly Place[];
  /** What stands between title and list. */
  readonly children?: ComponentChildren;
}

function Listed({ root, title, places, children }: ListedProps) {
  const [first, rest] = [places.slice(0, MOST_CHILDREN), places.slice(MOST_CHILDREN)];
  // What they lie in tells namesakes apart.
  const isMixed = new Set(places.map(({ within }) => within)).size > 1;
  const list = (some: readonly Place[]) => (
    <ul class="on-page">
      {some.map(place => (
        <li key={place.key.join(' ')}>
          <PlaceLink root={root} place={place} />
          {isMixed && <span class="hint"> {place.within}</span>}
        </li>
      ))}
    </ul>
  );
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
      {list(first)}
      {rest.length > 0 && (
        <details>
          <summary>{t.place.all(formatCount(places.length))}</summary>
          {list(rest)}
        </details>
      )}
    </section>
  );
}

/** Places of the same kind that are closest in size: by the first count that the table has, else by its first figure. */
function Alike({
  root,
  place,
  subjects,
}: {
  readonly root: URL;
  readonly place: Place;
  readonly subjects: readonly ReadSubject[];
}) {
  const compared = subjects.flatMap(subject =>
    subject.reading.peers ? (subject.reading.figures ?? []).map(figure => ({ subject, figure })) : [],
  );
  const by = compared.find(({ figure }) => figure.metric.unit === 'count') ?? compared[0];
  if (by === undefined) return null;
  const { subject, figure } = by;
  const keys = closestPeers(subject, figure, subject.reading.peers ?? [], place.key, MOST_ALIKE);
  const places = keys.flatMap(key => findPlace(place.dimension, key) ?? []);
  if (places.length === 0) return null;
  return (
    <Listed root={root} title={t.place.alike} places={places}>
      <p class="hint">
        {t.place.closest(figure.metric.label, subject.dataset.title, String(figure.latest.year))}
      </p>
    </Listed>
  );
}
