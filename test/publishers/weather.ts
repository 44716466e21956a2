/**
 * A publisher of its own, for the tests of a build: the weather office of a country that does not exist. Two datasets in
 * two domains, a global dimension that no domain owns, and a composite key. The rainfall has levels stations, regions
 * and nation, and 2019 to 2022 without 2020; the trams have levels regions and nation, and 2021 and 2022.
 */
import { readContracts } from './contract-text.ts';

/** Contracts by file name, in a layout of folders that is this publisher's own. */
export const CONTRACTS: Readonly<Record<string, string>> = readContracts('publishers/weather');

const contract = (name: string) => CONTRACTS[name] ?? '';
export const PUBLISHER = contract('publisher.yaml');
export const RAINFALL = contract('rain/rainfall.yaml');
/** Its second rule reads the rainfall. */
export const TRAMS = contract('trams.odcs.yaml');
export const REGIONS = contract('shared/regions.yaml');
export const STATIONS = contract('shared/stations.yaml');

const REGION_ROWS = "SELECT * FROM (VALUES ('n', 'North'), ('s', 'South')) t(region_code, region_name)";
const STATION_ROWS =
  "SELECT r AS region_code, 'st' || i AS station_code, 'Station ' || upper(r) || i AS station_name, i * 10.5 AS height_m FROM (VALUES ('n'), ('s')) a(r), range(1, 4) b(i)";

/** A SELECT of the rows of one slice, in no particular order, in the contract's own types. */
export function rainfallRows(year: number, level: string): string {
  const places =
    level === 'stations'
      ? `SELECT region_code, station_code FROM (${STATION_ROWS})`
      : level === 'regions'
        ? `SELECT region_code, NULL::VARCHAR AS station_code FROM (${REGION_ROWS})`
        : 'SELECT NULL::VARCHAR AS region_code, NULL::VARCHAR AS station_code';
  return `SELECT ${year}::INTEGER AS year, region_code, station_code, season,
      CASE WHEN station_code IS NULL THEN NULL ELSE station_code = 'st1' END AS manned,
      (${year % 100} * 10.1 + n)::DOUBLE AS rain_mm, (n * 7)::INTEGER AS wet_days, (n * 1000)::BIGINT AS readings,
      CASE WHEN season = 'all' THEN 'A "year", in full' END AS note
    FROM (${places}) p, (VALUES ('all', 3), ('wet', 2), ('dry', 1)) s(season, n) ORDER BY season, region_code DESC, station_code DESC`;
}

export function tramRows(year: number, level: string): string {
  const place =
    level === 'regions' ? `SELECT region_code FROM (${REGION_ROWS})` : 'SELECT NULL::VARCHAR AS region_code';
  return `SELECT ${year}::INTEGER AS year, region_code, 500::BIGINT AS rides FROM (${place})`;
}

export const RAIN_YEARS = [2019, 2021, 2022] as const;

/** SELECTs by the lake path of the file that they fill. */
export const LAKE: Readonly<Record<string, string>> = {
  '_dimensions/regions.parquet': REGION_ROWS,
  'climate/_dimensions/stations.parquet': STATION_ROWS,
  ...Object.fromEntries(
    RAIN_YEARS.flatMap(year =>
      ['stations', 'regions', 'nation'].map(level => [rainFile(year, level), rainfallRows(year, level)]),
    ),
  ),
  ...Object.fromEntries(
    [2021, 2022].flatMap(year =>
      ['regions', 'nation'].map(level => [
        `transit/trams/year=${year}/${level}.parquet`,
        tramRows(year, level),
      ]),
    ),
  ),
};

export function rainFile(year: number, level: string): string {
  return `climate/rainfall/year=${year}/${level}.parquet`;
}

/** Only one of the two domains, which is faster. */
export const CLIMATE_CONTRACTS = Object.fromEntries(
  Object.entries(CONTRACTS).filter(([name]) => name !== 'trams.odcs.yaml'),
);
export const CLIMATE_LAKE = Object.fromEntries(
  Object.entries(LAKE).filter(([name]) => !name.startsWith('transit/')),
);

/** A contract that is no longer served; its rows may be gone from the lake. */
export function withdrawn(contract: string, replacement: string | null = null): string {
  const use = replacement === null ? '' : `, replacement: ${replacement}`;
  const property = `  - { property: withdrawn, value: { date: 2031-06-01, reason: "Nobody counts any more."${use} } }\n`;
  const list = /^customProperties:\n/m;
  const retired = contract.replace('status: active', 'status: retired');
  return list.test(retired)
    ? retired.replace(list, `customProperties:\n${property}`)
    : retired.replace('status: retired\n', `status: retired\ncustomProperties:\n${property}`);
}

const ERRATA = `  - property: errata
    value:
      - { date: 2031-05-20, wrong: "Snow was counted as rain.", corrected: "It is left out.", years: [2021], levels: [stations], columns: [rain_mm] }
      - { date: 2031-05-25, wrong: "A <gauge> leaked.", corrected: "Read again." }
`;

/** Rainfall, in which something was wrong. */
export const MISTAKEN = RAINFALL.replace('schema:\n', `${ERRATA}schema:\n`);

/** The regions of a year with other wet days in one region. */
export const wetDays = (days: number, region = 'n', year = 2021) => ({
  [rainFile(year, 'regions')]:
    `SELECT * REPLACE (CASE region_code WHEN '${region}' THEN ${days} ELSE wet_days END AS wet_days) FROM (${rainfallRows(year, 'regions')})`,
});

/** Trams that are withdrawn for the rainfall. */
export const GONE = withdrawn(TRAMS, 'climate/rainfall');

/** A contract that stays, and declares that years or levels are gone. `value` is the value of the property `withdrawn`. */
export function withdrawing(contract: string, value: string): string {
  const property = `customProperties:\n  - { property: withdrawn, value: ${value} }\n`;
  return contract.replace('customProperties:\n', property).replace('version: 1.2.0', 'version: 2.0.0');
}
