/** The places of long histories are kept from one build to the next, by what the history holds. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { historyPath } from '../../build/format/paths.ts';
import { Database, Session } from '../../build/lake/database.ts';
import { workspaceOf } from '../../build/publish/workspace.ts';
import { digestText } from '../../build/slice/file-digest.ts';
import { keepPlaces, placesKey, recallPlaces } from '../../build/slice/kept-places.ts';
import { buildPublisher, contents } from './built-tree.ts';
import { GAUGE_CONTRACTS, GAUGE_LAKE, gaugeFile, gaugeRows } from './gauges.ts';
import {
  copyBuilt,
  duckdb,
  type PublisherFolder,
  quoted,
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
afterEach(() => vi.restoreAllMocks());

const PLACE_COLUMNS = { gauges: ['river', 'gauge'], rivers: ['river', 'gauge'] };
const LEVELS = ['gauges', 'rivers'] as const;
type Level = (typeof LEVELS)[number];
const keptFolder = ({ out }: PublisherFolder, level: Level) =>
  path.join(workspaceOf(out).places, 'water/levels', level);
const historyOf = ({ out }: PublisherFolder, level: Level) =>
  path.join(out, historyPath('water', 'levels', level));
const keyOf = async (folder: PublisherFolder, level: Level) =>
  placesKey(digestText(await readFile(historyOf(folder, level))), PLACE_COLUMNS[level]);
const corrected = (height: number) =>
  `CASE WHEN river = 'r41' AND day = 3 THEN ${height} ELSE height END AS height`;
const changeSlice = (folder: PublisherFolder, change: string) =>
  writeRows(folder.data, { [gaugeFile(2002, 'rivers')]: gaugeRows(2002, 'rivers', change) });

test.each(LEVELS)('of each level, and what the history of %s says', async level => {
  const [name, ...others] = await readdir(keptFolder(original, level));
  expect(others).toEqual([]);
  expect(recallPlaces(keptFolder(original, level), await keyOf(original, level))).toBe(
    path.join(keptFolder(original, level), name!),
  );
  const counted = (from: string, count: string) =>
    duckdb(`SELECT river, gauge, ${count}::INTEGER AS n FROM read_parquet(${quoted(from)}) ORDER BY ALL`);
  const kept = await counted(path.join(keptFolder(original, level), name!), '"rows before"');
  const history = await duckdb(
    `SELECT river, gauge, count(*)::INTEGER AS n FROM read_parquet(${quoted(historyOf(original, level))}) GROUP BY ALL ORDER BY ALL`,
  );
  expect(kept).toEqual(history);
  expect(kept.length).toBeGreaterThan(90);
});

describe('a build after another', () => {
  test('reads them instead of the history, and keeps those of the new one beside them', async () => {
    const folder = await copyBuilt(original);
    const before = await keyOf(folder, 'rivers');
    await changeSlice(folder, corrected(1));
    const statements = await countingStatements(folder);
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain(before);
    expect(statements[0]).not.toContain('history/rivers.parquet');
    const names = await readdir(keptFolder(folder, 'rivers'));
    expect(names.map(name => name.slice(0, 64)).sort()).toEqual(
      [before, await keyOf(folder, 'rivers')].sort(),
    );
    await changeSlice(folder, corrected(2));
    await buildPublisher(folder);
    expect((await readdir(keptFolder(folder, 'rivers'))).some(name => name.startsWith(before))).toBe(false);
  });

  test.each<[string, (file: string) => Promise<unknown>]>([
    ['are damaged', async file => writeFile(file, (await readFile(file)).fill(1, 10, 20))],
    ['are half written', async file => writeFile(file, (await readFile(file)).subarray(0, 100))],
    ['are gone', file => rm(path.dirname(file), { recursive: true })],
    [
      'are of another history',
      file => rename(file, path.join(path.dirname(file), `${'0'.repeat(64)}-1.parquet`)),
    ],
  ])('reads the history where they %s: the same tree', async (_, spoil) => {
    const folder = await copyBuilt(original);
    const [name] = await readdir(keptFolder(folder, 'rivers'));
    await spoil(path.join(keptFolder(folder, 'rivers'), name!));
    const change = corrected(1);
    await changeSlice(folder, change);
    const statements = await countingStatements(folder);
    expect(statements[0]).toContain('history/rivers.parquet');
    const other = await copyBuilt(original);
    await changeSlice(other, change);
    await buildPublisher(other);
    expect(await contents(folder.out)).toEqual(await contents(other.out));
  });

  /** Builds, and returns the statements that count places. */
  async function countingStatements(folder: PublisherFolder): Promise<string[]> {
    const run = vi.spyOn(Session.prototype, 'run');
    await buildPublisher(folder);
    const statements = run.mock.calls.map(([sql]) => sql);
    run.mockRestore();
    return statements.filter(sql => sql.includes('TABLE places AS'));
  }
});

test('where they cannot be kept, nothing else fails', async () => {
  const folder = await temporaryFolder();
  const database = await Database.open({ threads: 1, memoryLimit: '200MB', temporaryFolder: folder });
  try {
    const session = await database.connect();
    await writeFile(path.join(folder, 'file'), '');
    const below = path.join(folder, 'file/below');
    await keepPlaces(session, below, "SELECT 'a' AS place, 1 AS rows", 'key', null, folder);
    expect(recallPlaces(below, 'key')).toBeNull();
    await keepPlaces(session, path.join(folder, 'kept'), 'SELECT nothing', 'key', null, folder);
    expect(recallPlaces(path.join(folder, 'kept'), 'key')).toBeNull();
  } finally {
    database.close();
  }
});
