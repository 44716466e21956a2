/** Why a drafted dataset has no time axis, no join or no map, and that the advice gives it one. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../cli/command.ts';
import { drafted, type Files, publisher } from './drafted.ts';

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

test('a table of counties lacks nothing, and gives a map', async () => {
  const { root, tables } = await drafted({ 'cases.csv': CASES, 'counties.csv': COUNTIES('fips') });
  expect(tables[0]?.notes).toEqual([]);
  const { contracts, data, out } = publisher(root);
  const { code } = await command('build', '--contracts', contracts, '--data', data, '--out', out);
  expect(code).toBe(0);
  expect(existsSync(path.join(out, 'api/v1/data/_dimensions/counties/shapes.json'))).toBe(true);
});
