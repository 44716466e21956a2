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

describe('files that are not what the contract promises', () => {
  test.each([
    ['*, 1 AS colour', 'lake-extra-column', /column colour .* climate\/rainfall/],
    ['* EXCLUDE (readings)', 'lake-missing-column', /readings \(integer\)/],
    ['* REPLACE (rain_mm::VARCHAR AS rain_mm)', 'lake-column-type', /rain_mm is VARCHAR .* number/],
    ['* REPLACE (wet_days::DOUBLE AS wet_days)', 'lake-column-type', /wet_days is DOUBLE .* integer/],
  ])('rows of SELECT %s: %s', async (columns, code, says) => {
    const [errors, message] = await told(await changed({ [STATIONS]: `SELECT ${columns} FROM (${base})` }));
    expect(errors).toEqual([`${code} ${STATIONS}`]);
    expect(message).toMatch(says);
  });

  test('no rows, and a dimension with an extra column', async () => {
    const [none, says] = await told(await changed({ [STATIONS]: `SELECT * FROM (${base}) WHERE false` }));
    expect([none, says]).toEqual([[`lake-empty-file ${STATIONS}`], expect.stringMatching(/no rows/)]);
    const [extra, said] = await told(await changed({ [REGIONS]: `SELECT *, 1 AS size FROM (${regions})` }));
    expect([extra, said]).toEqual([
      [`lake-extra-column ${REGIONS}`],
      expect.stringMatching(/size .* regions/),
    ]);
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

describe('rows that break a rule', () => {
  const ONE = "region_code = 'n' AND station_code = 'st1' AND season = 'all'";
  /** The slice with one column changed in one row. */
  const withOne = (column: string) =>
    `SELECT * FROM (${base}) WHERE NOT (${ONE}) UNION ALL SELECT * REPLACE (${column}) FROM (${base}) WHERE ${ONE}`;
  const nation = rainfallRows(2021, 'nation');

  async function expectRule(file: string, select: string, rule: string, row: object, found = 1) {
    const error = await refusal(await changed({ [file]: select }));
    expect(error.diagnostics).toEqual([]);
    const failures = error.failures.filter(one => one.outcome.check.name === rule);
    const slice = { year: 2021, detail: path.basename(file, '.parquet'), count: found };
    expect(failures).toMatchObject([{ subject: 'climate/rainfall', outcome: { found, slices: [slice] } }]);
    const { rows } = failures[0]!.outcome;
    expect(rows[0]).toMatchObject(row);
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(Object.keys(rows[0]!)).not.toContain('number of slice');
    // What is not finite is told of once, not as out of range too.
    if (rule === 'rain_mm_finite') expect(error.failures).toHaveLength(1);
    expect(await snapshot(published)).toEqual(before);
  }

  /** What one row of the stations has instead. */
  test.each([
    ["'st9' AS station_code", 'station_code_known', { region_code: 'n', station_code: 'st9' }],
    ["'nan'::DOUBLE AS rain_mm", 'rain_mm_finite', { rain_mm: 'NaN' }],
    ["'-infinity'::DOUBLE AS rain_mm", 'rain_mm_finite', { rain_mm: '-Infinity' }],
    ['9007199254740993::BIGINT AS readings', 'readings_safe_integer', { readings: '9007199254740993' }],
    [
      '(-9223372036854775808)::BIGINT AS readings',
      'readings_safe_integer',
      { readings: '-9223372036854775808' },
    ],
    ['2147483648::BIGINT AS wet_days', 'wet_days_safe_integer', { wet_days: 2147483648 }],
    ['2022 AS year', 'year_in_folder', { year: 2022 }],
    ['2020 AS year', 'year_known', { year: 2020 }],
    ['NULL::VARCHAR AS station_code', 'level_keys', { station_code: null }],
    ['NULL::BIGINT AS readings', 'readings_not_null', { readings: null }],
    ["'monsoon' AS season", 'seasons', { season: 'monsoon' }],
    ['9000.1 AS rain_mm', 'rain_mm_range', { rain_mm: 9000.1 }],
    ["E'a\\rb' AS note", 'note_text', { note: 'a\rb' }],
    ["'a' || chr(0) AS note", 'note_text', {}],
  ])('%s: %s', (column, rule, row) => expectRule(STATIONS, withOne(column), rule, row));

  const again = `UNION ALL SELECT * REPLACE (0.5 AS rain_mm) FROM (${base}) WHERE ${ONE}`;
  const regionRows = rainfallRows(2021, 'regions');
  test.for<readonly [what: string, level: string, select: string, rule: string, row: object, found?: number]>(
    [
      [
        'a row twice',
        'stations',
        `(${base}) ${again}`,
        'grain_unique',
        { season: 'all', station_code: 'st1' },
      ],
      [
        'a row twice, NULL in its key',
        'nation',
        `(${nation}) UNION ALL SELECT * FROM (${nation}) WHERE season = 'dry'`,
        'grain_unique',
        { region_code: null, season: 'dry' },
      ],
      [
        'an unknown region',
        'regions',
        `SELECT * REPLACE ('x' AS region_code) FROM (${regionRows}) WHERE region_code = 'n' AND season = 'all'`,
        'region_code_known',
        { region_code: 'x' },
      ],
      [
        'an unsigned integer beyond 2^63',
        'stations',
        replaced('18446744073709551615::UBIGINT AS readings'),
        'readings_safe_integer',
        {},
        18,
      ],
      [
        "a level's key where the level has none",
        'nation',
        `SELECT * REPLACE ('n' AS region_code) FROM (${nation}) WHERE season = 'wet'`,
        'level_keys',
        { region_code: 'n' },
      ],
    ],
  )('%s', ([_, level, select, rule, row, found]) =>
    expectRule(rainFile(2021, level), select, rule, row, found),
  );

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
