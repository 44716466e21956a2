/** A lake that breaks its contract is refused by name, and the published tree stays as it was. */
import { copyFile, mkdir, open, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  buildPublisher,
  contents,
  type FileOnDisk,
  readTreeJson,
  refusal,
  snapshot,
  verify,
  warningsOf,
} from '../publishers/built-tree.ts';
import { keptClimate } from '../publishers/kept-weather.ts';
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
  CLIMATE_CONTRACTS,
  CLIMATE_LAKE,
  LAKE,
  RAINFALL,
  rainFile,
  rainfallRows,
  tramRows,
} from '../publishers/weather.ts';

const climate = await keptClimate();
let published: string;
let before: Map<string, FileOnDisk>;
beforeAll(async () => {
  const root = await temporaryFolder('never');
  published = (await copyTree(climate, root)).out;
  before = await snapshot(published);
  return () => rm(root, { recursive: true });
});

/** The same publisher with other files in its lake, building over the published tree. */
async function changed(files: Readonly<Record<string, string>>): Promise<PublisherFolder> {
  const copy = await copyPublisher(climate, await temporaryFolder());
  await writeRows(copy.data, files);
  return { ...copy, out: published };
}

/** The same where nothing is published. */
async function unpublished(files: Readonly<Record<string, string>>): Promise<PublisherFolder> {
  const folder = await changed(files);
  return { ...folder, out: path.join(folder.root, 'dist') };
}

const STATIONS = rainFile(2021, 'stations');
const REGIONS = '_dimensions/regions.parquet';
const PLACES = 'climate/_dimensions/stations.parquet';
const base = rainfallRows(2021, 'stations');
const regions = LAKE[REGIONS]!;
const places = LAKE[PLACES]!;
const replaced = (column: string) => `SELECT * REPLACE (${column}) FROM (${base})`;

/** `code file` of each error, and the first one's message. */
async function told(folder: PublisherFolder, overrides = {}): Promise<[string[], string]> {
  const { diagnostics, failures } = await refusal(folder, overrides);
  const errors = diagnostics.filter(one => one.severity === 'error');
  expect(failures).toEqual([]);
  expect(await snapshot(published)).toEqual(before);
  expect(errors[0]?.message).not.toContain(folder.root);
  return [errors.map(one => `${one.code} ${one.file}`), errors[0]?.message ?? ''];
}

type FileRow = readonly [what: string, select: string, code: string, says: RegExp, file?: string];

