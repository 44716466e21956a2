import { expect, test } from 'vitest';
import { type Diagnostic, formatDiagnostic } from '../../build/contract/diagnostic.ts';
import { formatCauses } from '../../build/contract/diagnostic-causes.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { codes, DATASET, DIMENSION, type Edit, edit, file, PUBLISHER, withDataset } from './base-contract.ts';

const bomb = Array.from(
  { length: 12 },
  (_, i) => `a${i}: &a${i} [${Array(9).fill(i === 0 ? 'x' : `*a${i - 1}`)}]`,
);

/** Each line: the one problem of a text that is no readable YAML, at the mark ¦ where it can be foretold. */
const texts: readonly (readonly [code: string, text: string])[] = [
  ['yaml-syntax', 'kind: DataContract\nid: "open\n¦'],
  ['yaml-syntax', 'kind: DataContract\nid: ¦a: b\n'],
  ['yaml-expansion', `kind: DataContract\n${bomb.join('\n')}\n`],
  ['yaml-expansion', 'kind: DataContract\na: &a [¦*a]\n'],
  ['yaml-depth', `kind: DataContract\na: ${'['.repeat(64)}¦[${']'.repeat(65)}\n`],
  ['yaml-size', `¦kind: DataContract\n#${'x'.repeat(2 * 1024 * 1024)}\n`],
  // What bytes that are not UTF-8 become in a text.
  ['yaml-encoding', 'kind: DataContract\nname: K¦\ufffdln\n'],
];

test.each(texts)('%s', (code, marked) => {
  const { text, mark } = edit(marked);
  const result = parseContracts([file('bad.yaml', text), PUBLISHER]);
  expect(result.diagnostics.map(d => d.code)).toEqual([code]);
  if (mark !== null) expect(codes(result)).toEqual([`bad.yaml:${mark} error ${code}`]);
  expect(result.contracts.datasets).toEqual([]);
});

/** Each line: a lesser problem of the YAML, after which the contract is still read and checked. */
const lesser: readonly (readonly [code: string, severity: string, ...edits: readonly Edit[]])[] = [
  ['yaml-duplicate-key', 'error', 'status: active\n → status: active\n¦status: draft\n'],
  ['yaml-duplicate-key', 'error', 'tenant: acme\n → tenant: acme\n"2": a\n¦2: b\n'],
  ['yaml-alias', 'error', 'tenant: acme → tenant: ¦*nobody'],
  ['yaml-text', 'error', 'tenant: acme → tenant: ¦"a\\0b"'],
  ['yaml-merge', 'error', 'tenant: acme → tenant: acme\n<<: [{ x: 1 }, ¦y]'],
  ['yaml-key', 'error', 'tenant: acme → ¦[a]: acme'],
  ['yaml-tag', 'warning', 'tenant: acme → tenant: ¦!secret acme'],
];

test.each(lesser.map(c => [c[0], c[1], c.slice(2) as readonly Edit[]] as const))(
  '%s (%s)',
  (code, severity, edits) => {
    const { text, mark } = edit(DATASET, ...edits);
    const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
    expect(codes(result)).toEqual([`visits.yaml:${mark} ${severity} ${code}`]);
    expect(result.contracts.datasets).toHaveLength(severity === 'error' ? 0 : 1);
  },
);

test('a merge key takes in what its mapping lacks, from the first that has it; a quoted one is a key', () => {
  const { text, mark } = edit(
    DATASET,
    'tenant: acme\n → tenant: acme\nx: &must { required: true }\ny: &was { required: false, title: V }\n',
    '- name: visits\n        logicalType → - <<: [*must, *was]\n        name: visits\n        logicalType',
    '"parks/visits/year={year}/{detail}.parquet" } → "parks/visits/year={year}/{detail}.parquet", "<<": 1 }',
  );
  expect(mark).toBeNull();
  const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
  expect(result.diagnostics).toEqual([]);
  const [dataset] = result.contracts.datasets;
  expect(dataset?.columns.find(column => column.name === 'visits')).toMatchObject({ nullable: false });
  const wrong = edit(
    DATASET,
    'tenant: acme\n → tenant: acme\nx: &x { version: ¦1.0 }\n',
    'version: 1.0.0\n → <<: *x\n',
  );
  const refused = parseContracts([file('visits.yaml', wrong.text), file('areas.yaml', DIMENSION), PUBLISHER]);
  expect(codes(refused)).toEqual([`visits.yaml:${wrong.mark} error contract-type`]);
});

