/** The statistics of levels match the published rows, counted here without a database. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import type { Scalar, StatisticsDocument } from '../../build/format/documents.ts';
import { withSession } from '../../build/lake/database.ts';
import { parquetRows } from '../../build/lake/sql.ts';
import { describeRows } from '../../build/slice/level-statistics.ts';
import { publishedColumns } from '../../build/slice/row-columns.ts';
import { newPublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, RAIN_YEARS, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';

type Row = Readonly<Record<string, Scalar | null>>;

/** Rainfall with a count, a day, two axes (one without a total in `twoAxes`), and odd names. */
const SEASON_TOTAL = ', { property: has_total, value: true }';
const COUNTED = RAINFALL.replace(
  'physicalType: bigint\n        required: true\n        customProperties: [{ property: column_role, value: metric }]',
  'physicalType: bigint\n        customProperties: [{ property: column_role, value: metric }, { property: unit, value: count }]',
).replace(
  '      - name: note\n',
  `      - name: day "of" it's
        logicalType: date
        customProperties: [{ property: column_role, value: metric }]
      - name: note
`,
);
const TWO_AXES = COUNTED.replace('season]', 'season, manned]').replace(SEASON_TOTAL, '');

const rowsOf = (year: number, level: string) =>
  `SELECT * REPLACE (CASE WHEN season = 'wet' THEN NULL ELSE readings END AS readings, CASE WHEN year = 2021 THEN NULL ELSE rain_mm END AS rain_mm), (DATE '${year}-01-01' + n::INTEGER * 40)::DATE AS "day ""of"" it's" FROM (SELECT *, wet_days / 7 AS n FROM (${rainfallRows(year, level)}))`;

const lakeOf = () => ({
  ...LAKE,
  ...Object.fromEntries(
    RAIN_YEARS.flatMap(year =>
      ['stations', 'regions', 'nation'].map(level => [
        rainFile(year, level),
        `SELECT * EXCLUDE (n) FROM (${rowsOf(year, level)})`,
      ]),
    ),
  ),
});

const read = async (out: string, name: string) =>
  JSON.parse(await readFile(path.join(out, 'api/v1', name), 'utf8'));

async function publishedRows(out: string, level: string): Promise<Row[]> {
  const years = RAIN_YEARS.map(year => read(out, `climate/rainfall/year=${year}/${level}.json`));
  return (await Promise.all(years)).flatMap(page => page.data);
}

/** Compares the document with counted rows. */
function expectTrue(document: StatisticsDocument, rows: readonly Row[], withMean: boolean): void {
  const byYear = (keep: (row: Row) => boolean) =>
    document.years.map(year => rows.filter(row => row['year'] === year && keep(row)).length);
  expect(document.rows).toBe(rows.length);
  expect(document.year_rows).toEqual(byYear(() => true));
  for (const { name, nulls, distinct, min, max, histogram, values, mean } of document.columns) {
    const known = rows.flatMap(row => row[name] ?? []);
    expect([name, nulls]).toEqual([name, byYear(row => row[name] === null)]);
    if (distinct !== undefined) expect([name, distinct]).toEqual([name, new Set(known).size]);
    if (min !== undefined) {
      const sorted = [...known].sort((a, b) => (a < b ? -1 : 1));
      expect([name, min, max]).toEqual([name, sorted[0] ?? null, sorted.at(-1) ?? null]);
    }
    if (histogram !== undefined) {
      const at = (value: Scalar) => (typeof value === 'number' ? value : Date.parse(String(value)) / 1000);
      const numbers = known.map(at);
      const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
      const expected = new Array(least === greatest ? 1 : 20).fill(0);
      for (const value of numbers)
        expected[
          least === greatest ? 0 : Math.min(19, Math.trunc((value - least) / ((greatest - least) / 20)))
        ]++;
      expect([name, histogram]).toEqual([name, expected]);
    }
    for (const { value, rows: counts } of values ?? [])
      expect([name, value, counts]).toEqual([name, value, byYear(row => row[name] === value)]);
    if (values) expect(values.flatMap(one => one.rows).reduce((a, b) => a + b, 0)).toBe(known.length);
    expect([name, mean !== undefined]).toEqual([name, withMean && name === 'readings']);
    if (mean) {
      const means = document.years.map(year => {
        const all = rows.filter(row => row['year'] === year && row['season'] === 'all' && row[name] !== null);
        return all.length === 0 ? null : all.reduce((sum, row) => sum + Number(row[name]), 0) / all.length;
      });
      expect(mean).toEqual(means);
    }
  }
}

