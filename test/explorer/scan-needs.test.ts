import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../../build/format/documents.ts';
import { deriveNeeds, type PlanNode, readBound } from '../../site/explorer/engine/sql-plan.ts';
import { chooseKey, collectNames, findKeys } from '../../site/explorer/engine/sql-tables.ts';

const COLUMNS = new Map<string, ColumnType>([
  ['detail', 'string'],
  ['year', 'integer'],
  ['code', 'string'],
  ['code_2', 'string'],
  ['rate', 'number'],
]);

const range = (least: number | null, greatest: number | null) => ({
  kind: 'range',
  column: 'year',
  least,
  greatest,
});
const values = (column: string, ...list: (string | number)[]) => ({ kind: 'values', column, values: list });

test.each([
  ['year=2024', values('year', 2024)],
  ["code='a''b'", values('code', "a'b")],
  ["code_2='x'", values('code_2', 'x')],
  ["optional: code IN ('a, b', ') OR (', '=1')", values('code', 'a, b', ') OR (', '=1')],
  ['optional: year=2024 OR year=2023', values('year', 2024, 2023)],
  ["code='a=1' OR code='b'", values('code', 'a=1', 'b')],
  ['year>=2020 AND year<=2022', range(2020, 2022)],
  ['year>2020', range(2020, null)],
  ['(code IS NOT NULL)', { kind: 'null', column: 'code', isNull: false }],
  ['(rate IS NULL)', { kind: 'null', column: 'rate', isNull: true }],
])('the filter %s of a plan says what there is to read', (filter, bound) =>
  expect(readBound(filter, COLUMNS)).toEqual(bound),
);

test.each([
  ['rate=0.5', 'year=2024.5', "year='2024'", 'code=5', 'other=1', 'yearly=1'],
  ["code='a' AND (lower(code) = 'x')", "code='a' OR rate=1", "code>='a'", "code='a' OR", "code='a"],
  ['(CAST(year AS DECIMAL(11,1)) > 2000.5)', 'optional: Dynamic Filter (year)'],
])('%s and the like say nothing that is sure', (...filters) => {
  for (const filter of filters) expect([filter, readBound(filter, COLUMNS)]).toEqual([filter, null]);
});

test('a plan needs columns that are shown or filtered, and bounds that every reading has', () => {
  const scan = (filters: readonly string[], ...projections: string[]): PlanNode => ({
    extra_info: { Table: 'a/b', Projections: projections, Filters: filters },
  });
  const needOf = (plan: readonly PlanNode[]) => deriveNeeds(plan, new Map([['a/b', COLUMNS]])).get('a/b');
  const once = needOf([{ children: [scan(['(lower(code) = year)'], 'rate', 'rowid')] }]);
  expect([...once!.columns]).toEqual(['rate', 'year', 'code']);
  const twice = needOf([scan(["code='x'", 'year=2020'], 'rate'), scan(['year=2020'], 'detail')])!;
  expect([...twice.columns].sort()).toEqual(['code', 'detail', 'rate', 'year']);
  expect(twice.bounds).toEqual([values('year', 2020)]);
  expect(deriveNeeds([{ extra_info: { Table: 'duckdb_tables' } }], new Map([['a/b', COLUMNS]])).size).toBe(0);
});

describe('the names of tables', () => {
  const keys = ['a/rain', 'b/rain', 'a/wind', 'a/_dimensions/places', 'b/_dimensions/places'];
  const names = collectNames(keys);

  test.each([
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
