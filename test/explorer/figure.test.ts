/** Figures of places, lines, ranks, classes, addresses and windows of rows, without a browser. */
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { scrollHeight, scrollWindow } from '../../site/explorer/app/explore/rows-table.tsx';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { t } from '../../site/explorer/messages/messages.ts';
import { classOf, deriveClasses } from '../../site/explorer/panel/map.tsx';
import { parseComparability, parseServiceTerms } from '../../site/explorer/view/contract.ts';
import { niceTicks, splitRuns } from '../../site/explorer/view/curve.tsx';
import { placesAt } from '../../site/explorer/view/dataset.ts';
import {
  deriveFigures,
  describeDifference,
  differenceOf,
  type FigureAxis,
} from '../../site/explorer/view/figure.ts';
import {
  closestPeers,
  derivePlaceFigures,
  describeRank,
  type PlaceSubject,
  peersOf,
  rankAmong,
  writeChange,
} from '../../site/explorer/view/place-figures.ts';
import { childrenOf, parentOf, parsePlace, placeAddress, placeAt } from '../../site/explorer/view/places.ts';
import type { SearchDocument } from '../../site/explorer/view/search-document.ts';
import type { Point } from '../../site/explorer/view/series.ts';
import { describeStart } from '../../site/explorer/view/wording.ts';
import { rowsOf } from './rows-of.ts';
import { searchDimension } from './search-parts.ts';

describe('figures of a place', () => {
  const SEASON: FigureAxis = { column: 'season', total: 'all', values: ['all'] };
  const UNEVEN: FigureAxis = { ...SEASON, values: ['all', 'wet', 'dry'] };
  const KIND: FigureAxis = { column: 'kind', total: null, values: ['snow', 'hail', 'sleet'] };
  const numberOf = (word = '-') => (word === '-' ? null : Number(word));
  /** Rows as `year season kind rain margin`; `-` is NULL. */
  const figuresOf = (axes: readonly FigureAxis[], rows: string) =>
    deriveFigures(
      { year: 'year', column: 'rain', margin: 'rain_moe' },
      axes,
      rowsOf(
        rows.split(', ').map(row => {
          const [year = '', season = '', kind = '', rain, margin] = row.split(' ');
          const at = { year: Number(year), season, kind: kind === '-' ? null : kind };
          return { ...at, rain: numberOf(rain), rain_moe: numberOf(margin) };
        }),
      ),
    );

  const LATEST_YEAR =
    '2020 all hail 1 0.5, 2021 all hail -, 2022 all snow -, 2022 all hail 3, 2022 wet snow 9';
  test.each([
    [
      'a total, and the first value with a figure',
      [SEASON, KIND],
      LATEST_YEAR,
      'all hail',
      '2020 1, 2021 -, 2022 3',
    ],
    [
      'a total that the latest year lacks',
      [UNEVEN, KIND],
      '2021 all snow 1, 2021 dry snow 2, 2022 dry snow 4, 2022 wet snow -',
      'dry snow',
      '2021 2, 2022 4',
    ],
    ['rows that the totals leave', [KIND, SEASON], '2022 wet snow 1, 2022 all hail 2', 'all hail', '2022 2'],
    ['no value in the latest year', [SEASON, KIND], '2021 all snow 1, 2022 all - 2', 'all -', '2022 2'],
  ])('an axis is pinned by %s', (_, axes, rows, pins, points) => {
    const figures = figuresOf(axes, rows);
    expect(`${figures?.pins.get('season')} ${figures?.pins.get('kind') ?? '-'}`).toBe(pins);
    expect(figures?.points.map(({ year, value }) => `${year} ${value ?? '-'}`).join(', ')).toBe(points);
    expect(figures?.points[0]?.margin).toBe(rows === LATEST_YEAR ? 0.5 : null);
  });

  test('no rows are no figure, and two rows of a year are none either', () => {
    expect(deriveFigures({ year: 'year', column: 'rain', margin: null }, [SEASON], rowsOf([]))).toBeNull();
    expect(figuresOf([SEASON], '2020 all snow 1, 2020 all hail 2')).toBeNull();
  });
});

