/** Columns and counts of files are kept from one build to the next, by what the files hold. */
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ParquetShape } from '../../build/lake/parquet-shape.ts';
import type { Kept } from '../../build/publish/kept-value.ts';
import { workspaceOf } from '../../build/publish/workspace.ts';
import { buildPublisher, contents, refusal } from './built-tree.ts';
import {
  copyBuilt,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
} from './publisher-folder.ts';
import { TIDE_CONTRACTS, TIDE_LAKE, tideFile, tideRows } from './tides.ts';
import { tramRows } from './weather.ts';

type Shapes = Map<string, ParquetShape>;

let original: PublisherFolder;
let publisher: PublisherFolder;
beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'), TIDE_CONTRACTS, TIDE_LAKE);
  await buildPublisher(original);
});
afterAll(() => rm(original.root, { recursive: true, force: true }));

beforeEach(async () => {
  publisher = await copyBuilt(original);
});

const keptFile = () => path.join(workspaceOf(publisher.out).folder, 'shapes.v8');
const readKept = async () => deserialize(await readFile(keptFile())) as Kept<Shapes>;
const changeSlice = () =>
  writeRows(publisher.data, { [tideFile(2003, 'ports')]: tideRows(2003, 'ports', '1.5 - hour AS height') });

/** Says of every file that is known that it has a row more. */
async function tellUntruth(program: (before: string) => string): Promise<void> {
  const { key: before, value: shapes } = await readKept();
  const wrong = new Map([...shapes].map(([key, shape]) => [key, { ...shape, rows: shape.rows + 1 }]));
  await writeFile(keptFile(), serialize({ key: program(before), value: wrong } satisfies Kept<Shapes>));
}

/** The tree of a build that knows nothing of another. */
async function treeAtFirst(): Promise<Record<string, string>> {
  const out = path.join(publisher.root, 'first');
  await buildPublisher({ ...publisher, out });
  return contents(out);
}

/** Rows alone: documents tell of the release before, which a first build has not. */
const rowsOf = (tree: Record<string, string>) =>
  Object.keys(tree)
    .filter(name => name.includes('year=') || name.includes('/history/'))
    .map(name => [name, tree[name]]);

test('every file of the lake has its shape, and one that is gone has none', async () => {
  const files = Object.keys(TIDE_LAKE).filter(name => name.endsWith('.parquet'));
  const { value: shapes } = await readKept();
  expect(shapes.size).toBe(files.length);
  await changeSlice();
  await buildPublisher(publisher);
  const after = (await readKept()).value;
  expect(after.size).toBe(files.length);
  expect([...after.keys()].filter(key => !shapes.has(key))).toHaveLength(1);
});

test('of a dataset that is as it was nothing is forgotten', async () => {
  publisher = await writePublisher(await temporaryFolder());
  await buildPublisher(publisher);
  const { value: shapes } = await readKept();
  await writeRows(publisher.data, {
    'transit/trams/year=2021/nation.parquet': tramRows(2021, 'nation').replace('500', '501'),
  });
  await buildPublisher(publisher);
  const { value: after } = await readKept();
  expect(after.size).toBe(shapes.size);
  expect([...shapes.keys()].filter(key => !after.has(key))).toHaveLength(1);
});

test('what is known of a file is not asked again', async () => {
  await tellUntruth(program => program);
  await changeSlice();
  await expect(buildPublisher(publisher)).rejects.toThrow(/rows instead of/);
});

test('a file with other columns is asked', async () => {
  await writeRows(publisher.data, {
    [tideFile(2003, 'ports')]: `SELECT *, 1 AS more FROM (${tideRows(2003, 'ports')})`,
  });
  const { diagnostics } = await refusal(publisher);
  expect(diagnostics).toMatchObject([{ code: 'lake-extra-column', file: tideFile(2003, 'ports') }]);
  expect((await readKept()).value.size).toBeGreaterThan(0);
});

describe('nothing is believed', () => {
  test.each<[string, () => Promise<void>]>([
    ['of another program', () => tellUntruth(program => `${program} of another time`)],
    ['of a file that is cut off', () => truncate(keptFile(), 100)],
    ['of a file that is gone', () => rm(keptFile())],
  ])('%s', async (_, damage) => {
    await damage();
    await changeSlice();
    await buildPublisher(publisher);
    expect(rowsOf(await contents(publisher.out))).toEqual(rowsOf(await treeAtFirst()));
  });
});
