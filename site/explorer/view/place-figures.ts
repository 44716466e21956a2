/** The figures of one place, and its rank among its peers. */
import type { Pair } from '../../query/query-string.ts';
import { t } from '../messages/messages.ts';
import { isKnown, type Known, splitRuns, type YearValue } from './curve.tsx';
import {
  type Difference,
  deriveFigures,
  differenceOf,
  type Pins,
  pinnedRows,
  yearValuesOf,
} from './figure.ts';
import { formatCount, formatMargin, formatNumber, formatSize, spellName, spellUnit } from './format.ts';
import { yearsAmong } from './timeline.ts';
import { cellsOf, type Rows } from './rows.ts';
import type { SearchDataset, SearchMetric, SearchPlaceRows } from './search-document.ts';

export interface PlaceSubject {
  readonly dataset: SearchDataset;
  readonly rows: SearchPlaceRows;
}

export interface PlaceFigure {
  readonly metric: SearchMetric;
  readonly pins: Pins;
  /** Ascending by year; the last one has a figure. */
  readonly points: readonly YearValue[];
  /** The points with figures, in runs of comparable years. */
  readonly runs: readonly (readonly YearValue[])[];
  readonly latest: Known<YearValue>;
  /** Since the year before. */
  readonly change: Difference | null;
}

/** A figure for each measure that has one, the key figure first. */
export function derivePlaceFigures({ dataset, rows: { detail } }: PlaceSubject, rows: Rows): PlaceFigure[] {
  const axes = dataset.axes.map(({ column, total, headline = null, values }) => ({
    column,
    total,
    headline,
    values: values.map(([value]) => value),
  }));
  return dataset.metrics.flatMap((metric): PlaceFigure[] => {
    const { column, margin } = metric;
    const found = deriveFigures({ year: dataset.year, column, margin }, axes, rows);
    const last = found?.points.findLastIndex(({ value }) => value !== null) ?? -1;
    const latest = found?.points[last];
    if (!found || !latest || !isKnown(latest)) return [];
    const points = found.points.slice(0, last + 1);
    return [
      {
        metric,
        pins: found.pins,
        points,
        runs: splitRuns(points, metric.breaks?.[detail] ?? [], yearsAmong(dataset.years)),
        latest,
        change: changeOf(dataset, metric, detail, points),
      },
    ];
  });
}

/** The change since the year before; null if that year has no figure, the series breaks, or both pool the same answers. */
function changeOf(
  { pooled = 1 }: SearchDataset,
  { breaks = {} }: SearchMetric,
  detail: string,
  points: readonly YearValue[],
): Difference | null {
  const [latest, before] = [points.at(-1), points.at(-2)];
  if (!latest || before?.year !== latest.year - 1) return null;
  return pooled > 1 || breaks[detail]?.includes(before.year) ? null : differenceOf(latest, before);
}

interface Peer extends YearValue {
  readonly key: readonly string[];
}

/** The figures of all places in the figure's year, with the same pins. */
export function peersOf(
  { dataset: { year }, rows: { params } }: PlaceSubject,
  { metric, pins, latest }: PlaceFigure,
  rows: Rows,
): Peer[] {
  const yearValue = yearValuesOf(rows, { ...metric, year });
  const codes = params.map(param => cellsOf(rows, param));
  return pinnedRows(rows, pins)
    .map(row => ({ key: codes.map(code => String(code(row) ?? '')), ...yearValue(row) }))
    .filter(peer => peer.year === latest.year);
}

/** Keys of the peers with the closest figures, the closest first. */
export function closestPeers(
  { latest }: PlaceFigure,
  peers: readonly Peer[],
  own: readonly string[],
  most: number,
): readonly (readonly string[])[] {
  return peers
    .filter(isKnown)
    .filter(({ key }) => key.some((code, i) => code !== own[i]))
    .sort((a, b) => Math.abs(a.value - latest.value) - Math.abs(b.value - latest.value))
    .slice(0, most)
    .map(({ key }) => key);
}

interface NamedPin {
  readonly param: string;
  readonly value: string;
  readonly label: string;
  readonly words: string;
}

/** The pins that aren't totals. */
export function namePins({ axes }: SearchDataset, pins: Pins): NamedPin[] {
  return axes.flatMap(({ param, column, label, total, values }) => {
    const value = pins.get(column) ?? null;
    if (value === null || value === total) return [];
    return [{ param, value, label, words: values.find(([one]) => one === value)?.[1] ?? spellName(value) }];
  });
}

export function writeFigure({ value, margin }: YearValue, unit: string | null): string {
  if (value === null) return '';
  const words = spellUnit(unit);
  const plain = [formatNumber(value, unit), ...(words ? [words] : [])].join(' ');
  return margin === null ? plain : `${plain} ${formatMargin(margin, unit)}`;
}

/** `+1.3 points`, `−3`, `no clear change`. */
export function writeChange({ value, figure, margin, isClear }: Difference, unit: string | null): string {
  if (margin !== null && !isClear) return t.places.noClearChange;
  const size = formatSize(value, unit, figure);
  if (!/[1-9]/.test(size)) return t.places.noChange;
  return (value > 0 ? '+' : '−') + size;
}

/** The API's parameters of the pins that all figures share. */
export function sharedPins({ axes }: SearchDataset, figures: readonly PlaceFigure[]): Pair[] {
  return axes.flatMap(({ param, column }): Pair[] => {
    const [value = null, ...others] = new Set(figures.map(({ pins }) => pins.get(column) ?? null));
    return others.length === 0 && value !== null ? [{ name: param, value }] : [];
  });
}

export interface Rank {
  /** 1 is the highest; equal figures share a rank. */
  readonly position: number;
  /** The highest and the lowest rank that the margins allow. */
  readonly best: number;
  readonly worst: number;
  /** The figure and its peers. */
  readonly of: number;
}

/** `peers` includes the figure's own place. Null if it is the only one, or a place has several figures. */
export function rankAmong({ latest }: Pick<PlaceFigure, 'latest'>, peers: readonly Peer[]): Rank | null {
  const known = peers.filter(isKnown);
  const places = new Set(known.map(({ key }) => key.join('\n')));
  if (known.length < 2 || places.size < known.length) return null;
  const low = ({ value, margin }: typeof latest) => value - (margin ?? 0);
  const high = ({ value, margin }: typeof latest) => value + (margin ?? 0);
  return {
    position: 1 + known.filter(one => one.value > latest.value).length,
    best: 1 + known.filter(one => low(one) > high(latest)).length,
    worst: known.length - known.filter(one => high(one) < low(latest)).length,
    of: known.length,
  };
}

/** `7th of 17`, or `5th to 9th of 17` if the margins of error overlap. */
export function describeRank({ position, best, worst, of }: Rank, margins: boolean): string {
  const all = formatCount(of);
  return margins && worst > best ? t.rank.between(best, worst, all) : t.rank.at(position, all);
}
