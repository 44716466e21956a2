import { expect, test } from 'vitest';
import { type Diagnostic, formatCauses, formatDiagnostic } from '../../build/contract/diagnostic.ts';
import { type ContractFile, parseContracts } from '../../build/contract/parse-contracts.ts';
import { parseTimeFormat } from '../../build/contract/text-form.ts';
import { NO_YEAR } from '../../build/format/paths.ts';
import { codes, DATASET, DIMENSION, type Edit, edit, file, PUBLISHER, withDataset } from './base-contract.ts';

/** Templates that lead elsewhere or lack the year or the level. */
const PATHS = [
  ...['/etc/{year}/{detail}', '../{year}/{detail}', 'a/../{year}{detail}', 'a//{year}{detail}'],
  ...['s3://a/{year}{detail}', 'a\\\\{year}{detail}', 'a/{year}/{detail}\\x01', 'a/{year}'],
  ...['{year}/{detail}/{x}', '**/{year}/{detail}', '{year}/{detail}?', './{year}/{detail}'],
];

const RETIRED = 'status: active → status: retired';
const TITLE = '{ property: title, value: Park visits } →';

/** Spells out a notice in place of the title. */
const noticed = (row: string) =>
  row
    .replace('WITHDRAWN', `${TITLE} { property: withdrawn, value:`)
    .replace('ERRATA', `${TITLE} { property: errata, value: [{`)
    .replace('DAY', 'date: 2031-06-01, reason: x')
    .replace('DATED', 'date: 2031-05-20, wrong: a, corrected: b');

