/** The map of places that a publisher brings: points of coordinates, and outlines of a file. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DimensionSchemaDocument } from '../../build/format/documents.ts';
import { type Position, projectionOf } from '../../site/explorer/panel/map.tsx';
import { possibleViews } from '../../site/explorer/view/views.ts';
import { readTreeJson } from '../publishers/built-tree.ts';
import { column, datasetContract, dimension } from '../publishers/contract-text.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { newPublisher, writeTexts } from '../publishers/publisher-folder.ts';
import {
  accessibilityFindings,
  CHROMIUM,
  overflow,
  SCREENS,
  startEdgeHost,
  useHost,
  visit,
} from './browser.ts';
import { readExplored } from './explored-tree.ts';

const COAST = column('coast', 'string', 'fk_coast');
/** Tides at the gauges of an island state on both sides of the 180th meridian. */
const CONTRACTS = {
  'publisher.yaml': 'service: Tides of Atoll\n',
  'sea/tides.odcs.yaml': datasetContract(
    'sea.tides',
    [
      column('day', 'date', 'time', true),
      column('gauge', 'string', 'fk_gauge'),
      COAST,
      column('height', 'number', 'metric'),
    ],
    {
      foreign_keys: '[{ column: gauge, target_object: gauges }, { column: coast, target_object: coasts }]',
      grain: '[day, gauge]',
    },
  ),
  'sea/levels.odcs.yaml': datasetContract(
    'sea.levels',
    [column('year', 'integer', 'year', true), COAST, column('rise', 'number', 'metric')],
    { foreign_keys: '[{ column: coast, target_object: coasts }]' },
  ),
  'sea/coasts.odcs.yaml': dimension('sea', 'coasts', ['coast'], 'coast_name'),
  'sea/gauges.odcs.yaml': `${dimension('sea', 'gauges', ['gauge'], 'gauge_name')}      - { name: north, logicalType: number, customProperties: [{ property: coordinate, value: latitude }] }
      - { name: Longitude, logicalType: number }
`,
};

const LAKE = {
  'sea/tides.parquet':
    "SELECT DATE '2024-12-20' + d::INTEGER AS day, 'g' || i AS gauge, CASE WHEN i < 4 THEN 'w' ELSE 'e' END AS coast, CASE WHEN i = 5 THEN NULL ELSE i + d / 10.0 END AS height FROM range(1, 7) t(i), range(20) d(d) WHERE NOT (i = 6 AND d = 19)",
  'sea/_dimensions/gauges.parquet':
    "SELECT 'g' || i AS gauge, 'Gauge ' || i AS gauge_name, -18.0 + i / 5.0 AS north, CASE WHEN i < 4 THEN 178.0 + i / 3.0 ELSE -180.0 + i / 4.0 END AS \"Longitude\" FROM range(1, 7) t(i)",
  'sea/_dimensions/coasts.parquet':
    "SELECT * FROM (VALUES ('w', 'West'), ('e', 'East')) t(coast, coast_name)",
  'sea/levels.parquet':
    "SELECT 2020 + y AS year, c AS coast, y / 2.0 AS rise FROM range(3) t(y), (VALUES ('w'), ('e')) c(c)",
};

/** Three degrees high, one wide. */
const outline = (coast: string, west: number) => ({
  type: 'Feature',
  properties: { COAST: coast },
  geometry: { type: 'Polygon', coordinates: [ringOf(west, west + 1)] },
});
const ringOf = (west: number, east: number) =>
  [west, east, east, west, west].map((longitude, i) => [longitude, [-19, -19, -16, -16, -19][i]]);
const BOUNDARIES = { type: 'FeatureCollection', features: [outline('w', 178.5), outline('e', -180)] };

const COASTS = 'sea/_dimensions/coasts.geojson';

const atoll = await newPublisher(CONTRACTS, { ...LAKE, [COASTS]: JSON.stringify(BOUNDARIES) });
await atoll.build({ pages: openPages() });

const read = (name: string, document: string, { out } = atoll) => {
  type Document = DimensionSchemaDocument & Record<string, unknown>;
  return readTreeJson<Document>(out, `api/v1/sea/_dimensions/${name}/${document}`);
};

