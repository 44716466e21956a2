import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { buildPublisher, snapshot, verify } from '../publishers/built-tree.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { buildExplored, openPages } from './explored-tree.ts';
import { BREAKS, UNEVEN_CONTRACTS, UNEVEN_LAKE, WITHHELD } from './uneven-weather.ts';

const BASE = 'https://data.example.org/arcadia/';
const RAIN = 'datasets/climate/rainfall/index.html';
const PAGES = [
  'index.html',
  'places/index.html',
  'sql/index.html',
  'api/index.html',
  RAIN,
  'datasets/transit/trams/index.html',
];

let plain: PublisherFolder;
let addressed: PublisherFolder;
beforeAll(async () => {
  plain = await buildExplored(CONTRACTS, LAKE);
  addressed = await buildExplored(CONTRACTS, LAKE, BASE);
});
afterAll(async () => {
  for (const publisher of [plain, addressed]) await rm(publisher.root, { recursive: true, force: true });
});

const read = (name: string, { out } = plain) => readFile(path.join(out, name), 'utf8');

test('a tree with pages is whole', async () => {
  // It throws where anything is wrong, missing or more than the checksums list.
  expect((await verify(plain.out)).files).toBe((await snapshot(plain.out)).size);
});

test('the same documents give the same pages, and a build that changes nothing writes none', async () => {
  const before = await snapshot(plain.out);
  const { result } = await buildPublisher(plain, { pages: openPages() });
  expect(await snapshot(plain.out)).toEqual(before);
  expect(result.written).toBe(0);
});

