/** Documents for other tools, checked against their schemas and specifications. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { ROOT } from '../../build/format/paths.ts';
import { parseChecksums } from '../../build/tree/previous-tree.ts';
import { readTreeJson, snapshot, verify } from '../publishers/built-tree.ts';
import { newPublisher, type Publisher, writeTexts } from '../publishers/publisher-folder.ts';
import { CONTRACTS, PUBLISHER, RAINFALL } from '../publishers/weather.ts';
import { dcatProblems, SCHEMAS_ABSENT, schemaProblems } from './published-schemas.ts';

const BASE = 'https://data.example.org/arcadia/';
const DATASETS = ['climate/rainfall', 'transit/trams'];

interface Tree {
  readonly name: string;
  readonly base: string | null;
  readonly out: () => string;
}

let publisher: Publisher;
const at = (name: string) => path.join(publisher.root, name);
const TREES: readonly Tree[] = [
  { name: 'with an address', base: BASE, out: () => at('addressed') },
  { name: 'without one', base: null, out: () => at('relative') },
];

beforeAll(async () => {
  const contracts = {
    ...CONTRACTS,
    'publisher.yaml': `${PUBLISHER}contact: data@example.org\nlicense_url: https://creativecommons.org/publicdomain/zero/1.0/\n`,
    'rain/rainfall.yaml': RAINFALL.replace(
      'Rain of a season.',
      '"Rain [of](x) a *season* & <b>more</b>: \\"wet\\""',
    ).replace(
      '  - { property: year_range',
      '  - { property: creator, value: "Office of <b>Gauges</b> & \\"Sons\\"" }\n  - { property: year_range',
    ),
  };
  publisher = await newPublisher(contracts);
  for (const { base, out } of TREES) await publisher.with({ out: out() }).build({ baseUrl: base });
});

type Node = { readonly [name: string]: unknown };

/** Every object within a document. */
function nodesOf(value: unknown): Node[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return Array.isArray(value) ? inner : [value as Node, ...inner];
}

test('empty or excessive texts are left out or unchanged', async () => {
  const odd = await newPublisher({
    ...CONTRACTS,
    'publisher.yaml':
      'service: " "\ndescription: ""\nattribution: "Amt \\x01 <b>&"\nlicense: ""\nlicense_url: "javascript:alert(1)"\nlanguage: pt-BR\ncontact: nobody\nreleases: nowhere\n',
    'rain/rainfall.yaml': RAINFALL.replace('status: active', 'status: active\ntags: ["", " x ", x, "<b>"]'),
  });
  await odd.build({ baseUrl: BASE });
  const json = (name: string) => odd.json<Node>(name);
  const citation = parseYaml(await odd.text(ROOT.citation)) as Node;
  expect(citation).toMatchObject({ title: 'arcadia', authors: [{ name: 'Amt <b>&' }] });
  const dataCite = await json(ROOT.dataCite);
  // It is registered as XML, which allows neither an empty subject nor a control character.
  expect(dataCite['subjects']).toEqual(
    ['<b>', 'climate', 'transit', 'x', 'Rainfall', 'trams'].sort().map(subject => ({ subject })),
  );
  expect(JSON.stringify(dataCite)).not.toMatch(/""|\\u00[01]/);
  const croissant = await json('api/v1/datasets/climate/rainfall/croissant.json');
  expect(croissant['@context']).toMatchObject({ '@language': 'pt-BR' });
  if (SCHEMAS_ABSENT) return;
  expect(dcatProblems()(await json(ROOT.catalog))).toEqual([]);
  expect(schemaProblems('datapackage-2.0-datapackage.json')(await json(ROOT.dataPackage))).toEqual([]);
  expect(schemaProblems('citation-file-format.json')(citation)).toEqual([]);
});

