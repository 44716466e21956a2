import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dimensionDocument } from '../../build/catalog/dimension-document.ts';
import type { Dataset } from '../../build/contract/dataset.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { compiledDataset, compiledDimension, type Edit, withDataset } from './base-contract.ts';

test('the base contract compiles to all its parts', () => {
  const dataset = compiledDataset();
  expect(dataset).toMatchObject({
    key: 'parks/visits',
    title: 'Park visits',
    subTopic: 'visits',
    years: [2020, 2022, 2023, 2024],
    yearGaps: [2021],
    levels: ['areas', 'states'],
    defaultLevel: 'areas',
    grain: ['year', 'area_code', 'kind'],
    placeColumns: ['area_code'],
    keyMetric: 'visits',
    nullSemantics: {},
  });
  expect(dataset.columns.map(c => [c.name, c.role, c.physical, c.nullable])).toEqual([
    ['year', 'year', 'int', false],
    ['area_code', 'fk_area', 'string', true],
    ['kind', 'categorical', 'string', false],
    ['visits', 'metric', 'bigint', true],
  ]);
  expect(dataset.columns[2]).toMatchObject({
    validValues: ['all', 'walk', 'ride'],
    totalValue: 'all',
    example: 'all',
  });
  expect(dataset.columns[2]?.place).toEqual({ file: 'visits.yaml', line: 33, column: 9 });
  expect(dataset.rules.map(rule => [rule.name, rule.measure.kind, rule.column])).toEqual([
    ['kinds', 'invalidValues', 'kind'],
    ['some_rows', 'sql', null],
  ]);
});

test('files may come in any order', () => {
  const files = withDataset();
  expect(parseContracts([...files].reverse())).toEqual(parseContracts(files));
});

const noKeys: Edit =
  '      - property: foreign_keys\n        value:\n          - { column: area_code, target_object: areas, target_columns: [area_code], attribute_columns: [area_name], scope: global }\n → ';
const RULE =
  '- { name: kinds, type: library, metric: invalidValues, arguments: { validValues: [all, walk, ride] }, mustBe: 0 }';
const KINDS: Edit = [`        quality:\n          ${RULE}\n`, ''];
const enumOf = (text: string): Edit => ['        examples: [all]\n', `        enum: ${text}\n`];

test.each([
  ['integer', 'NUMBER(38, 0)', 'bigint'],
  ['integer', 'INTEGER UNSIGNED', 'bigint'],
  ['number', 'NUMBER(38, 2)', 'double'],
  ['string', 'NVARCHAR(9)', 'string'],
])('physical types of other databases: %s as %s', (logical, physical, read) => {
  const types = `logicalType: ${logical}\n        physicalType: ${physical}`;
  const metric = 'customProperties:\n          - { property: column_role, value: metric }';
  const dataset = compiledDataset([
    `logicalType: integer\n        ${metric}\n          - { property: unit, value: count }\n          - { property: value_min, value: 0 }\n          - { property: value_max, value: 9 }`,
    `${types}\n        ${metric}`,
  ]);
  expect(dataset.columns.at(-1)?.physical).toBe(read);
});