describe.each(PAGES)('%s', name => {
  test('leads only to what the tree holds, by relative links without a query', async () => {
    const links = [...(await read(name)).matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(
      ([, link = '']) => link,
    );
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) {
      if (/^(#|https?:\/\/|mailto:)/.test(link)) continue;
      expect(link).not.toMatch(/[?]|^\//);
      const file = path.posix.join(path.posix.dirname(name), link.split('#')[0] || path.posix.basename(name));
      expect(
        await readdir(path.join(plain.out, file)).catch(() => readFile(path.join(plain.out, file))),
      ).toBeDefined();
    }
  });

  test('holds no script, style or address of another host that a browser would load', async () => {
    const html = await read(name);
    expect(html).not.toMatch(/<style| style=| on[a-z]+="/);
    const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
    for (const attributes of scripts) expect(attributes).toMatch(/src="|application\/ld\+json/);
    expect(html).not.toMatch(/ src="https?:/);
    expect(html).toMatch(
      /http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self'/,
    );
  });

  test('has what search engines read, once', async () => {
    const html = await read(name, addressed);
    const folder = path.posix.dirname(name) === '.' ? '' : `${path.posix.dirname(name)}/`;
    expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    expect(html.match(/<meta name="description" content="[^"]+"/g)).toHaveLength(1);
    expect(html).toContain(`<link rel="canonical" href="${BASE}${folder}"`);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(await read(name)).not.toContain('rel="canonical"');
  });
});

test.each([BASE, null])(
  "a dataset's page holds its JSON-LD, with links that lead on from it (%s)",
  async base => {
    const html = await read(RAIN, base === null ? undefined : addressed);
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const { url, distribution, ...jsonLd } = JSON.parse(text) as {
      readonly url: string;
      readonly distribution: readonly { readonly contentUrl: string; readonly sha256: string }[];
    };
    expect(jsonLd).toMatchObject({ '@type': 'Dataset', name: 'Rainfall' });
    const root = base ?? 'https://tree.invalid/';
    const target = (address: string) => new URL(address, root + RAIN).href.replace(root, '');
    expect(target(url)).toBe('datasets/climate/rainfall/');
    const sums = await read('SHA256SUMS');
    expect(distribution.length).toBeGreaterThan(1);
    for (const { contentUrl, sha256 } of distribution)
      expect(sums).toContain(`${sha256}  ${target(contentUrl)}\n`);
  },
);

test("a dataset's page leads machines to its schema, licence, files and citation", async () => {
  for (const out of [undefined, addressed]) {
    const html = await read(RAIN, out);
    const links = [...html.matchAll(/<link rel="([a-z-]+)" href="([^"]+)"/g)];
    const of = (rel: string) => links.filter(link => link[1] === rel).map(link => link[2]);
    expect(of('linkset')).toEqual(['../../../api/v1/datasets/climate/rainfall/linkset.json']);
    expect(of('license')).toEqual(['https://spdx.org/licenses/CC0-1.0.html']);
    expect(of('describedby')).toEqual(
      expect.arrayContaining([
        '../../../api/v1/datasets/climate/rainfall/index.json',
        '../../../CITATION.cff',
      ]),
    );
    expect(of('item')).toContain('../../../api/v1/climate/rainfall/history/stations.parquet');
    expect(of('cite-as')).toHaveLength(1);
  }
});

test('an edge leads machines to the links from the page, its documents and its files', async () => {
  const ask = createHandler(createFolderFiles(plain.out), { executors: [] });
  const linkset = '/api/v1/datasets/climate/rainfall/linkset.json';
  const link = `<${linkset}>; rel="linkset"; type="application/linkset+json"`;
  for (const path of [
    '/datasets/climate/rainfall/',
    '/api/v1/datasets/climate/rainfall',
    '/api/v1/climate/rainfall?year=2021&detail=regions&format=csv',
    '/api/v1/climate/rainfall/history/stations.parquet',
  ]) {
    const { status, headers } = await ask(new Request(`http://edge.test${path}`));
    expect([path, status, headers.get('link')]).toEqual([path, 200, link]);
  }
  const { headers } = await ask(new Request(`http://edge.test${linkset}`));
  expect(headers.get('content-type')).toBe('application/linkset+json');
  for (const path of ['/', '/healthz', '/api/v1/climate/_dimensions/stations'])
    expect((await ask(new Request(`http://edge.test${path}`))).headers.get('link')).toBe(null);
});

test('the front page says of how many rules in all it tells', async () => {
  const { rules, rows } = JSON.parse(await read('healthz.json'));
  const text = (await read('index.html')).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  expect(text).toContain(`2 datasets, ${rows} rows. ${rules.run} quality checks ran before publication.`);
});

test('the sitemap leads to the pages', async () => {
  const text = await read('sitemap.xml', addressed);
  for (const name of PAGES) {
    expect(text).toContain(`<loc>${BASE}${name.replace(/index\.html$/, '')}</loc>`);
  }
});

test("the headline is the whole's key figure, with each axis on its total", async () => {
  const html = await read(RAIN);
  const page = JSON.parse(await read('api/v1/climate/rainfall/year=2022/nation.json'));
  const whole = page.data.find((row: { season: string }) => row.season === 'all');
  expect(html).toContain(`<span>${String(whole.rain_mm)}</span>`);
  expect(html).toMatch(/2020/);
});

test('a page says of NULL and zero only what its contract says', async () => {
  expect(await read(RAIN)).not.toMatch(/withheld|real zero|A zero may/);
  const stated = '{ property: null_semantics, value: { suppressed_to_null: true, zero_is_real: false } }';
  const rainfall = CONTRACTS['rain/rainfall.yaml']?.replace(
    '{ property: key_metric',
    `${stated}\n      - { property: key_metric`,
  );
  const folder = await buildExplored({ ...CONTRACTS, 'rain/rainfall.yaml': rainfall ?? '' }, LAKE);
  expect(await read(RAIN, folder)).toContain(
    'NULL marks a figure that the source withheld: an empty field in CSV, null in JSON. A zero can also stand for an unknown figure.',
  );
  await rm(folder.root, { recursive: true, force: true });
});

describe('a latest year without the total of an axis', () => {
  let uneven: PublisherFolder;
  /** The same where the contract calls the wet season the total. */
  let wetYears: PublisherFolder;
  beforeAll(async () => {
    uneven = await buildExplored(UNEVEN_CONTRACTS, UNEVEN_LAKE);
    const rainfall = UNEVEN_CONTRACTS['rain/rainfall.yaml'] ?? '';
    const total = '{ property: has_total, value: true }';
    const wet = rainfall.replace(total, `${total}, { property: total_value, value: wet }`);
    wetYears = await buildExplored({ ...UNEVEN_CONTRACTS, 'rain/rainfall.yaml': wet }, UNEVEN_LAKE);
  });
  afterAll(() =>
    Promise.all([uneven, wetYears].map(({ root }) => rm(root, { recursive: true, force: true }))),
  );
  const headline = async (of = wetYears) => {
    const [text = ''] = /<section class="headline".*?<\/section>/s.exec(await read(RAIN, of)) ?? [];
    return text
      .replace(/<svg.*?<\/svg>/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  };

  test('has no headline', async () => {
    expect(await headline(uneven)).toBe('');
  });

  test('has one where its total is another, and names no axis without a value', async () => {
    const page = JSON.parse(await read('api/v1/climate/rainfall/year=2022/nation.json', wetYears));
    const wet = page.data.find((row: { season: string }) => row.season === 'wet');
    expect(await headline()).toContain(
      `rain_mm, 2022 ${wet.rain_mm} Not comparable with earlier years: Another gauge. For the whole area (level: nation). season: Wet. rain_mm.`,
    );
  });

  test('says of a year without a row just that, and what NULL means only where a row has one', async () => {
    const text = await headline();
    expect(text).toContain(
      `Not published: 2020. No rows for this choice: 2019. No figure: 2021. ${WITHHELD}`,
    );
    expect(text).toContain('2019 no row 2021 no figure 2022');
  });

  test('a break of one level is drawn and told at that level alone', async () => {
    const text = await headline();
    expect(text).toContain(`The line breaks after ${BREAKS.everywhere}: Another gauge.`);
    expect(text).toContain('Not comparable with earlier years: Another gauge. For the whole');
    expect(text).not.toContain('Stations moved');
    const { datasets, dimensions } = JSON.parse(await read('search.json', uneven));
    const rainAt = (id: string) =>
      dimensions
        .find((one: { id: string }) => one.id === id)
        .datasets.find((one: { key: string }) => one.key === 'climate/rainfall');
    expect(rainAt('regions')).toMatchObject({ detail: 'regions', breaks: [BREAKS.everywhere] });
    expect(rainAt('stations').breaks).toEqual([BREAKS.stations, BREAKS.everywhere]);
    expect(datasets[0].metric.breaks).toEqual([BREAKS.stations, BREAKS.everywhere]);
  });

  test('search.json has the values to choose from, in the order in which one is chosen', async () => {
    const search = JSON.parse(await read('search.json', uneven));
    const { metric } = search.datasets.find((one: { key: string }) => one.key === 'climate/rainfall');
    expect(metric.axes).toMatchObject([
      { column: 'season', total: 'all' },
      { column: 'manned', total: null },
    ]);
    expect(metric.axes[0].values.map(([value]: string[]) => value)).toEqual(['all', 'wet', 'dry']);
  });
});

test('search.json knows every dataset and place, and where rows are about a place', async () => {
  const search = JSON.parse(await read('search.json'));
  expect(search.datasets.map((one: { key: string }) => one.key)).toEqual([
    'climate/rainfall',
    'transit/trams',
  ]);
  const regions = search.dimensions.find((one: { id: string }) => one.id === 'regions');
  expect(regions.places).toEqual([
    ['North', '', 'n'],
    ['South', '', 's'],
  ]);
  expect(regions.datasets).toEqual([
    { key: 'climate/rainfall', detail: 'regions', params: ['region_code'], alone: true, breaks: [] },
    { key: 'transit/trams', detail: 'regions', params: ['region_code'], alone: true, breaks: [] },
  ]);
  const stations = search.dimensions.find((one: { id: string }) => one.id === 'stations');
  expect(stations.key).toEqual(['region_code', 'station_code']);
  expect(stations.places).toHaveLength(6);
  expect(stations.places[0]).toEqual(['Station N1', 'North', 'n', 'st1']);
  expect(stations.datasets).toEqual([
    {
      key: 'climate/rainfall',
      detail: 'stations',
      params: ['region_code', 'station_code'],
      alone: true,
      breaks: [],
    },
  ]);
});
