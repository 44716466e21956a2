/** Writes a dimension's rows, and its shapes: outlines from its boundaries, or points from its coordinates. */
import type { BaseColumn, Dimension, Publisher } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import type { ShapeKind } from '../format/documents.ts';
import { nearest } from '../format/nearest.ts';
import { type Boundary, type PolygonRings, type Position, readBoundaries } from '../lake/boundaries.ts';
import type { Session } from '../lake/database.ts';
import { presentValue } from '../lake/fact-table.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { identifier, parquetRows } from '../lake/sql.ts';
import { dimensionRowColumns } from './row-columns.ts';
import { dimensionEnvelope, envelopeStamp, groupRows, type WrittenSlice, writeSlice } from './rows-writer.ts';
import { enumTable, type ValueTypes } from './slice-table.ts';

interface DimensionShapes {
  readonly kind: ShapeKind;
  /** TopoJSON. */
  readonly text: string;
}

interface ShapesInput {
  readonly dimension: Dimension;
  /** With the dimension's rows. */
  readonly file: LakeFile;
  /** GeoJSON or TopoJSON; null if the lake has none. */
  readonly boundaries: LakeFile | null;
}

/** A map of more points isn't readable. */
const MOST_PLACES = 10_000;

/**
 * `shapes` is null without boundaries and coordinates, for a key of several columns, or if the boundaries
 * have an error.
 */
export async function readShapes(
  session: Session,
  { dimension, file, boundaries }: ShapesInput,
): Promise<{ readonly shapes: DimensionShapes | null; readonly diagnostics: readonly Diagnostic[] }> {
  const warn = (code: string, at: string, message: string): Diagnostic =>
    diagnosticAt(at, 'warning', code, message);
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

function joinBoundaries(dimension: Dimension, places: readonly Place[], file: LakeFile) {
  const fail = (message: string) => {
    const one: Diagnostic = diagnosticAt(file.path, 'error', 'lake-boundaries', message);
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
      const near = nearest(stated, properties);
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
    // Islands of one place may be separate features.
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
          diagnosticAt(
            file.path,
            'warning',
            'lake-boundaries',
            `${lacking.length} of ${places.length} ${dimension.name} have no feature, such as ${lacking
              .slice(0, 3)
              .map(({ id }) => id)
              .join(', ')}, so the map leaves them out. Add them, or correct their keys.`,
          ),
        ];
  const sorted = drawn.sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = kind === 'points' ? cutPoints(sorted) : cutOutlines(sorted);
  return { shapes: { kind, text }, diagnostics };
}

/** Where features hold the key: a property, or null for the `id`. */
interface KeyPlace {
  readonly property: string | null;
  /** Number of keys found. */
  readonly matched: number;
}

function keyOf({ id, properties }: Boundary, { property }: Pick<KeyPlace, 'property'>): string | null {
  if (property === null) return id;
  const value = Object.hasOwn(properties, property) ? properties[property] : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Null if no feature has a known key. */
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

interface Outline extends Pick<Boundary, 'polygons' | 'point'> {
  readonly id: string;
  /** Null to leave it out. */
  readonly name: string | null;
}

/** Steps of the grid across the larger side of the map, the finest first. */
const GRIDS = [1500, 1000, 700, 500, 350, 250];
/** Points that browsers load and draw at once. */
const MOST_POINTS = 30_000;

type Cell = readonly [x: number, y: number];

interface GridPlace {
  readonly outline: Outline;
  /** Closed rings of each polygon, clockwise outside, as d3 expects on a globe. */
  readonly polygons: readonly (readonly (readonly Cell[])[])[];
}

/** TopoJSON with the object `places`. The same outlines give the same text. */
function cutOutlines(outlines: readonly Outline[]): string {
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
    // A place smaller than a grid step is a point.
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

/**
 * A closed ring without repeated cells and without cells in the middle of a straight line. Empty if nothing
 * is left.
 */
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

/** Twice the area, positive if counterclockwise. */
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

interface DimensionRowsInput {
  readonly session: Session;
  readonly dimension: Dimension;
  readonly types: ValueTypes;
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly rows: number;
  readonly file: LakeFile;
  /** GeoJSON or TopoJSON; null if the lake has none. */
  readonly boundaries: LakeFile | null;
  /** The dimension's folder in the tree. */
  readonly folder: string;
}

export interface WrittenDimension extends WrittenSlice {
  readonly shapes: DimensionShapes | null;
  /** Warnings about its shapes. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function writeDimensionRows(input: DimensionRowsInput): Promise<WrittenDimension> {
  const { session, dimension, types, publisher, sample, rows, folder } = input;
  const stamp = envelopeStamp(dimension, publisher, sample);
  const written = await writeSlice(
    {
      session,
      table: enumTable(dimension),
      rows,
      columns: dimensionRowColumns(dimension),
      keyColumns: dimension.primaryKey,
      needsOf: types.needsOf,
      metadata: { subject: { dimension: dimension.name }, version: dimension.version, publisher, sample },
      folder,
    },
    'rows',
    groupRows('slice', rows),
    (release, page) => dimensionEnvelope({ dimension: dimension.name, ...stamp }, release, page),
  );
  return { ...written, ...(await readShapes(session, input)) };
}