const line = (from: number, ...values: readonly (number | null)[]): Point[] =>
  values.map((value, i) => ({ year: from + i, value, margin: null, interval: null }));

describe('a line over years', () => {
  test.each([
    [[0.614, 0.83], 'proportion', 'The axis begins at 60%, not at zero.'],
    [[17_500, 18_700], 'count', 'The axis begins at 17,500, not at zero.'],
    [[0.1, 0.83], 'proportion', null],
    [[485, 510], 'score', null],
    [[], 'count', null],
  ])('the start of an axis of %j in %s', (values, unit, words) => {
    expect(describeStart(values, unit)).toBe(words);
  });

  test('has ascending ticks that include both ends', () => {
    const number = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    // Far apart, or different only in the last digits.
    const steps = fc.tuple(number, fc.integer({ min: 0, max: 1000 }));
    const near = steps.map(([one, many]): [number, number] => [one, one * (1 + many * Number.EPSILON)]);
    const pair = fc.oneof(fc.tuple(number, number), near);
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [least, greatest] = [Math.min(a, b), Math.max(a, b)];
        const ticks = niceTicks(least, greatest);
        const most = Math.max(Math.abs(least), Math.abs(greatest));
        const slack = (greatest - least) * 1e-6 + most * 1e-12 + 1e-290;
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks[0]).toBeLessThanOrEqual(least + slack);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest - slack);
        expect([...ticks].sort((x, y) => x - y)).toEqual(ticks);
      }),
    );
  });
});

describe('a rank', () => {
  const figures = [50, 40, 35, 30, 20].map(value => ({ key: [String(value)], year: 2020, value, margin: 3 }));

  test('says which ranks the margins allow', () => {
    const rank = rankAmong({ latest: figures[2]! }, figures)!;
    expect(rank).toEqual({ position: 3, best: 2, worst: 4, of: 5 });
    expect(describeRank(rank, true)).toBe('2nd to 4th of 5');
    expect(describeRank(rank, false)).toBe('3rd of 5');
    expect(describeRank(rankAmong({ latest: figures[0]! }, figures)!, true)).toBe('1st of 5');
    expect(rankAmong({ latest: figures[0]! }, [figures[0]!])).toBeNull();
    const words = [1, 2, 3, 4, 11, 12, 22, 113, 121].map(
      position => t.rank.at(position, '200').split(' ')[0],
    );
    expect(words).toEqual(['1st', '2nd', '3rd', '4th', '11th', '12th', '22nd', '113th', '121st']);
  });
});

describe('places', () => {
  const ids = ['stations', 'station', 'Stations', 'climate'];
  const STATIONS = searchDimension(ids, ['region', 'station'], ['Hill,North,n,07', 'Hill,South,s,07']);
  const DOCUMENT: SearchDocument = { format: '', release: '', datasets: [], dimensions: [STATIONS] };

  test.each([
    [new URL(placeAddress(STATIONS, ['s', '07'])).search, { name: 'Hill', within: 'South' }],
    ['', null],
    ['region=s', null],
    ['dimension=planets&region=s', null],
    ['dimension=stations&region=s', null],
    ['dimension=stations&region=s&station=7', null],
  ])('the address %s leads to %s', (query, place) => {
    const found = parsePlace(DOCUMENT, new URLSearchParams(query));
    if (place === null) expect(found).toBeNull();
    else expect(found).toMatchObject(place);
  });

  test('a row is about its innermost places', () => {
    const joins = [
      { dimension: 'regions', columns: ['region'] },
      { dimension: 'stations', columns: ['region', 'station'] },
      { dimension: 'rivers', columns: ['river'] },
    ];
    const about = (...columns: string[]) =>
      placesAt({ places: columns }, joins).map(({ dimension }) => dimension);
    expect([about(), about('region')]).toEqual([[], ['regions']]);
    expect(about('region', 'station', 'river')).toEqual(['stations', 'rivers']);
  });

  test('a place has a parent and children', () => {
    const REGIONS = searchDimension(['regions', 'region', 'Regions', 'climate'], ['region'], ['South,,s']);
    const known = {
      ...DOCUMENT,
      dimensions: [REGIONS, { ...STATIONS, parent: { id: 'regions', kind: 'region' } }],
    };
    const south = placeAt(REGIONS, ['South', '', 's']);
    const [children] = childrenOf(known, south);
    expect(children?.places.map(({ name, key }) => [name, ...key])).toEqual([['Hill', 's', '07']]);
    expect(parentOf(known, children!.places[0]!)).toEqual(south);
    expect([parentOf(known, south), childrenOf(known, children!.places[0]!)]).toEqual([null, []]);
  });
});

