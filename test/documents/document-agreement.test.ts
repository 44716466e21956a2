/** Documents for other tools agree about a dataset: its years, its page, how often it changes. */
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../build/format/paths.ts';
import { readTreeJson } from '../publishers/built-tree.ts';
import { openPages } from '../publishers/kept-weather.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, TRAMS } from '../publishers/weather.ts';

const BASE = 'https://data.example.org/arcadia/';
/** Rain fell in 2019, 2021 and 2022; trams ran in 2021 and 2022. */
const DATASETS = ['climate/rainfall', 'transit/trams'];

type Node = { readonly [name: string]: unknown };

let plain: Publisher;
let paged: string;

beforeAll(async () => {
  plain = await newPublisher(CONTRACTS);
  paged = path.join(plain.root, 'paged');
  await plain.build({ baseUrl: BASE });
  await plain.with({ out: paged }).build({ baseUrl: BASE, pages: openPages() });
});

const read = (name: string) => plain.text(name);
const json = <T = Node>(name: string, out = plain.out) => readTreeJson<T>(out, name);

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

test('llms.txt tells NULL in a key from NULL in a figure', async () => {
  expect(await read(ROOT.llms)).toContain(
    'never zero; in a key it means that the row describes a larger place',
  );
});

test('a catalog, a search engine and a tool get one page, for people if there is one', async () => {
  const said = async (out: string) => {
    const catalog = await json<{ dataset: { landingPage: Node }[] }>(ROOT.catalog, out);
    const { url } = await json('api/v1/datasets/climate/rainfall/jsonld.json', out);
    const croissant = await json('api/v1/datasets/climate/rainfall/croissant.json', out);
    return [catalog.dataset[0]?.landingPage['@id'], url, croissant['url']];
  };
  const page = `${BASE}datasets/climate/rainfall/`;
  expect(await said(paged)).toEqual([page, page, page]);
  const html = await readFile(path.join(paged, 'datasets/climate/rainfall/index.html'), 'utf8');
  expect(html).toContain(`<link rel="canonical" href="${page}"`);
  const folder = `${BASE}api/v1/datasets/climate/rainfall/`;
  expect(await said(plain.out)).toEqual([folder, folder, folder]);
});

test('data.json: the frequency is a term of the vocabulary, if there is one', async () => {
  const folder = await plain.copy();
  for (const name of ['rain/rainfall.yaml', 'trams.odcs.yaml']) await rm(path.join(folder.contracts, name));
  for (const [i, words] of ['Irregular', 'three times a year', 'semi-annual', 'as zones change'].entries()) {
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