describe('statistics of a level', () => {
  test('state what the rows hold', async () => {
    const publisher = await newPublisher({ ...CONTRACTS, 'rain/rainfall.yaml': COUNTED }, lakeOf());
    const { out } = publisher;
    await publisher.build();
    for (const level of ['stations', 'regions', 'nation']) {
      const document: StatisticsDocument = await read(out, `climate/rainfall/statistics/${level}.json`);
      expect([document.dataset, document.detail]).toEqual(['climate/rainfall', level]);
      expectTrue(document, await publishedRows(out, level), true);
      const columns = new Map(document.columns.map(column => [column.name, column]));
      expect([...columns.keys()]).toEqual(
        (await read(out, 'climate/rainfall/manifest.json')).columns.map(({ name }: { name: string }) => name),
      );
      expect(columns.get('rain_mm')?.histogram?.length).toBe(20);
      expect(columns.get('manned')?.values?.map(({ value }) => value)).toEqual(
        level === 'stations' ? [false, true] : [],
      );
      expect(document.combinations).toBeUndefined();
    }
    const schema = await read(out, 'datasets/climate/rainfall/index.json');
    expect(schema.statistics_template).toBe('/api/v1/climate/rainfall/statistics/{detail}.json');

    // A level too large for memory is read from its files.
    const texts = { ...CONTRACTS, 'rain/rainfall.yaml': COUNTED };
    const { contracts } = parseContracts(Object.entries(texts).map(([file, text]) => ({ file, text })));
    const dataset = contracts.datasets.find(({ key }) => key === 'climate/rainfall')!;
    const years = RAIN_YEARS.map(year => ({ year, rows: 18 }));
    const files = RAIN_YEARS.map(year =>
      path.join(out, `api/v1/climate/rainfall/year=${year}/stations.parquet`),
    );
    const limits = { threads: 1, memoryLimit: '200MB', temporaryFolder: publisher.root };
    const columns = publishedColumns(dataset, contracts);
    const direct = await withSession(limits, session =>
      describeRows(session, { dataset, columns, years, full: new Set() }, parquetRows(files)),
    );
    expect(await read(out, 'climate/rainfall/statistics/stations.json')).toMatchObject(direct);
  });

  test('of an axis without a total have no mean; existing combinations are listed', async () => {
    const publisher = await newPublisher({ ...CONTRACTS, 'rain/rainfall.yaml': TWO_AXES }, lakeOf());
    await publisher.build();
    const rows = await publishedRows(publisher.out, 'stations');
    const document: StatisticsDocument = await read(
      publisher.out,
      'climate/rainfall/statistics/stations.json',
    );
    expectTrue(document, rows, false);
    const { columns, rows: combined } = document.combinations!;
    expect(columns).toEqual(['year', 'season', 'manned']);
    const counts = new Map<string, number>();
    for (const row of rows) {
      const key = JSON.stringify(columns.map(name => row[name]));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(combined.map(one => [JSON.stringify(one.slice(0, -1)), one.at(-1)])).toEqual(
      [...counts].sort(([a], [b]) =>
        JSON.stringify(JSON.parse(a)) < JSON.stringify(JSON.parse(b)) ? -1 : 1,
      ),
    );
  });
});
