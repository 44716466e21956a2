/** What a reader asks of a dataset, and its URL: pins, views, notices. Documents as the weather office publishes them. */
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scalar } from '../../build/format/documents.ts';
import {
  addPlace,
  besideQuestions,
  contextOf,
  findPlaces,
  listPlaces,
  removePlace,
} from '../../site/explorer/view/chosen-places.ts';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { describeLeftOut, describeLosses } from '../../site/explorer/view/lost-choices.ts';
import { composeNotices } from '../../site/explorer/view/notices.ts';
import {
  ALL_YEARS,
  type Question,
  startState,
  toParameters,
  type ViewState,
  withDetail,
  withPlace,
  withValues,
} from '../../site/explorer/view/question.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { chosenChoices, findChoices } from '../../site/explorer/view/search.ts';
import { pinToRows, relaxPins } from '../../site/explorer/view/start.ts';
import { formatState, parseState } from '../../site/explorer/view/state.ts';
import { fitView, possibleViews, withView } from '../../site/explorer/view/views.ts';
import { compareRows } from '../../site/query/order.ts';
import { formatPlaceKey, splitPlaceKey } from '../../site/query/place-key.ts';
import { formatQuery, parseQuery } from '../../site/query/query-string.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { readExplored } from './explored-tree.ts';

let publisher: PublisherFolder;
let rain: ExploredDataset;

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'), CONTRACTS, LAKE);
  await buildPublisher(publisher);
  rain = await readExplored(publisher.out, 'climate/rainfall');
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const query = (state: ViewState) => formatQuery(formatState(rain, state));
const parse = (text: string) => parseState(rain, parseQuery(text) ?? []);

describe('a dataset', () => {
  test('has levels with the places that their rows are about, and the whole with none', () => {
    expect(rain.levels.map(({ name, places }) => [name, places])).toEqual([
      ['stations', ['region_code', 'station_code']],
      ['regions', ['region_code']],
      ['nation', []],
    ]);
  });

  test('tells axes from places and from what only describes a row', () => {
    expect(rain.fields.map(({ param, kind, total }) => [param, kind, total])).toEqual(
      expect.arrayContaining([
        ['region_code', 'place', null],
        ['station_code', 'place', null],
        ['season', 'axis', 'all'],
        ['manned', 'mark', null],
      ]),
    );
  });
});

describe('the first state', () => {
  test('is the latest year of the default level with every axis at its total', () => {
    expect(toParameters(rain, startState(rain).question)).toEqual([
      ['year', '2022'],
      ['detail', 'regions'],
      ['season', 'all'],
    ]);
  });

  test('an axis whose total the year does not have starts on the first listed value that it has', () => {
    const fields = rain.fields.map(field => ({
      ...field,
      choices: field.choices.map(choice => (choice.value === 'all' ? { ...choice, years: [2019] } : choice)),
    }));
    const uneven = { ...rain, fields };
    const start = startState(uneven);
    expect(start.question.filters.get('season')).toEqual(['wet']);
    const of2019 = parseState(uneven, [{ name: 'year', value: '2019' }]).state.question;
    expect(of2019.filters.get('season')).toEqual(['all']);
    const open = { ...start, question: withValues(uneven, start.question, 'season', []) };
    expect(withView(uneven, open, 'map').question).toEqual(open.question);
    expect(withView(uneven, open, 'bars').question.filters.get('season')).toEqual(['wet']);
  });

  test('an axis without a total starts on the first listed value that the year has', () => {
    const fields = rain.fields.map(field =>
      field.param === 'season'
        ? {
            ...field,
            total: null,
            choices: field.choices.map(choice => ({
              ...choice,
              years: choice.value === 'all' ? [2019] : choice.years,
            })),
          }
        : field,
    );
    expect(startState({ ...rain, fields }).question.filters.get('season')).toEqual(['wet']);
  });
});