/** The only diagnostic of a dataset's contract, and the edits that cause it, with the mark ¦ at its place. */
const DATASETS: readonly string[] = [
  'contract-type | version: 1.0.0 → version: ¦1.0',
  'contract-type | required: true\n        examples → required: ¦sure\n        examples',
  'contract-type | value: [areas, states] → value: ¦areas',
  'contract-type | value: areas } → value: ¦5 }',
  'contract-type | property: value_min, value: 0 → property: value_min, value: ¦.inf',
  'contract-type | value: [year, area_code, kind] → value: [year, area_code, ¦3]',
  'contract-type | domain: parks → domain: ¦[parks]',
  'contract-type | examples: [all] → examples: ¦all',
  'contract-type |       - name: visits\n →       - ¦visits\n      - name: visits\n',
  'contract-missing |   - name: visits\n    custom →   - ¦custom | property: key_metric, value: visits → property: k, value: 1',
  'contract-missing |       - name: kind\n         →       - ¦ | year, area_code, kind] → year, area_code]',
  'contract-missing | - { column: area_code, target_object: areas, → - ¦{ column: area_code,',
  'contract-value | apiVersion: v3.1.0 → apiVersion: ¦v4.0.0',
  'contract-value | value: [areas, states] → value: [areas, states, ¦areas]',
  'contract-value | mustBe: 0 → mustBe: 0, severity: ¦fatal',
  'contract-value | scope: global → scope: ¦globe',
  'contract-value | property: unit, value: count → property: metric_component, value: ¦nominator',
  'custom-property-duplicate | { property: year_gaps, value: [2021] } → { property: ¦title, value: Other }',
  'contract-type | property: value_min, value: 0 → property: missing_values, value: ¦"*"',
  'contract-type | property: value_min, value: 0 → property: missing_values, value: [¦true]',
  'file-layout | { property: default_detail, value: areas } → { property: file_layout, value: { year_columns: { visit: ¦"v_{year}" } } }',
  'contract-value | { property: default_detail, value: areas } → { property: file_layout, value: { year_columns: { visits: ¦v_2019 } } }',
  'missing-values | has_total, value: true } → missing_values, value: ¦["*"] }',
  'headline-value | has_total, value: true } → headline_value, value: ¦wlak }',
  'contract-type | has_total, value: true } → has_total, value: true }\n          - { property: value_labels, value: { walk: ¦7 } }',
  'contract-value | title, value: Park visits → synonyms, value: [parks, ¦" "]',
  'question-view | { property: title, value: Park visits } → { property: questions, value: [{ question: Why?, view: ¦"https://a.example/" }] }',
  'name-invalid | domain: parks → domain: ¦../etc | id: parks. → id: x.',
  'name-invalid | domain: parks → domain: ¦Parks',
  'name-invalid | domain: parks → domain: ¦datasets',
  'name-invalid | domain: parks → domain: ¦"a\\x01b"',
  // Windows can't hold such names.
  'name-invalid | domain: parks → domain: ¦con',
  'name-invalid | domain: parks → domain: ¦"a "',
  'name-invalid | id: parks.visits → id: ¦parks.lpt9',
  'name-invalid | id: parks.visits → id: ¦parks.con.json',
  'name-invalid | value: [areas, states] → value: [areas, ¦nul]',
  'name-invalid | value: [areas, states] → value: [areas, ¦"a:b"]',
  'name-invalid | id: parks.visits → id: ¦parks.a/b',
  'name-invalid | id: parks.visits → id: ¦parks...',
  'name-invalid | id: parks.visits → id: ¦parks.',
  'name-invalid | id: parks.visits → id: 7f3c | - name: visits\n    custom → - name: ¦__proto__\n    custom',
  'name-invalid | value: [areas, states] → value: [areas, ¦..]',
  'column-name |       - name: visits\n →       - name: ¦"no\\nline"\n | key_metric, value: visits → x, value: y',
  'column-duplicate |       - name: visits\n →       - name: ¦KIND\n | key_metric, value: visits → x, value: y',
  'column-type | string\n        physicalType: string → ¦strng',
  'column-type | physicalType: string → physicalType: ¦geometry',
  'column-type | - name: visits\n        logicalType: integer → - name: visits\n        logicalType: ¦constructor',
  'column-type | physicalType: int\n → physicalType: ¦double\n',
  'column-type |       - name: visits\n        logicalType: integer\n →       - ¦name: visits\n',
  'column-role | value: metric → value: ¦metrics',
  'column-role | value: fk_area → value: ¦fk_',
  'year-column |       - name: visits\n →       - ¦name: y\n        logicalType: integer\n        required: true\n        customProperties: [{ property: column_role, value: year }]\n      - name: visits\n',
  'year-column | required: true\n        customProperties → required: ¦false\n        customProperties',
  'year-column | integer\n        physicalType: int → ¦string',
  'value-range | value: 9 → value: ¦-1',
  'total-value | has_total, value: true → has_total, value: ¦true | [all, walk, ride] → [walk, ride] | examples: [all] → examples: [walk]',
  'total-value | has_total, value: true → total_value, value: ¦al',
  'key-metric | key_metric, value: visits → key_metric, value: ¦vists',
  'key-metric | key_metric, value: visits → key_metric, value: ¦kind',
  'key-metric | unit, value: count → key_metric, value: true | key_metric, value: visits → key_metric, value: ¦kind',
  'key-metric | unit, value: count → key_metric, value: ¦true | has_total, value: true → key_metric, value: true',
  'grain-unknown-column | [year, area_code, kind] → [year, ¦area_cod, kind]',
  'grain-mismatch | [year, area_code, kind] → ¦[year, area_code, kind] |       - name: kind\n →       - name: kind\n        primaryKey: true\n        primaryKeyPosition: 1\n',
  'primary-key-position | - { property: grain, value: [year, area_code, kind] } → - { property: x, value: y } | - name: kind\n → - name: kind\n        primaryKey: true\n        primaryKeyPosition: ¦1\n | - name: year\n → - name: year\n        primaryKey: true\n        primaryKeyPosition: 1\n',
  'years-invalid | value: 2020-2024 → value: ¦2024-2020',
  'years-invalid | value: 2020-2024 → value: ¦1-2024',
  'years-invalid | value: 2020-2024 → value: ¦recently',
  'years-invalid | value: 2020-2024 → value: ¦[2020, 2021, 2024]',
  'years-invalid | year_gaps, value: [2021] → year_gaps, value: ¦[20211]',
  'years-inconsistent | year_gaps, value: [2021] → year_gaps, value: ¦[2019]',
  'years-inconsistent | year_gaps, value: [2021] → available_years, value: ¦[2020, 2021, 2022, 2023]',
  'years-inconsistent | title, value: Park visits → available_years, value: ¦[2020, 2021, 2022, 2023, 2024]',
  'years-inconsistent | default_detail, value: areas → level_years, value: { areas: ¦[2019] }',
  'years-inconsistent | default_detail, value: areas → level_years, value: { areas: ¦1990-1999 }',
  'contract-missing | default_detail, value: areas → series_breaks, value: [¦{ after: 2022 }]',
  'contract-value | default_detail, value: areas → pooled_years, value: ¦1',
  'series-break | default_detail, value: areas → series_breaks, value: [{ after: ¦2024, reason: New. }]',
  'series-break | default_detail, value: areas → series_breaks, value: [{ after: 2022, reason: New. }, { after: ¦2022, reason: Newer. }]',
  'series-break | default_detail, value: areas → series_breaks, value: [{ after: 2022, reason: New., levels: [¦area] }]',
  'series-break | property: unit, value: count → property: series_breaks, value: [{ after: ¦1990, reason: New. }]',
  'level-unknown | default_detail, value: areas → default_detail, value: ¦area',
  'level-unknown | default_detail, value: areas → level_years, value: { area: ¦2020-2022 }',
  'level-unknown | default_detail, value: areas → level_keys, value: { area: ¦[area_code] }',
  'level-keys | default_detail, value: areas → level_keys, value: { areas: [¦kind] }',
  ...PATHS.map(path => `path-invalid | "parks/visits/year={year}/{detail}.parquet" → ¦"${path}"`),
  'allowed-values-disagree | examples: [all] → enum: [all, walk] | - { name: kinds → - ¦{ name: kinds',
  "allowed-values-disagree |     quality:\n      - { →     quality:\n      - ¦{ type: sql, query: kind NOT IN ('all'), mustBe: 0 }\n      - {",
  'value-label | examples: [all] → enum: [{ value: all, label: All }, { value: walk, label: Walks }, { value: ride, label: Rides }] | has_total, value: true } → value_labels, value: ¦{ all: Everyone, walk: On foot, ride: Rides } }',
  'contract-value | - name: visits\n        logicalType: integer → - name: visits\n        semanticType: ¦figure\n        logicalType: integer',
  'column-map |       - name: visits\n →       - { name: prefs, logicalType: ¦map, map: { key: { logicalType: string }, value: { logicalType: string } } }\n      - name: visits\n',
  'contract-missing |     customProperties:\n      - { property: detail →     synonyms: [¦{ locale: fr }]\n    customProperties:\n      - { property: detail',
  'contract-type | tenant: acme → context: { constraints: [¦Add nothing up.] }',
  'allowed-values-type | - { name: kinds → - ¦{ name: kinds | ride] → 1]',
  'allowed-values-type |         logicalType: integer\n        customProperties:\n →         logicalType: integer\n        enum: ¦[a]\n        customProperties:\n',
  'allowed-values-type | - { name: kinds → - ¦{ name: kinds | ride] → 1] | mustBe: 0 } → mustBeLessThan: 5 }',
  'allowed-values-text | - { name: kinds → - ¦{ name: kinds | ride] → "ri\\rde"]',
  'rule-operator | mustBeGreaterThan: 0 → ¦mustBeGreatrThan: 0',
  'rule-operator | - { name: some_rows → - ¦{ name: some_rows | mustBeGreaterThan: 0 → mustBe: 1, mustNotBe: 2',
  'rule-operator | - { name: some_rows → - ¦{ name: some_rows | , mustBeGreaterThan: 0 → ',
  'rule-operator | mustBeGreaterThan: 0 → mustBe: ¦none',
  'rule-operator | mustBeGreaterThan: 0 → mustBeBetween: ¦[5, 1]',
  'rule-metric | metric: invalidValues → metric: ¦invalidValue',
  'rule-metric | - { name: some_rows, type: sql, query: "SELECT COUNT(*) FROM {object}" → - ¦{ name: some_rows',
  'rule-arguments | - { name: kinds → - ¦{ name: kinds |  arguments: { validValues: [all, walk, ride] }, → ',
  'rule-arguments | type: sql, query: "SELECT COUNT(*) FROM {object}" → metric: duplicateValues, arguments: { properties: [kind, ¦knd] }',
  'rule-arguments | - { name: some_rows → - ¦{ name: some_rows | type: sql, query: "SELECT COUNT(*) FROM {object}" → metric: nullValues',
  'rule-query | query: "SELECT COUNT(*) FROM {object}" → query: ¦DROP TABLE x',
  'rule-query | query: "SELECT COUNT(*) FROM {object}" → query: ¦"SELECT {property} FROM {object}"',
  `rule-query | query: "SELECT COUNT(*) FROM {object}" → query: ¦color NOT IN ('a')`,
  'rule-query | - { name: some_rows → - ¦{ name: some_rows |  query: "SELECT COUNT(*) FROM {object}", → ',
  'foreign-key-missing |       - name: area_code\n →       - ¦name: area_code\n | { column: area_code, target_object: areas, target_columns: [area_code], attribute_columns: [area_name], scope: global } → [] |           - []\n →           []\n',
  'foreign-key-column | column: area_code → column: ¦area_cod | string\n        customProperties: [ → string\n        relationships: [{ to: areas.area_code }]\n        customProperties: [',
  'foreign-key-column | column: area_code → column: ¦kind | string\n        customProperties: [ → string\n        relationships: [{ to: areas.area_code }]\n        customProperties: [',
  'foreign-key-duplicate |           - { column: area_code →           - { column: area_code, target_object: areas }\n          - { column: ¦area_code',
  'foreign-key-target | - { column → - ¦{ column | target_columns: [area_code] → target_columns: [area_name]',
  'foreign-key-type | - { column → - ¦{ column | area_code\n        logicalType: string → area_code\n        logicalType: integer',
  'attribute-unknown | - { column → - ¦{ column | [area_name] → [area_nam]',
  'attribute-collision | - { column → - ¦{ column |       - name: visits\n →       - name: Area_Name\n | key_metric, value: visits → x, value: y',
  'dimension-unknown | target_object: areas → target_object: ¦ares',
  'dimension-unknown | target_object: areas → target_object: ¦__proto__',
  'text-form |       - name: visits\n →       - { name: day, logicalType: date, logicalTypeOptions: { format: ¦DD/MM/YYYY } }\n      - name: visits\n',
  // These are still published.
  'warning grain-metric | [year, area_code, kind] → [year, area_code, kind, ¦visits]',
  'warning rule-not-run | - { name: some_rows → - ¦{ type: custom, engine: soda, implementation: x }\n      - { name: some_rows',
  'warning rule-not-run | mustBe: 0 → mustBeLessThan: 5, unit: ¦percent',
  'warning example-type | examples: [all] → examples: [¦601]',
  'warning total-contradiction | has_total, value: true } → has_total, value: false }\n          - { property: total_value, value: ¦all }',
  'warning value-label | has_total, value: true } → has_total, value: true }\n          - { property: value_labels, value: { walk: On foot, rid: ¦By bike } }',
  'warning semantic-type | examples: [all] → semanticType: ¦measure',
  'warning headline-value | has_total, value: true } → has_total, value: true }\n          - { property: headline_value, value: ¦walk }',
  'warning duplicate-rule | name: some_rows → name: ¦kinds',
  'warning schema-hash-stale | title, value: Park visits → schema_hash, value: ¦"civic-tree:abc"',
  'warning foreign-key-scope | - { column → - ¦{ column | scope: global → scope: domain',
  'warning allowed-values-list | - { name: kinds → - ¦{ name: kinds | ride] → ""]',
  // YAML
  'yaml-duplicate-key | status: active\n → status: active\n¦status: draft\n',
  'yaml-duplicate-key | tenant: acme\n → tenant: acme\n"2": a\n¦2: b\n',
  'yaml-alias | tenant: acme → tenant: ¦*nobody',
  'yaml-text | tenant: acme → tenant: ¦"a\\0b"',
  'yaml-merge | tenant: acme → tenant: acme\n<<: [{ x: 1 }, ¦y]',
  'yaml-key | tenant: acme → ¦[a]: acme',
  'warning yaml-tag | tenant: acme → tenant: ¦!secret acme',
  ...[
    'withdrawn-date | WITHDRAWN { date: ¦2031-02-30, reason: x, years: [2020] } }',
    'withdrawn-all | WITHDRAWN ¦{ DAY, years: "2020-2024" } }',
    'withdrawn-default | WITHDRAWN { DAY, levels: [areas] } } | detail, value: areas → detail, value: ¦areas',
    'withdrawn-status | WITHDRAWN ¦{ DAY } }',
    'withdrawn-status | WITHDRAWN ¦{ DAY } } | status: active → status: draft',
    'years-invalid | WITHDRAWN { DAY, years: ¦never } }',
    ...['parks/visit', '"javascript:alert(1)"'].map(
      other => `withdrawn-replacement | WITHDRAWN { DAY, replacement: ¦${other} } } | ${RETIRED}`,
    ),
    'erratum-date | ERRATA date: ¦2031-05-32, wrong: a, corrected: b, years: [2020] }] }',
    'warning erratum-unknown | ERRATA DATED, levels: [¦area] }] }',
    'warning erratum-unknown | ERRATA DATED, columns: [¦visit] }] }',
    'contract-type | ERRATA DATED, years: [¦"2020"] }] }',
  ].map(noticed),
];

