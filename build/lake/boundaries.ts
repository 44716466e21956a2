/** Reads any GeoJSON and TopoJSON as the boundaries of a dimension's places. */
import { readFileSync } from 'node:fs';
import { feature } from 'topojson-client';
import type { GeometryObject, Topology } from 'topojson-specification';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import type { LakeFile } from './lake-files.ts';
import { UnreadError } from './table-header.ts';

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

const SMALLER = 'Simplify it, for example with mapshaper (-simplify 10%)';
const DEGREES = 'Write it in degrees (ogr2ogr -t_srs EPSG:4326 does), longitude first';
const AGAIN = 'Write the file again';
const GEOJSON = 'Save the boundaries as GeoJSON or TopoJSON';

/** Returns a diagnostic if the file can't be drawn as a map. */
export function readBoundaries(
  file: Pick<LakeFile, 'path' | 'absolute' | 'bytes'>,
): readonly Boundary[] | Diagnostic {
  try {
    if (file.bytes > MOST_BYTES)
      throw new UnreadError(
        `they have ${Math.ceil(file.bytes / 1024 / 1024)} MB, and a build reads 32`,
        SMALLER,
      );
    return boundariesOf(parse(readFileSync(file.absolute, 'utf8')));
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    const message = `The boundaries cannot be read: ${error.message}. ${error.remedy}.`;
    return diagnosticAt(file.path, 'error', 'lake-boundaries', message);
  }
}

function parse(text: string): Json {
  try {
    const found: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isObject(found)) return found;
  } catch {
    throw new UnreadError('the file is not JSON', GEOJSON);
  }
  throw new UnreadError('the file is neither GeoJSON nor TopoJSON', GEOJSON);
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function boundariesOf(document: Json): Boundary[] {
  const features = featuresOf(document);
  if (features.length === 0) throw new UnreadError('the file has no features', 'Give each place a feature');
  const count = counter();
  return features.map(({ id, properties, geometry }) => ({
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    properties: isObject(properties) ? properties : {},
    ...shapeOf(isObject(geometry) ? geometry : {}, count),
  }));
}

function featuresOf(document: Json): Json[] {
  switch (document['type']) {
    case 'FeatureCollection':
      return listOf(document['features']).filter(isObject);
    case 'Feature':
      return [document];
    case 'Topology':
      return featuresOfTopology(document);
    default:
      throw new UnreadError('the file is neither GeoJSON nor TopoJSON', GEOJSON);
  }
}

function featuresOfTopology(document: Json): Json[] {
  const objects = Object.values(isObject(document['objects']) ? document['objects'] : {}).filter(isObject);
  const count = counter();
  try {
    for (const one of objects) expectArcs(one, listOf(document['arcs']), count);
    return objects.flatMap(one =>
      featuresOf(
        feature(document as unknown as Topology, one as unknown as GeometryObject) as unknown as Json,
      ),
    );
  } catch (error) {
    throw error instanceof UnreadError ? error : new UnreadError('its topology is damaged', AGAIN);
  }
}

/** Throws UnreadError if a geometry uses arcs that the topology lacks, or uses arcs too often. */
function expectArcs(geometry: Json, arcs: readonly unknown[], count: Count): void {
  for (const index of listOf(geometry['arcs']).flat(2)) {
    if (typeof index !== 'number' || !Number.isInteger(index))
      throw new UnreadError('a ring of the topology names no arcs', AGAIN);
    const arc = arcs[index < 0 ? ~index : index];
    if (!Array.isArray(arc)) throw new UnreadError(`the topology has no arc ${index}`, AGAIN);
    count(arc.length);
  }
  for (const inner of listOf(geometry['geometries']).filter(isObject)) expectArcs(inner, arcs, count);
}

function shapeOf(
  { type, coordinates, geometries }: Json,
  count: Count,
): Pick<Boundary, 'polygons' | 'point'> {
  const several = (polygons: readonly unknown[]): PolygonRings[] =>
    polygons
      .map(rings => listOf(rings).map(ring => ringOf(ring, count)))
      .filter(([outer]) => (outer?.length ?? 0) > 0);
  switch (type) {
    case 'Polygon':
      return { polygons: several([coordinates]), point: null };
    case 'MultiPolygon':
      return { polygons: several(listOf(coordinates)), point: null };
    case 'Point':
      return { polygons: [], point: positionOf(coordinates) };
    case 'GeometryCollection': {
      const areas = listOf(geometries)
        .filter(isObject)
        .filter(one => one['type'] === 'Polygon' || one['type'] === 'MultiPolygon');
      return { polygons: areas.flatMap(one => shapeOf(one, count).polygons), point: null };
    }
    // A place without a shape.
    case undefined:
      return { polygons: [], point: null };
    default:
      throw new UnreadError(
        `a feature is a ${typeof type === 'string' ? type.slice(0, 40) : 'geometry of no known type'}, which isn't a place`,
        'Give each place a Polygon, a MultiPolygon or a Point',
      );
  }
}

function ringOf(ring: unknown, count: Count): Position[] {
  // topojson-client fills up a ring without arcs.
  const positions = listOf(ring).filter(one => one !== undefined);
  count(positions.length);
  return positions.map(positionOf);
}

type Count = (more: number) => void;

/** Counts positions: a topology may use one arc many times. */
function counter(): Count {
  let positions = 0;
  return more => {
    positions += more;
    if (positions > MOST_POSITIONS) throw new UnreadError('they have more than 2 million points', SMALLER);
  };
}

function positionOf(value: unknown): Position {
  const [x, y] = listOf(value);
  if (typeof x !== 'number' || typeof y !== 'number' || Number.isNaN(x + y))
    throw new UnreadError("a coordinate isn't a number", AGAIN);
  if (Math.abs(x) > 360 || Math.abs(y) > 360)
    throw new UnreadError(`its coordinates, such as ${x}, ${y}, are those of a projection`, DEGREES);
  if (Math.abs(y) > 90)
    throw new UnreadError(`a latitude is ${y}, beyond 90`, 'Write the longitude first, then the latitude');
  return [x, y];
}
