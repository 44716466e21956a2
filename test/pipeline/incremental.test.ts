/** A build after another does only what changed, and gives what a build from nothing gives. */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { listLake } from '../../build/lake/lake-files.ts';
import { readState } from '../../build/memory/build-state.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import {
  buildPublisher,
  contents,
  type FileOnDisk,
  type Overrides,
  readTreeJson,
  refusal,
  snapshot,
  undated,
  verify,
} from '../publishers/built-tree.ts';
import {
  copyPublisher,
  copyTree,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import {
  CONTRACTS,
  LAKE,
  RAINFALL,
  rainFile,
  rainfallRows,
  STATIONS,
  TRAMS,
  tramRows,
  withdrawing,
  withdrawn,
} from '../publishers/weather.ts';

let original: PublisherFolder;
/** The same publisher, in a folder that the test may change, with its tree. */
let publisher: PublisherFolder;
let before: Map<string, FileOnDisk>;

beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(original);
});
afterAll(() => rm(original.root, { recursive: true, force: true }));

/** A lake and contracts of the test's own. */
async function takeCopy(): Promise<void> {
  publisher = await copyPublisher(original, await temporaryFolder());
  await buildPublisher(publisher);
  before = await snapshot(publisher.out);
}

/** A tree of the test's own; contracts and lake are not to be changed. */
async function takeTree(): Promise<void> {
  publisher = { ...original, ...(await copyTree(original, await temporaryFolder())) };
  before = await snapshot(publisher.out);
}

const FACTS = 'api/v1/climate/rainfall';
const LATER: Overrides = { releaseDate: '2031-06-01' };

/** Files whose bytes are not what they were, that are new, or that are gone. */
async function differences(): Promise<string[]> {
  const after = await snapshot(publisher.out);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name)?.sha256 !== after.get(name)?.sha256).sort();
}

/** All that did not change kept its time, and files of rows, unless they were written anew, their place on the disk. */
async function expectRestUntouched(inPlace = true): Promise<void> {
  const after = await snapshot(publisher.out);
  for (const [name, file] of after) {
    const old = before.get(name);
    if (old?.sha256 !== file.sha256) continue;
    expect([name, file.modified]).toEqual([name, old.modified]);
    if (inPlace && /(year=|history)\S+\.(json|csv|parquet)$/.test(name)) {
      expect([name, file.inode]).toEqual([name, old.inode]);
    }
  }
}

/** What a build of the same contracts and lake makes where nothing was before. */
async function expectAsFromNothing(overrides: Overrides = {}): Promise<void> {
  const out = path.join(publisher.root, 'from-nothing');
  await buildPublisher({ ...publisher, out }, overrides);
  expect(await undated(publisher.out)).toEqual(await undated(out));
  await rm(out, { recursive: true });
}

/** What speaks of the whole tree, and so changes with any part of it. */
function isRoot(name: string): boolean {
  return /^(api\/(v1\/)?)?[^/]+$/.test(name) || /^api\/v1\/datasets\/index\.(json|html)$/.test(name);
}

/** What describes the dataset, and so changes with any part of it. */
function isDocument(name: string): boolean {
  return /^api\/v1\/(datasets\/climate\/.+|climate\/index\.html|climate\/rainfall\/[^/]+)$/.test(name);
}

/** Differences in all that is neither: rows, and whatever else there is of other datasets and of dimensions. */
async function otherDifferences(): Promise<string[]> {
  return (await differences()).filter(name => !isRoot(name) && !isDocument(name));
}

const slice = (year: number, detail: string) => [
  ...['json', 'csv', 'parquet'].map(format => `${FACTS}/year=${year}/${detail}.${format}`),
  `${FACTS}/year=${year}/index.html`,
];
const history = (...details: string[]) => [
  ...details.map(detail => `${FACTS}/history/${detail}.parquet`),
  `${FACTS}/history/index.html`,
];
const statistics = (...details: string[]) => [
  ...details.map(detail => `${FACTS}/statistics/${detail}.json`),
  `${FACTS}/statistics/index.html`,
];
const sorted = (...lists: string[][]) => [...new Set(lists.flat())].sort();