test.each(DATASETS)('%s', row => {
  const [said = '', ...edits] = row.split(' | ');
  const { text, mark } = edit(DATASET, ...edits);
  const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
  const isWarning = said.startsWith('warning ');
  expect(codes(result)).toEqual([`visits.yaml:${mark} ${isWarning ? said : `error ${said}`}`]);
  expect(result.contracts.datasets).toHaveLength(isWarning ? 1 : 0);
  expect(result.diagnostics[0]?.message).toMatch(/^[^\n\0]{20,500}$/);
});

test.each([
  ['DD/MM/YYYY', 'use dd'],
  ['dd/MM', 'no year'],
  ['yyyy-ww', 'letter w'],
  ['h:mm yyyy', 'needs a'],
  ['yyyy-MM-dd[ HH', 'brackets'],
])('no date has the format %s: %s', (format, why) => expect(parseTimeFormat(format)).toContain(why));

/** The same for a dimension's contract. Datasets that join it don't repeat the message. */
const DIMENSIONS = [
  'name-invalid | - name: areas → - name: ¦a/b',
  'name-invalid Windows | - name: areas → - name: ¦aux',
  'name-invalid | status: active → status: active\ndomain: ¦..',
  'contract-missing | scope, value: global → scope, value: ¦domain',
  'path-invalid | scope, value: global → physical_basename, value: ¦../areas',
  'column-role | value: key → value: ¦keys',
  'column-role | value: key → value: ¦attribute',
  'column-type | primaryKey: true → physicalType: ¦blob\n        primaryKey: true',
  'primary-key-missing | - name: area_code → ¦- name: area_code |         primaryKey: true\n        primaryKeyPosition: 1\n        customProperties: [{ property: column_role, value: key }]\n → ',
  "rows-of no contract describes that dataset (did you mean 'parks/visits'?) | - { property: entity_kind → ¦- { property: rows_of, value: park/visits }\n      - { property: entity_kind",
  "rows-of which has no column 'area_name' | - { property: entity_kind → ¦- { property: rows_of, value: parks/visits }\n      - { property: entity_kind",
];

