/** Reads any GeoJSON and TopoJSON as the boundaries of a dimension's places. */
import { readFileSync } from 'node:fs';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import type { LakeFile } from './lake-files.ts';

export type Position = readonly [longitude: number, latitude: number];
/** The first ring is the outline, the others are holes. */
export type PolygonRings = readonly (readonly Position[])[];

/** A place: its outline, or a point. */
export interface Boundary {
  readonly id: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly PolygonRings[];
  readonly point: Position | null;
}

const MOST_BYTES = 32 * 1024 * 1024;
const MOST_POSITIONS = 2_000_000;

/** Why a file can't be read, and what to do. */
class Unfit extends Error {
  readonly remedy: string;

  constructor(why: string, remedy: string) {
    super(why);
    this.remedy = remedy;
  }
}

const SMALLER = 'Simplify it, for example with mapshaper (-simplify 10%)';
const DEGREES = 'Write it in degrees (ogr2ogr -t_srs EPSG:4326 does), longitude first';
const GEOJSON = 'Save the boundaries as GeoJSON or TopoJSON';

/** Returns a diagnostic if the file can't be drawn as a map. */
export function readBoundaries(
  file: Pick<LakeFile, 'path' | 'absolute' | 'bytes'>,
): readonly Boundary[] | Diagnostic {
  try {
    if (file.bytes > MOST_BYTES)
      throw new Unfit(`they have ${Math.ceil(file.bytes / 1024 / 1024)} MB, and a build reads 32`, SMALLER);
    return boundariesOf(parse(readFileSync(file.absolute, 'utf8')));
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    const message = `The boundaries cannot be read: ${error.message}. ${error.remedy}.`;
    return diagnosticAt(file.path, 'error', 'lake-boundaries', message);
  }
}

function parse(text: string): Json {
  try {
    const found: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isObject(found)) return found;
  } catch {
    throw new Unfit('the file is not JSON', GEOJSON);
  }
  throw new Unfit('the file is neither GeoJSON nor TopoJSON', GEOJSON);
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function boundariesOf(document: Json): Boundary[] {
  const reader = document['type'] === 'Topology' ? topologyReader(document) : geojsonReader();
  const features = featuresOf(document);
  if (features.length === 0) throw new Unfit('the file has no features', 'Give each place a feature');
  return features.map(feature => {
    const { id, properties } = feature;
    return {
      id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
      properties: isObject(properties) ? properties : {},
      ...reader(feature['arcs'] === undefined ? feature : { ...feature, coordinates: feature['arcs'] }),
    };
  });
}

/** Features of both formats, with the members of their geometry. */
function featuresOf(document: Json): Json[] {
  switch (document['type']) {
    case 'FeatureCollection':
      return listOf(document['features']).flatMap(feature => {
        if (!isObject(feature)) return [];
        const { id, properties, geometry } = feature;
        return isObject(geometry) ? [{ ...geometry, id, properties }] : [];
      });
    case 'Feature':
      return featuresOf({ type: 'FeatureCollection', features: [document] });
    case 'Topology':
      return Object.values(isObject(document['objects']) ? document['objects'] : {}).flatMap(object =>
        isObject(object) && object['type'] === 'GeometryCollection'
          ? listOf(object['geometries']).filter(isObject)
          : isObject(object)
            ? [object]
            : [],
      );
    default:
      throw new Unfit('the file is neither GeoJSON nor TopoJSON', GEOJSON);
  }
}

type GeometryReader = (geometry: Json) => Pick<Boundary, 'polygons' | 'point'>;

