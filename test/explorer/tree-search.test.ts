import { expect, test } from 'vitest';
import { openSearch } from '../../site/explorer/app/tree-search.ts';
import type { SearchDataset, SearchDimension } from '../../site/explorer/view/search-document.ts';

const dataset = (
  key: string,
  title: string,
  summary: string,
  labels: readonly string[] = [],
): SearchDataset => ({
  ...{ key, title, summary, labels, tags: [], levels: [], years: [], metric: null },
  metrics: labels.map(label => ({ column: label, label })),
});
const RAIN = dataset('climate/rain', 'Rainfall', 'Rain and snow of a season.', ['Wet days']);

const open = (datasets: readonly SearchDataset[], dimension: SearchDimension) =>
  openSearch({ format: '', release: '', datasets, dimensions: [dimension] });

const STREETS = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Élan', 'Fir', 'Ginkgo', 'Hazel', 'Ivy', 'Juniper'];

const SNOW = dataset('climate/snow', 'Snow', 'Depth of snow; rain is elsewhere.');
const TRAMS = dataset('transit/trams', 'Trams', 'Rides on trams.', ['Rainy-day rides']);

/** Five thousand places. */
const search = open([RAIN, SNOW, TRAMS], {
  ...{ id: 'stations', name: 'stations', domain: 'climate', title: 'Stations', key: ['code'], datasets: [] },
  places: Array.from({ length: 5000 }, (_, i) => [
    `${STREETS[i % 10]} station ${i}`,
    `Region ${i % 50}`,
    String(i).padStart(5, '0'),
  ]),
});

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
  expect(search.ask(text).datasets.map(one => one.dataset.key)).toEqual(found);
});

test('a place is found by name, by what it lies in, and by its code with leading zeros', () => {
  const names = (text: string) => search.findPlaces(text).map(one => one.name);
  expect(names('elan station 4')[0]).toBe('Élan station 4');
  expect(names('00017')[0]).toBe('Hazel station 17');
  expect(names('ginkgo region 46').every(name => name.startsWith('Ginkgo'))).toBe(true);
});

const GROUP = {
  ...{ param: 'group', column: 'group', label: 'Group', total: 'all' },
  values: Object.entries({ all: 'All', u18: 'Young people', white: 'White', black: 'Black' }),
  groups: [{ label: 'Race and ethnicity', values: ['white', 'black'] }],
} as const;

const RIDERS: SearchDataset = {
  ...dataset('transit/riders', 'Riders of trams', 'Riders by season and group.', ['Riders', 'Fares paid']),
  ...{ synonyms: ['commuters', 'public transport'], levels: ['lines', 'city'] },
  ...{ whole: 'city', area: 'Arcadia', years: [2023, 2024] },
  metric: {
    ...{ column: 'Riders', label: 'Riders', unit: 'count', year: 'year' },
    ...{ null_meaning: null, margin: null, breaks: [], axes: [GROUP] },
  },
};

const asking = open([RIDERS, RAIN], {
  ...{ id: 'lines', name: 'lines', domain: 'transit', title: 'Tram lines', key: ['line'] },
  datasets: [{ key: RIDERS.key, detail: 'lines', params: ['line'], alone: true, breaks: [] }],
  places: ['White,,07'.split(','), 'Harbour North,,11'.split(',')],
});

test.each([
  ['riders', null],
  ['commuter', null],
  ['COMMUTING', null],
  ['comuters', null],
  ['riders in Arcadia', null],
  ['riders 2024', 'year=2024'],
  ['riders 1999', null],
  ['riders on harbour north', 'detail=lines&line=11&view=chart'],
  ['harbour north line riders 2023', 'year=2023&detail=lines&line=11'],
  ['white riders', 'detail=city&group=white&view=chart'],
  ['riders of the white line', 'detail=lines&line=07&view=chart'],
  ['riders by race', 'detail=city&group=white%2Cblack&view=chart'],
  ['riders by group', 'detail=city&open=group&view=bars'],
  ['young riders', 'detail=city&group=u18&view=chart'],
  ['fares', 'metric=Fares+paid'],
  ['harbour north', 'detail=lines&line=11&view=chart'],
  ['rain riders submarines', null],
])('"%s" leads to riders, %s', (text, query) => {
  const [first] = asking.ask(text).datasets;
  expect([first?.dataset.key, first?.view?.query ?? null]).toEqual(['transit/riders', query]);
});

test('the search says which words it read as others, and which it left out', () => {
  const { corrections, unknown } = asking.ask('rainfal comuters zeppelin 9q');
  expect(corrections).toEqual([['comuters', 'commuters']]);
  expect(unknown).toEqual(['zeppelin', '9q']);
});

test.each(['', '\u0000', '((', '*', 'constructor __proto__', 'a'.repeat(5000), '🙂 🙂', '%', 'in by of'])(
  'nothing is called %j',
  text => expect(asking.ask(text).datasets).toEqual([]),
);