test.each(DIMENSIONS)('dimension: %s', row => {
  const [said = '', ...edits] = row.split(' | ');
  const [code, ...words] = said.split(' ');
  const { text, mark } = edit(DIMENSION, ...edits);
  const result = parseContracts([file('visits.yaml', DATASET), file('areas.yaml', text), PUBLISHER]);
  expect(codes(result)).toEqual([`areas.yaml:${mark} error ${code}`]);
  expect(result.diagnostics[0]?.message).toContain(words.join(' '));
  expect([result.contracts.datasets, result.contracts.dimensions.size]).toEqual([[], 0]);
});

const bomb = Array.from(
  { length: 12 },
  (_, i) => `a${i}: &a${i} [${Array(9).fill(i === 0 ? 'x' : `*a${i - 1}`)}]`,
);

/** The only problem of a single file, at the mark ¦ if its place is known. */
const FILES: readonly (readonly [name: string, said: string, text: string])[] = [
  ['x.yaml', 'error yaml-syntax', 'kind: DataContract\nid: "open\n¦'],
  ['x.yaml', 'error yaml-syntax', 'kind: DataContract\nid: ¦a: b\n'],
  ['x.yaml', 'error yaml-expansion', `kind: DataContract\n${bomb.join('\n')}\n`],
  ['x.yaml', 'error yaml-expansion', `kind: DataContract\nx: &x 1\ny: [${'*x, '.repeat(10_001)}]\n`],
  ['x.yaml', 'error yaml-expansion', 'kind: DataContract\na: &a [¦*a]\n'],
  ['x.yaml', 'error yaml-depth', `kind: DataContract\na: ${'['.repeat(64)}¦[${']'.repeat(65)}\n`],
  ['x.yaml', 'error yaml-size', `¦kind: DataContract\n#${'x'.repeat(2 * 1024 * 1024)}\n`],
  // U+FFFD is what bytes that aren't UTF-8 become.
  ['x.yaml', 'error yaml-encoding', 'kind: DataContract\nname: K¦\ufffdln\n'],
  ['x.yaml', 'warning not-a-contract', '¦'],
  ['x.yaml', 'warning not-a-contract', '¦kind: Other\n'],
  ['x.yaml', 'warning not-a-contract', '¦- a\n'],
  ['a/publisher.yml', 'error contract-key', 'service: A\n¦licence: CC0\n'],
  ['a/publisher.yml', 'error contract-type', 'service: ¦5\n'],
  ['a/publisher.yml', 'error contract-type', '¦- service: A\n'],
  ['a/publisher.yml', 'error yaml-duplicate-key', 'service: A\n¦service: B\n'],
];