/** Each line: the one diagnostic that an edit of the dimension's contract causes. No dataset repeats it. */
const dimensions: readonly (readonly [code: string, ...edits: readonly Edit[]])[] = [
  ['name-invalid', '- name: areas → - name: ¦a/b'],
  ['name-invalid', 'status: active → status: active\ndomain: ¦..'],
  ['contract-missing', 'scope, value: global → scope, value: ¦domain'],
  ['path-invalid', 'scope, value: global → physical_basename, value: ¦../areas'],
  ['column-role', 'value: key → value: ¦keys'],
  ['column-role', 'value: key → value: ¦attribute'],
  ['column-type', 'primaryKey: true → physicalType: ¦blob\n        primaryKey: true'],
  [
    'primary-key-missing',
    '- name: area_code → ¦- name: area_code',
    '        primaryKey: true\n        primaryKeyPosition: 1\n        customProperties: [{ property: column_role, value: key }]\n → ',
  ],
];

test.each(dimensions.map(c => [c[0], c.slice(1) as readonly Edit[]] as const))(
  'dimension: %s',
  (code, edits) => {
    const { text, mark } = edit(DIMENSION, ...edits);
    const result = parseContracts([file('visits.yaml', DATASET), file('areas.yaml', text), PUBLISHER]);
    expect(codes(result)).toEqual([`areas.yaml:${mark} error ${code}`]);
    expect(result.contracts.datasets).toEqual([]);
    expect(result.contracts.dimensions.size).toBe(0);
  },
);

test('a dimension whose file is broken is not called unknown as well', () => {
  const result = parseContracts([
    file('visits.yaml', DATASET),
    file('areas.odcs.yaml', 'kind: [\n'),
    PUBLISHER,
  ]);
  expect(result.diagnostics.map(d => d.file)).not.toContain('visits.yaml');
});

test('two contracts of one name: the second is refused and names the first', () => {
  const files = [file('b.yaml', DATASET), file('a.yaml', DATASET), file('areas.yaml', DIMENSION), PUBLISHER];
  const result = parseContracts(files);
  expect(codes(result)).toEqual(['b.yaml:3:5 error duplicate-contract']);
  expect(result.diagnostics[0]?.message).toContain('a.yaml:3');
  expect(result.contracts.datasets.map(d => d.source.file)).toEqual(['a.yaml']);
});

test('two dimensions of one name: the first stands and is joined', () => {
  const files = [
    file('visits.yaml', DATASET),
    file('a.yaml', DIMENSION),
    file('b.yaml', DIMENSION),
    PUBLISHER,
  ];
  const result = parseContracts(files);
  expect(codes(result)).toEqual(['b.yaml:3:5 error duplicate-contract']);
  expect(result.contracts.datasets).toHaveLength(1);
});

test('a dimension of two other domains is ambiguous, of one is found, of the own domain wins', () => {
  const inDomain = (domain: string) =>
    file(
      `${domain}.yaml`,
      edit(DIMENSION, 'scope, value: global → scope, value: domain', [
        'status:',
        `domain: ${domain}\nstatus:`,
      ]).text,
    );
  const dataset = (...others: string[]) =>
    parseContracts([
      file('visits.yaml', edit(DATASET, ', scope: global → ').text),
      ...others.map(inDomain),
      PUBLISHER,
    ]);
  const ambiguous = dataset('roads', 'rivers');
  expect(codes(ambiguous)).toEqual(['visits.yaml:23:49 error dimension-ambiguous']);
  expect(dataset('roads').contracts.datasets[0]?.foreignKeys[0]?.dimension).toBe('roads/areas');
  expect(dataset('roads', 'parks').contracts.datasets[0]?.foreignKeys[0]?.dimension).toBe('parks/areas');
});

