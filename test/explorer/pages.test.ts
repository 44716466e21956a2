/** Pages in a tree, and pictures of datasets for links, without a browser. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { notFoundPage } from '../../build/documents/plain-pages.ts';
import { datasets as samples } from '../../scripts/georgia/sample/datasets.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { type Atlas, cutTopology } from '../../site/explorer/pages/map-shapes.ts';
import { drawPreview, openRasterizer, type Rasterizer } from '../../site/explorer/pages/preview.tsx';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { readTreeJson, sha256 } from '../publishers/built-tree.ts';
import { keptHostile, keptPaged, keptUneven, openPages } from '../publishers/kept-trees.ts';
import { BREAKS, MARKUP, SHOWN, TURNED } from '../publishers/odd-weather.ts';
import type { Publisher } from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';
import { readExplored } from './explored-tree.ts';

const BASE = 'https://data.example.org/arcadia/';
const RAIN = 'datasets/climate/rainfall/index.html';
const FOLDERS = ['', 'places/', 'sql/', 'api/', 'datasets/climate/rainfall/', 'datasets/transit/trams/'];

let plain: Publisher;
/** The same publisher with an address. */
let addressed: Publisher;
beforeAll(async () => {
  plain = await keptPaged();
  addressed = await plain.copy();
  await addressed.build({ baseUrl: BASE, pages: openPages() });
});

const read = (name: string, { out } = plain) => readFile(path.join(out, name), 'utf8');
const wordsOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** The scripts that a page names, and their imports. */
async function scriptsOf(folder: string) {
  const html = await read(`${folder}index.html`);
  const named = [...html.matchAll(/(?:<script type="module" src|rel="modulepreload" href)="([^"]*)"/g)];
  return Promise.all(
    named.map(async ([, link = '']) => {
      const script = path.join(plain.out, folder, link);
      const text = await readFile(script, 'utf8');
      const imports = [...text.matchAll(/\b(?:from|import)\s*"(\.\/[^"]+)"/g)];
      return { script, text, imports: imports.map(([, one = '']) => path.join(script, '..', one)) };
    }),
  );
}

test.each(['', 'places/', 'sql/', 'datasets/climate/rainfall/', 'datasets/transit/trams/'])(
  '/%s names all scripts that its own import: a browser fetches them together',
  async folder => {
    const scripts = await scriptsOf(folder);
    const named = scripts.map(({ script }) => script);
    expect(scripts.flatMap(({ imports }) => imports).filter(one => !named.includes(one))).toEqual([]);
    expect(scripts.some(({ imports }) => imports.length > 0)).toBe(true);
  },
);

test('the scripts of a dataset and its first view have at most 60 kB, compressed', async () => {
  const scripts = await scriptsOf('datasets/climate/rainfall/');
  expect(scripts.map(({ script }) => path.basename(script)).join()).toMatch(/dataset-.*lines-/);
  expect(scripts.reduce((sum, { text }) => sum + gzipSync(text).length, 0)).toBeLessThan(60_000);
});

