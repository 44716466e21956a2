/**
 * A map of a dimension's own places, or of counties, limited to the states of the rows, by Observable Plot. The page
 * loads it only for a map.
 */
import { geo, type Markish, type PlotOptions, plot, text } from '@observablehq/plot';
import { feature } from 'topojson-client';
import type { MapDrawing } from '../../../view/drawing-parts.ts';
import { describeFigure, isUnreliable } from '../../../view/series.ts';
import type { Theme } from '../../../view/theme.ts';
import { readDocument } from '../../tree-documents.ts';
import { colorAt, deriveBins } from './map-bins.ts';
import { CROSSED_FILL, HATCHED_FILL, legendMarks } from './map-legend.ts';
import { type Extent, extentOf, graticuleOf, projectionOf } from './map-projection.ts';

type Topology = Parameters<typeof feature>[0];

interface Shape {
  /** The key of the place; in the atlas five digits that start with the state's two. */
  readonly id: string;
  readonly name: string;
  readonly geometry: object;
  /** Whether the publisher brings the shape. */
  readonly isOwn: boolean;
}

const known = new Map<string, Promise<readonly Shape[]>>();

/** The shapes of a map, by their path from the tree's root: a file of this site, read once. */
function readShapes(path: string): Promise<readonly Shape[]> {
  const shapes =
    known.get(path) ??
    readDocument<Topology>(pageRoot(), path).then(found => {
      if (found === null) throw new Error('The host has no shapes for this map.');
      return toShapes(found);
    });
  known.set(path, shapes);
  shapes.catch(() => known.delete(path));
  return shapes;
}

function pageRoot(): URL {
  return new URL(document.documentElement.dataset['root'] ?? './', location.href);
}

/** An object of this name holds a dimension's own places; others belong to the atlas. */
const OWN = 'places';

function toShapes(topology: Topology): Shape[] {
  return Object.entries(topology.objects).flatMap(([name, object]) => {
    const found = feature(topology, object);
    const features = 'features' in found ? found.features : [found];
    return features.flatMap(({ id, properties, geometry }) =>
      // Codes of the nation and the states are shorter.
      name === OWN || String(id).length === 5
        ? [{ id: String(id), name: String(properties?.['name'] ?? ''), geometry, isOwn: name === OWN }]
        : [],
    );
  });
}

const stateOf = (code: string) => code.slice(0, 2);

interface MapRoom {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** The page of an area; null draws no links. */
  addressOf(code: string): string | null;
}

interface MapFigure {
  readonly svg: SVGSVGElement;
  /** Keys of the rows' places that have no shape. */
  readonly unmapped: readonly string[];
}

/** The page's policy refuses Plot's style element, so attributes replace it. */
export async function drawMapFigure(drawing: MapDrawing, room: MapRoom): Promise<MapFigure> {
  const shapes = await readShapes(drawing.shapes);
  const drawn = plot(mapOptions(drawing, shapes, room));
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
  const ids = new Set(shapes.map(({ id }) => id));
  return { svg, unmapped: [...drawing.areas.keys()].filter(key => !ids.has(key)) };
}

function mapOptions(
  drawing: MapDrawing,
  all: readonly Shape[],
  { width, height, theme, addressOf }: MapRoom,
): PlotOptions {
  const { areas, unit, period } = drawing;
  const states = new Set([...areas.keys()].map(stateOf));
  const shown = all.filter(({ id, isOwn }) => isOwn || states.has(stateOf(id)));
  if (!shown.some(({ id }) => areas.has(id))) throw new Error('The map has no shape for any of these rows.');
  const drawn = shown.map(shape => ({ type: 'Feature' as const, ...shape }));
  const figureOf = ({ id }: Shape) => areas.get(id)?.value;
  const valued = drawn.filter(shape => typeof figureOf(shape) === 'number');
  const withheld = drawn.filter(shape => figureOf(shape) === null);
  const absent = drawn.filter(shape => figureOf(shape) === undefined);
  const isPoint = ({ geometry }: Shape) => 'type' in geometry && geometry.type === 'Point';
  const points = drawn.filter(isPoint).length;
  const isPlain = points === drawn.length;
  const extent = extentOf(positionsOf(shown));
  const known = [...areas.values()].flatMap(({ value }) => (value === null ? [] : [value]));
  const bins = deriveBins(known, theme.ramp);
  const unreliable = valued.filter(({ id }) => isUnreliable(areas.get(id)!));
  const nameOf = ({ id, name }: Shape) => areas.get(id)?.label ?? (name === '' ? id : name);
  const describe = (shape: Shape) => {
    const bar = areas.get(shape.id);
    return bar ? describeFigure(bar, unit, period) : `${nameOf(shape)}: no row`;
  };
  const linked = { href: ({ id }: Shape) => addressOf(id), title: describe };
  // A path draws a point as a circle.
  const outline = { stroke: theme.soft, strokeWidth: points > 0 ? 0.75 : 0.5, r: pointRadius(points) };
  return {
    width,
    height,
    marginTop: 64,
    // Points have no outline that a reader could recognise a country by: lines with degrees stand around them.
    ...(isPlain ? { marginBottom: 24, marginLeft: 56 } : { marginBottom: 8 }),
    projection:
      !shown[0]?.isOwn && extent.east - extent.west > 70
        ? { type: 'albers-usa', domain: { type: 'FeatureCollection', features: drawn } }
        : projectionOf(extent),
    style: { background: 'none' },
    marks: [
      ...legendMarks(bins, unit, theme, width, {
        withheld: withheld.length > 0,
        absent: absent.length > 0,
        unreliable: unreliable.length > 0,
      }),
      ...(isPlain ? graticuleMarks(extent, theme) : []),
      geo(absent, { ...outline, fill: theme.missing, title: describe }),
      geo(withheld, { ...outline, ...linked, fill: CROSSED_FILL }),
      geo(valued, {
        ...outline,
        ...linked,
        fill: { value: shape => colorAt(bins, figureOf(shape) ?? 0), scale: null },
      }),
      geo(unreliable, { fill: HATCHED_FILL, r: outline.r, pointerEvents: 'none', ariaHidden: 'true' }),
    ],
  };
}

/** Many points leave each other room. */
function pointRadius(points: number): number {
  return points <= 60 ? 6.5 : points <= 400 ? 5 : points <= 2_000 ? 3.5 : 2.5;
}

function graticuleMarks(extent: Extent, theme: Theme): Markish[] {
  const { lines, labels } = graticuleOf(extent);
  const at = { x: ({ at: [x] }: Label) => x, y: ({ at: [, y] }: Label) => y, text: 'text', fill: theme.soft };
  return [
    geo(lines, { stroke: theme.line, strokeWidth: 1 }),
    text(
      labels.filter(({ isEast }) => isEast),
      { ...at, textAnchor: 'end', dx: -4 },
    ),
    text(
      labels.filter(({ isEast }) => !isEast),
      { ...at, dy: 10 },
    ),
  ];
}

type Label = ReturnType<typeof graticuleOf>['labels'][number];

/** Every longitude and latitude of the shapes. */
function positionsOf(shapes: readonly Shape[]): [number, number][] {
  const found: [number, number][] = [];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y] = part;
    if (typeof x === 'number' && typeof y === 'number') found.push([x, y]);
    else for (const inner of part) visit(inner);
  };
  for (const { geometry } of shapes) if ('coordinates' in geometry) visit(geometry.coordinates);
  return found;
}
