import { expect, test } from 'vitest';
import type {
  SearchAxis,
  SearchDataset,
  SearchDimension,
  SearchDocument,
} from '../../site/explorer/view/search-document.ts';
import { type Found, openSearch } from '../../site/explorer/view/tree-search.ts';
import { searchDimension } from './search-parts.ts';

const dataset = (
  key: string,
  title: string,
  summary: string,
  labels: readonly string[] = [],
): SearchDataset => ({
  ...{ key, title, summary, labels, tags: [], levels: [], years: [], year: 'year', axes: [] },
  metrics: labels.map(label => ({ column: label, label, unit: null, margin: null })),
});
const RAIN = dataset('climate/rain', 'Rainfall', 'Rain and snow of a season.', ['Wet days']);

const open = (
  datasets: readonly SearchDataset[],
  dimensions: readonly SearchDimension[],
  synonyms: SearchDocument['synonyms'] = {},
) => openSearch({ format: '', release: '', datasets, dimensions, synonyms }, groups => `by ${groups}`);

const datasetsOf = (found: readonly Found[]) => found.flatMap(one => (one.kind === 'dataset' ? [one] : []));
const placesOf = (found: readonly Found[]) => found.flatMap(one => (one.kind === 'place' ? [one.place] : []));

const STREETS = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Élan', 'Fir', 'Ginkgo', 'Hazel', 'Ivy', 'Juniper'];

const SNOW = dataset('climate/snow', 'Snow', 'Depth of snow; rain is elsewhere.');
const TRAMS = dataset('transit/trams', 'Trams', 'Rides on trams.', ['Rainy-day rides']);

const FIVE_THOUSAND = Array.from(
  { length: 5000 },
  (_, i) => `${STREETS[i % 10]} station ${i},Region ${i % 50},${String(i).padStart(5, '0')}`,
);
const search = open(
  [RAIN, SNOW, TRAMS],
  [searchDimension(['stations', 'station', 'Stations', 'climate'], ['code'], FIVE_THOUSAND)],
);

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
  expect(datasetsOf(search.ask(text).found).map(one => one.dataset.key)).toEqual(found);
});

test('a place is found by name, by its parent, and by its code with leading zeros', () => {
  const names = (text: string) => placesOf(search.ask(text).found).map(one => one.name);
  expect(names('elan station 4')[0]).toBe('Élan station 4');
  expect(names('00017')[0]).toBe('Hazel station 17');
  expect(names('ginkgo region 46').every(name => name.startsWith('Ginkgo'))).toBe(true);
});

const GROUP: SearchAxis = {
  ...{ param: 'group', column: 'group', label: 'Group', total: 'all' },
  values: Object.entries({ all: 'All', u18: 'Young fare payers', white: 'White', black: 'Black' }),
  groups: [{ label: 'Race and ethnicity', values: ['white', 'black'] }],
};

const RIDERS: SearchDataset = {
  ...dataset('transit/riders', 'Riders of trams', 'Riders by season and group.', ['Riders', 'Fares paid']),
  ...{ synonyms: ['commuters', 'public transport'], levels: ['lines', 'city'] },
  ...{ whole: 'city', area: 'Arcadia', years: [2023, 2024] },
  axes: [GROUP],
};

const LINES: SearchDimension = {
  ...searchDimension(
    ['lines', 'tram line', 'Tram lines', 'transit'],
    ['line'],
    ['White,,07', 'Harbour North,,11'],
  ),
  datasets: [{ key: RIDERS.key, detail: 'lines', params: ['line'], alone: true }],
};

const asking = open([RIDERS, RAIN], [LINES]);