describe('pins that have no rows together', () => {
  const rowsOf = (list: readonly Readonly<Record<string, Scalar | null>>[]): Rows => {
    const names = ['year', 'season', 'manned', 'rain_mm'];
    return {
      columns: names.map(name => ({ name, type: 'string' })),
      rows: list.length,
      cell: (row, column) => list[row]![names[column]!] ?? null,
    };
  };
  const fields = () =>
    rain.fields.map(field => (field.param === 'manned' ? { ...field, kind: 'axis' as const } : field));
  const pinned = (question: Question) =>
    withValues(rain, withValues(rain, question, 'season', ['all']), 'manned', ['true']);

  test('give way to those of the latest rows: totals first, then values in their order that have a figure', () => {
    const two = { ...rain, fields: fields() };
    const question = { ...pinned(startState(rain).question), years: ALL_YEARS };
    const wet = { year: 2022, season: 'wet', manned: false, rain_mm: null };
    const dry = { year: 2022, season: 'dry', manned: true, rain_mm: 2 };
    const old = { year: 2021, season: 'all', manned: false, rain_mm: 3 };
    const settled = (...rows: Parameters<typeof rowsOf>[0]) =>
      pinToRows(two, question, 'rain_mm', rowsOf(rows))?.filters;
    expect(settled(old, dry, wet)).toEqual(
      new Map([
        ['season', ['dry']],
        ['manned', ['true']],
      ]),
    );
    expect(settled(wet, { ...old, year: 2022 })?.get('season')).toEqual(['all']);
    expect(settled({ ...dry, manned: null })?.has('manned')).toBe(false);
    expect(pinToRows(two, question, 'rain_mm', rowsOf([]))).toBeNull();
  });

  test('are looked for in the latest year before all, with totals before without', () => {
    const two = { ...rain, fields: fields() };
    const question = pinned(startState(rain).question);
    const asked = (years: Question['years']) =>
      relaxPins(two, { ...question, years }).map(one => [
        one.years.min,
        [...one.filters].map(([param]) => param),
      ]);
    expect(asked(question.years)).toEqual([
      [2022, ['season']],
      [2022, []],
    ]);
    expect(asked(ALL_YEARS)).toEqual([
      [2022, ['season']],
      [2022, []],
      [null, ['season']],
      [null, []],
    ]);
  });
});

describe('the URL', () => {
  test('says what is open, so that absence means a pin', () => {
    const { question } = startState(rain);
    const open = { ...startState(rain), question: withValues(rain, question, 'season', []) };
    expect(query(open)).toBe('?year=2022&detail=regions&open=season');
    expect(parse('?year=2022&detail=regions').state).toEqual(startState(rain));
  });

  test('a state and its URL are the same', () => {
    const levels = fc.constantFrom('stations', 'regions', 'nation');
    const year = fc.option(fc.integer({ min: 2015, max: 2026 }));
    const values = (...all: string[]) => fc.subarray(all);
    const code = fc.string({ minLength: 1, unit: 'grapheme' });
    const states = fc.record({
      detail: levels,
      min: year,
      max: year,
      season: values('all', 'wet', 'dry'),
      codes: fc.array(fc.tuple(code, code), { maxLength: 3 }),
      other: code,
      alone: fc.boolean(),
      earlier: fc.constantFrom(null, '2031-05-17'),
      manned: values('true', 'false'),
      view: fc.constantFrom(...possibleViews(rain)),
      metric: fc.constantFrom('rain_mm', 'wet_days', 'readings'),
      sort: fc.option(fc.record({ column: fc.constantFrom('year', 'rain_mm'), descending: fc.boolean() })),
    });
    const keysOf = (detail: string, codes: readonly (readonly [string, string])[]) =>
      detail === 'nation'
        ? []
        : [...new Set(codes.map(pair => formatPlaceKey(detail === 'regions' ? [pair[0]] : pair)))].sort(
            (a, b) => compareRows([0, 1])(splitPlaceKey(a)!, splitPlaceKey(b)!),
          );
    fc.assert(
      fc.property(
        states,
        ({ detail, min, max, season, codes, other, alone, earlier, manned, view, metric, sort }) => {
          let question: Question = {
            detail,
            years: { min, max },
            places: keysOf(detail, codes),
            filters: new Map<string, readonly string[]>(),
          };
          question = withValues(rain, question, 'season', season);
          question = withValues(rain, question, 'manned', manned);
          const beside = [
            { detail: 'nation', key: '' },
            { detail: 'regions', key: formatPlaceKey([other]) },
          ].filter(place => place.detail !== detail);
          const state = fitView(rain, { view, question, beside, alone, earlier, metric, sort });
          const parsed = parse(query(state));
          expect(parsed.problems).toEqual([]);
          expect(parsed.state).toEqual(state);
          expect(query(parsed.state)).toBe(query(state));
        },
      ),
    );
  });

  test('no text makes it fail, and what it gives is a state that the API accepts', () => {
    const names = [
      'year',
      'year_min',
      'detail',
      'season',
      'open',
      'view',
      'sort',
      'metric',
      'yaer',
      'manned',
    ];
    const pairs = fc.array(
      fc.record({ name: fc.oneof(fc.constantFrom(...names), fc.string()), value: fc.string() }),
    );
    fc.assert(
      fc.property(pairs, given => {
        const { state } = parseState(rain, given);
        expect(parse(query(state))).toMatchObject({ state, problems: [] });
      }),
    );
  });

  test('a wrong value is told in the words of the API, and the rest holds', () => {
    const { state, problems } = parse('?detail=region&year=2021&season=wet');
    expect(problems.map(({ param, msg }) => `${param}: ${msg}`)).toEqual([
      "detail: Input should be 'stations', 'regions' or 'nation'. Did you mean 'regions'?",
    ]);
    expect(toParameters(rain, state.question)).toEqual([
      ['year', '2021'],
      ['detail', 'regions'],
      ['season', 'wet'],
    ]);
  });

  test('an unknown parameter is none of its business', () => {
    expect(parse('?utm_source=x').state).toEqual(withView(rain, startState(rain), 'chart'));
    expect(parse('?detail=regions&utm_source=x').state).toEqual(startState(rain));
  });

  test('its own names give way to those of the dataset', () => {
    const parameters = new Map(rain.table.parameters).set('sort', rain.table.parameters.get('season')!);
    const other = { ...rain, table: { ...rain.table, parameters } };
    const state = { ...startState(rain), sort: { column: 'rain_mm', descending: true } };
    expect(formatQuery(formatState(other, state))).toBe(
      '?year=2022&detail=regions&season=all&sort_=-rain_mm',
    );
    expect(parseState(other, formatState(other, state)).state).toEqual(state);
  });
});

