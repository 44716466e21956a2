/**
 * Contracts that other publishers wrote for other tools: none is refused, and what is left out is reported.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Dataset } from '../../build/contract/dataset.ts';
import { type ContractFile, parseContracts } from '../../build/contract/parse-contracts.ts';
import { randomRuns } from '../random-runs.ts';
import { DATASET, edit, file, PUBLISHER } from './base-contract.ts';

const ODCS = path.resolve('../shared/odcs');

const parse = (...files: readonly ContractFile[]) => parseContracts([...files, PUBLISHER]);

/** A contract of one table with these other keys. */
const contract = (columns: readonly object[], head: object = {}, table: object = {}): ContractFile =>
  file(
    'a.yaml',
    stringify({ kind: 'DataContract', ...head, schema: [{ name: 't', properties: columns, ...table }] }),
  );

/** `severity code` of each diagnostic, without the note about guesses. */
const told = (...files: readonly ContractFile[]) =>
  parse(...files)
    .diagnostics.filter(({ code }) => code !== 'contract-guesses')
    .map(({ severity, code }) => `${severity} ${code}`);

function compiled(one: ContractFile): Dataset {
  const { contracts, diagnostics } = parse(one);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return contracts.datasets[0]!;
}

test('a contract of the older specification is told by its name', () => {
  const { diagnostics } = parse(file('a.yaml', 'dataContractSpecification: 1.1.0\nid: orders\n'));
  expect(diagnostics.map(({ message }) => message).join()).toContain('datacontract export --format odcs');
});

describe.skipIf(!existsSync(ODCS))('the official examples of ODCS', () => {
  const examplesIn = (folder: string) =>
    existsSync(ODCS)
      ? readdirSync(path.join(ODCS, folder)).map(name =>
          file(name, readFileSync(path.join(ODCS, folder, name), 'utf8')),
        )
      : [];
  const files = examplesIn('examples');
  const drafts = examplesIn('examples-3.2-draft');

  test.each([...files, ...drafts].map(one => [one.file, one] as const))('%s has no error', (_, one) => {
    expect(told(one).filter(text => text.startsWith('error'))).toEqual([]);
  });

  test("those of 3.2 are read in the standard's words", () => {
    expect(drafts.map(one => [one.file, ...told(one)])).toEqual([
      ['enum.odcs.yaml'],
      ['map.odcs.yaml', ...Array(4).fill('warning column-map')],
      ['measures-and-dimensions.odcs.yaml'],
    ]);
    const [orders, products, turnover] = drafts.map(compiled);
    const status = orders!.columns.find(({ name }) => name === 'status')!;
    expect(status.validValues).toEqual(['pending', 'processing', 'shipped', 'cancelled']);
    expect(status.valueLabels).toMatchObject({ pending: 'Pending', cancelled: 'Cancelled' });
    expect(orders!.columns.find(({ name }) => name === 'priority')).toMatchObject({
      ...{ role: 'categorical', validValues: [1, 2, 3], valueLabels: { 1: 'One', 2: 'Two', 3: 'Three' } },
    });
    expect(products!.columns.map(({ name }) => name)).toEqual(['product_id']);
    const roles = turnover!.columns.map(({ name, role }) => `${name} ${role}`);
    expect(roles).toEqual(
      expect.arrayContaining([
        'country_code_dim categorical',
        'nb_receipts metric',
        'order_month categorical',
      ]),
    );
    expect(turnover!.synonyms).toContainEqual({ word: "Chiffre d'affaires", language: 'fr-FR' });
    expect(turnover!.columns.find(({ synonyms }) => synonyms.length > 0)?.synonyms).toEqual([
      { word: 'TO', language: null },
      { word: 'Sales', language: 'en-US' },
      { word: "Chiffre d'affaires", language: 'fr-FR' },
    ]);
  });

  test('they have no error together either, although tables share names', () => {
    expect([files.length, drafts.length]).toEqual([18, 3]);
    const all = told(...files);
    expect(all.filter(text => text.startsWith('error'))).toEqual([]);
    expect(all).toContain('warning duplicate-contract');
  });

  test('68 tables of one contract are 68 datasets', () => {
    const one = files.find(({ file: name }) => name.startsWith('postgresql'))!;
    const { datasets } = parse(one).contracts;
    expect(new Set(datasets.map(({ key }) => key)).size).toBe(68);
    const [first] = datasets;
    expect(JSON.parse(first!.source.json).schema).toHaveLength(1);
    expect(first!.source.text).toBe(one.text);
  });
});

