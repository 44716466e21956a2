/** Maps of drafted datasets: what counts as one place, and why there is none. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { draft } from '../../build/draft/draft.ts';
import { buildPublisher, warningsOf } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

async function drafted(rows: readonly string[]) {
  const root = await temporaryFolder();
  await writeFile(path.join(root, 'st.csv'), `year,station,city,lat,lon,pm\n${rows.join('\n')}\n`);
  const options = { folder: root, domain: 'data', memory: '400MB', jobs: 1 };
  return { root, ...(await draft({ ...options, inputs: [path.join(root, 'st.csv')] })) };
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
const NONE = /^No map, although there are coordinates: /;

test.each<[what: string, rows: readonly string[], places: string | RegExp]>([
  [
    'coordinates that differ by a metre, and blank ones',
    ROWS,
    'N1,Ava,33.1,-84.1 N2,Ava,33.2,-84.2 N3,Bel,33.4,-84.4',
  ],
  [
    'a place without coordinates',
    [...ROWS, '2025,N4,Bel,,,3'],
    'N1,Ava,33.1,-84.1 N2,Ava,33.2,-84.2 N3,Bel,33.4,-84.4 N4,Bel,,',
  ],
  [
    'a place that has moved',
    [...ROWS, '2026,N1,Ava,33.11,-84.1,3'],
    /: 1 value of station lies at several places/,
  ],
  ['no column of places', ROWS.map((row, i) => row.replace(/N\d,(Ava|Bel)/, `${i},`)), /: no column /],
])('%s', async (_, rows, places) => {
  const { root, tables } = await drafted(rows);
  if (typeof places === 'string') {
    const file = path.join(root, 'data/data/_dimensions/stations.csv');
    expect((await readFile(file, 'utf8')).trim().split('\n').slice(1).join(' ')).toBe(places);
    const built = await buildPublisher({
      root,
      contracts: path.join(root, 'contracts'),
      data: path.join(root, 'data'),
      out: path.join(root, 'dist'),
    });
    const warnings = warningsOf(built).filter(one => one.startsWith('lake-'));
    expect(warnings).toEqual(
      places.includes('N4')
        ? [expect.stringMatching(/^lake-coordinates 1 of 4 stations lacks coordinates, such as N4/)]
        : [],
    );
    expect(tables).toHaveLength(2);
  } else {
    expect(tables).toHaveLength(1);
    const why = tables[0]?.notes.filter(note => NONE.test(note)) ?? [];
    expect(why).toEqual([expect.stringMatching(places)]);
  }
});