test.each(FOLDERS)(
  '/%s leads only to what the tree holds, holds no code, and has what search engines read',
  async folder => {
    const name = `${folder}index.html`;
    const html = await read(name);
    const links = [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) {
      if (/^(#|https?:\/\/|mailto:)/.test(link)) continue;
      expect(link).not.toMatch(/[?]|^\//);
      const target = path.join(plain.out, folder, link.split('#')[0] || 'index.html');
      expect(await readdir(target).catch(() => readFile(target))).toBeDefined();
    }
    expect(html).not.toMatch(/<style| style=| on[a-z]+="| src="https?:|rel="canonical"/);
    for (const [, attributes] of html.matchAll(/<script([^>]*)>/g))
      expect(attributes).toMatch(/src="|application\/ld\+json/);
    expect(html).toMatch(
      /http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self'/,
    );
    const own = await read(name, addressed);
    for (const once of [/<title>[^<]+<\/title>/g, /<meta name="description" content="[^"]+"/g, /<h1/g])
      expect(own.match(once)).toHaveLength(1);
    expect(own).toContain(`<link rel="canonical" href="${BASE}${folder}"`);
    expect(await read('sitemap.xml', addressed)).toContain(`<loc>${BASE}${folder}</loc>`);
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
    const linked = (rel: string) => links.flatMap(link => (link[1] === rel ? [link[2]] : []));
    const DOCUMENTS = '../../../api/v1/datasets/climate/rainfall/';
    expect(linked('linkset')).toEqual([`${DOCUMENTS}linkset.json`]);
    expect(linked('license')).toEqual(['https://spdx.org/licenses/CC0-1.0.html']);
    const described = [`${DOCUMENTS}index.json`, '../../../CITATION.cff'];
    expect(linked('describedby')).toEqual(expect.arrayContaining(described));
    expect(linked('item')).toContain('../../../api/v1/climate/rainfall/_copies/stations.parquet');
    expect(linked('cite-as')).toHaveLength(1);
  },
);

const LINKSET = '/api/v1/datasets/climate/rainfall/linkset.json';
const LINK = `<${LINKSET}>; rel="linkset"; type="application/linkset+json"`;

test('an edge links pages, documents and rows of a dataset to its linkset, and nothing else', async () => {
  const ask = createHandler(createFolderFiles(plain.out), { budget: { bytes: 0, rows: 0 } });
  const linkFrom = async (target: string) => {
    const { status, headers } = await ask(new Request(`http://edge.test${target}`));
    expect([target, status]).toEqual([target, 200]);
    return headers.get(target === LINKSET ? 'content-type' : 'link');
  };
  const query = '?year=2021&detail=regions&format=csv';
  for (const own of [
    'datasets/climate/rainfall/',
    'api/v1/datasets/climate/rainfall',
    `api/v1/climate/rainfall${query}`,
  ])
    expect(await linkFrom(`/${own}`)).toBe(LINK);
  expect(await linkFrom('/api/v1/climate/rainfall/_copies/stations.parquet')).toBe(LINK);
  for (const other of ['', 'healthz', 'api/v1/climate/_dimensions/stations'])
    expect([other, await linkFrom(`/${other}`)]).toEqual([other, null]);
  expect(await linkFrom(LINKSET)).toBe('application/linkset+json');
});

test('pages have the figures of the files, and say about NULL and zero only what the contract says', async () => {
  const html = await read(RAIN);
  const { data } = JSON.parse(await read('api/v1/climate/rainfall/year=2022/nation.json'));
  const whole = data.find((row: { season: string }) => row.season === 'all');
  expect(html).toMatch(new RegExp(`<strong>${whole.rain_mm}</strong>`));
  expect(html).toMatch(/2020/);
  expect(html).not.toMatch(/withheld|real zero|A zero may/);
  expect(await read(RAIN, await keptUneven())).toContain(
    'NULL marks a figure that the source withheld: an empty field in CSV, null in JSON. A zero can also stand for an unknown figure.',
  );
});

test('search.json knows every dataset and place, and where rows are about a place', async () => {
  const { datasets, dimensions } = JSON.parse(await read('search.json'));
  expect(datasets).toMatchObject([{ key: 'climate/rainfall' }, { key: 'transit/trams' }]);
  const [regions, stations] = ['regions', 'stations'].map(wanted =>
    dimensions.find(({ id }: { id: string }) => id === wanted),
  );
  const at = { detail: 'regions', params: ['region_code'], alone: true };
  expect([regions.kind, stations.kind, stations.parent]).toEqual([
    'region',
    'station',
    { id: 'regions', kind: 'region' },
  ]);
  expect(regions.places).toEqual(['North,,n'.split(','), 'South,,s'.split(',')]);
  expect(regions.datasets).toMatchObject(['climate/rainfall', 'transit/trams'].map(key => ({ key, ...at })));
  const key = ['region_code', 'station_code'];
  expect([stations.key, stations.places.length]).toEqual([key, 6]);
  expect(stations.places[0]).toEqual(['Station N1', 'North', 'n', 'st1']);
  expect(stations.datasets).toEqual([{ ...at, key: 'climate/rainfall', detail: 'stations', params: key }]);
});

test('a latest year without the total of an axis has a first view, and search.json the values in order', async () => {
  const uneven = await keptUneven();
  const section = /<section id="explore".*?<\/section>/s.exec(await read(RAIN, uneven))?.[0] ?? '';
  const words = wordsOf(section.replace(/<svg.*?<\/svg>/gs, ''));
  expect(words).toMatch(/rain_mm.*\d/);
  // Only breaks of its level.
  expect(words).not.toContain('Stations moved');
  const { datasets } = JSON.parse(await read('search.json', uneven));
  const { axes, metrics } = datasets[0];
  expect(axes).toMatchObject([
    { column: 'season', total: 'all' },
    { column: 'manned', total: null },
  ]);
  expect(axes[0].values.map(([value]: string[]) => value)).toEqual(['all', 'wet', 'dry']);
  expect(metrics[0].breaks).toMatchObject({
    regions: [BREAKS.everywhere],
    stations: [BREAKS.stations, BREAKS.everywhere],
  });
});

describe('texts that change the direction of the text around them', () => {
  /** An override, an embedding, isolates and marks. */
  const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  let tree: string;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    tree = (await keptHostile()).out;
    for (const name of await readdir(tree, { recursive: true }))
      if (name.endsWith('.html')) pages.set(name, await readFile(path.join(tree, name), 'utf8'));
  });

  test('are shown visibly, and documents and JSON in a page keep them', async () => {
    for (const [name, page] of pages) expect([name, REORDERING.exec(page)]).toEqual([name, null]);
    expect(pages.get('api/v1/index.html')).toContain(SHOWN);
    const page = pages.get(RAIN) ?? '';
    expect(page).toContain(SHOWN);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(json)).toMatchObject({ name: expect.stringContaining(TURNED) });
    const schema = 'api/v1/datasets/climate/rainfall/index.json';
    expect(await readTreeJson(tree, schema)).toMatchObject({ title: `${TURNED} ${MARKUP}` });
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
    const nowhere = { publisher: { service: TURNED }, sample: false, datasets: [] };
    const notFound = notFoundPage(nowhere as unknown as Parameters<typeof notFoundPage>[0], '/');
    expect(notFound).not.toMatch(REORDERING);
    for (const page of [pages.get('api/v1/climate/rainfall/index.html') ?? '', notFound]) {
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(style).not.toBe('');
      expect(policyOf(page)).toContain(`style-src 'sha256-${hash}'`);
    }
  });
});

test('a map keeps the wanted areas and their arcs, and neighbors share the arc of their border', () => {
  // Squares of two areas side by side, and one of another state. Arcs are used backwards or forwards.
  const atlas: Atlas = {
    type: 'Topology',
    transform: { scale: [1, 1], translate: [-80, 30] },
    ...JSON.parse(`{
      "arcs": [[[1,0],[0,1]], [[1,1],[-1,0],[0,-1],[1,0]], [[1,0],[1,0],[0,1],[-1,0]], [[5,5],[1,0],[0,1],[-1,-1]]],
      "objects": { "nation": { "geometries": [{ "arcs": [[3]] }] }, "counties": { "geometries":
        [{ "id": "13001", "arcs": [[0, 1]] }, { "id": "13003", "arcs": [[2, -1]] }, { "id": "37001", "arcs": [[[3]]] }] } } }`),
  };
  const cut = cutTopology(atlas, id => id.startsWith('13')) as Atlas;
  expect([Object.keys(cut.objects), cut.arcs]).toEqual([['counties'], atlas.arcs.slice(0, 3)]);
  expect(cut.objects['counties']?.geometries?.map(({ arcs }) => arcs)).toEqual([[[0, 1]], [[2, -1]]]);
  const other = cutTopology(atlas, id => id === '37001');
  const geometries = [{ id: '37001', arcs: [[[0]]] }];
  expect(other).toMatchObject({ arcs: [atlas.arcs[3]], objects: { counties: { geometries } } });
  expect(cutTopology(atlas, () => false)).toBeNull();
});

const sample = useSampleTree();

test('the page for SQL has its examples without a script', async () => {
  const page = await readFile(path.join(sample.tree, 'sql/index.html'), 'utf8');
  expect(wordsOf(page)).toMatch(/needs JavaScript.*SELECT/);
  expect(page).toContain('<h2 id="dimensions">');
});

describe('the front page', () => {
  test('of our lake has a search and a line for each dataset with its figure and curve, and is readable without a script', async () => {
    const page = await readFile(path.join(sample.tree, 'index.html'), 'utf8');
    const lines = page.match(/<li data-key=.*?<\/li>/gs) ?? [];
    expect(lines).toHaveLength(Object.keys(samples).length);
    expect(lines.filter(line => line.includes('small-curve')).length).toBeGreaterThan(3);
    for (const words of [
      'Search for a',
      'Unemployment rate, Georgia, 2024',
      // An axis without a total names its pin.
      'Salaries and benefits, Teachers and paraprofessionals, Georgia, 2024',
    ])
      expect(wordsOf(page)).toContain(words);
    expect(gzipSync(page).length).toBeLessThan(20_000);
    const counties = 'api/v1/census/_dimensions/counties/shapes.json';
    const shapes = await readFile(path.join(sample.tree, counties), 'utf8');
    expect(gzipSync(shapes).length).toBeLessThan(80_000);
    const { objects } = JSON.parse(shapes) as Atlas;
    const ids = objects['counties']?.geometries?.map(({ id }) => String(id)) ?? [];
    expect([ids.length, ids.every(id => id.startsWith('13'))]).toEqual([159, true]);
  });

  test('of a publisher without areas names no area', async () => {
    const page = await read('index.html');
    expect(page).not.toMatch(/undefined|null/);
    expect(page).toContain('id="all-climate"');
  });
});

describe('pictures for links', () => {
  const PICTURES = ['climate/rainfall', 'transit/trams'].map(key => `datasets/${key}/preview.png`);
  const [FIRST = '', SECOND = ''] = PICTURES;
  let rasterize: Rasterizer;
  const bundled = async (name: string) =>
    new Uint8Array(gunzipSync(await readFile(path.join(import.meta.dirname, '../../lib/bin', name))));
  const fontBytes = () => Promise.all(['preview-regular.ttf.gz', 'preview-bold.ttf.gz'].map(bundled));
  beforeAll(async () => {
    const module = await readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
    rasterize = await openRasterizer({ module: new Uint8Array(module), fonts: await fontBytes() });
  });

  test('each dataset has one of 1200 by 630 that its page names, drawn again for what changed or was damaged', async () => {
    const own = await addressed.copyBuilt();
    const at = (name: string) => path.join(own.out, name);
    const build = (baseUrl: string | null = BASE) => own.build({ baseUrl, pages: openPages() });
    const before = await own.snapshot();
    expect([(await build()).result.written, await own.snapshot()]).toEqual([0, before]);
    for (const name of PICTURES) {
      const png = await readFile(at(name));
      const found = [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)];
      expect([...found, png.length < 100_000]).toEqual(['PNG', 1200, 630, true]);
    }
    const page = await read(RAIN, own);
    expect(page).toContain(`<meta property="og:image" content="${BASE}${FIRST}"`);
    expect(page).toContain('<meta name="twitter:card" content="summary_large_image"');
    expect(await read('index.html', own)).not.toContain('og:image');
    const nation = rainFile(2022, 'nation');
    const rows = rainfallRows(2022, 'nation');
    await own.writeRows({ [nation]: `SELECT * REPLACE (rain_mm + 50 AS rain_mm) FROM (${rows})` });
    await build();
    const after = await own.snapshot();
    expect(after.get(FIRST)?.sha256).not.toBe(before.get(FIRST)?.sha256);
    expect((await stat(at(SECOND))).ino).toBe(before.get(SECOND)?.inode);
    const damaged = await readFile(at(SECOND));
    damaged[damaged.length - 20]! ^= 1;
    await rm(at(SECOND));
    await writeFile(at(SECOND), damaged);
    await own.writeRows({ [nation]: rows });
    await build();
    const mended = await own.snapshot();
    for (const name of PICTURES) expect(mended.get(name)?.sha256).toBe(before.get(name)?.sha256);
    await build(null);
    expect([existsSync(at(FIRST)), (await read(RAIN, own)).includes('og:image')]).toEqual([false, false]);
  });

  test('the bytes are the same on every machine', () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" font-family="DejaVu Sans"><text x="9" y="60" font-size="40" fill="#0b5394">Rain Дождь Βροχή 23.4%</text><path d="M0,90L200,70L400,95" stroke="#b3470b" stroke-width="3" fill="none"/></svg>';
    const png = rasterize(svg);
    expect(sha256(png)).toBe('17a2e0c57b37bef279e3e3627b0e5f957f4e4be413601b76dc6ec4b24fa9413a');
  });

  test('text with letters that the fonts lack is left out, and hostile text stays text', async () => {
    const explored = await readExplored(plain.out, 'climate/rainfall');
    const draw = (title: string) => {
      const titled = { ...explored, schema: { ...explored.schema, title } };
      const words = { service: 'Дождь & Βροχή', sample: true, explored: titled, headline: null };
      return drawPreview(words);
    };
    const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(textsOf(draw('雨 in 東京'))).toEqual(['Дождь &amp; Βροχή', expect.stringContaining('Synthetic')]);
    const long = textsOf(draw(`Rain ${'of a very long season '.repeat(9)}`));
    expect([long.length, long[2]]).toEqual([4, expect.stringMatching(/…$/)]);
    const hostile = draw('<image href="file:///etc/passwd"/>&"]]>\u0000');
    expect(hostile).not.toContain('<image');
    expect(rasterize(hostile).length).toBeGreaterThan(1000);
  });
});
