/** Documents for other tools, checked against their schemas and specifications. */
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { ROOT } from '../../build/format/paths.ts';
import { parseChecksums } from '../../build/tree/previous-tree.ts';
import { readTreeJson, snapshot } from '../publishers/built-tree.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher, writeTexts } from '../publishers/publisher-folder.ts';
import { CONTRACTS, PUBLISHER, RAINFALL, TRAMS } from '../publishers/weather.ts';
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
  const cache = { folder: at('cache') };
  for (const { base, out } of TREES) await publisher.with({ out: out() }).build({ baseUrl: base, cache });
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
      'service: " "\ndescription: ""\nattribution: "Amt \\x01 <b>&"\nlicense: ""\nlicense_url: "javascript:alert(1)"\nlanguage: pt-BR\ncontact: nobody\nreleases: "javascript:alert(1)//"\n',
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
  expect((await citedBy(odd)).join()).not.toContain('javascript');
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

  test('the Markdown of a dataset has its columns, and links only to what is there', async () => {
    const listed = await sums();
    for (const key of DATASETS) {
      const from = `api/v1/datasets/${key}/index.md`;
      const text = await read(from);
      const { columns } = await json(`api/v1/${key}/manifest.json`);
      const names = (columns as { name: string }[]).map(one => `| \`${one.name}\` |`);
      expect(text.match(/^\| `\w+` \|/gm)).toEqual(names);
      const links = [...text.matchAll(/(?<!\\)\]\(([^)]+)\)/g)].map(([, link = '']) => target(from, link));
      expect(links.length).toBeGreaterThan(3);
      for (const link of links)
        expect(link.startsWith(`api/v1/${key}?`) || listed?.has(link), link).toBe(true);
    }
    expect(await read('api/v1/datasets/climate/rainfall/index.md')).toContain(
      'Rain \\[of\\](x) a \\*season\\* & \\<b\\>more\\</b\\>: "wet"',
    );
  });

  describe.skipIf(SCHEMAS_ABSENT)('against published schemas (needs ../shared/schemas)', () => {
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

  test.each(DATASETS)('jsonld.json and croissant.json of %s have what is asked of a Dataset', async key => {
    const document = await json(`api/v1/datasets/${key}/jsonld.json`);
    expect(document).toMatchObject({ '@context': 'https://schema.org/', '@type': 'Dataset' });
    const both = ['name', 'license', 'creator', 'url'];
    for (const name of [...both, 'temporalCoverage', 'includedInDataCatalog'])
      expect(document[name]).toBeTruthy();
    expect(String(document['description']).length).toBeGreaterThanOrEqual(50);
    expect((document['variableMeasured'] as unknown[]).length).toBeGreaterThan(0);
    // readers.test.ts follows its references.
    const croissant = await json(`api/v1/datasets/${key}/croissant.json`);
    for (const name of [...both, 'description', 'datePublished', 'conformsTo', 'distribution', 'recordSet'])
      expect(croissant[name]).toBeTruthy();
    const { columns } = await json(`api/v1/${key}/manifest.json`);
    const names = (list: unknown) => (list as { name: string }[]).map(one => one.name);
    for (const set of croissant['recordSet'] as { field: unknown }[])
      expect(names(set.field)).toEqual(names(columns));
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
      '_dimensions.regions',
      '_dimensions.stations',
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
    expect(text).toContain('never zero; in a key it means that the row describes a larger place');
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

/** Addresses of a release in the documents that cite it. */
async function citedBy(folder: Publisher): Promise<(string | undefined)[]> {
  const feed = await folder.json<{ items: { url?: string }[] }>(ROOT.jsonFeed);
  return [
    (parseYaml(await folder.text(ROOT.citation)) as { url?: string }).url,
    feed.items[0]?.url,
    /<entry>[\s\S]*<link rel="alternate" href="([^"]*)"/.exec(await folder.text(ROOT.feed))?.[1],
    /^<(.*)>$/m.exec(await folder.text(ROOT.notes))?.[1],
  ];
}

test('a release that a host keeps is cited by its own address', async () => {
  const text = `${PUBLISHER}releases: https://rain.example.org/releases\n`;
  const folder = await newPublisher({ ...CONTRACTS, 'publisher.yaml': text });
  const { release } = (await folder.build()).result;
  const address = `https://rain.example.org/releases/${release}/`;
  expect(await citedBy(folder)).toEqual(Array(4).fill(address));
});

describe('what documents say of a dataset agrees:', () => {
  const read = (name: string) => readFile(path.join(at('addressed'), name), 'utf8');
  const json = <T = Node>(name: string, out = at('addressed')) => readTreeJson<T>(out, name);

  test('temporalCoverage of schema.org is a period, or a list of them', async () => {
    const documents = await Promise.all(DATASETS.map(key => json(`api/v1/datasets/${key}/jsonld.json`)));
    const periods = [['2019', '2021/2022'], '2021/2022'];
    expect(documents.map(one => one['temporalCoverage'])).toEqual(periods);
    expect(documents[0]?.['description']).toContain('years 2019, 2021 to 2022');
    const crate = await json<{ '@graph': Node[] }>(ROOT.roCrate);
    const covered = crate['@graph'].filter(node => 'temporalCoverage' in node);
    expect(covered.map(node => node['temporalCoverage'])).toEqual(periods);
  });

  test('data.json and datacite.json have a period for each run of years', async () => {
    const period = (startDate: string, endDate: string) => ({ '@type': 'PeriodOfTime', startDate, endDate });
    const catalog = await json<{ dataset: Node[] }>(ROOT.catalog);
    expect(catalog.dataset.map(one => one['temporal'])).toEqual([
      [period('2019', '2019'), period('2021', '2022')],
      [period('2021', '2022')],
    ]);
    const { dates } = await json<{ dates: Node[] }>(ROOT.dataCite);
    const covered = dates.filter(one => one['dateType'] === 'Coverage').map(one => one['date']);
    expect(covered).toEqual(['2019', '2021/2022']);
  });

  test('the parameter year says which years there are', async () => {
    const { paths } = await json<{ paths: Record<string, { get: { parameters: Node[] } }> }>(ROOT.openapi);
    const parameters = paths['/api/v1/climate/rainfall']?.get.parameters;
    expect(parameters?.find(one => one['name'] === 'year')?.['description']).toBe(
      'One year; the dataset has 2019, 2021 to 2022.',
    );
  });

  test.each([ROOT.llms, ROOT.feed, ROOT.jsonFeed, ROOT.notes])(
    '%s tells of no year that is not',
    async name => {
      const text = await read(name);
      expect(text).toContain('years 2019, 2021 to 2022');
      expect(text).toContain('years 2021 to 2022');
      expect(text).not.toContain('2019 to 2022');
    },
  );

  test("a single year isn't a range", async () => {
    const folder = await newPublisher({
      ...CONTRACTS,
      'trams.odcs.yaml': TRAMS.replace('2021-2022', '2022'),
    });
    await rm(path.join(folder.data, 'transit/trams/year=2021'), { recursive: true });
    await folder.build();
    for (const name of [ROOT.llms, ROOT.notes])
      expect(await folder.text(name)).toMatch(/; year 2022\.|: year 2022;/);
    const document = await json('api/v1/datasets/transit/trams/jsonld.json', folder.out);
    expect(document['temporalCoverage']).toBe('2022');
  });

  test('a catalog, a search engine and a tool get one page, for people if there is one', async () => {
    const said = async (out: string) => {
      const catalog = await json<{ dataset: { landingPage: Node }[] }>(ROOT.catalog, out);
      const { url } = await json('api/v1/datasets/climate/rainfall/jsonld.json', out);
      const croissant = await json('api/v1/datasets/climate/rainfall/croissant.json', out);
      return [catalog.dataset[0]?.landingPage['@id'], url, croissant['url']];
    };
    const page = `${BASE}datasets/climate/rainfall/`;
    const paged = publisher.with({ out: at('paged') });
    await paged.build({ baseUrl: BASE, pages: openPages() });
    expect(await said(paged.out)).toEqual([page, page, page]);
    const html = await paged.text('datasets/climate/rainfall/index.html');
    expect(html).toContain(`<link rel="canonical" href="${page}"`);
    const folder = `${BASE}api/v1/datasets/climate/rainfall/`;
    expect(await said(at('addressed'))).toEqual([folder, folder, folder]);
  });

  test('data.json: the frequency is a term of the vocabulary, if there is one', async () => {
    const folder = await publisher.copy();
    for (const name of ['rain/rainfall.yaml', 'trams.odcs.yaml']) await rm(path.join(folder.contracts, name));
    for (const [i, words] of [
      'Irregular',
      'three times a year',
      'semi-annual',
      'as zones change',
    ].entries()) {
      const frequency = `customProperties:\n  - { property: update_frequency, value: ${words} }\n`;
      const text = TRAMS.replaceAll('trams', `trams_${i}`).replace(/ {4}quality:\n.*\n/, '');
      await folder.writeContracts({ [`${i}.yaml`]: text.replace('customProperties:\n', frequency) });
      const from = path.join(folder.data, 'transit/trams');
      await cp(from, path.join(folder.data, `transit/trams_${i}`), { recursive: true });
    }
    await folder.build();
    const catalog = await json<{ dataset: Node[] }>(ROOT.catalog, folder.out);
    const term = 'http://purl.org/cld/freq/';
    expect(catalog.dataset.map(one => one['accrualPeriodicity'])).toEqual([
      ...[`${term}irregular`, `${term}threeTimesAYear`, `${term}semiannual`, undefined],
    ]);
  });
});