describe('nothing changed', () => {
  beforeEach(takeTree);

  test('nothing is written', async () => {
    const { result } = await buildPublisher(publisher);
    expect(result).toMatchObject({ changed: false, written: 0 });
    expect(await snapshot(publisher.out)).toEqual(before);
  });

  test('nor where the same folders are named otherwise', async () => {
    const { contracts, data, out } = publisher;
    const [relative, absolute] = [path.relative('.', contracts), path.resolve(contracts)];
    for (const named of [relative, absolute, `${relative}/`]) {
      const { result } = await buildPublisher({
        ...publisher,
        contracts: named,
        data: path.relative('.', data),
        out,
      });
      expect([named, result.changed]).toEqual([named, false]);
    }
  });

  test('nor where the notes of the last build are lost', async () => {
    await rm(workspaceOf(publisher.out).folder, { recursive: true });
    const { result } = await buildPublisher(publisher);
    expect(result).toMatchObject({ changed: true, written: 0 });
    const after = await snapshot(publisher.out);
    const timed = (tree: Map<string, FileOnDisk>) =>
      [...tree].map(([name, file]) => [name, file.sha256, file.modified]);
    expect(timed(after)).toEqual(timed(before));
  });

  test('but the date: the documents that say it', async () => {
    await buildPublisher(publisher, LATER);
    expect(await differences()).toContain('manifest.json');
    expect(await otherDifferences()).toEqual([]);
    await expectRestUntouched();
    expect((await snapshot(publisher.out)).get('index.json')?.modified).toBe(
      Date.parse('2031-06-01T00:00:00Z'),
    );
    await verify(publisher.out);
  });
});

