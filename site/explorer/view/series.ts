/** Derives lines and bars from rows, each with a distinct name. A line joins only comparable periods and keeps its gaps. */
import type { Scalar } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import { formatPlaceKey } from '../../query/request.ts';
import { nameValue } from './choices.ts';
import { namePlace } from './chosen-places.ts';
import { type Figure, splitRuns, type YearValue } from './curve.tsx';
import { type Field, levelTitle, type Metric } from './dataset.ts';
import { figureAddress } from './figure-address.ts';
import { formatFigure, titleName } from './format.ts';
import { levelOf, type Question } from './question.ts';
import { cellsOf, numbersOf, type Rows, rowNumbers } from './rows.ts';

/** Ends of the margin, within the column's possible values; null without a margin. */
interface Spread {
  readonly interval: readonly [number, number] | null;
}

export type Point = YearValue & Spread;

export interface Series extends Identity {
  readonly detail: string;
  /** Every period with a row, ascending. */
  readonly points: readonly Point[];
  /** Runs of consecutive periods with values and no break between them; at least one point each. */
  readonly segments: readonly (readonly Point[])[];
}

export interface Bar extends Figure, Spread {
  readonly key: string;
  readonly label: string;
}

/** Series in the order of the rows. `named`: name the place even if the question has only one. */
export function deriveSeries(question: Question, metric: Metric, rows: Rows, named: boolean): Series[] {
  const names = nameRows(question, rows, named);
  const { timeline, comparability } = question.dataset;
  const timeAt = cellsOf(rows, timeline?.column ?? null);
  const figureAt = figuresOf(question, metric, rows);
  const breaks = comparability.breaksOf(metric.column.name, question.detail).map(({ after }) => after);
  const groups = new Map<string, { identity: Identity; points: Point[] }>();
  for (const [row, identity] of names.entries()) {
    const year = timeline?.at(timeAt(row)) ?? null;
    if (year === null) continue;
    const group = groups.get(identity.key) ?? { identity, points: [] };
    groups.set(identity.key, group);
    group.points.push({ year, ...figureAt(row) });
  }
  return [...groups.values()].map(({ identity, points }) => {
    points.sort((a, b) => a.year - b.year);
    const segments = splitRuns(points, breaks, timeline ?? undefined);
    return { ...identity, detail: question.detail, points, segments };
  });
}

export function deriveBars(question: Question, metric: Metric, rows: Rows, named = false): Bar[] {
  const figureAt = figuresOf(question, metric, rows);
  return nameRows(question, rows, named).map((identity, row) => ({
    key: `${question.detail} ${identity.key}`,
    label: identity.label || levelTitle(question.dataset, question.detail),
    ...figureAt(row),
  }));
}

/** Name, period, value and margin of a figure. */
export function describeFigure(
  { label, value, margin }: Bar,
  unit: string | null,
  period: string | null,
): string {
  return `${label}${period === null ? '' : `, ${period}`}: ${sayValue({ value, margin }, unit)}`;
}

/** Value, margin and whether it is unreliable. */
export function sayValue({ value, margin }: Figure, unit: string | null): string {
  const said = formatFigure({ value, margin }, unit);
  return isUnreliable({ value, margin }) ? `${said}, ${t.words.unreliable}` : said;
}

/** Whether the margin of error is more than half of the figure. */
export function isUnreliable({ value, margin }: Figure): boolean {
  return value !== null && margin !== null && margin > Math.abs(value) / 2;
}

function figuresOf(question: Question, metric: Metric, rows: Rows): (row: number) => Figure & Spread {
  const { column, margin: marginColumn } = metric;
  const [valueAt, marginAt] = [numbersOf(rows, column.name), numbersOf(rows, marginColumn?.name ?? null)];
  const least = column.value_min ?? (NEVER_NEGATIVE.has(column.unit ?? '') ? 0 : -Infinity);
  const most = column.value_max ?? (column.unit === 'proportion' ? 1 : Infinity);
  return row => {
    const [value, margin] = [valueAt(row), marginAt(row)];
    const isSpread = value !== null && margin !== null;
    return {
      value,
      margin,
      interval: isSpread ? [Math.max(least, value - margin), Math.min(most, value + margin)] : null,
      address: () => figureAddress(question, column.name, name => cellsOf(rows, name)(row)),
    };
  };
}

