/** Lakes that other software writes: in parts, with wider types, the year only in the folder, odd names. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contents } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import {
  duckdb,
  newPublisher,
  quoted,
  temporaryFolder,
  writePublisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import {
  CLIMATE_CONTRACTS as CLIMATE,
  CLIMATE_LAKE,
  RAINFALL,
  rainFile,
  rainfallRows,
} from '../publishers/weather.ts';

const TEMPLATE = 'climate/rainfall/year={year}/{detail}.parquet';
const DIMENSIONS = Object.entries(CLIMATE_LAKE).filter(([name]) => !name.includes('year='));
const FACTS = Object.entries(CLIMATE_LAKE).filter(([name]) => name.includes('year='));

type Lake = Readonly<Record<string, string>>;

/** The lake with its facts in files of these names, each with a SELECT of the rows of a slice. */
function facts(
  nameOf: (year: string, level: string) => string,
  rewrite = (rows: string, _year: string) => rows,
) {
  return Object.fromEntries(
    FACTS.map(([name, rows]) => {
      const [, year = '', level = ''] = /year=(\d+)\/(\w+)/.exec(name) ?? [];
      return [nameOf(year, level), rewrite(rows, year)];
    }),
  );
}
const inPlace = (year: string, level: string) => `climate/rainfall/year=${year}/${level}.parquet`;

async function rowFiles(out: string): Promise<Record<string, string>> {
  const all = Object.entries(await contents(out));
  return Object.fromEntries(
    all.filter(([name]) => /climate.*(\.(csv|parquet)$|(year=|rows).*json$)/.test(name)),
  );
}

const writeClimate = async (lake: Lake, template = TEMPLATE, root = '') =>
  writePublisher(
    path.join(await temporaryFolder(), root),
    { ...CLIMATE, 'rain/rainfall.yaml': RAINFALL.replace(TEMPLATE, template) },
    { ...Object.fromEntries(DIMENSIONS), ...lake },
  );

/** Hashes of every file of rows of the plain lake of the climate. */
const expected = await rowFiles((await keptWeather()).out);

describe('the same rows give the same files', () => {
  const TYPES: Readonly<Record<string, string>> = {
    2019: '* REPLACE (year::BIGINT AS year, wet_days::HUGEINT::BIGINT AS wet_days, readings::UBIGINT AS readings, rain_mm::DECIMAL(9, 1) AS rain_mm)',
    2021: 'note, season, * EXCLUDE (note, season) REPLACE (year::USMALLINT AS year, wet_days::UTINYINT AS wet_days, readings::SMALLINT AS readings, rain_mm::DECIMAL(9, 2) AS rain_mm)',
    2022: "* EXCLUDE (year) REPLACE (season::ENUM ('wet', 'all', 'dry') AS season)",
  };
  const parts = ['all', 'wet', 'dry'].map((season, i) =>
    facts(
      (year, level) => `climate/rainfall/level=${level}/year=${year}/part-0000${i}-5b2c.snappy.parquet`,
      rows => `SELECT * EXCLUDE (year) FROM (${rows}) WHERE season = '${season}'`,
    ),
  );
  const HOSTILE = 'it\'s a "lake" [x]/a[0-9]*b?{c,d}/-läke 湖;100%$HOME';

  test.each<[what: string, lake: Lake, template?: string, root?: string]>([
    [
      'each year in types and in an order of its own, and one in the folder alone',
      facts(inPlace, (rows, year) => `SELECT ${TYPES[year]} FROM (${rows})`),
    ],
    [
      'in parts, as Spark writes them',
      Object.assign({}, ...parts),
      'climate/rainfall/level={detail}/year={year}/part-*.snappy.parquet',
    ],
    [
      'in files without an extension, as Trino writes them',
      facts((year, level) => `climate/rainfall/year=${year}/level=${level}/20310517_00007_abcde`),
      'climate/rainfall/year={year}/level={detail}/*',
    ],
    [
      'with the year twice in the path',
      facts((year, level) => `rain/${year}/rain_${year}_${level}.parquet`),
      'rain/{year}/rain_{year}_{detail}.parquet',
    ],
    ['in a folder of hostile names', facts(inPlace), TEMPLATE, HOSTILE],
  ])('%s', async (_, lake, template, root) => {
    const publisher = await writeClimate(lake, template, root);
    const [name = ''] = Object.keys(lake);
    await writeTexts(publisher.data, {
      'climate/rainfall/_SUCCESS': '',
      [`${path.dirname(name)}/.${path.basename(name)}.crc`]: 'crc',
    });
    await publisher.build({ strict: true });
    expect(await rowFiles(publisher.out)).toEqual(expected);
  });

  test("as Spark's partitionBy leaves them, dimensions as folders too", async () => {
    const template = 'climate/rainfall/year={year}/level={detail}/*.parquet';
    const contracts = { ...CLIMATE, 'rain/rainfall.yaml': RAINFALL.replace(TEMPLATE, template) };
    const publisher = await newPublisher(contracts, {});
    const rows = FACTS.map(([name, select]) => {
      const level = path.basename(name, '.parquet');
      return `SELECT *, '${level}' AS level FROM (${select})`;
    });
    const target = path.join(publisher.data, 'climate/rainfall');
    await mkdir(path.dirname(target), { recursive: true });
    await duckdb(
      `COPY (${rows.join(' UNION ALL ')}) TO ${quoted(target)} (FORMAT parquet, PARTITION_BY (year, level), FILENAME_PATTERN 'part-{uuid}.c000')`,
    );
    const slice = 'climate/rainfall/year=2021/level=stations';
    const empty = `SELECT * EXCLUDE (year) FROM (${rainfallRows(2021, 'stations')}) LIMIT 0`;
    await publisher.writeRows({
      [`${slice}/part-00007-5b2c.c000.snappy.parquet`]: empty,
      ...Object.fromEntries(DIMENSIONS.map(([name, select]) => [`${name}/part-00000-77aa.parquet`, select])),
    });
    await writeTexts(publisher.data, {
      'climate/_dimensions/stations.parquet/_SUCCESS': '',
      'climate/_dimensions/stations.parquet/.part-00000-77aa.parquet.crc': 'crc',
    });
    await publisher.build({ strict: true });
    expect(await rowFiles(publisher.out)).toEqual(expected);

    // Leftovers of a running job, or of one that met NULLs, aren't rows.
    const nothing = 'climate/rainfall/year=__HIVE_DEFAULT_PARTITION__/level=nation/part-0.parquet';
    const unlevelled = 'climate/rainfall/year=2021/level=__HIVE_DEFAULT_PARTITION__/part-0.parquet';
    await publisher.writeRows({
      'climate/_dimensions/stations.parquet/part-00001-77aa.parquet':
        CLIMATE_LAKE['climate/_dimensions/stations.parquet'] ?? '',
      [nothing]: empty,
      [unlevelled]: empty,
      [`${slice}/_part-00009.parquet`]: empty,
    });
    const { diagnostics } = await publisher.refusal();
    expect(diagnostics.map(({ code, file, severity }) => `${severity} ${code} ${file}`).sort()).toEqual([
      'error lake-dimension-files climate/_dimensions/stations.parquet',
      `error lake-null-partition ${nothing}`,
      `error lake-unknown-level ${unlevelled}`,
      `warning lake-unclaimed-file ${slice}/_part-00009.parquet`,
    ]);
  });
});