describe('a changed lake', () => {
  beforeEach(takeCopy);

  test('one slice: its files, its level, the documents', async () => {
    await writeRows(publisher.data, {
      [rainFile(2021, 'regions')]:
        `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
    });
    const { result } = await buildPublisher(publisher);
    expect(await otherDifferences()).toEqual(
      sorted(slice(2021, 'regions'), history('regions'), statistics('regions')),
    );
    expect(result.written).toBe((await differences()).length);
    await expectRestUntouched();
    await expectAsFromNothing();
  });

  test('one slice, later: what did not change keeps its date', async () => {
    await writeRows(publisher.data, {
      [rainFile(2022, 'nation')]:
        `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`,
    });
    await buildPublisher(publisher, LATER);
    await expectRestUntouched();
    const manifest = await readTreeJson<DatasetManifest>(publisher.out, `${FACTS}/manifest.json`);
    const dates = manifest.slices.map(({ year, detail, files }) => [year, detail, files.csv[0]?.modified]);
    expect(dates.filter(([, , date]) => date !== '2031-05-17T00:00:00Z')).toEqual([
      [2022, 'nation', '2031-06-01T00:00:00Z'],
    ]);
    await verify(publisher.out);
  });

  test('a file written anew with the same bytes: nothing is to be done, and it is not read again', async () => {
    await writeRows(publisher.data, { [rainFile(2021, 'regions')]: rainfallRows(2021, 'regions') });
    for (const _ of [1, 2]) {
      const { result } = await buildPublisher(publisher);
      expect(result).toMatchObject({ changed: false, written: 0 });
    }
    const { contents: known } = (await readState(workspaceOf(publisher.out).state)) ?? {};
    const { files } = listLake(publisher.data);
    const file = files.find(one => one.path === rainFile(2021, 'regions'));
    expect(known?.[rainFile(2021, 'regions')]?.fingerprint).toBe(file?.fingerprint);
    expect(await snapshot(publisher.out)).toEqual(before);
  });

  test('the same rows in another order change nothing', async () => {
    await writeRows(publisher.data, {
      [rainFile(2021, 'regions')]: `SELECT * FROM (${rainfallRows(2021, 'regions')}) ORDER BY rain_mm`,
    });
    const { result } = await buildPublisher(publisher);
    expect(result).toMatchObject({ changed: true, written: 0 });
    expect(await differences()).toEqual([]);
  });

  test('other bytes of the same size and time', async () => {
    const file = path.join(publisher.data, rainFile(2021, 'regions'));
    const { mtime } = await stat(file);
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill('x', bytes.length - 4));
    await utimes(file, mtime, mtime);
    expect((await refusal(publisher)).diagnostics).toMatchObject([{ code: 'lake-unreadable-file' }]);
    expect(await snapshot(publisher.out)).toEqual(before);
  });

  test('another day, where no date is told: the documents that say it', async () => {
    const told = { releaseDate: null };
    const touch = (day: string) =>
      utimes(path.join(publisher.data, rainFile(2021, 'regions')), new Date(day), new Date(day));
    await touch('2032-02-28T12:00:00Z');
    await buildPublisher(publisher, told);
    await touch('2032-02-29T12:00:00Z');
    const { result } = await buildPublisher(publisher, told);
    expect(result.changed).toBe(true);
    expect(result.release).toMatch(/^2032-02-29-/);
    expect(await otherDifferences()).toEqual([]);
  });

  test('a slice that is gone', async () => {
    await rm(path.join(publisher.data, rainFile(2021, 'stations')));
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': withdrawing(
        RAINFALL,
        '{ date: 2031-05-17, reason: "Lost.", years: [2021], levels: [stations] }',
      ),
    });
    await buildPublisher(publisher);
    const names = Object.keys(await contents(publisher.out));
    expect(names.filter(name => name.startsWith(`${FACTS}/year=2021/stations.`))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining([...slice(2019, 'stations'), ...slice(2021, 'regions')]));
    await expectAsFromNothing();
  });

  test('a year more, and then less', async () => {
    await rm(path.join(publisher.data, 'climate/rainfall/year=2022'), { recursive: true });
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': withdrawing(RAINFALL, '{ date: 2031-05-17, reason: "Lost.", years: [2022] }'),
    });
    await buildPublisher(publisher);
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': RAINFALL.replace('version: 1.2.0', 'version: 2.1.0'),
    });
    await writeRows(publisher.data, { [rainFile(2022, 'nation')]: rainfallRows(2022, 'nation') });
    await buildPublisher(publisher);
    await expectAsFromNothing();
  });

  test('only one year is left, at a level that had no other: no history any more', async () => {
    for (const file of [rainFile(2019, 'regions'), rainFile(2022, 'regions'), rainFile(2022, 'stations')])
      await rm(path.join(publisher.data, file));
    for (const file of [rainFile(2019, 'stations'), rainFile(2022, 'nation'), rainFile(2021, 'nation')])
      await rm(path.join(publisher.data, file));
    const most = '{ date: 2031-05-17, reason: "Lost.", years: [2019, 2022], levels: [regions, stations] }';
    const more = '{ date: 2031-05-17, reason: "Lost.", years: [2021, 2022], levels: [nation] }';
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': withdrawing(RAINFALL, `[${most}, ${more}]`),
    });
    await buildPublisher(publisher);
    await rm(path.join(publisher.data, rainFile(2019, 'nation')));
    const last = '{ date: 2031-05-17, reason: "Lost.", levels: [nation] }';
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': withdrawing(RAINFALL, `[${most}, ${last}]`).replace(
        'version: 2.0.0',
        'version: 3.0.0',
      ),
    });
    await buildPublisher(publisher);
    expect(
      Object.keys(await contents(publisher.out)).filter(name => name.startsWith(`${FACTS}/history`)),
    ).toEqual([]);
    await expectAsFromNothing();
  });

  test('a dataset that is gone, and one that comes', async () => {
    await rm(path.join(publisher.data, 'climate/rainfall'), { recursive: true });
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': withdrawn(RAINFALL),
      'trams.odcs.yaml': TRAMS.replace(/ {4}quality:\n.*\n/, ''),
    });
    await buildPublisher(publisher);
    await expectAsFromNothing();
    await writeTexts(publisher.contracts, CONTRACTS);
    await writeRows(publisher.data, { [rainFile(2021, 'nation')]: rainfallRows(2021, 'nation') });
    await buildPublisher(publisher);
    await expectAsFromNothing();
  });

  test('a dimension: every dataset that joins it', async () => {
    await writeRows(publisher.data, {
      'climate/_dimensions/stations.parquet': `SELECT * REPLACE (upper(station_name) AS station_name) FROM (${LAKE['climate/_dimensions/stations.parquet']})`,
    });
    await buildPublisher(publisher);
    const changed = await differences();
    expect(changed.filter(name => name.includes('transit'))).toEqual([]);
    expect(changed).toEqual(expect.arrayContaining(slice(2019, 'stations')));
    await expectRestUntouched(false);
    await expectAsFromNothing();
  });

  test("another dataset's rows, where a rule reads them", async () => {
    await writeRows(publisher.data, {
      [rainFile(2021, 'nation')]: `SELECT * REPLACE (8001 AS rain_mm) FROM (${rainfallRows(2021, 'nation')})`,
    });
    expect((await refusal(publisher)).failures).toMatchObject([{ subject: 'transit/trams' }]);
    expect(await snapshot(publisher.out)).toEqual(before);
  });
});

describe('changed contracts', () => {
  beforeEach(takeCopy);

  test('only the prose of one: no file of rows', async () => {
    await writeTexts(publisher.contracts, {
      'rain/rainfall.yaml': RAINFALL.replace('Rain of a season.', 'Rainfall.'),
    });
    await buildPublisher(publisher);
    expect(await otherDifferences()).toEqual([]);
    expect(await differences()).toContain('api/v1/datasets/climate/rainfall/contract.yaml');
    await expectAsFromNothing();
  });

  test('only the prose of a dimension', async () => {
    await writeTexts(publisher.contracts, {
      'shared/stations.yaml': `${STATIONS}description: { purpose: Where it rains. }\n`,
    });
    await buildPublisher(publisher);
    expect((await differences()).filter(name => /year=|history|transit|rows/.test(name))).toEqual([]);
    await expectAsFromNothing();
  });

  test('a new domain joins a dimension: its own date there, the old one elsewhere', async () => {
    const { 'trams.odcs.yaml': trams = '', ...others } = CONTRACTS;
    const folder = await writePublisher(await temporaryFolder(), others);
    await buildPublisher(folder);
    await writeTexts(folder.contracts, { 'trams.odcs.yaml': trams });
    await buildPublisher(folder, LATER);
    const files = await snapshot(folder.out);
    const date = (domain: string) => files.get(`api/v1/${domain}/_dimensions/regions/rows.csv`)?.modified;
    expect([date('climate'), date('transit')]).toEqual([
      Date.parse('2031-05-17T00:00:00Z'),
      Date.parse('2031-06-01T00:00:00Z'),
    ]);
    await verify(folder.out);
  });
});

test.each(['absolute', 'relative'])('folders whose names look like patterns, %s', async way => {
  publisher = await copyPublisher(original, path.join(await temporaryFolder(), 'a [b] *? {c}'));
  if (way === 'relative') publisher = { ...publisher, data: path.relative('.', publisher.data) };
  for (const file of listLake(publisher.data).files) expect(path.isAbsolute(file.absolute)).toBe(true);
  for (const change of ['rain_mm + 1 AS rain_mm', 'rain_mm + 2 AS rain_mm']) {
    await writeRows(publisher.data, {
      [rainFile(2021, 'regions')]: `SELECT * REPLACE (${change}) FROM (${rainfallRows(2021, 'regions')})`,
    });
    await buildPublisher(publisher);
    await expectAsFromNothing();
  }
});

describe('a damaged tree is mended', () => {
  beforeEach(takeTree);

  const CASES = [
    `${FACTS}/year=2021/regions.csv`,
    `${FACTS}/history/nation.parquet`,
    'api/v1/datasets/climate/rainfall/contract.yaml',
    'api/v1/climate/_dimensions/regions/rows.parquet',
    'healthz.json',
  ];

  test.each(CASES)('%s is missing', async name => {
    const whole = await contents(publisher.out);
    await rm(path.join(publisher.out, name));
    await buildPublisher(publisher);
    expect(await contents(publisher.out)).toEqual(whole);
  });

  test.each(CASES)('%s was written over', async name => {
    const whole = await contents(publisher.out);
    const file = path.join(publisher.out, name);
    await writeFile(file, 'x'.repeat((await stat(file)).size));
    await buildPublisher(publisher);
    expect(await contents(publisher.out)).toEqual(whole);
  });

  test('other times alone are put right, without writing rows anew', async () => {
    for (const name of before.keys()) await utimes(path.join(publisher.out, name), 0, 1_234_567_890);
    await buildPublisher(publisher);
    const after = await snapshot(publisher.out);
    for (const name of slice(2021, 'nation').slice(0, 3))
      expect(after.get(name)?.modified).toBe(before.get(name)?.modified);
    expect(await differences()).toEqual([]);
  });
});

describe('--previous', () => {
  beforeEach(takeCopy);

  test('keeps the times of files that did not change, in an empty folder', async () => {
    await writeRows(publisher.data, {
      'transit/trams/year=2022/nation.parquet': `SELECT * REPLACE (7::BIGINT AS rides) FROM (${tramRows(2022, 'nation')})`,
    });
    const out = path.join(publisher.root, 'elsewhere');
    const previous = path.join(publisher.out, 'manifest.json');
    await buildPublisher({ ...publisher, out }, { ...LATER, previous });
    const times = Object.fromEntries(
      [...(await snapshot(out))]
        .filter(([name]) => /\.(csv|parquet)$/.test(name))
        .map(([name, file]) => [name, new Date(file.modified).toISOString().slice(0, 10)]),
    );
    const changed = Object.keys(times).filter(name => times[name] === '2031-06-01');
    expect(changed.map(name => name.replace(/2031-06-01-\w+/, 'RELEASE'))).toEqual([
      'api/v1/transit/trams/changes/RELEASE.parquet',
      'api/v1/transit/trams/history/nation.parquet',
      'api/v1/transit/trams/year=2022/nation.csv',
      'api/v1/transit/trams/year=2022/nation.parquet',
    ]);
    await verify(out);
  });

  test.each(['nowhere/manifest.json', 'contracts/publisher.yaml'])('%s is no tree', async name => {
    const previous = path.join(publisher.root, name);
    await expect(buildPublisher(publisher, { previous })).rejects.toMatchObject({
      code: 'previous-unreadable',
    });
    expect(await snapshot(publisher.out)).toEqual(before);
  });
});

test.each([
  { what: 'no date', found: /"date"/, instead: '"x"', part: 'date' },
  { what: 'a file without a time', found: /"modified"/, instead: '"x"', part: 'datasets[0].modified' },
  {
    what: 'a time that is none',
    found: /(?<="modified": ")\d+/,
    instead: 'May',
    part: 'datasets[0].modified',
  },
  { what: 'a dataset that is none', found: /"datasets": \[/, instead: '$& null,', part: 'datasets[0]' },
  { what: 'another version', found: /tree\/1\.0/, instead: 'tree/9.0', part: 'format' },
])('--previous with $what is refused', async ({ found, instead, part }) => {
  await takeTree();
  const text = await readFile(path.join(publisher.out, 'manifest.json'), 'utf8');
  const previous = path.join(publisher.root, 'told.json');
  await writeFile(previous, text.replace(found, instead));
  await expect(buildPublisher(publisher, { previous })).rejects.toMatchObject({
    code: 'previous-unreadable',
    message: expect.stringContaining(
      `told.json does not have the shape of civic-tree/1.0: its ${part} is missing`,
    ),
  });
});

describe('--only', () => {
  beforeEach(takeTree);

  const CASES = [
    { only: 'transit/trams', keys: ['transit/trams'] },
    { only: '*/t*', keys: ['transit/trams'] },
    { only: 'climate/*,transit/tram?', keys: ['climate/rainfall', 'transit/trams'] },
  ];

  test.each(CASES)('$only', async ({ only, keys }) => {
    await buildPublisher(publisher, { only, extract: true });
    const manifest = await readTreeJson<TreeManifest>(publisher.out, 'manifest.json');
    expect(manifest.datasets.map(one => one.key)).toEqual(keys);
    await expectAsFromNothing({ only, extract: true });
  });

  test.each(['weather/*', '*', 'rainfall', 'transit/trams,climate/rainfal'])(
    '%s asks for nothing',
    async only => {
      await expect(buildPublisher(publisher, { only })).rejects.toMatchObject({ code: 'nothing-to-build' });
      expect(await snapshot(publisher.out)).toEqual(before);
    },
  );
});
