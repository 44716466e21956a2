/** Pages as they stand in a tree, without a browser. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notFoundPage } from '../../build/catalog/not-found-page.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { outlineAreas } from '../../site/explorer/pages/map-outlines.ts';
import { cutTopology, type Topology } from '../../site/explorer/pages/map-shapes.ts';
import { buildPublisher, readTreeJson, snapshot, verify } from '../publishers/built-tree.ts';
import {
  copyBuilt,
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { PUBLISHER, RAINFALL } from '../publishers/weather.ts';
import { keptExplored, openPages, unevenPages, useExplored, weatherPages } from './explored-tree.ts';
import { HOSTILE_CONTRACTS, HOSTILE_LAKE } from './hostile.ts';
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
/** The same at an address. */
let addressed: PublisherFolder;
beforeAll(async () => {
  plain = await weatherPages();
  addressed = await copyPublisher(plain, await temporaryFolder('never'));
  await buildPublisher(addressed, { baseUrl: BASE, pages: openPages() });
});
afterAll(() => rm(addressed.root, { recursive: true, force: true }));

const read = (name: string, { out } = plain) => readFile(path.join(out, name), 'utf8');
const wordsOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

test('a tree with pages is whole, and a build that changes nothing writes none', async () => {
  // It throws where anything is wrong, missing or more than the checksums list.
  expect((await verify(plain.out)).files).toBe((await snapshot(plain.out)).size);
  const own = await copyBuilt(plain);
  const before = await snapshot(own.out);
  const { result } = await buildPublisher(own, { pages: openPages() });
  expect(await snapshot(own.out)).toEqual(before);
  expect(result.written).toBe(0);
});

