/**
 * Why a drafted dataset has no time axis, join or map, that the advice works, and what counts as one place.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openPages } from '../publishers/kept-trees.ts';
import { temporaryFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import { built, drafted, draftIn, type Files } from './drafted.ts';

const CODES = ['13001', '13003', '13005', '13007', '13009', '13011'];

const rows = (header: string, line: (code: string, i: number) => string) =>
  `${header}\n${CODES.map((code, i) => line(code, i)).join('\n')}\n`;
const twice = (text: string) =>
  `${text}${text.split('\n').slice(1).join('\n').replaceAll(',2023,', ',2024,')}`;
const COUNTIES = (key: string) => rows(`${key},name`, (code, i) => `${code},County ${i}`);

const CASES = twice(rows('fips,year,cases', (code, i) => `${code},2023,${i * 3 + 20}`));
const coded = (code: (code: string, i: number) => string) =>
  rows('fips,year,cases', (one, i) => `${code(one, i)},2023,${i * 3}`);
const dated = (i: number) => `k${i},${i === 2 ? '' : `2024-05-0${i + 1}`},${i * 3}`;
const NO_PLACES = 'No map: no column has coordinates or names places.';

test.each<[what: string, cases: string, others: Files, notes: readonly (string | RegExp)[]]>([
  [
    'names of places, and no time',
    rows('county,cases', (_, i) => `County ${i},${i * 3}`),
    {},
    [
      /^No time axis: no column says when\. If all/,
      /^No map: no column has coordinates, and county \(6 different values\)/,
    ],
  ],
  [
    'blank dates',
    rows('kind,Report Date,cases', (_, i) => dated(i)),
    {},
    [/^No time axis: .* Report Date, is blank in 1 row: fill it/, NO_PLACES],
  ],
  [
    'periods in words',
    rows('kind,period,cases', (_, i) => `k${i},Term ${i % 3},${i * 3}`),
    {},
    [/^No time axis: .* period, has values such as "Term 0", "Term 1", "Term 2"\. Write/, NO_PLACES],
  ],
  [
    'school years',
    rows('kind,School Year,cases', (_, i) => `k${i},201${i}-1${i + 1},${i * 3}`),
    {},
    [/^No time axis: .* School Year, has values such as "2010-11", /, NO_PLACES],
  ],
  [
    'county codes without a table',
    coded(code => code),
    {},
    [/^No map: fips has county codes of five digits, but no table lists these places\. Draft again/],
  ],
  [
    'county codes that lost a zero',
    coded((code, i) => code.slice(i === 0 ? 1 : 0)),
    {},
    [/^No map: .* 1 code lost the leading zero/],
  ],
  [
    'a table under another name',
    CASES,
    { 'counties.csv': COUNTIES('area') },
    [
      /^No join: 6 of 6 values of fips are in area of .*counties\.csv\. Call that column fips too, and draft again\.$/,
      /^No map/,
    ],
  ],
  [
    'a table of other things',
    CASES,
    { 'kinds.csv': 'kind,word\nx,One\ny,Two\n' },
    [/^No join: no column has the values of a unique column of .*kinds\.csv\.$/, /^No map/],
  ],
])('%s', async (_, cases, others, notes) => {
  const { tables } = await drafted({ 'cases.csv': cases, ...others });
  const found = tables.find(({ name }) => name === 'cases')?.notes;
  expect(found).toEqual(notes.map(note => (typeof note === 'string' ? note : expect.stringMatching(note))));
});

test('a table of counties is complete, and gives a map', async () => {
  const { root, tables } = await drafted({ 'cases.csv': CASES, 'counties.csv': COUNTIES('fips') });
  expect(tables[0]?.notes).toEqual([]);
  await built(root, { pages: openPages() });
  expect(existsSync(path.join(root, 'dist/api/v1/data/_dimensions/counties/shapes.json'))).toBe(true);
});

const draftedPlaces = (rows: readonly string[]) =>
  drafted({ 'st.csv': `year,station,city,lat,lon,pm\n${rows.join('\n')}\n` });

/** The dimension's rows in the tree. */
async function stations(root: string): Promise<string> {
  const file = path.join(root, 'dist/api/v1/data/_dimensions/stations/rows.csv');
  return (await readFile(file, 'utf8')).trim().split(/\r?\n/).slice(1).join(' ');
}