test('a contract that is not active is checked but not published', () => {
  const draft: Edit = 'status: active → status: draft';
  const result = parseContracts(withDataset(draft));
  expect(result.diagnostics).toEqual([]);
  expect(result.contracts.datasets).toEqual([]);
  expect([result.inactive, parseContracts(withDataset()).inactive]).toEqual([1, 0]);
  expect(codes(parseContracts(withDataset(draft, 'target_object: areas → target_object: x')))).toHaveLength(
    1,
  );
  const files = [file('visits.yaml', DATASET), file('areas.yaml', edit(DIMENSION, draft).text), PUBLISHER];
  expect(codes(parseContracts(files))).toEqual(['visits.yaml:23:49 error dimension-unknown']);
});

test('a status that is active but for its letters is told of', () => {
  const { text, mark } = edit(DATASET, 'status: active → status: ¦Active');
  const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
  expect(codes(result)).toEqual([`visits.yaml:${mark} warning contract-status`]);
  expect(result.contracts.datasets).toEqual([]);
});

test('types called as what every object has are no types, and limits of them are not checked', () => {
  const { text } = edit(
    DATASET,
    'logicalType: integer\n        customProperties:\n          - { property: column_role, value: metric } → logicalType: constructor\n        logicalTypeOptions: { minimum: 0, constructor: 1 }\n        customProperties:\n          - { property: column_role, value: metric }',
  );
  const result = parseContracts([file('visits.yaml', text), file('areas.yaml', DIMENSION), PUBLISHER]);
  expect(result.diagnostics.map(d => d.code).sort()).toEqual(['column-type', 'rule-not-run']);
});

const publishers: readonly (readonly [code: string, text: string])[] = [
  ['contract-key', 'service: A\n¦licence: CC0\n'],
  ['contract-type', 'service: ¦5\n'],
  ['contract-type', '¦- service: A\n'],
  ['yaml-duplicate-key', 'service: A\n¦service: B\n'],
];

test.each(publishers)('publisher: %s', (code, marked) => {
  const { text, mark } = edit(marked);
  expect(codes(parseContracts([file('a/publisher.yml', text)]))).toEqual([
    `a/publisher.yml:${mark} error ${code}`,
  ]);
});

test('publisher: two documents, none, and an empty one', () => {
  const two = parseContracts([PUBLISHER, file('x/publisher.yaml', 'service: B')]);
  expect(codes(two)).toEqual(['x/publisher.yaml:1:1 error publisher-duplicate']);
  const none = parseContracts([file('visits.yaml', DATASET), file('areas.yaml', DIMENSION)]);
  expect(none.diagnostics.map(formatDiagnostic)[0]).toMatch(/^publisher\.yaml warning publisher-missing /);
  expect(none.contracts.publisher).toMatchObject({ service: 'acme', license: null });
  expect(parseContracts([file('publisher.yaml', '')]).contracts.publisher.service).toBe('Civic Data Service');
  const stated = parseContracts([PUBLISHER]).contracts.publisher;
  expect(stated).toMatchObject({ service: 'Parks', license: 'CC0-1.0', contact: null });
});

test('a file that is no contract gets a warning and is left alone', () => {
  for (const text of ['', 'kind: Other\n', '- a\n', 'kind: datacontract', '~']) {
    expect(codes(parseContracts([file('x.yaml', text), PUBLISHER]))).toEqual([
      'x.yaml:1:1 warning not-a-contract',
    ]);
  }
});

