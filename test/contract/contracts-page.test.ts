/** docs/contracts.md and contract.schema.json match the code that reads contracts. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractSchema, valueSchema } from '../../build/contract/contract-schema.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import {
  CONTRACT_SCHEMA,
  CONTRACTS_PAGE,
  contractsPage,
  PARTS,
  schemaText,
} from '../../scripts/contracts-page.ts';
import { DATASET, DIMENSION, file, PUBLISHER } from './base-contract.ts';

const page = readFileSync(CONTRACTS_PAGE, 'utf8');

test('the page and the schema match the code; npm run docs writes them', () => {
  expect(page).toBe(contractsPage(page));
  expect(readFileSync(CONTRACT_SCHEMA, 'utf8')).toBe(schemaText());
});

test('the page has a line for every property that the code checks, and for no other', () => {
  const lines = [...page.matchAll(/^### `(.*)`$/gm)].map(([, name]) => name);
  expect(lines).toEqual(Object.values(PARTS).flatMap(entries => entries.map(([name]) => name)));
  const parts = Object.values(PARTS).flat();
  for (const shape of new Set(parts.map(([, , own]) => own)))
    expect(parts.flatMap(([name, , own]) => (own === shape ? [name] : []))).toEqual(
      expect.arrayContaining(Object.keys(shape.schema['properties'] as object)),
    );
});

const ajv = new Ajv({ allowUnionTypes: true, formats: { date: true, 'date-time': true } });

test.each(Object.values(PARTS).flat())(
  'the example of %s is a value that the code accepts',
  (name, note, shape) => {
    const value: unknown = parse(note.example);
    expect(ajv.validate(valueSchema(shape, name), value), `${name}: ${note.example}`).toBe(true);
    expect(`- property: ${name}\n  value: ${note.example}`.split('\n').length).toBeLessThanOrEqual(3);
  },
);

const validate = ajv.compile(contractSchema());
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