describe.each(TREES)('a tree $name', ({ base, out }) => {
  const read = (name: string) => readFile(path.join(out(), name), 'utf8');
  const json = (name: string) => readTreeJson<Node>(out(), name);
  /** The file of the tree that an address in a document leads to. */
  const target = (from: string, address: string) =>
    new URL(address, new URL(from, base ?? 'https://tree.invalid/')).href.replace(
      base ?? 'https://tree.invalid/',
      '',
    );
  const sums = async () => parseChecksums(await read(ROOT.checksums));

  test('lists them all in its manifest, and verifies', async () => {
    const { documents } = await readTreeJson<TreeManifest>(out(), ROOT.manifest);
    const own = ['jsonld.json', 'croissant.json', 'linkset.json'];
    const names = [
      ...[ROOT.catalog, ROOT.dataPackage, ROOT.citation, ROOT.llms, ROOT.robots],
      ...(base === null ? [] : [ROOT.sitemap]),
      ...DATASETS.flatMap(key => own.map(name => `api/v1/datasets/${key}/${name}`)),
    ];
    expect(documents.map(one => one.path)).toEqual(expect.arrayContaining(names));
    await verify(out());
  });

  describe.skipIf(SCHEMAS_ABSENT)('against published schemas (skipped: no ../shared/schemas)', () => {
    test('data.json, datapackage.json with its resources and tables, and CITATION.cff', async () => {
      expect(dcatProblems()(await json(ROOT.catalog))).toEqual([]);
      const document = (await json(ROOT.dataPackage)) as { resources: { schema: object }[] };
      expect(schemaProblems('datapackage-2.0-datapackage.json')(document)).toEqual([]);
      const resource = schemaProblems('datapackage-2.0-dataresource.json');
      const table = schemaProblems('datapackage-2.0-tableschema.json');
      for (const one of document.resources) expect([...resource(one), ...table(one.schema)]).toEqual([]);
      const citation = parseYaml(await read(ROOT.citation));
      expect(schemaProblems('citation-file-format.json')(citation)).toEqual([]);
    });

    test.each(DATASETS)(
      'linkset.json of %s links only to existing files, and back to the page',
      async key => {
        const from = `api/v1/datasets/${key}/linkset.json`;
        type Context = { readonly anchor: string } & Readonly<
          Record<string, readonly { readonly href: string }[]>
        >;
        const { linkset } = (await json(from)) as unknown as { linkset: readonly Context[] };
        const [page, ...items] = linkset;
        expect(Object.keys(page!)).toEqual(
          expect.arrayContaining(['anchor', 'cite-as', 'type', 'license', 'describedby', 'item']),
        );
        const listed = await sums();
        for (const { href } of [...page!.describedby!, ...page!.item!])
          expect([href, listed.has(target(from, href))]).toEqual([href, true]);
        expect(items.map(({ anchor }) => anchor)).toEqual(page!.item!.map(({ href }) => href));
        expect(page!.item!.length).toBeGreaterThan(0);
        for (const item of items) expect(item.collection![0]!.href).toBe(page!.anchor);
      },
    );
  });

  test.each(DATASETS)('croissant.json of %s is complete, and its references lead somewhere', async key => {
    const file = `api/v1/datasets/${key}/croissant.json`;
    const document = await json(file);
    const required = ['name', 'description', 'license', 'url', 'creator', 'datePublished', 'conformsTo'];
    expect(Object.keys(document)).toEqual(expect.arrayContaining([...required, 'distribution', 'recordSet']));
    const types = (document['distribution'] as Node[]).map(one => one['encodingFormat']);
    expect([...new Set(types)]).toEqual(['application/x-parquet']);
    const nodes = nodesOf({ ...document, '@context': null });
    const ids = nodes.filter(node => '@type' in node && '@id' in node).map(node => node['@id']);
    expect(new Set(ids).size).toBe(ids.length);
    const references = nodes.filter(node => '@id' in node && !('@type' in node)).map(node => node['@id']);
    expect(references.filter(one => !ids.includes(one))).toEqual([]);
    const manifest = await readTreeJson<{ columns: { name: string }[] }>(
      out(),
      `api/v1/${key}/manifest.json`,
    );
    for (const set of document['recordSet'] as { field: { name: string }[] }[]) {
      expect(set.field.map(field => field.name)).toEqual(manifest.columns.map(column => column.name));
    }
  });

  test.each(
    DATASETS.flatMap(key => ['jsonld.json', 'croissant.json'].map(name => `api/v1/datasets/${key}/${name}`)),
  )('addresses and hashes of %s are those of the tree', async file => {
    const known = await sums();
    const files = nodesOf(await json(file)).filter(node => 'contentUrl' in node);
    expect(files.length).toBeGreaterThan(3);
    for (const one of files) {
      if (base !== null) expect(one['contentUrl']).toMatch(/^https:/);
      const name = target(file, String(one['contentUrl']));
      expect([name, known.get(name)]).toEqual([name, one['sha256']]);
    }
  });

  test.each(DATASETS)('jsonld.json of %s has what search engines ask of a Dataset', async key => {
    const document = await json(`api/v1/datasets/${key}/jsonld.json`);
    expect(document).toMatchObject({ '@context': 'https://schema.org/', '@type': 'Dataset' });
    for (const name of ['name', 'license', 'creator', 'url', 'temporalCoverage', 'includedInDataCatalog'])
      expect(document[name]).toBeTruthy();
    expect(String(document['description']).length).toBeGreaterThanOrEqual(50);
    expect((document['variableMeasured'] as unknown[]).length).toBeGreaterThan(0);
  });

  test('data.json names a file of the tree, its size and its hash, wherever it has one', async () => {
    const known = await sums();
    const files = nodesOf(await json(ROOT.catalog)).filter(node => 'checksum' in node);
    expect(files).toHaveLength(3 + 3 + 2 + 2);
    for (const one of files) {
      const [name = ''] = one['identifier'] as string[];
      expect(known.get(name)).toBe((one['checksum'] as Node)['checksumValue']);
      expect(one['downloadURL']).toBe(base === null ? undefined : base + name);
    }
  });

  test('datapackage.json: every CSV file has its hash, and the columns that the schema names', async () => {
    const known = await sums();
    const { resources } = (await json(ROOT.dataPackage)) as unknown as { resources: Resource[] };
    const columns = Object.fromEntries(
      resources.map(({ name, schema }) => [name, schema.fields.map(one => `${one.name} ${one.type}`).join()]),
    );
    expect(Object.keys(columns)).toEqual([
      'climate.rainfall.nation',
      'climate.rainfall.regions',
      'climate.rainfall.stations',
      'transit.trams.nation',
      'transit.trams.regions',
      '_dimensions.stations',
      '_dimensions.regions',
    ]);
    expect(columns['climate.rainfall.stations']).toContain('region_code string,region_name string');
    for (const { path: paths, bytes, hash, hashes, schema } of resources) {
      const files = [paths].flat();
      expect(hashes ?? [hash]).toEqual(files.map(file => `sha256:${known.get(file)}`));
      // Validators compare bytes with what they read of all files, without the repeated headers.
      expect([typeof bytes, typeof hash]).toEqual(
        typeof paths === 'string' ? ['number', 'string'] : ['undefined', 'undefined'],
      );
      for (const file of files) {
        const [header] = (await read(file)).split('\r\n');
        expect(header).toBe(schema.fields.map(one => one.name).join(','));
      }
      expect(schema.missingValues).toEqual(['']);
    }
  });

  test('datapackage.json: keys and references where no NULL is among them', async () => {
    const { resources } = (await json(ROOT.dataPackage)) as unknown as { resources: Resource[] };
    const of = (name: string) => resources.find(one => one.name === name)?.schema;
    const reference = (fields: readonly string[], resource: string) => ({ fields, reference: { resource } });
    const region = reference(['region_code'], '_dimensions.regions');
    const station = reference(['region_code', 'station_code'], '_dimensions.stations');
    const stations = ['year', 'region_code', 'station_code', 'season'];
    for (const [level, primaryKey, foreignKeys] of [
      ['stations', stations, [region, station]],
      ['regions', ['year', 'region_code', 'season'], [region]],
      ['nation', null, undefined],
    ] as const) {
      const schema = of(`climate.rainfall.${level}`);
      expect([level, schema?.foreignKeys]).toMatchObject([level, foreignKeys]);
      if (primaryKey) expect([level, schema?.primaryKey]).toEqual([level, primaryKey]);
    }
  });

  test('llms.txt: one heading, one summary, and links that lead to files', async () => {
    const text = await read(ROOT.llms);
    expect(text).toMatch(/^# Weather of Arcadia\n\n> Rain and trams/);
    const known = await sums();
    const links = [...text.matchAll(/(?<!\\)\]\(([^)]+)\)/g)].map(link => target(ROOT.llms, link[1] ?? ''));
    // The checksums can't hold their own.
    expect(links.filter(name => !known.has(name))).toEqual([ROOT.checksums]);
    expect(text).toContain('Rain \\[of\\](x) a \\*season\\* & \\<b\\>more\\</b\\>');
  });

  test('robots.txt allows everyone', async () => {
    const text = await read(ROOT.robots);
    expect(text.startsWith('User-agent: *\nDisallow:\n')).toBe(true);
    expect(text.includes('Sitemap:')).toBe(base !== null);
  });
});

