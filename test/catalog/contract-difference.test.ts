/** Which changes of a schema break a reader, and which version they ask for. */
import { describe, expect, test } from 'vitest';
import {
  contractChanges,
  isRaised,
  promisedDimension,
  promisedShape,
  requiredVersion,
} from '../../build/catalog/contract-difference.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { CONTRACTS, RAINFALL, REGIONS } from '../publishers/weather.ts';

function parse(changed: Readonly<Record<string, string>>) {
  const files = Object.entries({ ...CONTRACTS, ...changed }).map(([file, text]) => ({ file, text }));
  const { contracts, diagnostics } = parseContracts(files);
  expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  return contracts;
}

const shapeOf = (text: string, others: Readonly<Record<string, string>> = {}) => {
  const dataset = parse({ 'rain/rainfall.yaml': text, ...others }).datasets.find(
    one => one.key === 'climate/rainfall',
  );
  if (dataset === undefined) throw new Error('It did not compile.');
  return promisedShape(dataset);
};

const COLUMN = `      - name: snow_mm
        logicalType: number
        customProperties: [{ property: column_role, value: metric }]
`;
const NOTE = `      - name: note
        logicalType: string
        customProperties: [{ property: column_role, value: metric }]
`;

/** What is replaced in the contract, by what, and what is said of it. */
const table: readonly (readonly [string, string, readonly string[]])[] = [
  ['Rain of a season.', 'Rainfall.', []],
  ['version: 1.2.0', 'version: 1.3.0', []],
  [
    NOTE,
    NOTE.replace('name: note', 'name: remark').replace(
      'metric }]',
      'metric }, { property: renamed_from, value: note }]',
    ),
    ['major: column note renamed remark'],
  ],
  [NOTE, '', ['major: column note removed']],
  [NOTE, NOTE + COLUMN, ['minor: column snow_mm added']],
  [
    NOTE,
    NOTE.replace('name: note', 'name: remark'),
    ['major: column note removed', 'minor: column remark added'],
  ],
  [
    NOTE,
    NOTE.replace('logicalType: string', 'logicalType: number'),
    ['major: type of note changed from string to number'],
  ],
  [
    NOTE,
    NOTE.replace('value: metric', 'value: categorical'),
    ['major: role of note changed from metric to categorical'],
  ],
  [
    NOTE,
    NOTE.replace('logicalType', 'required: true\n        logicalType'),
    ['minor: note is never NULL now'],
  ],
  [
    'logicalType: integer\n        physicalType: bigint\n        required: true',
    'logicalType: integer\n        physicalType: bigint',
    ['major: readings may be NULL now'],
  ],
  ['[all, wet, dry]', '[all, wet]', ['major: value dry of season removed']],
  ['[all, wet, dry]', '[all, wet, dry, monsoon]', ['minor: value monsoon of season added']],
  ['2019-2022', '2019-2023', ['minor: year 2023 added']],
  ['2019-2022', '2021-2022', ['major: year 2019 removed']],
  ['[stations, regions, nation]', '[stations, regions]', ['major: level nation removed']],
  ['[stations, regions, nation]', '[stations, regions, nation, towns]', ['minor: level towns added']],
  ['value: regions }', 'value: nation }', ['major: default level changed from regions to nation']],
  [
    '- { property: value_min, value: 0 }',
    '- { property: value_min, value: 0 }\n          - { property: unit, value: mm }',
    ['major: unit of rain_mm changed from none to mm'],
  ],
];

test.each(table)('%j becomes %j', (from, to, expected) => {
  expect(RAINFALL).toContain(from);
  let text = RAINFALL.replace(from, to);
  // A gap must lie within the years.
  if (to === '2021-2022')
    text = text
      .replace('      - { property: year_gaps, value: [2020] }\n', '')
      .replace(/.*year_gaps.*\n/, '');
  const changes = contractChanges(shapeOf(RAINFALL), shapeOf(text));
  expect(changes.map(one => `${one.level}: ${one.text}`)).toEqual(expected);
});

test('an attribute that a join adds no more', () => {
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

describe('versions', () => {
  const major = [{ level: 'major', text: '' }] as const;
  const minor = [{ level: 'minor', text: '' }] as const;
  const patch = [{ level: 'patch', text: '' }] as const;

  test.each([
    ['1.2.3', major, '2.0.0'],
    ['1.2.3', minor, '1.3.0'],
    ['1.2.3', patch, null],
    ['1.2.3', [], null],
    ['0.2.3', major, '0.3.0'],
    ['0.2.3', minor, '0.3.0'],
    ['v1.2.3-beta', minor, '1.3.0'],
    ['spring', major, null],
  ] as const)('after %s with %j at least %s', (old, changes, expected) =>
    expect(requiredVersion(old, changes)).toBe(expected),
  );

  test.each([
    ['1.2.3', '2.0.0', major, true],
    ['1.2.3', '2.1.0', major, true],
    ['1.2.3', '1.9.9', major, false],
    ['1.2.3', '1.3.0', minor, true],
    ['1.2.3', '2.0.0', minor, true],
    ['1.2.3', '1.2.4', minor, false],
    ['1.2.3', '1.2.3', minor, false],
    ['1.2.3', '1.2.3', patch, true],
    ['1.2.3', '1.2.3', [], true],
    ['1.10.0', '1.9.0', minor, false],
    ['spring', 'spring', major, false],
    ['spring', 'summer', major, true],
  ] as const)('from %s to %s with %j: %s', (old, now, changes, expected) =>
    expect(isRaised(old, now, changes)).toBe(expected),
  );
});
