/** Lakes as other software writes them: in parts, with wider types, the year only in the folder, odd names. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPublisher, contents, refusal, verify } from '../publishers/built-tree.ts';
import { keptClimate } from '../publishers/kept-weather.ts';
import {
  duckdb,
  quoted,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import {
  CLIMATE_CONTRACTS as CLIMATE,
  CLIMATE_LAKE,
  RAINFALL,
  rainFile,
  rainfallRows,
} from '../publishers/weather.ts';

const YEARS = [2019, 2021, 2022];
const LEVELS = ['stations', 'regions', 'nation'];

/** Bytes of every file of rows, as the plain lake gives them. */
let expected: Record<string, string>;
beforeAll(async () => {
  expected = await rowFiles((await keptClimate()).out);
});

async function rowFiles(out: string): Promise<Record<string, string>> {
  const all = Object.entries(await contents(out));
  return Object.fromEntries(all.filter(([name]) => /\.(csv|parquet)$|(year=|rows).*json$/.test(name)));
}

describe('the same rows give the same files', () => {
  /** Fact files of the lake, rewritten; `of` is a part of their names. */
  const facts = (rewrite: (rows: string) => string, of = 'year=') =>
    Object.fromEntries(
      Object.entries(CLIMATE_LAKE)
        .filter(([name]) => name.includes(of))
        .map(([name, rows]) => [name, rewrite(rows)]),
    );
  const CASES: readonly (readonly [what: string, lake: Record<string, string>])[] = [
    [
      'each year in types and in an order of its own, and one in the folder alone',
      {
        ...facts(
          rows =>
            `SELECT * REPLACE (year::BIGINT AS year, wet_days::HUGEINT::BIGINT AS wet_days, readings::UBIGINT AS readings, rain_mm::DECIMAL(9, 1) AS rain_mm) FROM (${rows})`,
          'year=2019',
        ),
        ...facts(
          rows =>
            `SELECT note, season, * EXCLUDE (note, season) REPLACE (year::USMALLINT AS year, wet_days::UTINYINT AS wet_days, readings::SMALLINT AS readings, rain_mm::DECIMAL(9, 2) AS rain_mm) FROM (${rows})`,
          'year=2021',
        ),
        ...facts(rows => `SELECT * EXCLUDE (year) FROM (${rows})`, 'year=2022'),
      },
    ],
    [
      'texts as ENUMs',
      facts(rows => `SELECT * REPLACE (season::ENUM ('wet', 'all', 'dry') AS season) FROM (${rows})`),
    ],
    [
      'columns in another order, and the year in the folder alone',
      facts(rows => `SELECT note, season, * EXCLUDE (note, season, year) FROM (${rows})`),
    ],
  ];

  test.each(CASES)('%s', async (_, lake) => {
    const publisher = await writePublisher(await temporaryFolder(), CLIMATE, { ...CLIMATE_LAKE, ...lake });
    await buildPublisher(publisher);
    expect(await rowFiles(publisher.out)).toEqual(expected);
  });

  test('in parts, as Spark writes them, with what else Spark leaves', async () => {
    const contract = RAINFALL.replace(
      'climate/rainfall/year={year}/{detail}.parquet',
      'climate/rainfall/level={detail}/year={year}/part-*.snappy.parquet',
    );
    const parts = YEARS.flatMap(year =>
      LEVELS.flatMap(level =>
        ['all', 'wet', 'dry'].map((season, i): [string, string] => [
          `climate/rainfall/level=${level}/year=${year}/part-0000${i}-5b2c.snappy.parquet`,
          `SELECT * EXCLUDE (year) FROM (${rainfallRows(year, level)}) WHERE season = '${season}'`,
        ]),
      ),
    );
    const dimensions = Object.entries(CLIMATE_LAKE).filter(([name]) => !name.includes('year='));
    const publisher = await writePublisher(
      await temporaryFolder(),
      { ...CLIMATE, 'rain/rainfall.yaml': contract },
      Object.fromEntries([...dimensions, ...parts]),
    );
    await writeTexts(publisher.data, {
      'climate/rainfall/_SUCCESS': '',
      'climate/rainfall/level=nation/year=2021/.part-00000-5b2c.snappy.parquet.crc': 'crc',
    });
    await buildPublisher(publisher, { strict: true });
    const own = /schema\.json|contract|"schema_hash"/;
    const found = await rowFiles(publisher.out);
    expect(Object.keys(found).filter(name => !own.test(name))).toEqual(Object.keys(expected));
    expect(found).toEqual(expected);
  });

  test('in files without an extension, as Trino writes them', async () => {
    const contract = RAINFALL.replace(
      'climate/rainfall/year={year}/{detail}.parquet',
      'climate/rainfall/year={year}/level={detail}/*',
    );
    const lake = Object.entries(CLIMATE_LAKE).map(([name, rows], i) => [
      name.replace(/(year=\d+)\/(\w+)\.parquet$/, `$1/level=$2/20310517_${i}_00007_abcde`),
      rows,
    ]);
    const publisher = await writePublisher(
      await temporaryFolder(),
      { ...CLIMATE, 'rain/rainfall.yaml': contract },
      Object.fromEntries(lake),
    );
    await writeTexts(publisher.data, {
      'climate/rainfall/year=2021/level=nation/_SUCCESS': '',
      'climate/rainfall/year=2021/level=nation/.20310517.crc': 'crc',
    });
    await buildPublisher(publisher, { strict: true });
    expect(await rowFiles(publisher.out)).toEqual(expected);
  });

  test("as Spark's partitionBy leaves them, dimensions as folders too", async () => {
    const contract = RAINFALL.replace(
      'climate/rainfall/year={year}/{detail}.parquet',
      'climate/rainfall/year={year}/level={detail}/*.parquet',
    );
    const publisher = await writePublisher(
      await temporaryFolder(),
      { ...CLIMATE, 'rain/rainfall.yaml': contract },
      {},
    );
    const rows = YEARS.flatMap(year =>
      LEVELS.map(level => `SELECT *, '${level}' AS level FROM (${rainfallRows(year, level)})`),
    );
    const target = path.join(publisher.data, 'climate/rainfall');
    await mkdir(path.dirname(target), { recursive: true });
    await duckdb(
      `COPY (${rows.join(' UNION ALL ')}) TO ${quoted(target)} (FORMAT parquet, PARTITION_BY (year, level), FILENAME_PATTERN 'part-{uuid}.c000')`,
    );
    const slice = 'climate/rainfall/year=2021/level=stations';
    const empty = `SELECT * EXCLUDE (year) FROM (${rainfallRows(2021, 'stations')}) LIMIT 0`;
    await writeRows(publisher.data, {
      [`${slice}/part-00007-5b2c.c000.snappy.parquet`]: empty,
      'climate/_dimensions/stations.parquet/part-00000-77aa.c000.snappy.parquet':
        CLIMATE_LAKE['climate/_dimensions/stations.parquet'] ?? '',
      '_dimensions/regions.parquet/part-00000-77ab.c000.snappy.parquet':
        CLIMATE_LAKE['_dimensions/regions.parquet'] ?? '',
    });
    await writeTexts(publisher.data, {
      'climate/rainfall/_SUCCESS': '',
      'climate/rainfall/._SUCCESS.crc': 'crc',
      [`${slice}/.part-00007-5b2c.c000.snappy.parquet.crc`]: 'crc',
      'climate/_dimensions/stations.parquet/_SUCCESS': '',
      'climate/_dimensions/stations.parquet/.part-00000-77aa.c000.snappy.parquet.crc': 'crc',
    });
    await buildPublisher(publisher, { strict: true });
    expect(await rowFiles(publisher.out)).toEqual(expected);
    await verify(publisher.out);

    // What a job that is still running, or that met NULLs, leaves is not taken for rows.
    const part = CLIMATE_LAKE['climate/_dimensions/stations.parquet'] ?? '';
    const nothing = 'climate/rainfall/year=__HIVE_DEFAULT_PARTITION__/level=nation/part-0.parquet';
    const unlevelled = 'climate/rainfall/year=2021/level=__HIVE_DEFAULT_PARTITION__/part-0.parquet';
    await writeRows(publisher.data, {
      'climate/_dimensions/stations.parquet/part-00001-77aa.c000.snappy.parquet': part,
      [nothing]: empty,
      [unlevelled]: empty,
      [`${slice}/_part-00009.parquet`]: empty,
    });
    const { diagnostics } = await refusal(publisher);
    expect(diagnostics.map(({ code, file, severity }) => `${severity} ${code} ${file}`).sort()).toEqual([
      'error lake-dimension-files climate/_dimensions/stations.parquet',
      `error lake-null-partition ${nothing}`,
      `error lake-unknown-level ${unlevelled}`,
      `warning lake-unclaimed-file ${slice}/_part-00009.parquet`,
    ]);
  });

  test('in a folder of hostile names', async () => {
    const name = 'it\'s a "lake" [x]/a[0-9]*b?{c,d}/-läke 湖;100%$HOME';
    const publisher = await writePublisher(path.join(await temporaryFolder(), name), CLIMATE, CLIMATE_LAKE);
    await buildPublisher(publisher, { only: 'climate/*' });
    expect(await rowFiles(publisher.out)).toEqual(expected);
    await verify(publisher.out);
  });

  test('with the year twice in the path', async () => {
    const template = 'rain/{year}/rain_{year}_{detail}.parquet';
    const contract = RAINFALL.replace('climate/rainfall/year={year}/{detail}.parquet', template);
    const lake = Object.fromEntries(
      Object.entries(CLIMATE_LAKE).map(([name, rows]) => {
        const [, year, level] = /year=(\d+)\/(\w+)/.exec(name) ?? [];
        return [year === undefined ? name : `rain/${year}/rain_${year}_${level}.parquet`, rows];
      }),
    );
    const publisher = await writePublisher(
      await temporaryFolder(),
      { ...CLIMATE, 'rain/rainfall.yaml': contract },
      lake,
    );
    await buildPublisher(publisher, { strict: true });
    expect(await rowFiles(publisher.out)).toEqual(expected);
  });
});

