/**
 * What a reader asks of a dataset, and its URL: pins, views, notices. The documents are the weather office's.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeStatement } from '../../site/explorer/app/explore/share-tools.tsx';
import { chosenChoices, findChoices } from '../../site/explorer/view/choices.ts';
import {
  addPlace,
  besideQuestions,
  contextOf,
  findPlaces,
  listPlaces,
  removePlace,
} from '../../site/explorer/view/chosen-places.ts';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { composeNotices, describeLosses } from '../../site/explorer/view/notices.ts';
import {
  ALL_YEARS,
  type Question,
  startState,
  toParameters,
  type ViewName,
  type ViewState,
  withDetail,
  withPlace,
  withValues,
} from '../../site/explorer/view/question.ts';
import { settleState } from '../../site/explorer/view/settled-state.ts';
import { formatState, parseState, readAddress } from '../../site/explorer/view/state.ts';
import { fitView, possibleViews, withView } from '../../site/explorer/view/views.ts';
import { describeNoRows } from '../../site/explorer/view/wording.ts';
import { compareRows } from '../../site/query/order.ts';
import { formatQuery, parseQuery } from '../../site/query/query-string.ts';
import { formatPlaceKey, splitPlaceKey } from '../../site/query/request.ts';
import { keptPaged } from '../publishers/kept-trees.ts';
import { readExplored } from './explored-tree.ts';
import { rowsOf } from './rows-of.ts';

const rain = await readExplored((await keptPaged()).out, 'climate/rainfall');
const start = startState(rain);
/** Lines of all years. */
const chart = withView(start, 'chart');

const query = (state: ViewState) => formatQuery(formatState(state));
const parse = (text: string) => parseState(rain, parseQuery(text) ?? []);
const asking = (question: Partial<Question>, state = start): ViewState => ({ ...state, ...question });
const choosing = (param: string, ...values: readonly string[]) => asking(withValues(start, param, values));
const at = (detail: string, key: string) => ({ detail, key });
const adding = (...places: readonly (readonly [string, string])[]) =>
  places.reduce((state, [detail, key]) => addPlace(state, at(detail, key)), chart);

test('a dataset has levels with the places of their rows, and distinguishes axes from places and markers', () => {
  const levels = rain.levels.map(({ name, places }) => [name, ...places].join(' '));
  expect(levels).toEqual(['stations region_code station_code', 'regions region_code', 'nation']);
  const fields = rain.fields.map(({ param, kind, total }) => `${param} ${kind} ${total}`);
  expect(fields).toEqual(
    expect.arrayContaining([
      'region_code place null',
      'station_code place null',
      'season axis all',
      'manned mark null',
    ]),
  );
});