test.each([
  ['riders', null],
  ['commuter', null],
  ['COMMUTING', null],
  ['comutters', null],
  ['riders in Arcadia', null],
  ['riders 2024', 'year=2024'],
  ['riders 1999', null],
  ['riders on harbour north', 'detail=lines&line=11&view=chart'],
  ['harbour north line riders 2023', 'year=2023&detail=lines&line=11'],
  ['white riders', 'detail=city&group=white&view=chart'],
  ['riders of the white line', 'detail=lines&line=07&view=chart'],
  ['riders by race', 'detail=city&group=white%2Cblack&view=chart'],
  ['riders by group', 'detail=city&open=group&view=bars'],
  ['young fare payers', 'detail=city&group=u18&view=chart'],
  ['fares', 'metric=Fares+paid'],
  ['harbour north', 'detail=lines&line=11&view=chart'],
  ['rain riders submarines', null],
])('"%s" leads to riders, %s', (text, query) => {
  const [first] = datasetsOf(asking.ask(text).found);
  expect([first?.dataset.key, first?.view?.query ?? null]).toEqual(['transit/riders', query]);
});

test('the search says which words it corrected, and which it left out', () => {
  const { corrections, unknown } = asking.ask('rainfal comuters zeppelin 9q');
  expect(corrections).toEqual([['comuters', 'commuters']]);
  expect(unknown).toEqual(['zeppelin', '9q']);
});

test.each(['', '\u0000', '((', '*', 'constructor __proto__', 'a'.repeat(5000), '🙂 🙂', '%', 'in by of'])(
  'nothing is called %j',
  text => expect(asking.ask(text).found).toEqual([]),
);

const DISTRICTS = searchDimension(
  ['districts', 'school district', 'School districts', 'schools'],
  ['district'],
  ['Adams County,,1', 'Port,,2'],
);
const SCHOOLS: SearchDimension = {
  ...searchDimension(
    ['schools', 'school', 'Schools', 'schools'],
    ['district', 'school'],
    ['Hill School,Adams County,1,01', 'Port School,Adams County,1,02'],
  ),
  parent: { id: 'districts', kind: 'school district' },
};
const COUNTIES = searchDimension(
  ['counties', 'county', 'Counties', 'land'],
  ['county'],
  ['Adams County,,9', 'Bell County,,8'],
);
const land = open([RAIN, SNOW], [COUNTIES, DISTRICTS, SCHOOLS], {
  FRED: ['Snow'],
  white: ['Snow', 'Adams County'],
});

test.each([
  ['adams', ['county Adams County', 'school district Adams County']],
  ['adams county schools', ['school district Adams County', 'school Hill School', 'school Port School']],
  ['schools in adams', ['school district Adams County', 'school Hill School', 'school Port School']],
  ['port', ['school district Port', 'school Port School']],
  ['ada ms', ['county Adams County', 'school district Adams County']],
  ['adma', []],
  ['adasm', ['county Adams County', 'school district Adams County']],
])('places of all levels are found together: "%s"', (text, found) => {
  const places = placesOf(land.ask(text).found);
  expect(places.map(({ dimension, name }) => `${dimension.kind} ${name}`)).toEqual(found);
});

test('of several places with one name, a dataset is about the one that it has rows of', () => {
  const rows = { key: RAIN.key, detail: 'districts', params: ['district'], alone: true };
  const both = open([RAIN], [COUNTIES, { ...DISTRICTS, datasets: [rows] }]);
  const [first] = datasetsOf(both.ask('rainfall adams').found);
  expect(first?.view).toMatchObject({
    query: 'detail=districts&district=1&view=bars',
    about: 'school district',
  });
});

test("a publisher's synonym finds each of its meanings", () => {
  const read = (text: string) =>
    land.ask(text).found.map(one => (one.kind === 'dataset' ? one.dataset.title : placesOf([one])[0]?.name));
  expect(read('fred')).toEqual(['Snow', 'Rainfall']);
  expect(read('White')).toEqual(expect.arrayContaining(['Snow', 'Adams County']));
});

test('a word that matches something is not corrected, and few letters of a short word are changed', () => {
  const words = open([dataset('a/b', 'Chile, year, care and Spalding', '')], [COUNTIES]);
  for (const text of ['child', 'near', 'bell', 'belt', 'cart', 'spending'])
    expect([text, words.ask(text).corrections]).toEqual([text, []]);
  expect(words.ask('chil chiel').corrections).toEqual([['chiel', 'chile']]);
  expect(words.ask("chile's o'bell").unknown).toEqual(['obell']);
});