const NAMED = FILES.map(([name, said, text]) => [name, said, text.slice(0, 60), text] as const);
test.each(NAMED)('%s: %s of %j', (name, said, _, marked) => {
  const { text, mark } = edit(marked);
  const result = parseContracts([file(name, text), ...(name === 'x.yaml' ? [PUBLISHER] : [])]);
  const expected = mark === null ? expect.stringContaining(said) : `${name}:${mark} ${said}`;
  expect(codes(result)).toEqual([expected]);
  expect(result.contracts.datasets).toEqual([]);
});

test('a merge key takes in what its mapping lacks, from the first that has it; a quoted one is a key', () => {
  const result = parseContracts(
    withDataset(
      'tenant: acme\n → tenant: acme\nx: &must { required: true }\ny: &was { required: false, title: V }\n',
      '- name: visits\n        logicalType → - <<: [*must, *was]\n        name: visits\n        logicalType',
      '{detail}.parquet" } → {detail}.parquet", "<<": 1 }',
    ),
  );
  expect(result.diagnostics).toEqual([]);
  const [dataset] = result.contracts.datasets;
  expect(dataset?.columns.find(column => column.name === 'visits')).toMatchObject({ nullable: false });
});

const dataset = (name: string, ...edits: readonly Edit[]) => file(name, edit(DATASET, ...edits).text);
const dimension = (name: string, ...edits: readonly Edit[]) => file(name, edit(DIMENSION, ...edits).text);
const AREAS = dimension('areas.yaml');

