/** Boundaries from anywhere, points, and what shapes.json makes of them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { feature } from 'topojson-client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Dimension } from '../../build/contract/dataset.ts';
import type { Diagnostic } from '../../build/contract/diagnostic.ts';
import { withSession } from '../../build/lake/database.ts';
import type { LakeFile } from '../../build/lake/lake-files.ts';
import { readShapes } from '../../build/slice/dimension-rows.ts';
import { duckdb, quoted, temporaryFolder } from '../publishers/publisher-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

const lakeFile = (name: string, bytes = 1): LakeFile => ({
  path: name,
  absolute: path.join(folder, name),
  bytes,
  fingerprint: name,
  modified: 0,
});

const column = (name: string, type: string, role: string) => ({
  ...{ name, type, role },
  missingValues: [],
});

async function shapesOf(
  rows: string,
  boundaries: string | null,
  more: Partial<Dimension> = {},
  name = 'regions.geojson',
) {
  const file = lakeFile('regions.parquet');
  await duckdb(`COPY (${rows}) TO ${quoted(file.absolute)} (FORMAT parquet)`);
  if (boundaries !== null) writeFileSync(path.join(folder, name), boundaries);
  const dimension = {
    name: 'regions',
    primaryKey: ['code'],
    columns: [
      column('code', 'string', 'key'),
      column('name', 'string', 'attribute'),
      ...['lat', 'lon'].map(name => column(name, 'number', 'attribute')),
    ],
    coordinates: null,
    boundaryKey: null,
    ...more,
  } as unknown as Dimension;
  const limits = { threads: 1, memoryLimit: '200MB', temporaryFolder: folder };
  const { shapes, diagnostics } = await withSession(limits, session =>
    readShapes(session, {
      dimension,
      file,
      boundaries: boundaries === null ? null : lakeFile(name, boundaries.length),
    }),
  );
  const places = shapes === null ? [] : featuresOf(shapes.text);
  return { kind: shapes?.kind ?? null, text: shapes?.text ?? '', places, said: diagnostics.map(say) };
}

const say = ({ severity, message }: Diagnostic) => `${severity}: ${message}`;

function featuresOf(text: string) {
  const topology = JSON.parse(text) as Parameters<typeof feature>[0];
  const found = feature(topology, topology.objects['places']!);
  return 'features' in found ? found.features : [];
}

const ROWS = "SELECT * FROM (VALUES ('01', 'North'), ('02', 'South'), ('03', 'East')) t(code, name)";
/** Two counterclockwise squares, as RFC 7946 requires, with a wavy border between them. */
const wave = Array.from({ length: 900 }, (_, i) => [10 + i / 900, 50 + 0.02 * Math.sin(i / 9)]);
const north = [[10, 50], ...wave.slice(1), [11, 50], [11, 51], [10, 51], [10, 50]];
const south = [[10, 49], [11, 49], [11, 50], ...wave.slice(1).reverse(), [10, 50], [10, 49]];
const geojson = (features: readonly object[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(one => ({ type: 'Feature', properties: null, ...one })),
  });
const square = (x: number, y: number, size = 1) => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];
const polygon = (...rings: readonly unknown[]) => ({ type: 'Polygon', coordinates: rings });

test('outlines are cut to the places, by the property that holds the keys, and keep one border', async () => {
  const { kind, places, said, text } = await shapesOf(
    ROWS,
    geojson([
      { id: 'a', properties: { nuts: 'XX', ID_2: '01' }, geometry: polygon(north) },
      { id: 'b', properties: { nuts: 'XX', ID_2: '02' }, geometry: polygon(south) },
      { id: 'c', properties: { nuts: 'XX', ID_2: '99' }, geometry: polygon(square(40, 40)) },
    ]),
  );
  expect(kind).toBe('areas');
  expect(said).toEqual([
    'warning: 1 of 3 regions have no feature, such as 03, so the map leaves them out. Add them, or correct their keys.',
  ]);
  expect(places.map(({ id, properties }) => [id, properties?.['name']])).toEqual([
    ['01', 'North'],
    ['02', 'South'],
  ]);
  const [above, below] = places.map(
    ({ geometry }) => (geometry as { coordinates: number[][][] }).coordinates[0]!,
  );
  const borderOf = (ring: readonly number[][]) =>
    new Set(ring.filter(([, y]) => y! > 49.9 && y! < 50.1).map(([x, y]) => `${x} ${y}`));
  expect(borderOf(above!)).toEqual(borderOf(below!));
  expect(borderOf(above!).size).toBeGreaterThan(100);
  // Clockwise, unlike the input.
  const area = (ring: readonly number[][]) =>
    ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0]! * y! - x! * ring[i]![1]!, 0);
  expect(area(north)).toBeGreaterThan(0);
  expect(area(above!)).toBeLessThan(0);
  // The same places give the same bytes in any order.
  const turned = geojson([
    { properties: { ID_2: '02' }, geometry: polygon([...south].reverse()) },
    { properties: { ID_2: '01' }, geometry: polygon([...north].reverse()) },
  ]);
  expect((await shapesOf(ROWS, turned)).places.map(({ id }) => id)).toEqual(['01', '02']);
  expect(text.length).toBeLessThan(12_000);
});

test('islands, holes, tiny places, and places without a shape', async () => {
  const islands = [[square(0, 0, 10), square(4, 4, 2)], [square(20, 0)]];
  const { places } = await shapesOf(
    ROWS,
    geojson([
      { id: '01', geometry: { type: 'MultiPolygon', coordinates: islands } },
      { id: '01', geometry: polygon(square(0, 30, 4)) },
      { id: '02', geometry: polygon(square(30, 30, 1e-6)) },
      { id: '03', geometry: null },
    ]),
  );
  const types = places.map(({ id, geometry }) => `${id} ${geometry?.type}`);
  expect(types).toEqual(['01 MultiPolygon', '02 Point']);
  const { coordinates } = places[0]!.geometry as { coordinates: unknown[][] };
  expect(coordinates.map(rings => rings.length)).toEqual([2, 1, 1]);
});

