/** docs/contracts.md and contract.schema.json match the code that reads contracts. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COLUMN, CONTRACT, RULE, TABLE } from '../../build/contract/contract-profile.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { PUBLISHER_SHAPE } from '../../build/contract/publisher.ts';
import {
  CONTRACT_SCHEMA,
  CONTRACTS_PAGE,
  contractsPage,
  PARTS,
  schemaText,
} from '../../scripts/contracts-page.ts';
import { DATASET, DIMENSION, file, PUBLISHER } from './base-contract.ts';

const page = readFileSync(CONTRACTS_PAGE, 'utf8');
const schema = readFileSync(CONTRACT_SCHEMA, 'utf8');

test('the page and the schema match the code; npm run docs writes them', () => {
  expect(page).toBe(contractsPage(page));
  expect(schema).toBe(schemaText(schema));
});

test('the page has a line for every property that the code reads, and for no other', () => {
  const lines = [...page.matchAll(/^### `(.*)`$/gm)].map(([, name]) => name);
  expect(lines).toEqual(Object.values(PARTS).flatMap(entries => entries.map(([name]) => name)));
});

test('the guide to publishing names every key of publisher.yaml', () => {
  const guide = readFileSync(new URL('../../docs/publishing.md', import.meta.url), 'utf8');
  const [, list = ''] = /^## publisher\.yaml\n(.*?)^## /ms.exec(guide) ?? [];
  const keys = [...list.matchAll(/^- (.*?):/gm)].flatMap(([, keys = '']) => keys.split(', '));
  expect(keys.map(key => key.replaceAll('`', ''))).toEqual(Object.keys(PUBLISHER_SHAPE.schema.properties));
});

const ajv = new Ajv({ allowUnionTypes: true, formats: { date: true, 'date-time': true } });

test.each(Object.values(PARTS).flat())(
  'the example of %s is a value that the code accepts',
  (name, { schema, example }) => {
    expect(ajv.validate(schema, parse(example)), `${name}: ${example}`).toBe(true);
    expect(`- property: ${name}\n  value: ${example}`.split('\n').length).toBeLessThanOrEqual(3);
  },
);

const editors = JSON.parse(schema);
test('the schema for editors has every key that the code reads', () => {
  const { properties } = editors;
  const table = properties.schema.items.properties;
  const column = table.properties.items.properties;
  const rules = [table, column].map(({ quality }) => quality.items.properties);
  const read: [TSchema & { properties: object }, object][] = [
    [CONTRACT, properties],
    [TABLE, table],
    [COLUMN, column],
    ...rules.map((rule): [typeof RULE, object] => [RULE, rule]),
  ];
  for (const [profile, stated] of read)
    expect(Object.keys(stated)).toEqual(expect.arrayContaining(Object.keys(profile.properties)));
});

const validate = ajv.compile(editors);
test.each([
  ['accepts a dataset', DATASET, true],
  ['accepts a dimension', DIMENSION, true],
  ['refuses a value of a wrong shape', DATASET.replace('[areas, states]', 'areas'), false],
  ['accepts properties of other tools', DATASET.replace('title, value: Park visits', 'x, value: [1]'), true],
])('the schema for editors %s', (_, text, isRight) => {
  expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(isRight);
});

test('the smallest contract of the page compiles without a warning', () => {
  const [, text = ''] = /## The smallest contract\n\n```yaml\n(.*?)```/s.exec(page) ?? [];
  const { contracts, diagnostics } = parseContracts([file('a.yaml', text), PUBLISHER]);
  expect(diagnostics.map(({ severity }) => severity)).toEqual(['note']);
  expect(contracts.datasets[0]?.columns.map(({ name, role }) => `${name} ${role}`)).toEqual([
    'year year',
    'day time',
    'station categorical',
    'pm25 metric',
  ]);
});