test('a contract with only columns compiles, and one note says what is guessed', () => {
  /** Each column, its type, and the role that is guessed. */
  const columns = [
    ...['año integer year', 'región string categorical', 'municipio id integer categorical'],
    ...['población integer metric', 'tasa (%) number metric', 'latitude number attribute'],
    ...['nota string attribute', 'vigente boolean categorical'],
  ].map(one => /^(.*) (\w+) (\w+)$/.exec(one)?.slice(1) ?? []);
  const properties = columns.map(([name, logicalType]) =>
    name === 'nota' ? { name, logicalType, logicalTypeOptions: { maxLength: 4000 } } : { name, logicalType },
  );
  const { contracts, diagnostics } = parse({ ...contract(properties), folder: 'Salud Pública' });
  const [dataset] = contracts.datasets;
  expect(dataset).toMatchObject({
    ...{ key: 'salud_publica/t', title: 't', version: '1.0.0', grainGuessed: true },
    grain: ['año', 'región', 'municipio id', 'vigente'],
    ...{ years: [], levels: [], defaultLevel: 'all', open: { years: true, levels: true } },
  });
  expect(dataset!.columns.map(({ name, role }) => [name, role])).toEqual(
    columns.map(([name, , role]) => [name, role]),
  );
  expect(dataset!.columns.filter(one => !one.nullable).map(({ name }) => name)).toEqual(['año']);
  const message = diagnostics.map(one => `${one.severity} ${one.code} ${one.message}`).join('\n');
  expect(message).toMatch(/^note contract-guesses .*$/);
  for (const part of [
    'salud_publica (the folder)',
    'measures: población, tasa (%)',
    'the year: año',
    'active',
  ])
    expect(message).toContain(part);
});

test('a contract written for this service keeps its errors', () => {
  const { text } = edit(DATASET, ['value: [areas, states]', 'value: areas']);
  expect(told(file('a.yaml', text))).toContain('error contract-type');
  // A title in another tool's form is ignored here too.
  const theirs = edit(DATASET, [
    'property: title, value: Park visits',
    'property: title, value: { en: Visits }',
  ]);
  expect(told(file('a.yaml', theirs.text)).filter(one => one.includes('ignored'))).toEqual([
    'note custom-property-ignored',
  ]);
});

/** Each line: a physical type of another tool, the type of the column here (none: it is left out), a logical type. */
const TYPES = `
  VARCHAR(20)                          → string
  NUMBER(10,2)                         → number
  NUMBER(38,0)                         → integer
  NUMBER(10)                           → integer, of integer
  decimal(18, 4)                       → number, of number
  int                                  → number, of number
  INT64                                → integer
  FLOAT64                              → number
  BIGNUMERIC                           → number
  STRING                               → string
  BOOL                                 → boolean
  bit                                  → boolean
  UUID                                 → string
  uniqueidentifier                     → string, of string
  JSON                                 → string
  TIME                                 → string, of time
  interval                             → string
  Nullable(Float64)                    → number
  LowCardinality(String)               → string
  character varying(255) COLLATE "C"   → string
  int unsigned                         → integer
  nvarchar(max)                        → string
  money                                → number
  something of ours                    → string
  BYTES                                → none
  varbinary(16)                        → none
  ARRAY<STRUCT<a INT64>>               → none
  STRUCT<a STRING, b INT64>            → none
  text[]                               → none
  map<string,int>                      → none
  geography(Point,4326)                → none
  json                                 → none, of object
  list                                 → none, of array`
  .split('\n')
  .slice(1)
  .map(line => {
    const [, physicalType = '', type = '', logicalType] =
      /^ *(.*?) +→ (\w+)(?:, of (\w+))?$/.exec(line) ?? [];
    return [physicalType, type, logicalType] as const;
  });