test.each(PAGES)(
  '%s leads only to what the tree holds, holds no code, and has what search engines read',
  async name => {
    const html = await read(name);
    const links = [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) {
      if (/^(#|https?:\/\/|mailto:)/.test(link)) continue;
      expect(link).not.toMatch(/[?]|^\//);
      const file = path.posix.join(path.posix.dirname(name), link.split('#')[0] || path.posix.basename(name));
      const target = path.join(plain.out, file);
      expect(await readdir(target).catch(() => readFile(target))).toBeDefined();
    }
    expect(html).not.toMatch(/<style| style=| on[a-z]+="| src="https?:|rel="canonical"/);
    for (const [, attributes] of html.matchAll(/<script([^>]*)>/g))
      expect(attributes).toMatch(/src="|application\/ld\+json/);
    expect(html).toMatch(
      /http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self'/,
    );
    const own = await read(name, addressed);
    expect(own.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    expect(own.match(/<meta name="description" content="[^"]+"/g)).toHaveLength(1);
    expect(own.match(/<h1/g)).toHaveLength(1);
    const address = `${BASE}${name.replace(/index\.html$/, '')}`;
    expect(own).toContain(`<link rel="canonical" href="${address}"`);
    expect(await read('sitemap.xml', addressed)).toContain(`<loc>${address}</loc>`);
  },
);

test.each([
  ['without an address', () => plain, 'https://tree.invalid/'],
  ['at an address', () => addressed, BASE],
])(
  "a dataset's page %s leads machines to its JSON-LD, schema, licence, files and citation",
  async (_, of, root) => {
    const html = await read(RAIN, of());
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const { url, distribution, ...jsonLd } = JSON.parse(text) as {
      readonly url: string;
      readonly distribution: readonly { readonly contentUrl: string; readonly sha256: string }[];
    };
    expect(jsonLd).toMatchObject({ '@type': 'Dataset', name: 'Rainfall' });
    const target = (address: string) => new URL(address, root + RAIN).href.replace(root, '');
    expect(target(url)).toBe('datasets/climate/rainfall/');
    const sums = await read('SHA256SUMS');
    expect(distribution.length).toBeGreaterThan(1);
    for (const { contentUrl, sha256 } of distribution)
      expect(sums).toContain(`${sha256}  ${target(contentUrl)}\n`);
    const links = [...html.matchAll(/<link rel="([a-z-]+)" href="([^"]+)"/g)];
    const linked = (rel: string) => links.filter(link => link[1] === rel).map(link => link[2]);
    expect(linked('linkset')).toEqual(['../../../api/v1/datasets/climate/rainfall/linkset.json']);
    expect(linked('license')).toEqual(['https://spdx.org/licenses/CC0-1.0.html']);
    expect(linked('describedby')).toEqual(
      expect.arrayContaining([
        '../../../api/v1/datasets/climate/rainfall/index.json',
        '../../../CITATION.cff',
      ]),
    );
    expect(linked('item')).toContain('../../../api/v1/climate/rainfall/history/stations.parquet');
    expect(linked('cite-as')).toHaveLength(1);
  },
);

const LINKSET = '/api/v1/datasets/climate/rainfall/linkset.json';
const LINK = `<${LINKSET}>; rel="linkset"; type="application/linkset+json"`;

test.each([
  ['/datasets/climate/rainfall/', LINK],
  ['/api/v1/datasets/climate/rainfall', LINK],
  ['/api/v1/climate/rainfall?year=2021&detail=regions&format=csv', LINK],
  ['/api/v1/climate/rainfall/history/stations.parquet', LINK],
  ['/', null],
  ['/healthz', null],
  ['/api/v1/climate/_dimensions/stations', null],
])('an edge leads machines from %s to %s', async (target, link) => {
  const ask = createHandler(createFolderFiles(plain.out), { executors: [] });
  const { status, headers } = await ask(new Request(`http://edge.test${target}`));
  expect([status, headers.get('link')]).toEqual([200, link]);
  const linkset = await ask(new Request(`http://edge.test${LINKSET}`));
  expect(linkset.headers.get('content-type')).toBe('application/linkset+json');
});

test('figures of pages are those of the files, and a page says of NULL and zero only what its contract says', async () => {
  const { rules, rows } = JSON.parse(await read('healthz.json'));
  expect(wordsOf(await read('index.html'))).toContain(
    `2 datasets, ${rows} rows. ${rules.run} quality checks ran before publication.`,
  );
  const html = await read(RAIN);
  const { data } = JSON.parse(await read('api/v1/climate/rainfall/year=2022/nation.json'));
  const whole = data.find((row: { season: string }) => row.season === 'all');
  expect(html).toContain(`<span>${String(whole.rain_mm)}</span>`);
  expect(html).toMatch(/2020/);
  expect(html).not.toMatch(/withheld|real zero|A zero may/);
  const own = await copyBuilt(plain);
  const stated = '{ property: null_semantics, value: { suppressed_to_null: true, zero_is_real: false } }';
  await writeTexts(own.contracts, {
    'rain/rainfall.yaml': RAINFALL.replace('{ property: key', `${stated}\n      - { property: key`),
  });
  await buildPublisher(own, { pages: openPages() });
  expect(await read(RAIN, own)).toContain(
    'NULL marks a figure that the source withheld: an empty field in CSV, null in JSON. A zero can also stand for an unknown figure.',
  );
});

test('search.json knows every dataset and place, and where rows are about a place', async () => {
  const { datasets, dimensions } = JSON.parse(await read('search.json'));
  expect(datasets).toMatchObject([{ key: 'climate/rainfall' }, { key: 'transit/trams' }]);
  const find = (id: string) => dimensions.find((one: { id: string }) => one.id === id);
  const at = { detail: 'regions', params: ['region_code'], alone: true, breaks: [] };
  expect(find('regions')).toMatchObject({
    places: [
      ['North', '', 'n'],
      ['South', '', 's'],
    ],
    datasets: [
      { key: 'climate/rainfall', ...at },
      { key: 'transit/trams', ...at },
    ],
  });
  const key = ['region_code', 'station_code'];
  const stations = find('stations');
  expect(stations.key).toEqual(key);
  expect(stations.places).toHaveLength(6);
  expect(stations.places[0]).toEqual(['Station N1', 'North', 'n', 'st1']);
  expect(stations.datasets).toEqual([
    { key: 'climate/rainfall', detail: 'stations', params: key, alone: true, breaks: [] },
  ]);
});

describe('a latest year without the total of an axis', () => {
  const headlineOf = async (of: PublisherFolder) =>
    wordsOf(
      (/<section class="headline".*?<\/section>/s.exec(await read(RAIN, of))?.[0] ?? '').replace(
        /<svg.*?<\/svg>/gs,
        '',
      ),
    );

  test('has no headline, and search.json has the values to choose from in their order', async () => {
    const uneven = await unevenPages();
    expect(await headlineOf(uneven)).toBe('');
    const { datasets, dimensions } = JSON.parse(await read('search.json', uneven));
    const { axes, breaks } = datasets[0].metric;
    expect(axes).toMatchObject([
      { column: 'season', total: 'all' },
      { column: 'manned', total: null },
    ]);
    expect(axes[0].values.map(([value]: string[]) => value)).toEqual(['all', 'wet', 'dry']);
    const all = [BREAKS.stations, BREAKS.everywhere];
    expect(breaks).toEqual(all);
    const rainAt = (id: string) =>
      dimensions
        .find((one: { id: string }) => one.id === id)
        .datasets.find((one: { key: string }) => one.key === 'climate/rainfall');
    expect(rainAt('regions')).toMatchObject({ detail: 'regions', breaks: [BREAKS.everywhere] });
    expect(rainAt('stations').breaks).toEqual(all);
  });

  test('has one where its total is another; breaks and NULL are told of its own level and rows alone', async () => {
    const total = '{ property: has_total, value: true }';
    const rainfall = UNEVEN_CONTRACTS['rain/rainfall.yaml'] ?? '';
    const wet = rainfall.replace(total, `${total}, { property: total_value, value: wet }`);
    const wetYears = await keptExplored(
      'wet',
      { ...UNEVEN_CONTRACTS, 'rain/rainfall.yaml': wet },
      UNEVEN_LAKE,
    );
    const page = await readTreeJson<{ data: { season: string; rain_mm: number }[] }>(
      wetYears.out,
      'api/v1/climate/rainfall/year=2022/nation.json',
    );
    const text = await headlineOf(wetYears);
    expect(text).toContain(
      `rain_mm, 2022 ${page.data.find(({ season }) => season === 'wet')?.rain_mm} Not comparable with earlier years: Another gauge. For the whole area (level: nation). season: Wet. rain_mm.`,
    );
    expect(text).toContain(
      `Not published: 2020. No rows for this choice: 2019. No figure: 2021. ${WITHHELD}`,
    );
    expect(text).toContain('2019 no row 2021 no figure 2022');
    expect(text).toContain(`The line breaks after ${BREAKS.everywhere}: Another gauge.`);
    expect(text).not.toContain('Stations moved');
  });
});

describe('texts that reorder the line around them', () => {
  /** An override, an embedding, isolates and marks. */
  const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  const TURNED = 'Rain \u202edecnuonna\u202c \u2067and\u2069 \u200fmore\u061c';
  const SHOWN = 'Rain \\u202edecnuonna\\u202c \\u2067and\\u2069 \\u200fmore\\u061c';
  let tree: string;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    const turned = JSON.stringify(TURNED);
    const contracts = {
      ...HOSTILE_CONTRACTS,
      'publisher.yaml': PUBLISHER.replace(/^service: .*/m, `service: ${turned}`),
      'rain/rainfall.yaml': RAINFALL.replace('value: Rainfall }', `value: ${turned} }`)
        .replace('value: Rain of a season. }', `value: ${turned} }`)
        .replace('validValues: [all, wet, dry]', `validValues: [all, wet, dry, ${turned}]`),
    };
    tree = (await keptExplored('turned', contracts, HOSTILE_LAKE)).out;
    for (const name of await readdir(tree, { recursive: true }))
      if (name.endsWith('.html')) pages.set(name, await readFile(path.join(tree, name), 'utf8'));
  }, 120_000);

  test('are shown as what they are, and documents and JSON in a page keep them', async () => {
    for (const [name, page] of pages) expect([name, REORDERING.exec(page)]).toEqual([name, null]);
    expect(pages.get('api/v1/index.html')).toContain(SHOWN);
    const page = pages.get(RAIN) ?? '';
    expect(page).toContain(SHOWN);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(json)).toMatchObject({ name: expect.stringContaining(TURNED) });
    expect(await readTreeJson(tree, 'api/v1/datasets/climate/rainfall/index.json')).toMatchObject({
      title: TURNED,
    });
  });

  const policyOf = (page: string) =>
    (/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll(
      '&#39;',
      "'",
    );

  test('every page has a policy before it loads anything; a listing allows its own style by its hash', () => {
    expect(pages.size).toBeGreaterThan(20);
    for (const [name, page] of pages) {
      const policy = policyOf(page);
      expect([name, policy]).toEqual([name, expect.stringMatching(/^default-src '(none|self)'/)]);
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval|\*|https?:/);
      const head = page.slice(0, page.indexOf('Content-Security-Policy'));
      expect(head).not.toMatch(/<(script|style|link|img)/);
    }
    const notFound = notFoundPage({
      publisher: { service: TURNED },
      sample: false,
      basePath: '/',
      datasets: [],
    } as unknown as Parameters<typeof notFoundPage>[0]);
    expect(notFound).not.toMatch(REORDERING);
    for (const page of [pages.get('api/v1/climate/rainfall/index.html') ?? '', notFound]) {
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(style).not.toBe('');
      expect(policyOf(page)).toContain(`style-src 'sha256-${hash}'`);
    }
  });
});

/** Squares of two areas side by side, and one of another state; all arcs are used backwards or forwards. */
const ATLAS: Topology = {
  type: 'Topology',
  transform: { scale: [1, 1], translate: [-80, 30] },
  arcs: JSON.parse(
    '[[[1,0],[0,1]], [[1,1],[-1,0],[0,-1],[1,0]], [[1,0],[1,0],[0,1],[-1,0]], [[5,5],[1,0],[0,1],[-1,-1]]]',
  ),
  objects: {
    counties: {
      geometries: [
        { id: '13001', arcs: [[0, 1]] },
        { id: '13003', arcs: [[2, -1]] },
        { id: '37001', arcs: [[[3]]] },
      ],
    },
    nation: { geometries: [{ arcs: [[3]] }] },
  },
};

describe('a map', () => {
  const cut = cutTopology(ATLAS, id => id.startsWith('13')) as Topology;

  test('keeps the wanted areas and the arcs that they use', () => {
    expect(Object.keys(cut.objects)).toEqual(['counties']);
    expect(cut.arcs).toEqual(ATLAS.arcs.slice(0, 3));
    expect(cut.objects['counties']?.geometries?.map(({ arcs }) => arcs)).toEqual([[[0, 1]], [[2, -1]]]);
    const other = cutTopology(ATLAS, id => id === '37001');
    expect([other?.arcs, other?.objects['counties']?.geometries]).toEqual([
      [ATLAS.arcs[3]],
      [{ id: '37001', arcs: [[[0]]] }],
    ]);
    expect(cutTopology(ATLAS, () => false)).toBeNull();
  });

  test('fills its room, and the same arc draws the same border of both neighbours', () => {
    const areas = outlineAreas(cut, 200)?.areas ?? [];
    expect(areas.map(({ id, d }) => [id, /^M[-\d., ]+l[-\d., ]+z$/.test(d), d.includes('M100,')])).toEqual([
      ['13001', true, true],
      ['13003', true, true],
    ]);
    expect(outlineAreas({ ...cut, transform: { scale: [60, 1], translate: [-180, 0] } }, 200)).toBeNull();
  });
});

describe('the front page', () => {
  const sample = useExplored();

  test('of ours has figures, a map and questions, and reads without a script', async () => {
    const page = await readFile(path.join(sample.tree, 'index.html'), 'utf8');
    expect(page.match(/<li class="card">/g)).toHaveLength(9);
    expect(page.match(/static-map/g)).toHaveLength(1);
    for (const words of [
      'Unemployment rate, 2024, Georgia',
      // An axis without a total names its pin.
      'Salaries and benefits, Teachers and paraprofessionals, 2024, Georgia',
      'Which counties have the highest unemployment rate?',
    ])
      expect(wordsOf(page)).toContain(words);
    expect(page).toMatch(/href="datasets\/census\/employment\/" data-view="detail=counties&amp;view=map"/);
    expect(gzipSync(page).length).toBeLessThan(60_000);
    const shapes = await readFile(
      path.join(sample.tree, 'api/v1/census/_dimensions/counties/shapes.json'),
      'utf8',
    );
    expect(gzipSync(shapes).length).toBeLessThan(80_000);
    const { objects } = JSON.parse(shapes) as Topology;
    const ids = objects['counties']?.geometries?.map(({ id }) => String(id)) ?? [];
    expect([ids.length, ids.every(id => id.startsWith('13'))]).toEqual([159, true]);
  });

  test('of a publisher without questions, areas and counties lists its datasets, and says nothing of an area', async () => {
    const page = await read('index.html');
    expect(page).not.toMatch(/static-map|class="questions"|undefined/);
    expect(page).toContain('id="all-climate"');
  });
});