describe('a state and its URL', () => {
  const oneOf = (view: ViewName, question: Partial<Question>) => withView(asking(question), view);
  const nation = () => withDetail(start, 'nation');
  const beside = [at('nation', '')];
  const allYears = { years: ALL_YEARS, filters: new Map<string, readonly string[]>() };
  const [N1, NATION, S2] = [
    ['stations', 'n:st1'],
    ['nation', ''],
    ['stations', 's:st2'],
  ] as const;

  // The start: the latest year of the default level, axes at their totals. Lines: all years, and the whole if
  // no place is chosen, once. Bars: one year, and an axis if there are no places. A place narrows the level.
  test.each<[string, () => ViewState]>([
    ['?year=2022&detail=regions&season=all', () => start],
    ['?year=2022&detail=regions&open=season', () => choosing('season')],
    ['?detail=nation&season=all&open=year&view=chart', () => withView({ ...start, beside }, 'chart')],
    ['?year=2022&detail=regions&season=all&view=bars', () => oneOf('bars', allYears)],
    ['?year=2022&detail=nation&open=season&view=bars', () => oneOf('bars', nation())],
    ['?detail=stations&place=n:st1&season=all&open=year&view=chart', () => adding(N1)],
    [
      '?detail=stations&place=n:st1,s:st2&season=all&open=year&with=nation&view=chart',
      () => adding(N1, NATION, S2),
    ],
    [
      '?detail=stations&place=n:st1&season=all&open=year&alone=yes&view=chart',
      () => ({ ...adding(N1), alone: true }),
    ],
  ])('%s', (url, make) => {
    const state = make();
    expect(query(state)).toBe(url);
    expect(parse(url)).toMatchObject({ state, problems: [] });
  });

  test('another view keeps the measure', () => {
    const bars = withView({ ...chart, metric: 'wet_days' }, 'bars');
    expect([bars.metric, withView(bars, 'table').metric]).toEqual(['wet_days', 'wet_days']);
  });

  test("a URL that names nothing of the dataset opens the page's view", () => {
    const first = '?detail=nation&season=all&open=year&view=chart';
    expect(query(readAddress(rain, '?utm_source=x', first).state)).toBe(first);
    expect(query(readAddress(rain, '?detail=regions', first).state)).toBe(
      '?year=2022&detail=regions&season=all',
    );
  });

  const LEVELS = "Input should be 'stations', 'regions' or 'nation'";
  test.each([
    ['?utm_source=x', '?year=2022&detail=regions&season=all'],
    ['?detail=regions&utm_source=x', '?year=2022&detail=regions&season=all'],
    [
      '?detail=regions&place=n&season=all&open=year&earlier=2031-05-17&view=chart',
      '?detail=regions&place=n&season=all&open=year&view=chart',
    ],
    [
      '?detail=regions&region_code=N&open=year&view=chart',
      '?detail=regions&place=N&season=all&open=year&view=chart',
    ],
    ['?view=bars&year_min=2019&year_max=2021', '?year=2021&detail=regions&season=all&view=bars'],
    [
      '?view=chart&year_min=2019&year_max=2021',
      '?year_min=2019&year_max=2021&detail=regions&season=all&view=chart',
    ],
    ['?view=table', '?year=2022&detail=regions&season=all'],
    ['?detail=stations&region_code=n&station_code=st1', '?year=2022&detail=stations&place=n:st1&season=all'],
    ['?detail=stations&region_code=n', '?year=2022&detail=stations&region_code=n&season=all'],
    [
      '?detail=region&year=2021&season=wet',
      '?year=2021&detail=regions&season=wet',
      `detail: ${LEVELS}. Did you mean 'regions'?`,
    ],
    [
      '?view=map&season=all',
      '?year=2022&detail=regions&season=all',
      'view: The map has no shapes for the places of this dataset',
    ],
    [
      '?detail=stations&place=n&with=regions,nowhere:1,nation',
      '?year=2022&detail=regions&place=n&season=all&with=nation',
      "place: A place of the level 'stations' has 2 parts",
      "with: 'regions' names a level but no place",
      `with: ${LEVELS}`,
    ],
  ])('%s opens %s', (given, url, ...problems) => {
    const parsed = parse(given);
    expect(query(parsed.state)).toBe(url);
    const told = parsed.problems.map(({ param, msg }) => `${param}: ${msg}`);
    expect(told).toEqual(problems.map(problem => expect.stringContaining(problem)));
  });

  test('are the same for any choice', () => {
    const year = fc.option(fc.integer({ min: 2015, max: 2026 }));
    const code = fc.string({ minLength: 1, unit: 'grapheme' });
    const states = fc.record({
      detail: fc.constantFrom('stations', 'regions', 'nation'),
      min: year,
      max: year,
      season: fc.subarray(['all', 'wet', 'dry']),
      codes: fc.array(fc.tuple(code, code), { maxLength: 3 }),
      other: code,
      alone: fc.boolean(),
      manned: fc.subarray(['true', 'false']),
      view: fc.constantFrom(...possibleViews(rain)),
      metric: fc.constantFrom('rain_mm', 'wet_days', 'readings'),
      rank: fc.constantFrom('value', 'change'),
      sort: fc.option(fc.record({ column: fc.constantFrom('year', 'rain_mm'), descending: fc.boolean() })),
    });
    const keysOf = (detail: string, codes: readonly (readonly [string, string])[]) =>
      detail === 'nation'
        ? []
        : [...new Set(codes.map(pair => formatPlaceKey(detail === 'regions' ? [pair[0]] : pair)))].sort(
            (a, b) => compareRows([0, 1])(splitPlaceKey(a)!, splitPlaceKey(b)!),
          );
    fc.assert(
      fc.property(states, ({ detail, min, max, season, codes, other, manned, ...rest }) => {
        let question: Question = {
          dataset: rain,
          detail,
          years: { min, max },
          places: keysOf(detail, codes),
          filters: new Map<string, readonly string[]>(),
        };
        question = withValues(question, 'season', season);
        question = withValues(question, 'manned', manned);
        const beside = [at('nation', ''), at('regions', formatPlaceKey([other]))].filter(
          place => place.detail !== detail,
        );
        const state = fitView({ ...question, beside, ...rest });
        const parsed = parse(query(state));
        expect(parsed.problems).toEqual([]);
        expect(parsed.state).toEqual(state);
        expect(query(parsed.state)).toBe(query(state));
      }),
    );
  });

  test('never fails, and gives a state that the API accepts', () => {
    const known = 'year year_min detail season open view sort metric yaer manned place with'.split(' ');
    const name = fc.oneof(fc.constantFrom(...known), fc.string());
    fc.assert(
      fc.property(fc.array(fc.record({ name, value: fc.string() })), given => {
        const { state } = parseState(rain, given);
        expect(parse(query(state))).toMatchObject({ state, problems: [] });
      }),
    );
  });

  test("the dataset's names take precedence over its own", () => {
    const parameters = new Map(rain.table.parameters).set('sort', rain.table.parameters.get('season')!);
    const other = { ...rain, table: { ...rain.table, parameters } };
    const state = { ...start, dataset: other, sort: { column: 'rain_mm', descending: true } };
    const pairs = formatState(state);
    expect(formatQuery(pairs)).toBe('?year=2022&detail=regions&season=all&sort_=-rain_mm');
    expect(parseState(other, pairs).state).toEqual(state);
  });
});

