import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { parseNotIn } from '../../build/contract/quality-rules.ts';
import { dimensionDocument } from '../../build/contract/schema-document.ts';
import { deriveLevelKeys } from '../../build/contract/years-and-levels.ts';
import { INSTRUMENTS, MONTHS, QUARTERS, READINGS } from '../publishers/air.ts';
import { dimension } from '../publishers/contract-text.ts';
import {
  codes,
  compiledDataset,
  compiledDimension,
  type Edit,
  edit,
  file,
  withDataset,
} from './base-contract.ts';

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

const RULE =
  '- { name: kinds, type: library, metric: invalidValues, arguments: { validValues: [all, walk, ride] }, mustBe: 0 }';
const NO_RULE = `        quality:\n          ${RULE}\n → `;
const NO_KEYS =
  '      - property: foreign_keys\n        value:\n          - { column: area_code, target_object: areas, target_columns: [area_code], attribute_columns: [area_name], scope: global }\n → ';
const TYPED = '- name: visits\n        logicalType: integer → - name: visits\n        logicalType:';

/** The value of a part of the dataset after some edits. */
const PARTS: readonly string[] = [
  'one year: years = [2027] | 2020-2024 → 2027 | [2021] → []',
  'a list as range: years = [2020,2022] | 2020-2024 → [2020, 2022]',
  'gaps from available_years: yearGaps = [2022] | year_range, value: 2020-2024 → available_years, value: [2023, 2021, 2020] | year_gaps, value: [2021] → x, value: 1 | [2023, 2021, 2020] → [2023, 2021, 2020]',
  'all three that agree: years = [2020,2022,2023,2024] | title, value: Park visits → available_years, value: [2020, 2022, 2023, 2024]',
  'years of a level: a range skips gaps: levelYears = {"states":[2020,2022]} | default_detail, value: areas → level_years, value: { states: 2020-2022 }',
  'years of a level: a list: levelYears = {"states":[2024]} | default_detail, value: areas → level_years, value: { states: [2024] }',
  'years of a level: all is nothing to say: levelYears = {} | default_detail, value: areas → level_years, value: { states: 1990-2030 }',
  'the default level is the first: defaultLevel = "states" | default_detail, value: areas → x, value: y | [areas, states] → [states, areas]',
  'a topic that is not in id: key = "parks/visits" | id: parks.visits → id: 3fa85f64-5717',
  'a default path: pathTemplate = "parks/visits/year={year}/{detail}.parquet" | path_template, value: "parks/visits/year={year}/{detail}.parquet" → x, value: y',
  'a path with a star: pathTemplate = "p/{year}/{detail}-*.parquet" | "parks/visits/year={year}/{detail}.parquet" → "p/{year}/{detail}-*.parquet"',
  'one level needs no {detail}: pathTemplate = "p/{year}.parquet" | "parks/visits/year={year}/{detail}.parquet" → "p/{year}.parquet" | [areas, states] → [areas]',
  'the grain from the primary key: grain = ["kind","year"] | grain, value: [year, area_code, kind] → x, value: y | - name: year\n → - name: year\n        primaryKey: true\n        primaryKeyPosition: 2\n | - name: kind\n → - name: kind\n        primaryKey: true\n        primaryKeyPosition: 1\n',
  'a flagged key metric: keyMetric = "visits" | key_metric, value: visits → x, value: y | unit, value: count → key_metric, value: true',
  'a type from the physical one: columns.3.physical = "double" | - name: visits\n        logicalType: integer → - name: visits\n        physicalType: DECIMAL(10, 2)',
  'keys without values are absent: keyMetric = null | property: key_metric, value: visits → property: key_metric, value: | tenant: acme → tenant:\ndescription:\ntags:',
  `enum of objects: columns.2.validValues = ["all","a"] | ${NO_RULE} |         examples: [all]\n →         enum: [{ value: all, description: x }, { value: a }]\n`,
  `enum of 3.2: columns.2.valueLabels = {"all":"All","walk":"On foot"} | ${NO_RULE} |         examples: [all]\n →         enum: [{ value: all, label: " All" }, { value: walk }, { value: null, label: x }]\n | has_total, value: true } → value_labels, value: { all: All, walk: On foot } }`,
  'enum that agrees with a rule: columns.2.validValues = ["walk","ride","all"] |         examples: [all]\n →         enum: [walk, ride, all]\n',
  `SQL NOT IN under the column: columns.2.validValues = ["all","o'n"] | ${RULE} → - { type: sql, query: "kind NOT IN ('all', 'o''n')", mustBe: 0 }`,
  `SQL NOT IN of the table: columns.2.validValues = ["all"] | ${NO_RULE} | query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0 → query: "select count(*) from \${table} where kind not in ('all')", mustBe: 0`,
  'a list that is only warned of: columns.2.validValues = null | mustBe: 0 → severity: warning, mustBe: 0',
  'a list that may be broken: columns.2.validValues = null | mustBe: 0 → mustBeLessThan: 5',
  `a bare condition can run: rules.0.measure = {"kind":"invalidValues","values":["all"]} | ${RULE} → - { type: sql, query: "kind NOT IN ('all')", mustBe: 0 }`,
  'names that are not given: rules.0.name = "kind_invalidValues" | name: kinds,  →  | name: some_rows,  → ',
  'text rules say nothing: rules.length = 1 | - { name: some_rows, type: sql, query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0 } → - { type: text, description: Good }',
  'info counts as warning: rules.1.severity = "warning" | mustBeGreaterThan: 0 → mustBeGreaterThan: 0, severity: info',
  'defaults of a rule: rules.0.dimension = "conformity"',
  `placeholders of other versions: rules.0.measure = {"kind":"sql","query":"SELECT COUNT(\\"kind\\") FROM {object}"} | ${RULE} → - { type: sql, query: "SELECT COUNT(\${column}) FROM \${table}", mustBe: 0 }`,
  `the deprecated name of metric: rules.0.measure = {"kind":"nullValues","columns":["kind"]} | ${RULE} → - { rule: nullValues, mustBe: 0 }`,
  'duplicates over columns: rules.1.measure = {"kind":"duplicateValues","columns":["kind","year"]} | type: sql, query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0 → metric: duplicateValues, arguments: { properties: [kind, year] }, mustBe: 0',
  `values that count as missing: rules.0.measure = {"kind":"sql","query":"SELECT COUNT(*) FROM {object} WHERE \\"kind\\" IS NULL OR CAST(\\"kind\\" AS VARCHAR) IN ('', 'it''s')"} | ${RULE} → - { metric: missingValues, arguments: { missingValues: [null, '', "it's"] }, mustBe: 0 }`,
  `a pattern: rules.0.measure = {"kind":"sql","query":"SELECT COUNT(*) FROM {object} WHERE NOT regexp_matches(CASE WHEN typeof(\\"kind\\") = 'VARCHAR' THEN CAST(\\"kind\\" AS VARCHAR) ELSE regexp_replace(CAST(\\"kind\\" AS VARCHAR), '\\\\.0$', '') END, '^a''')"} | ${RULE} → - { metric: invalidValues, arguments: { pattern: "^a'" }, mustBe: 0 }`,
  'an interval: rules.1.expectation = {"operator":"mustBeBetween","low":1,"high":2} | mustBeGreaterThan: 0 → mustBeBetween: [1, 2]',
  'all attributes unless stated: foreignKeys.0.attributeColumns = ["area_name"] | , attribute_columns: [area_name] → ',
  'no attributes: foreignKeys.0.attributeColumns = [] | attribute_columns: [area_name] → attribute_columns: []',
  'the published name of attribute_columns: foreignKeys.0.attributeColumns = [] | attribute_columns: [area_name] → attribute_columns_added: []',
  `a join from relationships: foreignKeys.0.targetObject = "areas" | ${NO_KEYS} | string\n        customProperties: [ → string\n        relationships: [{ to: areas.area_code }]\n        customProperties: [`,
  `a fully qualified relationship: foreignKeys.0.targetObject = "areas" | ${NO_KEYS} | string\n        customProperties: [ → string\n        relationships: [{ to: schema/areas/properties/area_code }]\n        customProperties: [`,
  'a column of another name: foreignKeys.0.columns = ["home"] | column: area_code → column: home | - name: area_code → - name: home | [year, area_code, kind] → [year, home, kind]',
  'level keys by the role: levelKeys = {"areas":{"present":["area_code"],"absent":[]},"states":{"present":[],"absent":["area_code"]}}',
  `level keys as stated: levelKeys.states = {"present":["area_code"],"absent":[]} | default_detail, value: areas → level_keys, value: { states: [area_code] }`,
  'level keys: required ones are in neither: levelKeys.areas = {"present":[],"absent":[]} | - name: area_code\n → - name: area_code\n        required: true\n',
  `a type of another database: columns.3.physical = "bigint" | ${TYPED} integer\n        physicalType: NUMBER(38, 0)`,
  `a sign of its own: columns.3.physical = "bigint" | ${TYPED} integer\n        physicalType: INTEGER UNSIGNED`,
  `its fractions: columns.3.physical = "double" | ${TYPED} number\n        physicalType: NUMBER(38, 2)`,
  'its texts: columns.2.physical = "string" | physicalType: string → physicalType: NVARCHAR(9)',
];

