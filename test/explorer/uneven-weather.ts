/**
 * The weather office in a year in which it changed its ways: since 2022 there is no total of all seasons, 2019 has no
 * wet season, and of 2021 the wet one is withheld. Manned stations are told from others, which means nothing of a
 * region. Trams are counted by line.
 */
import { CONTRACTS, LAKE, RAINFALL, rainFile, rainfallRows, TRAMS, tramRows } from '../publishers/weather.ts';

export const WITHHELD = 'The gauges were frozen.';
export const BREAKS = { stations: 2019, everywhere: 2021 } as const;

const SEMANTICS = '{ property: null_semantics, value: { suppressed_to_null: true, zero_is_real: false } }';
const METRIC = '- { property: value_max, value: 9000 }';

export const UNEVEN_CONTRACTS: Readonly<Record<string, string>> = {
  ...CONTRACTS,
  'rain/rainfall.yaml': RAINFALL.replace(
    METRIC,
    `${METRIC}
          - { property: null_meaning, value: "${WITHHELD}" }
          - property: series_breaks
            value:
              - { after: ${BREAKS.everywhere}, reason: "Another gauge." }
              - { after: ${BREAKS.stations}, levels: [stations], reason: "Stations moved." }`,
  )
    .replace('station_code, season]', 'station_code, season, manned]')
    .replace('{ property: key_metric', `${SEMANTICS}\n      - { property: key_metric`),
  'trams.odcs.yaml': TRAMS.replace(
    'grain, value: [year, region_code]',
    'grain, value: [year, region_code, line]',
  )
    .replace('{ property: grain,', '{ property: key_metric, value: rides }\n      - { property: grain,')
    .replace(
      '    quality:',
      `      - name: line
        logicalType: integer
        customProperties: [{ property: column_role, value: metric }]
    quality:`,
    ),
};

const SEASONS: Readonly<Record<number, string>> = {
  2019: "season <> 'wet'",
  2021: 'true',
  2022: "season <> 'all'",
};

const rainOf = (year: number, level: string) =>
  `SELECT * REPLACE (CASE WHEN season = 'wet' AND year = 2021 THEN NULL ELSE rain_mm END AS rain_mm)
    FROM (${rainfallRows(year, level)}) WHERE ${SEASONS[year]}`;

export const UNEVEN_LAKE: Readonly<Record<string, string>> = {
  ...LAKE,
  ...Object.fromEntries(
    Object.keys(SEASONS).flatMap(year =>
      ['stations', 'regions', 'nation'].map(level => [
        rainFile(Number(year), level),
        rainOf(Number(year), level),
      ]),
    ),
  ),
  ...Object.fromEntries(
    [2021, 2022].flatMap(year =>
      ['regions', 'nation'].map(level => [
        `transit/trams/year=${year}/${level}.parquet`,
        `SELECT *, unnest([1, 2])::INTEGER AS line FROM (${tramRows(year, level)})`,
      ]),
    ),
  ),
};
