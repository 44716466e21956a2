/** A build after another does only what changed, and gives the same tree as a build from nothing. */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { ROOT } from '../../build/format/paths.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { type FileOnDisk, type Overrides, RELEASE_DATE, snapshot } from '../publishers/built-tree.ts';
import { keptPaged, keptWeather, openPages } from '../publishers/kept-trees.ts';
import { copyTree, newPublisher, type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
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
import { served } from '../served.ts';

const original = await keptWeather();
/** The publisher and its tree in the test's own folder. */
let publisher: Publisher;
let before: Map<string, FileOnDisk>;
beforeEach(async () => {
  publisher = await original.copyBuilt();
  before = await publisher.snapshot();
});

const FACTS = 'api/v1/climate/rainfall';
const PLACES = 'climate/_dimensions/stations.parquet';
const LATER: Overrides = { releaseDate: '2031-06-01' };

/** Files that changed, are new, or are gone. */
async function differences(): Promise<string[]> {
  const after = await publisher.snapshot();
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name)?.sha256 !== after.get(name)?.sha256).sort();
}

/** Unchanged files kept their times, and files of rows their inodes unless they were written again. */
async function expectRestUntouched(inPlace = true): Promise<void> {
  for (const [name, file] of await publisher.snapshot()) {
    const old = before.get(name);
    if (old?.sha256 !== file.sha256) continue;
    expect([name, file.modified]).toEqual([name, old.modified]);
    if (inPlace && /(year=|_copies)\S+\.(json|csv|parquet)$/.test(name))
      expect([name, file.inode]).toEqual([name, old.inode]);
  }
}

/** Compares with a build of the same contracts and lake in a new folder. */
async function expectAsFromNothing(): Promise<void> {
  const fresh = publisher.with({ out: path.join(publisher.root, 'from-nothing') });
  await fresh.build();
  expect(await publisher.undated()).toEqual(await fresh.undated());
  await rm(fresh.out, { recursive: true });
}

/** Files about the whole tree or the dataset. */
const SPEAKING =
  /^((api\/(v1\/)?)?[^/]+|api\/v1\/datasets\/index\.(json|html)|api\/v1\/(datasets\/climate\/.+|climate\/index\.html|climate\/rainfall\/[^/]+))$/;
const otherDifferences = async () => (await differences()).filter(name => !SPEAKING.test(name));

/** The regions' rows of 2021, with one column changed. */
const revised = (column: string) => ({
  [rainFile(2021, 'regions')]: `SELECT * REPLACE (${column}) FROM (${rainfallRows(2021, 'regions')})`,
});
const rainContract = (text: string) => publisher.writeContracts({ 'rain/rainfall.yaml': text });
const remove = async (...files: readonly string[]) => {
  for (const file of files) await rm(path.join(publisher.data, file), { recursive: true });
};

describe('nothing changed', () => {
  test('nothing is written, even if the same folders have other names', async () => {
    const { contracts, data } = original;
    const folder = publisher.with({ contracts, data });
    await folder.build();
    for (const named of [contracts, path.relative('.', contracts), `${contracts}/`]) {
      const { result } = await folder.with({ contracts: named, data: path.relative('.', data) }).build();
      expect([named, result]).toMatchObject([named, { changed: false, written: 0 }]);
    }
    expect(await publisher.snapshot()).toEqual(before);
  });

  test.each([
    ['lost', (folder: string) => rm(folder, { recursive: true })],
    [
      'cut short',
      async (folder: string) => {
        for (const name of (await snapshot(folder)).keys()) {
          const file = path.join(folder, name);
          const start = (await readFile(file)).subarray(0, 100);
          // The tree shares files with the cache, so replace them.
          await rm(file);
          await writeFile(file, start);
        }
      },
    ],
  ])('nor where the notes of the last build are %s', async (_, spoil) => {
    const dated = await publisher.dated();
    await spoil(workspaceOf(publisher.out).folder);
    const { result } = await publisher.build();
    expect(result).toMatchObject({ changed: true, written: 0 });
    expect(await publisher.dated()).toEqual(dated);
  });

  test('except the date: only the documents that have it are written', async () => {
    await publisher.build(LATER);
    expect(await differences()).toContain('manifest.json');
    expect(await otherDifferences()).toEqual([]);
    await expectRestUntouched();
    const { modified } = (await publisher.snapshot()).get('index.json')!;
    expect(modified).toBe(Date.parse('2031-06-01T00:00:00Z'));
    await publisher.verify();
  });

  test('except the day of the newest file, without a date option', async () => {
    for (const day of ['2032-02-28', '2032-02-29']) {
      const time = new Date(`${day}T12:00:00Z`);
      await utimes(path.join(publisher.data, rainFile(2021, 'regions')), time, time);
      const { result } = await publisher.build({ releaseDate: null });
      expect([result.changed, result.release.slice(0, 10)]).toEqual([true, day]);
      expect(await otherDifferences()).toEqual([]);
    }
  });

  test.each([
    ['the same bytes', rainfallRows(2021, 'regions'), false],
    ['the same rows in another order', `FROM (${rainfallRows(2021, 'regions')}) ORDER BY rain_mm`, true],
  ])('but a file, written anew with %s', async (_, rows, changed) => {
    await publisher.writeRows({ [rainFile(2021, 'regions')]: rows });
    const { result } = await publisher.build();
    expect(result).toMatchObject({ changed, written: 0 });
    expect(await publisher.snapshot()).toEqual(await (changed ? publisher.snapshot() : before));
    expect(await differences()).toEqual([]);
  });
});

