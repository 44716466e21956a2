/** Histories: row groups of one size, and after any change of the lake the bytes of a build from nothing. */
import { copyFile, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { DatasetManifest, ParquetFile } from '../../build/format/manifest.ts';
import { datasetManifestPath, historyPath, slicePath } from '../../build/format/paths.ts';
import { keptFolder } from '../kept-folder.ts';
import { buildPublisher, readTreeJson, undated, verify } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  copyTree,
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writePublisher,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { GAUGE_CONTRACTS, GAUGE_DIMENSION, GAUGE_LAKE, gaugeFile, gaugeNames, gaugeRows } from './gauges.ts';

let original: PublisherFolder;
beforeAll(async () => {
  const sources = ['build', 'test/publishers', 'test/slice/gauges.ts', 'package-lock.json'];
  const root = await keptFolder('gauges', sources, async out => {
    await buildPublisher(await writePublisher(out, GAUGE_CONTRACTS, GAUGE_LAKE));
  });
  original = publisherAt(root);
});

const manifestOf = (out: string) =>
  readTreeJson<DatasetManifest>(out, datasetManifestPath('water', 'levels'));
const historyOf = async (out: string, level: string): Promise<ParquetFile> =>
  (await manifestOf(out)).history.find(entry => entry.detail === level)!.file;

/** A copy of the original whose lake has another file, or lacks it where there is no SELECT. */
async function changed(files: Readonly<Record<string, string | null>>): Promise<PublisherFolder> {
  const folder = await copyPublisher(original, await temporaryFolder());
  for (const [name, select] of Object.entries(files)) {
    if (select === null) await rm(path.join(folder.data, name));
    else await writeRows(folder.data, { [name]: select });
  }
  return folder;
}

async function fromNothing(folder: PublisherFolder): Promise<Record<string, string>> {
  const fresh = await copyPublisher(folder, await temporaryFolder());
  await buildPublisher(fresh);
  return undated(fresh.out);
}

/** What depends on the trees before. */
const TELLING = /feed\.(xml|json)|release-notes|SHA256SUMS|^manifest\.json|index\.html/;
const withoutNews = (tree: Record<string, string>) =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !TELLING.test(name)));

async function expectAsFromNothing(folder: PublisherFolder): Promise<void> {
  expect(withoutNews(await undated(folder.out))).toEqual(withoutNews(await fromNothing(folder)));
}

const LEVELS = ['gauges', 'rivers'];
const placeOf = (level: string) => (level === 'gauges' ? "gauge = 'g71'" : "river = 'r41'");

test.each(LEVELS)('the history of %s has 2,048 rows in every row group but the last', async level => {
  const { rows, row_groups: groups } = await historyOf(original.out, level);
  expect(rows).toBeGreaterThan(16_384);
  const whole = Math.floor(rows / 2048);
  const last = rows % 2048 === 0 ? [] : [rows % 2048];
  expect(groups.map(group => group.rows)).toEqual([...Array<number>(whole).fill(2048), ...last]);
});

test('the rows of a place stand in one row group of the history, or in two', async () => {
  const { row_groups: groups } = await historyOf(original.out, 'rivers');
  const river = (await manifestOf(original.out)).key_columns.indexOf('river');
  const holding = groups.filter(({ min, max }) => String(min[river]) <= 'r41' && String(max[river]) >= 'r41');
  expect(groups.length).toBeGreaterThan(10);
  expect([1, 2]).toContain(holding.length);
});

/** What a level's slices of some years become; null where a slice goes. */
type Change = (level: string) => Readonly<Record<number, string | null>>;

function changedLevels(change: Change): Promise<PublisherFolder> {
  const files = LEVELS.flatMap(level =>
    Object.entries(change(level)).map(([year, select]) => [gaugeFile(Number(year), level), select] as const),
  );
  return changed(Object.fromEntries(files));
}

test.each<[string, Change]>([
  [
    'a value, another, and one that is NULL now',
    level => ({
      2002: gaugeRows(
        2002,
        level,
        `CASE WHEN ${placeOf(level)} AND day < 9 THEN day + 0.25 ELSE height END AS height,
         CASE WHEN ${placeOf(level)} AND day = 3 THEN NULL ELSE readings END AS readings`,
      ),
    }),
  ],
  [
    'a row less',
    level => ({ 2002: gaugeRows(2002, level, '', `WHERE NOT (${placeOf(level)} AND day = 7)`) }),
  ],
  [
    'a place more, before most others',
    level => ({
      2002: `${gaugeRows(2002, level)} UNION ALL SELECT 2002, 'r01', ${level === 'gauges' ? "'g195'" : 'NULL'}, 1, 1.5, 2`,
    }),
  ],
  ['a place less', level => ({ 2002: gaugeRows(2002, level, '', `WHERE NOT (${placeOf(level)})`) })],
  ['a year more, of one place', level => ({ 2004: gaugeRows(2004, level, '', `WHERE ${placeOf(level)}`) })],
])('%s: as from nothing', async (_, change) => {
  const folder = await changedLevels(change);
  await copyTree(original, folder.root);
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
  await verify(folder.out);
});