const VISITS = dataset('visits');
const DRAFT = 'status: active → status: draft';
const WRONG = '2020-2024 → 2024-2020';
const ATTRIBUTE = 'attribute_columns: [area_name] → attribute_columns: [area_nam]';
const UNKNOWN = 'target_object: areas → target_object: x';
const ELSEWHERE = 'WITHDRAWN { DAY, replacement: "https://example.org/trams" } }';
/** Visits that join a dimension of any scope, and the dimension in these domains. */
const ofDomains = (...domains: readonly string[]) => [
  dataset('visits', ', scope: global → '),
  ...domains.map(one =>
    dimension(one, 'scope, value: global → scope, value: domain', ['status:', `domain: ${one}\nstatus:`]),
  ),
];
const MANY = [
  ...['version: 1.0.0 → version: 1.0', 'value: categorical → value: category', WRONG],
  ...['area_code, kind] → area_cod, kind]', 'status: active → status: active\nstatus: x'],
  'mustBe: 0 → mustBee: 0',
];

/** All diagnostics of several files, and the result: datasets with their joins, and the number of inactive contracts. */
const TOGETHER: readonly (readonly [files: readonly ContractFile[], said: string, stands?: string])[] = [
  [[dataset('b'), dataset('a'), AREAS], 'b:3:5 error duplicate-contract', 'a areas'],
  [[VISITS, dimension('a'), dimension('b')], 'b:3:5 error duplicate-contract', 'visits areas'],
  // A dimension in a broken file isn't also called unknown.
  [[VISITS, file('areas', 'kind: [\n')], 'areas:2:1 error yaml-syntax'],
  [ofDomains('roads', 'rivers'), 'visits:23:49 error dimension-ambiguous'],
  [ofDomains('roads'), '', 'visits roads/areas'],
  [ofDomains('roads', 'parks'), '', 'visits parks/areas'],
  // Inactive contracts are checked and not published.
  [[dataset('a', DRAFT), AREAS], '', '1 inactive'],
  [[dataset('a', DRAFT, UNKNOWN), AREAS], 'a:23:49 error dimension-unknown'],
  [[VISITS, dimension('areas', DRAFT)], 'visits:23:49 error dimension-unknown', '1 inactive'],
  [[dataset('a', 'status: active → status: Active'), AREAS], 'a:6:9 warning contract-status', '1 inactive'],
  [[file('x/publisher.yaml', 'service: B')], 'x/publisher.yaml:1:1 error publisher-duplicate'],
  // A notice of a withdrawal may lead elsewhere, and come before the dataset goes.
  ...[RETIRED, 'status: active → status: deprecated'].map((status): (typeof TOGETHER)[number] => [
    [dataset('a', noticed(ELSEWHERE), status), AREAS],
    '',
    '',
  ]),
  [
    [dataset('a', noticed('WITHDRAWN [{ DAY, years: [2020], replacement: a/b }] }')), AREAS],
    'a:10:35 error withdrawn-replacement',
    'a areas',
  ],
  [
    [dataset('a', noticed('WITHDRAWN { date: 2031-06-01, why: x } }'), RETIRED), AREAS],
    'a:10:35 error contract-missing, a:10:55 error contract-key',
  ],
  // Errors hide neither a contract's joins nor its twin; consequences aren't reported.
  [[dataset('a', WRONG, UNKNOWN), AREAS], 'a:11:36 error years-invalid, a:23:49 error dimension-unknown'],
  [[dataset('a', WRONG, ATTRIBUTE), AREAS], 'a:11:36 error years-invalid, a:23:13 error attribute-unknown'],
  [
    [dataset('a', 'value: [areas, states] → value: areas.x', ATTRIBUTE), AREAS],
    'a:16:43 error contract-type, a:23:13 error attribute-unknown',
  ],
  [[dataset('a', 'value: fk_area → value: fk area'), AREAS], 'a:32:60 error column-role'],
  [
    [dataset('a', WRONG), dataset('b', WRONG), AREAS],
    'a:11:36 error years-invalid, b:3:5 error duplicate-contract, b:11:36 error years-invalid',
  ],
  // Everything is reported at once, in one order.
  [
    [file('z', 'a: [\n'), dataset('a', ...MANY), AREAS],
    'a:5:10 error contract-type, a:7:1 error yaml-duplicate-key, a:12:36 error years-invalid, a:19:42 error grain-unknown-column, a:40:45 error column-role, a:43:113 error rule-operator, z:2:1 error yaml-syntax',
  ],
];

