/** A lake that breaks its contract is refused with names, and the published tree stays. */
import { copyFile, mkdir, open, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RefusedError } from '../../build/failure.ts';
import { type FileOnDisk, snapshot } from '../publishers/built-tree.ts';
import { copyTree, newPublisher, type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import {
  CLIMATE_CONTRACTS,
  CLIMATE_LAKE,
  LAKE,
  rainFile,
  rainfallRows,
  tramRows,
} from '../publishers/weather.ts';

const climate = await newPublisher(CLIMATE_CONTRACTS, CLIMATE_LAKE);
await climate.build();
let published: string;
let before: Map<string, FileOnDisk>;
beforeAll(async () => {
  const root = await temporaryFolder();
  published = (await copyTree(climate, root)).out;
  before = await snapshot(published);
});

/** The publisher with other files in its lake, building over the published tree. */
async function changed(files: Readonly<Record<string, string>>): Promise<Publisher> {
  const copy = await climate.copy();
  await copy.writeRows(files);
  return copy.with({ out: published });
}

const STATIONS = rainFile(2021, 'stations');
const REGIONS = '_dimensions/regions.parquet';
const PLACES = 'climate/_dimensions/stations.parquet';
const base = rainfallRows(2021, 'stations');
const regions = LAKE[REGIONS]!;
const places = LAKE[PLACES]!;

/** `code file` of each error, and the first one's message. */
async function told(folder: Publisher, overrides = {}): Promise<[string[], string]> {
  const { diagnostics, failures } = await folder.refusal(overrides);
  const errors = diagnostics.filter(one => one.severity === 'error');
  expect(failures).toEqual([]);
  expect(await snapshot(published)).toEqual(before);
  expect(errors[0]?.message).not.toContain(folder.root);
  return [errors.map(one => `${one.code} ${one.file}`), errors[0]?.message ?? ''];
}

type Spoil = (folder: Publisher, file: string) => Promise<unknown>;
const damaged =
  (spoil: (file: string) => Promise<unknown>): Spoil =>
  ({ data }, file) =>
    spoil(path.join(data, file));
const rowsOf =
  (columns: string, where = 'true'): Spoil =>
  (folder, file) =>
    folder.writeRows({ [file]: `SELECT ${columns} FROM (${LAKE[file]}) WHERE ${where}` });

/** One for each file of the lake with facts. */
const SPOILS: readonly (readonly [code: string, says: RegExp, spoil: Spoil])[] = [
  ['lake-extra-column', /column colour .* climate\/rainfall/, rowsOf('*, 1 AS colour')],
  ['lake-missing-column', /readings \(integer\)/, rowsOf('* EXCLUDE (readings)')],
  ['lake-column-type', /rain_mm is VARCHAR .* number/, rowsOf('* REPLACE (rain_mm::VARCHAR AS rain_mm)')],
  ['lake-column-type', /wet_days is VARCHAR .* integer/, rowsOf('* REPLACE (wet_days::VARCHAR AS wet_days)')],
  ['lake-empty-file', /no rows/, rowsOf('*', 'false')],
  ['lake-unreadable-file', /empty \(0 bytes\)/, damaged(file => truncate(file, 0))],
  ['lake-unreadable-file', /not a complete Parquet file/, damaged(file => truncate(file, 700))],
  ['lake-unreadable-file', /not a complete/, damaged(file => writeFile(file, 'PAR1 and no more PAR1'))],
];
const FACTS = Object.keys(CLIMATE_LAKE).filter(name => name.includes('year='));
const SPOILT = SPOILS.map(([code, says, spoil], i) => [code, says, FACTS[i]!, spoil] as const);

describe('files that differ from the contract', () => {
  let error: RefusedError;
  beforeAll(async () => {
    const folder = await changed({});
    for (const [, , file, spoil] of SPOILT) await spoil(folder, file);
    error = await folder.refusal();
    expect(await snapshot(published)).toEqual(before);
  });
  test.each(SPOILT)('are reported together: %s %s', (code, says, file) => {
    const own = error.diagnostics.filter(one => one.severity === 'error' && one.file === file);
    expect(own.map(one => [one.code, one.message])).toEqual([[code, expect.stringMatching(says)]]);
  });

  test('a dimension too', async () => {
    const folder = await changed({ [REGIONS]: `SELECT *, 1 AS size FROM (${regions})` });
    const found = [[`lake-extra-column ${REGIONS}`], expect.stringMatching(/size .* regions/)];
    expect(await told(folder)).toEqual(found);
  });

  test('a file that claims too many rows is refused by its footer, and its values are not read', async () => {
    const folder = await changed({ [STATIONS]: `SELECT b.* FROM (${base}) b, range(40)` });
    const handle = await open(path.join(folder.data, STATIONS), 'r+');
    // Only the footer is readable.
    await handle.write(Buffer.alloc(200), 0, 200, 4);
    await handle.close();
    const [errors, message] = await told(folder, { maxRows: 100 });
    expect(errors).toEqual([`lake-too-many-rows ${STATIONS}`]);
    expect(message).toMatch(/says that it has \d+ rows, in [\d,]+ bytes.*at most 100 .*--max-rows/);
  });

  test('a dimension that no row needs may be missing: its joins give NULL', async () => {
    const nation = rainFile(2021, 'nation');
    const rows = { [nation]: CLIMATE_LAKE[nation]! };
    const alone = await newPublisher(CLIMATE_CONTRACTS, rows);
    await alone.build();
    expect(await alone.verify()).toMatchObject({ slices: 1 });
    const name = 'api/v1/climate/rainfall/year=2021/nation.json';
    const { data } = await alone.json<{ data: unknown[] }>(name);
    expect(data[0]).toMatchObject({ region_code: null, region_name: null });
  });

  // Some disks don't allow such names.
  test.skipIf(process.platform === 'darwin')('a name that is not UTF-8, of a file or a folder', async () => {
    const latin = (text: string) => Buffer.from(text.replace('ü', '\xfc'), 'latin1');
    const folder = await changed({});
    const file = path.join(folder.data, STATIONS);
    await copyFile(file, latin(path.join(folder.data, 'stü.parquet')));
    await mkdir(latin(path.join(folder.data, 'ü')));
    await copyFile(file, latin(path.join(folder.data, 'ü/a.parquet')));
    expect((await told(folder))[0].sort()).toEqual([
      'lake-file-name st\ufffd.parquet',
      'lake-file-name \ufffd',
    ]);
  });
});

describe('rows that break a rule', () => {
  /** Wrong values of the stations' rows, one each, and how they are shown. */
  const FAULTS: readonly (readonly [rule: string, column: string, value: string, shown: unknown])[] = [
    ['station_code_known', 'station_code', "'st9'", 'st9'],
    ['rain_mm_finite', 'rain_mm', "'nan'::DOUBLE", 'NaN'],
    ['rain_mm_finite', 'rain_mm', "'-infinity'::DOUBLE", '-Infinity'],
    ['rain_mm_range', 'rain_mm', '9000.1', 9000.1],
    ['readings_safe_integer', 'readings', '9007199254740993', '9007199254740993'],
    ['readings_safe_integer', 'readings', '(-9223372036854775808)::BIGINT', '-9223372036854775808'],
    ['readings_not_null', 'readings', 'NULL', null],
    ['wet_days_safe_integer', 'wet_days', '2147483648', 2147483648],
    ['wet_days_safe_integer', 'wet_days', '2.5::DOUBLE', 2.5],
    ['year_in_folder', 'year', '2022', 2022],
    ['year_known', 'year', '2020', 2020],
    ['level_keys', 'station_code', 'NULL', null],
    ['seasons', 'season', "'monsoon'", 'monsoon'],
    ['note_text', 'note', "'a' || chr(13) || 'b'", 'a\rb'],
    ['note_text', 'note', "'a' || chr(0)", 'a\0'],
  ];

  test('are reported together, by rule and slice, with at most five rows each', async () => {
    const columns = [...new Set(FAULTS.map(([, column]) => column))].map(column => {
      const cases = FAULTS.flatMap(([, of, value], i) => (of === column ? `WHEN ${i} THEN ${value}` : []));
      return `CASE i ${cases.join(' ')} ELSE ${column} END AS ${column}`;
    });
    const numbered = `SELECT *, row_number() OVER (ORDER BY region_code, station_code, season) - 1 AS i FROM (${base})`;
    const [nation, again] = [rainfallRows(2021, 'nation'), rainfallRows(2019, 'stations')];
    const one = "region_code = 'n' AND season = 'all'";
    const folder = await changed({
      [STATIONS]: `SELECT * EXCLUDE (i) REPLACE (${columns.join(', ')}) FROM (${numbered})`,
      // A row twice; a row twice, with NULL in its key; an unknown region; a key that the level doesn't have.
      [rainFile(2019, 'stations')]:
        `(${again}) UNION ALL SELECT * REPLACE (0.5 AS rain_mm) FROM (${again}) WHERE ${one} AND station_code = 'st1'`,
      [rainFile(2021, 'nation')]: `(${nation}) UNION ALL SELECT * FROM (${nation}) WHERE season = 'dry'`,
      [rainFile(2021, 'regions')]:
        `SELECT * REPLACE ('x' AS region_code) FROM (${rainfallRows(2021, 'regions')}) WHERE ${one}`,
      [rainFile(2022, 'nation')]:
        `SELECT * REPLACE ('n' AS region_code) FROM (${rainfallRows(2022, 'nation')}) WHERE season = 'wet'`,
      [rainFile(2022, 'stations')]:
        `SELECT * REPLACE (18446744073709551615::UBIGINT AS readings) FROM (${rainfallRows(2022, 'stations')}) WHERE ${one} AND station_code = 'st1'`,
      [rainFile(2022, 'regions')]:
        `SELECT * REPLACE (-1.0 AS rain_mm) FROM (${rainfallRows(2022, 'regions')})`,
    });
    const { diagnostics, failures } = await folder.refusal();
    expect(diagnostics).toEqual([]);
    expect(await snapshot(published)).toEqual(before);
    const found = failures.map(({ subject, outcome }) => {
      const slices = outcome.slices.map(slice => `${slice.year} ${slice.detail} ${slice.count}`);
      expect(subject).toBe('climate/rainfall');
      return `${outcome.check.name} ${outcome.rows.length} of ${outcome.found}: ${slices.join(', ')}`;
    });
    expect(found.sort()).toEqual([
      // Both rows of each key; one has a region now.
      'grain_unique 5 of 3: 2019 stations 1, 2021 nation 1, 2022 regions 1',
      'level_keys 2 of 2: 2021 stations 1, 2022 nation 1',
      'note_text 2 of 2: 2021 stations 2',
      'rain_mm_finite 2 of 2: 2021 stations 2',
      'rain_mm_range 5 of 7: 2021 stations 1, 2022 regions 6',
      'readings_not_null 1 of 1: 2021 stations 1',
      'readings_safe_integer 3 of 3: 2021 stations 2, 2022 stations 1',
      'region_code_known 1 of 1: 2021 regions 1',
      'seasons 1 of 1: 2021 stations 1',
      'station_code_known 1 of 1: 2021 stations 1',
      'wet_days_safe_integer 2 of 2: 2021 stations 2',
      'year_in_folder 2 of 2: 2021 stations 2',
      'year_known 1 of 1: 2021 stations 1',
    ]);
    for (const [rule, column, , shown] of FAULTS) {
      const { rows } = failures.find(({ outcome }) => outcome.check.name === rule)!.outcome;
      expect(rows).toContainEqual(expect.objectContaining({ [column]: shown }));
      expect(Object.keys(rows[0]!)).not.toContain('number of slice');
    }
  });

  test('of dimensions are all reported together', async () => {
    const again = `SELECT * FROM (${places}) WHERE region_code = 's' AND station_code = 'st2'`;
    const { failures } = await (
      await changed({
        [PLACES]: `${places} UNION ALL ${again} UNION ALL SELECT 's', NULL, 'Nowhere', 0`,
        [REGIONS]: `SELECT * REPLACE (region_name || chr(7) AS region_name) FROM (${regions})`,
      })
    ).refusal();
    const found = failures.map(({ subject, outcome }) => [
      `${subject} ${outcome.check.name} ${outcome.found}`,
      outcome.rows[0],
    ]);
    expect(found.sort()).toEqual([
      ['climate/stations key_unique 1', expect.objectContaining({ region_code: 's', station_code: 'st2' })],
      ['climate/stations station_code_not_null 1', expect.objectContaining({ station_name: 'Nowhere' })],
      ['regions region_name_text 2', expect.anything()],
    ]);
  });

  test('of a dimension hide problems of facts only where these are compared with it', async () => {
    const all = await newPublisher();
    await all.writeRows({
      [STATIONS]: `SELECT * REPLACE (-0.5 AS rain_mm) FROM (${base})`,
      'transit/trams/year=2021/nation.parquet': `SELECT * REPLACE (9007199254740993::BIGINT AS rides) FROM (${tramRows(2021, 'nation')})`,
    });
    const said = async (select: string) => {
      await all.writeRows({ [PLACES]: select });
      const { diagnostics, failures } = await all.refusal();
      return [
        ...diagnostics.map(({ code, file }) => `${code} ${file}`),
        ...failures.map(({ subject, outcome }) => `${subject} ${outcome.check.name}`),
      ];
    };
    const rides = 'transit/trams rides_safe_integer';
    expect(await said(`${places} UNION ALL ${places}`)).toEqual(['climate/stations key_unique', rides]);
    const colour = `SELECT *, 1 AS colour FROM (${places})`;
    expect(await said(colour)).toEqual([`lake-extra-column ${PLACES}`, rides]);
    expect(await said(places)).toEqual(['climate/rainfall rain_mm_range', rides]);
  });
});

describe('what a lake lacks, or has in excess', () => {
  test('is a warning, and the documents list what is there', async () => {
    const lake = Object.fromEntries(
      Object.entries(LAKE).filter(
        ([name]) => !/rainfall\/(year=2019|.*stations)|trams\/year=2022\/nation/.test(name),
      ),
    );
    const publisher = await newPublisher(undefined, lake);
    const built = await publisher.build();
    const found = built.events.flatMap(event => (event.kind === 'warnings' ? event.diagnostics : []));
    expect(found.map(({ severity, message }) => `${severity}: ${message.split(';')[0]}`)).toEqual([
      'warning: The lake lacks promised years or levels of climate/rainfall (stations 2019, 2021 to 2022',
      'note: The lake lacks climate/rainfall nation for 2019',
      'note: The lake lacks climate/rainfall regions for 2019',
      'note: The lake lacks climate/rainfall stations for 2019, 2021-2022',
      'note: The lake lacks transit/trams nation for 2022',
    ]);
    const schema = await publisher.json<object>('api/v1/datasets/climate/rainfall/index.json');
    expect(schema).toMatchObject({
      ...{ year_min: 2021, year_max: 2022, year_gaps: [], available_years: [2021, 2022] },
      ...{ detail_levels: ['regions', 'nation'], default_detail: 'regions' },
    });
    const files = Object.keys(await publisher.contents());
    expect(files.filter(name => name.includes('year=2019') || /rainfall.*stations/.test(name))).toEqual([]);
    await publisher.verify();
    const strict = await publisher.refusal({ strict: true, out: path.join(publisher.root, 'strict') });
    expect(strict.diagnostics.map(one => one.code)).toEqual([
      'lake-incomplete',
      ...Array(4).fill('lake-missing-slice'),
    ]);
  });

  test('a whole dataset is a warning; no dataset at all cannot be built', async () => {
    const lake = Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain'));
    const publisher = await newPublisher(undefined, Object.fromEntries(lake));
    const built = await publisher.build();
    expect(built.warnings).toEqual([expect.stringMatching(/^lake-missing-dataset .*climate\/rainfall/)]);
    expect(built.result).toMatchObject({ datasets: 1 });
    await rm(path.join(publisher.data, 'transit'), { recursive: true });
    await expect(publisher.build()).rejects.toMatchObject({ code: 'lake-empty' });
  });

  test('files of a year in a gap, and files without a contract, are one warning each', async () => {
    const folder = await changed({
      [rainFile(2020, 'nation')]: rainfallRows(2020, 'nation'),
      'climate/hail/year=2021/nation.parquet': 'SELECT 1 AS a',
    });
    const built = await folder.with({ out: path.join(folder.root, 'dist') }).build();
    expect(built.warnings.sort()).toEqual([
      expect.stringMatching(/^lake-unclaimed-file/),
      expect.stringMatching(/^lake-year-in-gap .*declares 2020 without data .*Shorten year_gaps/),
    ]);
  });

  test('of a dataset that is not asked for does not matter', async () => {
    const lake = { ...LAKE, [rainFile(2020, 'nation')]: rainfallRows(2020, 'nation') };
    const publisher = await newPublisher(undefined, lake);
    const built = await publisher.build({ only: 'transit/*' });
    expect(built.warnings).toEqual([]);
    expect(built.result).toMatchObject({ datasets: 1, rows: 6 });
  });
});
