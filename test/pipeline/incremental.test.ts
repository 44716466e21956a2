/** A build after another does only what changed, and gives what a build from nothing gives. */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { openPages } from '../explorer/explored-tree.ts';
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
import { keptPaged, keptWeather } from '../publishers/kept-weather.ts';
import {
  copyBuilt,
  copyPublisher,
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
  withdrawing,
  withdrawn,
} from '../publishers/weather.ts';

const original = await keptWeather();
/** The same publisher with its tree, in a folder that the test may change. */
let publisher: PublisherFolder;
let before: Map<string, FileOnDisk>;
beforeEach(async () => {
  publisher = await copyBuilt(original);
  before = await snapshot(publisher.out);
});

const FACTS = 'api/v1/climate/rainfall';
const PLACES = 'climate/_dimensions/stations.parquet';
const LATER: Overrides = { releaseDate: '2031-06-01' };

/** Files whose bytes are not what they were, that are new, or that are gone. */
async function differences(): Promise<string[]> {
  const after = await snapshot(publisher.out);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name)?.sha256 !== after.get(name)?.sha256).sort();
}

/** All that did not change kept its time, and files of rows, unless they were written anew, their place on the disk. */
async function expectRestUntouched(inPlace = true): Promise<void> {
  for (const [name, file] of await snapshot(publisher.out)) {
    const old = before.get(name);
    if (old?.sha256 !== file.sha256) continue;
    expect([name, file.modified]).toEqual([name, old.modified]);
    if (inPlace && /(year=|history)\S+\.(json|csv|parquet)$/.test(name))
      expect([name, file.inode]).toEqual([name, old.inode]);
  }
}

/** What a build of the same contracts and lake makes where nothing was before. */
async function expectAsFromNothing(overrides: Overrides = {}): Promise<void> {
  const out = path.join(publisher.root, 'from-nothing');
  await buildPublisher({ ...publisher, out }, overrides);
  expect(await undated(publisher.out)).toEqual(await undated(out));
  await rm(out, { recursive: true });
}

/** Differences in rows, and whatever else there is of other datasets: not what speaks of the whole tree or the dataset. */
async function otherDifferences(): Promise<string[]> {
  const speaking =
    /^((api\/(v1\/)?)?[^/]+|api\/v1\/datasets\/index\.(json|html)|api\/v1\/(datasets\/climate\/.+|climate\/index\.html|climate\/rainfall\/[^/]+))$/;
  return (await differences()).filter(name => !speaking.test(name));
}

/** The regions' rows of 2021, with one column changed. */
const revised = (column: string) => ({
  [rainFile(2021, 'regions')]: `SELECT * REPLACE (${column}) FROM (${rainfallRows(2021, 'regions')})`,
});
const rainContract = (text: string) => writeTexts(publisher.contracts, { 'rain/rainfall.yaml': text });
const remove = async (...files: readonly string[]) => {
  for (const file of files) await rm(path.join(publisher.data, file), { recursive: true });
};

