/** A map as static SVG: the latest figures of a dataset's places, in bins that the style sheet colours. */
import { dimensionShapesPath, pageFolder } from '../../../build/format/paths.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { countOf, formatNumber } from '../view/format.ts';
import { pinTotals } from '../view/headline-level.ts';
import { niceTicks } from '../view/line-path.ts';
import { mappedField, mappedLevel } from '../view/view-questions.ts';
import { metricTitle } from '../view/wording.ts';
import type { DocumentSource } from './documents.ts';
import { readPinnedRows } from './headline.ts';
import { outlineAreas } from './map-outlines.ts';
import type { Topology } from './map-shapes.ts';

export interface MapFigures {
  readonly dataset: ExploredDataset;
  readonly title: string;
  readonly year: number;
  readonly unit: string | null;
  /** Outline and figure of each area; null without a figure. */
  readonly areas: readonly { readonly d: string; readonly value: number | null }[];
  /** How many places have a row and no outline. */
  readonly unmapped: number;
  readonly width: number;
  readonly height: number;
}

const WIDTH = 360;
/** Classes of the style sheet: `bin-0` to `bin-4`. */
const MOST_BINS = 5;

/** Null if the dataset has no key figure for each place of the map, at totals. */
export async function readMapFigures(
  source: DocumentSource,
  dataset: ExploredDataset,
): Promise<MapFigures | null> {
  const { schema, manifest, metrics } = dataset;
  const field = mappedField(dataset);
  const level = field && mappedLevel(dataset, field);
  const metric = metrics.find(({ column }) => column.name === schema.key_metric);
  const slice = manifest.slices.findLast(one => one.detail === level && one.rows > 0);
  if (!field || !metric || !slice || slice.files.json.length === 0) return null;
  const pins = pinTotals(dataset, slice);
  const join = schema.foreign_keys.find(key => key.column === field.column);
  const shapes = await source.readText(dimensionShapesPath(schema.main_topic, join?.target_object ?? ''));
  if (pins === null || shapes === null) return null;
  const outlines = outlineAreas(JSON.parse(shapes) as Topology, WIDTH);
  if (outlines === null) return null;
  const rows = await readPinnedRows(source, dataset, slice, pins);
  const values = new Map(rows.map(row => [String(row[field.column]), row[metric.column.name]]));
  // Several rows of one place would give it any of their figures.
  if (values.size < rows.length || values.size < 3) return null;
  const drawn = new Set(outlines.areas.map(({ id }) => id));
  return {
    dataset,
    title: metricTitle(metric),
    year: slice.year,
    unit: metric.column.unit,
    areas: outlines.areas.map(({ id, d }) => {
      const value = values.get(id);
      return { d, value: typeof value === 'number' ? value : null };
    }),
    unmapped: [...values.keys()].filter(key => !drawn.has(key)).length,
    width: outlines.width,
    height: outlines.height,
  };
}

export function StaticMap({ figures }: { readonly figures: MapFigures }) {
  const { dataset, title, year, unit, areas, unmapped, width, height } = figures;
  const known = areas.flatMap(({ value }) => (value === null ? [] : [value]));
  const bounds = binBounds(known);
  const binOf = (value: number | null) =>
    value === null
      ? 'none'
      : String(
          Math.max(
            0,
            Math.min(
              bounds.length - 2,
              bounds.findLastIndex(one => one <= value),
            ),
          ),
        );
  const paths = new Map<string, string>();
  for (const { d, value } of areas) paths.set(binOf(value), (paths.get(binOf(value)) ?? '') + d);
  const { main_topic, topic, title: name } = dataset.schema;
  const missing = areas.length - known.length;
  const ends = [Math.min(...known), Math.max(...known)].map(value => formatNumber(value, unit));
  return (
    <figure class="chart static-map">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Map of ${title}, ${year}: ${countOf(known.length, 'place')}, from ${ends.join(' to ')}.`}
      >
        {[...paths].map(([bin, d]) => (
          <path key={bin} class={`area bin-${bin}`} d={d} />
        ))}
      </svg>
      <figcaption>
        <a href={pageFolder(main_topic, topic)} data-view="view=map">
          {title}, {year}
        </a>{' '}
        ({name})
        <ul class="bins">
          {bounds.slice(1).map((to, i) => (
            <li key={to}>
              <span class={`swatch bin-${i}`} /> {formatNumber(bounds[i] ?? 0, unit)} to{' '}
              {formatNumber(to, unit)}
            </li>
          ))}
          {missing > 0 && (
            <li>
              <span class="swatch bin-none" /> no figure
            </li>
          )}
          {unmapped > 0 && <li>{countOf(unmapped, 'place')} not on the map</li>}
        </ul>
      </figcaption>
    </figure>
  );
}

/** Round bounds of at most five bins. */
function binBounds(values: readonly number[]): number[] {
  const ticks = niceTicks(Math.min(...values), Math.max(...values));
  const step = Math.ceil((ticks.length - 1) / MOST_BINS);
  const bounds = ticks.filter((_, i) => i % step === 0);
  const last = ticks.at(-1) ?? 0;
  return bounds.at(-1) === last ? bounds : [...bounds, last];
}
