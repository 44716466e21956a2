import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outlineAreas } from '../../site/explorer/pages/map-outlines.ts';
import { cutTopology, type Topology } from '../../site/explorer/pages/map-shapes.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { buildExplored, openPages } from './explored-tree.ts';

/** Two squares side by side, and one of another state; all arcs are used backwards or forwards. */
const ATLAS: Topology = {
  type: 'Topology',
  transform: { scale: [1, 1], translate: [-80, 30] },
  arcs: [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [1, 1],
      [-1, 0],
      [0, -1],
      [1, 0],
    ],
    [
      [1, 0],
      [1, 0],
      [0, 1],
      [-1, 0],
    ],
    [
      [5, 5],
      [1, 0],
      [0, 1],
      [-1, -1],
    ],
  ],
  objects: {
    counties: {
      geometries: [
        { id: '13001', arcs: [[0, 1]] },
        { id: '13003', arcs: [[2, -1]] },
        { id: '37001', arcs: [[[3]]] },
      ],
    },
    nation: { geometries: [{ arcs: [[3]] }] },
  },
};

describe('shapes', () => {
  test('a cut keeps the wanted areas and the arcs that they use', () => {
    const cut = cutTopology(ATLAS, id => id.startsWith('13'));
    expect(Object.keys(cut?.objects ?? {})).toEqual(['counties']);
    expect(cut?.arcs).toEqual([ATLAS.arcs[0], ATLAS.arcs[1], ATLAS.arcs[2]]);
    expect(cut?.objects['counties']?.geometries?.map(({ arcs }) => arcs)).toEqual([[[0, 1]], [[2, -1]]]);
    const other = cutTopology(ATLAS, id => id === '37001');
    expect([other?.arcs, other?.objects['counties']?.geometries]).toEqual([
      [ATLAS.arcs[3]],
      [{ id: '37001', arcs: [[[0]]] }],
    ]);
    expect(cutTopology(ATLAS, () => false)).toBeNull();
  });

  test('outlines fill the room, and the same arc draws the same border of both neighbours', () => {
    const cut = cutTopology(ATLAS, id => id.startsWith('13')) as Topology;
    const found = outlineAreas(cut, 200);
    expect(found?.areas.map(({ id, d }) => [id, /^M[-\d., ]+l[-\d., ]+z$/.test(d)])).toEqual([
      ['13001', true],
      ['13003', true],
    ]);
    expect(found?.areas.every(({ d }) => d.includes('M100,'))).toBe(true);
    expect(outlineAreas({ ...cut, transform: { scale: [60, 1], translate: [-180, 0] } }, 200)).toBeNull();
  });
});

describe('our front page', () => {
  const sample = useSampleTree(
    ['census/employment', 'education/attendance', 'education/sat_scores_recent', 'immigration/ice_arrests'],
    { openPages },
  );
  const read = (name: string) => readFile(path.join(sample.tree, name), 'utf8');
  const text = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  test('has figures, a map and questions, and reads without a script', async () => {
    const page = await read('index.html');
    expect(page.match(/<li class="card">/g)).toHaveLength(4);
    expect(page.match(/static-map/g)).toHaveLength(1);
    expect(text(page)).toContain('Unemployment rate, 2024, Georgia');
    // An axis without a total names its pin.
    expect(text(page)).toContain('Mean score, Combined test score, 2024, Georgia');
    expect(text(page)).toContain('Which counties have the highest unemployment rate?');
    expect(page).toMatch(/href="datasets\/census\/employment\/" data-view="detail=counties&amp;view=map"/);
    expect(gzipSync(page).length).toBeLessThan(60_000);
  });

  test('the shapes of all counties of the state take less than 80 kB', async () => {
    const file = await read('api/v1/census/_dimensions/counties/shapes.json');
    expect(gzipSync(file).length).toBeLessThan(80_000);
    const { objects } = JSON.parse(file) as Topology;
    const ids = objects['counties']?.geometries?.map(({ id }) => String(id)) ?? [];
    expect([ids.length, ids.every(id => id.startsWith('13'))]).toEqual([159, true]);
  });
});

describe('the front page of a publisher without questions, areas and counties', () => {
  let publisher: PublisherFolder;
  beforeAll(async () => {
    publisher = await buildExplored(CONTRACTS, LAKE);
  });
  afterAll(() => rm(publisher.root, { recursive: true, force: true }));

  test('lists its datasets, and says nothing of an area', async () => {
    const page = await readFile(path.join(publisher.out, 'index.html'), 'utf8');
    expect(page).not.toMatch(/static-map|class="questions"|undefined/);
    expect(page).toContain('id="all-climate"');
  });
});