describe('what changed', () => {
  const level = (name: string) => [
    ...['json', 'csv', 'parquet'].map(format => `${FACTS}/year=2021/${name}.${format}`),
    ...['year=2021', '_copies', 'statistics'].map(folder => `${FACTS}/${folder}/index.html`),
    `${FACTS}/_copies/${name}.parquet`,
    `${FACTS}/statistics/${name}.json`,
  ];

  /** Removes files from the lake, and declares it in the contract. */
  async function withdraw(words: string, ...files: readonly string[]): Promise<void> {
    await remove(...files);
    await rainContract(withdrawing(RAINFALL, `{ date: 2031-05-17, reason: "Lost.", ${words} }`));
  }

  const more = revised('rain_mm + 1 AS rain_mm');
  const gauges = { [PLACES]: LAKE[PLACES]!.replace("'Station '", "'Gauge '") };
  const nations = [rainFile(2019, 'nation'), rainFile(2022, 'nation')];
  const contracts = (texts: Readonly<Record<string, string>>) => publisher.writeContracts(texts);
  const rows = (files: Readonly<Record<string, string>>) => publisher.writeRows(files);

  test('one slice: its files, its level, the documents', async () => {
    await rows(more);
    await publisher.build();
    expect(await otherDifferences()).toEqual(level('regions').sort());
    await expectRestUntouched();
    await expectAsFromNothing();
  });

  /** Changes, each of which is built, and files that must not differ. */
  test.for<readonly [string, readonly (() => Promise<unknown>)[], RegExp?]>([
    ['the prose of a contract', [() => rainContract(RAINFALL.replace('Rain of', 'Rains of'))], /./],
    [
      'a year less, and then more',
      [
        () => withdraw('years: [2022]', 'climate/rainfall/year=2022'),
        async () => {
          await rainContract(RAINFALL.replace('version: 1.2.0', 'version: 2.1.0'));
          await rows({ [rainFile(2022, 'nation')]: rainfallRows(2022, 'nation') });
        },
      ],
    ],
    [
      'a level of one year: no copy by place',
      [() => withdraw('years: [2019, 2022], levels: [nation]', ...nations)],
    ],
    [
      'a dataset that is gone, and comes again',
      [
        async () => {
          await remove('climate/rainfall');
          await rainContract(withdrawn(RAINFALL));
          await contracts({ 'trams.odcs.yaml': TRAMS.replace(/ {4}quality:\n.*\n/, '') });
        },
        async () => {
          await contracts(CONTRACTS);
          await rows({ [rainFile(2021, 'nation')]: rainfallRows(2021, 'nation') });
        },
      ],
    ],
    ['a dimension: every dataset that joins it', [() => rows(gauges)], /transit/],
    [
      'the prose of a dimension',
      [() => contracts({ 'shared/stations.yaml': `${STATIONS}name: Gauges\n` })],
      /year=|_copies|transit|rows/,
    ],
  ])('%s', async ([, steps, same]) => {
    for (const step of steps) {
      await step();
      await publisher.build();
      expect(await differences()).not.toEqual([]);
      await expectAsFromNothing();
    }
    if (same) expect((await otherDifferences()).filter(name => same.test(name))).toEqual([]);
    if (steps.length === 1) await expectRestUntouched(false);
  });

  test('one slice, later: what did not change keeps its date', async () => {
    await publisher.writeRows(revised('rain_mm + 1 AS rain_mm'));
    await publisher.build(LATER);
    await expectRestUntouched();
    const manifest = await publisher.json<DatasetManifest>(`${FACTS}/manifest.json`);
    const dates = manifest.slices.map(({ year, detail, files }) => [year, detail, files.csv[0]?.modified]);
    expect(dates.filter(([, , date]) => date !== '2031-05-17T00:00:00Z')).toEqual([
      [2021, 'regions', '2031-06-01T00:00:00Z'],
    ]);
    // The same from an empty folder with the previous release, read from a host.
    const elsewhere = publisher.with({ out: path.join(publisher.root, 'elsewhere') });
    await elsewhere.build({ ...LATER, previous: `${await served(original.out)}/manifest.json` });
    expect(await elsewhere.contents()).toEqual(await publisher.contents());
  });

  test('a domain that joins a dimension anew: its own date there, the old one elsewhere', async () => {
    const { 'trams.odcs.yaml': trams = '', ...others } = CONTRACTS;
    const folder = await newPublisher(others);
    await folder.build();
    await folder.writeContracts({ 'trams.odcs.yaml': trams });
    await folder.build(LATER);
    const files = await folder.snapshot();
    const date = (domain: string) => files.get(`api/v1/${domain}/_dimensions/regions/rows.csv`)?.modified;
    expect([date('climate'), date('transit')]).toEqual([
      Date.parse('2031-05-17T00:00:00Z'),
      Date.parse('2031-06-01T00:00:00Z'),
    ]);
    await folder.verify();
  });

  test('other bytes of the same size and time, and rows that the rule of another dataset reads, are refused', async () => {
    const nation = rainfallRows(2021, 'nation');
    await publisher.writeRows({
      [rainFile(2021, 'nation')]: `SELECT * REPLACE (8001 AS rain_mm) FROM (${nation})`,
    });
    expect((await publisher.refusal()).failures).toMatchObject([{ subject: 'transit/trams' }]);
    const file = path.join(publisher.data, rainFile(2021, 'regions'));
    const { mtime } = await stat(file);
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill('x', bytes.length - 4));
    await utimes(file, mtime, mtime);
    expect((await publisher.refusal()).diagnostics).toMatchObject([{ code: 'lake-unreadable-file' }]);
    expect(await publisher.snapshot()).toEqual(before);
  });
});