test('whole numbers in one year or part and fractions in the next lose nothing in any file', async () => {
  const of = (year: number, replaced: string, part = '', where = 'true') => ({
    [rainFile(year, `nation${part}`)]:
      `SELECT * REPLACE (${replaced}) FROM (${rainfallRows(year, 'nation')}) WHERE ${where}`,
  });
  const slices = {
    ...of(2019, '7::INTEGER AS rain_mm, readings::SMALLINT AS readings'),
    ...of(2021, '9::INTEGER AS rain_mm', '-0', "season = 'all'"),
    ...of(2021, '4.2::FLOAT AS rain_mm, 5000000000 AS readings', '-1', "season = 'dry'"),
    ...of(2021, '7.5::DECIMAL(4, 2) AS rain_mm', '-2', "season = 'wet'"),
    ...of(2022, '7.25::DOUBLE AS rain_mm'),
  };
  const publisher = await writeClimate(slices, TEMPLATE.replace('{detail}', '{detail}*'));
  await publisher.build();
  const folder = path.join(publisher.out, 'api/v1/climate/rainfall');
  const found = async (file: string) =>
    (await duckdb(`SELECT year, rain_mm, readings FROM ${quoted(path.join(folder, file))} ORDER BY ALL`)).map(
      row => Object.values(row).join(' '),
    );
  const of2021 = ['2021 4.2 5000000000', '2021 7.5 2000', '2021 9 3000'];
  expect(await found('year=2021/nation.csv')).toEqual(of2021);
  expect(await found('_copies/nation.parquet')).toEqual([
    ...['2019 7 1000', '2019 7 2000', '2019 7 3000', ...of2021],
    ...['2022 7.25 1000', '2022 7.25 2000', '2022 7.25 3000'],
  ]);
  await publisher.verify();
});

test('a part of a key that the dimension does not have is refused, though another part is NULL', async () => {
  // Stations without their region: the join has nothing to compare, and the code must still exist.
  const level = '{ property: default_detail, value: regions }';
  const keys = `${level}\n      - { property: level_keys, value: { stations: [station_code], regions: [region_code], nation: [] } }`;
  const publisher = await newPublisher(
    { ...CLIMATE, 'rain/rainfall.yaml': RAINFALL.replace(level, keys) },
    Object.fromEntries([...DIMENSIONS, ...FACTS.filter(([name]) => !name.includes('stations.p'))]),
  );
  const write = (code: string) =>
    publisher.writeRows({
      [rainFile(2021, 'stations')]:
        `SELECT * REPLACE (NULL::VARCHAR AS region_code, ${code} AS station_code) FROM (${rainfallRows(2021, 'stations')}) WHERE region_code = 'n'`,
    });
  await write('station_code');
  await publisher.build();
  await write("'st7' || station_code");
  const { failures } = await publisher.refusal();
  expect(failures.map(one => [one.outcome.check.name, one.outcome.found])).toEqual([
    ['station_code_known', 9],
  ]);
});
