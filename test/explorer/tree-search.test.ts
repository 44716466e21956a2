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
const keys = (text: string) => search.findDatasets(text).map(one => one.key);

test.each([
  ['snow', ['climate/snow', 'climate/rain']],
  ['SNOW', ['climate/snow', 'climate/rain']],
  ['rainf', ['climate/rain']],
  ['ranfall', ['climate/rain']],
  ['wet days', ['climate/rain']],
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
