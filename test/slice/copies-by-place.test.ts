/** Copies by place: row groups of one size, and after any change the bytes of a build from nothing. */
import { beforeAll, expect, test } from 'vitest';
import { copiesByPlace, type DatasetManifest, type ParquetFile } from '../../build/format/manifest.ts';
import { datasetManifestPath } from '../../build/format/paths.ts';
import { keptFolder } from '../kept-folder.ts';
import { buildPublisher, readTreeJson, undated, verify } from '../publishers/built-tree.ts';
import { column, contractHead, dimension } from '../publishers/contract-text.ts';
import {
  copyPublisher,
  copyTree,
  type PublisherFolder,
  publisherAt,
  writePublisher,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';

/** Levels gauges, each with a river, and rivers, without a gauge. */
const CONTRACT = `${contractHead('water.levels')}customProperties: [{ property: year_range, value: 2001-2004 }]
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

const CONTRACTS = {
  'publisher.yaml': PUBLISHER,
  'levels.yaml': CONTRACT,
  'gauges.yaml': dimension('water', 'gauges', ['river', 'gauge'], 'gauge_name'),
  'rivers.yaml': dimension('water', 'rivers', ['river'], 'river_name'),
};

const gaugeFile = (year: number, level: string) => `water/levels/year=${year}/${level}.parquet`;
const GAUGE_DIMENSION = 'water/_dimensions/gauges.parquet';

/** Every third gauge of the dimension has no rows. */
function gaugeNames(name = "'Gauge ' || gauge"): string {
  return `SELECT river, gauge, ${name} AS gauge_name FROM (SELECT 'r' || lpad((i % 97)::VARCHAR, 2, '0') AS river, 'g' || i AS gauge FROM range(0, 900) r(i))`;
}

/**
 * Rows of one slice: 12 days of 600 gauges, or 75 days of all rivers except the second. `change` is a list of
 * replacements, `more` follows FROM.
 */
function gaugeRows(year: number, level: string, change = '', more = ''): string {
  const places =
    level === 'gauges'
      ? `SELECT river, gauge FROM (${gaugeNames()}) WHERE substr(gauge, 2)::INTEGER % 3 > 0`
      : `SELECT DISTINCT river, NULL::VARCHAR AS gauge FROM (${gaugeNames()}) WHERE river <> 'r01'`;
  const days = level === 'gauges' ? 12 : 75;
  const rows = `SELECT ${year}::INTEGER AS year, river, gauge, day::INTEGER AS day,
      ((hash(river, gauge, day, ${year}) % 4000) / 100)::DOUBLE - 20.005 AS height, (hash(day, gauge) % 50)::BIGINT AS readings
    FROM (${places}), range(0, ${days}) d(day)`;
  return `SELECT *${change === '' ? '' : ` REPLACE (${change})`} FROM (${rows}) ${more}`;
}

const LAKE: Readonly<Record<string, string>> = {
  [GAUGE_DIMENSION]: gaugeNames(),
  'water/_dimensions/rivers.parquet': `SELECT DISTINCT river, 'River ' || river AS river_name FROM (${gaugeNames()})`,
  ...Object.fromEntries(
    [2001, 2002, 2003].flatMap(year =>
      ['gauges', 'rivers'].map(level => [gaugeFile(year, level), gaugeRows(year, level)]),
    ),
  ),
};

let original: PublisherFolder;
beforeAll(async () => {
  const sources = ['build', 'test/publishers', 'test/slice/copies-by-place.test.ts', 'package-lock.json'];
  const root = await keptFolder('gauges', sources, async out => {
    await buildPublisher(await writePublisher(out, CONTRACTS, LAKE));
  });
  original = publisherAt(root);
});

const manifestOf = (out: string) =>
  readTreeJson<DatasetManifest>(out, datasetManifestPath('water', 'levels'));
const copyOf = async (out: string, level: string): Promise<ParquetFile> =>
  copiesByPlace(await manifestOf(out)).find(entry => entry.detail === level)!.file;

/** A copy of the original whose lake has other files. */
async function changed(files: Readonly<Record<string, string>>): Promise<PublisherFolder> {
  const folder = await copyPublisher(original);
  await writeRows(folder.data, files);
  return folder;
}

async function expectAsFromNothing(folder: PublisherFolder): Promise<void> {
  const fresh = await copyPublisher(folder);
  await buildPublisher(fresh);
  // Files about earlier trees.
  const telling = /feed\.(xml|json)|release-notes|SHA256SUMS|^manifest\.json|index\.html/;
  const rest = async (out: string) =>
    Object.entries(await undated(out)).filter(([name]) => !telling.test(name));
  expect(await rest(folder.out)).toEqual(await rest(fresh.out));
}

const LEVELS = ['gauges', 'rivers'];
const placeOf = (level: string) => (level === 'gauges' ? "gauge = 'g71'" : "river = 'r41'");

test.each(LEVELS)('the copy of %s by place has 2,048 rows in every row group but the last', async level => {
  const { rows, row_groups: groups } = await copyOf(original.out, level);
  expect(rows).toBeGreaterThan(16_384);
  const whole = Math.floor(rows / 2048);
  const last = rows % 2048 === 0 ? [] : [rows % 2048];
  expect(groups.map(group => group.rows)).toEqual([...Array<number>(whole).fill(2048), ...last]);
});

test('the rows of a place are in one or two row groups of the copy', async () => {
  const { row_groups: groups } = await copyOf(original.out, 'rivers');
  const river = (await manifestOf(original.out)).key_columns.indexOf('river');
  const holding = groups.filter(({ min, max }) => String(min[river]) <= 'r41' && String(max[river]) >= 'r41');
  expect(groups.length).toBeGreaterThan(10);
  expect([1, 2]).toContain(holding.length);
});

/** The same change of both levels in one year. */
const inBoth = (year: number, rows: (level: string) => string) =>
  Object.fromEntries(LEVELS.map(level => [gaugeFile(year, level), rows(level)]));
const dayOf = (level: string, day: number) => `${placeOf(level)} AND day = ${day}`;
const others = (
  level: string,
) => `CASE WHEN ${placeOf(level)} AND day < 9 THEN day + 0.25 ELSE height END AS height,
  CASE WHEN ${dayOf(level, 3)} THEN NULL ELSE readings END AS readings`;
const more = (level: string) => `SELECT 2002, 'r01', ${level === 'gauges' ? "'g195'" : 'NULL'}, 1, 1.5, 2`;

test.each<[string, Record<string, string>]>([
  [
    'a value, another, and one that is NULL now',
    inBoth(2002, level => gaugeRows(2002, level, others(level))),
  ],
  ['a row less', inBoth(2002, level => gaugeRows(2002, level, '', `WHERE NOT (${dayOf(level, 7)})`))],
  ['a place more', inBoth(2002, level => `${gaugeRows(2002, level)} UNION ALL ${more(level)}`)],
  ['a place less', inBoth(2002, level => gaugeRows(2002, level, '', `WHERE NOT (${placeOf(level)})`))],
  ['a year more', inBoth(2004, level => gaugeRows(2004, level, '', `WHERE ${placeOf(level)}`))],
  ['another name', { [GAUGE_DIMENSION]: gaugeNames("'Gauge no. ' || gauge") }],
])('%s: as from nothing', async (_, files) => {
  const folder = await changed(files);
  await copyTree(original, folder.root);
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
  await verify(folder.out);
});

test('zero that becomes minus zero is a change', async () => {
  const zero = (text: string) =>
    inBoth(2002, level => {
      const height = `CASE WHEN ${dayOf(level, 7)} THEN ${text}::DOUBLE ELSE height END AS height`;
      return gaugeRows(2002, level, height);
    });
  const folder = await changed(zero('0.0'));
  await buildPublisher(folder);
  const before = await copyOf(folder.out, 'rivers');
  await writeRows(folder.data, zero('-0.0'));
  await buildPublisher(folder);
  await expectAsFromNothing(folder);
  expect((await copyOf(folder.out, 'rivers')).sha256).not.toBe(before.sha256);
});
