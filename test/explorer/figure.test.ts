import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveFigures, type FigureAxis, type FigureRow } from '../../site/explorer/view/figure.ts';
import { describeLine } from '../../site/explorer/view/line-chart.tsx';
import { layOutLine, niceTicks, type YearValue } from '../../site/explorer/view/line-path.ts';
import { formatPlace, parsePlace } from '../../site/explorer/view/place-address.ts';
import { placesAt } from '../../site/explorer/view/places.ts';
import type { SearchDimension, SearchDocument } from '../../site/explorer/view/search-document.ts';
import { describeStart } from '../../site/explorer/view/wording.ts';

const COLUMNS = { year: 'year', column: 'rain', margin: 'rain_moe' };
const SEASON: FigureAxis = { column: 'season', total: 'all', values: ['all'] };
const KIND: FigureAxis = { column: 'kind', total: null, values: ['snow', 'hail', 'sleet'] };
const row = (
  year: number,
  season: string,
  kind: string,
  rain: number | null,
  rain_moe: number | null = null,
) => ({ year, season, kind, rain, rain_moe }) satisfies FigureRow;

describe('figures of a place', () => {
  test('an axis with a total is on it; another on the first value that the latest year has a figure of', () => {
    const rows = [
      row(2020, 'all', 'hail', 1, 0.5),
      row(2021, 'all', 'hail', null),
      row(2022, 'all', 'snow', null),
      row(2022, 'all', 'hail', 3),
      row(2022, 'wet', 'snow', 9),
    ];
    const figures = deriveFigures(COLUMNS, [SEASON, KIND], rows);
    expect([...(figures?.pins ?? [])]).toEqual([
      ['season', 'all'],
      ['kind', 'hail'],
    ]);
    expect(figures?.points).toEqual([
      { year: 2020, value: 1, margin: 0.5 },
      { year: 2021, value: null, margin: null },
      { year: 2022, value: 3, margin: null },
    ]);
  });
  test('a total that the latest year does not have gives way to the first value that it has', () => {
    const season = { ...SEASON, values: ['all', 'wet', 'dry'] };
    const rows = [
      row(2021, 'all', 'snow', 1),
      row(2021, 'dry', 'snow', 2),
      row(2022, 'dry', 'snow', 4),
      row(2022, 'wet', 'snow', null),
    ];
    const figures = deriveFigures(COLUMNS, [season, KIND], rows);
    expect([...(figures?.pins ?? [])]).toEqual([
      ['season', 'dry'],
      ['kind', 'snow'],
    ]);
    expect(figures?.points.map(({ year, value }) => [year, value])).toEqual([
      [2021, 2],
      [2022, 4],
    ]);
  });
  test('other axes are chosen among the rows that the totals leave', () => {
    const rows = [row(2022, 'wet', 'snow', 1), row(2022, 'all', 'hail', 2)];
    expect([...(deriveFigures(COLUMNS, [KIND, SEASON], rows)?.pins ?? [])]).toEqual([
      ['season', 'all'],
      ['kind', 'hail'],
    ]);
  });
  test('an axis in which the latest rows have no value is pinned on that', () => {
    const rows = [{ ...row(2021, 'all', 'snow', 1) }, { ...row(2022, 'all', '', 2), kind: null }];
    const figures = deriveFigures(COLUMNS, [SEASON, KIND], rows);
    expect(figures?.pins.get('kind')).toBeNull();
    expect(figures?.points.map(({ year }) => year)).toEqual([2022]);
  });
  test('no rows are no figure, and two rows of a year are none either', () => {
    expect(deriveFigures(COLUMNS, [SEASON], [])).toBeNull();
    expect(
      deriveFigures(COLUMNS, [SEASON], [row(2020, 'all', 'snow', 1), row(2020, 'all', 'hail', 2)]),
    ).toBeNull();
  });
});

const point = (year: number, value: number | null, margin: number | null = null): YearValue => ({
  year,
  value,
  margin,
});
const BOX = { width: 100, height: 50 };