/** Each line: what some edits make of one part of the dataset. */
const parts: readonly (readonly [
  says: string,
  part: (dataset: Dataset) => unknown,
  expected: unknown,
  ...edits: readonly Edit[],
])[] = [
  ['one year', d => d.years, [2027], '2020-2024 → 2027', '[2021] → []'],
  ['a list as range', d => d.years, [2020, 2022], '2020-2024 → [2020, 2022]'],
  [
    'gaps from available_years',
    d => d.yearGaps,
    [2022],
    'year_range, value: 2020-2024 → available_years, value: [2023, 2021, 2020]',
    'year_gaps, value: [2021] → x, value: 1',
    '[2023, 2021, 2020] → [2023, 2021, 2020]',
  ],
  [
    'all three that agree',
    d => d.years,
    [2020, 2022, 2023, 2024],
    'title, value: Park visits → available_years, value: [2020, 2022, 2023, 2024]',
  ],
  [
    'years of a level: a range skips gaps',
    d => [...d.levelYears],
    [['states', [2020, 2022]]],
    'default_detail, value: areas → level_years, value: { states: 2020-2022 }',
  ],
  [
    'years of a level: a list',
    d => [...d.levelYears],
    [['states', [2024]]],
    'default_detail, value: areas → level_years, value: { states: [2024] }',
  ],
  [
    'years of a level: all is nothing to say',
    d => [...d.levelYears],
    [],
    'default_detail, value: areas → level_years, value: { states: 1990-2030 }',
  ],
  [
    'the default level is the first',
    d => d.defaultLevel,
    'states',
    'default_detail, value: areas → x, value: y',
    '[areas, states] → [states, areas]',
  ],
  ['a topic that is not in id', d => d.key, 'parks/visits', 'id: parks.visits → id: 3fa85f64-5717'],
  [
    'a default path',
    d => d.pathTemplate,
    'parks/visits/year={year}/{detail}.parquet',
    'path_template, value: "parks/visits/year={year}/{detail}.parquet" → x, value: y',
  ],
  [
    'a path with a star',
    d => d.pathTemplate,
    'p/{year}/{detail}-*.parquet',
    '"parks/visits/year={year}/{detail}.parquet" → "p/{year}/{detail}-*.parquet"',
  ],
  [
    'one level needs no {detail}',
    d => d.pathTemplate,
    'p/{year}.parquet',
    '"parks/visits/year={year}/{detail}.parquet" → "p/{year}.parquet"',
    '[areas, states] → [areas]',
  ],
  [
    'the grain from the primary key',
    d => d.grain,
    ['kind', 'year'],
    'grain, value: [year, area_code, kind] → x, value: y',
    '- name: year\n → - name: year\n        primaryKey: true\n        primaryKeyPosition: 2\n',
    '- name: kind\n → - name: kind\n        primaryKey: true\n        primaryKeyPosition: 1\n',
  ],
  [
    'a flagged key metric',
    d => d.keyMetric,
    'visits',
    'key_metric, value: visits → x, value: y',
    'unit, value: count → key_metric, value: true',
  ],
  ['no key metric', d => d.keyMetric, null, 'key_metric, value: visits → x, value: y'],
  [
    'types by their other names',
    d => d.columns[2]?.physical,
    'string',
    'physicalType: string → physicalType: VARCHAR(20)',
  ],
  [
    'a type from the physical one',
    d => [d.columns[3]?.type, d.columns[3]?.physical],
    ['number', 'double'],
    '- name: visits\n        logicalType: integer → - name: visits\n        physicalType: DECIMAL(10, 2)',
  ],
  [
    'keys without values are absent',
    d => d.keyMetric,
    null,
    'property: key_metric, value: visits → property: key_metric, value:',
    'tenant: acme → tenant:\ndescription:\ntags:',
  ],
  // allowed values
  ['enum of scalars', d => d.columns[2]?.validValues, ['all', 'a'], KINDS, enumOf('[all, a]')],
  [
    'enum of objects',
    d => d.columns[2]?.validValues,
    ['all', 'a'],
    KINDS,
    enumOf('[{ value: all, description: x }, { value: a }]'),
  ],
  [
    'enum that agrees with a rule',
    d => d.columns[2]?.validValues,
    ['walk', 'ride', 'all'],
    enumOf('[walk, ride, all]'),
  ],
  [
    'SQL NOT IN under the column',
    d => d.columns[2]?.validValues,
    ['all', "o'n"],
    [RULE, `- { type: sql, query: "kind NOT IN ('all', 'o''n')", mustBe: 0 }`],
  ],
  [
    'SQL NOT IN of the table',
    d => d.columns[2]?.validValues,
    ['all'],
    KINDS,
    [
      'query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0',
      `query: "select count(*) from \${table} where kind not in ('all')", mustBe: 0`,
    ],
  ],
  [
    'a list that is only warned of',
    d => d.columns[2]?.validValues,
    null,
    'mustBe: 0 → severity: warning, mustBe: 0',
  ],
  ['a list that may be broken', d => d.columns[2]?.validValues, null, 'mustBe: 0 → mustBeLessThan: 5'],
  // rules
  [
    'a bare condition can run',
    d => d.rules[0]?.measure,
    { kind: 'invalidValues', values: ['all'] },
    [RULE, `- { type: sql, query: "kind NOT IN ('all')", mustBe: 0 }`],
  ],
  [
    'names that are not given',
    d => d.rules.map(r => r.name),
    ['kind_invalidValues', 'rule_2'],
    'name: kinds,  → ',
    'name: some_rows,  → ',
  ],
  [
    'text rules say nothing',
    d => d.rules.length,
    1,
    '- { name: some_rows, type: sql, query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0 } → - { type: text, description: Good }',
  ],
  [
    'info counts as warning',
    d => d.rules[1]?.severity,
    'warning',
    'mustBeGreaterThan: 0 → mustBeGreaterThan: 0, severity: info',
  ],
  [
    'defaults of a rule',
    d => d.rules[0],
    expect.objectContaining({ severity: 'error', dimension: 'conformity', description: '' }),
  ],
  [
    'placeholders of other versions',
    d => d.rules[0]?.measure,
    { kind: 'sql', query: 'SELECT COUNT("kind") FROM {object}' },
    [RULE, '- { type: sql, query: "SELECT COUNT(${column}) FROM ${table}", mustBe: 0 }'],
  ],
  [
    'the deprecated name of metric',
    d => d.rules[0]?.measure,
    { kind: 'nullValues', columns: ['kind'] },
    [RULE, '- { rule: nullValues, mustBe: 0 }'],
  ],
  [
    'duplicates over columns',
    d => d.rules[1]?.measure,
    { kind: 'duplicateValues', columns: ['kind', 'year'] },
    'type: sql, query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0 → metric: duplicateValues, arguments: { properties: [kind, year] }, mustBe: 0',
  ],
  [
    'values that count as missing',
    d => d.rules[0]?.measure,
    {
      kind: 'sql',
      query: `SELECT COUNT(*) FROM {object} WHERE "kind" IS NULL OR CAST("kind" AS VARCHAR) IN ('', 'it''s')`,
    },
    [RULE, `- { metric: missingValues, arguments: { missingValues: [null, '', "it's"] }, mustBe: 0 }`],
  ],
  [
    'a pattern',
    d => d.rules[0]?.measure,
    {
      kind: 'sql',
      query: `SELECT COUNT(*) FROM {object} WHERE NOT regexp_matches(CASE WHEN typeof("kind") = 'VARCHAR' THEN CAST("kind" AS VARCHAR) ELSE regexp_replace(CAST("kind" AS VARCHAR), '\\.0$', '') END, '^a''')`,
    },
    [RULE, `- { metric: invalidValues, arguments: { pattern: "^a'" }, mustBe: 0 }`],
  ],
  [
    'an interval',
    d => d.rules[1]?.expectation,
    { operator: 'mustBeBetween', low: 1, high: 2 },
    'mustBeGreaterThan: 0 → mustBeBetween: [1, 2]',
  ],
  // joins
  [
    'all attributes unless stated',
    d => d.foreignKeys[0]?.attributeColumns,
    ['area_name'],
    ', attribute_columns: [area_name] → ',
  ],
  [
    'no attributes',
    d => d.foreignKeys[0]?.attributeColumns,
    [],
    'attribute_columns: [area_name] → attribute_columns: []',
  ],
  [
    'the published name of attribute_columns',
    d => d.foreignKeys[0]?.attributeColumns,
    [],
    'attribute_columns: [area_name] → attribute_columns_added: []',
  ],
  [
    'a join from relationships',
    d => d.foreignKeys[0]?.targetObject,
    'areas',
    noKeys,
    'string\n        customProperties: [ → string\n        relationships: [{ to: areas.area_code }]\n        customProperties: [',
  ],
  [
    'a fully qualified relationship',
    d => d.foreignKeys[0]?.targetObject,
    'areas',
    noKeys,
    'string\n        customProperties: [ → string\n        relationships: [{ to: schema/areas/properties/area_code }]\n        customProperties: [',
  ],
  [
    'a column of another name',
    d => d.foreignKeys[0],
    expect.objectContaining({ column: 'home', columns: ['home'], targetColumns: ['area_code'] }),
    'column: area_code → column: home',
    '- name: area_code → - name: home',
    '[year, area_code, kind] → [year, home, kind]',
  ],
  [
    'level keys by the role',
    d => [...d.levelKeys],
    [
      ['areas', { present: ['area_code'], absent: [] }],
      ['states', { present: [], absent: ['area_code'] }],
    ],
  ],
  [
    'level keys as stated',
    d => d.levelKeys.get('states'),
    { present: ['area_code'], absent: [] },
    'default_detail, value: areas → level_keys, value: { states: [area_code] }',
  ],
  [
    'level keys: required ones are in neither',
    d => [...d.levelKeys.values()],
    [
      { present: [], absent: [] },
      { present: [], absent: [] },
    ],
    '- name: area_code\n → - name: area_code\n        required: true\n',
  ],
];

