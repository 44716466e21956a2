import { describe, expect, test } from 'vitest';
import type { Plan } from '../../site/query/plan.ts';
import { planRequest } from '../../site/query/planner.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request-parser.ts';
import type { Table } from '../../site/query/table.ts';
import { makeTable } from './tables.ts';

const { table } = makeTable();

function plan(query: string, from: Table = table): Plan {
  const parsed = parseRequest(from, parseQuery(query)!);
  if (!('request' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return planRequest(from, parsed.request);
}

const FOLDER = 'api/v1/demo/things/';

/** A plan on one line: what it is, and what it reads. */
function summarize(planned: Plan): string {
  const short = (path: string) => path.replace(FOLDER, '');
  switch (planned.kind) {
    case 'stored':
      return `stored ${short(planned.file.path)}${planned.more ? ', more' : ''}`;
    case 'cut':
      return `cut ${planned.pieces.map(({ file, skip, take }) => `${short(file.path)} ${skip}+${take}`).join(', ')}`;
    case 'scan': {
      const { sort, offset, conditions } = planned.residual;
      const files = planned.sources.map(({ file, groups }) => `${short(file.path)} ${groups.join('.')}`);
      const rest = [
        ...conditions.map(({ param }) => param),
        ...(sort ? ['sort'] : []),
        ...(offset > 0 ? [`offset ${offset}`] : []),
      ];
      return `scan ${files.join(', ')} → ${rest.join(', ')}`;
    }
    default:
      return planned satisfies never;
  }
}

describe('one stored file', () => {
  test.each([
    ['?year=2022', 'stored year=2022/areas.0.json'],
    ['?year=2022&format=csv', 'stored year=2022/areas.csv'],
    ['?year=2022&format=parquet', 'stored year=2022/areas.parquet'],
    ['?year=2022&limit=216', 'stored year=2022/areas.0.json'],
    ['?year_min=2022&year_max=2022', 'stored year=2022/areas.0.json'],
    ['?year_min=2021&year_max=2022&detail=areas&offset=0', 'stored year=2022/areas.0.json'],
    ['?detail=whole', 'stored year=2022/whole.0.json'],
    ['?detail=units&year=2023', 'stored year=2023/units.0.json, more'],
    ['?detail=units&year=2023&offset=10000', 'stored year=2023/units.1.json'],
    ['?detail=units&year=2023&offset=10000&limit=3000', 'stored year=2023/units.1.json'],
    ['?detail=units&year=2023&format=csv&limit=20000', 'stored year=2023/units.csv'],
  ])('%s', (query, expected) => {
    expect(summarize(plan(query))).toBe(expected);
  });
});

describe('lines of stored files', () => {
  test.each([
    ['?year=2022&limit=10', 'cut year=2022/areas.0.json 0+10'],
    ['?year=2022&limit=10&offset=5', 'cut year=2022/areas.0.json 5+10'],
    ['?year=2022&offset=1000', 'cut '],
    ['?year=2021', 'cut '],
    [
      '?detail=units&year=2023&offset=9999&limit=2',
      'cut year=2023/units.0.json 9999+1, year=2023/units.1.json 0+1',
    ],
    ['?year_min=2022&limit=300', 'cut year=2022/areas.0.json 0+216, year=2023/areas.0.json 0+84'],
    ['?year_min=2022&offset=216&limit=1', 'cut year=2023/areas.0.json 0+1'],
    ['?year_min=2022&format=csv', 'cut year=2022/areas.csv 0+216, year=2023/areas.csv 0+216'],
  ])('%s', (query, expected) => {
    expect(summarize(plan(query))).toBe(expected);
  });
});

describe('row groups', () => {
  test.each([
    ['?year=2022&format=parquet&offset=70&limit=60', 'scan year=2022/areas.parquet 1.2 → offset 6'],
    ['?year_min=2022&format=parquet&offset=216&limit=1', 'scan year=2023/areas.parquet 0 → '],
    ['?year=2022&group=all', 'scan year=2022/areas.parquet 0.1.2.3 → group'],
    ['?year=2022&area_code=101', 'scan history/areas.parquet 0 → area_code, year, sort'],
    ['?area_code=000', 'scan  → area_code'],
    ['?area_code=150', 'scan history/areas.parquet 3 → area_code, sort'],
    ['?area_code=150&year=2022', 'scan history/areas.parquet 3 → area_code, year, sort'],
    ['?year=2021&area_code=150', 'scan  → area_code'],
    ['?detail=whole&group=all', 'scan year=2022/whole.parquet 0 → group'],
  ])('%s', (query, expected) => {
    expect(summarize(plan(query))).toBe(expected);
  });

  test('several places are several runs of the history, not all that lies between or across', () => {
    const groups = (query: string) => {
      const planned = plan(`?detail=units&${query}`);
      if (planned.kind !== 'scan') throw new Error(planned.kind);
      expect(planned.sources.map(({ file }) => file.path)).toEqual([`${FOLDER}history/units.parquet`]);
      return planned.sources.flatMap(source => source.groups);
    };
    const [one, other] = [groups('place=108:u001'), groups('place=360:u015')];
    expect(groups('place=108:u001,360:u015')).toEqual([...one, ...other]);
    expect(groups('area_code=108,360&unit_code=u001,u015').length).toBeGreaterThan(one.length + other.length);
  });

  test('without bounds all are kept', () => {
    const blind = makeTable({ withoutBounds: true }).table;
    expect(summarize(plan('?year=2022&area_code=101', blind))).toBe(
      'scan year=2022/areas.parquet 0.1.2.3 → area_code',
    );
  });
});

describe('what an answer says before it is read', () => {
  test.each([
    ['?year=2022', 'areas2022', 216, [2022]],
    ['?year=2022&area_code=101', 'areas2022', null, [2022]],
    ['', 'release00000', 864, [2019, 2020, 2022, 2023]],
    ['?year=2021', 'release00000', 0, []],
    ['?year=2021&group=all', 'release00000', null, []],
  ])('%s', (query, release, total, years) => {
    expect(plan(query)).toMatchObject({ release, total, years });
  });
});

/** A level of 50 years in 250 row groups, and a history of 40,000: as large as any that a tree may hold. */
function largeTable(): Table {
  const { levels, ...rest } = table;
  const level = levels.get('units')!;
  const { parquet, ...slice } = level.slices[0]!;
  const history = level.history!;
  const years = Array.from({ length: 50 }, (_, i) => 1975 + i);
  const groupsOf = (count: number, first: number, last: number) =>
    Array.from({ length: count }, (_, i) => {
      const code = (at: number) => String(at).padStart(6, '0');
      const min = [first, code(Math.floor((i * 40_000) / count)), 'u000', 'all', 1, false, 'city'];
      const max = [last, code(Math.floor(((i + 1) * 40_000) / count)), 'u999', 'green', 2, true, 'rural'];
      return { rows: 2048, start: 4 + i * 1000, sizes: [1000], min, max, nulls: min.map(() => 0) };
    });
  const source = (count: number, held: readonly number[]) => {
    const row_groups = groupsOf(count, held[0]!, held.at(-1)!);
    return {
      ...parquet,
      years: held,
      groupBytes: row_groups.map(() => 1000),
      lead: history.lead,
      entry: { ...parquet.entry, row_groups },
    };
  };
  const slices = years.map(year => ({ ...slice, year, parquet: source(5, [year]) }));
  return {
    ...rest,
    levels: new Map([...levels, ['units', { ...level, slices, years, history: source(40_000, years) }]]),
  };
}

describe('values of a column with an order', () => {
  const { table: ordered } = makeTable({ orders: { years: 2 }, historyGroupRows: 48 });
  const rows = (query: string) => plan(query, ordered).total ?? 0;
  test.each([
    ['?detail=units&group=blue&limit=10', 'scan history/units.group.2019.parquet', 1],
    ['?detail=units&group=blue&limit=10&offset=LAST', 'scan history/units.group.2022.parquet', 1],
    ['?detail=units&group=blue&year=2022', 'scan history/units.group.2022.parquet', null],
    ['?detail=units&step=2&group=blue', 'scan history/units.', null],
    ['?detail=units&group=blue,green&limit=10', 'scan history/units.group.2019.parquet', 2],
  ])('%s', (query, expected, groups) => {
    const found = plan(query.replace('LAST', String(rows('?detail=units&group=blue') - 10)), ordered);
    expect(summarize(found)).toContain(expected);
    if (found.kind !== 'scan') throw new Error('no scan');
    expect(found.residual.sort).toBe(false);
    const read = (found.lanes ?? found.sources).reduce((sum, source) => sum + source.groups.length, 0);
    // A list narrows the page to a year, and reads each of its values.
    if (groups === 1) expect(read).toBeLessThan(3);
    if (groups === 2) expect(found.lanes).toHaveLength(2);
  });

  test('beyond its end nothing is read', () => {
    const found = plan('?detail=units&group=blue&offset=9999999', ordered);
    expect(found.kind === 'scan' && found.sources).toEqual([]);
    expect(found.total).toBeGreaterThan(0);
  });

  test('other filters leave the number of rows open', () => {
    expect(plan('?detail=units&group=blue&step=1', ordered).total).toBeNull();
    expect(plan('?detail=areas&area_type=city', ordered).total).toBeGreaterThan(0);
    expect(plan('?detail=areas&area_type=city', table).total).toBeNull();
  });
});

test('planning is quick, and does not grow with the history', () => {
  const large = largeTable();
  const queries = [
    '?detail=units&year=2019',
    '?detail=units&year=2019&area_code=033000',
    '?detail=units&area_code=033000&unit_code=u003',
    '?detail=units&area_code=000001,033000',
    '?detail=units&limit=1000',
  ];
  const requests = queries.map(query => {
    const parsed = parseRequest(large, parseQuery(query)!);
    if (!('request' in parsed)) throw new Error('problems');
    return parsed.request;
  });
  const runs = 5000;
  for (const request of requests) for (let i = 0; i < runs; i++) planRequest(large, request);
  for (const [i, request] of requests.entries()) {
    // Microseconds of processor, whatever else runs; five times the aim, since a busy machine is slower too.
    const begin = process.cpuUsage();
    for (let j = 0; j < runs; j++) planRequest(large, request);
    const microseconds = process.cpuUsage(begin).user / runs;
    expect(microseconds, queries[i]).toBeLessThan(100);
  }
});
