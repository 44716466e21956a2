/** A lake that breaks its contract is refused by name, and the published tree stays as it was. */
import { copyFile, mkdir, open, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import {
  copyPublisher,
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

let published: PublisherFolder;
let before: Map<string, FileOnDisk>;

beforeAll(async () => {
  published = await writePublisher(await temporaryFolder('never'), CLIMATE_CONTRACTS, CLIMATE_LAKE);
  await buildPublisher(published);
  before = await snapshot(published.out);
});

afterAll(() => rm(published.root, { recursive: true, force: true }));

/** The same publisher with another lake, building to the same folder. */
async function changed(files: Readonly<Record<string, string>>): Promise<PublisherFolder> {
  const copy = await copyPublisher(published, await temporaryFolder());
  await writeRows(copy.data, files);
  return { ...copy, out: published.out };
}

const STATIONS = rainFile(2021, 'stations');
const base = rainfallRows(2021, 'stations');
const replaced = (column: string) => `SELECT * REPLACE (${column}) FROM (${base})`;

test('a file that claims too many rows is refused by its footer, and its values are not read', async () => {
  const copy = await changed({ [STATIONS]: `SELECT b.* FROM (${base}) b, range(40)` });
  const file = path.join(copy.data, STATIONS);
  const handle = await open(file, 'r+');
  // Nothing but the footer can be read.
  await handle.write(Buffer.alloc(200), 0, 200, 4);
  await handle.close();
  const { diagnostics, failures } = await refusal(copy, { maxRows: 100 });
  expect(failures).toEqual([]);
  expect(diagnostics.map(one => `${one.code} ${one.file}`)).toEqual([`lake-too-many-rows ${STATIONS}`]);
  expect(diagnostics[0]?.message).toMatch(
    /says that it has \d+ rows, in [\d,]+ bytes.*at most 100 .*--max-rows/,
  );
});

describe('files that are not what the contract promises', () => {
  interface FileCase {
    readonly what: string;
    readonly file?: string;
    readonly select: string;
    readonly code: string;
    readonly message: RegExp;
  }

  const CASES: readonly FileCase[] = [
    {
      what: 'an extra column',
      select: `SELECT *, 1 AS colour FROM (${base})`,
      code: 'lake-extra-column',
      message: /column colour .* climate\/rainfall/,
    },
    {
      what: 'a missing column',
      select: `SELECT * EXCLUDE (readings) FROM (${base})`,
      code: 'lake-missing-column',
      message: /readings \(integer\)/,
    },
    {
      what: 'numbers written as text',
      select: replaced('rain_mm::VARCHAR AS rain_mm'),
      code: 'lake-column-type',
      message: /rain_mm is VARCHAR .* number/,
    },
    {
      what: 'integers written as doubles',
      select: replaced('wet_days::DOUBLE AS wet_days'),
      code: 'lake-column-type',
      message: /wet_days is DOUBLE .* integer/,
    },
    {
      what: 'no rows',
      select: `SELECT * FROM (${base}) WHERE false`,
      code: 'lake-empty-file',
      message: /no rows/,
    },
    {
      what: 'a dimension with an extra column',
      file: '_dimensions/regions.parquet',
      select: `SELECT *, 1 AS size FROM (${LAKE['_dimensions/regions.parquet']})`,
      code: 'lake-extra-column',
      message: /size .* regions/,
    },
  ];

  test.each(CASES)('$what', async ({ file = STATIONS, select, code, message }) => {
    const error = await refusal(await changed({ [file]: select }));
    const found = error.diagnostics.filter(one => one.severity === 'error');
    expect(found.map(one => [one.code, one.file])).toEqual([[code, file]]);
    expect(found[0]?.message).toMatch(message);
    expect(await snapshot(published.out)).toEqual(before);
  });

  const BROKEN: readonly { what: string; spoil: (file: string) => Promise<void>; message: RegExp }[] = [
    { what: 'of 0 bytes', spoil: file => truncate(file, 0), message: /empty \(0 bytes\)/ },
    { what: 'cut short', spoil: file => truncate(file, 700), message: /not a complete Parquet file/ },
    {
      what: 'of garbage',
      spoil: file => writeFile(file, 'PAR1 and then nothing PAR1'),
      message: /not a complete Parquet file/,
    },
    { what: 'of text', spoil: file => writeFile(file, 'year,season\n2021,all\n'), message: /not a complete/ },
  ];

  test.each(BROKEN)('a file $what is named', async ({ spoil, message }) => {
    const publisher = await changed({});
    await spoil(path.join(publisher.data, STATIONS));
    const { diagnostics } = await refusal(publisher);
    expect(diagnostics.map(one => `${one.code} ${one.file}`)).toEqual([`lake-unreadable-file ${STATIONS}`]);
    expect(diagnostics[0]?.message).toMatch(message);
    expect(diagnostics[0]?.message).not.toContain(publisher.root);
    expect(await snapshot(published.out)).toEqual(before);
  });

  test('a dimension that the lake lacks is missed', async () => {
    const publisher = await changed({});
    await rm(path.join(publisher.data, '_dimensions/regions.parquet'));
    const { diagnostics } = await refusal(publisher);
    expect(diagnostics.map(one => `${one.code} ${one.file}`)).toEqual([
      'lake-missing-dimension _dimensions/regions.parquet',
    ]);
  });

  test('a dimension that no row needs is not missed, and its joins give NULL', async () => {
    const nation = rainFile(2021, 'nation');
    const publisher = await writePublisher(await temporaryFolder(), CLIMATE_CONTRACTS, {
      [nation]: CLIMATE_LAKE[nation]!,
    });
    await buildPublisher(publisher);
    expect(await verify(publisher.out)).toMatchObject({ slices: 1 });
    const rows = await readTreeJson<{ data: unknown[] }>(
      publisher.out,
      'api/v1/climate/rainfall/year=2021/nation.json',
    );
    expect(rows.data[0]).toMatchObject({ region_code: null, region_name: null });
  });

  test('everything that is wrong is told at once', async () => {
    const { diagnostics } = await refusal(
      await changed({
        [STATIONS]: `SELECT * EXCLUDE (readings), 1 AS colour FROM (${base})`,
        [rainFile(2022, 'nation')]: `SELECT * FROM (${rainfallRows(2022, 'nation')}) WHERE false`,
      }),
    );
    expect(diagnostics.map(one => one.code).sort()).toEqual([
      'lake-empty-file',
      'lake-extra-column',
      'lake-missing-column',
    ]);
  });
});

describe('rows that break a rule', () => {
  interface RowCase {
    readonly what: string;
    readonly select: string;
    readonly rule: string;
    readonly found?: number;
    readonly row?: object;
    /** Where it is not the dataset's. */
    readonly subject?: string;
    readonly file?: string;
  }

  /** One row of the slice, with one column changed. */
  const one = (column: string) =>
    `SELECT * REPLACE (${column}) FROM (${base}) WHERE region_code = 'n' AND station_code = 'st1' AND season = 'all'`;
  const withOne = (column: string) =>
    `SELECT * FROM (${base}) WHERE NOT (region_code = 'n' AND station_code = 'st1' AND season = 'all') UNION ALL ${one(column)}`;
  const dimension = LAKE['climate/_dimensions/stations.parquet']!;

  const CASES: readonly RowCase[] = [
    {
      what: 'a row twice',
      select: `(${base}) UNION ALL ${one('0.5 AS rain_mm')}`,
      rule: 'grain_unique',
      row: { region_code: 'n', station_code: 'st1', season: 'all' },
    },
    {
      what: 'a row twice, NULL in its key',
      file: rainFile(2021, 'nation'),
      select: `(${rainfallRows(2021, 'nation')}) UNION ALL SELECT * FROM (${rainfallRows(2021, 'nation')}) WHERE season = 'dry'`,
      rule: 'grain_unique',
      row: { region_code: null, season: 'dry' },
    },
    {
      what: 'an unknown region',
      file: rainFile(2021, 'regions'),
      select: `SELECT * REPLACE ('x' AS region_code) FROM (${rainfallRows(2021, 'regions')}) WHERE region_code = 'n' AND season = 'all'`,
      rule: 'region_code_known',
      row: { region_code: 'x' },
    },
    {
      what: 'a station of another region',
      select: withOne("'st9' AS station_code"),
      rule: 'station_code_known',
      row: { region_code: 'n', station_code: 'st9' },
    },
    {
      what: 'NaN',
      select: withOne("'nan'::DOUBLE AS rain_mm"),
      rule: 'rain_mm_finite',
      row: { rain_mm: 'NaN' },
    },
    {
      what: 'infinity',
      select: withOne("'-infinity'::DOUBLE AS rain_mm"),
      rule: 'rain_mm_finite',
      row: { rain_mm: '-Infinity' },
    },
    {
      what: 'an integer beyond 2^53',
      select: withOne('9007199254740993::BIGINT AS readings'),
      rule: 'readings_safe_integer',
      row: { readings: '9007199254740993' },
    },
    {
      what: 'the least of all 64-bit integers',
      select: withOne('(-9223372036854775808)::BIGINT AS readings'),
      rule: 'readings_safe_integer',
      row: { readings: '-9223372036854775808' },
    },
    {
      what: 'an unsigned integer beyond 2^63',
      select: replaced('18446744073709551615::UBIGINT AS readings'),
      rule: 'readings_safe_integer',
      found: 18,
    },
    {
      what: 'an int beyond 32 bits',
      select: withOne('2147483648::BIGINT AS wet_days'),
      rule: 'wet_days_safe_integer',
      row: { wet_days: 2147483648 },
    },
    {
      what: "another folder's year",
      select: withOne('2022 AS year'),
      rule: 'year_in_folder',
      row: { year: 2022 },
    },
    {
      what: 'a year that is not promised',
      select: withOne('2020 AS year'),
      rule: 'year_known',
      row: { year: 2020 },
    },
    {
      what: "a level's key where the level has none",
      file: rainFile(2021, 'nation'),
      select: `SELECT * REPLACE ('n' AS region_code) FROM (${rainfallRows(2021, 'nation')}) WHERE season = 'wet'`,
      rule: 'level_keys',
      row: { region_code: 'n' },
    },
    {
      what: "NULL in a level's own key",
      select: withOne('NULL::VARCHAR AS station_code'),
      rule: 'level_keys',
      row: { station_code: null },
    },
    {
      what: 'NULL where none may be',
      select: withOne('NULL::BIGINT AS readings'),
      rule: 'readings_not_null',
      row: { readings: null },
    },
    {
      what: 'a value that is not in the list',
      select: withOne("'monsoon' AS season"),
      rule: 'seasons',
      row: { season: 'monsoon' },
    },
    {
      what: 'a value out of range',
      select: withOne('9000.1 AS rain_mm'),
      rule: 'rain_mm_range',
      row: { rain_mm: 9000.1 },
    },
    {
      what: 'a carriage return',
      select: withOne("E'a\\rb' AS note"),
      rule: 'note_text',
      row: { note: 'a\rb' },
    },
    { what: 'a NUL character', select: withOne("'a' || chr(0) AS note"), rule: 'note_text' },
    {
      what: 'a dimension key twice',
      subject: 'climate/stations',
      file: 'climate/_dimensions/stations.parquet',
      select: `${dimension} UNION ALL SELECT * FROM (${dimension}) WHERE region_code = 's' AND station_code = 'st2'`,
      rule: 'key_unique',
      row: { region_code: 's', station_code: 'st2' },
    },
    {
      what: 'NULL in a dimension key',
      subject: 'climate/stations',
      file: 'climate/_dimensions/stations.parquet',
      select: `${dimension} UNION ALL SELECT 's', NULL, 'Nowhere', 0`,
      rule: 'station_code_not_null',
      row: { station_name: 'Nowhere' },
    },
    {
      what: 'a control character in a dimension',
      subject: 'regions',
      file: '_dimensions/regions.parquet',
      select: `SELECT * REPLACE (region_name || chr(7) AS region_name) FROM (${LAKE['_dimensions/regions.parquet']})`,
      rule: 'region_name_text',
      found: 2,
    },
  ];

  test.each(CASES)('$what', async ({ file = STATIONS, select, rule, found = 1, row, ...other }) => {
    const error = await refusal(await changed({ [file]: select }));
    expect(error.diagnostics).toEqual([]);
    const { subject = 'climate/rainfall' } = other;
    const failure = error.failures.find(one => one.outcome.check.name === rule);
    expect(failure, error.failures.map(one => one.outcome.check.name).join()).toMatchObject({ subject });
    const { slices, rows } = failure!.outcome;
    expect(failure!.outcome.found).toBe(found);
    if (subject === 'climate/rainfall') {
      const detail = path.basename(file, '.parquet');
      expect(slices).toEqual([{ year: 2021, detail, count: found }]);
    }
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(5);
    if (row !== undefined) expect(rows[0]).toMatchObject(row);
    expect(Object.keys(rows[0]!)).not.toContain('number of slice');
    expect(await snapshot(published.out)).toEqual(before);
  });

  test('what is wrong with a dimension hides what is wrong with facts only where they are held against it', async () => {
    const all = await writePublisher(await temporaryFolder());
    const stations = 'climate/_dimensions/stations.parquet';
    await writeRows(all.data, {
      [STATIONS]: withOne('-0.5 AS rain_mm'),
      'transit/trams/year=2021/nation.parquet': `SELECT * REPLACE (9007199254740993::BIGINT AS rides) FROM (${tramRows(2021, 'nation')})`,
    });
    const told = async (select: string) => {
      await writeRows(all.data, { [stations]: select });
      const { diagnostics, failures } = await refusal(all);
      return [
        ...diagnostics.map(({ code, file }) => `${code} ${file}`),
        ...failures.map(({ subject, outcome }) => `${subject} ${outcome.check.name}`),
      ];
    };
    const rides = 'transit/trams rides_safe_integer';
    const twice = `${dimension} UNION ALL SELECT * FROM (${dimension}) WHERE region_code = 's' AND station_code = 'st2'`;
    expect(await told(twice)).toEqual(['climate/stations key_unique', rides]);
    expect(await told(`SELECT *, 1 AS colour FROM (${dimension})`)).toEqual([
      `lake-extra-column ${stations}`,
      rides,
    ]);
    expect(await told(dimension)).toEqual(['climate/rainfall rain_mm_range', rides]);
  });

  test.each(['nan', 'infinity', '-infinity'])('%s is told of once, not as out of range too', async value => {
    const error = await refusal(await changed({ [STATIONS]: withOne(`'${value}'::DOUBLE AS rain_mm`) }));
    expect(error.failures.map(one => one.outcome.check.name)).toEqual(['rain_mm_finite']);
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
});

// Some disks have no such names.
describe.skipIf(process.platform === 'darwin')('a name that is not UTF-8', () => {
  const LATIN = Buffer.from([0xfc]);

  test('of a file: its rows are not left out without a word', async () => {
    const lake = await changed({});
    const name = Buffer.concat([Buffer.from(path.join(lake.data, 'st')), LATIN, Buffer.from('.parquet')]);
    await copyFile(path.join(lake.data, STATIONS), name);
    const { diagnostics } = await refusal(lake);
    expect(diagnostics).toMatchObject([{ code: 'lake-file-name', file: 'st\ufffd.parquet' }]);
  });

  test('of a folder: nor are those of its files', async () => {
    const lake = await changed({});
    const folder = Buffer.concat([Buffer.from(path.join(lake.data, 'st')), LATIN]);
    await mkdir(folder);
    await copyFile(path.join(lake.data, STATIONS), Buffer.concat([folder, Buffer.from('/a.parquet')]));
    const { diagnostics } = await refusal(lake);
    expect(diagnostics).toMatchObject([{ code: 'lake-file-name', file: 'st\ufffd' }]);
  });
});

describe('what a lake lacks', () => {
  test('is a warning, and the documents list what is there', async () => {
    const { 'transit/trams/year=2022/nation.parquet': _, ...rest } = LAKE;
    const lake = Object.fromEntries(
      Object.entries(rest).filter(
        ([name]) => !name.includes('/stations.parquet') || name.startsWith('climate/_dim'),
      ),
    );
    const publisher = await writePublisher(await temporaryFolder(), undefined, lake);
    await rm(path.join(publisher.data, 'climate/rainfall/year=2019'), { recursive: true });
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
      year_min: 2021,
      year_max: 2022,
      year_gaps: [],
      available_years: [2021, 2022],
      detail_levels: ['regions', 'nation'],
      default_detail: 'regions',
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
    const lake = Object.fromEntries(
      Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain')),
    );
    const publisher = await writePublisher(await temporaryFolder(), undefined, lake);
    const built = await buildPublisher(publisher);
    expect(warningsOf(built)).toEqual([expect.stringMatching(/^lake-missing-dataset .*climate\/rainfall/)]);
    expect(built.result).toMatchObject({ datasets: 1 });
    await rm(path.join(publisher.data, 'transit'), { recursive: true });
    await expect(buildPublisher(publisher)).rejects.toMatchObject({ code: 'lake-empty' });
  });

  test('files of a level or a year that is not promised are one warning each', async () => {
    const publisher = await changed({
      [rainFile(2021, 'villages')]: rainfallRows(2021, 'nation'),
      [rainFile(2022, 'villages')]: rainfallRows(2022, 'nation'),
      [rainFile(2018, 'nation')]: rainfallRows(2018, 'nation'),
      [rainFile(2023, 'nation')]: rainfallRows(2023, 'nation'),
      [rainFile(2020, 'nation')]: rainfallRows(2020, 'nation'),
    });
    const built = await buildPublisher({ ...publisher, out: path.join(publisher.root, 'dist') });
    expect(warningsOf(built)).toEqual([
      expect.stringMatching(
        /^lake-unknown-year .*2019, 2021-2022, not 2018, 2023, so these files .*rm climate\/rainfall\/year=2018\/nation.parquet /,
      ),
      expect.stringMatching(/^lake-year-in-gap .*declares 2020 without data .*Shorten year_gaps/),
      expect.stringMatching(/^lake-unknown-level .*no level "villages".*\(2 files, 2021 to 2022\)/),
    ]);
  });

  test('a file that no contract promises is a warning', async () => {
    const publisher = await changed({ 'climate/hail/year=2021/nation.parquet': 'SELECT 1 AS a' });
    const built = await buildPublisher({ ...publisher, out: path.join(publisher.root, 'dist') });
    expect(warningsOf(built)).toEqual([expect.stringMatching(/^lake-unclaimed-file/)]);
  });

  test('and what it holds wrongly of a dataset that is not asked for does not matter', async () => {
    const lake = { ...LAKE, [rainFile(2020, 'nation')]: rainfallRows(2020, 'nation') };
    const publisher = await writePublisher(await temporaryFolder(), undefined, lake);
    const built = await buildPublisher(publisher, { only: 'transit/*' });
    expect(warningsOf(built)).toEqual([]);
    expect(built.result).toMatchObject({ datasets: 1, rows: 6 });
  });
});

describe('lists of allowed values', () => {
  const library = (text: string) =>
    RAINFALL.replace('mustBe: 0 }\n      - name: manned', `mustBe: 0${text} }\n      - name: manned`);

  test('a rule that only warns lets other values pass, and tells of them', async () => {
    const publisher = await changed({
      [STATIONS]: `SELECT * REPLACE (CASE season WHEN 'dry' THEN 'monsoon' ELSE season END AS season) FROM (${base})`,
    });
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': library(', severity: warning') });
    const out = path.join(publisher.root, 'dist');
    const built = await buildPublisher({ ...publisher, out });
    const notices = built.events.flatMap(event => (event.kind === 'notices' ? event.outcomes : []));
    expect(notices.map(one => [one.outcome.check.name, one.outcome.result, one.outcome.found])).toEqual([
      ['seasons', 'warned', 6],
    ]);
    await verify(out);
  });
});
