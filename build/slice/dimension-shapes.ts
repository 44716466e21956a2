/** The shapes of a dimension's places for `shapes.json`: outlines from its boundaries, or points from its coordinates. */
import type { BaseColumn, Dimension } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { nearestName } from '../contract/nearest-name.ts';
import type { ShapeKind } from '../format/schema.ts';
import { type Boundary, readBoundaries } from '../lake/boundaries.ts';
import type { Session } from '../lake/database.ts';
import { presentValue } from '../lake/fact-table.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { identifier, parquetRows } from '../lake/sql.ts';
import { cutOutlines, type Outline } from './shape-cut.ts';

export interface DimensionShapes {
  readonly kind: ShapeKind;
  /** TopoJSON. */
  readonly text: string;
}

export interface ShapesInput {
  readonly dimension: Dimension;
  /** Parquet with the dimension's rows. */
  readonly file: LakeFile;
  /** GeoJSON or TopoJSON of the lake; null if the dimension brings none. */
  readonly boundaries: LakeFile | null;
}

/** More points than this are a cloud that no reader can use. */
const MOST_PLACES = 10_000;

/** `shapes` is null for a dimension without any, of several key columns, or whose boundaries have an error. */
export async function readShapes(
  session: Session,
  { dimension, file, boundaries }: ShapesInput,
): Promise<{ readonly shapes: DimensionShapes | null; readonly diagnostics: readonly Diagnostic[] }> {
  const warn = (code: string, at: string, message: string): Diagnostic => ({
    severity: 'warning',
    code,
    file: at,
    message,
  });
  const none = (...diagnostics: readonly Diagnostic[]) => ({ shapes: null, diagnostics });
  const { coordinates, primaryKey } = dimension;
  if (boundaries === null && coordinates === null) return none();
  const [key, second] = primaryKey;
  if (key === undefined || second !== undefined) {
    if (boundaries === null) return none();
    const message = `The key of ${dimension.name} has ${primaryKey.length} columns, and a feature has one key, so the map draws none of them. Give the places a key of one column.`;
    return none(warn('lake-boundaries', boundaries.path, message));
  }
  const places = await readPlaces(session, dimension, file, key);
  if (places.length > MOST_PLACES) {
    const message = `${dimension.name} has ${places.length.toLocaleString('en')} places, and a map draws at most ${MOST_PLACES.toLocaleString('en')}, so it has none. Publish larger places to show a map.`;
    return none({ ...warn('lake-boundaries', file.path, message), severity: 'note' });
  }
  if (boundaries !== null) return joinBoundaries(dimension, places, boundaries);
  const points = places.flatMap(({ id, name, longitude, latitude }): Outline[] =>
    longitude === null || latitude === null || !isOnGlobe(longitude, latitude)
      ? []
      : [{ id, name, polygons: [], point: [longitude, latitude] }],
  );
  const beyond = places.filter(
    ({ longitude, latitude }) => longitude !== null && latitude !== null && !isOnGlobe(longitude, latitude),
  );
  const blank = places.filter(({ longitude, latitude }) => longitude === null || latitude === null);
  const [first] = beyond;
  const diagnostics: Diagnostic[] = [];
  if (first !== undefined) {
    const [are, them] =
      beyond.length === 1
        ? ['One place is', 'it']
        : [`${beyond.length.toLocaleString('en')} places are`, 'them'];
    const message = `${are} not on the globe, such as ${first.id} (${coordinates?.latitude} ${first.latitude}, ${coordinates?.longitude} ${first.longitude}), so the map leaves ${them} out. Write degrees: latitudes from -90 to 90, longitudes from -180 to 180.`;
    diagnostics.push(warn('lake-coordinates', file.path, message));
  }
  if (blank.length > 0) {
    const named = blank.slice(0, 3).map(({ id }) => id);
    const [lack, them] = blank.length === 1 ? ['lacks', 'it'] : ['lack', 'them'];
    const message = `${blank.length.toLocaleString('en')} of ${places.length.toLocaleString('en')} ${dimension.name} ${lack} coordinates, such as ${named.join(', ')}, so the map leaves ${them} out. Add the coordinates.`;
    diagnostics.push(warn('lake-coordinates', file.path, message));
  }
  if (points.length === 0) return none(...diagnostics);
  return { shapes: { kind: 'points', text: cutPoints(points) }, diagnostics };
}

function isOnGlobe(longitude: number, latitude: number): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