test('everything wrong is reported at once, in all files, in one order', () => {
  const bad = edit(
    DATASET,
    'version: 1.0.0 → version: 1.0',
    'value: categorical → value: category',
    'area_code, kind] → area_cod, kind]',
    '2020-2024 → 2024-2020',
    'status: active → status: active\nstatus: x',
    'mustBe: 0 → mustBee: 0',
  );
  const result = parseContracts([
    file('z.yaml', 'a: [\n'),
    file('visits.yaml', bad.text),
    file('areas.yaml', DIMENSION),
  ]);
  expect(result.diagnostics.map(d => `${d.file}:${d.line} ${d.code}`)).toEqual([
    'visits.yaml:5 contract-type',
    'visits.yaml:7 yaml-duplicate-key',
    'visits.yaml:12 years-invalid',
    'visits.yaml:19 grain-unknown-column',
    'visits.yaml:40 column-role',
    'visits.yaml:43 rule-operator',
    expect.stringMatching(/^z\.yaml:\d yaml-syntax$/),
    'publisher.yaml:undefined publisher-missing',
  ]);
});

test('errors of a contract hide neither its joins, nor its twin, nor a column that its joins need', () => {
  const wrong: Edit = '2020-2024 → 2024-2020';
  const elsewhere: Edit = 'target_object: areas → target_object: ares';
  const attribute: Edit = 'attribute_columns: [area_name] → attribute_columns: [area_nam]';
  const level: Edit = 'value: [areas, states] → value: areas.x';
  const role: Edit = 'value: fk_area → value: fk area';
  const found = (...edits: readonly Edit[]) =>
    parseContracts(withDataset(...edits)).diagnostics.map(({ code }) => code);
  expect(found(wrong, elsewhere)).toEqual(['years-invalid', 'dimension-unknown']);
  expect(found(wrong, attribute)).toEqual(['years-invalid', 'attribute-unknown']);
  expect(found(level, attribute)).toEqual(['contract-type', 'attribute-unknown']);
  // What follows from an error is not told of.
  expect(found(role)).toEqual(['column-role']);
  const twins = parseContracts([...withDataset(wrong), file('again.yaml', edit(DATASET, wrong).text)]);
  expect(twins.diagnostics.map(({ file: name, code }) => `${name} ${code}`)).toEqual([
    'again.yaml years-invalid',
    'visits.yaml duplicate-contract',
    'visits.yaml years-invalid',
  ]);
  expect(twins.contracts.datasets).toEqual([]);
});

test('hundreds of problems in one file end with a count', () => {
  const columns = Array.from({ length: 500 }, (_, i) => `      - { name: c${i}, logicalType: strng }\n`);
  const { text } = edit(DATASET, ['    properties:\n', `    properties:\n${columns.join('')}`]);
  const { diagnostics } = parseContracts([file('visits.yaml', text), PUBLISHER]);
  expect(diagnostics).toHaveLength(201);
  expect(diagnostics.map(d => d.code)).toContain('more-problems');
});

test('keys named as parts of every object are keys like any other', () => {
  const { text } = edit(
    DATASET,
    'tenant: acme → __proto__: { status: draft, polluted: 1 }\nconstructor: 1',
    'title, value: Park visits → __proto__, value: { title: x }',
  );
  const { contracts, diagnostics } = parseContracts([
    file('visits.yaml', text),
    file('areas.yaml', DIMENSION),
    PUBLISHER,
  ]);
  expect(diagnostics).toEqual([]);
  expect(contracts.datasets[0]?.title).toBe('Visits to parks');
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('files whose names differ in the year alone share one line, with the years', () => {
  const of = (file: string): Diagnostic => ({
    severity: 'error',
    code: 'lake-missing-column',
    message: 'It lacks b.',
    file,
  });
  const years = [2003, 2001, 2000, 2002].map(year => of(`t/year=${year}.csv`));
  expect(formatCauses(years)).toEqual([
    't/year=2003.csv lake-missing-column It lacks b. In 4 files: 2000 to 2003.',
  ]);
  const others = [...years, of('t/other.csv')];
  expect(formatCauses(others)[0]).toContain('The same at t/year=2001.csv');
});