describe('the table of a place', () => {
  const SUBJECT: PlaceSubject = {
    dataset: {
      ...{
        key: 'climate/rain',
        title: 'Rain',
        summary: '',
        tags: [],
        labels: [],
        levels: [],
        years: [2020, 2022],
      },
      year: 'year',
      axes: [{ param: 'season', column: 'season', label: 'Season', total: 'all', values: [['wet', 'Wet']] }],
      metrics: [
        { column: 'rain', label: 'Rain', unit: null, margin: 'moe' },
        { column: 'snow', label: 'Snow', unit: null, margin: null, breaks: { towns: [2020] } },
        { column: 'hail', label: 'Hail', unit: null, margin: null },
      ],
    },
    rows: { key: 'climate/rain', detail: 'towns', params: ['town'], alone: true },
  };
  const row = (
    town: string,
    year: number,
    rain: number | null,
    moe: number | null,
    snow: number | null,
    season = 'all',
  ) => ({
    ...{ town, year, rain, moe, snow, season, hail: null },
  });
  const OWN = [
    row('a', 2019, 1, 1, 5),
    row('a', 2020, 8, 1, 5),
    row('a', 2021, 9, 2, 4),
    row('a', 2022, null, null, null),
  ];

  const figuresIn = (subject: PlaceSubject, rows: readonly ReturnType<typeof row>[]) =>
    derivePlaceFigures(subject, rowsOf(rows));

  test('has each measure with a figure, at its newest year that has one', () => {
    const figures = figuresIn(SUBJECT, OWN);
    expect(figures.map(({ metric, latest, change }) => [metric.column, latest.year, change])).toMatchObject([
      // Less than the margin of the difference, the root of 1 and 4.
      ['rain', 2021, { value: 1, isClear: false }],
      // The series breaks after 2020.
      ['snow', 2021, null],
    ]);
    const gap = figuresIn(SUBJECT, [OWN[0]!, OWN[2]!]);
    expect(gap[0]?.change).toBeNull();
    const sure = figuresIn(SUBJECT, OWN.slice(0, 2));
    expect(sure[0]?.change).toMatchObject({ value: 7, isClear: true });
    const pooled = { ...SUBJECT, dataset: { ...SUBJECT.dataset, pooled: 5 } };
    expect(figuresIn(pooled, OWN)[0]?.change).toBeNull();
  });

  test('is beside the same figure of the whole and of peers', () => {
    const [rain] = figuresIn(SUBJECT, OWN);
    const peers = [
      row('a', 2021, 9, 2, 4),
      row('b', 2021, 20, 1, 1),
      row('c', 2021, 8, 1, 1),
      row('d', 2021, null, null, 1),
    ];
    const beside = (...rows: readonly ReturnType<typeof row>[]) => peersOf(SUBJECT, rain!, rowsOf(rows));
    expect(rankAmong(rain!, beside(...peers))).toMatchObject({ position: 2, of: 3 });
    expect(rankAmong(rain!, beside(...peers, row('b', 2021, 3, 1, 1)))).toBeNull();
    expect(closestPeers(rain!, beside(...peers), ['a'], 5)).toEqual([['c'], ['b']]);
    const whole = beside(row('', 2020, 7, 1, 1), row('', 2021, 7, 1, 1), row('', 2021, 3, 1, 1, 'wet'));
    expect(whole.map(({ value }) => value)).toEqual([7]);
  });

  test.each([
    [0.013, true, 'proportion', '+1.3 points'],
    [-402, true, 'currency', '−$402'],
    [0, true, null, 'no change'],
    [0.00001, true, 'proportion', 'no change'],
    [3, false, null, 'no clear change'],
  ])('says a change of %s', (value, isClear, unit, words) => {
    expect(writeChange({ value, figure: 0, margin: isClear ? null : 5, isClear }, unit)).toBe(words);
  });
});

