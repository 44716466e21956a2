/** Histories whose runs of places are taken over where nothing of them changed: the same bytes as from nothing. */
import { copyFile, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { readContractFolder } from '../../build/contract-folder.ts';
import type { DatasetManifest, ParquetFile } from '../../build/format/manifest.ts';
import { datasetManifestPath, historyPath, slicePath } from '../../build/format/paths.ts';
import { Database, Session } from '../../build/lake/database.ts';
import { takeInventory } from '../../build/lake/inventory.ts';
import { openLake } from '../../build/lake/lake-location.ts';
import { readShapes, rowsOf } from '../../build/lake/parquet-shape.ts';
import { SessionTeam } from '../../build/lake/session-team.ts';
import { workspaceOf } from '../../build/publish/workspace.ts';
import { digestText } from '../../build/slice/file-digest.ts';
import { writeHistory } from '../../build/slice/history-writer.ts';
import { publishedColumns } from '../../build/slice/row-columns.ts';
import { readRowGroups } from '../../build/slice/row-groups.ts';
import { MadeTypes } from '../../build/slice/value-types.ts';
import { buildPublisher, readTreeJson, undated, verify } from './built-tree.ts';
import { GAUGE_CONTRACTS, GAUGE_DIMENSION, GAUGE_LAKE, gaugeFile, gaugeNames, gaugeRows } from './gauges.ts';
import {
  copyPublisher,
  copyTree,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
} from './publisher-folder.ts';

let original: PublisherFolder;
beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'), GAUGE_CONTRACTS, GAUGE_LAKE);
  await buildPublisher(original);
});
afterAll(() => rm(original.root, { recursive: true, force: true }));

const manifestOf = (out: string) =>
  readTreeJson<DatasetManifest>(out, datasetManifestPath('water', 'levels'));
const historyOf = async (out: string, level: string): Promise<ParquetFile> =>
  (await manifestOf(out)).history.find(entry => entry.detail === level)!.file;

/** Digests of a history's row groups. */
async function groupsOf(out: string, level: string): Promise<string[]> {
  const bytes = await readFile(path.join(out, historyPath('water', 'levels', level)));
  return (await historyOf(out, level)).row_groups.map(({ start, sizes }) =>
    digestText(bytes.subarray(start, start + sizes.reduce((sum, size) => sum + size, 0))),
  );
}

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

test.each(LEVELS)('the history of %s is cut between places into runs', async level => {
  const { rows, row_groups: groups } = await historyOf(original.out, level);
  expect(rows).toBeGreaterThan(65_536);
  expect(groups.every(group => group.rows <= 2048)).toBe(true);
  const short = groups.filter(group => group.rows < 2048);
  expect(short.length).toBeGreaterThan(1);
  expect(short.length).toBeLessThan(groups.length / 2);
});

/** What a level's slices of some years become; null where a slice goes. */
type Change = (level: string) => Readonly<Record<number, string | null>>;

function changedLevels(change: Change): Promise<PublisherFolder> {
  const files = LEVELS.flatMap(level =>
    Object.entries(change(level)).map(([year, select]) => [gaugeFile(Number(year), level), select] as const),
  );
  return changed(Object.fromEntries(files));
}

describe('runs of which nothing changed are taken over', () => {
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
      'a row more',
      level => ({
        2002: `${gaugeRows(2002, level)} UNION ALL (${gaugeRows(2002, level, '999 AS day', `WHERE ${placeOf(level)} AND day = 7`)})`,
      }),
    ],
    [
      'a place more, before most others',
      level => ({
        2002: `${gaugeRows(2002, level)} UNION ALL SELECT 2002, 'r01', ${level === 'gauges' ? "'g195'" : 'NULL'}, 1, 1.5, 2`,
      }),
    ],
    ['a place less', level => ({ 2002: gaugeRows(2002, level, '', `WHERE NOT (${placeOf(level)})`) })],
    ['a year more, of one place', level => ({ 2004: gaugeRows(2004, level, '', `WHERE ${placeOf(level)}`) })],
  ])('%s', async (_, change) => {
    const folder = await changedLevels(change);
    await copyTree(original, folder.root);
    await buildPublisher(folder);
    await expectAsFromNothing(folder);
    await verify(folder.out);
    for (const level of LEVELS) {
      const years = Object.keys(change(level)).map(Number);
      const taken = await takenOver(folder, level, years);
      expect(taken.sha256).toBe((await historyOf(folder.out, level)).sha256);
      const before = new Set(await groupsOf(original.out, level));
      const groups = await groupsOf(folder.out, level);
      const same = groups.filter(group => before.has(group));
      expect(same.length).toBeGreaterThan(groups.length / 3);
      expect(same.length).toBeLessThan(groups.length);
    }
  });
});

test('of a value only its row group is written', async () => {
  // The first place is in one row group, however the rest is cut.
  const first = (level: string) => (level === 'gauges' ? "gauge = 'g194'" : "river = 'r00'");
  const folder = await changedLevels(level => ({
    2002: gaugeRows(2002, level, `CASE WHEN ${first(level)} AND day = 9 THEN 0.25 ELSE height END AS height`),
  }));
  await copyTree(original, folder.root);
  // What is written of a history stands in a file of its own before it is put together.
  const groups: number[] = [];
  const { run } = Session.prototype;
  const spy = vi.spyOn(Session.prototype, 'run').mockImplementation(async function (this: Session, sql) {
    await run.call(this, sql);
    const [, file] = /^COPY .* TO '(.*\/history-[^/]*\/\d+\.parquet)'/s.exec(sql) ?? [];
    if (file !== undefined) groups.push(readRowGroups(file, [], []).groups.length);
  });
  await buildPublisher(folder);
  spy.mockRestore();
  expect(groups).toEqual(LEVELS.map(() => 1));
  await expectAsFromNothing(folder);
  for (const level of LEVELS) {
    const before = new Set(await groupsOf(original.out, level));
    const made = (await groupsOf(folder.out, level)).filter(group => !before.has(group));
    expect(made).toHaveLength(1);
    const taken = await takenOver(folder, level, [2002]);
    expect(taken.sha256).toBe((await historyOf(folder.out, level)).sha256);
  }
});

