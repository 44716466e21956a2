/** The figures of one place, beside those of the whole and of its peers, and its rank among them. */
import { t } from '../messages/messages.ts';
import { marginOfDifference } from './difference.ts';
import { deriveFigures, type FigureRow, matchesPins, type Pins, takeFigureRows } from './figure.ts';
import { formatMargin, formatNumber, spellName, spellUnit } from './format.ts';
import type { YearValue } from './line-path.ts';
import type { Rows } from './rows.ts';
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
  readonly latest: YearValue & { readonly value: number };
  readonly change: Change | null;
}

export interface Change {
  readonly value: number;
  /** Whether the margins of error, if there are any, leave no doubt that there is a change. */
  readonly isClear: boolean;
}

/** Takes what a place's figures need, and what tells its peers apart. */
export function takeRows({ dataset, rows: { params } }: PlaceSubject, rows: Rows): FigureRow[] {
  const { year, metrics, axes } = dataset;
  const figures = metrics.flatMap(({ column, margin }) => [column, margin]);
  return takeFigureRows(rows, [year, ...figures, ...axes.map(({ column }) => column), ...params]);
}

/** A figure for each measure that has one, the key figure first. */
export function derivePlaceFigures(
  { dataset, rows: { detail } }: PlaceSubject,
  rows: readonly FigureRow[],
): PlaceFigure[] {
  const axes = dataset.axes.map(({ column, total, values }) => ({
    column,
    total,
    values: values.map(([value]) => value),
  }));
  return dataset.metrics.flatMap((metric): PlaceFigure[] => {
    const { column, margin } = metric;
    const found = deriveFigures({ year: dataset.year, column, margin }, axes, rows);
    const last = found?.points.findLastIndex(({ value }) => value !== null) ?? -1;
    const latest = found?.points[last];
    if (!found || !latest || latest.value === null) return [];
    const points = found.points.slice(0, last + 1);
    const known = { ...latest, value: latest.value };
    return [
      { metric, pins: found.pins, points, latest: known, change: changeOf(dataset, metric, detail, points) },
    ];
  });
}

/**
 * The change since the year before; null without a figure of that year, if the series breaks between them, or if both pool
 * answers of one year.
 */
function changeOf(
  { pooled = 1 }: SearchDataset,
  { breaks = {} }: SearchMetric,
  detail: string,
  points: readonly YearValue[],
): Change | null {
  const [latest, before] = [points.at(-1), points.at(-2)];
  if (latest?.value == null || before?.value == null || before.year !== latest.year - 1) return null;
  if (pooled > 1 || breaks[detail]?.includes(before.year)) return null;
  const value = latest.value - before.value;
  const margin = marginOfDifference(latest.margin ?? 0, before.margin ?? 0);
  return { value, isClear: margin === 0 || Math.abs(value) > margin };
}

/** The figure that another place has of the same year and with the same pins. */
export function matchingFigure(
  { dataset }: PlaceSubject,
  { metric, pins, latest }: PlaceFigure,
  rows: readonly FigureRow[],
): YearValue | null {
  const found = rows.filter(row => Number(row[dataset.year]) === latest.year && matchesPins(row, pins));
  const value = found[0]?.[metric.column];
  if (found.length !== 1 || typeof value !== 'number') return null;
  const margin = metric.margin === null ? null : found[0]?.[metric.margin];
  return { year: latest.year, value, margin: typeof margin === 'number' ? margin : null };
}

/** Null if a peer has several figures, or if there is no peer. */
export function rankAmong(
  { dataset, rows: { params } }: PlaceSubject,
  { metric, pins, latest }: PlaceFigure,
  peers: readonly FigureRow[],
): Rank | null {
  const rows = peers.filter(
    row =>
      Number(row[dataset.year]) === latest.year &&
      typeof row[metric.column] === 'number' &&
      matchesPins(row, pins),
  );
  if (new Set(rows.map(row => params.map(param => row[param]).join('\n'))).size < rows.length) return null;
  const figures = rows.map(row => {
    const margin = metric.margin === null ? null : row[metric.margin];
    return { value: Number(row[metric.column]), margin: typeof margin === 'number' ? margin : null };
  });
  return deriveRank(latest, figures);
}

/** Keys of the peers whose figure is the closest to the place's own, the closest first. */
export function closestPeers(
  { dataset, rows: { params } }: PlaceSubject,
  { metric, pins, latest }: PlaceFigure,
  peers: readonly FigureRow[],
  own: readonly string[],
  most: number,
): readonly (readonly string[])[] {
  return peers
    .filter(row => Number(row[dataset.year]) === latest.year && matchesPins(row, pins))
    .flatMap(row => {
      const value = row[metric.column];
      const key = params.map(param => String(row[param] ?? ''));
      const isOther = key.some((code, i) => code !== own[i]);
      return typeof value === 'number' && isOther ? [{ key, apart: Math.abs(value - latest.value) }] : [];
    })
    .sort((a, b) => a.apart - b.apart)
    .slice(0, most)
    .map(({ key }) => key);
}

interface NamedPin {
  readonly param: string;
  readonly value: string;
  readonly label: string;
  readonly words: string;
}

/** Names the pins that are not totals. */
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
  return margin === null ? plain : `${plain} ${formatMargin(margin, unit, 'points')}`;
}

/** `+1.3 points`, `−3`, `no clear change`. */
export function writeChange({ value, isClear }: Change, unit: string | null): string {
  if (!isClear) return t.places.noClearChange;
  const size =
    unit === 'proportion'
      ? formatMargin(Math.abs(value), unit, 'points').slice(1)
      : formatNumber(Math.abs(value), unit);
  if (!/[1-9]/.test(size)) return t.places.noChange;
  return (value > 0 ? '+' : '−') + size;
}

/** Parameters of the axes' values at which all of the figures stand. */
export function sharedPins({ axes }: SearchDataset, figures: readonly PlaceFigure[]): [string, string][] {
  return axes.flatMap(({ param, column }): [string, string][] => {
    const [value = null, ...others] = new Set(figures.map(({ pins }) => pins.get(column) ?? null));
    return others.length === 0 && value !== null ? [[param, value]] : [];
  });
}

export interface RankedFigure {
  readonly value: number;
  /** Null if the figure has none. */
  readonly margin: number | null;
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

/** Null without peers. `figures` includes `own`, once. */
export function deriveRank(own: RankedFigure, figures: readonly RankedFigure[]): Rank | null {
  if (figures.length < 2) return null;
  const low = ({ value, margin }: RankedFigure) => value - (margin ?? 0);
  const high = ({ value, margin }: RankedFigure) => value + (margin ?? 0);
  const count = (test: (one: RankedFigure) => boolean) => figures.filter(test).length;
  return {
    position: 1 + count(one => one.value > own.value),
    best: 1 + count(one => low(one) > high(own)),
    worst: figures.length - count(one => high(one) < low(own)),
    of: figures.length,
  };
}

/** Writes `7th of 17`; `5th to 9th of 17` if the margins of error allow no more. */
export function describeRank({ position, best, worst, of }: Rank, margins: boolean): string {
  return margins && worst > best ? t.rank.between(best, worst, of) : t.rank.at(position, of);
}