describe('types that change from year to year', () => {
  test('whole numbers in one year and fractions in the next lose nothing, in no file', async () => {
    const lake = {
      ...CLIMATE_LAKE,
      [rainFile(2019, 'nation')]:
        `SELECT * REPLACE (7::INTEGER AS rain_mm, readings::SMALLINT AS readings) FROM (${rainfallRows(2019, 'nation')})`,
      [rainFile(2021, 'nation')]:
        `SELECT * REPLACE (7.5::FLOAT AS rain_mm, 5000000000 AS readings) FROM (${rainfallRows(2021, 'nation')})`,
      [rainFile(2022, 'nation')]:
        `SELECT * REPLACE (7.25::DOUBLE AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`,
    };
    const publisher = await writePublisher(await temporaryFolder(), CLIMATE, lake);
    await buildPublisher(publisher);
    const history = path.join(publisher.out, 'api/v1/climate/rainfall/history/nation.parquet');
    const rows = await duckdb(
      `SELECT year, max(rain_mm) AS rain, max(readings)::DOUBLE AS readings FROM ${quoted(history)} GROUP BY year ORDER BY year`,
    );
    expect(rows).toEqual([
      { year: 2019, rain: 7, readings: 3000 },
      { year: 2021, rain: 7.5, readings: 5e9 },
      { year: 2022, rain: 7.25, readings: 3000 },
    ]);
    await verify(publisher.out);
  });

  test('and in the parts of one slice', async () => {
    const contract = RAINFALL.replace('{detail}.parquet', '{detail}-*.parquet');
    const part = (season: string, rain: string) =>
      `SELECT * REPLACE (${rain} AS rain_mm) FROM (${rainfallRows(2021, 'nation')}) WHERE season = '${season}'`;
    const lake = {
      ...Object.fromEntries(Object.entries(CLIMATE_LAKE).filter(([name]) => !name.includes('year='))),
      'climate/rainfall/year=2021/nation-0.parquet': part('all', '9::INTEGER'),
      'climate/rainfall/year=2021/nation-1.parquet': part('dry', '1.5::DOUBLE'),
      'climate/rainfall/year=2021/nation-2.parquet': part('wet', '7.5::DECIMAL(4, 2)'),
    };
    const publisher = await writePublisher(
      await temporaryFolder(),
      { ...CLIMATE, 'rain/rainfall.yaml': contract },
      lake,
    );
    await buildPublisher(publisher);
    const csv = await readFile(
      path.join(publisher.out, 'api/v1/climate/rainfall/year=2021/nation.csv'),
      'utf8',
    );
    const rain = csv
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split(',').slice(6, 10).join());
    expect(rain).toEqual(['all,,9,21', 'dry,,1.5,7', 'wet,,7.5,14']);
  });
});

