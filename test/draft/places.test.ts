/** Maps of drafted datasets: what counts as one place, and why there is none. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildPublisher, warningsOf } from '../publishers/built-tree.ts';
import { duckdb, quoted, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { drafted as draftedFiles, draftIn, publisher } from './drafted.ts';

const drafted = (rows: readonly string[]) =>
  draftedFiles({ 'st.csv': `year,station,city,lat,lon,pm\n${rows.join('\n')}\n` });

/** The dimension's rows in the tree. */
async function stations(root: string): Promise<string> {
  const file = path.join(root, 'dist/api/v1/data/_dimensions/stations/rows.csv');
  return (await readFile(file, 'utf8')).trim().split(/\r?\n/).slice(1).join(' ');
}

const ROWS = [
  '2023,N1,Ava,33.10001,-84.1,5',
  '2023,N2,Ava,33.2,-84.2,6',
  '2023,N3,Bel,33.4,-84.4,7',
  '2024,N1,Ava,33.1,-84.1,5',
  '2024,N2,Ava,,,6',
  '2024,N3,Bel,33.4,,7',
  '2025,N1,Ava,33.1,-84.1,5',
];
const PLACES = 'N1,Ava,33.1,-84.1 N2,Ava,33.2,-84.2 N3,Bel,33.4,-84.4';
const NONE = /^No map, although there are coordinates: /;

test('coordinates that differ by a metre, or are blank, are of one place', async () => {
  const { root, tables } = await drafted(ROWS);
  expect(tables).toHaveLength(2);
  expect(warningsOf(await buildPublisher(publisher(root))).filter(one => one.startsWith('lake-'))).toEqual(
    [],
  );
  expect(await stations(root)).toBe(PLACES);
});

test('a place without coordinates is warned of', async () => {
  const { root } = await drafted([...ROWS, '2025,N4,Bel,,,3']);
  const says = /^lake-coordinates 1 of 4 stations lacks coordinates, such as N4/;
  expect(warningsOf(await buildPublisher(publisher(root)))).toContainEqual(expect.stringMatching(says));
  expect(await stations(root)).toBe(`${PLACES} N4,Bel,,`);
});

test.each([
  [[...ROWS, '2026,N1,Ava,33.11,-84.1,3'], /: 1 value of station lies at several places/],
  [ROWS.map((row, i) => row.replace(/N\d,(Ava|Bel)/, `${i},`)), /: no column /],
])('no map, although there are coordinates: %#', async (rows, why) => {
  const { tables } = await drafted(rows);
  expect(tables).toHaveLength(1);
  expect(tables[0]?.notes.filter(note => NONE.test(note))).toEqual([expect.stringMatching(why)]);
});

test('the next delivery brings its places, and what differs is told', async () => {
  const { root } = await drafted(ROWS);
  await buildPublisher(publisher(root));
  const lake = path.join(root, 'data/data/st.csv');
  const more = ['2025,N5,Ciel,33.5,-84.5,8', '2025,N2,Aba,33.2,-84.2,8', '2026,N5,Ciel,,,8'];
  await writeFile(lake, `${(await readFile(lake, 'utf8')).trim()}\n${more.join('\n')}\n`);
  await writeTexts(path.join(root, 'data/data/_dimensions'), { 'stations.csv': 'station,city\nN1,Ava\n' });
  const built = await buildPublisher(publisher(root));
  expect(await stations(root)).toBe(`${PLACES} N5,Ciel,33.5,-84.5`);
  expect(warningsOf(built).filter(one => one.startsWith('lake-'))).toEqual([
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
  const given = path.join(root, 'st.parquet');
  const values = "('N1', 'a', 33.1, -84.1, 5), ('N1', 'b', 33.1, -84.1, 6), ('N2', 'a', 33.2, -84.2, 7)";
  await duckdb(
    `COPY (SELECT * FROM (VALUES ${values}) v(station, kind, lat, lon, pm)) TO ${quoted(given)} (FORMAT parquet)`,
  );
  await draftIn(root, ['st.parquet']);
  await buildPublisher(publisher(root));
  expect(await stations(root)).toBe('N1,33.1,-84.1 N2,33.2,-84.2');
});
