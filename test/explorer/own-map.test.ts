/** The map of places that a publisher brings: points of coordinates, and outlines of a file. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extentOf } from '../../site/explorer/app/explore/plots/map-projection.ts';
import { possibleViews } from '../../site/explorer/view/views.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, type Host, launchBrowser, openPage, startEdgeHost } from './browser.ts';
import { openPages, overflow, readExplored } from './explored-tree.ts';

/** Tides at the gauges of an island state on both sides of the line where longitudes begin again. */
const CONTRACTS = {
  'publisher.yaml': 'service: Tides of Atoll\n',
  'sea/tides.odcs.yaml': `kind: DataContract
domain: sea
schema:
  - name: tides
    customProperties:
      - property: foreign_keys
        value:
          - { column: gauge, target_object: gauges }
          - { column: coast, target_object: coasts }
      - { property: grain, value: [day, gauge] }
    properties:
      - { name: day, logicalType: date, required: true, customProperties: [{ property: column_role, value: time }] }
      - { name: gauge, logicalType: string, required: true, customProperties: [{ property: column_role, value: fk_gauge }] }
      - { name: coast, logicalType: string, required: true, customProperties: [{ property: column_role, value: fk_coast }] }
      - { name: height, logicalType: number, customProperties: [{ property: column_role, value: metric }] }
  - name: gauges
    customProperties: [{ property: entity_kind, value: dimension }]
    properties:
      - { name: gauge, logicalType: string, primaryKey: true }
      - { name: gauge_name, logicalType: string }
      - { name: north, logicalType: number, customProperties: [{ property: coordinate, value: latitude }] }
      - { name: Longitude, logicalType: number }
  - name: coasts
    customProperties: [{ property: entity_kind, value: dimension }]
    properties:
      - { name: coast, logicalType: string, primaryKey: true }
      - { name: coast_name, logicalType: string }
  - name: levels
    customProperties:
      - { property: foreign_keys, value: [{ column: coast, target_object: coasts }] }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }
      - { name: coast, logicalType: string, required: true, customProperties: [{ property: column_role, value: fk_coast }] }
      - { name: rise, logicalType: number, customProperties: [{ property: column_role, value: metric }] }
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

const outline = (coast: string, west: number) => ({
  type: 'Feature',
  properties: { COAST: coast },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, -19],
        [west + 1, -19],
        [west + 1, -16],
        [west, -16],
        [west, -19],
      ],
    ],
  },
});
const BOUNDARIES = { type: 'FeatureCollection', features: [outline('w', 178.5), outline('e', -180)] };

let atoll: PublisherFolder;
beforeAll(async () => {
  atoll = await writePublisher(await temporaryFolder('never'), CONTRACTS, LAKE);
  await writeFile(path.join(atoll.data, 'sea/_dimensions/coasts.geojson'), JSON.stringify(BOUNDARIES));
  await buildPublisher(atoll, { pages: openPages() });
}, 60_000);
afterAll(() => rm(atoll.root, { recursive: true, force: true }));

const dimension = async (name: string, document: string) =>
  JSON.parse(await readFile(path.join(atoll.out, 'api/v1/sea/_dimensions', name, document), 'utf8'));

test('the documents of a dimension tell of its shapes', async () => {
  expect((await dimension('gauges', 'schema.json')).shapes).toBe('points');
  expect((await dimension('coasts', 'schema.json')).shapes).toBe('areas');
  const { documents } = await dimension('coasts', 'manifest.json');
  expect(documents.map((one: { path: string }) => one.path)).toContain('shapes.json');
  const { objects } = await dimension('gauges', 'shapes.json');
  expect(objects.places.geometries).toHaveLength(6);
});

test('new boundaries alone are a change of the dimension, and boundaries that are gone leave no shapes', async () => {
  const file = path.join(atoll.data, 'sea/_dimensions/coasts.geojson');
  const before = await dimension('coasts', 'shapes.json');
  const moved = { ...BOUNDARIES, features: [outline('w', 177), outline('e', -179)] };
  await writeFile(file, JSON.stringify(moved));
  await buildPublisher(atoll, { pages: openPages() });
  expect(await dimension('coasts', 'shapes.json')).not.toEqual(before);
  await rm(file);
  await buildPublisher(atoll, { pages: openPages() });
  await expect(dimension('coasts', 'shapes.json')).rejects.toThrow('ENOENT');
  expect((await dimension('coasts', 'schema.json')).shapes).toBeUndefined();
  await writeFile(file, JSON.stringify(BOUNDARIES));
  await buildPublisher(atoll, { pages: openPages() });
  expect(await dimension('coasts', 'shapes.json')).toEqual(before);
});

test('every dataset of such places has a map', async () => {
  const dimensions = await Promise.all(['gauges', 'coasts'].map(name => dimension(name, 'schema.json')));
  for (const topic of ['tides', 'levels'])
    expect(possibleViews(await readExplored(atoll.out, `sea/${topic}`, dimensions))).toContain('map');
  // Without shapes, codes are no places of a map.
  expect(possibleViews(await readExplored(atoll.out, 'sea/levels'))).not.toContain('map');
});

test.each([
  [
    [
      [178, -17],
      [-179, -18],
    ],
    [178, 181],
  ],
  [
    [
      [6, 47],
      [15, 55],
    ],
    [6, 15],
  ],
  [
    [
      [-170, 20],
      [-70, 45],
    ],
    [-170, -70],
  ],
  [[[10, 50]], [10, 10]],
] as const)('the smallest area around %j', (positions, [west, east]) => {
  const found = extentOf(positions as never);
  expect(found.west).toBeLessThan(west);
  expect(found.west).toBeGreaterThan(west - 4);
  expect(found.east).toBeGreaterThan(east);
  expect(found.east).toBeLessThan(east + 4);
});

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  let browser: Browser;
  let host: Host;
  beforeAll(async () => {
    [browser, host] = [await launchBrowser(), await startEdgeHost(atoll.out)];
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  test.each([
    ['tides', 6, 'Gauge 3, 8 January 2025: 4.9', 1280, 'light'],
    ['levels', 2, 'West, 2022: 1', 390, 'dark'],
  ] as const)('%s: a map of all places, without faults', async (topic, places, words, width, colorScheme) => {
    const { page, faults } = await openPage(browser, `${host.url}datasets/sea/${topic}/?view=map`, {
      viewport: { width, height: 800 },
      colorScheme,
    });
    await page.waitForSelector('.explore-map [data-words]');
    const said = await page.$$eval('.explore-map [data-words]', all =>
      all.map(one => one.getAttribute('data-words')),
    );
    expect(said).toHaveLength(places);
    expect(
      said.some(one => one?.includes(words)),
      said.join('\n'),
    ).toBe(true);
    // Each place is within the drawing, and none fills it.
    const boxes = await page.$$eval('.explore-map [data-words]', all =>
      all.map(one => {
        const [own, room] = [one.getBoundingClientRect(), one.closest('svg')!.getBoundingClientRect()];
        return own.left >= room.left && own.right <= room.right && own.width < room.width * 0.7;
      }),
    );
    expect(boxes.every(Boolean)).toBe(true);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('another day is one step of the slider away, and in the address', async () => {
    const { page, faults } = await openPage(browser, `${host.url}datasets/sea/tides/?view=map`);
    await page.waitForSelector('.explore-map [data-words]');
    await page.locator('#explore-slider').press('ArrowLeft');
    await page.waitForURL(/day=2025-01-07/);
    await page.getByText('Gauge 6', { exact: false }).first().waitFor({ state: 'attached' });
    await page.locator('#explore-moment').fill('2024-12-24');
    await page.waitForURL(/day=2024-12-24/);
    await page.waitForSelector('.explore-map [data-words*="24 December 2024"]');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