test('a topology is read by its arcs, forwards and backwards', async () => {
  const topology = {
    type: 'Topology',
    transform: { scale: [0.5, 0.5], translate: [5, 45] },
    arcs: JSON.parse('[[[0, 0], [2, 0], [0, 2]], [[0, 0], [0, 2], [2, 0]]]'),
    objects: { r: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', id: 1, arcs: [[0, ~1]] }] } },
  };
  const { places } = await shapesOf('SELECT 1::INTEGER AS code', JSON.stringify(topology), {
    columns: [column('code', 'integer', 'key')] as never,
  });
  const [ring] = (places[0]!.geometry as { coordinates: number[][][] }).coordinates;
  const corners = new Set(ring!.map(([x, y]) => `${x!.toFixed(1)} ${y!.toFixed(1)}`));
  expect(corners).toEqual(new Set(['5.0 45.0', '6.0 45.0', '6.0 46.0', '5.0 46.0']));
});

const arcs = (list: readonly unknown[]) =>
  JSON.stringify({
    type: 'Topology',
    arcs: [wave],
    objects: { r: { type: 'Polygon', id: '01', arcs: list } },
  });
const one = (geometry: object, more: object = { id: '01' }) => geojson([{ ...more, geometry }]);
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const PROJECTION = 'are those of a projection. Write it in degrees (ogr2ogr -t_srs EPSG:4326 does)';
const NO_KEY = 'No feature has a key of regions, such as "01", as its id or in a property (a). Add the key';

describe('one message for each cause', () => {
  test.each([
    ['no JSON', '{"type":', 'the file is not JSON. Save the boundaries as GeoJSON or TopoJSON.'],
    ['a list', '[]', 'neither GeoJSON nor TopoJSON'],
    ['another JSON', '{"type":"Style"}', 'neither GeoJSON nor TopoJSON'],
    ['no features', geojson([]), 'the file has no features. Give each place a feature.'],
    ['lines', one({ type: 'LineString', coordinates: [] }), 'a feature is a LineString'],
    ['a projection', one(polygon(square(512_000, 5_412_000))), PROJECTION],
    [
      'latitude first',
      one(polygon(square(50, 120))),
      'a latitude is 120, beyond 90. Write the longitude first',
    ],
    ['texts', one(polygon([['1', '2']])), "a coordinate isn't a number"],
    ['another key', one(polygon(square(1, 1)), { id: '7', properties: { a: 1 } }), NO_KEY],
    ['an arc that is not there', arcs([[3]]), 'the topology has no arc 3'],
    [
      'an arc thousands of times',
      arcs(Array(3000).fill([0, 0, 0])),
      'more than 2 million points. Simplify it',
    ],
    ['no shape at all', one(polygon()), 'No feature has a shape'],
    ['deep lists', one(polygon()).replace('[]', DEEP), "a coordinate isn't a number"],
    [
      '33 MB',
      ' '.repeat(33 * 1024 * 1024),
      'they have 33 MB, and a build reads 32. Simplify it, for example',
    ],
  ])('%s', async (_, text, message) => {
    const { kind, said } = await shapesOf(ROWS, text);
    expect([kind, said]).toEqual([null, [expect.stringContaining(message)]]);
    expect(said[0]).toMatch(/^error: /);
  });

  test('a property that no feature has, and a key of several columns', async () => {
    const text = geojson([{ properties: { regio: '01' }, geometry: polygon(square(1, 1)) }]);
    expect((await shapesOf(ROWS, text, { boundaryKey: 'region' })).said).toEqual([
      'error: No feature has the property "region", which boundary_key names; did you mean "regio"? Correct boundary_key in the contract.',
    ]);
    expect((await shapesOf(ROWS, text, { boundaryKey: 'regio' })).kind).toBe('areas');
    expect((await shapesOf(ROWS, text, { primaryKey: ['code', 'name'] })).said[0]).toContain(
      'a feature has one key',
    );
  });
});

/** Coordinates of places, the points of the map, and the messages. */
test.each<[what: string, places: string, kind: string | null, points: object, ...said: string[]]>([
  [
    'of which one has none, and one is beyond the globe',
    "VALUES ('a', 'A', 52.123456789, 13.5), ('b', NULL, -33.0, 179.99), ('c', 'C', NULL, 5.0), ('d', 'D', 4801.0, 9.0)",
    'points',
    { a: [13.5, 52.12346], b: [179.99, -33] },
    'warning: One place is not on the globe, such as d (lat 4801, lon 9), so the map leaves it out. Write degrees: latitudes from -90 to 90, longitudes from -180 to 180.',
    'warning: 1 of 4 regions lacks coordinates, such as c, so the map leaves it out. Add the coordinates.',
  ],
  [
    'more than a map can show',
    'SELECT i::VARCHAR, NULL::VARCHAR, 1.0, 2.0 FROM range(10001) r(i)',
    null,
    {},
    expect.stringMatching(/^note: .*at most 10,000/),
  ],
])('points %s', async (_, values, expected, points, ...told) => {
  const coordinates = { latitude: 'lat', longitude: 'lon' };
  const rows = `SELECT * FROM (${values}) t(code, name, lat, lon)`;
  const { kind, places, said } = await shapesOf(rows, null, { coordinates });
  const found = places.map(({ id, geometry }) => [id, (geometry as { coordinates?: unknown }).coordinates]);
  expect([kind, Object.fromEntries(found), said]).toEqual([expected, points, told]);
});