test.each(parts.map(([says, part, expected, ...edits]) => [says, part, expected, edits] as const))(
  '%s',
  (_, part, expected, edits) => {
    expect(part(compiledDataset(...edits))).toEqual(expected);
  },
);

describe('dimensions', () => {
  test('global and domain scope', () => {
    expect(compiledDimension()).toMatchObject({
      key: 'areas',
      path: '_dimensions/areas.parquet',
      primaryKey: ['area_code'],
      attributeColumns: ['area_name'],
      linkKeys: null,
      semantics: null,
    });
    const own = compiledDimension(
      'scope, value: global → physical_basename, value: area_list',
      'status: → domain: parks\nstatus:',
    );
    expect(own).toMatchObject({
      key: 'parks/areas',
      scope: 'domain',
      path: 'parks/_dimensions/area_list.parquet',
    });
  });

  test('link keys and semantics', () => {
    const dimension = compiledDimension(
      '{ property: scope, value: global } → { property: link_keys, value: [area_name] }\n      - { property: semantics, value: { note: [1] } }',
    );
    expect(dimension.linkKeys).toEqual(['area_name']);
    expect(dimension.semantics).toEqual({ note: [1] });
    expect(dimension.columns.map(c => c.linkKey)).toEqual([false, true]);
  });

  test('link keys that another tool states as mappings', () => {
    const links = [{ column: 'area_name', target: 'places.name', via: ['x'], note: 'By name.' }];
    const dimension = compiledDimension(
      ['{ property: scope, value: global }', `{ property: link_keys, value: ${JSON.stringify(links)} }`],
      'property: column_role, value: key } → property: column_role, value: key }, { property: link_key, value: { target: places.code } }',
    );
    expect(dimension.linkKeys).toEqual(links);
    expect(dimension.columns.map(c => c.linkKey)).toEqual([{ target: 'places.code' }, false]);
    const document = dimensionDocument({ format: 'civic-tree/1.0', release: 'r' }, dimension, 'parks', 1);
    expect(document.link_keys).toEqual(links);
    expect(document.columns.map(column => column.link_key)).toEqual([{ target: 'places.code' }, undefined]);
  });

  test('link keys that are texts and lists are published too', () => {
    const dimension = compiledDimension(
      '{ property: scope, value: global } → { property: link_keys, value: [FIPS] }',
      'property: column_role, value: key } → property: column_role, value: key }, { property: link_key, value: [{ via: gnis }, by hand] }',
      '      - name: area_name\n →       - name: area_name\n        customProperties: [{ property: link_key, value: GNIS }]\n',
    );
    expect(dimension.linkKeys).toEqual(['FIPS']);
    const document = dimensionDocument({ format: 'civic-tree/1.0', release: 'r' }, dimension, 'parks', 1);
    expect(document.columns.map(column => column.link_key)).toEqual([[{ via: 'gnis' }, 'by hand'], 'GNIS']);
  });

  test('a mapping of a column alone makes it a link key', () => {
    const dimension = compiledDimension(
      'property: column_role, value: key } → property: column_role, value: key }, { property: link_key, value: { target: places.code } }',
    );
    expect(dimension.linkKeys).toEqual(['area_code']);
  });
});

