/** Which files a request reads, and what remains to do with their rows. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Plan, planScan } from '../../site/query/plan.ts';
import { ALL_YEARS } from '../../site/query/request.ts';
import type { Table } from '../../site/query/table.ts';
import { makeTable, planQuery } from './tables.ts';

const { table } = makeTable();
const { table: ordered } = makeTable({ byValues: { years: 2 } });

/** A plan on one line. */
function summarize(planned: Plan): string {
  const short = (path: string) => path.replace('api/v1/demo/things/', '');
  switch (planned.kind) {
    case 'stored':
      return `${planned.file ? 'stored' : 'joined'} ${planned.files.map(({ path }) => short(path)).join(', ')}${planned.more ? ', more' : ''}`;
    case 'scan': {
      const { sort, offset, conditions } = planned.residual;
      const files = planned.sources.map(({ file, groups }) => `${short(file.path)} ${groups.join('.')}`);
      const rest = [
        ...conditions.map(({ param }) => param),
        sort === 'rows' && 'sort',
        offset > 0 && `offset ${offset}`,
      ];
      return `scan ${files.join(', ')} → ${rest.filter(Boolean).join(', ')}`;
    }
    default:
      return planned satisfies never;
  }
}

test.each([
  ['?year=2022', 'stored year=2022/areas.0.json'],
  ['?year=2022&format=csv', 'stored year=2022/areas.csv'],
  ['?year=2022&format=parquet', 'stored year=2022/areas.parquet'],
  ['?year=2022&limit=216', 'stored year=2022/areas.0.json'],
  ['?detail=whole', 'stored year=2022/whole.0.json'],
  ['?detail=units&year=2023', 'stored year=2023/units.0.json, more'],
  ['?detail=units&year=2023&offset=10000', 'stored year=2023/units.1.json'],
  ['?detail=units&year=2023&format=csv&limit=20000', 'stored year=2023/units.csv'],
  ['?year=2022&limit=10&offset=5', 'scan year=2022/areas.parquet 0 → offset 5'],
  ['?year=2022&offset=1000', 'joined '],
  ['?year=2021', 'joined '],
  ['?year_min=2022', 'joined year=2022/areas.0.json, year=2023/areas.0.json'],
  ['?year_min=2022&offset=216', 'joined year=2023/areas.0.json'],
  ['?year_min=2022&limit=300', 'scan year=2022/areas.parquet 0.1.2.3, year=2023/areas.parquet 0.1 → '],
  ['?year_min=2022&offset=216&limit=1', 'scan year=2023/areas.parquet 0 → '],
  ['?year_min=2022&format=csv', 'joined year=2022/areas.csv, year=2023/areas.csv'],
  ['?year=2022&format=parquet&offset=70&limit=60', 'scan year=2022/areas.parquet 1.2 → offset 6'],
  ['?year_min=2022&format=parquet&offset=216&limit=1', 'scan year=2023/areas.parquet 0 → '],
  ['?year=2022&group=all', 'scan year=2022/areas.parquet 0.1.2.3 → group'],
  ['?year=2022&area_code=101', 'scan _copies/areas.parquet 0 → area_code, year, sort'],
  ['?area_code=000', 'scan  → area_code'],
  ['?area_code=150', 'scan _copies/areas.parquet 3 → area_code, sort'],
  ['?year=2021&area_code=150', 'scan  → area_code'],
])('%s', (query, expected) => {
  expect(summarize(planQuery(table, query))).toBe(expected);
});

test('several places are several runs of the copy, without the rows between', () => {
  const groups = (query: string) => {
    const planned = planQuery(table, `?detail=units&${query}`);
    if (planned.kind !== 'scan') throw new Error(planned.kind);
    expect(planned.sources.map(({ file }) => path.basename(file.path))).toEqual(['units.parquet']);
    return planned.sources.flatMap(source => source.groups);
  };
  const [one, other] = [groups('place=108:u001'), groups('place=360:u015')];
  expect(groups('place=108:u001,360:u015')).toEqual([...one, ...other]);
  expect(groups('area_code=108,360&unit_code=u001,u015').length).toBeGreaterThan(one.length + other.length);
});