describe('keys of several columns', () => {
  test('a part of a key that the dimension does not have is refused, though another part is NULL', async () => {
    // Stations without their region: the join has nothing to compare, and the code must still be one.
    const contract = RAINFALL.replace(
      '{ property: default_detail, value: regions }',
      '{ property: default_detail, value: regions }\n      - { property: level_keys, value: { stations: [station_code], regions: [region_code], nation: [] } }',
    );
    const rows = (code: string) =>
      `SELECT * REPLACE (NULL::VARCHAR AS region_code, ${code} AS station_code) FROM (${rainfallRows(2021, 'stations')}) WHERE region_code = 'n'`;
    const lake = (code: string) => ({
      ...Object.fromEntries(
        Object.entries(CLIMATE_LAKE).filter(
          ([name]) => !name.includes('stations.p') || name.includes('_dim'),
        ),
      ),
      [rainFile(2021, 'stations')]: rows(code),
    });
    const contracts = { ...CLIMATE, 'rain/rainfall.yaml': contract };
    const good = await writePublisher(await temporaryFolder(), contracts, lake('station_code'));
    await buildPublisher(good);
    await verify(good.out);
    const bad = await writePublisher(await temporaryFolder(), contracts, lake("'st7' || station_code"));
    const { failures } = await refusal(bad);
    expect(failures.map(one => [one.outcome.check.name, one.outcome.found])).toEqual([
      ['station_code_known', 9],
    ]);
  });
});
