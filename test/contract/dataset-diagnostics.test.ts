import { expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { codes, DATASET, DIMENSION, type Edit, edit, file, PUBLISHER } from './base-contract.ts';

/** Each line: the one diagnostic that these edits of the dataset's contract cause, at the mark ¦. */
const cases: readonly (readonly [code: string, ...edits: readonly Edit[]])[] = [
  // shape
  ['contract-type', 'version: 1.0.0 → version: ¦1.0'],
  ['contract-type', 'required: true\n        examples → required: ¦sure\n        examples'],
  ['contract-type', 'value: [areas, states] → value: ¦areas'],
  ['contract-type', 'value: areas } → value: ¦5 }'],
  ['contract-type', 'property: value_min, value: 0 → property: value_min, value: ¦.inf'],
  ['contract-type', 'value: [year, area_code, kind] → value: [year, area_code, ¦3]'],
  ['contract-type', 'domain: parks → domain: ¦[parks]'],
  ['contract-type', 'examples: [all] → examples: ¦all'],
  ['contract-type', '      - name: visits\n →       - ¦visits\n      - name: visits\n'],
  [
    'contract-missing',
    '  - name: visits\n    custom →   - ¦custom',
    'property: key_metric, value: visits → property: k, value: 1',
  ],
  [
    'contract-missing',
    '      - name: kind\n         →       - ¦',
    'year, area_code, kind] → year, area_code]',
  ],
  ['contract-missing', '- { column: area_code, target_object: areas, → - ¦{ column: area_code,'],
  ['contract-value', 'apiVersion: v3.1.0 → apiVersion: ¦v4.0.0'],
  ['contract-value', 'value: [areas, states] → value: [areas, states, ¦areas]'],
  ['contract-value', 'mustBe: 0 → mustBe: 0, severity: ¦fatal'],
  ['contract-value', 'scope: global → scope: ¦globe'],
  ['contract-value', 'property: unit, value: count → property: metric_component, value: ¦nominator'],
  [
    'custom-property-duplicate',
    '{ property: year_gaps, value: [2021] } → { property: ¦title, value: Other }',
  ],
  ['contract-type', 'property: value_min, value: 0 → property: missing_values, value: ¦"*"'],
  ['contract-type', 'property: value_min, value: 0 → property: missing_values, value: [¦true]'],
  [
    'file-layout',
    '      - { property: default_detail, value: areas } →       - { property: file_layout, value: { year_columns: { visit: ¦"v_{year}" } } }\n      - { property: default_detail, value: areas }',
  ],
  [
    'contract-value',
    '      - { property: default_detail, value: areas } →       - { property: file_layout, value: { year_columns: { visits: ¦v_2019 } } }\n      - { property: default_detail, value: areas }',
  ],
  ['missing-values', 'has_total, value: true } → missing_values, value: ¦["*"] }'],
  // readers' words
  ['headline-value', 'has_total, value: true } → headline_value, value: ¦wlak }'],
  [
    'contract-type',
    'has_total, value: true } → has_total, value: true }\n          - { property: value_labels, value: { walk: ¦7 } }',
  ],
  ['contract-value', 'title, value: Park visits → synonyms, value: [parks, ¦" "]'],
  [
    'question-view',
    '  - { property: title, value: Park visits } →   - { property: questions, value: [{ question: Why?, view: ¦"https://a.example/" }] }',
  ],
  // names
  ['name-invalid', 'domain: parks → domain: ¦../etc', 'id: parks. → id: x.'],
  ['name-invalid', 'domain: parks → domain: ¦Parks'],
  ['name-invalid', 'domain: parks → domain: ¦datasets'],
  ['name-invalid', 'domain: parks → domain: ¦"a\\x01b"'],
  ['name-invalid', 'id: parks.visits → id: ¦parks.a/b'],
  ['name-invalid', 'id: parks.visits → id: ¦parks...'],
  ['name-invalid', 'id: parks.visits → id: ¦parks.'],
  [
    'name-invalid',
    'id: parks.visits → id: 7f3c',
    '- name: visits\n    custom → - name: ¦__proto__\n    custom',
  ],
  ['name-invalid', 'value: [areas, states] → value: [areas, ¦..]'],
  // columns
  [
    'column-name',
    '      - name: visits\n →       - name: ¦"no\\nline"\n',
    'key_metric, value: visits → x, value: y',
  ],
  [
    'column-duplicate',
    '      - name: visits\n →       - name: ¦KIND\n',
    'key_metric, value: visits → x, value: y',
  ],
  ['column-type', 'string\n        physicalType: string → ¦strng'],
  ['column-type', 'physicalType: string → physicalType: ¦geometry'],
  ['column-type', 'physicalType: int\n → physicalType: ¦double\n'],
  ['column-type', '      - name: visits\n        logicalType: integer\n →       - ¦name: visits\n'],
  ['column-role', 'value: metric → value: ¦metrics'],
  ['column-role', 'value: fk_area → value: ¦fk_'],
  [
    'year-column',
    'value: categorical → value: year',
    '        required: true\n        examples: [all] →         required: true',
    '- name: kind\n        logicalType: string\n        physicalType: string → - ¦name: kind\n        logicalType: integer',
    '          - { property: has_total, value: true }\n        quality:\n          - { name: kinds, type: library, metric: invalidValues, arguments: { validValues: [all, walk, ride] }, mustBe: 0 }\n → ',
  ],
  ['year-column', 'required: true\n        customProperties → required: ¦false\n        customProperties'],
  ['year-column', 'integer\n        physicalType: int → ¦string'],
  ['value-range', 'value: 9 → value: ¦-1'],
  [
    'total-value',
    'has_total, value: true → has_total, value: ¦true',
    '[all, walk, ride] → [walk, ride]',
    'examples: [all] → examples: [walk]',
  ],
  ['total-value', 'has_total, value: true → total_value, value: ¦al'],
  ['key-metric', 'key_metric, value: visits → key_metric, value: ¦vists'],
  ['key-metric', 'key_metric, value: visits → key_metric, value: ¦kind'],
  [
    'key-metric',
    'unit, value: count → key_metric, value: true',
    'key_metric, value: visits → key_metric, value: ¦kind',
  ],
  [
    'key-metric',
    'unit, value: count → key_metric, value: ¦true',
    'has_total, value: true → key_metric, value: true',
  ],
  // grain
  ['grain-unknown-column', '[year, area_code, kind] → [year, ¦area_cod, kind]'],
  [
    'grain-mismatch',
    '[year, area_code, kind] → ¦[year, area_code, kind]',
    '      - name: kind\n →       - name: kind\n        primaryKey: true\n        primaryKeyPosition: 1\n',
  ],
  [
    'primary-key-position',
    '- { property: grain, value: [year, area_code, kind] } → - { property: x, value: y }',
    '- name: kind\n → - name: kind\n        primaryKey: true\n        primaryKeyPosition: ¦1\n',
    '- name: year\n → - name: year\n        primaryKey: true\n        primaryKeyPosition: 1\n',
  ],
  // years and levels
  ['years-invalid', 'value: 2020-2024 → value: ¦2024-2020'],
  ['years-invalid', 'value: 2020-2024 → value: ¦1-2024'],
  ['years-invalid', 'value: 2020-2024 → value: ¦recently'],
  ['years-invalid', 'value: 2020-2024 → value: ¦[2020, 2021, 2024]'],
  ['years-invalid', 'year_gaps, value: [2021] → year_gaps, value: ¦[20211]'],
  ['years-inconsistent', 'year_gaps, value: [2021] → year_gaps, value: ¦[2019]'],
  ['years-inconsistent', 'year_gaps, value: [2021] → available_years, value: ¦[2020, 2021, 2022, 2023]'],
  [
    'years-inconsistent',
    'title, value: Park visits → available_years, value: ¦[2020, 2021, 2022, 2023, 2024]',
  ],
  ['years-inconsistent', 'default_detail, value: areas → level_years, value: { areas: ¦[2019] }'],
  ['years-inconsistent', 'default_detail, value: areas → level_years, value: { areas: ¦1990-1999 }'],
  // comparability
  ['contract-missing', 'default_detail, value: areas → series_breaks, value: [¦{ after: 2022 }]'],
  ['contract-value', 'default_detail, value: areas → pooled_years, value: ¦1'],
  ['series-break', 'default_detail, value: areas → series_breaks, value: [{ after: ¦2024, reason: New. }]'],
  [
    'series-break',
    'default_detail, value: areas → series_breaks, value: [{ after: 2022, reason: New. }, { after: ¦2022, reason: Newer. }]',
  ],
  [
    'series-break',
    'default_detail, value: areas → series_breaks, value: [{ after: 2022, reason: New., levels: [¦area] }]',
  ],
  [
    'series-break',
    'property: unit, value: count → property: series_breaks, value: [{ after: ¦1990, reason: New. }]',
  ],
  ['level-unknown', 'default_detail, value: areas → default_detail, value: ¦area'],
  ['level-unknown', 'default_detail, value: areas → level_years, value: { area: ¦2020-2022 }'],
  ['level-unknown', 'default_detail, value: areas → level_keys, value: { area: ¦[area_code] }'],
  ['level-keys', 'default_detail, value: areas → level_keys, value: { areas: [¦kind] }'],
  // paths
  ...[
    '/etc/{year}/{detail}',
    '../{year}/{detail}',
    'a/../{year}{detail}',
    'a//{year}{detail}',
    's3://a/{year}{detail}',
    'a\\\\{year}{detail}',
    'a/{year}/{detail}\\x01',
    'a/{year}',
    '{year}/{detail}/{x}',
    '**/{year}/{detail}',
    '{year}/{detail}?',
    './{year}/{detail}',
  ].map(path => ['path-invalid', ['"parks/visits/year={year}/{detail}.parquet"', `¦"${path}"`]] as const),
  // allowed values
  [
    'allowed-values-disagree',
    '        examples: [all]\n →         examples: [all]\n        enum: [all, walk]\n',
    '- { name: kinds → - ¦{ name: kinds',
  ],
  [
    'allowed-values-disagree',
    "    quality:\n      - { →     quality:\n      - ¦{ type: sql, query: kind NOT IN ('all'), mustBe: 0 }\n      - {",
  ],
  ['allowed-values-type', '- { name: kinds → - ¦{ name: kinds', 'ride] → 1]'],
  [
    'allowed-values-type',
    '        logicalType: integer\n        customProperties:\n →         logicalType: integer\n        enum: ¦[a]\n        customProperties:\n',
  ],
  [
    'allowed-values-type',
    '- { name: kinds → - ¦{ name: kinds',
    'ride] → 1]',
    'mustBe: 0 } → mustBeLessThan: 5 }',
  ],
  ['allowed-values-text', '- { name: kinds → - ¦{ name: kinds', 'ride] → "ri\\rde"]'],
  // rules
  ['rule-operator', 'mustBeGreaterThan: 0 → ¦mustBeGreatrThan: 0'],
  [
    'rule-operator',
    '- { name: some_rows → - ¦{ name: some_rows',
    'mustBeGreaterThan: 0 → mustBe: 1, mustNotBe: 2',
  ],
  ['rule-operator', '- { name: some_rows → - ¦{ name: some_rows', ', mustBeGreaterThan: 0 → '],
  ['rule-operator', 'mustBeGreaterThan: 0 → mustBe: ¦none'],
  ['rule-operator', 'mustBeGreaterThan: 0 → mustBeBetween: ¦[5, 1]'],
  ['rule-metric', 'metric: invalidValues → metric: ¦invalidValue'],
  [
    'rule-metric',
    '- { name: some_rows, type: sql, query: "SELECT COUNT(*) FROM {object}" → - ¦{ name: some_rows',
  ],
  [
    'rule-arguments',
    '- { name: kinds → - ¦{ name: kinds',
    ' arguments: { validValues: [all, walk, ride] }, → ',
  ],
  [
    'rule-arguments',
    'type: sql, query: "SELECT COUNT(*) FROM {object}" → metric: duplicateValues, arguments: { properties: [kind, ¦knd] }',
  ],
  [
    'rule-arguments',
    '- { name: some_rows → - ¦{ name: some_rows',
    'type: sql, query: "SELECT COUNT(*) FROM {object}" → metric: nullValues',
  ],
  ['rule-query', 'query: "SELECT COUNT(*) FROM {object}" → query: ¦DROP TABLE x'],
  ['rule-query', 'query: "SELECT COUNT(*) FROM {object}" → query: ¦"SELECT {property} FROM {object}"'],
  ['rule-query', `query: "SELECT COUNT(*) FROM {object}" → query: ¦color NOT IN ('a')`],
  ['rule-query', '- { name: some_rows → - ¦{ name: some_rows', ' query: "SELECT COUNT(*) FROM {object}", → '],
  // joins
  [
    'foreign-key-missing',
    '      - name: area_code\n →       - ¦name: area_code\n',
    '{ column: area_code, target_object: areas, target_columns: [area_code], attribute_columns: [area_name], scope: global } → []',
    '          - []\n →           []\n',
  ],
  [
    'foreign-key-column',
    'column: area_code → column: ¦area_cod',
    'logicalType: string\n        customProperties: [ → logicalType: string\n        relationships: [{ to: areas.area_code }]\n        customProperties: [',
  ],
  [
    'foreign-key-column',
    'column: area_code → column: ¦kind',
    'logicalType: string\n        customProperties: [ → logicalType: string\n        relationships: [{ to: areas.area_code }]\n        customProperties: [',
  ],
  [
    'foreign-key-duplicate',
    '          - { column: area_code →           - { column: area_code, target_object: areas }\n          - { column: ¦area_code',
  ],
  [
    'foreign-key-target',
    '- { column → - ¦{ column',
    'target_columns: [area_code] → target_columns: [area_name]',
  ],
  [
    'foreign-key-type',
    '- { column → - ¦{ column',
    'area_code\n        logicalType: string → area_code\n        logicalType: integer',
  ],
  ['attribute-unknown', '- { column → - ¦{ column', '[area_name] → [area_nam]'],
  [
    'attribute-collision',
    '- { column → - ¦{ column',
    '      - name: visits\n →       - name: Area_Name\n',
    'key_metric, value: visits → x, value: y',
  ],
  ['dimension-unknown', 'target_object: areas → target_object: ¦ares'],
  ['dimension-unknown', 'target_object: areas → target_object: ¦__proto__'],
];

test.each(cases.map((c, i) => [c[0], i, c.slice(1) as readonly Edit[]] as const))(
  '%s (%i)',
  (code, _, edits) => {
    const { text, mark } = edit(DATASET, ...edits);
    const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
    expect(codes(result)).toEqual([`visits.yaml:${mark} error ${code}`]);
    expect(result.contracts.datasets).toEqual([]);
    expect(result.diagnostics[0]?.message).toMatch(/^[^\n\0]{20,500}$/);
  },
);

const warnings: readonly (readonly [code: string, ...edits: readonly Edit[]])[] = [
  ['grain-metric', '[year, area_code, kind] → [year, area_code, kind, ¦visits]'],
  [
    'rule-not-run',
    '- { name: some_rows → - ¦{ type: custom, engine: soda, implementation: x }\n      - { name: some_rows',
  ],
  ['rule-not-run', 'mustBe: 0 → mustBeLessThan: 5, unit: ¦percent'],
  ['example-type', 'examples: [all] → examples: [¦601]'],
  [
    'year-example',
    'customProperties: [{ property: column_role, value: year }] → examples: [¦2021]\n        customProperties: [{ property: column_role, value: year }]',
  ],
  [
    'total-contradiction',
    'has_total, value: true } → has_total, value: false }\n          - { property: total_value, value: ¦all }',
  ],
  [
    'value-label',
    'has_total, value: true } → has_total, value: true }\n          - { property: value_labels, value: { walk: On foot, rid: ¦By bike } }',
  ],
  [
    'headline-value',
    'has_total, value: true } → has_total, value: true }\n          - { property: headline_value, value: ¦walk }',
  ],
  ['duplicate-rule', 'name: some_rows → name: ¦kinds'],
  ['schema-hash-stale', 'title, value: Park visits → schema_hash, value: ¦"civic-tree:abc"'],
  ['foreign-key-scope', '- { column → - ¦{ column', 'scope: global → scope: domain'],
  ['allowed-values-list', '- { name: kinds → - ¦{ name: kinds', 'ride] → "ri,de"]'],
  ['allowed-values-list', '- { name: kinds → - ¦{ name: kinds', 'ride] → ""]'],
];

test.each(warnings.map(c => [c[0], c.slice(1) as readonly Edit[]] as const))('warning %s', (code, edits) => {
  const { text, mark } = edit(DATASET, ...edits);
  const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
  expect(codes(result)).toEqual([`visits.yaml:${mark} warning ${code}`]);
  expect(result.contracts.datasets).toHaveLength(1);
});

test.each([
  [
    'park/visits',
    "but no contract describes that dataset (did you mean 'parks/visits'?): name it as domain/topic",
  ],
  ['parks/visits', "which has no column 'area_name': remove the column, or add it there"],
])('a dimension of the rows of %s', (rowsOf, message) => {
  const kind = '- { property: entity_kind, value: dimension }';
  const { text } = edit(DIMENSION, [kind, `${kind}\n      - { property: rows_of, value: ${rowsOf} }`]);
  const { diagnostics } = parseContracts([file('visits.yaml', DATASET), file('areas.yaml', text), PUBLISHER]);
  expect(diagnostics.map(one => `${one.code} ${one.message}`)).toEqual([
    `rows-of rows_of names '${rowsOf}', ${message}`,
  ]);
});