describe('nothing changed', () => {
  test('nothing is written, also where the same folders are named otherwise', async () => {
    const { contracts, data } = original;
    const folder = { ...publisher, contracts, data };
    await buildPublisher(folder);
    for (const named of [contracts, path.relative('.', contracts), `${contracts}/`]) {
      const { result } = await buildPublisher({
        ...folder,
        contracts: named,
        data: path.relative('.', data),
      });
      expect([named, result]).toMatchObject([named, { changed: false, written: 0 }]);
    }
    expect(await snapshot(publisher.out)).toEqual(before);
  });

  test('nor where the notes of the last build are lost', async () => {
    await rm(workspaceOf(publisher.out).folder, { recursive: true });
    const { result } = await buildPublisher(publisher);
    expect(result).toMatchObject({ changed: true, written: 0 });
    const timed = (tree: Map<string, FileOnDisk>) =>
      [...tree].map(([name, file]) => [name, file.sha256, file.modified]);
    expect(timed(await snapshot(publisher.out))).toEqual(timed(before));
  });

  test('but the date: the documents that say it', async () => {
    await buildPublisher(publisher, LATER);
    expect(await differences()).toContain('manifest.json');
    expect(await otherDifferences()).toEqual([]);
    await expectRestUntouched();
    const { modified } = (await snapshot(publisher.out)).get('index.json')!;
    expect(modified).toBe(Date.parse('2031-06-01T00:00:00Z'));
    await verify(publisher.out);
  });

  test('but the day of the newest file, where no date is told', async () => {
    for (const [day, release] of [
      ['2032-02-28', /^2032-02-28-/],
      ['2032-02-29', /^2032-02-29-/],
    ] as const) {
      const time = new Date(`${day}T12:00:00Z`);
      await utimes(path.join(publisher.data, rainFile(2021, 'regions')), time, time);
      const { result } = await buildPublisher(publisher, { releaseDate: null });
      expect(result).toMatchObject({ changed: true, release: expect.stringMatching(release) });
      expect(await otherDifferences()).toEqual([]);
    }
  });

  test.each([
    ['the same bytes', rainfallRows(2021, 'regions'), false],
    ['the same rows in another order', `FROM (${rainfallRows(2021, 'regions')}) ORDER BY rain_mm`, true],
  ])('but a file, written anew with %s', async (_, rows, changed) => {
    await writeRows(publisher.data, { [rainFile(2021, 'regions')]: rows });
    const { result } = await buildPublisher(publisher);
    expect(result).toMatchObject({ changed, written: 0 });
    expect(await snapshot(publisher.out)).toEqual(await (changed ? snapshot(publisher.out) : before));
    expect(await differences()).toEqual([]);
  });
});

