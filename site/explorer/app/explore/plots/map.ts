/** A map of counties, limited to the states of the rows, by Observable Plot. The page loads it only for a map. */
import { geo, type PlotOptions, plot } from '@observablehq/plot';
import { feature } from 'topojson-client';
import type { MapDrawing } from '../../../view/drawing-parts.ts';
import { describeFigure, isUnreliable } from '../../../view/series.ts';
import type { Theme } from '../../../view/theme.ts';
import { colorAt, deriveBins } from './map-bins.ts';
import { CROSSED_FILL, HATCHED_FILL, legendMarks } from './map-legend.ts';

type Topology = Parameters<typeof feature>[0];

export interface Shape {
  /** Five digits that start with the state's two. */
  readonly id: string;
  readonly name: string;
  readonly geometry: object;
}

const known = new Map<string, Promise<readonly Shape[]>>();

/** The shapes of a map, by their path from the tree's root: a file of this site, read once. */
function readShapes(path: string): Promise<readonly Shape[]> {
  const shapes =
    known.get(path) ??
    fetch(new URL(path, new URL(document.documentElement.dataset['root'] ?? './', location.href))).then(
      async response => {
        if (!response.ok)
          throw new Error(`The page could not load the shapes of the map (status ${response.status}).`);
        return toShapes((await response.json()) as Topology);
      },
    );
  known.set(path, shapes);
  shapes.catch(() => known.delete(path));
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

export interface MapRoom {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** The page of an area; null draws no links. */
  addressOf(code: string): string | null;
}

/** The page's policy refuses Plot's style element, so attributes replace it. */
export async function drawMapFigure(drawing: MapDrawing, room: MapRoom): Promise<SVGSVGElement> {
  const drawn = plot(mapOptions(drawing, await readShapes(drawing.shapes), room));
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector('svg');
  if (!(svg instanceof SVGSVGElement)) throw new Error('The page could not draw the map.');
  for (const style of svg.querySelectorAll('style')) style.remove();
  // Plot labels its groups by their kind, which helps no reader; the areas have their own words.
  for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  // The words of an area stand where the page reads them: a title would show a second box.
  for (const title of svg.querySelectorAll('path > title')) {
    const words = title.textContent ?? '';
    title.parentElement?.setAttribute('data-words', words);
    title.closest('a')?.setAttribute('aria-label', words);
    title.remove();
  }
  svg.removeAttribute('style');
  svg.setAttribute('fill', room.theme.soft);
  svg.setAttribute('font-family', 'system-ui, sans-serif');
  svg.setAttribute('font-size', '12');
  return svg;
}

function mapOptions(
  drawing: MapDrawing,
  all: readonly Shape[],
  { width, height, theme, addressOf }: MapRoom,
): PlotOptions {
  const { areas, unit, year } = drawing;
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
  const bins = deriveBins(known, theme.ramp);
  const unreliable = valued.filter(({ id }) => isUnreliable(areas.get(id)!));
  const nameOf = ({ id, name }: Shape) => areas.get(id)?.label ?? name;
  const describe = (shape: Shape) => {
    const bar = areas.get(shape.id);
    return bar ? describeFigure(bar, unit, year) : `${nameOf(shape)}: no row`;
  };
  const linked = { href: ({ id }: Shape) => addressOf(id), title: describe };
  const outline = { stroke: theme.soft, strokeWidth: 0.5 };
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
    style: { background: 'none' },
    marks: [
      ...legendMarks(bins, unit, theme, width, {
        withheld: withheld.length > 0,
        absent: absent.length > 0,
        unreliable: unreliable.length > 0,
      }),
      geo(absent, { ...outline, fill: theme.missing, title: describe }),
      geo(withheld, { ...outline, ...linked, fill: CROSSED_FILL }),
      geo(valued, {
        ...outline,
        ...linked,
        fill: { value: shape => colorAt(bins, figureOf(shape) ?? 0), scale: null },
      }),
      geo(unreliable, { fill: HATCHED_FILL, pointerEvents: 'none', ariaHidden: 'true' }),
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
