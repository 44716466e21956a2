/** A map of counties, limited to the states of the rows. */
import { geo, type PlotOptions } from '@observablehq/plot';
import { feature } from 'topojson-client';
// The bundler's configuration names the atlas file.
import atlas from 'us-atlas/shapes.json?url';
import type { MapDrawing } from '../../../view/drawing.ts';
import { formatNumber } from '../../../view/format.ts';
import { niceTicks } from '../../../view/line-path.ts';
import type { Theme } from '../theme.ts';
import { HATCHED, legendMarks } from './map-legend.ts';

type Topology = Parameters<typeof feature>[0];

export interface Shape {
  /** Five digits that start with the state's two. */
  readonly id: string;
  readonly name: string;
  readonly geometry: object;
}

let shapes: Promise<readonly Shape[]> | null = null;

/** The shapes of the United States: a file of this site, read once. */
export function readShapes(): Promise<readonly Shape[]> {
  shapes ??= fetch(new URL(atlas, import.meta.url)).then(async response => {
    if (!response.ok)
      throw new Error(`The page could not load the shapes of the map (status ${response.status}).`);
    return toShapes((await response.json()) as Topology);
  });
  shapes.catch(() => {
    shapes = null;
  });
  return shapes;
}

/** Codes of the nation and the states are shorter. */
function toShapes(topology: Topology): Shape[] {
  return Object.values(topology.objects).flatMap(object => {
    const found = feature(topology, object);
    const features = 'features' in found ? found.features : [found];
    return features.flatMap(({ id, properties, geometry }) =>
      String(id).length === 5 ? [{ id: String(id), name: String(properties?.['name'] ?? ''), geometry }] : [],
    );
  });
}

const stateOf = (code: string) => code.slice(0, 2);

export function mapOptions(
  drawing: MapDrawing,
  all: readonly Shape[],
  width: number,
  theme: Theme,
): PlotOptions {
  const { areas, unit } = drawing;
  const states = new Set([...areas.keys()].map(stateOf));
  const shown = all.filter(({ id }) => states.has(stateOf(id)));
  if (shown.length === 0) throw new Error('The map has no shape for any of these rows.');
  const drawn = shown.map(shape => ({ type: 'Feature' as const, ...shape }));
  const figureOf = ({ id }: Shape) => areas.get(id)?.value;
  const valued = drawn.filter(shape => typeof figureOf(shape) === 'number');
  const withheld = drawn.filter(shape => figureOf(shape) === null);
  const absent = drawn.filter(shape => figureOf(shape) === undefined);
  const collection = { type: 'FeatureCollection' as const, features: drawn };
  const [west, south, east, north] = bounds(shown);
  const known = [...areas.values()].flatMap(({ value }) => (value === null ? [] : [value]));
  const ticks = niceTicks(Math.min(...known), Math.max(...known));
  const domain: [number, number] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const nameOf = ({ id, name }: Shape) => areas.get(id)?.label ?? name;
  const outline = { stroke: theme.soft, strokeWidth: 0.5 };
  const height = Math.min(720, Math.max(320, width * 0.85));
  return {
    width,
    height,
    marginTop: 64,
    marginBottom: 8,
    projection:
      east - west > 70
        ? { type: 'albers-usa', domain: collection }
        : {
            type: 'conic-equal-area',
            rotate: [-(west + east) / 2, 0],
            parallels: [south + (north - south) / 6, north - (north - south) / 6],
            domain: collection,
          },
    color: { type: 'linear', domain, range: [...theme.ramp] },
    style: { background: 'none' },
    marks: [
      ...legendMarks(domain, unit, theme, width, {
        hatched: withheld.length > 0,
        plain: absent.length > 0,
      }),
      geo(absent, { ...outline, fill: theme.missing, title: shape => `${nameOf(shape)}: no row` }),
      geo(withheld, {
        ...outline,
        fill: HATCHED,
        title: shape => `${nameOf(shape)}: no figure. ${drawing.nullMeaning}`,
      }),
      geo(valued, {
        ...outline,
        fill: figureOf,
        title: shape => `${nameOf(shape)}: ${formatNumber(figureOf(shape) ?? 0, unit)}`,
      }),
    ],
  };
}

/** West, south, east and north in degrees. */
function bounds(shapes: readonly Shape[]): [number, number, number, number] {
  let [west, south, east, north] = [180, 90, -180, -90];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y] = part;
    if (typeof x === 'number' && typeof y === 'number') {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    } else for (const inner of part) visit(inner);
  };
  for (const { geometry } of shapes) if ('coordinates' in geometry) visit(geometry.coordinates);
  return [west, south, east, north];
}