interface Resource {
  readonly name: string;
  readonly path: string | string[];
  readonly bytes?: number;
  readonly hash?: string;
  readonly hashes?: string[];
  readonly schema: {
    readonly fields: { readonly name: string; readonly type: string }[];
    readonly missingValues: string[];
    readonly primaryKey?: string[];
    readonly foreignKeys?: object[];
  };
}

test('sitemap.xml has absolute addresses of existing folders, or is left out', async () => {
  const [addressed, relative] = TREES.map(tree => tree.out());
  const text = await readFile(path.join(addressed ?? '', ROOT.sitemap), 'utf8');
  const found = [...text.matchAll(/<loc>([^<]+)<\/loc><lastmod>(\d{4}-\d\d-\d\d)<\/lastmod>/g)];
  expect(found).toHaveLength(1 + 2 * DATASETS.length);
  const files = await snapshot(addressed ?? '');
  for (const [, address = ''] of found)
    expect(files.has(`${address.replace(BASE, '')}index.html`)).toBe(true);
  expect((await snapshot(relative ?? '')).has(ROOT.sitemap)).toBe(false);
});

test('a publisher without details gets valid documents, which say that the data is a sample', async () => {
  const { 'publisher.yaml': _, ...silent } = CONTRACTS;
  const bare = await newPublisher(silent);
  await writeTexts(bare.data, { '_sample.json': '{"sample": true}' });
  await bare.build();
  const catalog = await bare.json<Node>(ROOT.catalog);
  expect(catalog['description']).toMatch(/^Synthetic sample data/);
  expect(await bare.text(ROOT.llms)).toContain('Synthetic sample data');
  if (SCHEMAS_ABSENT) return;
  expect(dcatProblems()(catalog)).toEqual([]);
  const data = await bare.json<Node>(ROOT.dataPackage);
  expect(schemaProblems('datapackage-2.0-datapackage.json')(data)).toEqual([]);
  const citation = parseYaml(await bare.text(ROOT.citation));
  expect(schemaProblems('citation-file-format.json')(citation)).toEqual([]);
});

test('a release that a host keeps is cited by its own address, and only by an address', async () => {
  const said = async (releases: string) => {
    const folder = await newPublisher({
      ...CONTRACTS,
      'publisher.yaml': `${CONTRACTS['publisher.yaml']}releases: ${JSON.stringify(releases)}\n`,
    });
    const { result } = await folder.build();
    const text = (name: string) => folder.text(name);
    const feed = await folder.json<{ items: { url?: string }[] }>(ROOT.jsonFeed);
    return {
      release: result.release,
      citation: (parseYaml(await text(ROOT.citation)) as { url?: string }).url,
      feed: feed.items[0]?.url,
      atom: /<entry>[\s\S]*<link rel="alternate" href="([^"]*)"/.exec(await text(ROOT.feed))?.[1],
      notes: /^<(.*)>$/m.exec(await text(ROOT.notes))?.[1],
    };
  };
  const kept = await said('https://rain.example.org/releases');
  const address = `https://rain.example.org/releases/${kept.release}/`;
  expect(kept).toMatchObject({ citation: address, feed: address, atom: address, notes: address });
  const odd = await said('javascript:alert(1)//"><script>');
  expect(odd).toEqual({ release: odd.release });
});