describe('a line over years', () => {
  test.each([
    ['neighbours are joined', [point(2019, 1), point(2020, 2), point(2021, 3)], [], 1],
    ['a missing year breaks it', [point(2019, 1), point(2020, 2), point(2022, 3), point(2023, 3)], [], 2],
    [
      'a missing value breaks it',
      [point(2019, 1), point(2020, 2), point(2021, null), point(2022, 3), point(2023, 3)],
      [],
      2,
    ],
    [
      'what cannot be compared breaks it',
      [point(2019, 1), point(2020, 2), point(2021, 3), point(2022, 3)],
      [2020],
      2,
    ],
    ['a year alone is a dot', [point(2019, 1), point(2021, 2)], [], 0],
  ] as const)('%s', (_, points, breaks, lines) => {
    const shape = layOutLine(points, BOX, breaks);
    expect(shape?.lines).toHaveLength(lines);
    expect(shape?.dots).toHaveLength(points.filter(one => one.value !== null).length);
  });
  test('margins are a band, where every year of the line has one', () => {
    expect(layOutLine([point(2019, 5, 1), point(2020, 6, 1)], BOX)?.bands).toHaveLength(1);
    expect(layOutLine([point(2019, 5, 1), point(2020, 6)], BOX)?.bands).toHaveLength(0);
  });
  test('there is none without a value', () => {
    expect(layOutLine([], BOX)).toBeNull();
    expect(layOutLine([point(2019, null)], BOX)).toBeNull();
    expect(describeLine([point(2019, null)], null)).toBe('No year has a figure.');
  });
  test('its words compare no figures across a break', () => {
    const points = [point(2009, 9), point(2010, 1), point(2011, 2), point(2012, 3)];
    const latest = 'From 2 in 2011 to 3 in 2012; highest 3 in 2012, lowest 2 in 2011.';
    expect(describeLine(points, null, [2009, 2010])).toBe(latest);
    expect(describeLine(points, null, [2012])).toContain('From 9 in 2009');
    expect(describeLine([...points, point(2013, null)], null, [2010, 2012])).toBe(latest);
  });
  test('an axis of counts or shares that does not begin at zero says so', () => {
    expect(describeStart([0.614, 0.83], 'proportion')).toBe('The axis begins at 60%, not at zero.');
    expect(describeStart([17_500, 18_700], 'count')).toBe('The axis begins at 17,500, not at zero.');
    expect(describeStart([0.1, 0.83], 'proportion')).toBeNull();
    expect(describeStart([485, 510], 'score')).toBeNull();
    expect(describeStart([], 'count')).toBeNull();
  });
  test('everything lies within its box, whatever the figures', () => {
    const value = fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { nil: null });
    const margin = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, margin), { minLength: 1, maxLength: 25 }), list => {
        const points = list.map(([v, m], i) => point(2000 + i, v, v === null ? null : m));
        const shape = layOutLine(points, BOX);
        expect(shape === null).toBe(list.every(([v]) => v === null));
        for (const { x, y, margin: ends } of shape?.dots ?? []) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(BOX.width);
          for (const end of [y, ...(ends ?? [])]) {
            expect(end).toBeGreaterThanOrEqual(-0.01);
            expect(end).toBeLessThanOrEqual(BOX.height + 0.01);
          }
        }
      }),
    );
  });
  test('ticks ascend and hold both ends', () => {
    const number = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    // Far apart, or differing in the last digits that a number has.
    const pair = fc.oneof(
      fc.tuple(number, number),
      fc
        .tuple(number, fc.integer({ min: 0, max: 1000 }))
        .map(([one, steps]) => [one, one * (1 + steps * Number.EPSILON)] as [number, number]),
    );
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [least, greatest] = [Math.min(a, b), Math.max(a, b)];
        const ticks = niceTicks(least, greatest);
        const slack =
          (greatest - least) * 1e-6 + Math.max(Math.abs(least), Math.abs(greatest)) * 1e-12 + 1e-290;
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks[0]).toBeLessThanOrEqual(least + slack);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest - slack);
        expect([...ticks].sort((x, y) => x - y)).toEqual(ticks);
      }),
    );
  });
});

const STATIONS: SearchDimension = {
  id: 'stations',
  name: 'stations',
  domain: 'climate',
  title: 'Stations',
  key: ['region', 'station'],
  datasets: [],
  places: [
    ['Hill', 'North', 'n', '07'],
    ['Hill', 'South', 's', '07'],
  ],
};
const DOCUMENT = { format: '', release: '', datasets: [], dimensions: [STATIONS] } satisfies SearchDocument;

describe('the address of a place', () => {
  test('leads to the place, whose key may be of several columns', () => {
    const query = formatPlace(STATIONS, ['s', '07']);
    expect(query).toBe('dimension=stations&region=s&station=07');
    expect(parsePlace(DOCUMENT, new URLSearchParams(query))).toMatchObject({ name: 'Hill', within: 'South' });
  });
  test.each([
    ['', null],
    ['region=s', null],
    ['dimension=planets&region=s', 'unknown'],
    ['dimension=stations&region=s', 'unknown'],
    ['dimension=stations&region=s&station=7', 'unknown'],
  ])('%s is %s', (query, result) => {
    expect(parsePlace(DOCUMENT, new URLSearchParams(query))).toBe(result);
  });
});

test('a row is about the place that no other one contains', () => {
  const region = { dimension: 'regions', columns: ['region'] };
  const station = { dimension: 'stations', columns: ['region', 'station'] };
  const river = { dimension: 'rivers', columns: ['river'] };
  const at = (places: string[]) => placesAt({ places }, [region, station, river]).map(join => join.dimension);
  expect(at([])).toEqual([]);
  expect(at(['region'])).toEqual(['regions']);
  expect(at(['region', 'station'])).toEqual(['stations']);
  expect(at(['region', 'station', 'river'])).toEqual(['stations', 'rivers']);
});