test.each(
  TOGETHER.map(([files, said, stands]) => [files.map(one => one.file), said, files, stands] as const),
)('together %j: %s', (_, said, files, stands = '') => {
  const result = parseContracts([...files, PUBLISHER]);
  expect(codes(result).join(', ')).toBe(said);
  const stood = result.contracts.datasets.map(one => `${one.source.file} ${one.foreignKeys[0]?.dimension}`);
  if (result.inactive > 0) stood.push(`${result.inactive} inactive`);
  expect(stood.join()).toBe(stands);
});

test('a second contract of the same name is told where the first is', () => {
  const { diagnostics } = parseContracts([dataset('b'), dataset('a'), AREAS, PUBLISHER]);
  expect(diagnostics.map(one => one.message)).toEqual([expect.stringContaining('a:3')]);
});

test('a publisher of two lines, an empty one, and none', () => {
  const publisherOf = (...files: readonly ContractFile[]) => parseContracts(files).contracts.publisher;
  expect(publisherOf(PUBLISHER)).toMatchObject({ service: 'Parks', license: 'CC0-1.0', contact: null });
  expect(publisherOf(file('publisher.yaml', '')).service).toBe('Civic Data Service');
  expect(publisherOf(VISITS, AREAS)).toMatchObject({ service: 'acme', license: null });
  const [missing] = parseContracts([VISITS, AREAS]).diagnostics;
  expect(formatDiagnostic(missing!)).toMatch(/^publisher\.yaml warning publisher-missing /);
});

