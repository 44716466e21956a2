/** Our contracts: their style, and that their importers write what they promise. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { duckdbType } from '../../build/lake/fact-table.ts';
import { readContractFolder } from '../../build/plan/build-input.ts';
import { IMPORTERS } from '../../scripts/georgia/import/importers.ts';
import { DEMOGRAPHICS } from '../../scripts/georgia/import/places.ts';
import { isView } from '../../site/explorer/view/views.ts';
import { CONTRACTS, PROJECT, readOwnContracts } from './sample-lake.ts';

const odcs = path.join(PROJECT, '../shared/odcs');
const files = readContractFolder(CONTRACTS);

const { datasets, dimensions } = await readOwnContracts();

test('tags are spelled the same, so that related datasets are found together', () => {
  const tags = datasets.flatMap(dataset => dataset.tags);
  expect(tags.filter(tag => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(tag))).toEqual([]);
  const surveyed = datasets.filter(({ dataSource }) => /American Community Survey/.test(dataSource ?? ''));
  expect(surveyed.length).toBeGreaterThan(1);
  for (const { key, tags } of surveyed)
    expect([key, tags]).toEqual([key, expect.arrayContaining(['american-community-survey'])]);
});

test('every allowed value has a label', () => {
  const unlabelled = [...datasets, ...dimensions.values()].flatMap(({ key, columns }) =>
    columns.flatMap(({ name, validValues, valueLabels }) =>
      // The dimension of groups has a column with their names.
      name === 'demographic'
        ? []
        : (validValues ?? [])
            .filter(value => !valueLabels[String(value)])
            .map(value => `${key} ${name} ${value}`),
    ),
  );
  expect(unlabelled).toEqual([]);
});

/** Texts for people, not names or SQL. */
const PROSE = new Set(
  'title summary purpose usage limitations description dataGranularityDescription reason question'.split(' '),
);
const PROSE_PROPERTIES = new Set('title summary label short_description null_meaning change_note'.split(' '));

/** All prose of a contract's value, with its place. */
function proseOf(value: unknown, at: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const { property, value: own } = value as { property?: string; value?: unknown };
  const stated: [string, string][] =
    typeof own === 'string' && PROSE_PROPERTIES.has(property ?? '') ? [[`${at} ${property}`, own]] : [];
  return [
    ...stated,
    ...Object.entries(value).flatMap(([name, part]): [string, string][] =>
      typeof part === 'string' && PROSE.has(name)
        ? [[`${at} ${name}`, part]]
        : proseOf(part, `${at} ${name}`),
    ),
  ];
}

test('prose says names as people do, not in snake_case', () => {
  const prose = files.flatMap(({ file, text }) => proseOf(parse(text), file));
  expect(prose.length).toBeGreaterThan(900);
  expect(prose.filter(([, text]) => /[a-z0-9]_[a-z0-9]/i.test(text))).toEqual([]);
});

test('every question leads to a view that exists', () => {
  const asked = datasets.flatMap(dataset => dataset.questions.map(({ view }) => ({ dataset, view })));
  expect(asked.length).toBeGreaterThan(12);
  for (const { dataset, view } of asked) {
    for (const [name, value] of new URLSearchParams(view)) {
      const column = dataset.columns.find(
        one => one.name === name || (name === 'metric' && one.name === value),
      );
      if (name === 'detail') expect(dataset.levels, `${dataset.key} ${view}`).toContain(value);
      else if (name === 'view') expect(isView(value)).toBe(true);
      else if (name === 'open') expect(dataset.grain, `${dataset.key} ${view}`).toContain(value);
      else if (name === 'metric') expect(column?.role, `${dataset.key} ${view}`).toBe('metric');
      else
        expect(column?.validValues, `${dataset.key} ${view}`).toEqual(
          expect.arrayContaining(value.split(',')),
        );
    }
  }
});

const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
describe.skipIf(!existsSync(odcs))('our contracts pass the official schema of ODCS (needs ../shared)', () => {
  test.each(['3.1.0', '3.2.0-draft'])('%s', version => {
    const schema = readFileSync(path.join(odcs, `odcs-json-schema-v${version}.json`), 'utf8');
    const validate = ajv.compile(JSON.parse(schema) as object);
    for (const { file, text } of files.filter(one => one.file.endsWith('.odcs.yaml'))) {
      validate(parse(text));
      expect([file, (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)]).toEqual([
        file,
        [],
      ]);
    }
  });
});

test.each(IMPORTERS.map(importer => importer.target))(
  '$path: its importer writes what its contract promises',
  ({ path, columns, key }) => {
    const name = path.replace('_dimensions/', '');
    const contract = [...datasets, ...dimensions.values()].find(one => one.key === name)!;
    expect(Object.entries(columns)).toEqual(
      contract.columns.map(column => [column.name, duckdbType(column)]),
    );
    expect(key).toEqual(contract.kind === 'dataset' ? contract.grain : contract.primaryKey);
  },
);

test('every dataset is read with the names of its contract, and says what it is about', () => {
  const importers = IMPORTERS.filter(({ target }) => target.kind === 'dataset');
  expect(new Set(importers.map(({ shapes }) => shapes.at(-1)?.name))).toEqual(
    new Set(['columns of the contract']),
  );
  const names = importers.map(({ name }) => name).sort();
  expect(names).toEqual(datasets.map(({ topic }) => topic).sort());
  expect(importers.filter(({ about }) => about === undefined)).toEqual([]);
});

test('the demographics are the groups and categories of their contract', () => {
  const { columns, semantics } = dimensions.get('education/demographics')!;
  expect(DEMOGRAPHICS.map(([code]) => code)).toEqual([...columns[0]!.validValues!].sort());
  const { categories } = semantics as { categories: Readonly<Record<string, readonly string[]>> };
  for (const [code, , category] of DEMOGRAPHICS) expect(categories[category]).toContain(code);
});