test('without bounds all row groups are kept', () => {
  const blind = makeTable({ withoutBounds: true }).table;
  expect(summarize(planQuery(blind, '?year=2022&area_code=101'))).toBe(
    'scan year=2022/areas.parquet 0.1.2.3 → area_code',
  );
});

test.each([
  ['?year=2022', 'areas2022', 216, [2022]],
  ['?year=2022&area_code=101', 'areas2022', null, [2022]],
  ['', 'release00000', 864, [2019, 2020, 2022, 2023]],
  ['?year=2021', 'release00000', 0, []],
  ['?year=2021&group=all', 'release00000', null, []],
])('%s: release, total and years are known before a row is read', (query, release, total, years) => {
  expect(planQuery(table, query)).toMatchObject({ release, total, years });
});

describe('values of a column with an order', () => {
  const blue = '?detail=units&group=blue';
  const total = planQuery(ordered, blue).total ?? 0;

  test.each([
    [`${blue}&limit=10`, 'scan _copies/units.group.2019.parquet'],
    [`${blue}&limit=10&offset=${total - 10}`, 'scan _copies/units.group.2022.parquet'],
    [`${blue}&year=2022`, 'scan _copies/units.group.2022.parquet'],
    ['?detail=units&step=2&group=blue', 'scan _copies/units.'],
    ['?detail=units&group=blue,green&limit=10', 'scan _copies/units.group.2019.parquet'],
  ])('%s', (query, expected) => {
    const found = planQuery(ordered, query);
    expect(summarize(found)).toContain(expected);
    if (found.kind !== 'scan') throw new Error('no scan');
    expect(found.residual.sort).toBe(query.includes('blue,green') ? 'stretches' : 'none');
    // A page of one value is in one or two row groups.
    if (query.includes('blue&limit'))
      expect(found.sources.flatMap(({ groups }) => groups).length).toBeLessThan(3);
  });

  test("beyond the end nothing is read, and the total is known; with other filters it isn't", () => {
    const found = planQuery(ordered, `${blue}&offset=9999999`);
    expect([found.kind === 'scan' && found.sources, found.total]).toEqual([[], total]);
    expect(total).toBeGreaterThan(0);
    expect(planQuery(ordered, `${blue}&step=1`).total).toBeNull();
    expect(planQuery(ordered, '?detail=areas&area_type=city').total).toBeGreaterThan(0);
    expect(planQuery(table, '?detail=areas&area_type=city').total).toBeNull();
  });
});

test("counted values don't include NULL, so rows without a value are read from the slices", () => {
  const isNull = { param: 'open', columns: ['open'], bound: 'key', keys: [[null]], texts: [''] } as const;
  const request = { format: 'json', detail: 'units', years: ALL_YEARS, offset: 0, limit: null } as const;
  const { sources } = planScan(ordered, { ...request, conditions: [isNull] });
  expect(sources.map(({ file }) => file.path.includes('_copies'))).not.toContain(true);
  expect(sources.length).toBeGreaterThan(0);
});

test('planning a place reads few row groups, for a copy of any length', () => {
  const long = makeTable({ copyGroupRows: 2 }).table;
  const level = long.levels.get('units')!;
  const whole = level.copies.find(({ isCounted }) => !isCounted)!;
  const [file] = whole.files.values();
  const { row_groups } = file!.source!;
  const looked = new Set<PropertyKey>();
  const watched = new Proxy(row_groups, {
    get: (held, name) => {
      if (name !== 'length') looked.add(name);
      return Reflect.get(held, name);
    },
  });
  const source = { ...file!.source!, row_groups: watched };
  const files = new Map([...whole.files.keys()].map(year => [year, { ...file!, source }]));
  const copies = [{ ...whole, files }];
  const levels: Table['levels'] = new Map([...long.levels, ['units', { ...level, copies }]]);
  for (const query of ['area_code=150&unit_code=u003', 'year=2019&area_code=101', 'place=101:u001']) {
    looked.clear();
    expect(planQuery({ ...long, levels }, `?detail=units&${query}`).kind).toBe('scan');
    expect(looked.size).toBeLessThan(row_groups.length / 10);
  }
});