test.each([
  ['a missing year and a missing value', [], [[2010, 2011], [2013], [2015, 2016]]],
  ['a break between two years', [2010], [[2010], [2011], [2013], [2015, 2016]]],
  ['another', [2015], [[2010, 2011], [2013], [2015], [2016]]],
])('a line is broken by %s, and by nothing else', (_, breaks, years) => {
  const points = [...line(2010, 1, 2), ...line(2013, 3, null, 4, 5)];
  expect(splitRuns(points, breaks).map(run => run.map(({ year }) => year))).toEqual(years);
});

test('breaks of a dataset, a column and a level come from the contract', () => {
  const property = (name: string, value: unknown) => ({ property: name, value });
  const ofLevel = { after: 2014, reason: 'New survey.', levels: ['nation'] };
  const ofColumn = { after: 2010, reason: 'New gauges.' };
  const customProperties = [property('pooled_years', 5), property('series_breaks', [ofLevel])];
  const rain = { name: 'rain', customProperties: [property('series_breaks', [ofColumn])] };
  const { pooledYears, breaksOf } = parseComparability({
    schema: [{ customProperties, properties: [rain] }],
  });
  expect(pooledYears).toBe(5);
  const years = (column: string, level: string) => breaksOf(column, level).map(({ after }) => after);
  expect([years('rain', 'nation'), years('rain', 'regions'), years('snow', 'regions')]).toEqual([
    [2010, 2014],
    [2010],
    [],
  ]);
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(parseComparability(value).pooledYears).toBeNull();
      const odd = { schema: [{ customProperties: value, properties: value }] };
      expect(parseComparability(odd).breaksOf('a', 'b')).toEqual([]);
    }),
  );
});

const spoken = (contract: unknown) =>
  parseServiceTerms(contract).map(({ label, lines }) =>
    [label, ...lines.map(({ text, link }) => (link ? `${text} <${link}>` : text))].join('; '),
  );

test('team, support, service levels and price of a contract', () => {
  const members = [
    { username: 'a@city.example', role: 'Owner' },
    { username: 'b', dateOut: '2020-01-01' },
  ];
  const help = { channel: 'Help', url: 'https://city.example/help', description: 'On weekdays' };
  const slaProperties = [
    { property: 'latency', value: 4, unit: 'd' },
    { property: 'frequency', value: 1, valueExt: 1, unit: 'd' },
    { property: 'retention', value: { years: 3 } },
  ];
  const price = { priceAmount: 0, priceCurrency: 'EUR', priceUnit: 'megabyte' };
  const support = [help, { channel: '#data' }];
  expect(spoken({ team: { name: 'Open data', members }, support, slaProperties, price })).toEqual([
    'Team; Open data; a@city.example, Owner <a@city.example>',
    'Support; Help, On weekdays <https://city.example/help>; #data',
    'Service levels; latency: 4 d; frequency: 1 d',
    'Price; 0 EUR per megabyte',
  ]);
  // A team of version 3.0 is a list.
  expect(spoken({ team: [{ username: 'a', role: 'dpo' }] })).toEqual(['Team; a, dpo']);
  for (const odd of [null, 5, [], { team: 'x', support: {}, slaProperties: [5, null, {}], price: [] }])
    expect(parseServiceTerms(odd)).toEqual([]);
});