/** The same for a dimension. */
const LINKS = [{ column: 'area_name', target: 'places.name', via: ['x'], note: 'By name.' }, 'FIPS'];
const ROLE = 'property: column_role, value: key }';
const SCOPE = '{ property: scope, value: global }';
const DIMENSION_PARTS: readonly string[] = [
  'of all domains: key = "areas"',
  'of all domains: path = "_dimensions/areas.parquet"',
  'of all domains: primaryKey = ["area_code"]',
  'of all domains: attributeColumns = ["area_name"]',
  'without links: linkKeys = null',
  'without semantics: semantics = null',
  'of a domain: key = "parks/areas" | scope, value: global → x, value: y | status: → domain: parks\nstatus:',
  'of a domain: scope = "domain" | scope, value: global → x, value: y | status: → domain: parks\nstatus:',
  'of a file of another name: path = "_dimensions/area_list.parquet" | scope, value: global → scope, value: global }\n      - { property: physical_basename, value: area_list',
  `semantics: semantics = {"note":[1]} | ${SCOPE} → ${SCOPE}\n      - { property: semantics, value: { note: [1] } }`,
  `links as columns: linkKeys = ["area_name"] | ${SCOPE} → { property: link_keys, value: [area_name] }`,
  `links as columns: columns.1.linkKey = true | ${SCOPE} → { property: link_keys, value: [area_name] }`,
  // A mapping on a column makes it one.
  `a link of a column: linkKeys = ["area_code"] | ${ROLE} → ${ROLE}, { property: link_key, value: { target: places.code } }`,
  `links of other tools: linkKeys = ${JSON.stringify(LINKS)} | ${SCOPE} → { property: link_keys, value: ${JSON.stringify(LINKS)} }`,
];