test.each(TYPES)('a column of %s is %s', (physicalType, type, logicalType) => {
  const own = { name: 'a', physicalType, ...(logicalType === undefined ? {} : { logicalType }) };
  const dataset = compiled(contract([own, { name: 'b', logicalType: 'string' }]));
  expect(dataset.columns.find(({ name }) => name === 'a')?.type ?? 'none').toBe(type);
  expect(dataset.leftOut).toEqual(type === 'none' ? ['a'] : []);
});

/** The diagnostic of a statement for another tool: `told | columns | keys of the contract | keys of the table`. */
const STATEMENTS = `
 | [{ name: a }]
 | [{ name: a, x: { y: 1 } }] | sodaServer: [1], info: { a: 1 } | z: []
 | [{ name: a }] | version: 1.2, apiVersion: 3.1, description: What it is., status: production
 | [{ name: limit }, { name: Format }, { name: detail }]
warning contract-type | { v: { logicalType: number } }
warning table-empty | []
warning column-duplicate | [{ name: a }, { name: A }]
warning column-name | [{ name: a }, { name: "b\\nc" }]
warning contract-missing | [{ name: a }, { logicalType: string }]
warning contract-type | [{ name: a }] | tags: 'a, b'
warning contract-type | [{ name: a, examples: x }]
warning allowed-values-type | [{ name: a, logicalType: integer, enum: [x] }]
warning years-invalid | [{ name: a }] | customProperties: [{ property: year_range, value: rolling 24 months }]
warning rule-not-run | [{ name: a, quality: [{ type: custom, engine: soda, implementation: x }] }]
warning rule-not-run | [{ name: a, quality: [{ description: It is right., dimension: accuracy }] }]
 | [{ name: a, quality: [{ type: text, description: It is right. }] }]
 | [{ name: a, quality: [{ rule: duplicateCount, mustBeLessThan: 10 }] }]
warning rule-metric | [{ name: a, quality: [{ metric: freshness, mustBeLessThan: 1 }] }]
warning rule-operator | [{ name: a, quality: [{ metric: nullValues }] }]
warning rule-operator | [{ name: a, quality: [{ type: sql, query: SELECT 1, mustBe: ok }] }]
warning contract-value | [{ name: a, quality: [{ metric: nullValues, mustBe: 0, severity: high }] }]
warning contract-value | [{ name: a, quality: [{ type: reconciliation, mustBe: 0 }] }]
 | [{ name: a, relationships: [{ to: other/x#/schema/y }] }] | | relationships: [{ from: [t.a], to: [x.b] }]
note custom-property-ignored | [{ name: a, customProperties: [{ property: label, value: [x] }, { property: pii, value: true }] }]
note custom-property-ignored | [{ name: a }] | customProperties: [{ property: title, value: { de: Ä } }]
note custom-property-ignored | [{ name: a }] | | customProperties: [{ property: grain, value: daily }]`;

test.each(STATEMENTS.split('\n').slice(1))('%s', row => {
  const [said = '', columns, head = '', table = ''] = row.split(/ ?\| /).map(part => part.trim());
  const text = `{ kind: DataContract, schema: [{ name: t, properties: ${columns}, ${table} }], ${head} }`;
  expect(told(file('a.yaml', text)).join()).toBe(said);
});