test('a name of the dimension: as from nothing', async () => {
  const folder = await changed({ [GAUGE_DIMENSION]: gaugeNames("'Gauge no. ' || gauge") });
  await copyTree(original, folder.root);
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
});

test('zero that becomes minus zero is a change', async () => {
  const zero =
    (text: string): Change =>
    level => ({
      2002: gaugeRows(
        2002,
        level,
        `CASE WHEN ${placeOf(level)} AND day = 7 THEN ${text}::DOUBLE ELSE height END AS height`,
      ),
    });
  const folder = await changedLevels(zero('0.0'));
  await buildPublisher(folder);
  const before = await historyOf(folder.out, 'rivers');
  for (const level of LEVELS)
    await writeRows(folder.data, { [gaugeFile(2002, level)]: zero('-0.0')(level)[2002]! });
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
  expect((await historyOf(folder.out, 'rivers')).sha256).not.toBe(before.sha256);
});

test.each([
  ['ROWID', '_slice', 'rows'],
  ['file_index', 'rowid', '_slice'],
])('columns may be called %s, %s and %s', async (day, height, readings) => {
  const levels = GAUGE_CONTRACTS['levels.yaml']
    .replace('name: day', `name: ${day}`)
    .replace('gauge, day]', `gauge, ${day}]`)
    .replace('name: height', `name: ${height}`)
    .replace('name: readings', `name: ${readings}`);
  const lake = Object.entries(GAUGE_LAKE).flatMap(([file, select]) => {
    if (!file.includes('/levels/')) return [[file, select]];
    const renamed = `SELECT * RENAME (day AS ${day}, height AS ${height}, readings AS ${readings}) FROM (${select})`;
    return /2001.gauges/.test(file) ? [[file, renamed]] : [];
  });
  const folder = await writePublisher(
    await temporaryFolder(),
    { ...GAUGE_CONTRACTS, 'levels.yaml': levels },
    Object.fromEntries(lake),
  );
  await buildPublisher(folder);
  await verify(folder.out);
  const pages = (await manifestOf(folder.out)).slices.map(slice => slice.files.json.length);
  expect(Math.max(...pages)).toBeGreaterThan(2);
});

test.each(['b', 'first'])('a place may be called %s', async name => {
  const levels = GAUGE_CONTRACTS['levels.yaml']
    .replace('name: river', `name: ${name}`)
    .replace('[year, river, gauge, day]', `[year, ${name}, gauge, day]`)
    .replace('{ column: river,', `{ column: ${name},`)
    .replace('fk_gauge', 'categorical')
    .replace(/^.*column: gauge, target.*$/m, '');
  const rivers = (year: number, change = '') =>
    `SELECT * RENAME (river AS "${name}") FROM (${gaugeRows(year, 'rivers', change)})`;
  const lake = Object.entries(GAUGE_LAKE).filter(([file]) => !file.includes('/levels/'));
  const folder = await writePublisher(
    await temporaryFolder(),
    { ...GAUGE_CONTRACTS, 'levels.yaml': levels },
    {
      ...Object.fromEntries(lake),
      ...Object.fromEntries([2001, 2002, 2003].map(year => [gaugeFile(year, 'rivers'), rivers(year)])),
    },
  );
  await buildPublisher(folder);
  for (const height of [1, 2]) {
    const change = `CASE WHEN river = 'r41' AND day = 3 THEN ${height} ELSE height END AS height`;
    await writeRows(folder.data, { [gaugeFile(2002, 'rivers')]: rivers(2002, change) });
    await buildPublisher(folder);
    await expectAsFromNothing(folder);
  }
});

test('a history that is damaged is made anew', async () => {
  const folder = await changedLevels(level => ({
    2002: gaugeRows(2002, level, '', `WHERE NOT (${placeOf(level)})`),
  }));
  await copyTree(original, folder.root);
  const at = (name: string) => path.join(folder.out, name);
  const history = at(historyPath('water', 'levels', 'rivers'));
  const bytes = await readFile(history);
  bytes[1000]! ^= 1;
  // As a disk does it: neither size nor time say so.
  const { atime, mtime } = await stat(history);
  await writeFile(history, bytes);
  await utimes(history, atime, mtime);
  await copyFile(
    at(slicePath('water', 'levels', 2001, 'gauges', 'parquet')),
    at(historyPath('water', 'levels', 'gauges')),
  );
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
});
