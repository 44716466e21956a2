/** One table of all figures of a place: the newest, the change, the whole's, the rank and the course. */
import { pageFolder } from '../../../build/format/paths.ts';
import { encodeCsvValue } from '../../query/encode.ts';
import { t } from '../messages/messages.ts';
import { titleName } from '../view/format.ts';
import {
  describeRank,
  matchingFigure,
  namePins,
  type PlaceFigure,
  type PlaceSubject,
  rankAmong,
  writeChange,
  writeFigure,
} from '../view/place-figures.ts';
import type { Place } from '../view/places.ts';
import { SmallCurve } from '../view/small-curve.tsx';
import { placeParameters, type SubjectReading } from './place-reading.ts';

export interface ReadSubject extends PlaceSubject {
  readonly reading: SubjectReading;
}

interface TableProps {
  readonly root: URL;
  readonly place: Place;
  readonly subjects: readonly ReadSubject[];
  /** Whether to show more than the key figure of each dataset. */
  readonly isWhole: boolean;
}

export function PlaceTable({ root, place, subjects, isWhole }: TableProps) {
  const domains = [...new Set(subjects.map(({ dataset }) => domainOf(dataset.key)))];
  const area = subjects.find(({ dataset }) => dataset.area !== undefined)?.dataset.area ?? t.place.whole;
  const { figure, newest, sinceYearBefore, rankHighest, years } = t.place;
  return (
    <table class="data stacked place-figures">
      <thead>
        <tr>
          {[figure, newest, sinceYearBefore, area, rankHighest, years].map((head, i) => (
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
              const { dataset, rows, reading } = subject;
              const [first = null, ...others] = reading.figures ?? [];
              return [first, ...(isWhole ? others : [])].map(figure => (
                <Line
                  key={`${dataset.key} ${rows.detail} ${figure === first ? '' : figure?.metric.column}`}
                  address={addressOf(root, subject, place, figure)}
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

interface LineProps {
  readonly address: string;
  /** The dataset's, in its first line. */
  readonly title: string | null;
  readonly subject: ReadSubject;
  /** Null until it is read, and if the place has none. */
  readonly figure: PlaceFigure | null;
  readonly area: string;
}

/** A line keeps its place before and without a figure: those below it do not move. */
function Line({ address, title, subject, figure, area }: LineProps) {
  const { dataset, reading } = subject;
  const unit = figure?.metric.unit ?? null;
  const whole = figure && reading.whole && matchingFigure(subject, figure, reading.whole);
  const rank = figure && reading.peers && rankAmong(subject, figure, reading.peers);
  const pins = figure ? namePins(dataset, figure.pins).map(pin => pin.words) : [];
  const words = [(figure?.metric ?? dataset.metrics[0])?.label, ...pins].filter(Boolean).join(', ');
  return (
    <tr aria-busy={reading.figures === null && reading.error === null}>
      <th scope="row">
        <a href={address}>{title ?? words}</a>
        {title !== null && <span class="hint">{words}</span>}
      </th>
      <td class="number" data-label={t.place.newest}>
        {figure ? (
          <>
            <strong>{writeFigure(figure.latest, unit)}</strong> <span class="hint">{figure.latest.year}</span>
          </>
        ) : (
          <span class="hint">{describeAbsence(reading)}</span>
        )}
      </td>
      <td class="number" data-label={t.place.change}>
        {figure?.change && writeChange(figure.change, unit)}
      </td>
      <td class="number" data-label={area}>
        {whole && writeFigure(whole, unit)}
      </td>
      <td data-label={t.place.rank}>{rank && describeRank(rank, figure.latest.margin !== null)}</td>
      <td>{figure && <SmallCurve points={figure.points} />}</td>
    </tr>
  );
}

function describeAbsence({ figures, error, isSeveral }: SubjectReading): string {
  if (figures !== null) return isSeveral ? t.place.severalAYear : t.place.noFigureHere;
  return error === null ? '…' : t.place.notRead;
}

/** Links to the dataset's page with the place, the figure and its pins chosen. */
export function addressOf(
  root: URL,
  subject: PlaceSubject,
  place: Place,
  figure: PlaceFigure | null = null,
): string {
  const { dataset } = subject;
  const [domain = '', topic = ''] = dataset.key.split('/');
  const url = new URL(pageFolder(domain, topic), root);
  const chosen = placeParameters(subject, place.key);
  if (figure) {
    for (const { param, value } of namePins(dataset, figure.pins)) chosen.push([param, value]);
    if (figure.points.length > 1) chosen.push(['view', 'chart']);
    if (figure.metric !== dataset.metrics[0]) chosen.push(['metric', figure.metric.column]);
  }
  url.search = new URLSearchParams(chosen).toString();
  return url.href;
}

/** All figures of all years, one per line (RFC 4180). */
export function writeFiguresCsv(place: Place, subjects: readonly ReadSubject[]): string {
  const { key } = place.dimension;
  const head = ['place', ...key, 'dataset', 'figure', 'column', 'choices', 'year', 'value', 'margin', 'unit'];
  const lines = subjects.flatMap(({ dataset, reading }) =>
    (reading.figures ?? []).flatMap(({ metric, pins, points }) => {
      const choices = namePins(dataset, pins).map(({ label, words }) => `${label}: ${words}`);
      const about = [dataset.key, metric.label, metric.column, choices.join('; ') || null];
      return points.map(({ year, value, margin }) =>
        [place.name, ...place.key, ...about, year, value, margin, metric.unit].map(encodeCsvValue),
      );
    }),
  );
  return [head, ...lines].map(line => `${line.join(',')}\r\n`).join('');
}