test.each([
  ['schema: { t: { properties: [{ name: v }] } }', 'contract-type'],
  ['schema: []', 'contract-empty'],
  ['status: active', 'contract-empty'],
])('a contract without tables, %s, is one message', (text, code) => {
  expect(told(file('a.yaml', `kind: DataContract\n${text}\n`))).toEqual([`warning ${code}`]);
});

test.each([
  ['Sales & Marketing', 'dbo.Órdenes Nº 1', /^sales_marketing\/dbo_ordenes_no_1$/],
  ['datasets', 'con', /^datasets_data\/con_data$/],
  ['d', 'транзакции', /^d\/topic_[0-9a-f]{8}$/],
  ['d', 'Straße_Łódź', /^d\/strasse_lodz$/],
])('names that no URL can hold are spelled anew, the same in every build: %s, %s', (domain, name, key) => {
  expect(compiled(contract([{ name: 'a' }], { domain }, { name })).key).toMatch(key);
});

test('one contract may hold datasets and dimensions, and a file several contracts', () => {
  const head = 'kind: DataContract\ndomain: trade\napiVersion: v3.0.2\n';
  const first = `${head}schema:
  - name: shops
    customProperties: [{ property: entity_kind, value: dimension }]
    properties: [{ name: shop, logicalType: string, primaryKey: true }, { name: town, logicalType: string }]
  - name: sales
    properties:
      - { name: year, logicalType: integer }
      - { name: shop, logicalType: string, relationships: [{ to: shops.shop }], customProperties: [{ property: column_role, value: fk_shop }] }
      - { name: amount, logicalType: number }
`;
  const second = `${head}schema: [{ name: returns, properties: [{ name: a, logicalType: string }] }]\n`;
  const { contracts, diagnostics } = parse(
    file('a.yaml', `\ufeff${first}---\n${second}---\n`.replaceAll('\n', '\r\n')),
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(contracts.datasets.map(({ key }) => key)).toEqual(['trade/returns', 'trade/sales']);
  expect([...contracts.dimensions.keys()]).toEqual(['trade/shops']);
  const [returns, joined] = contracts.datasets;
  expect(joined!.foreignKeys[0]).toMatchObject({ column: 'shop', dimension: 'trade/shops' });
  expect(returns!.source.text).toContain('name: returns');
  expect(returns!.source.text).not.toContain('shops');
  expect(joined!.source.text).not.toContain('returns');
});

test('a contract of version 2 is named and not read', () => {
  const text =
    'kind: DataContract\napiVersion: v2.2.2\nversion: 1.1.0\nstatus: active\ndataset: [{ table: tbl }]\n';
  const { contracts, diagnostics } = parse(file('a.yaml', text));
  expect(contracts.datasets).toEqual([]);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toContain(
    'not-a-contract the file is a contract of ODCS version 2 and is not read: write it as version 3, which has its tables under `schema`',
  );
});

/** Random contracts that fit the standard. */
const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const some = <Shape extends object>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }) =>
  fc.record(shape, { requiredKeys: [] });
const word = fc.oneof(
  oneOf(`id year date limit Größe % x"y o'z 1st select 数 😀 __proto__`),
  fc.constant('a b'),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
);
const [words, anything] = [fc.array(word), fc.jsonValue({ maxDepth: 2 })];
const listOf = <Value>(one: fc.Arbitrary<Value>, maxLength: number) => fc.array(one, { maxLength });
const OURS =
  'title grain unit label year_range year_gaps detail_levels withdrawn errata key_metric foreign_keys path_template level_keys level_years default_detail scope series_breaks value_min has_total total_value column_role synonyms link_key';