describe('an axis', () => {
  /** The weather with the season `all` only in 2019. */
  const uneven = (total: string | null): ExploredDataset => {
    const fields = rain.fields.map(field => {
      const choices = field.choices.map(one => (one.value === 'all' ? { ...one, years: [2019] } : one));
      return field.param === 'season' ? { ...field, total, choices } : field;
    });
    return { ...rain, fields };
  };

  test('without its total in a year, or without a total, starts on the first listed value that the year has', () => {
    for (const total of ['all', null])
      expect(startState(uneven(total)).filters.get('season')).toEqual(['wet']);
    const dataset = uneven('all');
    const of2019 = parseState(dataset, [{ name: 'year', value: '2019' }]).state;
    expect(of2019.filters.get('season')).toEqual(['all']);
    const first = startState(dataset);
    const open = asking(withValues(first, 'season', []), first);
    expect(withView(open, 'map')).toEqual({ ...open, view: 'map' });
    expect(withView(open, 'bars').filters.get('season')).toEqual(['wet']);
  });

  /** The season and the marker are pinned. Rows: year, season, manned, rain. */
  const settled = async (
    years: Question['years'],
    free: readonly string[],
    ...list: readonly (readonly [number, string, boolean | null, number | null])[]
  ) => {
    const fields = rain.fields.map(one => (one.param === 'manned' ? { ...one, kind: 'axis' as const } : one));
    const question = withValues({ ...start, dataset: { ...rain, fields }, years }, 'season', ['all']);
    const asked: string[] = [];
    const state = await settleState(
      withValues(question, 'manned', ['true']),
      free,
      ['rain_mm'],
      async one => {
        asked.push(formatQuery(toParameters(one)));
        const { min, max } = one.years;
        const own = list.filter(([year]) => year >= (min ?? 0) && year <= (max ?? year));
        return rowsOf(own.map(([year, season, manned, rain_mm]) => ({ year, season, manned, rain_mm })));
      },
    );
    return { asked, state };
  };
  const AXES = ['season', 'manned'];

  test('whose pin has no rows shows the latest figures: totals first, then the most', async () => {
    const pinsOf = async (...list: (readonly [number, string, boolean | null, number | null])[]) =>
      (await settled(ALL_YEARS, AXES, ...list)).state?.filters;
    const latest = await pinsOf([2021, 'all', false, 3], [2022, 'dry', true, 2], [2022, 'wet', false, null]);
    expect(latest).toEqual(new Map(Object.entries({ season: ['dry'], manned: ['true'] })));
    const total = await pinsOf([2022, 'wet', false, null], [2022, 'all', false, 3]);
    expect(total?.get('season')).toEqual(['all']);
    expect((await pinsOf([2022, 'dry', null, 2]))?.has('manned')).toBe(false);
    expect(await pinsOf()).toBeUndefined();
  });

  test('is left out of the question, first of the latest year, then of all; or of earlier ones if the year may change', async () => {
    const all = await settled(ALL_YEARS, AXES, [2021, 'dry', true, 2]);
    expect(all.asked).toEqual(['?year=2022&detail=regions', '?detail=regions']);
    expect(all.state?.years).toEqual(ALL_YEARS);
    const one = await settled(start.years, ['year', ...AXES], [2021, 'dry', true, 2]);
    expect(one.asked).toEqual(['?year=2022&detail=regions', '?year=2021&detail=regions']);
    expect(one.state?.years).toEqual({ min: 2021, max: 2021 });
    expect((await settled(start.years, AXES, [2021, 'dry', true, 2])).state).toBeNull();
  });
});