/** Readers who rely on times, or on an ETag made of them, notice every change. */
describe('several releases on one day', () => {
  const NEXT_DAY = '2031-05-18';
  const SLICE = `${FACTS}/year=2021/regions.csv`;
  const OTHER = `${FACTS}/year=2022/nation.csv`;
  const midnight = Date.parse(`${RELEASE_DATE}T00:00:00Z`);

  /** One digit changes, so lengths stay the same. */
  const revise = (digit: number) => publisher.writeRows(revised(`${digit} AS wet_days`));

  test('other bytes have a later time, be the file in a manifest or in none', async () => {
    for (const [digit, releaseDate] of [
      [2, RELEASE_DATE],
      [1, RELEASE_DATE],
      [3, NEXT_DAY],
      [4, NEXT_DAY],
    ] as const) {
      const last = await publisher.snapshot();
      await revise(digit);
      await publisher.build({ releaseDate });
      for (const [name, { sha256, modified }] of await publisher.snapshot()) {
        const old = last.get(name);
        const later = Math.max(Date.parse(`${releaseDate}T00:00:00Z`), (old?.modified ?? 0) + 1000);
        expect([name, modified]).toEqual([name, old?.sha256 === sha256 ? old.modified : later]);
      }
    }
    await publisher.verify();
    const times = await publisher.snapshot();
    expect(times.get(SLICE)?.modified).toBe(Date.parse(`${NEXT_DAY}T00:00:01Z`));
    expect(times.get(ROOT.checksums)?.modified).toBe(Date.parse(`${NEXT_DAY}T00:00:01Z`));
    expect(times.get(OTHER)?.modified).toBe(midnight);
  });

  test('an earlier day than the last release’s is refused, and nothing is written', async () => {
    await revise(2);
    const earlier = { releaseDate: '2031-05-16' };
    const out = path.join(publisher.root, 'elsewhere');
    const previous = path.join(publisher.out, ROOT.manifest);
    const says = /date 2031-05-16, .* has 2031-05-17: .*--release-date 2031-05-17 or a later day/;
    for (const error of [
      await publisher.inability(earlier),
      await publisher.with({ out }).inability({ ...earlier, previous }),
    ])
      expect(error).toMatchObject({ code: 'release-date', message: expect.stringMatching(says) });
    expect(await publisher.snapshot()).toEqual(before);
  });

  test('the same inputs and the same tree before: the same times, also of what was damaged or lost', async () => {
    await revise(2);
    const copy = publisher.with(await copyTree(publisher, await temporaryFolder()));
    await publisher.build();
    const first = await publisher.dated();
    await copy.build();
    expect(await copy.dated()).toEqual(first);
    await rm(path.join(publisher.out, SLICE));
    await writeFile(path.join(publisher.out, ROOT.health), '{}');
    await publisher.build();
    expect(await publisher.dated()).toEqual(first);
  });
});

