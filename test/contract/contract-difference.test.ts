/** Which changes of a schema break a reader, and which version they require. */
import { expect, test } from 'vitest';
import {
  contractChanges,
  isRaised,
  promisedDimension,
  promisedShape,
  requiredVersion,
} from '../../build/contract/contract-difference.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { type Edit, edit } from '../contract/base-contract.ts';
import { CONTRACTS, RAINFALL, REGIONS } from '../publishers/weather.ts';

function parse(changed: Readonly<Record<string, string>>) {
  const files = Object.entries({ ...CONTRACTS, ...changed }).map(([file, text]) => ({ file, text }));
  const { contracts, diagnostics } = parseContracts(files);
  expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  return contracts;
}

const shapeOf = (text: string, others: Readonly<Record<string, string>> = {}) => {
  const contracts = parse({ 'rain/rainfall.yaml': text, ...others });
  const dataset = contracts.datasets.find(one => one.key === 'climate/rainfall');
  if (dataset === undefined) throw new Error('It did not compile.');
  return promisedShape(dataset, contracts);
};

const NOTE = `      - name: note
        logicalType: string
        customProperties: [{ property: column_role, value: metric }]
`;
const RENAMED = 'value: metric }, { property: renamed_from, value: note }]';
const READINGS = 'logicalType: integer\n        physicalType: bigint';
const UNIT = '- { property: value_min, value: 0 }';

/** The change that is reported, and the edits: `found → instead | …`. */
test.each<[says: string, ...edits: readonly Edit[]]>([
  ['', 'Rain of a season. → Rainfall.'],
  ['', 'version: 1.2.0 → version: 1.3.0'],
  [
    'major: column note renamed remark',
    [NOTE, NOTE.replace('note', 'remark').replace('value: metric }]', RENAMED)],
  ],
  ['major: column note removed', [NOTE, '']],
  ['minor: column snow added', [NOTE, NOTE + NOTE.replace('note', 'snow')]],
  ['major: column note removed, minor: column remark added', 'name: note → name: remark'],
  ['major: type of note changed from string to number', [NOTE, NOTE.replace('string', 'number')]],
  ['major: role of note changed from metric to categorical', [NOTE, NOTE.replace('metric', 'categorical')]],
  ['minor: note is never NULL now', 'name: note → name: note\n        required: true'],
  ['major: readings may be NULL now', [`${READINGS}\n        required: true`, READINGS]],
  ['major: value dry of season removed', '[all, wet, dry] → [all, wet]'],
  ['minor: value monsoon of season added', '[all, wet, dry] → [all, wet, dry, monsoon]'],
  ['minor: year 2023 added', '2019-2022 → 2019-2023'],
  // A gap must lie within the years.
  [
    'major: year 2019 removed',
    '2019-2022 → 2021-2022',
    'property: year_gaps, value: [2020] → property: x, value: 1',
  ],
  ['major: level nation removed', '[stations, regions, nation] → [stations, regions]'],
  ['minor: level towns added', '[stations, regions, nation] → [stations, regions, nation, towns]'],
  ['major: default level changed from regions to nation', 'value: regions } → value: nation }'],
  [
    'major: unit of rain_mm changed from none to mm',
    [UNIT, `${UNIT}\n          - { property: unit, value: mm }`],
  ],
])('%s', (says, ...edits) => {
  const changes = contractChanges(shapeOf(RAINFALL), shapeOf(edit(RAINFALL, ...edits).text));
  expect(changes.map(one => `${one.level}: ${one.text}`).join(', ')).toBe(says);
});

test('an attribute that a join no longer adds', () => {
  const without = shapeOf(RAINFALL, {
    'shared/regions.yaml': REGIONS.replace('name: region_name', 'name: region_label'),
  });
  expect(contractChanges(shapeOf(RAINFALL), without)).toEqual([
    { level: 'major', text: 'joined column region_name removed' },
    { level: 'minor', text: 'joined column region_label added' },
  ]);
});

test('a dimension: its key and its columns', () => {
  const of = (text: string) => {
    const dimension = parse({ 'shared/regions.yaml': text }).dimensions.get('regions');
    if (dimension === undefined) throw new Error('It did not compile.');
    return promisedDimension(dimension);
  };
  const more = `${REGIONS}      - name: region_area\n        logicalType: number\n`;
  expect(contractChanges(of(REGIONS), of(more))).toEqual([
    { level: 'minor', text: 'column region_area added' },
  ]);
  expect(contractChanges(of(more), of(REGIONS))).toEqual([
    { level: 'major', text: 'column region_area removed' },
  ]);
});

const CHANGES = (levels: string) =>
  levels === 'nothing' ? [] : [{ level: levels as 'major' | 'minor' | 'patch', text: '' }];

test.each([
  '1.2.3 major → 2.0.0, 2.1.0, not 1.9.9',
  '1.2.3 minor → 1.3.0, 2.0.0, not 1.2.4, not 1.2.3',
  '1.2.3 patch → null, 1.2.3',
  '1.2.3 nothing → null, 1.2.3',
  '0.2.3 major → 0.3.0',
  '0.2.3 minor → 0.3.0',
  '1.10.0 minor → 1.11.0, not 1.9.0',
  'v1.2.3-beta minor → 1.3.0',
  'spring major → null, summer, not spring',
])('at least which version, and which others do: %s', row => {
  const [, old = '', levels = '', least, others = ''] = /^(\S+) (\w+) → ([^,]+)(?:, (.*))?$/.exec(row) ?? [];
  expect(String(requiredVersion(old, CHANGES(levels)))).toBe(least);
  for (const other of others.split(', ').filter(one => one !== ''))
    expect([other, isRaised(old, other.replace('not ', ''), CHANGES(levels))]).toEqual([
      other,
      !other.startsWith('not '),
    ]);
});