interface Place {
  readonly id: string;
  readonly name: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

async function readPlaces(
  session: Session,
  { coordinates, columns }: Dimension,
  file: LakeFile,
  key: string,
): Promise<readonly Place[]> {
  const value = (column: BaseColumn | undefined) => (column === undefined ? 'NULL' : presentValue(column));
  const name = value(columns.find(one => one.role === 'attribute' && one.type === 'string'));
  const degrees = (column: string | undefined) =>
    `${value(columns.find(one => one.name === column))}::DOUBLE`;
  return session.rows<Place & Record<string, string | number | null>>(
    `SELECT ${identifier(key)}::VARCHAR AS id, ${name}::VARCHAR AS name, ${degrees(coordinates?.latitude)} AS latitude, ${degrees(coordinates?.longitude)} AS longitude FROM ${parquetRows([file.absolute])} WHERE ${identifier(key)} IS NOT NULL ORDER BY 1 LIMIT ${MOST_PLACES + 1}`,
  );
}

/** Five decimals are a metre. */
function cutPoints(points: readonly Outline[]): string {
  const rounded = (value: number) => Number(value.toFixed(5));
  const geometries = points.map(({ id, name, point }) => ({
    type: 'Point',
    id,
    ...(name === null ? {} : { properties: { name } }),
    coordinates: (point ?? []).map(rounded),
  }));
  const objects = { places: { type: 'GeometryCollection', geometries } };
  return `${JSON.stringify({ type: 'Topology', objects, arcs: [] })}\n`;
}

/** The outlines of the dimension's places, by their keys. */
function joinBoundaries(dimension: Dimension, places: readonly Place[], file: LakeFile) {
  const fail = (message: string) => {
    const one: Diagnostic = { severity: 'error', code: 'lake-boundaries', file: file.path, message };
    return { shapes: null, diagnostics: [one] };
  };
  const found = readBoundaries(file);
  if ('severity' in found) return { shapes: null, diagnostics: [found] };
  const known = new Map(places.map(place => [place.id, place]));
  const best = findKey(found, known, dimension.boundaryKey);
  const [example] = places;
  if (best === null || example === undefined) {
    const properties = [...new Set(found.slice(0, 100).flatMap(one => Object.keys(one.properties)))];
    const stated = dimension.boundaryKey;
    if (stated !== null && !properties.includes(stated)) {
      const near = nearestName(stated, properties);
      return fail(
        `No feature has the property ${JSON.stringify(stated)}, which boundary_key names${near === null ? '' : `; did you mean ${JSON.stringify(near)}?`} Correct boundary_key in the contract.`,
      );
    }
    const listed = properties.length === 0 ? 'none' : properties.slice(0, 8).join(', ');
    return fail(
      `No feature has a key of ${dimension.name}, such as ${JSON.stringify(example?.id ?? '')}, as its id or in a property (${listed}). Add the key to each feature, as a text.`,
    );
  }
  const outlines = new Map<string, Outline>();
  for (const boundary of found) {
    const place = known.get(keyOf(boundary, best) ?? '');
    if (place === undefined) continue;
    const before = outlines.get(place.id);
    // Islands of one place may be features of their own.
    outlines.set(place.id, {
      id: place.id,
      name: place.name,
      polygons: [...(before?.polygons ?? []), ...boundary.polygons],
      point: before?.point ?? boundary.point,
    });
  }
  const drawn = [...outlines.values()].filter(one => one.polygons.length > 0 || one.point !== null);
  const ids = new Set(drawn.map(({ id }) => id));
  const lacking = places.filter(({ id }) => !ids.has(id));
  if (drawn.length === 0) return fail('No feature has a shape. Give each place its outline.');
  const kind: ShapeKind = drawn.some(({ polygons }) => polygons.length > 0) ? 'areas' : 'points';
  const diagnostics: Diagnostic[] =
    lacking.length === 0
      ? []
      : [
          {
            severity: 'warning',
            code: 'lake-boundaries',
            file: file.path,
            message: `${lacking.length} of ${places.length} ${dimension.name} have no feature, such as ${lacking
              .slice(0, 3)
              .map(({ id }) => id)
              .join(', ')}, so the map leaves them out. Add them, or correct their keys.`,
          },
        ];
  const sorted = drawn.sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = kind === 'points' ? cutPoints(sorted) : cutOutlines(sorted);
  return { shapes: { kind, text }, diagnostics };
}

/** Where the features hold the key: a property, or null for the `id`. */
interface KeyPlace {
  readonly property: string | null;
  /** Number of keys that features have. */
  readonly matched: number;
}

function keyOf({ id, properties }: Boundary, { property }: Pick<KeyPlace, 'property'>): string | null {
  if (property === null) return id;
  const value = Object.hasOwn(properties, property) ? properties[property] : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The place where most features have a known key; null if none has any. */
export function findKey(
  boundaries: readonly Boundary[],
  known: ReadonlyMap<string, unknown>,
  stated: string | null,
): KeyPlace | null {
  const properties = new Set(boundaries.flatMap(({ properties }) => Object.keys(properties).slice(0, 200)));
  let best: KeyPlace | null = null;
  for (const property of stated === null ? [null, ...[...properties].slice(0, 200)] : [stated]) {
    const keys = new Set(boundaries.map(one => keyOf(one, { property })));
    const matched = [...keys].filter(key => key !== null && known.has(key)).length;
    if (matched > (best?.matched ?? 0)) best = { property, matched };
  }
  return best;
}