function geometryReader(
  ringOf: (ring: unknown) => Position[],
  pointOf: (point: unknown) => Position,
): GeometryReader {
  const polygon = (rings: unknown): PolygonRings => listOf(rings).map(ringOf);
  const several = (list: unknown) =>
    listOf(list)
      .map(polygon)
      .filter(([outer]) => (outer?.length ?? 0) > 0);
  return ({ type, coordinates, geometries }) => {
    switch (type) {
      case 'Polygon':
        return { polygons: several([coordinates]), point: null };
      case 'MultiPolygon':
        return { polygons: several(coordinates), point: null };
      case 'Point':
        return { polygons: [], point: pointOf(coordinates) };
      case 'GeometryCollection': {
        const polygons = listOf(geometries)
          .filter(isObject)
          .flatMap(one =>
            one['type'] === 'Polygon'
              ? several([one['coordinates']])
              : one['type'] === 'MultiPolygon'
                ? several(one['coordinates'])
                : [],
          );
        return { polygons, point: null };
      }
      // TopoJSON's form of a place without a shape.
      case null:
      case undefined:
        return { polygons: [], point: null };
      default:
        throw new Unfit(
          `a feature is a ${typeof type === 'string' ? type.slice(0, 40) : 'geometry of no known type'}, which isn't a place`,
          'Give each place a Polygon, a MultiPolygon or a Point',
        );
    }
  };
}

/** Counts positions: a topology may use one arc many times. */
function counter(): (more: number) => void {
  let positions = 0;
  return more => {
    positions += more;
    if (positions > MOST_POSITIONS) throw new Unfit('they have more than 2 million points', SMALLER);
  };
}

function geojsonReader(): GeometryReader {
  const count = counter();
  return geometryReader(ring => {
    const positions = listOf(ring);
    count(positions.length);
    return positions.map(positionOf);
  }, positionOf);
}

function topologyReader({ arcs: stored, transform }: Json): GeometryReader {
  const count = counter();
  const { scale, translate } = isObject(transform) ? transform : {};
  const numbers = (value: unknown, otherwise: number) =>
    [0, 1].map(i => {
      const one = listOf(value)[i] ?? otherwise;
      return typeof one === 'number' ? one : otherwise;
    });
  const [[byX = 1, byY = 1], [x0 = 0, y0 = 0]] = [numbers(scale, 1), numbers(translate, 0)];
  const place = (x: number, y: number) => positionOf([x * byX + x0, y * byY + y0]);
  const pair = (value: unknown): [number, number] => {
    const [x, y] = listOf(value);
    return typeof x === 'number' && typeof y === 'number' ? [x, y] : notNumbers();
  };
  const decoded = new Map<number, readonly Position[]>();
  const arcOf = (index: number): readonly Position[] => {
    const known = decoded.get(index);
    if (known !== undefined) return known;
    const arc = listOf(stored)[index];
    if (!Array.isArray(arc)) throw new Unfit(`the topology has no arc ${index}`, 'Write the file again');
    let [x, y] = [0, 0];
    const positions = arc.map(one => {
      const [dx, dy] = pair(one);
      [x, y] = isObject(transform) ? [x + dx, y + dy] : [dx, dy];
      return place(x, y);
    });
    decoded.set(index, positions);
    return positions;
  };
  const withArcs = geometryReader(
    ring =>
      listOf(ring).flatMap((value, i) => {
        if (typeof value !== 'number' || !Number.isInteger(value))
          throw new Unfit('a ring of the topology names no arcs', 'Write the file again');
        const arc = arcOf(value < 0 ? ~value : value);
        count(arc.length);
        const way = value < 0 ? [...arc].reverse() : arc;
        return i === 0 ? way : way.slice(1);
      }),
    point => {
      const [x, y] = pair(point);
      return place(x, y);
    },
  );
  // Members of a collection have arcs too.
  return geometry =>
    withArcs({
      ...geometry,
      geometries: listOf(geometry['geometries']).map(one =>
        isObject(one) ? { ...one, coordinates: one['arcs'] } : one,
      ),
    });
}

function notNumbers(): never {
  throw new Unfit("a coordinate isn't a number", 'Write the file again');
}

function positionOf(value: unknown): Position {
  const [x, y] = listOf(value);
  if (typeof x !== 'number' || typeof y !== 'number') return notNumbers();
  if (Math.abs(x) > 360 || Math.abs(y) > 360)
    throw new Unfit(`its coordinates, such as ${x}, ${y}, are those of a projection`, DEGREES);
  if (Math.abs(y) > 90)
    throw new Unfit(`a latitude is ${y}, beyond 90`, 'Write the longitude first, then the latitude');
  return [x, y];
}