test.each<[string, Change]>([
  ['a year more', level => ({ 2004: gaugeRows(2004, level) })],
  ['another order', level => ({ 2002: gaugeRows(2002, level, '', 'ORDER BY hash(day)') })],
  ['all values', level => ({ 2002: gaugeRows(2002, level, 'height + 1 AS height') })],
  [
    'a place in two years',
    level => ({
      2001: gaugeRows(2001, level, '', `WHERE NOT (${placeOf(level)})`),
      2003: gaugeRows(2003, level, `CASE WHEN ${placeOf(level)} THEN 5 ELSE readings END AS readings`),
    }),
  ],
  [
    'a place that goes and another that comes',
    level => ({
      2002: gaugeRows(
        2002,
        level,
        '',
        `WHERE NOT (${placeOf(level)}) UNION ALL SELECT 2002, 'r03', ${level === 'gauges' ? "'g3'" : 'NULL'}, 1000, 1, 1`,
      ),
    }),
  ],
])('%s: as from nothing', async (_, change) => {
  const folder = await changedLevels(change);
  await copyTree(original, folder.root);
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
});

test.each([
  ['a place that was in one year', ['r41']],
  // r29 begins a run: the one before takes in the four that follow it.
  ['as many places of a run as it takes in', ['r14', 'r15', 'r16', 'r17', 'r29']],
])('%s leaves: as from nothing', async (_, rivers) => {
  const others = `WHERE river NOT IN (${rivers.map(river => `'${river}'`).join(', ')})`;
  const without = (...years: readonly number[]) =>
    Object.fromEntries(years.map(year => [gaugeFile(year, 'rivers'), gaugeRows(year, 'rivers', '', others)]));
  const folder = await changed(without(2001, 2003));
  await buildPublisher(folder);
  await writeRows(folder.data, without(2002));
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
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

test.each(['rowid', 'ROWID', 'file_index', '_slice', 'rows'])('a column may be called %s', async name => {
  const renamed = Object.entries(GAUGE_CONTRACTS).map(([file, text]) => [
    file,
    text.replaceAll('name: day', `name: ${name}`).replaceAll('gauge, day]', `gauge, ${name}]`),
  ]);
  const lake = Object.entries(GAUGE_LAKE).flatMap(([file, select]) => {
    if (!file.includes('/levels/')) return [[file, select]];
    return /2001.gauges/.test(file) ? [[file, `SELECT * RENAME (day AS ${name}) FROM (${select})`]] : [];
  });
  const folder = await writePublisher(
    await temporaryFolder(),
    Object.fromEntries(renamed),
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
    await rm(workspaceOf(folder.out).places, { recursive: true });
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

/** The history as it is made of the published one, without a look at slices that did not change. */
async function takenOver(folder: PublisherFolder, level: string, years: readonly number[]) {
  const { contracts } = parseContracts(readContractFolder(folder.contracts));
  const { inventory } = takeInventory(await openLake(folder.data, ''), contracts);
  const dataset = contracts.datasets[0]!;
  const slices = (inventory.slices.get(dataset.key) ?? []).filter(slice => slice.detail === level);
  const temporary = await temporaryFolder();
  const database = await Database.open({ threads: 1, memoryLimit: '400MB', temporaryFolder: temporary });
  try {
    const session = await database.connect();
    const files = slices.flatMap(slice => slice.files);
    const { shapes } = await readShapes(session, [...inventory.dimensions.values(), ...files]);
    const dimensions = [...inventory.dimensions].map(([key, file]) => ({
      dimension: contracts.dimensions.get(key)!,
      file,
      shape: shapes.get(file.path)!,
    }));
    const manifest = await manifestOf(original.out);
    const at = (file: ParquetFile) => path.join(original.out, 'api/v1/water/levels', file.path);
    const history = await historyOf(original.out, level);
    const before = manifest.slices.filter(one => one.detail === level && years.includes(one.year));
    const rows = rowsOf(slices, shapes);
    const types = new MadeTypes();
    await types.make([session], [dataset], dimensions);
    return await writeHistory({
      session,
      helpers: new SessionTeam([session]),
      dataset,
      contracts,
      columns: publishedColumns(dataset, contracts),
      types,
      shapes,
      publisher: contracts.publisher,
      sample: false,
      keyColumns: manifest.key_columns,
      folder: path.join(temporary, 'tree'),
      detail: level,
      // All rows that are not taken over would be read from these.
      slices: [],
      rows,
      places: null,
      temporaryFolder: path.join(temporary, 'scratch'),
      published: {
        file: at(history),
        entry: history,
        before: before.flatMap(({ files: { parquet } }) =>
          parquet.map(entry => ({ file: at(entry), entry })),
        ),
        changed: slices.filter(slice => years.includes(slice.year)),
        years,
      },
    });
  } finally {
    database.close();
  }
}