describe('what changed', () => {
  const level = (name: string) => [
    ...['json', 'csv', 'parquet'].map(format => `${FACTS}/year=2021/${name}.${format}`),
    ...['year=2021', 'history', 'statistics'].map(folder => `${FACTS}/${folder}/index.html`),
    `${FACTS}/history/${name}.parquet`,
    `${FACTS}/statistics/${name}.json`,
  ];

  /** Takes files from the lake, and says so in the contract. */
  async function withdraw(words: string, ...files: readonly string[]): Promise<void> {
    await remove(...files);
    await rainContract(withdrawing(RAINFALL, `{ date: 2031-05-17, reason: "Lost.", ${words} }`));
  }

  interface Expected {
    /** The files that differ besides the documents. */
    readonly others?: readonly string[];
    /** Files of which none differs. */
    readonly same?: RegExp;
    /** Whether files of rows that did not change are not even copied. */
    readonly inPlace?: true;
  }
  /** Changes, each of which is built. */
  const CHANGES: readonly (readonly [string, readonly (() => Promise<unknown>)[], Expected?])[] = [
    [
      'one slice: its files, its level, the documents',
      [() => writeRows(publisher.data, revised('rain_mm + 1 AS rain_mm'))],
      { others: level('regions').sort(), inPlace: true },
    ],
    [
      'the prose of a contract: no file of rows',
      [() => rainContract(RAINFALL.replace('Rain of', 'Rains of'))],
      { others: [] },
    ],
    [
      'a slice is withdrawn',
      [() => withdraw('years: [2021], levels: [stations]', rainFile(2021, 'stations'))],
    ],
    [
      'a year less, and then more',
      [
        () => withdraw('years: [2022]', 'climate/rainfall/year=2022'),
        async () => {
          await rainContract(RAINFALL.replace('version: 1.2.0', 'version: 2.1.0'));
          await writeRows(publisher.data, { [rainFile(2022, 'nation')]: rainfallRows(2022, 'nation') });
        },
      ],
    ],
    [
      'a level that loses all years but one: no history of it',
      [
        () =>
          withdraw(
            'years: [2019, 2022], levels: [nation]',
            rainFile(2019, 'nation'),
            rainFile(2022, 'nation'),
          ),
      ],
    ],
    [
      'a dataset that is gone, and comes again',
      [
        async () => {
          await remove('climate/rainfall');
          await rainContract(withdrawn(RAINFALL));
          await writeTexts(publisher.contracts, {
            'trams.odcs.yaml': TRAMS.replace(/ {4}quality:\n.*\n/, ''),
          });
        },
        async () => {
          await writeTexts(publisher.contracts, CONTRACTS);
          await writeRows(publisher.data, { [rainFile(2021, 'nation')]: rainfallRows(2021, 'nation') });
        },
      ],
    ],
    [
      'a dimension: every dataset that joins it',
      [() => writeRows(publisher.data, { [PLACES]: LAKE[PLACES]!.replace("'Station '", "'Gauge '") })],
      { same: /transit/ },
    ],
    [
      'the prose of a dimension',
      [() => writeTexts(publisher.contracts, { 'shared/stations.yaml': `${STATIONS}name: Gauges\n` })],
      { same: /year=|history|transit|rows/ },
    ],
  ];

  test.for(CHANGES)('%s', async ([, steps, { others, same, inPlace = false } = {}]) => {
    for (const step of steps) {
      await step();
      await buildPublisher(publisher);
      expect(await differences()).not.toEqual([]);
      await expectAsFromNothing();
    }
    if (others !== undefined) expect(await otherDifferences()).toEqual(others);
    if (same !== undefined) expect((await differences()).filter(name => same.test(name))).toEqual([]);
    if (steps.length === 1) await expectRestUntouched(inPlace);
    await verify(publisher.out);
  });

  test('one slice, later: what did not change keeps its date', async () => {
    await writeRows(publisher.data, revised('rain_mm + 1 AS rain_mm'));
    await buildPublisher(publisher, LATER);
    await expectRestUntouched();
    const manifest = await readTreeJson<DatasetManifest>(publisher.out, `${FACTS}/manifest.json`);
    const dates = manifest.slices.map(({ year, detail, files }) => [year, detail, files.csv[0]?.modified]);
    expect(dates.filter(([, , date]) => date !== '2031-05-17T00:00:00Z')).toEqual([
      [2021, 'regions', '2031-06-01T00:00:00Z'],
    ]);
    // The same from an empty folder that is told of the release before.
    const out = path.join(publisher.root, 'elsewhere');
    const previous = path.join(original.out, 'manifest.json');
    await buildPublisher({ ...publisher, out }, { ...LATER, previous });
    expect(await contents(out)).toEqual(await contents(publisher.out));
    await verify(out);
  });

  test('a domain that joins a dimension anew: its own date there, the old one elsewhere', async () => {
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

  test('other bytes of the same size and time, and rows that the rule of another dataset reads, are refused', async () => {
    const nation = rainfallRows(2021, 'nation');
    await writeRows(publisher.data, {
      [rainFile(2021, 'nation')]: `SELECT * REPLACE (8001 AS rain_mm) FROM (${nation})`,
    });
    expect((await refusal(publisher)).failures).toMatchObject([{ subject: 'transit/trams' }]);
    const file = path.join(publisher.data, rainFile(2021, 'regions'));
    const { mtime } = await stat(file);
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill('x', bytes.length - 4));
    await utimes(file, mtime, mtime);
    expect((await refusal(publisher)).diagnostics).toMatchObject([{ code: 'lake-unreadable-file' }]);
    expect(await snapshot(publisher.out)).toEqual(before);
  });

  test('folders whose names look like patterns, named absolutely and relatively', async () => {
    const folder = await copyPublisher(original, path.join(await temporaryFolder(), 'a [b] *? {c}'));
    await buildPublisher(folder);
    publisher = { ...folder, data: path.relative('.', folder.data) };
    await writeRows(publisher.data, revised('rain_mm + 1 AS rain_mm'));
    await buildPublisher(publisher);
    await expectAsFromNothing();
  });
});

describe('people’s pages', async () => {
  const paged = await keptPaged();
  const pages = openPages();
  const pagesOf = async (out: string) =>
    Object.entries(await contents(out)).filter(([name]) => /^datasets\/|^search\.json$/.test(name));

  test.each([
    ['one slice changed', revised('rain_mm + 5 AS rain_mm'), {}],
    ['its address changed', {}, { baseUrl: 'https://example.org/data/' }],
  ])('are those of a build from nothing: %s', async (_, rows, options) => {
    const folder = await copyBuilt(paged);
    await writeRows(folder.data, rows as Record<string, string>);
    await buildPublisher(folder, { pages, ...options });
    const fresh = await copyPublisher(folder, await temporaryFolder());
    await buildPublisher(fresh, { pages, ...options });
    expect(await pagesOf(folder.out)).not.toEqual(await pagesOf(paged.out));
    expect(await undated(folder.out)).toEqual(await undated(fresh.out));
  });

  test('that stay name the release that they are in, and cite its year', async () => {
    const folder = await copyBuilt(paged);
    await buildPublisher(folder, { pages, releaseDate: '2032-02-03' });
    const text = await readFile(path.join(folder.out, 'datasets/transit/trams/index.html'), 'utf8');
    expect(text).toMatch(/2032-02-03-[0-9a-f]{8}, of 2032-02-03/);
    expect(text).toContain('(2032).');
    expect(text).toContain('last change 2031-05-17');
  });
});

describe('a damaged tree is mended', () => {
  const FILES = [
    `${FACTS}/year=2021/regions.csv`,
    `${FACTS}/history/nation.parquet`,
    'api/v1/datasets/climate/rainfall/contract.yaml',
    'api/v1/climate/_dimensions/regions/rows.parquet',
    'healthz.json',
  ];

  test.each(FILES)('%s is missing, or was written over', async name => {
    const file = path.join(publisher.out, name);
    const { size } = await stat(file);
    for (const damage of [() => rm(file), () => writeFile(file, 'x'.repeat(size))]) {
      await damage();
      await buildPublisher(publisher);
      expect(await differences()).toEqual([]);
    }
  });

  test('other times alone are put right, without writing rows anew', async () => {
    for (const name of before.keys()) await utimes(path.join(publisher.out, name), 0, 1_234_567_890);
    await buildPublisher(publisher);
    const after = await snapshot(publisher.out);
    for (const format of ['json', 'csv', 'parquet']) {
      const name = `${FACTS}/year=2021/nation.${format}`;
      expect(after.get(name)?.modified).toBe(before.get(name)?.modified);
    }
    expect(await differences()).toEqual([]);
  });
});

describe('--previous', () => {
  test.each(['nowhere/manifest.json', 'contracts/publisher.yaml'])('%s is no tree', async name => {
    const previous = path.join(publisher.root, name);
    await expect(buildPublisher(publisher, { previous })).rejects.toMatchObject({
      code: 'previous-unreadable',
    });
    expect(await snapshot(publisher.out)).toEqual(before);
  });

  test.each([
    ['no date', /"date"/, '"x"', 'date'],
    ['a file without a time', /"modified"/, '"x"', 'datasets[0].modified'],
    ['a time that is none', /(?<="modified": ")\d+/, 'May', 'datasets[0].modified'],
    ['a dataset that is none', /"datasets": \[/, '$& null,', 'datasets[0]'],
    ['another version', /tree\/1\.0/, 'tree/9.0', 'format'],
  ])('with %s is refused', async (_, found, instead, part) => {
    const text = await readFile(path.join(publisher.out, 'manifest.json'), 'utf8');
    const previous = path.join(publisher.root, 'told.json');
    await writeFile(previous, text.replace(found, instead));
    const message = `told.json does not have the shape of civic-tree/1.0: its ${part} is missing`;
    await expect(buildPublisher(publisher, { previous })).rejects.toMatchObject({
      code: 'previous-unreadable',
      message: expect.stringContaining(message),
    });
  });
});

describe('--only', () => {
  test.each([
    ['transit/trams', ['transit/trams']],
    ['*/t*', ['transit/trams']],
    ['climate/*,transit/tram?', ['climate/rainfall', 'transit/trams']],
  ])('%s', async (only, keys) => {
    await buildPublisher(publisher, { only, extract: true });
    const manifest = await readTreeJson<TreeManifest>(publisher.out, 'manifest.json');
    expect(manifest.datasets.map(one => one.key)).toEqual(keys);
    await expectAsFromNothing({ only, extract: true });
  });

  test('that asks for nothing, or for one that is not there, is refused', async () => {
    for (const only of ['weather/*', '*', 'rainfall', 'transit/trams,climate/rainfal'])
      await expect(buildPublisher(publisher, { only })).rejects.toMatchObject({ code: 'nothing-to-build' });
    expect(await snapshot(publisher.out)).toEqual(before);
  });
});
