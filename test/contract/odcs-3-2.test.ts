/** What ODCS 3.2 adds, in a contract written for this service. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { schemaDocument } from '../../build/contract/schema-document.ts';
import { CONTRACT_SCHEMA } from '../../scripts/contracts-page.ts';
import { file, PUBLISHER } from './base-contract.ts';

const NEW = `kind: DataContract
apiVersion: v3.2.0
id: rain
version: 1.0.0
domain: climate
context: Compare stations of one region.
schema:
  - name: rain
    synonyms: [{ synonym: precipitation }, { synonym: Niederschlag, locale: de, status: active }]
    context:
      instructions: A day without rain is 0.
      constraints: [{ id: no_sums, constraint: Don't add up stations. }]
      verifiedStatements: [{ question: Where does it rain most?, answer: In the north. }, { question: When? }]
    properties:
      - name: year
        logicalType: integer
        required: true
        customProperties: [{ property: column_role, value: year }]
      - name: station
        logicalType: string
        semanticType: dimension
        synonyms: [{ synonym: gauge }]
        enum: [{ value: N1, label: North }, { value: S1, label: South }, { value: null }]
      - name: days
        logicalType: integer
        unique: true
        semanticType: measure
        synonyms: [{ synonym: Regentage, locale: de }]
        customProperties: [{ property: synonyms, value: [wet days, Regentage] }]
`;

test('the new words are read', () => {
  const { contracts, diagnostics } = parseContracts([file('rain.yaml', NEW), PUBLISHER]);
  expect(diagnostics.filter(({ code }) => code !== 'contract-guesses')).toEqual([]);
  const holdings = { years: [2024], levels: ['all'], levelYears: new Map() };
  const schema = schemaDocument({ format: '', release: '' }, contracts.datasets[0]!, contracts, holdings);
  expect(schema).toMatchObject({
    synonyms: ['precipitation', 'Niederschlag'],
    synonym_languages: { Niederschlag: 'de' },
    context: {
      instructions: 'Compare stations of one region.\nA day without rain is 0.',
      constraints: ["Don't add up stations."],
      verified_statements: [
        { question: 'Where does it rain most?', answer: 'In the north.' },
        { question: 'When?' },
      ],
    },
  });
  const [, station, days] = schema.columns;
  expect(station).toMatchObject({
    role: 'categorical',
    valid_values: ['N1', 'S1'],
    value_labels: { N1: 'North', S1: 'South' },
    synonyms: ['gauge'],
  });
  expect(station).not.toHaveProperty('synonym_languages');
  expect(days).toMatchObject({
    role: 'metric',
    synonyms: ['Regentage', 'wet days'],
    synonym_languages: { Regentage: 'de' },
  });
});

const official = path.resolve('../shared/odcs/odcs-json-schema-v3.2.0-draft.json');
test('they fit the schema for editors, and the official one if it is there', () => {
  const editors = new Ajv({ allowUnionTypes: true, formats: { date: true, 'date-time': true } });
  const ours = editors.compile(JSON.parse(readFileSync(CONTRACT_SCHEMA, 'utf8')));
  expect(ours(parse(NEW)), JSON.stringify(ours.errors)).toBe(true);
  expect(ours(parse(NEW.replace('synonym: gauge', 'word: gauge')))).toBe(false);
  if (!existsSync(official)) return;
  const theirs = new Ajv2019({ strict: false, validateFormats: false });
  const validate = theirs.compile(JSON.parse(readFileSync(official, 'utf8')));
  expect(validate(parse(NEW)), JSON.stringify(validate.errors)).toBe(true);
});
