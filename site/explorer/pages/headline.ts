/** Reads the one figure that speaks for a dataset, and its line over time, from the stored rows. */
import type { SliceEntry } from '../../../build/format/manifest.ts';
import { datasetFolder } from '../../../build/format/paths.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import { type FigureRow, matchesPins, type Pins } from '../view/figure.ts';
import { chooseHeadlineLevel } from '../view/headline-level.ts';
import type { Level } from '../view/levels.ts';
import type { YearValue } from '../view/line-path.ts';
import { median } from '../view/series.ts';
import type { DocumentSource } from './documents.ts';

export interface HeadlinePoint extends YearValue {
  /** Whether the period has a row with these pins. */
  readonly hasRow: boolean;
}

export interface Headline {
  readonly metric: Metric;
  readonly level: Level;
  /** The figure of the whole, or the median of a level's places. */
  readonly of: 'whole' | 'median';
  /** Periods of the level, ascending: years, or the latest other periods. One, at 0, in a dataset without time. */
  readonly points: readonly HeadlinePoint[];
  /** Whether earlier periods are left out. */
  readonly cut: boolean;
  /** Places with a figure in the latest period. */
  readonly places: number;
  /** One value for each axis that the rows have values in. `isPart`: whether the value is not the axis's total. */
  readonly pins: readonly { readonly label: string; readonly value: string; readonly isPart: boolean }[];
}

/**
 * Returns null if no single figure speaks for the dataset: it has no key metric; an axis has several values, no
 * declared total and no value named for the key figure; the latest period has no row at the totals; a calendar is joined
 * as if days were places; its rows are moments at several places; or no rows are stored as JSON.
 */
export function readHeadline(source: DocumentSource, dataset: ExploredDataset): Promise<Headline | null> {
  const found = known.get(dataset) ?? findHeadline(source, dataset);
  known.set(dataset, found);
  return found;
}

/** The front page and the picture of link previews show the same figure. */
const known = new WeakMap<ExploredDataset, Promise<Headline | null>>();

async function findHeadline(source: DocumentSource, dataset: ExploredDataset): Promise<Headline | null> {
  const metric = dataset.metrics.find(({ column }) => column.name === dataset.schema.key_metric);
  const chosen = chooseHeadlineLevel(dataset);
  if (metric === undefined || chosen === null) return null;
  const { level, pins } = chosen;
  const slices = dataset.manifest.slices.filter(slice => slice.detail === level.name);
  const latest = slices.findLast(slice => slice.rows > 0);
  if (slices.some(slice => slice.files.json.length === 0)) return null;
  const whole = level.places.length === 0;
  const { timeline } = dataset;
  // The moments of different places are not the same: no one figure is of all of them.
  if (timeline?.unit === 'instant' && !whole) return null;
  const points: HeadlinePoint[] = [];
  let places = 0;
  for (const slice of [...slices].reverse()) {
    const all = await readPinnedRows(source, dataset, slice, pins);
    if (slice === latest && !areAlone(dataset, level, slice.year, all)) return null;
    for (const [at, rows] of groupByPeriod(dataset, slice, all)) {
      const keys = new Set(rows.map(row => JSON.stringify(level.places.map(column => row[column] ?? null))));
      // Several rows of one place: a column outside of the axes tells them apart.
      if (keys.size < rows.length) return null;
      const isFirst = points.every(point => point.year < at);
      if (isFirst && slice === latest && !whole && rows.length < 2) return null;
      const values = rows.map(row => row[metric.column.name]).filter(value => typeof value === 'number');
      const margin = whole && metric.margin ? rows[0]?.[metric.margin.name] : null;
      points.push({
        year: at,
        value: median(values),
        margin: typeof margin === 'number' ? margin : null,
        hasRow: rows.length > 0,
      });
      if (isFirst) places = values.length;
    }
    if (points.length > MOST_POINTS) break;
  }
  points.sort((a, b) => a.year - b.year);
  return {
    metric,
    level,
    of: whole ? 'whole' : 'median',
    points: points.slice(-MOST_POINTS),
    cut: points.length > MOST_POINTS,
    places,
    pins: dataset.fields.flatMap(({ label, column, total, choices }) => {
      const value = pins.get(column) ?? null;
      return value === null
        ? []
        : [
            {
              label,
              value: choices.find(one => one.value === value)?.label ?? value,
              isPart: value !== total,
            },
          ];
    }),
  };
}