describe('files that are not what the contract promises', () => {
  test.for<FileRow>([
    [
      'an extra column',
      `SELECT *, 1 AS colour FROM (${base})`,
      'lake-extra-column',
      /column colour .* climate\/rainfall/,
    ],
    [
      'a missing column',
      `SELECT * EXCLUDE (readings) FROM (${base})`,
      'lake-missing-column',
      /readings \(integer\)/,
    ],
    [
      'numbers written as text',
      replaced('rain_mm::VARCHAR AS rain_mm'),
      'lake-column-type',
      /rain_mm is VARCHAR .* number/,
    ],
    [
      'integers written as doubles',
      replaced('wet_days::DOUBLE AS wet_days'),
      'lake-column-type',
      /wet_days is DOUBLE .* integer/,
    ],
    ['no rows', `SELECT * FROM (${base}) WHERE false`, 'lake-empty-file', /no rows/],
    [
      'a dimension with an extra column',
      `SELECT *, 1 AS size FROM (${regions})`,
      'lake-extra-column',
      /size .* regions/,
      REGIONS,
    ],
  ])('%s', async ([_, select, code, says, file = STATIONS]) => {
    const [errors, message] = await told(await changed({ [file]: select }));
    expect(errors).toEqual([`${code} ${file}`]);
    expect(message).toMatch(says);
  });

  test.each<readonly [what: string, spoil: (file: string) => Promise<void>, says: RegExp]>([
    ['of 0 bytes', file => truncate(file, 0), /empty \(0 bytes\)/],
    ['cut short', file => truncate(file, 700), /not a complete Parquet file/],
    [
      'of text between marks',
      file => writeFile(file, 'PAR1 and then nothing PAR1'),
      /not a complete Parquet/,
    ],
    ['of text', file => writeFile(file, 'year,season\n2021,all\n'), /not a complete/],
  ])('a file %s', async (_, spoil, says) => {
    const folder = await changed({});
    await spoil(path.join(folder.data, STATIONS));
    const [errors, message] = await told(folder);
    expect(errors).toEqual([`lake-unreadable-file ${STATIONS}`]);
    expect(message).toMatch(says);
  });

  test('a file that claims too many rows is refused by its footer, and its values are not read', async () => {
    const folder = await changed({ [STATIONS]: `SELECT b.* FROM (${base}) b, range(40)` });
    const handle = await open(path.join(folder.data, STATIONS), 'r+');
    // Nothing but the footer can be read.
    await handle.write(Buffer.alloc(200), 0, 200, 4);
    await handle.close();
    const [errors, message] = await told(folder, { maxRows: 100 });
    expect(errors).toEqual([`lake-too-many-rows ${STATIONS}`]);
    expect(message).toMatch(/says that it has \d+ rows, in [\d,]+ bytes.*at most 100 .*--max-rows/);
  });

  test('a dimension that the lake lacks is missed, and not where no row needs it: its joins give NULL', async () => {
    const folder = await changed({});
    await rm(path.join(folder.data, REGIONS));
    expect((await told(folder))[0]).toEqual([`lake-missing-dimension ${REGIONS}`]);
    const nation = rainFile(2021, 'nation');
    const rows = { [nation]: CLIMATE_LAKE[nation]! };
    const alone = await writePublisher(await temporaryFolder(), CLIMATE_CONTRACTS, rows);
    await buildPublisher(alone);
    expect(await verify(alone.out)).toMatchObject({ slices: 1 });
    const name = 'api/v1/climate/rainfall/year=2021/nation.json';
    const { data } = await readTreeJson<{ data: unknown[] }>(alone.out, name);
    expect(data[0]).toMatchObject({ region_code: null, region_name: null });
  });

  test('everything that is wrong is told at once', async () => {
    const wrong = {
      [STATIONS]: `SELECT * EXCLUDE (readings), 1 AS colour FROM (${base})`,
      [rainFile(2022, 'nation')]: `SELECT * FROM (${rainfallRows(2022, 'nation')}) WHERE false`,
    };
    expect((await told(await changed(wrong)))[0].sort()).toEqual([
      `lake-empty-file ${rainFile(2022, 'nation')}`,
      `lake-extra-column ${STATIONS}`,
      `lake-missing-column ${STATIONS}`,
    ]);
  });

  // Some disks have no such names.
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

/** `found` where it is not one row, `file` where it is not that of the stations. */
type RowRow = readonly [
  what: string,
  select: string,
  rule: string,
  row: object,
  place?: { readonly found?: number; readonly file?: string },
];

describe('rows that break a rule', () => {
  const ONE = "region_code = 'n' AND station_code = 'st1' AND season = 'all'";
  /** The slice with one column changed in one row. */
  const withOne = (column: string) =>
    `SELECT * FROM (${base}) WHERE NOT (${ONE}) UNION ALL SELECT * REPLACE (${column}) FROM (${base}) WHERE ${ONE}`;
  const nation = rainfallRows(2021, 'nation');

  test.for<RowRow>([
    [
      'a row twice',
      `(${base}) UNION ALL SELECT * REPLACE (0.5 AS rain_mm) FROM (${base}) WHERE ${ONE}`,
      'grain_unique',
      { region_code: 'n', station_code: 'st1', season: 'all' },
    ],
    [
      'a row twice, NULL in its key',
      `(${nation}) UNION ALL SELECT * FROM (${nation}) WHERE season = 'dry'`,
      'grain_unique',
      { region_code: null, season: 'dry' },
      { file: rainFile(2021, 'nation') },
    ],
    [
      'an unknown region',
      `SELECT * REPLACE ('x' AS region_code) FROM (${rainfallRows(2021, 'regions')}) WHERE region_code = 'n' AND season = 'all'`,
      'region_code_known',
      { region_code: 'x' },
      { file: rainFile(2021, 'regions') },
    ],
    [
      'a station of another region',
      withOne("'st9' AS station_code"),
      'station_code_known',
      { region_code: 'n', station_code: 'st9' },
    ],
    ['NaN', withOne("'nan'::DOUBLE AS rain_mm"), 'rain_mm_finite', { rain_mm: 'NaN' }],
    ['infinity', withOne("'-infinity'::DOUBLE AS rain_mm"), 'rain_mm_finite', { rain_mm: '-Infinity' }],
    [
      'an integer beyond 2^53',
      withOne('9007199254740993::BIGINT AS readings'),
      'readings_safe_integer',
      { readings: '9007199254740993' },
    ],
    [
      'the least of all 64-bit integers',
      withOne('(-9223372036854775808)::BIGINT AS readings'),
      'readings_safe_integer',
      { readings: '-9223372036854775808' },
    ],
    [
      'an unsigned integer beyond 2^63',
      replaced('18446744073709551615::UBIGINT AS readings'),
      'readings_safe_integer',
      {},
      { found: 18 },
    ],
    [
      'an int beyond 32 bits',
      withOne('2147483648::BIGINT AS wet_days'),
      'wet_days_safe_integer',
      { wet_days: 2147483648 },
    ],
    ["another folder's year", withOne('2022 AS year'), 'year_in_folder', { year: 2022 }],
    ['a year that is not promised', withOne('2020 AS year'), 'year_known', { year: 2020 }],
    [
      "a level's key where the level has none",
      `SELECT * REPLACE ('n' AS region_code) FROM (${nation}) WHERE season = 'wet'`,
      'level_keys',
      { region_code: 'n' },
      { file: rainFile(2021, 'nation') },
    ],
    [
      "NULL in a level's own key",
      withOne('NULL::VARCHAR AS station_code'),
      'level_keys',
      { station_code: null },
    ],
    ['NULL where none may be', withOne('NULL::BIGINT AS readings'), 'readings_not_null', { readings: null }],
    ['a value that is not in the list', withOne("'monsoon' AS season"), 'seasons', { season: 'monsoon' }],
    ['a value out of range', withOne('9000.1 AS rain_mm'), 'rain_mm_range', { rain_mm: 9000.1 }],
    ['a carriage return', withOne("E'a\\rb' AS note"), 'note_text', { note: 'a\rb' }],
    ['a NUL character', withOne("'a' || chr(0) AS note"), 'note_text', {}],
  ])('%s', async ([_, select, rule, row, { file = STATIONS, found = 1 } = {}]) => {
    const error = await refusal(await changed({ [file]: select }));
    expect(error.diagnostics).toEqual([]);
    const failures = error.failures.filter(one => one.outcome.check.name === rule);
    const slice = { year: 2021, detail: path.basename(file, '.parquet'), count: found };
    expect(failures).toMatchObject([{ subject: 'climate/rainfall', outcome: { found, slices: [slice] } }]);
    const { rows } = failures[0]!.outcome;
    expect(rows).toHaveLength(Math.min(found, 5) * (rule === 'grain_unique' ? 2 : 1));
    expect(rows[0]).toMatchObject(row);
    expect(Object.keys(rows[0]!)).not.toContain('number of slice');
    // What is not finite is told of once, not as out of range too.
    if (rule === 'rain_mm_finite') expect(error.failures).toHaveLength(1);
    expect(await snapshot(published)).toEqual(before);
  });

  test('of dimensions: all that is wrong with them is told at once', async () => {
    const again = `SELECT * FROM (${places}) WHERE region_code = 's' AND station_code = 'st2'`;
    const { failures } = await refusal(
      await changed({
        [PLACES]: `${places} UNION ALL ${again} UNION ALL SELECT 's', NULL, 'Nowhere', 0`,
        [REGIONS]: `SELECT * REPLACE (region_name || chr(7) AS region_name) FROM (${regions})`,
      }),
    );
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

  test('of a dimension hide what is wrong with facts only where they are held against it', async () => {
    const all = await writePublisher(await temporaryFolder());
    await writeRows(all.data, {
      [STATIONS]: withOne('-0.5 AS rain_mm'),
      'transit/trams/year=2021/nation.parquet': `SELECT * REPLACE (9007199254740993::BIGINT AS rides) FROM (${tramRows(2021, 'nation')})`,
    });
    const said = async (select: string) => {
      await writeRows(all.data, { [PLACES]: select });
      const { diagnostics, failures } = await refusal(all);
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

  test('several rules that fail in several slices are told together, five rows each', async () => {
    const error = await refusal(
      await changed({
        [STATIONS]: replaced("'wet' AS season, -1.0 AS rain_mm"),
        [rainFile(2019, 'regions')]:
          `SELECT * REPLACE (-1.0 AS rain_mm) FROM (${rainfallRows(2019, 'regions')})`,
      }),
    );
    const shown = error.failures.map(({ outcome }) => [
      outcome.check.name,
      outcome.found,
      outcome.rows.length,
      outcome.slices.map(slice => `${slice.year} ${slice.detail} ${slice.count}`),
    ]);
    expect(shown).toEqual([
      ['rain_mm_range', 24, 5, ['2019 regions 6', '2021 stations 18']],
      ['grain_unique', 12, 5, ['2021 stations 12']],
    ]);
  });

  test('that only warns pass, and are told of', async () => {
    const folder = await unpublished({
      [STATIONS]: replaced("CASE season WHEN 'dry' THEN 'monsoon' ELSE season END AS season"),
    });
    const seasons = 'mustBe: 0 }\n      - name: manned';
    const contract = RAINFALL.replace(seasons, seasons.replace('0 }', '0, severity: warning }'));
    await writeTexts(folder.contracts, { 'rain/rainfall.yaml': contract });
    const built = await buildPublisher(folder);
    const notices = built.events.flatMap(event => (event.kind === 'notices' ? event.outcomes : []));
    expect(notices.map(one => [one.outcome.check.name, one.outcome.result, one.outcome.found])).toEqual([
      ['seasons', 'warned', 6],
    ]);
    await verify(folder.out);
  });
});

describe('what a lake lacks, or has too much', () => {
  test('is a warning, and the documents list what is there', async () => {
    const lake = Object.fromEntries(
      Object.entries(LAKE).filter(
        ([name]) => !/rainfall\/(year=2019|.*stations)|trams\/year=2022\/nation/.test(name),
      ),
    );
    const publisher = await writePublisher(await temporaryFolder(), undefined, lake);
    const built = await buildPublisher(publisher);
    const found = built.events.flatMap(event => (event.kind === 'warnings' ? event.diagnostics : []));
    expect(found.map(({ severity, message }) => `${severity}: ${message.split(';')[0]}`)).toEqual([
      'warning: The lake lacks promised years or levels of climate/rainfall (stations 2019, 2021 to 2022',
      'note: The lake lacks climate/rainfall nation for 2019',
      'note: The lake lacks climate/rainfall regions for 2019',
      'note: The lake lacks climate/rainfall stations for 2019, 2021-2022',
      'note: The lake lacks transit/trams nation for 2022',
    ]);
    const schema = await readTreeJson<object>(publisher.out, 'api/v1/datasets/climate/rainfall/index.json');
    expect(schema).toMatchObject({
      ...{ year_min: 2021, year_max: 2022, year_gaps: [], available_years: [2021, 2022] },
      ...{ detail_levels: ['regions', 'nation'], default_detail: 'regions' },
    });
    const files = Object.keys(await contents(publisher.out));
    expect(files.filter(name => name.includes('year=2019') || /rainfall.*stations/.test(name))).toEqual([]);
    await verify(publisher.out);
    const strict = await refusal(publisher, { strict: true, out: path.join(publisher.root, 'strict') });
    expect(strict.diagnostics.map(one => one.code)).toEqual([
      'lake-incomplete',
      ...Array(4).fill('lake-missing-slice'),
    ]);
  });

  test('a whole dataset is a warning; no dataset at all cannot be built', async () => {
    const lake = Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain'));
    const publisher = await writePublisher(await temporaryFolder(), undefined, Object.fromEntries(lake));
    const built = await buildPublisher(publisher);
    expect(warningsOf(built)).toEqual([expect.stringMatching(/^lake-missing-dataset .*climate\/rainfall/)]);
    expect(built.result).toMatchObject({ datasets: 1 });
    await rm(path.join(publisher.data, 'transit'), { recursive: true });
    await expect(buildPublisher(publisher)).rejects.toMatchObject({ code: 'lake-empty' });
  });

  test('files of a level or a year that is not promised are one warning each, as are those of no contract', async () => {
    const more = [2018, 2020, 2023].map(year => [rainFile(year, 'nation'), rainfallRows(year, 'nation')]);
    const folder = await unpublished({
      ...Object.fromEntries(more),
      [rainFile(2021, 'villages')]: rainfallRows(2021, 'nation'),
      [rainFile(2022, 'villages')]: rainfallRows(2022, 'nation'),
      'climate/hail/year=2021/nation.parquet': 'SELECT 1 AS a',
    });
    expect(warningsOf(await buildPublisher(folder)).sort()).toEqual([
      expect.stringMatching(/^lake-unclaimed-file/),
      expect.stringMatching(/^lake-unknown-level .*no level "villages".*\(2 files, 2021 to 2022\)/),
      expect.stringMatching(
        /^lake-unknown-year .*2019, 2021-2022, not 2018, 2023, so these files .*rm climate\/rainfall\/year=2018\/nation.parquet /,
      ),
      expect.stringMatching(/^lake-year-in-gap .*declares 2020 without data .*Shorten year_gaps/),
    ]);
  });

  test('of a dataset that is not asked for does not matter', async () => {
    const lake = { ...LAKE, [rainFile(2020, 'nation')]: rainfallRows(2020, 'nation') };
    const publisher = await writePublisher(await temporaryFolder(), undefined, lake);
    const built = await buildPublisher(publisher, { only: 'transit/*' });
    expect(warningsOf(built)).toEqual([]);
    expect(built.result).toMatchObject({ datasets: 1, rows: 6 });
  });
});
