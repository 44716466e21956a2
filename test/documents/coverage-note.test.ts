/** What documents say if a lake holds less than its contract promises, and who made the data. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetsDocument, SchemaDocument } from '../../build/format/documents.ts';
import { croissantPath, jsonLdPath } from '../../build/format/paths.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, RAINFALL } from '../publishers/weather.ts';

const SUMMARY = 'Rain by station, region and nation, 2019 to 2022.';
const QUERIES: readonly (readonly [keeps: boolean, query: string])[] = [
  [true, 'SELECT region_name, rain_mm FROM rainfall ORDER BY 2 DESC'],
  [true, "SELECT count(*) FROM rainfall WHERE detail = 'regions';"],
  [false, 'SELECT region_name FROM rainfall WHERE year = 2022'],
  [false, 'SELECT count(*), max(rain_mm) FROM rainfall WHERE region_code IS NULL'],
  [true, 'SELECT * FROM elsewhere.table_of_another'],
  [true, "SELECT * FROM read_csv('/etc/passwd')"],
];

const contracts = {
  ...CLIMATE_CONTRACTS,
  'rain/rainfall.yaml': RAINFALL.replace('value: Rain of a season.', `value: "${SUMMARY}"`)
    .replace(
      '  - { property: year_range',
      '  - { property: source, value: "Office of Gauges, table 7" }\n  - { property: year_range',
    )
    .replace(
      '      - property: foreign_keys',
      `      - property: example_queries\n        value: ${JSON.stringify(QUERIES.map(([, query]) => ({ description: 'x', query })))}\n      - property: foreign_keys`,
    )
    .replace('        required: true\n', '        required: true\n        examples: [2022]\n'),
};
const partial = Object.fromEntries(
  Object.entries(CLIMATE_LAKE).filter(
    ([name]) => name.includes('_dimensions') || name.includes('2021/regions'),
  ),
);
const NOTE = 'This release holds regions of 2021.';
const SCHEMA = 'api/v1/datasets/climate/rainfall/index.json';

let folder: Publisher;
const text = (name: string, from = folder) => from.text(name);
const json = async (name: string) => JSON.parse(await text(name));

beforeAll(async () => {
  folder = await newPublisher(contracts, partial);
  await folder.build();
});

describe('a lake with a part of the data', () => {
  test("is described beside the contract's text in every document", async () => {
    const list = await folder.json<DatasetsDocument>('api/v1/datasets/index.json');
    expect(list.datasets[0]).toMatchObject({ summary: SUMMARY, coverage_note: NOTE });
    const schema = await folder.json<SchemaDocument>(SCHEMA);
    expect(schema).toMatchObject({ summary: SUMMARY, coverage_note: NOTE, available_years: [2021] });
    const catalog = await json('data.json');
    expect(catalog.dataset[0].description).toContain(`${SUMMARY} ${NOTE}`);
    const dataPackage = await json('datapackage.json');
    expect(dataPackage.resources[0].description).toContain(`${SUMMARY} ${NOTE}`);
    const api = await json('openapi.json');
    expect(JSON.stringify(api.paths)).toContain(`${SUMMARY}\\n\\n${NOTE}`);
    for (const name of [jsonLdPath, croissantPath])
      expect((await json(name('climate', 'rainfall'))).description).toContain(`${SUMMARY} ${NOTE}`);
    expect(await text('llms.txt')).toContain(`${SUMMARY} ${NOTE} Levels regions; year 2021.`);
  });

  test('has the examples that find rows in it, and its own year', async () => {
    const schema = await folder.json<SchemaDocument>(SCHEMA);
    const kept = QUERIES.filter(([keeps]) => keeps).map(([, query]) => query);
    expect(schema.example_queries.map(({ query }) => query)).toEqual(kept);
    expect(schema.columns.find(({ name }) => name === 'year')?.example).toBe(2021);
  });
});

test("a complete lake needs no note, and keeps the contract's examples", async () => {
  const whole = await newPublisher(contracts, CLIMATE_LAKE);
  await whole.build();
  const schema = await whole.json<SchemaDocument>(SCHEMA);
  expect(schema.coverage_note).toBeUndefined();
  expect(schema.example_queries.map(({ query }) => query)).toEqual(QUERIES.map(([, query]) => query));
});

describe('the creator of the figures', () => {
  test("is the contract's source if it names no creator, and the publisher only publishes", async () => {
    const maker = { name: 'Office of Gauges, table 7' };
    const office = { name: 'Weather office of Arcadia' };
    const dataset = (await json('data.json')).dataset[0];
    expect(dataset).toMatchObject({ creator: maker, publisher: office });
    for (const name of [jsonLdPath, croissantPath])
      expect(await json(name('climate', 'rainfall'))).toMatchObject({ creator: maker, publisher: office });
    expect(await text('CITATION.cff')).toContain('authors: [{ name: "Office of Gauges, table 7" }]');
    expect(await json('datacite.json')).toMatchObject({ contributors: [maker] });
  });

  test("is the contract's creator if it names one", async () => {
    // Its only example finds nothing in this lake, so ten rows take its place.
    const lost = '[{ description: x, query: "SELECT rain_mm FROM rainfall WHERE year = 2022" }]';
    const rainfall = contracts['rain/rainfall.yaml']
      .replace('  - { property: source,', '  - { property: creator, value: Office of Gauges }\n$&')
      .replace(/(example_queries\n +value: ).*/, `$1${lost}`);
    const one = await newPublisher({ ...contracts, 'rain/rainfall.yaml': rainfall }, partial);
    await one.build();
    expect(await one.json(SCHEMA)).toMatchObject({
      creator: 'Office of Gauges',
      example_queries: [
        { description: 'Ten rows of 2021', query: 'SELECT * FROM "rainfall" WHERE "year" = 2021 LIMIT 10' },
      ],
    });
  });
});