const customProperties = listOf(fc.record({ property: fc.oneof(word, oneOf(OURS)), value: anything }), 3);
const quality = listOf(
  fc
    .tuple(
      some({
        type: oneOf('library sql text custom'),
        metric: oneOf('nullValues missingValues invalidValues duplicateValues rowCount'),
        query: fc.oneof(word, fc.constant('SELECT COUNT(*) FROM ${table} WHERE ${column} IS NULL')),
        unit: oneOf('rows percent days'),
        dimension: oneOf('accuracy coverage'),
        arguments: some({
          validValues: fc.array(fc.oneof(word, fc.integer())),
          pattern: word,
          properties: words,
        }),
        ...{ rule: word, severity: word, engine: word, name: word },
      }),
      oneOf('mustBe mustNotBe mustBeGreaterThan mustBeLessOrEqualTo mustBeBetween'),
      fc.oneof(fc.integer(), word, listOf(fc.integer(), 3)),
    )
    .map(([one, key, value]) => ({ ...one, [key]: value })),
  2,
);
const synonyms = listOf(
  fc.record({ synonym: word, locale: oneOf('fr-FR de') }, { requiredKeys: ['synonym'] }),
  3,
);
const context = fc.oneof(
  word,
  some({
    instructions: word,
    constraints: fc.array(fc.record({ constraint: word })),
    verifiedStatements: fc.array(fc.record({ question: word, answer: word }, { requiredKeys: ['question'] })),
  }),
);
const enumValue = fc.record(
  { value: fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)), label: word },
  { requiredKeys: ['value'] },
);
const columnOf = fc.record(
  {
    name: word,
    logicalType: oneOf('string date timestamp time number integer object array boolean map'),
    semanticType: oneOf('column measure dimension'),
    enum: fc.array(enumValue, { minLength: 1, maxLength: 3 }),
    synonyms,
    physicalType: fc.oneof(word, fc.constantFrom(...TYPES.map(([type]) => type))),
    logicalTypeOptions: fc.dictionary(oneOf('minimum maxLength format pattern multipleOf'), anything),
    ...{ primaryKey: fc.boolean(), required: fc.boolean(), unique: fc.boolean() },
    primaryKeyPosition: fc.integer({ min: -1, max: 2 }),
    relationships: fc.array(fc.record({ to: word, type: fc.constant('foreignKey') })),
    ...{ description: fc.string(), examples: fc.array(anything), tags: words, quality, customProperties },
  },
  { requiredKeys: ['name'] },
);
const table = {
  name: word,
  synonyms,
  context,
  physicalName: word,
  description: fc.string(),
  tags: words,
  quality,
  customProperties,
};
const schema = listOf(
  fc.record({ ...table, properties: listOf(columnOf, 5) }, { requiredKeys: ['name'] }),
  3,
);
const contractOf = fc.record(
  {
    apiVersion: oneOf('v3.0.0 v3.0.2 v3.1.0 v3.2.0'),
    kind: fc.constant('DataContract'),
    status: oneOf('active draft proposed deprecated retired'),
    ...{ id: word, version: word, name: word, domain: word, tenant: word, dataProduct: word },
    description: some({ purpose: fc.string(), usage: fc.string() }),
    context,
    slaProperties: fc.array(fc.record({ property: word, value: anything })),
    ...{ customProperties, team: anything, schema },
  },
  { requiredKeys: ['apiVersion', 'kind', 'id', 'version', 'status'] },
);

test('no contract that fits the standard has an error, and everything served has a unique name', () => {
  fc.assert(
    fc.property(contractOf, value => {
      // No text may have NUL, and U+FFFD marks bytes that aren't UTF-8.
      const text = JSON.stringify(value).replaceAll('\\u0000', ' ').replaceAll('\ufffd', ' ');
      const { contracts, diagnostics } = parse(file('a.yaml', text));
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      for (const { columns, key, order } of contracts.datasets) {
        expect(key).toMatch(/^[a-z0-9][a-z0-9_-]*\/[a-z0-9][a-z0-9_-]*$/);
        expect(new Set(columns.map(({ name }) => name.toLowerCase())).size).toBe(columns.length);
        expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...order]));
      }
    }),
    { numRuns: randomRuns(100), seed: 11 },
  );
});