const PLACED = [
  '2023,N1,Ava,33.10001,-84.1,5',
  '2023,N2,Ava,33.2,-84.2,6',
  '2023,N3,Bel,33.4,-84.4,7',
  '2024,N1,Ava,33.1,-84.1,5',
  '2024,N2,Ava,,,6',
  '2024,N3,Bel,33.4,,7',
  '2025,N1,Ava,33.1,-84.1,5',
];
const PLACES = 'N1,33.1,-84.1,Ava N2,33.2,-84.2,Ava N3,33.4,-84.4,Bel';
const NONE = /^No map, although there are coordinates: /;

test('coordinates that differ by a meter, or are blank, are one place', async () => {
  const { root, tables } = await draftedPlaces(PLACED);
  expect(tables).toHaveLength(2);
  expect((await built(root)).warnings.filter(one => one.startsWith('lake-'))).toEqual([]);
  expect(await stations(root)).toBe(PLACES);
});

test('a place without coordinates is a warning', async () => {
  const { root } = await draftedPlaces([...PLACED, '2025,N4,Bel,,,3']);
  const says = /^lake-coordinates 1 of 4 stations lacks coordinates, such as N4/;
  expect((await built(root)).warnings).toContainEqual(expect.stringMatching(says));
  expect(await stations(root)).toBe(`${PLACES} N4,,,Bel`);
});

test.each([
  [[...PLACED, '2026,N1,Ava,33.11,-84.1,3'], /: 1 value of station lies at several places/],
  [PLACED.map((row, i) => row.replace(/N\d,(Ava|Bel)/, `${i},`)), /: no column /],
])('no map, although there are coordinates: %#', async (rows, why) => {
  const { tables } = await draftedPlaces(rows);
  expect(tables).toHaveLength(1);
  expect(tables[0]?.notes.filter(note => NONE.test(note))).toEqual([expect.stringMatching(why)]);
});

test('the next delivery adds its places, and differences are reported', async () => {
  const { root } = await draftedPlaces(PLACED);
  await built(root);
  const lake = path.join(root, 'data/data/st.csv');
  const more = ['2025,N5,Ciel,33.5,-84.5,8', '2025,N2,Aba,33.2,-84.2,8', '2026,N5,Ciel,,,8'];
  await writeFile(lake, `${(await readFile(lake, 'utf8')).trim()}\n${more.join('\n')}\n`);
  await writeTexts(path.join(root, 'data/data/_dimensions'), { 'stations.csv': 'station,city\nN1,Ava\n' });
  const later = await built(root);
  expect(await stations(root)).toBe(`${PLACES} N5,33.5,-84.5,Ciel`);
  expect(later.warnings.filter(one => one.startsWith('lake-'))).toEqual([
    expect.stringMatching(
      /^lake-copy The rows of stations are drawn from data\/st, .* this file is not read/,
    ),
    expect.stringMatching(
      /^lake-drawn-rows Rows of data\/st differ in city for 1 of the keys of stations, such as N2\./,
    ),
  ]);
});

test('places of a Parquet file of one slice', async () => {
  const root = await temporaryFolder();
  const values = "('N1', 'a', 33.1, -84.1, 5), ('N1', 'b', 33.1, -84.1, 6), ('N2', 'a', 33.2, -84.2, 7)";
  await writeRows(root, { 'st.parquet': `FROM (VALUES ${values}) v(station, kind, lat, lon, pm)` });
  await draftIn(root, ['st.parquet']);
  await built(root);
  expect(await stations(root)).toBe('N1,33.1,-84.1 N2,33.2,-84.2');
});
