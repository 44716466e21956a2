import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatDiagnostic } from '../../build/contract/diagnostic.ts';
import { type ContractFile, parseContracts } from '../../build/contract/parse-contracts.ts';

const folder = fileURLToPath(new URL('../../contracts/', import.meta.url));
const odcs = fileURLToPath(new URL('../../../shared/odcs/odcs-json-schema-v3.1.0.json', import.meta.url));

const files: readonly ContractFile[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.ya?ml$/.test(name))
  .sort()
  .map(name => ({ file: `contracts/${name}`, text: readFileSync(folder + name, 'utf8') }));

test('our contracts compile, every one', () => {
  const { contracts, diagnostics } = parseContracts(files);
  expect(diagnostics.filter(d => d.severity === 'error').map(formatDiagnostic)).toEqual([]);
  const described = files.filter(({ file }) => file.endsWith('.odcs.yaml'));
  expect(contracts.datasets.length + contracts.dimensions.size).toBe(described.length);
});

test('tags are written alike, so that what belongs together is found together', () => {
  const { datasets } = parseContracts(files).contracts;
  const tags = datasets.flatMap(dataset => dataset.tags);
  expect(tags.filter(tag => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(tag))).toEqual([]);
  const surveyed = datasets.filter(({ dataSource }) => /American Community Survey/.test(dataSource ?? ''));
  expect(surveyed.length).toBeGreaterThan(1);
  for (const { key, tags } of surveyed)
    expect([key, tags]).toEqual([key, expect.arrayContaining(['american-community-survey'])]);
});

describe.skipIf(!existsSync(odcs))(
  'our contracts pass the official ODCS schema (skipped: no ../shared)',
  () => {
    let validate: ReturnType<Ajv2019['compile']>;
    beforeAll(() => {
      const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
      validate = ajv.compile(JSON.parse(readFileSync(odcs, 'utf8')) as object);
    });
    const described = files.filter(({ file }) => file.endsWith('.odcs.yaml'));
    test.each(described.map(({ file, text }) => [file, text] as const))('%s', (_, text) => {
      validate(parse(text));
      expect((validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)).toEqual([]);
    });
  },
);