test('the documents of a dimension name its shapes, and every dataset of such places has a map', async () => {
  const dimensions = await Promise.all(['gauges', 'coasts'].map(name => read(name, 'schema.json')));
  expect(dimensions.map(({ shapes }) => shapes)).toEqual(['points', 'areas']);
  const { documents } = await read('coasts', 'manifest.json');
  expect(documents).toContainEqual(expect.objectContaining({ path: 'shapes.json' }));
  const { objects } = await read('gauges', 'shapes.json');
  expect(objects).toMatchObject({ places: { geometries: Array(6).fill(expect.anything()) } });
  for (const topic of ['tides', 'levels'])
    expect(possibleViews(await readExplored(atoll.out, `sea/${topic}`, dimensions))).toContain('map');
  // Without shapes, the map has no places.
  expect(possibleViews(await readExplored(atoll.out, 'sea/levels'))).not.toContain('map');
});

test('new boundaries change the dimension, and removed boundaries leave no shapes', async () => {
  const own = await atoll.copyBuilt();
  const before = await read('coasts', 'shapes.json');
  const moved = { ...BOUNDARIES, features: [outline('w', 177), outline('e', -179)] };
  await writeTexts(own.data, { [COASTS]: JSON.stringify(moved) });
  await own.build({ pages: openPages() });
  expect(await read('coasts', 'shapes.json', own)).not.toEqual(before);
  await rm(path.join(own.data, COASTS));
  await own.build({ pages: openPages() });
  await expect(read('coasts', 'shapes.json', own)).rejects.toThrow('ENOENT');
  expect((await read('coasts', 'schema.json', own)).shapes).toBeUndefined();
});

test.each(['178 -17, -179 -18', '6 47, 15 55', '-170 20, -70 45', '10 50', '-170 -60, 0 0, 170 80'])(
  'a map around %s has all of it, and nothing far away',
  list => {
    const positions = list.split(', ').map(one => one.split(' ').map(Number) as Position);
    const corner: [number, number] = [0, 0];
    const project = projectionOf(positions, [corner, [800, 400]], false);
    const found = positions.map(one => project(one)!);
    for (const [x, y] of found) expect([x >= -1 && x <= 801, y >= -1 && y <= 401]).toEqual([true, true]);
    const spread = (at: 0 | 1) =>
      Math.max(...found.map(one => one[at])) - Math.min(...found.map(one => one[at]));
    if (positions.length > 1) expect(spread(0) > 799 || spread(1) > 399).toBe(true);
  },
);

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  const host = useHost(() => startEdgeHost(atoll.out));

  test.each([
    ['tides', 6, 'Gauge 3, 8 January 2025: 4.9', SCREENS[0]],
    ['levels', 2, 'West, 2022: 1', SCREENS[1]],
  ] as const)('%s: a map of all %i places, without faults', async (topic, places, words, screen) => {
    // Not one of the drawings for two widths, which are there until the map's own width is known.
    const ready = '.explore-map:not(:has(.explore-still)) [data-words]';
    const page = await visit(`${host.url}datasets/sea/${topic}/?view=map`, { ...screen, ready });
    const said = await page.$$eval(ready, all =>
      all.map(one => {
        const [own, room] = [one.getBoundingClientRect(), one.closest('svg')!.getBoundingClientRect()];
        const isWithin = own.left >= room.left && own.right <= room.right && own.width < room.width * 0.7;
        return isWithin ? one.getAttribute('data-words') : 'beyond the drawing';
      }),
    );
    expect([said.length, said.includes('beyond the drawing')]).toEqual([places, false]);
    expect(said.join('\n')).toContain(words);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    if (topic === 'levels') return;
    // The slider moves to another day, which the address shows.
    await page.locator('#explore-slider').press('ArrowLeft');
    await page.waitForURL(/day=2025-01-07/);
    await page.getByText('Gauge 6', { exact: false }).first().waitFor({ state: 'attached' });
    await page.locator('#explore-moment').fill('2024-12-24');
    await page.waitForURL(/day=2024-12-24/);
    await page.waitForSelector('.explore-map [data-words*="24 December 2024"]');
  });
});
