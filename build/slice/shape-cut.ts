/**
 * Makes boundaries small enough for a map: positions snap to a common grid, so that neighbours keep one border. Writes
 * them as TopoJSON.
 */
import type { Boundary, PolygonRings, Position } from '../lake/boundaries.ts';

export interface Outline extends Pick<Boundary, 'polygons' | 'point'> {
  /** The key of the place. */
  readonly id: string;
  /** Its name; null to leave it out. */
  readonly name: string | null;
}

/** Steps of the grid across the larger side of the map, the finest first. */
const GRIDS = [1500, 1000, 700, 500, 350, 250];
/** Points of a file that browsers load and draw at once. */
const MOST_POINTS = 30_000;

type Cell = readonly [x: number, y: number];

interface GridPlace {
  readonly outline: Outline;
  /** Closed rings of each polygon, clockwise outside, as maps on a globe want them. */
  readonly polygons: readonly (readonly (readonly Cell[])[])[];
}

/** A TopoJSON document with the object `places`. The same outlines give the same text. */
export function cutOutlines(outlines: readonly Outline[]): string {
  const positions = outlines.flatMap(({ polygons, point }) => [
    ...polygons.flatMap(rings => rings.flat()),
    ...(point === null ? [] : [point]),
  ]);
  let [west, south, east, north] = [360, 90, -360, -90];
  for (const [x, y] of positions)
    [west, south, east, north] = [
      Math.min(west, x),
      Math.min(south, y),
      Math.max(east, x),
      Math.max(north, y),
    ];
  const size = Math.max(east - west, north - south, 1e-6);
  let places: GridPlace[] = [];
  let step = size;
  for (const grid of GRIDS) {
    step = size / grid;
    places = outlines.map(outline => snap(outline, [west, south], step));
    const points = places.reduce((sum, { polygons }) => sum + polygons.flat(2).length, 0);
    if (points <= MOST_POINTS) break;
  }
  const arcs: Cell[][] = [];
  const geometries = places.map(({ outline, polygons }) => {
    const { id, name, point } = outline;
    const known = name === null ? { id } : { id, properties: { name } };
    const [first] = outline.polygons[0]?.[0] ?? [];
    const at = point ?? first;
    // A place that is smaller than a step of the grid is a point.
    if (polygons.length === 0)
      return at === undefined
        ? { type: null, ...known }
        : { type: 'Point', ...known, coordinates: cellOf(at, [west, south], step) };
    const rings = polygons.map(polygon => polygon.map(ring => [arcs.push(differences(ring)) - 1]));
    return rings.length === 1
      ? { type: 'Polygon', ...known, arcs: rings[0] }
      : { type: 'MultiPolygon', ...known, arcs: rings };
  });
  const rounded = (value: number) => Number(value.toPrecision(12));
  const document = {
    type: 'Topology',
    transform: { scale: [rounded(step), rounded(step)], translate: [west, south].map(rounded) },
    objects: { places: { type: 'GeometryCollection', geometries } },
    arcs,
  };
  return `${JSON.stringify(document)}\n`;
}

function cellOf([x, y]: Position, [west, south]: Position, step: number): Cell {
  return [Math.round((x - west) / step), Math.round((y - south) / step)];
}

function snap(outline: Outline, corner: Position, step: number): GridPlace {
  const polygons = outline.polygons.flatMap((rings: PolygonRings) => {
    const [outer, ...holes] = rings.map(ring => straighten(ring.map(one => cellOf(one, corner, step))));
    if (outer === undefined || outer.length < 4) return [];
    const kept = holes.filter(hole => hole.length >= 4).map(hole => wound(hole, 1));
    return [[wound(outer, -1), ...kept]];
  });
  return { outline, polygons };
}

/** A closed ring without repeated cells, and without those in the middle of a straight line. Empty if nothing is left. */
function straighten(cells: readonly Cell[]): readonly Cell[] {
  const ring: Cell[] = [];
  const isSame = (a: Cell | undefined, b: Cell | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1];
  for (const cell of cells) {
    if (isSame(ring.at(-1), cell)) continue;
    const [before, last] = [ring.at(-2), ring.at(-1)];
    if (before !== undefined && last !== undefined && turn(before, last, cell) === 0) ring.pop();
    if (!isSame(ring.at(-1), cell)) ring.push(cell);
  }
  if (!isSame(ring[0], ring.at(-1)) && ring[0] !== undefined) ring.push(ring[0]);
  return ring.length < 4 || area(ring) === 0 ? [] : ring;
}

function turn([ax, ay]: Cell, [bx, by]: Cell, [cx, cy]: Cell): number {
  return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
}

/** Twice the area, positive if the ring runs against the clock. */
function area(ring: readonly Cell[]): number {
  return ring.slice(1).reduce((sum, [x, y], i) => {
    const [lastX, lastY] = ring[i]!;
    return sum + lastX * y - x * lastY;
  }, 0);
}

function wound(ring: readonly Cell[], sign: 1 | -1): readonly Cell[] {
  return Math.sign(area(ring)) === sign ? ring : [...ring].reverse();
}

/** A quantized arc: the first cell, then steps. */
function differences(ring: readonly Cell[]): Cell[] {
  return ring.map(([x, y], i) => {
    const [lastX, lastY] = ring[i - 1] ?? [0, 0];
    return [x - lastX, y - lastY];
  });
}
