/** The page of a place: the places around, in and like it, and all its figures in one table. */
import { type ComponentChildren, render } from 'preact';
import { useState } from 'preact/hooks';
import { pageFolderOf } from '../../../build/format/paths.ts';
import { encodeCsvValue } from '../../query/encode.ts';
import { formatQuery, type Pair } from '../../query/query-string.ts';
import type { Engine, Parameters } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { t } from '../messages/messages.ts';
import { saveFile } from '../panel/save-bar.tsx';
import { SmallCurve } from '../view/curve.tsx';
import { formatCount, titleName } from '../view/format.ts';
import {
  closestPeers,
  derivePlaceFigures,
  describeRank,
  namePins,
  type PlaceFigure,
  type PlaceSubject,
  peersOf,
  rankAmong,
  sharedPins,
  writeChange,
  writeFigure,
} from '../view/place-figures.ts';
import { childrenOf, findPlace, type Place, parentOf, parsePlace, placeAddress } from '../view/places.ts';
import { cellsOf, MOST_FIRST_ROWS, type Rows, rowNumbers } from '../view/rows.ts';
import { type SearchDocument, viewOver } from '../view/search-document.ts';
import { root } from '../view/tree-root.ts';
import { ErrorNotice, explain } from './explanation.tsx';
import { loadSearchDocument, startSearch } from './search.tsx';

/** Places listed before the others are folded. */
const MOST_CHILDREN = 12;
const MOST_ALIKE = 6;

/** Resolves when all figures are there, or the page says why not. */
export async function startPlace(element: HTMLElement): Promise<void> {
  const query = new URL(location.href).searchParams;
  const other = document.getElementById('no-place');
  if (other) other.hidden = true;
  const engine = openEngine(root);
  render(<p role="status">{t.place.lookingUp}</p>, element);
  try {
    const known = await loadSearchDocument();
    const place = parsePlace(known, query);
    if (place === null) {
      render(<p role="status">{t.place.unknown}</p>, element);
      if (other) other.hidden = false;
      startSearch();
      return;
    }
    document.title = `${[place.name, place.within].filter(Boolean).join(', ')} · ${document.title}`;
    let subjects = listSubjects(known, place);
    const draw = () =>
      render(<PlacePage document={known} place={place} subjects={subjects} onRetry={read} />, element);
    const read = () =>
      readSubjects(engine, place, subjects, (at, part) => {
        subjects = subjects.map((one, i) => (i === at ? { ...one, ...part } : one));
        draw();
      });
    draw();
    await read();
  } catch (error) {
    render(<ErrorNotice message={explain(error)} onRetry={() => startPlace(element)} />, element);
  }
}

interface PageProps {
  readonly document: SearchDocument;
  readonly place: Place;
  readonly subjects: readonly ReadSubject[];
  /** Reads again what failed. */
  onRetry(): void;
}

function PlacePage({ document, place, subjects, onRetry }: PageProps) {
  const [isWhole, setWhole] = useState(false);
  const done = subjects.filter(one => one.figures !== null);
  const shown = subjects.filter(one => (one.figures?.length ?? 0) > 0);
  const failed = subjects.filter(one => one.figures === null && one.error !== null);
  const isBusy = done.length + failed.length < subjects.length;
  const figures = shown.reduce((sum, one) => sum + (one.figures?.length ?? 0), 0);
  const { dimension, name, key } = place;
  return (
    <>
      <Heading document={document} place={place} />
      <div class="toolbar">
        <p role="status" class="hint">
          {isBusy
            ? t.place.progress(formatCount(done.length), t.counts.datasets(subjects.length))
            : figures === 0
              ? t.place.noFigure(dimension.kind)
              : t.place.found(t.counts.figures(figures), t.counts.datasets(shown.length))}
        </p>
        {subjects.length > 0 && (
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
          message={t.place.unread(t.counts.datasets(failed.length), explain(failed[0]?.error))}
          onRetry={onRetry}
        />
      )}
      {subjects.length > 0 && (
        <section class="table-scroll" aria-label={t.place.figuresOf(name)} tabindex={0}>
          <PlaceTable place={place} subjects={subjects} isWhole={isWhole} />
        </section>
      )}
      {childrenOf(document, place).map(children => (
        <Listed
          key={children.dimension.id}
          title={t.place.here(children.dimension.title)}
          places={children.places}
        />
      ))}
      <Alike place={place} subjects={shown} />
    </>
  );
}