/** Names the figure, with the values of axes that have no total. */
export function headlineName({ metric, of, pins }: Headline): string {
  const parts = pins.filter(pin => pin.isPart).map(pin => pin.value);
  return [metric.column.label, ...parts, ...(of === 'median' ? ['median'] : [])].join(', ');
}

/** Periods in the chart of the headline. No dataset has so many years. */
const MOST_POINTS = 500;

/** The rows of each period in a slice. A slice of a year without rows is a period too. */
function groupByPeriod(
  { timeline }: ExploredDataset,
  { year }: SliceEntry,
  rows: readonly FigureRow[],
): ReadonlyMap<number, readonly FigureRow[]> {
  if (timeline === null || timeline.unit === 'year') return new Map([[year, rows]]);
  const periods = new Map<number, FigureRow[]>();
  for (const row of rows) {
    const at = timeline.at(row[timeline.column] ?? null);
    if (at === null) continue;
    const own = periods.get(at);
    if (own) own.push(row);
    else periods.set(at, [row]);
  }
  return periods;
}

/** Whether rows of the latest slice are figures of places, not of days in a joined calendar. */
function areAlone(dataset: ExploredDataset, level: Level, year: number, rows: readonly FigureRow[]): boolean {
  if (rows.length === 0) return false;
  return level.places.length === 0 || !areTimes(dataset, level, year, rows);
}

const TIME_ROLE = /^fk_(date|day|week|month|quarter|time|hour)/;

/** Whether the places of a level are days or months: a contract may join a calendar as it joins places. */
function areTimes(
  { schema }: ExploredDataset,
  { places }: Level,
  year: number,
  rows: readonly FigureRow[],
): boolean {
  const within = new RegExp(`^${year}[^0-9a-z]?[a-z]?[0-9]`, 'i');
  return places.some(
    name =>
      TIME_ROLE.test(schema.columns.find(column => column.name === name)?.role ?? '') ||
      rows.every(row => within.test(String(row[name]))),
  );
}

/** Reads the rows of a slice that match the pins. */
export async function readPinnedRows(
  source: DocumentSource,
  { schema, manifest }: ExploredDataset,
  slice: SliceEntry,
  pins: Pins,
): Promise<FigureRow[]> {
  const types = new Map(manifest.columns.map(({ name, type }) => [name, type]));
  const marks = [...pins].map(([name, value]) => {
    const written = types.get(name) === 'string' ? JSON.stringify(value) : String(value);
    return `${JSON.stringify(name)}:${written}`;
  });
  const rows: FigureRow[] = [];
  for (const { path } of slice.files.json) {
    const text = (await source.readText(`${datasetFolder(schema.main_topic, schema.topic)}/${path}`)) ?? '';
    for (const line of linesWith(text, marks)) {
      if (!line.startsWith('{"')) continue;
      const row = JSON.parse(line.replace(/,$/, '')) as FigureRow;
      if (matchesPins(row, pins)) rows.push(row);
    }
  }
  return rows;
}

/**
 * Yields the lines after the first that contain all of these texts: a page has one row per line, so most stay unparsed.
 */
function* linesWith(text: string, marks: readonly string[]): Generator<string> {
  const [rarest = '', ...others] = [...marks].sort((a, b) => b.length - a.length);
  const first = text.indexOf('\n') + 1;
  for (let at = text.indexOf(rarest, first); at >= 0; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
    if (others.every(mark => line.includes(mark))) yield line;
    at = end < 0 ? end : text.indexOf(rarest, end + 1);
  }
}
