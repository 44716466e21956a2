import { expect, test } from 'vitest';
import type { LakeSlice } from '../../build/lake/inventory.ts';
import {
  affordsCopy,
  chooseColumns,
  copyRuns,
  isTooSmall,
  keepsBudget,
} from '../../build/slice/dataset-rows.ts';

const GRAIN = { order: ['year', 'place', 'month', 'kind'], placeColumns: ['place'] };
const columns = (values: Readonly<Record<string, number>>, keys: Readonly<Record<string, string>> = {}) =>
  Object.entries({ place: 100, ...values }).map(([name, count]) => ({
    name,
    values: count,
    key: keys[name] ?? null,
  }));

test.each<[string, number, Readonly<Record<string, number>>, readonly string[]]>([
  ['few rows are worth none', 6000, { kind: 500 }, []],
  ['a column that divides them much', 8000, { kind: 15 }, ['kind']],
  ['two values save half of many rows', 13_000, { kind: 2 }, ['kind']],
  ['two values save little of few rows', 12_000, { kind: 2 }, []],
  ['one value saves nothing', 1_000_000, { kind: 1, month: 0 }, []],
  ['too many values for the manifest', 1_000_000, { kind: 1001 }, []],
  ['the best first', 100_000, { kind: 3, month: 12, open: 2 }, ['month', 'kind', 'open']],
  ['not the place that leads', 100_000, { place: 900, kind: 3 }, ['kind']],
  ['not the first of the grain of one place', 100_000, { place: 1, month: 12, kind: 3 }, ['kind']],
])('columns worth a copy: %s', (_, rows, values, chosen) => {
  expect(chooseColumns(rows, columns(values), GRAIN)).toEqual(chosen);
  if (isTooSmall(rows)) expect(chosen).toEqual([]);
});

test('a column that follows from another one needs no copy', () => {
  const both = (kind: number) => columns({ kind, family: 4 }, { family: 'kind' });
  expect([15, 1001].map(kind => chooseColumns(100_000, both(kind), GRAIN))).toEqual([['kind'], ['family']]);
});

test('copies stay within 5% of the rows as text', () => {
  expect([[], [20], [20, 10], [20, 20]].map(one => affordsCopy(one, 1000))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect([keepsBudget([20, 30], 1000), keepsBudget([20, 31], 1000)]).toEqual([true, false]);
});

test('the years of a file begin at a multiple of a power of two, so another year only changes the last file', () => {
  const slices = (years: readonly number[], bytes: number, detail = 'units'): LakeSlice[] =>
    years.map(year => ({
      year,
      detail,
      files: [{ path: `${year}`, absolute: '', bytes, fingerprint: '', modified: 0 }],
    }));
  const years = Array.from({ length: 10 }, (_, i) => 2015 + i);
  const names = (...lists: readonly LakeSlice[][]) =>
    copyRuns(lists.flat())
      .filter(({ by }) => by === 'values')
      .map(({ detail, slices: own }) => `${detail} by values ${own.map(({ year }) => year).join(' ')}`);
  const whole = `units by values ${years.join(' ')}`;
  expect(names(slices(years, 100_000))).toEqual([whole]);
  const runs = ['2015', '2016 2017 2018 2019', '2020 2021 2022 2023'].map(run => `units by values ${run}`);
  expect(names(slices(years, 200_000))).toEqual([...runs, 'units by values 2024']);
  expect(names(slices([...years, 2025], 200_000))).toEqual([...runs, 'units by values 2024 2025']);
  const levels = [slices([2023, 2024], 5e6), slices([2024], 10, 'areas'), slices([0], 10, 'things')];
  expect(names(...levels).map(name => name.replace('by values ', ''))).toEqual([
    'areas 2024',
    'things 0',
    'units 2023',
    'units 2024',
  ]);
  expect(copyRuns(slices(years, 200_000)).find(({ by }) => by === 'place')?.slices).toHaveLength(10);
  expect(copyRuns(slices([2024], 200_000)).map(({ by }) => by)).toEqual(['place', 'values']);
});
