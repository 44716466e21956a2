/**
 * A publisher whose datasets have other times than years: days, months, quarters, moments and none. The air
 * office of a country that doesn't exist.
 */
import { column, datasetContract, dimension, stored } from './contract-text.ts';

function contract(
  topic: string,
  years: string,
  table: Readonly<Record<string, string>>,
  columns: readonly string[],
): string {
  const title = `${topic[0]?.toUpperCase()}${topic.slice(1)} of Arcadia`;
  const own = { title, summary: `Invented ${topic}.`, ...(years === '' ? {} : { year_range: years }) };
  return datasetContract(`air.${topic}`, columns, table, own);
}

const NATION = '[nation]';
/** Properties of a table of stations. */
const AT_STATIONS = {
  detail_levels: '[stations]',
  foreign_keys:
    '[{ column: station_code, target_object: stations, target_columns: [station_code], attribute_columns: [station_name] }]',
};
const STATION = column('station_code', 'string', 'fk_station', true);

/** Days of 2023 and 2024 at six stations; the column `pm25_min` has the name of a range of `pm25`. */
export const READINGS = contract(
  'readings',
  '2023-2024',
  { ...AT_STATIONS, grain: '[date, station_code]', key_metric: 'pm25' },
  [
    column('date', 'date', 'time', true),
    STATION,
    column('pm25', 'number', 'metric'),
    column('pm25_min', 'number', 'metric'),
    column('samples', 'integer', 'metric', true),
    column('calibrated_on', 'date', 'categorical'),
    column('note', 'string', 'metric'),
  ],
);

/** Months of two years for the whole country, as dates of their first days. */
export const MONTHS = contract(
  'months',
  '2023-2024',
  { detail_levels: NATION, grain: '[month]', key_metric: 'pm25' },
  [column('month', 'date', 'time', true, { time_unit: 'month' }), column('pm25', 'number', 'metric')],
);

/** Quarters as texts, with an axis that has a total. */
export const QUARTERS = contract(
  'quarters',
  '2022-2024',
  { detail_levels: NATION, grain: '[quarter, source]', key_metric: 'tonnes' },
  [
    column('quarter', 'string', 'time', true, { time_unit: 'quarter' }),
    `${column('source', 'string', 'categorical', true, { has_total: 'true' })}
        quality:
          - { name: sources, type: library, metric: invalidValues, arguments: { validValues: [all, traffic, heating] }, mustBe: 0 }`,
    column('tonnes', 'number', 'metric'),
  ],
);

/** Moments in UTC, with microseconds. */
export const ALARMS = contract(
  'alarms',
  '2023-2024',
  { ...AT_STATIONS, grain: '[raised_at, station_code]', key_metric: 'peak' },
  [
    column('raised_at', stored('timestamp', 'timestamp with time zone'), 'time', true),
    STATION,
    column('logged_at', 'timestamp', 'metric'),
    column('peak', 'number', 'metric'),
  ],
);

/** One slice without time. */
export const INSTRUMENTS = contract(
  'instruments',
  '',
  { ...AT_STATIONS, grain: '[station_code, instrument]', key_metric: 'height_m' },
  [
    STATION,
    column('instrument', 'string', 'categorical', true),
    column('height_m', 'number', 'metric'),
    column('bought_on', 'date', 'metric'),
  ],
);

const STATIONS = dimension('air', 'stations', ['station_code'], 'station_name');

export const AIR_CONTRACTS: Readonly<Record<string, string>> = {
  'publisher.yaml':
    'service: Air of Arcadia\ndescription: Invented air of a country that does not exist.\nlicense: CC0-1.0\n',
  '_dimensions/stations.odcs.yaml': STATIONS,
  'air/readings.odcs.yaml': READINGS,
  'air/months.odcs.yaml': MONTHS,
  'air/quarters.odcs.yaml': QUARTERS,
  'air/alarms.odcs.yaml': ALARMS,
  'air/instruments.odcs.yaml': INSTRUMENTS,
};

const STATION_ROWS =
  "SELECT 'st' || i AS station_code, 'Station ' || i AS station_name FROM range(1, 7) t(i)";

/** A wave over the year, rounded to one decimal. */
const wave = (day: string, shift = '0') => `round(20 + 12 * sin(${day} / 58.0 + ${shift}), 1)`;

/** Dates are DATE in one year and ISO text in the other, as in lakes of several makers. */
function readingRows(year: number): string {
  const date = year === 2023 ? "strftime(day, '%Y-%m-%d')" : 'day::DATE';
  return `SELECT ${date} AS date, station_code,
      CASE WHEN (epoch(day) / 86400 + i) % 41 = 0 THEN NULL ELSE ${wave('dayofyear(day)', 'i')} END AS pm25,
      ${wave('dayofyear(day)', 'i')} - 5 AS pm25_min, (i * 10 + dayofyear(day) % 7)::BIGINT AS samples,
      CASE WHEN i > 2 THEN make_date(${year}, i, 1) END AS calibrated_on,
      CASE WHEN dayofyear(day) % 50 = 0 THEN 'A "dusty" day, in full' END AS note
    FROM range(TIMESTAMP '${year}-01-01', TIMESTAMP '${year + 1}-01-01', INTERVAL 1 DAY) d(day),
      (SELECT 'st' || i AS station_code, i FROM range(1, 7) t(i)) ORDER BY hash(day), i`;
}

/** The moments of a year differ by parts of a second and are on both sides of midnight. */
function alarmRows(year: number): string {
  return `SELECT TIMESTAMPTZ '${year}-12-31 23:59:59.5+00' - INTERVAL (n * 7919) MINUTE - INTERVAL (n % 3 * 250) MILLISECOND AS raised_at,
      'st' || (1 + n % 6) AS station_code,
      CASE WHEN n % 4 > 0 THEN TIMESTAMP '${year}-06-01 08:00:00' + INTERVAL (n) MICROSECOND END AS logged_at,
      n * 1.5 AS peak FROM range(0, 60) t(n)`;
}

export const AIR_LAKE: Readonly<Record<string, string>> = {
  'air/_dimensions/stations.parquet': STATION_ROWS,
  'air/readings/year=2023/stations.parquet': readingRows(2023),
  'air/readings/year=2024/stations.parquet': readingRows(2024),
  ...Object.fromEntries(
    [2023, 2024].flatMap(year => [
      [
        `air/months/year=${year}/nation.parquet`,
        `SELECT make_date(${year}, m, 1) AS month, ${wave('m * 30')} AS pm25 FROM range(1, 13) t(m)`,
      ],
      [`air/alarms/year=${year}/stations.parquet`, alarmRows(year)],
    ]),
  ),
  ...Object.fromEntries(
    [2022, 2023, 2024].map(year => [
      `air/quarters/year=${year}/nation.parquet`,
      `SELECT '${year}-Q' || q AS quarter, source, CASE WHEN q = 2 AND source = 'heating' THEN NULL ELSE q * share + ${year - 2000} END AS tonnes
        FROM range(1, ${year === 2024 ? 4 : 5}) t(q), (VALUES ('all', 10.0), ('traffic', 6.5), ('heating', 3.5)) s(source, share)`,
    ]),
  ),
  'air/instruments/stations.parquet':
    "SELECT 'st' || i AS station_code, instrument, i * 1.5 AS height_m, CASE WHEN i > 1 THEN make_date(2010 + i, 5, 17) END AS bought_on FROM range(1, 7) t(i), (VALUES ('pm'), ('ozone')) s(instrument)",
};
