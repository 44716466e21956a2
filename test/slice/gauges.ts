/** A publisher whose histories have many row groups: gauges of rivers that do not exist. */
import { column, dimension } from '../publishers/contract-text.ts';
import { PUBLISHER } from '../publishers/weather.ts';

/** Levels gauges, each of a river, and rivers, which have no gauge. */
const LEVELS = `apiVersion: v3.1.0
kind: DataContract
id: water.levels
version: 1.0.0
status: active
domain: water
customProperties: [{ property: year_range, value: 2001-2004 }]
schema:
  - name: levels
    customProperties:
      - { property: detail_levels, value: [gauges, rivers] }
      - { property: grain, value: [year, river, gauge, day] }
      - { property: path_template, value: "water/levels/year={year}/{detail}.parquet" }
      - property: foreign_keys
        value:
          - { column: river, target_object: rivers, target_columns: [river] }
          - { column: gauge, target_object: gauges, target_columns: [river, gauge] }
    properties:${[
      column('year', 'integer', 'year', true),
      column('river', 'string', 'fk_river', true),
      column('gauge', 'string', 'fk_gauge'),
      column('day', 'integer', 'categorical', true),
      column('height', 'number', 'metric'),
      column('readings', 'integer', 'metric'),
    ].join('')}
`;

export const GAUGE_CONTRACTS = {
  'publisher.yaml': PUBLISHER,
  'levels.yaml': LEVELS,
  'gauges.yaml': dimension('water', 'gauges', ['river', 'gauge'], 'gauge_name'),
  'rivers.yaml': dimension('water', 'rivers', ['river'], 'river_name'),
};

export const gaugeFile = (year: number, level: string) => `water/levels/year=${year}/${level}.parquet`;
export const GAUGE_DIMENSION = 'water/_dimensions/gauges.parquet';
export const GAUGE_YEARS = [2001, 2002, 2003];

/** Every third gauge of the dimension has no rows. */
export function gaugeNames(name = "'Gauge ' || gauge"): string {
  return `SELECT river, gauge, ${name} AS gauge_name FROM (SELECT 'r' || lpad((i % 97)::VARCHAR, 2, '0') AS river, 'g' || i AS gauge FROM range(0, 900) r(i))`;
}

/**
 * Rows of one slice: 36 days of 600 gauges at the level gauges, 120 days of all rivers but the second at the level
 * rivers. `change` is a list of replacements, `more` what follows FROM.
 */
export function gaugeRows(year: number, level: string, change = '', more = ''): string {
  const places =
    level === 'gauges'
      ? `SELECT river, gauge FROM (${gaugeNames()}) WHERE substr(gauge, 2)::INTEGER % 3 > 0`
      : `SELECT DISTINCT river, NULL::VARCHAR AS gauge FROM (${gaugeNames()}) WHERE river <> 'r01'`;
  const days = level === 'gauges' ? 36 : 120;
  const rows = `SELECT ${year}::INTEGER AS year, river, gauge, day::INTEGER AS day,
      ((hash(river, gauge, day, ${year}) % 4000) / 100)::DOUBLE - 20.005 AS height, (hash(day, gauge) % 50)::BIGINT AS readings
    FROM (${places}), range(0, ${days}) d(day)`;
  return `SELECT *${change === '' ? '' : ` REPLACE (${change})`} FROM (${rows}) ${more}`;
}

export const GAUGE_LAKE: Readonly<Record<string, string>> = {
  [GAUGE_DIMENSION]: gaugeNames(),
  'water/_dimensions/rivers.parquet': `SELECT DISTINCT river, 'River ' || river AS river_name FROM (${gaugeNames()})`,
  ...Object.fromEntries(
    GAUGE_YEARS.flatMap(year =>
      ['gauges', 'rivers'].map(level => [gaugeFile(year, level), gaugeRows(year, level)]),
    ),
  ),
};
