import { expect, test } from 'vitest';
import { openSearch } from '../../site/explorer/app/tree-search.ts';
import type { SearchDataset, SearchDocument } from '../../site/explorer/view/search-document.ts';

const dataset = (
  key: string,
  title: string,
  summary: string,
  labels: readonly string[] = [],
): SearchDataset => ({
  key,
  title,
  summary,
  tags: [],
  labels,
  metrics: labels.map(label => ({ column: label, label })),
  levels: [],
  years: [],
  metric: null,
});

const STREETS = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Élan', 'Fir', 'Ginkgo', 'Hazel', 'Ivy', 'Juniper'];

/** Five thousand places of two kinds. */
const DOCUMENT: SearchDocument = {
  format: '',
  release: '',
  datasets: [
    dataset('climate/rain', 'Rainfall', 'Rain and snow of a season.', ['Wet days']),
    dataset('climate/snow', 'Snow', 'Depth of snow; rain is elsewhere.'),
    dataset('transit/trams', 'Trams', 'Rides on trams.', ['Rainy-day rides']),
  ],
  dimensions: [
    {
      id: 'stations',
      name: 'stations',
      domain: 'climate',
      title: 'Stations',
      key: ['code'],
      datasets: [],
      places: Array.from({ length: 5000 }, (_, i) => [
        `${STREETS[i % 10]} station ${i}`,
        `Region ${i % 50}`,
        String(i).padStart(5, '0'),
      ]),
    },
  ],
};

const search = openSearch(DOCUMENT);
const keys = (text: string) => search.ask(text).datasets.map(({ dataset }) => dataset.key);

test.each([
  ['snow', ['climate/snow', 'climate/rain']],
  ['SNOW', ['climate/snow', 'climate/rain']],
  ['rainf', ['climate/rain']],
  ['ranfall', ['climate/rain']],
  ['wet days', ['climate/rain', 'transit/trams']],
  ['trams', ['transit/trams']],
  ['submarines', []],
  ['', []],
  ['<b>', []],
])('the search for "%s" finds %j', (text, found) => {
  expect(keys(text)).toEqual(found);
});

test('a place is found by name, by what it lies in, and by its code with leading zeros', () => {
  const names = (text: string) => search.findPlaces(text).map(one => one.name);
  expect(names('elan station 4')[0]).toBe('Élan station 4');
  expect(names('00017')[0]).toBe('Hazel station 17');
  expect(names('ginkgo region 46').every(name => name.startsWith('Ginkgo'))).toBe(true);
});

test('five thousand places are searched as fast as one types', () => {
  const fresh = openSearch(DOCUMENT);
  let started = performance.now();
  fresh.findPlaces('ash');
  // The first search builds the index.
  expect(performance.now() - started).toBeLessThan(2000);
  started = performance.now();
  for (const text of ['j', 'ju', 'jun', 'junipe', 'juniper station 9']) fresh.findPlaces(text);
  expect((performance.now() - started) / 5).toBeLessThan(100);
});

const ASKED: SearchDocument = {
  ...DOCUMENT,
  datasets: [
    {
      ...dataset('transit/riders', 'Riders of trams', 'Riders by season and group.', [
        'Riders',
        'Fares paid',
      ]),
      synonyms: ['commuters', 'public transport'],
      levels: ['lines', 'city'],
      whole: 'city',
      area: 'Arcadia',
      years: [2023, 2024],
      metric: {
        column: 'Riders',
        label: 'Riders',
        unit: 'count',
        null_meaning: null,
        margin: null,
        year: 'year',
        breaks: [],
        axes: [
          {
            param: 'group',
            column: 'group',
            label: 'Group',
            total: 'all',
            values: [
              ['all', 'All'],
              ['u18', 'Young people'],
              ['white', 'White'],
              ['black', 'Black'],
            ],
            groups: [{ label: 'Race and ethnicity', values: ['white', 'black'] }],
          },
        ],
      },
    },
    dataset('climate/rain', 'Rainfall', 'Rain and snow of a season.', ['Wet days']),
  ],
  dimensions: [
    {
      id: 'lines',
      name: 'lines',
      domain: 'transit',
      title: 'Tram lines',
      key: ['line'],
      datasets: [{ key: 'transit/riders', detail: 'lines', params: ['line'], alone: true, breaks: [] }],
      places: [
        ['White', '', '07'],
        ['Harbour North', '', '11'],
      ],
    },
  ],
};
const asking = openSearch(ASKED);

test.each([
  ['riders', 'transit/riders', null],
  ['commuter', 'transit/riders', null],
  ['COMMUTING', 'transit/riders', null],
  ['comuters', 'transit/riders', null],
  ['riders in Arcadia', 'transit/riders', null],
  ['riders 2024', 'transit/riders', 'year=2024'],
  ['riders 1999', 'transit/riders', null],
  ['riders on harbour north', 'transit/riders', 'detail=lines&line=11&view=chart'],
  ['harbour north line riders 2023', 'transit/riders', 'year=2023&detail=lines&line=11'],
  ['white riders', 'transit/riders', 'detail=city&group=white&view=chart'],
  ['riders of the white line', 'transit/riders', 'detail=lines&line=07&view=chart'],
  ['riders by race', 'transit/riders', 'detail=city&group=white%2Cblack&view=chart'],
  ['riders by group', 'transit/riders', 'detail=city&open=group&view=bars'],
  ['young riders', 'transit/riders', 'detail=city&group=u18&view=chart'],
  ['fares', 'transit/riders', 'metric=Fares+paid'],
  ['harbour north', 'transit/riders', 'detail=lines&line=11&view=chart'],
  ['rain riders submarines', 'transit/riders', null],
])('"%s" leads to %s, %s', (text, key, query) => {
  const [first] = asking.ask(text).datasets;
  expect([first?.dataset.key, first?.view?.query ?? null]).toEqual([key, query]);
});

test('the search says which words it read as others, and which it left out', () => {
  const { corrections, unknown } = asking.ask('rainfal comuters zeppelin 9q');
  expect(corrections).toEqual([['comuters', 'commuters']]);
  expect(unknown).toEqual(['zeppelin', '9q']);
});

test.each([
  '',
  ' ',
  '\u0000',
  '((',
  '*',
  'constructor __proto__',
  'a'.repeat(5000),
  '🙂 🙂',
  '-1 OR 1=1',
  '%',
  'in by of',
])('the search survives %j', text => {
  expect(asking.ask(text).datasets.length).toBeLessThanOrEqual(2);
});
