/** A publisher whose contract has rules of every kind, and rows that may break them. */
import { column, datasetContract } from '../publishers/contract-text.ts';
import { PUBLISHER } from '../publishers/weather.ts';

const rule = (name: string, text: string) => `
      - { name: ${name}, ${text} }`;

const sql = (query: string) => `type: sql, query: ${JSON.stringify(query)}`;

/** Rules of every kind; some stop a build. Two levels with the same keys. */
export const TIDES = `${datasetContract(
  'sea.tides',
  [
    column('year', 'integer', 'year', true),
    column('place', 'string', 'categorical', true),
    column('hour', 'integer', 'categorical', true),
    column('height', 'number', 'metric'),
    column('note', 'string', 'metric'),
  ],
  { detail_levels: '[coast, ports]', grain: '[year, place, hour]' },
  { year_range: '2001-2004' },
)}    quality:${[
  rule('low', `${sql('SELECT COUNT(*) FROM {object} WHERE height < 0')}, mustBe: 0, severity: warning`),
  rule('high', `${sql('SELECT COUNT(*) FROM {object} WHERE height > 90')}, mustBeLessThan: 3`),
  rule('mean', `${sql('SELECT AVG(height) FROM {object}')}, mustBeBetween: [0, 50], severity: warning`),
  rule(
    'twice',
    'type: library, metric: duplicateValues, arguments: { properties: [year, height] }, mustBe: 0, severity: warning',
  ),
  rule(
    'ever',
    'type: library, metric: duplicateValues, arguments: { properties: [height] }, mustBeLessThan: 12, severity: warning',
  ),
  rule('many', 'type: library, metric: rowCount, mustBeGreaterThan: 15, severity: warning'),
  rule(
    'words',
    'type: library, metric: missingValues, arguments: { properties: [note] }, mustBeLessThan: 4, severity: warning',
  ),
].join('')}
`;

export const TIDE_CONTRACTS = { 'publisher.yaml': PUBLISHER, 'tides.yaml': TIDES };
const FOLDER = 'sea/tides';
export const tideFile = (year: number, level: string) => `${FOLDER}/year=${year}/${level}.parquet`;

/** Rows of one slice. Heights differ by year and by row. */
export function tideRows(year: number, level: string, change = ''): string {
  const place = level === 'coast' ? 'all' : 'port';
  const first = (year % 100) * 10 + (level === 'coast' ? 0 : 5);
  const rows = `SELECT ${year}::BIGINT AS year, '${place}' AS place, h::BIGINT AS hour, (${first} + h)::DOUBLE AS height, 'n' AS note FROM range(0, 3) r(h)`;
  return change === '' ? rows : `SELECT * REPLACE (${change}) FROM (${rows})`;
}

export const TIDE_SLICES = [2001, 2002, 2003, 2004].flatMap(year =>
  ['coast', 'ports'].map(level => ({ year, level, file: tideFile(year, level) })),
);
export const TIDE_LAKE = Object.fromEntries(
  TIDE_SLICES.map(({ year, level, file }) => [file, tideRows(year, level)]),
);
