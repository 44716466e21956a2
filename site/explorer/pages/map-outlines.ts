/** Draws the areas of a TopoJSON file as outlines of an SVG, small enough for a page that shows a map at first sight. */
import type { Topology } from './map-shapes.ts';

interface Outlines {
  readonly width: number;
  readonly height: number;
  readonly areas: readonly { readonly id: string; readonly d: string }[];
}

type Point = readonly [x: number, y: number];

/** Degrees of longitude beyond which one flat projection no longer serves. */
const WIDEST = 70;

/**
 * Outlines in a room of this width, the height following. Longitudes are shortened by the latitude of the middle, which
 * suits an area of a state's size. Null if the areas span too much of the globe.
 */
export function outlineAreas(topology: Topology, width: number): Outlines | null {
  const arcs = topology.arcs.map(arc => decodeArc(topology, arc as readonly Point[]));
  const points = arcs.flat();
  const [west, east] = extent(points.map(([x]) => x));
  const [south, north] = extent(points.map(([, y]) => y));
  if (points.length === 0 || east - west > WIDEST) return null;
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = width / ((east - west) * shrink);
  const place = ([x, y]: Point): Point => [
    Math.round((x - west) * shrink * scale * 2) / 2,
    Math.round((north - y) * scale * 2) / 2,
  ];
  const ring = (indexes: readonly number[]): string => {
    const path: Point[] = [];
    for (const index of indexes) {
      const arc = arcs[index < 0 ? ~index : index] ?? [];
      for (const point of index < 0 ? [...arc].reverse() : arc) {
        const [x, y] = place(point);
        const last = path.at(-1);
        if (last === undefined || last[0] !== x || last[1] !== y) path.push([x, y]);
      }
    }
    if (path.length < 3) return '';
    let [atX, atY] = path[0]!;
    let d = `M${atX},${atY}l`;
    for (const [x, y] of path.slice(1)) {
      d += `${x - atX},${y - atY} `;
      [atX, atY] = [x, y];
    }
    return `${d.trimEnd()}z`;
  };
  const areas = Object.values(topology.objects).flatMap(({ geometries = [] }) =>
    geometries.map(({ id, arcs: nested }) => ({ id: String(id), d: ringsOf(nested).map(ring).join('') })),
  );
  return { width, height: Math.ceil((north - south) * scale), areas };
}

/** The rings of a polygon or of several, as lists of arcs. */
function ringsOf(nested: unknown): (readonly number[])[] {
  if (!Array.isArray(nested)) return [];
  return typeof nested[0] === 'number' ? [nested as number[]] : nested.flatMap(ringsOf);
}

/** The points of an arc in degrees: a quantized file stores differences of whole numbers. */
function decodeArc({ transform }: Topology, arc: readonly Point[]): Point[] {
  if (transform === undefined) return [...arc];
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    [x, y] = [x + dx, y + dy];
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
  });
}

function extent(values: readonly number[]): Point {
  return values.reduce<Point>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}