describe('a view', () => {
  test('lines are of all years, and of the whole where no place is chosen', () => {
    const { question } = withView(rain, startState(rain), 'chart');
    expect(toParameters(rain, question)).toEqual([
      ['detail', 'nation'],
      ['season', 'all'],
    ]);
  });

  test('lines keep the place that is chosen', () => {
    const start = startState(rain);
    const placed = { ...start, question: withValues(rain, start.question, 'region_code', ['N']) };
    expect(toParameters(rain, withView(rain, placed, 'chart').question)).toContainEqual(['region_code', 'N']);
  });

  test('bars are of one year and of one axis or of places, never of both', () => {
    const start = startState(rain);
    const all = { ...start, question: { ...start.question, years: ALL_YEARS, filters: new Map() } };
    expect(toParameters(rain, withView(rain, all, 'bars').question)).toEqual([
      ['year', '2022'],
      ['detail', 'regions'],
      ['season', 'all'],
    ]);
    const nation = { ...start, question: withDetail(rain, start.question, 'nation') };
    expect(toParameters(rain, withView(rain, nation, 'bars').question)).toEqual([
      ['year', '2022'],
      ['detail', 'nation'],
    ]);
  });
});

describe('chosen places', () => {
  const at = (detail: string, key: string) => ({ detail, key });

  test('of any level stand in one list, named in full, and no two bear the same words', () => {
    const names = listPlaces(rain).map(({ name }) => name);
    expect(names[0]).toBe('Nation');
    expect(new Set(names).size).toBe(names.length);
    for (const { name } of findPlaces(rain, 'st1', [], 9)) expect(name).toMatch(/, (North|South)/);
    expect(findPlaces(rain, 'south', [], 9)[0]).toMatchObject(at('regions', 's'));
  });

  test('one narrows the level, one of another level stands beside it, and a link opens the same', () => {
    const chart = withView(rain, startState(rain), 'chart');
    const one = addPlace(rain, chart, at('stations', 'n:st1'));
    expect(query(one)).toBe('?detail=stations&place=n:st1&season=all&open=year&view=chart');
    const three = addPlace(rain, addPlace(rain, one, at('nation', '')), at('stations', 's:st2'));
    expect(query(three)).toBe(
      '?detail=stations&place=n:st1,s:st2&season=all&open=year&with=nation&view=chart',
    );
    expect(parse(query(three)).state).toEqual(three);
    expect(besideQuestions(rain, three).map(one => toParameters(rain, one.question))).toEqual([
      [
        ['detail', 'nation'],
        ['season', 'all'],
      ],
    ]);
    const left = removePlace(
      rain,
      removePlace(rain, three, at('stations', 'n:st1')),
      at('stations', 's:st2'),
    );
    expect(left.question.detail).toBe('nation');
  });

  test('one alone has its larger places in grey, and one switch removes them', () => {
    const chart = withView(rain, startState(rain), 'chart');
    const one = addPlace(rain, chart, at('stations', 'n:st1'));
    expect(contextOf(rain, one)).toEqual([at('regions', 'n'), at('nation', '')]);
    expect(contextOf(rain, { ...one, alone: true })).toEqual([]);
    expect(contextOf(rain, addPlace(rain, one, at('stations', 's:st1')))).toEqual([]);
    expect(query({ ...one, alone: true })).toContain('&alone=yes');
  });

  test('of an address are those of the API, and what it refuses is told', () => {
    expect(parse('?detail=stations&region_code=n&station_code=st1').state.question.places).toEqual(['n:st1']);
    expect(parse('?detail=stations&region_code=n').state.question.filters.get('region_code')).toEqual(['n']);
    const wrong = parse('?detail=stations&place=n&with=regions,nowhere:1,nation');
    expect(wrong.state.question).toMatchObject({ detail: 'regions', places: ['n'] });
    expect(wrong.state.beside).toEqual([at('nation', '')]);
    expect(wrong.problems.map(({ param }) => param)).toEqual(['place', 'with', 'with']);
  });

  test('that a view cannot keep are named', () => {
    const chart = withView(rain, startState(rain), 'chart');
    const two = addPlace(rain, addPlace(rain, chart, at('regions', 'n')), at('nation', ''));
    const table = withView(rain, two, 'table');
    expect(describeLeftOut(rain, two)).toBeNull();
    expect(describeLeftOut(rain, table)).toContain('without Nation');
    const bars = withView(rain, withPlaceFree(two), 'bars');
    expect(describeLosses(rain, two, bars).join(' ')).toContain('Bars show one year: 2022.');
    expect(describeLosses(rain, two, withPlaceFree(two)).join(' ')).toContain('No longer chosen: North.');
  });

  const withPlaceFree = (state: ViewState): ViewState => ({
    ...state,
    question: { ...state.question, places: [] },
  });
});

