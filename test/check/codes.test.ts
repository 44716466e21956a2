/** Unknown codes are counted and named by init, by the build, and beside the map. */
import { expect, test } from 'vitest';
import { foundText } from '../../build/cli/problem-report.ts';
import { describeUnmapped, type MapDrawing } from '../../site/explorer/view/drawing.ts';
import { built, drafted, publisher } from '../draft/drafted.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { writeTexts } from '../publishers/publisher-folder.ts';

const COUNTIES = ['01001', '01003', '13001', '13121', '13003', '13005', '13007'];

const jobs = (codes: readonly string[], name = 'county_fips') => ({
  'jobs.csv': [`year,${name},jobs`, ...codes.map((code, i) => `2024,${code},${i * 7}`), ''].join('\n'),
});
const listOf = (codes: readonly string[]) => ({
  'counties.csv': ['county_fips,county_name', ...codes.map(code => `${code},C${code}`), ''].join('\n'),
});
const counties = listOf(COUNTIES);

/** A code without the zero that a spreadsheet removed. */
const lost = (code: string) => `${code.slice(1)} (1 row, looks like ${code} without its leading zero)`;

test('a draft says why tables are not joined', async () => {
  const notesOf = async (codes: readonly string[]) =>
    (await drafted({ ...jobs(codes), ...counties })).tables
      .flatMap(one => one.notes)
      .filter(note => note.includes('are not joined'));
  expect(await notesOf(COUNTIES)).toEqual([]);
  expect(await notesOf(['1', '2', '3', '4'].map(code => `S${code}`))).toEqual([]);
  expect(await notesOf([...COUNTIES, '13999'])).toEqual([
    expect.stringMatching(
      /^1 of 8 values of county_fips is no county_fips of .*counties\.csv, .*: 13999 \(1 row\)\./,
    ),
  ]);
  expect(await notesOf(['1001', ...COUNTIES.slice(1)])).toEqual([expect.stringContaining(lost('01001'))]);
});

test('a build names the codes that a dimension lacks', async () => {
  const { root } = await drafted({ ...jobs(COUNTIES), ...counties });
  const wrong = [...COUNTIES.slice(1), '1001', ...Array.from({ length: 6 }, (_, i) => `1399${i}`)];
  await writeTexts(root, { 'data/data/jobs.csv': jobs(wrong)['jobs.csv'] });
  const [failure] = (await publisher(root).refusal()).failures;
  expect(failure && foundText(failure.outcome)).toBe(
    `Found 7, must be 0. These codes: ${lost('01001')}, 13990 (1 row), 13991 (1 row), 13992 (1 row), 13993 (1 row) and 2 more.`,
  );
});

test.each([
  ['beside codes that kept theirs', 'county_fips', ['1001', '1003', '13121'], ['01001', '01003']],
  ['of a post code', 'zip_code', ['2134', '30303'], ['02134']],
  ['of none', 'county_fips', ['01001', '13121'], []],
  ['in no codes of one width', 'zip_code', ['213', '2134', '30303'], []],
  ['in numbers of another kind', 'ward', ['1', '12'], []],
])('zeros that were lost %s', async (_, column, codes, named) => {
  const { root } = await drafted(jobs(codes, column));
  const { events } = await built(root);
  const notices = events.flatMap(event => (event.kind === 'notices' ? event.outcomes : []));
  const told = notices.map(({ outcome }) => foundText(outcome).replace(/.*These codes: (.*)\.$/, '$1'));
  expect(told).toEqual(named.length === 0 ? [] : [named.map(lost).join(', ')]);
});

test("a build names the places that its map lacks, and one wrong code doesn't drop the map", async () => {
  const known = Array.from({ length: 20 }, (_, i) => String(13001 + 2 * i)).filter(code => code !== '13041');
  const codes = [...known, '09110', '1001'];
  const { root } = await drafted({ ...jobs(codes), ...listOf(codes) });
  const mapped = await built(root, { pages: openPages() });
  expect(mapped.warnings.filter(said => said.startsWith('places-not-on-map'))).toEqual([
    expect.stringMatching(
      /The map has no shape of 2 of 22 counties: 09110, 1001 \(looks like 01001 without its leading zero\)\. .*\.geojson/,
    ),
  ]);
});

test('the page says which places its map lacks', () => {
  const areas = new Map(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '09110'].map(key => [
      key,
      { key, label: key === '09110' ? 'Capitol' : key, value: 1 },
    ]),
  );
  const said = (...keys: readonly string[]) => describeUnmapped({ areas } as unknown as MapDrawing, keys);
  expect(said()).toBe(null);
  expect(said('09110')).toBe(
    "1 of 9 places isn't on the map, which has no shape there: Capitol (09110). Its row is in the table.",
  );
  expect(said('a', 'b', 'c', 'd', 'e', 'f', '09110')).toBe(
    "7 of 9 places aren't on the map, which has no shape there: a, b, c, d, e and 2 more. Their rows are in the table.",
  );
});