/** They have about equally many places, and round limits. */
describe('the classes of a map', () => {
  test('one outlier leaves the others in classes of their own', () => {
    const values = [...Array.from({ length: 99 }, (_, i) => 100 + i), 1_000_000];
    const classes = deriveClasses(values);
    const sizes = classes.colors.map(
      color => values.filter(value => classOf(classes, value) === color).length,
    );
    expect(sizes).toHaveLength(5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(30);
    for (const limit of classes.bounds.slice(1, -1)) expect(limit % 5).toBe(0);
  });

  test('all figures have a class, in order, and no class is empty', () => {
    const figures = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(figures, values => {
        const classes = deriveClasses(values);
        const found = [...values].sort((a, b) => a - b).map(value => classOf(classes, value));
        expect(found).toEqual([...found].sort((a, b) => a - b));
        expect(new Set(found).size).toBe(classes.colors.length);
      }),
    );
  });
});

test("a scroll window fits a browser's limit, has few rows at a time, and reaches every row", () => {
  const many = { rows: 5_000_000, rowHeight: 34, viewport: 476 };
  expect(scrollHeight(many)).toBeLessThan(17_000_000);
  expect([scrollWindow(many, 0).from, scrollWindow(many, scrollHeight(many)).to]).toEqual([0, many.rows]);
  const frames = fc.record({
    rows: fc.integer({ min: 1, max: 20_000_000 }),
    rowHeight: fc.integer({ min: 20, max: 60 }),
    viewport: fc.integer({ min: 60, max: 900 }),
  });
  fc.assert(
    fc.property(frames, fc.double({ min: 0, max: 1, noNaN: true }), (one, share) => {
      const height = scrollHeight(one);
      const { from, to, above, below } = scrollWindow(one, share * height);
      expect(to - from).toBeLessThanOrEqual(Math.ceil(one.viewport / one.rowHeight) + 14);
      expect(Math.abs(above + (to - from) * one.rowHeight + below - height)).toBeLessThan(1);
      const reached = scrollWindow(one, height);
      expect(reached.to).toBe(one.rows);
    }),
  );
});

/** A figure with or without its margin, another one's, their unit, and how the difference is said. */
const DIFFERENCES = [
  '0.905 0.841 proportion | 6.4 points more than Bell | 6,4 puntos más que Bell',
  '0.841 0.905 proportion | 6.4 points less than Bell | 6,4 puntos menos que Bell',
  '1000 1200 count | 200 fewer than Bell | 200 menos que Bell',
  '5 5 count | the same as Bell | igual que Bell',
  '0.8412 0.8411 proportion | the same as Bell | igual que Bell',
  '0.0003 0.0002 proportion | 0.01 points more than Bell | 0,01 puntos más que Bell',
  // √(3² + 4²) = 5
  '106±3 100±4 count | 6 more (±5) than Bell | 6 más (±5) que Bell',
  '104±3 100±4 count | no clear difference (±5) from Bell | ni claramente más ni claramente menos que Bell (±5)',
  '104±3 100 count | 4 more than Bell | 4 más que Bell',
  '- 100 count | null | null',
];

afterEach(() => speakLanguage('en'));

test.each(DIFFERENCES)('%s', row => {
  const [asked = '', ...wanted] = row.split(' | ');
  const [one = '', other = '', unit = ''] = asked.split(' ');
  const figure = (text: string) => {
    const [value = '', margin] = text.split('±');
    return { value: value === '-' ? null : Number(value), margin: margin ? Number(margin) : null };
  };
  const difference = differenceOf(figure(one), figure(other));
  const said = ['en', 'es'].map(language => {
    speakLanguage(language);
    return String(difference && describeDifference(difference, unit, 'Bell'));
  });
  expect(said).toEqual(wanted);
});