test.each([...PARTS, ...DIMENSION_PARTS])('%s', row => {
  const [told = '', ...edits] = row.split(' | ');
  const [, part = '', expected = ''] = /: ([\w.]+) = (.*)$/.exec(told) ?? [];
  const flat = (_: string, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value);
  const compile = DIMENSION_PARTS.includes(row) ? compiledDimension : compiledDataset;
  const compiled: unknown = JSON.parse(JSON.stringify(compile(...edits), flat));
  expect(compiled).toHaveProperty(part, JSON.parse(expected));
});

test('a dimension is published with its links, as texts and lists too', () => {
  const dimension = compiledDimension(
    [SCOPE, `{ property: link_keys, value: ${JSON.stringify(LINKS)} }`],
    [ROLE, `${ROLE}, { property: link_key, value: [{ via: gnis }, by hand] }`],
    '- name: area_name\n → - name: area_name\n        customProperties: [{ property: link_key, value: GNIS }]\n',
  );
  const document = dimensionDocument({ format: 'civic-tree/2.1', release: 'r' }, dimension, 'parks', 1);
  expect(document.link_keys).toEqual(LINKS);
  expect(document.columns.map(column => column.link_key)).toEqual([[{ via: 'gnis' }, 'by hand'], 'GNIS']);
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
    // A right hash of ours, and hashes of other tools.
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

test('two rules of the same name both run under distinct names', () => {
  const dataset = compiledDataset('name: some_rows → name: kinds');
  expect(dataset.rules.map(rule => [rule.name, rule.measure.kind])).toEqual([
    ['kinds', 'invalidValues'],
    ['kinds_2', 'sql'],
  ]);
});

/** A SQL rule, and the column and the values that it allows as JSON; `null` for another kind of rule. */
const NOT_IN = `
a NOT IN ('x', 'y')                                      → a ["x","y"]
COUNT "a b" not in ('it''s', 'y') ;                      → a b ["it's","y"]
COUNT a IS NOT NULL AND a NOT IN (1, -2.5, true)         → a [1,-2.5,true]
COUNT a NOT IN ('x') AND a IS NOT NULL                   → a ["x"]
COUNT b IS NOT NULL AND a NOT IN ('x')                   → null
COUNT a NOT IN ('x') AND b IS NOT NULL                   → null
COUNT a NOT IN ('x') AND b > 1                           → null
COUNT a NOT IN ('x') OR a IS NULL                        → null
COUNT a IN ('x')                                         → null
COUNT NOT a IN ('x')                                     → null
COUNT a NOT IN ()                                        → null
COUNT a NOT IN ('x', NULL)                               → null
COUNT a NOT IN ('x' 'y')                                 → null
COUNT a NOT IN ('x',)                                    → null
COUNT a NOT IN ('x'                                      → null
COUNT a NOT IN ('x)                                      → null
COUNT a NOT IN (SELECT b FROM c)                         → null
SELECT COUNT(a) FROM {object} WHERE a NOT IN ('x')       → null
SELECT COUNT(*) FROM other WHERE a NOT IN ('x')          → null`;

test.each(NOT_IN.trim().split('\n'))('%s', line => {
  const [sql = '', allowed] = line.split(/ +→ /);
  const rule = parseNotIn(sql.replace('COUNT ', 'select Count(*) FROM {object} WHERE\n'));
  expect(rule === null ? 'null' : `${rule.column} ${JSON.stringify(rule.values)}`).toBe(allowed);
});

const column = (name: string, role: string, nullable = true) => ({ name, role, nullable });
const join = (targetObject: string, ...columns: string[]) => ({
  targetObject,
  columns,
  column: columns.at(-1)!,
});
const EDUCATION = {
  placeColumns: ['district_code', 'school_code'],
  columns: [column('district_code', 'fk_district'), column('school_code', 'fk_school')],
  foreignKeys: [join('districts', 'district_code'), join('schools', 'district_code', 'school_code')],
};
const CENSUS = {
  placeColumns: ['county_fips', 'district_code'],
  columns: [column('county_fips', 'fk_county'), column('district_code', 'fk_district', false)],
  foreignKeys: [join('fips_counties', 'county_fips'), join('districts', 'district_code')],
};

/** A level, and the place columns that its rows have and lack. */
test.each([
  [EDUCATION, 'schools', ['district_code', 'school_code'], []],
  [EDUCATION, 'districts', ['district_code'], ['school_code']],
  [EDUCATION, 'states', [], ['district_code', 'school_code']],
  [CENSUS, 'counties', ['county_fips'], []],
  [CENSUS, 'fips_counties', ['county_fips'], []],
  [CENSUS, 'districts', [], ['county_fips']],
])('level keys: %o %s', (dataset, level, present, absent) => {
  expect(deriveLevelKeys({ ...dataset, levels: [level] }).get(level)).toEqual({ present, absent });
});

const STATIONS = dimension('air', 'stations', ['station_code'], 'station_name');

function compile(text: string, ...edits: readonly Edit[]) {
  return parseContracts([file('a.yaml', edit(text, ...edits).text), file('stations.yaml', STATIONS)]);
}

const YEAR =
  'properties: → properties:\n      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }';

test.each([
  ['days', READINGS, { unit: 'day', column: 'date', yearColumn: 'year' }, 'year date'],
  ['months', MONTHS, { unit: 'month', column: 'month', yearColumn: 'year' }, 'year month'],
  ['quarters', QUARTERS, { unit: 'quarter', column: 'quarter', yearColumn: 'year' }, 'year quarter'],
  [
    'a year of the lake',
    edit(MONTHS, YEAR).text,
    { unit: 'month', column: 'month', yearColumn: 'year' },
    'year null',
  ],
  ['no time', INSTRUMENTS, { unit: 'none', column: null, yearColumn: null }, 'station_code null'],
])('the time of a dataset: %s', (_, text, time, first) => {
  const [dataset] = compile(text).contracts.datasets;
  const { years, pathTemplate, columns } = dataset!;
  expect(dataset!.time).toEqual(time);
  // If the lake has no year, the build derives it.
  expect(`${columns[0]?.name} ${columns[0]?.derivedFrom}`).toBe(first);
  expect(columns.filter(({ name }) => name === 'year')).toHaveLength(time.column === null ? 0 : 1);
  if (time.column !== null) return expect(years.length).toBeGreaterThan(1);
  expect([years, pathTemplate]).toEqual([[0], 'air/instruments/{detail}.parquet']);
});

const NUMBERS = 'name: quarter\n        logicalType: string → name: quarter\n        logicalType: number';
test.each([
  ['a time of numbers', QUARTERS, NUMBERS],
  ['a time that may be NULL', MONTHS, 'required: true → required: false'],
  ['a text without its unit', QUARTERS, ', { property: time_unit, value: quarter } → '],
  ['a text of days', QUARTERS, 'time_unit, value: quarter → time_unit, value: day'],
])('%s is refused', (_, text, change) => {
  expect(codes(compile(text, change)).join()).toMatch(/ error time-column/);
});