test('synonyms of the publisher: a word for a word or for several, and bad entries where they stand', () => {
  const publisher = (synonyms: string) =>
    parseContracts([file('publisher.yaml', `service: B\nsynonyms: ${synonyms}\n`)]);
  const saidOf = (synonyms: string) =>
    publisher(synonyms).diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
  const good = publisher('{ esol: English learners, Spanish: [Hispanic, English learners] }');
  expect(good.contracts.publisher.synonyms).toEqual({
    esol: ['English learners'],
    Spanish: ['Hispanic', 'English learners'],
  });
  for (const [synonyms, ...said] of [
    ['{ ell: 5 }', '2:18 contract-type'],
    ['{ ell: [] }', '2:18 contract-value'],
    ['[snow]', '2:11 contract-type'],
  ] as const)
    expect([synonyms, ...saidOf(synonyms)]).toEqual([synonyms, ...said]);
});

test('hundreds of problems in one file end with a count', () => {
  const columns = Array.from({ length: 500 }, (_, i) => `      - { name: c${i}, logicalType: strng }\n`);
  const wrong = dataset('visits.yaml', ['    properties:\n', `    properties:\n${columns.join('')}`]);
  const { diagnostics } = parseContracts([wrong, PUBLISHER]);
  expect(diagnostics).toHaveLength(201);
  expect(diagnostics.map(d => d.code)).toContain('more-problems');
});

test('keys named as parts of every object are keys like any other', () => {
  const polluting = withDataset(
    'tenant: acme → __proto__: { status: draft, polluted: 1 }\nconstructor: 1',
    'title, value: Park visits → __proto__, value: { title: x }',
  );
  const { contracts, diagnostics } = parseContracts(polluting);
  expect([diagnostics, contracts.datasets[0]?.title]).toEqual([[], 'Visits to parks']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

const TOWNS = [2000, 2001, 2003].map(year => [year, 'towns'] as const);
test.each<[slices: readonly (readonly [year: number, detail: string])[], said: string]>([
  [['cities', 'counties'].map(detail => [2024, detail]), '2 files: 2024 (cities, counties)'],
  [['cities', 'counties'].map(detail => [NO_YEAR, detail]), '2 files: cities, counties'],
  [[...TOWNS, [2000, 'states']], '4 files: 2000 to 2001, 2003 (towns), 2000 (states)'],
])('one cause in %j is one line', (slices, said) => {
  const problems = slices.map(([year, detail]): Diagnostic => {
    const place = { file: `${year}/${detail}.csv`, slice: { year, detail } };
    return { severity: 'error', code: 'lake-columns', message: `${year} lacks a column`, ...place };
  });
  const [line = '', ...others] = formatCauses(problems);
  expect(others).toEqual([]);
  expect(line.endsWith(` In ${said}.`), line).toBe(true);
});