function Heading({ document, place }: Pick<PageProps, 'document' | 'place'>) {
  const parent = parentOf(document, place);
  const { dimension, name, key } = place;
  const code = key.join(' ');
  return (
    <>
      {parent && (
        <nav class="trail" aria-label={t.place.liesIn}>
          <PlaceLink place={parent} /> <span class="hint">{parent.dimension.kind}</span>
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

function PlaceLink({ place: { dimension, name, key } }: { readonly place: Place }) {
  return <a href={placeAddress(dimension, key)}>{name}</a>;
}

interface ListedProps {
  readonly title: string;
  readonly places: readonly Place[];
  readonly children?: ComponentChildren;
}

function Listed({ title, places, children }: ListedProps) {
  const [first, rest] = [places.slice(0, MOST_CHILDREN), places.slice(MOST_CHILDREN)];
  // The place around tells namesakes apart.
  const isMixed = new Set(places.map(({ within }) => within)).size > 1;
  const list = (some: readonly Place[]) => (
    <ul class="on-page">
      {some.map(place => (
        <li key={place.key.join(' ')}>
          <PlaceLink place={place} />
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

/** The places closest in size: by the first count in the table, else by the first figure. */
function Alike({ place, subjects }: Omit<TableProps, 'isWhole'>) {
  const compared = subjects.flatMap(subject =>
    subject.peers ? (subject.figures ?? []).map(figure => ({ subject, figure })) : [],
  );
  const by = compared.find(({ figure }) => figure.metric.unit === 'count') ?? compared[0];
  if (by === undefined) return null;
  const { subject, figure } = by;
  const peers = subject.peers ? peersOf(subject, figure, subject.peers) : [];
  const keys = closestPeers(figure, peers, place.key, MOST_ALIKE);
  const places = keys.flatMap(key => findPlace(place.dimension, key) ?? []);
  if (places.length === 0) return null;
  return (
    <Listed title={t.place.alike} places={places}>
      <p class="hint">
        {t.place.closest(figure.metric.label, subject.dataset.title, String(figure.latest.year))}
      </p>
    </Listed>
  );
}

interface TableProps {
  readonly place: Place;
  readonly subjects: readonly ReadSubject[];
  /** Whether to show all figures of each dataset, not only its key figure. */
  readonly isWhole: boolean;
}

function PlaceTable({ place, subjects, isWhole }: TableProps) {
  const domains = [...new Set(subjects.map(({ dataset }) => domainOf(dataset.key)))];
  const area = subjects.find(({ dataset }) => dataset.area !== undefined)?.dataset.area ?? t.place.whole;
  const { newest, sinceYearBefore, rankHighest } = t.place;
  return (
    <table class="data stacked place-figures">
      <thead>
        <tr>
          {[t.nouns.figure, newest, sinceYearBefore, area, rankHighest, t.nouns.years].map((head, i) => (
            <th key={head} scope="col" class={i > 0 && i < 4 ? 'number' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {domains.map(domain => (
        <tbody key={domain}>
          <tr>
            <th scope="rowgroup" colSpan={6} class="group">
              {titleName(domain)}
            </th>
          </tr>
          {subjects
            .filter(({ dataset }) => domainOf(dataset.key) === domain)
            .flatMap(subject => {
              const { dataset, rows, figures } = subject;
              const [first = null, ...others] = figures ?? [];
              return [first, ...(isWhole ? others : [])].map(figure => (
                <PlaceRow
                  key={`${dataset.key} ${rows.detail} ${figure === first ? '' : figure?.metric.column}`}
                  address={addressOf(subject, place, figure)}
                  title={figure === first ? dataset.title : null}
                  subject={subject}
                  figure={figure}
                  area={area}
                />
              ));
            })}
        </tbody>
      ))}
    </table>
  );
}

function domainOf(key: string): string {
  return key.split('/')[0] ?? '';
}

interface PlaceRowProps {
  readonly address: string;
  /** The dataset's title, in its first line. */
  readonly title: string | null;
  readonly subject: ReadSubject;
  /** Null until it is read, and if there is none. */
  readonly figure: PlaceFigure | null;
  readonly area: string;
}

/** A line without a figure keeps its place, so lines below don't move. */
function PlaceRow({ address, title, subject, figure, area }: PlaceRowProps) {
  const { dataset, figures, error, absence, peers } = subject;
  const unit = figure?.metric.unit ?? null;
  const wholes = figure && subject.whole ? peersOf(subject, figure, subject.whole) : [];
  const whole = wholes.length === 1 ? wholes[0] : undefined;
  const rank = figure && peers && rankAmong(figure, peersOf(subject, figure, peers));
  const pins = figure ? namePins(dataset, figure.pins).map(pin => pin.words) : [];
  const words = [(figure?.metric ?? dataset.metrics[0])?.label, ...pins].filter(Boolean).join(', ');
  return (
    <tr aria-busy={figures === null && error === null}>
      <th scope="row">
        {/* Without a row, the dataset's page would be empty. */}
        {absence === t.words.noRow ? title : <a href={address}>{title ?? words}</a>}
        {title !== null && <span class="hint">{words}</span>}
      </th>
      <td class="number" data-label={t.place.newest}>
        {figure ? (
          <>
            <strong>{writeFigure(figure.latest, unit)}</strong> <span class="hint">{figure.latest.year}</span>
          </>
        ) : (
          <span class="hint">{absence}</span>
        )}
      </td>
      <td class="number" data-label={t.place.change}>
        {figure?.change && writeChange(figure.change, unit)}
      </td>
      <td class="number" data-label={area}>
        {whole && writeFigure(whole, unit)}
      </td>
      <td data-label={t.place.rank}>{rank && describeRank(rank, figure.latest.margin !== null)}</td>
      <td>{figure && <SmallCurve runs={figure.runs} />}</td>
    </tr>
  );
}

/** The dataset's page with the place, the figure and its pins chosen. */
export function addressOf(subject: PlaceSubject, place: Place, figure: PlaceFigure | null = null): string {
  const { dataset } = subject;
  const url = new URL(pageFolderOf(dataset.key), root);
  const chosen = placeParameters(subject, place.key);
  if (figure) {
    for (const { param, value } of namePins(dataset, figure.pins)) chosen.push({ name: param, value });
    const view = viewOver(figure.points);
    if (view === 'bars') chosen.push({ name: 'year', value: String(figure.latest.year) });
    chosen.push({ name: 'view', value: view });
    chosen.push({ name: 'metric', value: figure.metric.column });
  }
  url.search = formatQuery(chosen);
  return url.href;
}

/** All figures of all years, one per line (RFC 4180). */
function writeFiguresCsv(place: Place, subjects: readonly ReadSubject[]): string {
  const { key } = place.dimension;
  const head = ['place', ...key, 'dataset', 'figure', 'column', 'choices', 'year', 'value', 'margin', 'unit'];
  const lines = subjects.flatMap(({ dataset, figures }) =>
    (figures ?? []).flatMap(({ metric, pins, points }) => {
      const choices = namePins(dataset, pins).map(({ label, words }) => `${label}: ${words}`);
      const about = [dataset.key, metric.label, metric.column, choices.join('; ') || null];
      return points.map(({ year, value, margin }) =>
        [place.name, ...place.key, ...about, year, value, margin, metric.unit].map(encodeCsvValue),
      );
    }),
  );
  return [head, ...lines].map(line => `${line.join(',')}\r\n`).join('');
}

/** A dataset, and what it says about the place. */
interface ReadSubject extends PlaceSubject {
  /** Null until they are read. */
  readonly figures: readonly PlaceFigure[] | null;
  readonly error: unknown;
  /** Why there is no figure: no row, no figure in them, or several per year and no total. */
  readonly absence: string;
  /** Rows of the whole; null until they are read, or if they can't be. */
  readonly whole: Rows | null;
  /** Rows of the newest year for all places of the level; null also if there are too many. */
  readonly peers: Rows | null;
}

const UNREAD = { figures: null, error: null, absence: '…', whole: null, peers: null };

function listSubjects(document: SearchDocument, place: Place): readonly ReadSubject[] {
  return place.dimension.datasets.flatMap((rows): ReadSubject[] => {
    const dataset = document.datasets.find(({ key }) => key === rows.key);
    if (!dataset) return [];
    // Rows about pairs of places have no figure of one alone: the table only links to them.
    const pairs = rows.alone ? {} : { figures: [], absence: t.place.severalAYear };
    return [{ dataset, rows, ...UNREAD, ...pairs }];
  });
}

/** Reads all figures that aren't there yet, then what to compare them with. */
async function readSubjects(
  engine: Engine,
  place: Place,
  subjects: readonly ReadSubject[],
  put: (at: number, part: Partial<ReadSubject>) => void,
): Promise<void> {
  const read = async ({ dataset: { key } }: PlaceSubject, parameters: Parameters) =>
    (await engine.ask(key, parameters, { limit: MOST_FIRST_ROWS })).table;
  const found = await inTurns(subjects, async (subject, at): Promise<readonly PlaceFigure[]> => {
    if (subject.figures !== null) return [];
    try {
      const rows = await read(subject, placeParameters(subject, place.key));
      const figures = derivePlaceFigures(subject, rows);
      const hasFigures = subject.dataset.metrics.some(({ column }) =>
        rowNumbers(rows).some(row => cellsOf(rows, column)(row) !== null),
      );
      const absence = hasFigures ? t.place.severalAYear : rows.rows > 0 ? t.words.noFigure : t.words.noRow;
      put(at, { figures, error: null, absence });
      return figures;
    } catch (error) {
      put(at, { error, absence: t.place.notRead });
      return [];
    }
  });
  await inTurns(subjects, async (subject, at) => {
    const { dataset, rows } = subject;
    const figures = found[at] ?? [];
    if (figures.length === 0) return;
    // A figure is shown without its comparisons if they can't be read.
    const readLevel = (detail: string, parameters: Parameters) =>
      read(subject, [{ name: 'detail', value: detail }, ...parameters]).catch(() => null);
    const year = Math.max(...figures.map(({ latest }) => latest.year));
    const newest = figures.filter(({ latest }) => latest.year === year);
    const [whole, peers] = await Promise.all([
      dataset.whole === undefined ? null : readLevel(dataset.whole, sharedPins(dataset, figures)),
      readLevel(rows.detail, [{ name: 'year', value: String(year) }, ...sharedPins(dataset, newest)]),
    ]);
    const count = peers?.rows ?? 0;
    put(at, { whole, peers: count > 0 && count < MOST_FIRST_ROWS ? peers : null });
  });
}

/** On a slow network, the first figures would wait for the last if all were read at once. */
const AT_ONCE = 3;

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const turn = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, item] = next;
      results[at] = await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return results;
}

/** The API's parameters for the rows of a place. */
function placeParameters({ rows: { detail, params } }: PlaceSubject, key: readonly string[]): Pair[] {
  return [{ name: 'detail', value: detail }, ...params.map((name, i) => ({ name, value: key[i] ?? '' }))];
}
