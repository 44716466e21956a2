/** The registers of documents match the trees that are built from them, and FORMAT.md's table of files. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  DATASET_DOCUMENTS,
  DIMENSION_DOCUMENTS,
  ROOT_DOCUMENTS,
  TOOL_DOCUMENTS,
} from '../../build/documents/register.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import {
  datasetFolder,
  datasetManifestPath,
  dimensionFolder,
  ROOT,
  schemaFolder,
} from '../../build/format/paths.ts';
import { keptWeather } from '../publishers/kept-trees.ts';

/** Each document by its name in FORMAT.md. */
const REGISTER = new Map(DATASET_DOCUMENTS.map(one => [one.path('{domain}', '{topic}', '{detail}'), one]));

const DATASETS = [
  ['climate', 'rainfall'],
  ['transit', 'trams'],
] as const;

const tree = await keptWeather();

/** What a dataset's manifest lists, without files about earlier releases, by the names of FORMAT.md. */
async function listed(domain: string, topic: string): Promise<(readonly [name: string, file: string])[]> {
  const own = datasetManifestPath(domain, topic);
  const { documents } = await tree.json<DatasetManifest>(own);
  return documents
    .map(one => path.posix.join(path.posix.dirname(own), one.path))
    .filter(file => !/\/(changes\.json|feed\.xml|_past\/.*)$/.test(file))
    .map(file => {
      const name = file.replace(`/${domain}/${topic}/`, '/{domain}/{topic}/');
      return [name.replace(/(statistics)\/[^/]+\.json$/, '$1/{detail}.json'), file];
    });
}

test('FORMAT.md lists its documents, and no others of a dataset or dimension that are rendered of it', async () => {
  const format = await readFile(path.resolve(import.meta.dirname, '../../build/format/FORMAT.md'), 'utf8');
  const [, table = ''] = format.split('| file | content |\n');
  const folders: Readonly<Record<string, string>> = {
    D: datasetFolder('{domain}', '{topic}'),
    S: schemaFolder('{domain}', '{topic}'),
    N: dimensionFolder('{domain}', '{name}'),
  };
  const names = (table.split('\n\n')[0] ?? '').split('\n').flatMap(row => {
    const files = [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    const [letter = ''] = files[0]?.split('/') ?? [];
    const folder = folders[letter];
    return folder === undefined ? [] : files.map(file => `${folder}/${file.replace(`${letter}/`, '')}`);
  });
  const others =
    /\/(\{year\}\/.*|\.[\w{].*|_(?!dimensions)\w+\/.*|changes\.json|feed\.xml|manifest\.json|rows\.json)$/;
  const ofDimensions = DIMENSION_DOCUMENTS.map(one => one.path('{domain}', '{name}', ''));
  const due = [...REGISTER.keys(), ...ofDimensions];
  expect(names.filter(name => !others.test(name)).sort()).toEqual(due.sort());
});

test('llms.txt and openapi.json name each document of the API', async () => {
  const [llms, openapi] = await Promise.all([ROOT.llms, ROOT.openapi].map(name => tree.text(name)));
  for (const [name, { api }] of REGISTER) {
    if (api === undefined) continue;
    expect(llms).toContain(`- /${name}: ${api.summary}\n`);
    expect(openapi).toContain(api.summary);
  }
});

test('the root manifest lists the documents of the root, and FORMAT.md names each', async () => {
  const format = await readFile(path.resolve(import.meta.dirname, '../../build/format/FORMAT.md'), 'utf8');
  const { documents } = await tree.json<TreeManifest>(ROOT.manifest);
  const names = documents.map(one => one.path);
  // A sitemap needs the tree's address.
  const due = ROOT_DOCUMENTS.map(one => one.path('', '', '')).filter(name => name !== ROOT.sitemap);
  const tools = DATASETS.flatMap(([domain, topic]) => TOOL_DOCUMENTS.map(one => one.path(domain, topic, '')));
  expect(names).toEqual([...due, ...tools]);
  expect([...due, ROOT.sitemap].filter(name => !format.includes(`\`${name}\``))).toEqual([]);
});

describe.each(DATASETS)('%s/%s', (domain, topic) => {
  test('has each registered document, in order', async () => {
    const names = (await listed(domain, topic)).map(([name]) => name);
    const due = [...REGISTER].filter(([name, { when }]) => when === undefined || names.includes(name));
    expect([...new Set(names)]).toEqual(due.map(([name]) => name));
  });

  test('has each document in the form of its schema', async () => {
    const ajv = new Ajv2020({ allowUnionTypes: true, formats: { date: /^\d{4}-\d\d-\d\d$/ } });
    for (const [name, file] of await listed(domain, topic)) {
      const schema = REGISTER.get(name)?.schema;
      if (schema === undefined) continue;
      const document = await tree.json<object>(file);
      expect([file, ajv.validate(schema, document), ajv.errors]).toEqual([file, true, null]);
      expect(ajv.validate(schema, { ...document, format: 1 })).toBe(false);
    }
  });
});
