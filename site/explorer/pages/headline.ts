/** The figure that a dataset's page begins with, and how it ran over the years: read from the stored rows. */
import type { SliceEntry } from '../../../build/format/manifest.ts';
import { datasetFolder } from '../../../build/format/paths.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import { type FigureRow, matchesPins, type Pins, settlePins } from '../view/figure.ts';
import type { Level } from '../view/levels.ts';
import type { YearValue } from '../view/line-path.ts';
import { deriveJoins, placesAt } from '../view/places.ts';
import type { DocumentSource } from './documents.ts';

export interface HeadlinePoint extends YearValue {
  /** Whether the year has a row of this choice: where it has none, nobody says why. */
  readonly hasRow: boolean;
}

export interface Headline {
  readonly metric: Metric;
  readonly level: Level;
  /** The figure is the whole's own; or else the median of a level's places. */
  readonly of: 'whole' | 'median';
  /** Years that the level has, ascending. */
  readonly points: readonly HeadlinePoint[];
  /** Places with a figure in the latest year. */
  readonly places: number;
  /** What the figure is of: one value for each axis that its rows have a value in. */
  readonly pins: readonly { readonly label: string; readonly value: string }[];
}

/** Null where there is no key metric, no one figure for it, or no rows in JSON to read it from. */
export async function readHeadline(
  source: DocumentSource,
  dataset: ExploredDataset,
): Promise<Headline | null> {
  const metric = dataset.metrics.find(({ column }) => column.name === dataset.schema.key_metric);
  const level = chooseLevel(dataset);
  if (metric === undefined || level === null) return null;
  const slices = dataset.manifest.slices.filter(slice => slice.detail === level.name);
  const latest = slices.findLast(slice => slice.rows > 0);
  if (latest === undefined || slices.some(slice => slice.files.json.length === 0)) return null;
  const axes = dataset.fields.filter(field => field.kind === 'axis');
  const totals = new Map(
    axes.flatMap(({ column, total }) => (total === null ? [] : [[column, total] as const])),
  );
  const summed = await readRows(source, dataset, latest, totals);
  const pins = settlePins(
    axes.map(({ column, total, choices }) => ({ column, total, values: choices.map(one => one.value) })),
    metric.column.name,
    summed.length > 0 ? summed : await readRows(source, dataset, latest, new Map()),
  );
  const points: HeadlinePoint[] = [];
  let places = 0;
  const whole = level.places.length === 0;
  for (const slice of slices) {
    const rows = await readRows(source, dataset, slice, pins);
    if (whole && rows.length > 1) return null;
    const values = rows.map(row => row[metric.column.name]).filter(value => typeof value === 'number');
    const margin = whole && metric.margin ? rows[0]?.[metric.margin.name] : null;
    points.push({
      year: slice.year,
      value: median(values),
      margin: typeof margin === 'number' ? margin : null,
      hasRow: rows.length > 0,
    });
    places = values.length;
  }
  return {
    metric,
    level,
    of: whole ? 'whole' : 'median',
    points,
    places,
    pins: axes.flatMap(({ label, column, choices }) => {
      const value = pins.get(column) ?? null;
      return value === null
        ? []
        : [{ label, value: choices.find(one => one.value === value)?.label ?? value }];
    }),
  };
}

/** The whole, where a level has it; else the level of one kind of place that has the fewest. */
function chooseLevel({ schema, levels, manifest }: ExploredDataset): Level | null {
  const whole = levels.filter(level => level.places.length === 0);
  const joins = deriveJoins(schema);
  const single = levels.filter(level => placesAt(level, joins).length === 1);
  const size = ({ name }: Level) => manifest.slices.findLast(slice => slice.detail === name)?.rows ?? 0;
  const [first] = whole.length > 0 ? whole : single.sort((a, b) => size(a) - size(b));
  return first ?? null;
}

/** Rows of a slice whose columns have these values. */
async function readRows(
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

/** Lines after the first that hold all of these texts: a page has a row a line, so that most need not be looked at. */
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

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
