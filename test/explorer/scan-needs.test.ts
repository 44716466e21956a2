import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../../build/format/documents.ts';
import { deriveNeeds, type PlanNode, readBound } from '../../site/explorer/engine/scan-needs.ts';
import { chooseKey, collectNames, findKeys } from '../../site/explorer/engine/table-names.ts';

const COLUMNS = new Map<string, ColumnType>([
  ['detail', 'string'],
  ['year', 'integer'],
  ['code', 'string'],
  ['code_2', 'string'],
  ['rate', 'number'],
]);

describe('what a filter of a plan says', () => {
  test.each([
    ['year=2024', { kind: 'values', column: 'year', values: [2024] }],
    ["code='a''b'", { kind: 'values', column: 'code', values: ["a'b"] }],
    ["code_2='x'", { kind: 'values', column: 'code_2', values: ['x'] }],
    [
      "optional: code IN ('a, b', ') OR (', '=1')",
      { kind: 'values', column: 'code', values: ['a, b', ') OR (', '=1'] },
    ],
    ['optional: year=2024 OR year=2023', { kind: 'values', column: 'year', values: [2024, 2023] }],
    ["code='a=1' OR code='b'", { kind: 'values', column: 'code', values: ['a=1', 'b'] }],
    ['year>=2020 AND year<=2022', { kind: 'range', column: 'year', least: 2020, greatest: 2022 }],
    ['year>2020', { kind: 'range', column: 'year', least: 2020, greatest: null }],
    ['(code IS NOT NULL)', { kind: 'null', column: 'code', isNull: false }],
    ['(rate IS NULL)', { kind: 'null', column: 'rate', isNull: true }],
  ])('%s', (filter, bound) => expect(readBound(filter, COLUMNS)).toEqual(bound));

  test.each([
    'rate=0.5',
    'year=2024.5',
    "year='2024'",
    'code=5',
    "code='a' AND (lower(code) = 'x')",
    "code='a' OR rate=1",
    "code>='a'",
    '(CAST(year AS DECIMAL(11,1)) > 2000.5)',
    "code='a' OR",
    "code='a",
    'optional: Dynamic Filter (year)',
    'other=1',
    'yearly=1',
  ])('%s says nothing that is sure', filter => expect(readBound(filter, COLUMNS)).toBeNull());
});

describe('what a plan needs', () => {
  const scan = (filters: readonly string[], ...projections: string[]): PlanNode => ({
    extra_info: { Table: 'a/b', Projections: projections, Filters: filters },
  });
  const tables = new Map([['a/b', COLUMNS]]);

  test('columns that are shown and columns that are filtered', () => {
    const needs = deriveNeeds([{ children: [scan(['(lower(code) = year)'], 'rate', 'rowid')] }], tables);
    expect([...needs.get('a/b')!.columns]).toEqual(['rate', 'year', 'code']);
  });

  test('read twice: what either needs, bounds that both have', () => {
    const both = [scan(["code='x'", 'year=2020'], 'rate'), scan(['year=2020'], 'detail')];
    const need = deriveNeeds(both, tables).get('a/b')!;
    expect([...need.columns].sort()).toEqual(['code', 'detail', 'rate', 'year']);
    expect(need.bounds).toEqual([{ kind: 'values', column: 'year', values: [2020] }]);
  });

  test('other tables are none of ours', () => {
    expect(deriveNeeds([{ extra_info: { Table: 'duckdb_tables' } }], tables).size).toBe(0);
  });
});

describe('the names of tables', () => {
  const keys = ['a/rain', 'b/rain', 'a/wind', 'a/_dimensions/places', 'b/_dimensions/places'];
  const names = collectNames(keys);

  test.each([
    ['SELECT * FROM wind', ['a/wind']],
    ['select * from WIND', ['a/wind']],
    ['FROM "b/rain"', ['b/rain']],
    ['FROM b.rain', ['a/rain', 'b/rain']],
    ['FROM a._places', ['a/_dimensions/places', 'b/_dimensions/places']],
    ['SELECT 1 -- wind', ['a/wind']],
    ['SELECT "no "" such"', []],
  ])('%s', (statement, found) => expect(findKeys(statement, names)).toEqual(found));

  test('two datasets of one topic have it with their domain only', () => {
    expect(chooseKey(names.get('rain')!)).toBeNull();
    expect(chooseKey(names.get('wind')!)).toBe('a/wind');
    expect(chooseKey(names.get('places')!)).toBe('a/_dimensions/places');
  });
});