describe('places', () => {
  test('of all levels are in one list with full, distinct names', () => {
    const names = listPlaces(rain).map(({ name }) => name);
    expect(names[0]).toBe('Nation');
    expect(new Set(names).size).toBe(names.length);
    for (const { name } of findPlaces(rain, 'st1', [], 9)) expect(name).toMatch(/, (North|South)/);
    expect(findPlaces(rain, 'south', [], 9)[0]).toMatchObject(at('regions', 's'));
  });

  test('beside others are asked for separately, and the last one left has its level', () => {
    const three = adding(['stations', 'n:st1'], ['nation', ''], ['stations', 's:st2']);
    const asked = besideQuestions(three).map(one => toParameters(one.question));
    expect(asked.map(formatQuery)).toEqual(['?detail=nation&season=all']);
    const two = removePlace(three, at('stations', 'n:st1'));
    expect(removePlace(two, at('stations', 's:st2')).detail).toBe('nation');
  });

  test('that are alone have their parents in grey, and one switch removes them', () => {
    const one = adding(['stations', 'n:st1']);
    expect(contextOf(one)).toEqual([at('regions', 'n'), at('nation', '')]);
    expect(contextOf({ ...one, alone: true })).toEqual([]);
    expect(contextOf(adding(['stations', 'n:st1'], ['stations', 's:st1']))).toEqual([]);
  });

  test('that a view cannot keep are named', () => {
    const two = adding(['regions', 'n'], ['nation', '']);
    const free = asking({ places: [] }, two);
    expect(composeNotices(two)).toEqual([]);
    expect(composeNotices(withView(two, 'table'))).toEqual([expect.stringContaining('without Nation')]);
    const losses = (of: ViewState) => describeLosses(two, of).join(' ');
    expect(losses(withView(free, 'bars'))).toContain('Bars show one year: 2022.');
    expect(losses(free)).toContain('No longer chosen: North.');
  });

  test('by a part of a key add the other parts, and another level drops them', () => {
    const station = rain.fields.find(({ param }) => param === 'station_code')!;
    const [choice] = findChoices(station, new Map(), '', 1);
    const stations = withDetail(start, 'stations');
    const placed = withPlace(stations, 'station_code', choice!);
    expect(placed.filters.get('region_code')).toEqual([choice!.keys['region_code']]);
    expect(chosenChoices(station, placed.filters)).toEqual([choice]);
    expect(withDetail(placed, 'nation').filters.has('station_code')).toBe(false);
  });
});

test('notices say that a total is beside its parts, and that pooled years share answers', () => {
  const notices = (state: ViewState, dataset = rain) => composeNotices({ ...state, dataset });
  const twice = 'the rows show the total, “All”, next to its parts. Adding them counts the same twice.';
  expect(notices(start)).toEqual([]);
  expect(notices(choosing('season'))).toEqual([`season: ${twice}`]);
  expect(notices(choosing('season', 'wet', 'dry'))[0]).toContain('Add them only if');
  const season = rain.fields.find(({ param }) => param === 'season')!;
  const two = { ...rain, fields: [...rain.fields, { ...season, param: 'gauge', label: 'gauge' }] };
  expect(notices(choosing('season'), two)).toEqual([`season, gauge: ${twice}`]);
  const pooled = { ...rain, comparability: { ...rain.comparability, pooledYears: 5 } };
  expect(notices(start, pooled)).toEqual([]);
  expect(notices(asking({ years: ALL_YEARS }), pooled)[0]).toContain('not a yearly change');
});

test('a question without rows says which years its level has, if it asks for others', () => {
  const years = (year: number) => describeNoRows({ ...start, years: { min: year, max: year } });
  expect([years(1999), years(2021)]).toEqual([
    'At this level there are only rows of 2019–2022, without 2020.',
    expect.stringMatching(/^No rows match your selection/),
  ]);
});

test('a view becomes SQL for the same rows, with quoted values', () => {
  const text = writeStatement({ ...start, years: { min: 2021, max: 2023 } }) ?? '';
  for (const part of ['FROM "climate"."rainfall"', "detail = 'regions'", '>= 2021', '<= 2023', 'ORDER BY "'])
    expect(text).toContain(part);
  const all = writeStatement({ ...start, years: ALL_YEARS, filters: new Map() });
  expect(all).not.toMatch(/[<>]=/);
  const hostile = new Map([['region_code', ["x' OR '1'='1"]]]);
  expect(writeStatement({ ...start, filters: hostile })).toContain("'x'' OR ''1''=''1'");
});