describe('pages for people', async () => {
  const paged = await keptPaged();
  const pages = openPages();
  const pagesOf = async (one: Publisher) =>
    Object.entries(await one.contents()).filter(([name]) => /^datasets\/|^search\.json$/.test(name));

  test.each([
    ['one slice changed', revised('rain_mm + 5 AS rain_mm'), {}],
    ['its address changed', {}, { baseUrl: 'https://example.org/data/' }],
  ])('are those of a build from nothing: %s', async (_, rows, options) => {
    const folder = await paged.copyBuilt();
    await folder.writeRows(rows as Record<string, string>);
    await folder.build({ pages, ...options });
    const fresh = await folder.copy();
    await fresh.build({ pages, ...options });
    expect(await pagesOf(folder)).not.toEqual(await pagesOf(paged));
    expect(await folder.undated()).toEqual(await fresh.undated());
  });

  test('that stay name the release that they are in, and cite its year', async () => {
    const folder = await paged.copyBuilt();
    await folder.build({ pages, releaseDate: '2032-02-03' });
    const text = await folder.text('datasets/transit/trams/index.html');
    expect(text).toMatch(/2032-02-03-[0-9a-f]{8}, of 2032-02-03/);
    expect(text).toContain('(2032).');
    expect(text).toContain('last change 2031-05-17');
  });
});

test('wrong times are corrected without writing rows', async () => {
  for (const name of before.keys()) await utimes(path.join(publisher.out, name), 0, 1_234_567_890);
  await publisher.build();
  const after = await publisher.snapshot();
  for (const format of ['json', 'csv', 'parquet']) {
    const name = `${FACTS}/year=2021/nation.${format}`;
    expect(after.get(name)?.modified).toBe(before.get(name)?.modified);
  }
  expect(await differences()).toEqual([]);
});

test.each([
  ['nowhere/manifest.json', /./],
  ['contracts/publisher.yaml', /./],
  ['a time that is none', /its datasets\[0\]\.modified is missing/, /(?<="modified": ")\d+/, 'May'],
  ['a dataset that is none', /its datasets\[0\] is missing/, /"datasets": \[/, '$& null,'],
  ['another version', /its format is missing/, /tree\/2\.\d+/, 'tree/9.0'],
])('--previous that is no manifest is refused: %s', async (name, message, found?: RegExp, instead = '') => {
  const previous = path.join(publisher.root, name);
  const text = await publisher.text('manifest.json');
  if (found) await writeFile(previous, text.replace(found, instead));
  const refused = { code: 'previous-unreadable', message: expect.stringMatching(message) };
  await expect(publisher.build({ previous })).rejects.toMatchObject(refused);
  expect(await publisher.snapshot()).toEqual(before);
});

test('--only that asks for nothing, or for one that is not there, is refused', async () => {
  for (const only of ['weather/*', '*', 'rainfall', 'transit/trams,climate/rainfal'])
    await expect(publisher.build({ only })).rejects.toMatchObject({ code: 'nothing-to-build' });
  expect(await publisher.snapshot()).toEqual(before);
});