/** All values and ends of intervals, which an axis must include. */
export function seriesEnds(series: readonly Series[]): number[] {
  return series.flatMap(({ points }) =>
    points.flatMap(({ value, interval }) => (value === null ? [] : [value, ...(interval ?? [])])),
  );
}

/** Units without negative values: an interval stops at zero. */
const NEVER_NEGATIVE = new Set(['count', 'proportion', 'ratio', 'percentile']);

interface Identity {
  readonly key: string;
  readonly label: string;
  /** The place's full name, even if the label leaves it out. */
  readonly place: string;
  /** The values of the axes that differ; empty if none differs. */
  readonly group: string;
}

/** A column that tells rows of one year apart. */
interface Part {
  readonly noun: string;
  readonly isPlace: boolean;
  /** Whether it has a single value, which the words around the chart state. */
  readonly isPinned: boolean;
  readonly cell: (row: number) => Scalar | null;
  readonly field: Field | undefined;
}

/**
 * The identities of all rows, in their order. A key is the grain without the time, so two rows of one period never share
 * it. An axis is named unless the question pins it. If two keys still have the same label, their codes are added.
 */
function nameRows(question: Question, rows: Rows, named: boolean): Identity[] {
  const { dataset, detail } = question;
  const parts = listParts(question, rows);
  const differs = ({ cell }: Part) => rowNumbers(rows).some(row => cell(row) !== cell(0));
  const varying = parts.filter(differs);
  const isOpen = (part: Part) =>
    varying.includes(part) || (!part.isPinned && rows.rows > 0 && part.cell(0) !== null);
  const axes = parts.filter(part => !part.isPlace && isOpen(part));
  const places = parts.filter(part => part.isPlace);
  const isSaid = named || axes.length === 0 || places.some(isOpen);
  const identities = rowNumbers(rows).map((row): Identity => {
    const codes = places.map(part => part.cell(row));
    const place = namePlace(dataset, { detail, key: formatPlaceKey(codes) });
    const group = axes.map(part => nameGroup(part.cell(row), part)).join(' · ');
    const said = isSaid && (named || places.length > 0) ? place : '';
    const key = JSON.stringify(parts.map(part => part.cell(row)));
    return { key, place, group, label: [said, group].filter(words => words !== '').join(' · ') };
  });
  const bearers = new Map<string, Set<string>>();
  for (const { label, key } of identities) bearers.set(label, (bearers.get(label) ?? new Set()).add(key));
  const codesOf = (row: number) => varying.map(part => part.cell(row) ?? t.words.none).join(' ');
  return identities.map((identity, row) => {
    if (bearers.get(identity.label)!.size === 1) return identity;
    return { ...identity, label: `${identity.label} (${codesOf(row)})` };
  });
}

/** The level's places, then the axes in the order of the grain. */
function listParts(question: Question, rows: Rows): Part[] {
  const { schema, manifest, fields, yearColumn, timeline } = question.dataset;
  const { places } = levelOf(question);
  const isAxis = (name: string) =>
    name !== yearColumn && name !== timeline?.column && !manifest.place.includes(name);
  return [...places, ...schema.grain.filter(isAxis)].map(name => {
    const field = fields.find(one => one.column === name && one.kind !== 'mark');
    const described = schema.columns.find(one => one.name === name);
    const isPlace = places.includes(name);
    return {
      noun: field?.label || described?.label || titleName(name),
      isPlace,
      isPinned:
        (isPlace && question.places.length === 1) ||
        (field !== undefined && question.filters.get(field.param)?.length === 1),
      cell: cellsOf(rows, name),
      field,
    };
  });
}

function nameGroup(value: Scalar | null, { noun, field }: Part): string {
  if (value === null) return t.words.noValueOf(noun.toLowerCase());
  return field === undefined ? `${noun} ${value}` : nameValue(field, String(value));
}
