/**
 * A publisher of its own, for the tests of a build: the weather office of a country that does not exist. Two
 * datasets in two domains, a global dimension that no domain owns, and a composite key.
 */
import { contractHead, dimension } from './contract-text.ts';

export const PUBLISHER = `service: Weather of Arcadia
description: Rain and trams of a country that does not exist.
license: CC0-1.0
attribution: Weather office of Arcadia
`;

/** Levels stations, regions and nation; 2019 to 2022 without 2020. */
export const RAINFALL = `apiVersion: v3.1.0
kind: DataContract
id: climate.rainfall
name: Rainfall
version: 1.2.0
status: active
domain: climate
tenant: arcadia
customProperties:
  - { property: title, value: Rainfall }
  - { property: summary, value: Rain of a season. }
  - { property: year_range, value: 2019-2022 }
  - { property: year_gaps, value: [2020] }
schema:
  - name: rainfall
    customProperties:
      - { property: detail_levels, value: [stations, regions, nation] }
      - { property: default_detail, value: regions }
      - { property: grain, value: [year, region_code, station_code, season] }
      - { property: key_metric, value: rain_mm }
      - { property: path_template, value: "climate/rainfall/year={year}/{detail}.parquet" }
      - property: foreign_keys
        value:
          - { column: region_code, target_object: regions, target_columns: [region_code] }
          - { column: station_code, target_object: stations, target_columns: [region_code, station_code] }
    properties:
      - name: year
        logicalType: integer
        physicalType: int
        required: true
        customProperties: [{ property: column_role, value: year }]
      - name: region_code
        logicalType: string
        customProperties: [{ property: column_role, value: fk_region }]
      - name: station_code
        logicalType: string
        customProperties: [{ property: column_role, value: fk_station }]
      - name: season
        logicalType: string
        required: true
        customProperties: [{ property: column_role, value: categorical }, { property: has_total, value: true }]
        quality:
          - { name: seasons, type: library, metric: invalidValues, arguments: { validValues: [all, wet, dry] }, mustBe: 0 }
      - name: manned
        logicalType: boolean
        customProperties: [{ property: column_role, value: categorical }]
      - name: rain_mm
        logicalType: number
        customProperties:
          - { property: column_role, value: metric }
          - { property: value_min, value: 0 }
          - { property: value_max, value: 9000 }
      - name: wet_days
        logicalType: integer
        physicalType: int
        customProperties: [{ property: column_role, value: metric }]
      - name: readings
        logicalType: integer
        physicalType: bigint
        required: true
        customProperties: [{ property: column_role, value: metric }]
      - name: note
        logicalType: string
        customProperties: [{ property: column_role, value: metric }]
    quality:
      - { name: some_rows, type: sql, query: "SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0 }
`;

/** Levels regions and nation; 2021 and 2022. Its second rule reads the other dataset. */
export const TRAMS = `${contractHead('transit.trams')}customProperties:
  - { property: year_range, value: 2021-2022 }
schema:
  - name: trams
    customProperties:
      - { property: detail_levels, value: [regions, nation] }
      - { property: grain, value: [year, region_code] }
      - { property: path_template, value: "transit/trams/year={year}/{detail}.parquet" }
      - property: foreign_keys
        value:
          - { column: region_code, target_object: regions, target_columns: [region_code] }
    properties:
      - name: year
        logicalType: integer
        required: true
        customProperties: [{ property: column_role, value: year }]
      - name: region_code
        logicalType: string
        customProperties: [{ property: column_role, value: fk_region }]
      - name: rides
        logicalType: integer
        customProperties: [{ property: column_role, value: metric }]
    quality:
      - { name: rides_in_rain, type: sql, query: "SELECT COUNT(*) FROM {object} t WHERE EXISTS (SELECT 1 FROM climate.rainfall r WHERE r.year = t.year AND r.rain_mm > 8000)", mustBe: 0 }
`;

export const REGIONS = `apiVersion: v3.1.0
kind: DataContract
id: dimensions.regions
version: 1.0.0
status: active
schema:
  - name: regions
    customProperties:
      - { property: entity_kind, value: dimension }
      - { property: scope, value: global }
    properties:
      - name: region_code
        logicalType: string
        primaryKey: true
        primaryKeyPosition: 1
        customProperties: [{ property: column_role, value: key }]
      - name: region_name
        logicalType: string
`;

const STATION = dimension('climate', 'stations', ['region_code', 'station_code'], 'station_name');
export const STATIONS = `${STATION}      - { name: height_m, logicalType: number }\n`;

/** Contracts by file name, in a layout of folders that is this publisher's own. */
export const CONTRACTS: Readonly<Record<string, string>> = {
  'publisher.yaml': PUBLISHER,
  'rain/rainfall.yaml': RAINFALL,
  'trams.odcs.yaml': TRAMS,
  'shared/regions.yaml': REGIONS,
  'shared/stations.yaml': STATIONS,
};

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

/** One of the two domains alone, where another would only take time. */
export const CLIMATE_CONTRACTS = Object.fromEntries(
  Object.entries(CONTRACTS).filter(([name]) => name !== 'trams.odcs.yaml'),
);
export const CLIMATE_LAKE = Object.fromEntries(
  Object.entries(LAKE).filter(([name]) => !name.startsWith('transit/')),
);

/** A contract that is no longer served: rows of it may be gone from the lake. */
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
      - { date: 2031-05-25, wrong: "A gauge leaked.", corrected: "Read again." }
`;

/** Rainfall, in which something was wrong. */
export const MISTAKEN = RAINFALL.replace('schema:\n', `${ERRATA}schema:\n`);

/** A contract that stays, and declares that years or levels of it are gone: `value` is what the property `withdrawn` says. */
export function withdrawing(contract: string, value: string): string {
  const property = `customProperties:\n  - { property: withdrawn, value: ${value} }\n`;
  return contract.replace('customProperties:\n', property).replace('version: 1.2.0', 'version: 2.0.0');
}
