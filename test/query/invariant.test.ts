/**
 * Pruning changes which files are read, never the answer: for any question, the residual over the planned
 * files gives what a full scan of all rows gives, in order, paged.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition } from '../../site/query/condition.ts';
import { compareRows } from '../../site/query/order.ts';
import type { Plan, ScanSource } from '../../site/query/plan.ts';
import type { Level } from '../../site/query/table.ts';
import { matchingRows, type Question, questionUrl } from '../edge/tree/reference.ts';
import { GROUPS, ORDER, position, type Row, TYPES } from '../edge/tree/rows.ts';
import { randomRuns } from '../random-runs.ts';
import { makeTable, planQuery, type StoredRows, type TableOptions, type TestTable } from './tables.ts';

const FORMATS = ['json', 'csv', 'parquet'] as const;
const year = fc.integer({ min: 2017, max: 2024 });
const list = (...values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 });

const CODES = ['101', '108', '150', '360', '\ue000', '𝒳', '000'];
const UNITS = ['u000', 'u003', 'u016', 'u059', 'none'];
const filters = fc.record(
  {
    ...{ area_code: list(...CODES), unit_code: list(...UNITS), group: list(...GROUPS) },
    ...{ step: list('1', '2', '3'), open: list('true', 'false'), area_type: list(...TYPES) },
  },
  { requiredKeys: [] },
);
const units = fc.tuple(fc.constantFrom(...CODES), fc.constantFrom(...UNITS)).map(codes => codes.join(':'));

const question: fc.Arbitrary<Question> = fc.record(
  {
    detail: fc.constantFrom('areas', 'areas', 'units', 'whole'),
    year,
    year_min: year,
    year_max: year,
    filters,
    offset: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(100, 200, 10_000, 9_999_999)),
    limit: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(100, 10_000)),
  },
  { requiredKeys: [] },
);

/** Places beside the other filters, with the level's number of parts. */
const placed: fc.Arbitrary<Question> = fc
  .tuple(question, list(...CODES), fc.uniqueArray(units, { minLength: 1, maxLength: 5 }))
  .map(([asked, areas, pairs]) =>
    asked.detail === 'whole'
      ? asked
      : { ...asked, filters: { ...asked.filters, place: asked.detail === 'units' ? pairs : areas } },
  );

function satisfies(condition: Condition, row: Row): boolean {
  const asked = condition.columns.map(name => row[position(name)] ?? null);
  switch (condition.bound) {
    case 'key':
      return condition.keys.some(key => key.every((code, index) => code === asked[index]));
    default: {
      const [value = null] = asked;
      const [[end = null] = []] = condition.keys;
      if (value === null || end === null) return false;
      return condition.bound === 'min' ? value >= end : value <= end;
    }
  }
}

/** Both hold the same row objects. A difference is shown as values. */
function expectSame(found: readonly Row[], wanted: readonly Row[]): void {
  if (found.length !== wanted.length || found.some((row, index) => row !== wanted[index]))
    expect(found).toEqual(wanted);
}

/** Executes a plan on rows in memory, as simply as possible. */
function execute(plan: Plan, stored: StoredRows): readonly Row[] {
  const rowsOf = (path: string) => stored.get(path) ?? [];
  switch (plan.kind) {
    case 'stored':
      return plan.files.flatMap(({ path }) => rowsOf(path));
    case 'scan': {
      const { conditions, sort, offset, limit } = plan.residual;
      const { order } = plan.table;
      const read = ({ file, groups }: ScanSource) => {
        const size = file.row_groups[0]!.rows;
        const held = groups.flatMap(index => rowsOf(file.path).slice(index * size, (index + 1) * size));
        return held.filter(row => conditions.every(condition => satisfies(condition, row)));
      };
      const found = plan.sources.map(read);
      const all = compareRows(order);
      const matches = found.flatMap(rows => (sort === 'stretches' ? rows.sort(all) : rows));
      if (sort === 'rows') matches.sort(all);
      return matches.slice(offset, limit === null ? undefined : offset + limit);
    }
    default:
      return plan satisfies never;
  }
}

/** `lost`: a year without slices. */
function check({ table, stored }: TestTable, order: readonly string[], lost?: number): void {
  fc.assert(
    fc.property(fc.oneof(question, placed), fc.constantFrom(...FORMATS), (asked, format) => {
      const url = questionUrl(asked, format);
      const { offset = 0, limit = format === 'json' ? 10_000 : undefined } = asked;
      const held = matchingRows(asked).filter(row => row[0] !== lost);
      const all = [...held].sort(compareRows(order.map(position)));
      const plan = planQuery(table, url.slice(url.indexOf('?')));
      const found = execute(plan, stored);
      const wanted = all.slice(offset, limit === undefined ? undefined : offset + limit);
      expectSame(found, wanted);
      if (plan.total !== null) expect(plan.total).toBe(all.length);
    }),
    // All years of a few rows: a file with a gap is read once.
    { numRuns: randomRuns(50), examples: [[{ filters: { open: ['true'] } }, 'json']] },
  );
}

const BY_AREA = ['area_code', 'group', 'year', 'unit_code', 'step'];

test.each<[string, TableOptions]>([
  ['as published', {}],
  ['in small row groups, with a coarse copy', { groupRows: 7, copyGroupRows: 200 }],
  ['with many small row groups of the copy', { groupRows: 500, copyGroupRows: 5 }],
  ['with no bounds known', { withoutBounds: true }],
  ['with no JSON or CSV stored', { withoutText: true }],
  ['with a grain that does not begin with the year', { order: BY_AREA }],
  [
    'with such a grain and copies by values',
    { order: BY_AREA, byValues: { years: 2, without: 2020 }, copyGroupRows: 7 },
  ],
  ['with copies of some years each, in small row groups', { byValues: { years: 2 }, copyGroupRows: 5 }],
  ['with copies of a year each, none of 2022', { byValues: { years: 1, without: 2022 }, copyGroupRows: 7 }],
])('%s, what the residual leaves is the full scan', (_, options) => {
  check(makeTable(options), options.order ?? ORDER);
});

test('at a level whose ordered copy lacks a year, the residual gives the rows of a full scan', () => {
  const { table, stored } = makeTable({ byValues: { years: 9 }, copyGroupRows: 7 });
  const lost = [...table.levels].map(([name, level]): [string, Level] => {
    const slices = level.slices.filter(({ year }) => year !== 2020);
    return [name, { ...level, slices, years: slices.map(slice => slice.year) }];
  });
  check({ table: { ...table, levels: new Map(lost) }, stored }, ORDER, 2020);
});