describe('schema hash', () => {
  test('is the SHA-256 of the documented form', () => {
    const form =
      '{"columns":[["year","integer","year",null,null],["area_code","string","fk_area",null,null],["kind","string","categorical",null,["all","ride","walk"]],["visits","integer","metric","count",null]],"grain":["year","area_code","kind"]}';
    expect(compiledDataset().schemaHash).toBe(createHash('sha256').update(form).digest('hex'));
    const dimension =
      '{"columns":[["area_code","string","key",null,null],["area_name","string","attribute",null,null]],"grain":["area_code"]}';
    expect(compiledDimension().schemaHash).toBe(createHash('sha256').update(dimension).digest('hex'));
  });

  test('prose does not change it, the schema does', () => {
    const hash = compiledDataset().schemaHash;
    expect(compiledDataset('value: Park visits → value: Other').schemaHash).toBe(hash);
    expect(compiledDataset('[all, walk, ride] → [ride, walk, all]').schemaHash).toBe(hash);
    expect(compiledDataset('unit, value: count → unit, value: score').schemaHash).not.toBe(hash);
    const stating = (stated: string) =>
      withDataset(['title, value: Park visits', `schema_hash, value: ${stated}`]);
    // One of ours that is right, and those of other tools.
    for (const stated of [
      `"civic-tree:${hash}"`,
      hash,
      'abc',
      `"sha256:${'0'.repeat(64)}"`,
      '{ md5: abc }',
    ]) {
      const { contracts, diagnostics } = parseContracts(stating(stated));
      expect(diagnostics).toEqual([]);
      expect(contracts.datasets[0]?.schemaHash).toBe(hash);
    }
  });
});

test('two rules of one name both run, and each has a name of its own', () => {
  const dataset = compiledDataset('name: some_rows → name: kinds');
  expect(dataset.rules.map(rule => [rule.name, rule.measure.kind])).toEqual([
    ['kinds', 'invalidValues'],
    ['kinds_2', 'sql'],
  ]);
});
