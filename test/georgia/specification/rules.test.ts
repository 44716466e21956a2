import { describe, expect, test } from 'vitest';
import { datasetChecks, dimensionChecks } from '../../../build/check/derived-checks.ts';
import type { Dataset, Dimension } from '../../../build/contract/dataset.ts';
import type { LakeSlice } from '../../../build/lake/inventory.ts';
import { readOwnContracts } from './contracts.ts';
import { completed, dimensionSpecifications, specifications } from './facts.ts';

const contracts = await readOwnContracts();

function sqlRules(contract: Dataset | Dimension): string[] {
  return contract.rules.filter(rule => rule.measure.kind === 'sql').map(rule => rule.name);
}

/** Every year of every level that the contract promises. */
function promisedSlices(dataset: Dataset): LakeSlice[] {
  return dataset.levels.flatMap(detail =>
    (dataset.levelYears.get(detail) ?? dataset.years).map(year => ({ year, detail, files: [] })),
  );
}

test('each of the thirty datasets has a contract, and each contract a specification', () => {
  const keys = specifications.map(({ key }) => key);
  expect(new Set(keys).size).toBe(30);
  expect(contracts.datasets.map(({ key }) => key)).toEqual([...keys].sort());
});

const FACTS = { years: [2020, 2024], levels: 'states', grain: 'year' };
const COLUMNS = { year: { role: 'year' } };

test.each([
  ['a column twice', [{ columns: COLUMNS }, { facts: FACTS, columns: COLUMNS }], 'a/b states twice: year'],
  ['a fact twice', [{ facts: FACTS }, { facts: FACTS }], 'a/b states twice: years, levels, grain'],
  ['no years', [{ columns: COLUMNS }], 'a/b must state its years, its levels and its grain'],
  ['an unknown fact', [{ facts: { ...FACTS, year: 1 } }], 'a/b states year, which no test reads'],
  ['an unknown part', [{ facts: FACTS, rules: {} }], 'a/b states rules, which no test reads'],
  ['an unknown shape', [{ facts: FACTS, columns: { n: 'cout' } }], 'a/b names cout, which nothing describes'],
])('a specification with %s is refused', (_, statements, message) => {
  expect(() => completed('a/b', statements)).toThrow(message);
});

test('what a dataset shares with its sisters is its own', () => {
  const columns = { ...COLUMNS, n: 'category x y', rate: { is: 'proportion', min: 0 } };
  const { facts, breaks } = completed('a/b', [
    { facts: FACTS },
    { columns, breaks: { some: 'set n = 1 where n IS NULL', all: 'set n = 2' } },
  ]);
  expect(facts).toEqual({
    ...FACTS,
    levels: ['states'],
    grain: ['year'],
    columns: {
      year: { role: 'year' },
      n: { type: 'string', nullable: false, role: 'categorical', values: ['x', 'y'] },
      rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion', min: 0 },
    },
  });
  expect(breaks).toEqual({
    some: 'UPDATE t SET n = 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE n IS NULL)',
    all: 'UPDATE t SET n = 2 WHERE rowid = (SELECT min(rowid) FROM t)',
  });
});

describe.each(specifications.map(one => [one.key, one] as const))('%s', (key, { sentences, breaks }) => {
  const dataset = contracts.datasets.find(candidate => candidate.key === key);
  const named = new Set(sentences.flatMap(({ rules }) => rules));
  const checks =
    dataset === undefined
      ? []
      : datasetChecks(dataset, contracts, promisedSlices(dataset)).map(({ name }) => name);
  const written = dataset === undefined ? [] : sqlRules(dataset);

  test('every rule that a sentence names exists', () => {
    expect([...named].filter(name => !checks.includes(name))).toEqual([]);
  });

  test('every SQL rule of the contract is named by a sentence', () => {
    expect(written.filter(name => !named.has(name))).toEqual([]);
  });

  test('every sentence without rules says why', () => {
    const silent = sentences.filter(({ rules, why }) => rules.length === 0 && (why ?? '').trim() === '');
    expect(silent.map(({ says }) => says)).toEqual([]);
  });

  test('no sentence stands twice', () => {
    const texts = sentences.map(({ says }) => says);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  test('the SQL rules and their breaks are the same', () => {
    expect(Object.keys(breaks).sort()).toEqual([...written].sort());
  });

  test('no two rules share a name, and every rule is described', () => {
    expect(checks.filter((name, index) => checks.indexOf(name) !== index)).toEqual([]);
    const bare = dataset?.rules.filter(rule => rule.description.trim() === '').map(rule => rule.name);
    expect(bare).toEqual([]);
  });
});

test('each of the six dimensions has a contract, and each contract a specification', () => {
  expect(dimensionSpecifications).toHaveLength(6);
  expect([...contracts.dimensions.keys()].sort()).toEqual(
    dimensionSpecifications.map(({ key }) => key).sort(),
  );
});

describe.each(dimensionSpecifications.map(one => [one.key, one] as const))(
  'dimension %s',
  (key, { breaks }) => {
    const dimension = contracts.dimensions.get(key);

    test('the SQL rules and their breaks are the same', () => {
      expect(Object.keys(breaks).sort()).toEqual(dimension === undefined ? null : sqlRules(dimension).sort());
    });

    test('no two rules share a name', () => {
      const checks = dimension === undefined ? [] : dimensionChecks(dimension).map(({ name }) => name);
      expect(checks.filter((name, index) => checks.indexOf(name) !== index)).toEqual([]);
    });
  },
);