describe('places', () => {
  test('a part of a key brings the others, and another level drops them', () => {
    const station = rain.fields.find(({ param }) => param === 'station_code')!;
    const [choice] = findChoices(station, new Map(), '', 1);
    const placed = withPlace(
      rain,
      withDetail(rain, startState(rain).question, 'stations'),
      'station_code',
      choice!,
    );
    expect(placed.filters.get('region_code')).toEqual([choice!.keys['region_code']]);
    expect(chosenChoices(station, placed.filters)).toEqual([choice]);
    expect(withDetail(rain, placed, 'nation').filters.has('station_code')).toBe(false);
  });
});

describe('notices', () => {
  test('say that a total stands beside its parts, and nothing where every axis is pinned', () => {
    const { question } = startState(rain);
    expect(composeNotices(rain, question, 'table')).toEqual([]);
    expect(composeNotices(rain, withValues(rain, question, 'season', []), 'table')).toEqual([
      'season: the rows show the total, “All”, next to its parts. Adding them counts the same twice.',
    ]);
    expect(composeNotices(rain, withValues(rain, question, 'season', ['wet', 'dry']), 'table')[0]).toContain(
      'Add them only if',
    );
  });

  test('are one for all axes with the same warning', () => {
    const { question } = startState(rain);
    const season = rain.fields.find(({ param }) => param === 'season')!;
    const two = { ...rain, fields: [...rain.fields, { ...season, param: 'gauge', label: 'gauge' }] };
    expect(composeNotices(two, withValues(two, question, 'season', []), 'table')).toEqual([
      'season, gauge: the rows show the total, “All”, next to its parts. Adding them counts the same twice.',
    ]);
  });

  test('say that pooled years share answers', () => {
    const pooled = { ...rain, comparability: { ...rain.comparability, pooledYears: 5 } };
    const { question } = startState(rain);
    expect(composeNotices(pooled, question, 'table')).toEqual([]);
    expect(composeNotices(pooled, { ...question, years: ALL_YEARS }, 'table')[0]).toContain(
      'not a yearly change',
    );
  });
});

describe('a view that an address asks for', () => {
  test('of one year shows the latest of several', () => {
    expect(parse('view=bars&year_min=2019&year_max=2021').state.question.years).toEqual({
      min: 2021,
      max: 2021,
    });
    expect(parse('view=chart&year_min=2019&year_max=2021').state.question.years).toEqual({
      min: 2019,
      max: 2021,
    });
  });

  test('that these rows cannot have is the table, and that is said', () => {
    const { state, problems } = parse('view=map&season=all');
    expect(state.view).toBe('table');
    expect(problems).toEqual([{ param: 'view', msg: expect.stringContaining('no shapes') }]);
    expect(parse('view=table').problems).toEqual([]);
  });
});
