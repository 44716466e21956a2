/**
 * Datasets of days, months, quarters, moments and without time: every executor gives the rows that plain SQL finds in
 * the lake, and refuses what has no meaning.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ValidationErrorDocument } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { renderEntry } from '../../site/edge/adapters/rewrite/entry.ts';
import * as rules from '../../site/edge/adapters/rewrite/rules.ts';
import { prepareDataset } from '../../site/query/preparation.ts';
import { AIR_CONTRACTS, AIR_LAKE } from '../publishers/air.ts';
import { buildPublisher, readTreeJson, verify } from '../publishers/built-tree.ts';
import {
  duckdb,
  type PublisherFolder,
  quoted,
  temporaryFolder,
  writePublisher,
} from '../publishers/publisher-folder.ts';
import { randomRuns } from '../random-runs.ts';
import { type Ask, askTree, EXECUTORS, type ExecutorName } from './executors.ts';

let air: PublisherFolder;
let asks: Readonly<Record<ExecutorName, Ask>>;
const askAir = (url: string, name: ExecutorName = 'hyparquet') => asks[name](`/api/v1/air/${url}`);

beforeAll(async () => {
  air = await writePublisher(await temporaryFolder('never'), AIR_CONTRACTS, AIR_LAKE);
  await buildPublisher(air);
  asks = { hyparquet: askTree(air.out, 'hyparquet'), duckdb: askTree(air.out, 'duckdb') };
}, 120_000);

afterAll(() => rm(air.root, { recursive: true, force: true }));

/** The rows of a topic in the lake with the year and the texts that the API gives, in its order. */
const LAKE_ROWS: Readonly<Record<string, { readonly select: string; readonly order: string }>> = {
  readings: {
    select:
      "year(date::DATE)::INTEGER AS year, strftime(date::DATE, '%Y-%m-%d') AS date, station_code, station_name, pm25, pm25_min, samples, strftime(calibrated_on, '%Y-%m-%d') AS calibrated_on, note",
    order: 'date, station_code',
  },
  months: {
    select: "year(month)::INTEGER AS year, strftime(month, '%Y-%m-%d') AS month, pm25",
    order: 'month',
  },
  quarters: {
    select: 'left(quarter, 4)::INTEGER AS year, quarter, source, tonnes',
    order: 'quarter, source',
  },
  alarms: {
    select: `year(${inUtc('raised_at')})::INTEGER AS year, ${iso(inUtc('raised_at'))} || 'Z' AS raised_at, station_code, station_name, ${iso('logged_at')} AS logged_at, peak`,
    order: `${inUtc('raised_at')}, station_code`,
  },
  instruments: {
    select: "station_code, station_name, instrument, height_m, strftime(bought_on, '%Y-%m-%d') AS bought_on",
    order: 'station_code, instrument',
  },
};

function inUtc(column: string): string {
  return `make_timestamp(epoch_us(${column}))`;
}

/** Independent of the program's own texts: parts of the time, and the decimals without trailing zeros. */
function iso(moment: string): string {
  return `strftime(${moment}, '%Y-%m-%dT%H:%M:%S') || CASE WHEN epoch_us(${moment}) % 1000000 = 0 THEN '' ELSE '.' || rtrim(strftime(${moment}, '%f'), '0') END`;
}

async function lakeRows(topic: string, where: string): Promise<Record<string, unknown>[]> {
  const { select, order } = LAKE_ROWS[topic]!;
  const folder = path.join(air.data, 'air', topic);
  const files = `${folder}/**/*.parquet`;
  const rows = await duckdb(
    `SELECT ${select} FROM (SELECT * FROM read_parquet(${quoted(files)}, hive_partitioning = false, union_by_name = true)) t
       ${select.includes('station_name') ? `JOIN read_parquet(${quoted(path.join(air.data, 'air/_dimensions/stations.parquet'))}) USING (station_code)` : ''}
     WHERE ${where} ORDER BY ${order}`,
  );
  return rows.map(plain);
}

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

const QUESTIONS: readonly (readonly [string, string, string])[] = [
  ['readings', 'limit=10000', 'true'],
  ['readings', 'date_min=2023-12-30&date_max=2024-01-02', "date::DATE BETWEEN '2023-12-30' AND '2024-01-02'"],
  ['readings', 'date=2024-02-29,2023-03-01', "date::DATE IN ('2024-02-29', '2023-03-01')"],
  ['readings', 'date_min=2024-12-30&year=2024', "date::DATE >= '2024-12-30'"],
  ['readings', 'pm25_max=9&pm25_min_min=3.5', 'pm25 <= 9 AND pm25_min >= 3.5'],
  ['readings', 'samples_min=64&station_code=st6', "samples >= 64 AND station_code = 'st6'"],
  ['readings', 'calibrated_on_min=2024-04-01', "calibrated_on >= '2024-04-01'"],
  ['readings', 'calibrated_on=2023-03-01', "calibrated_on = '2023-03-01'"],
  ['readings', 'date_max=0001-01-01', 'false'],
  ['months', 'month_min=2023-11-01&month_max=2024-02-01', "month BETWEEN '2023-11-01' AND '2024-02-01'"],
  ['quarters', 'quarter=2023-Q4,2024-Q1', "quarter IN ('2023-Q4', '2024-Q1')"],
  ['quarters', 'tonnes_min=60.5', 'tonnes >= 60.5'],
  ['quarters', 'year_min=2024&source=all', "left(quarter, 4) >= '2024' AND source = 'all'"],
  ['alarms', '', 'true'],
  [
    'alarms',
    'raised_at_min=2023-12-31T23:59:59.25Z&raised_at_max=2024-11-30',
    "raised_at >= TIMESTAMPTZ '2023-12-31 23:59:59.25+00' AND raised_at < TIMESTAMPTZ '2024-12-01 00:00:00+00'",
  ],
  ['alarms', 'raised_at=2023-12-31T23:59:59.5Z', "raised_at = TIMESTAMPTZ '2023-12-31 23:59:59.5+00'"],
  ['alarms', 'logged_at_max=2023-06-01T08:00:00.000005', "logged_at <= '2023-06-01 08:00:00.000005'"],
  ['instruments', '', 'true'],
  ['instruments', 'detail=stations&height_m_min=6&instrument=pm', "height_m >= 6 AND instrument = 'pm'"],
  ['instruments', 'bought_on_max=2013-05-17', "bought_on <= '2013-05-17'"],
];

describe.each(EXECUTORS)('%s', executor => {
  test.each(QUESTIONS)('%s?%s', async (topic, query, where) => {
    const ask = (url: string) => askAir(url, executor);
    const expected = await lakeRows(topic, where);
    expect(expected.length > 0).toBe(where !== 'false');
    const json = await ask(`${topic}?${query}`);
    expect(json.status).toBe(200);
    const page = (await json.json()) as { data: Record<string, unknown>[] };
    expect(page.data).toEqual(expected);
    expect(Object.keys(page.data[0] ?? {})).toEqual(Object.keys(expected[0] ?? {}));
    const csv = await (await ask(`${topic}?${query}&format=csv`)).text();
    expect(csvRows(csv)).toEqual(expected.map(row => Object.values(row).map(csvText)));
    const parquet = await (await ask(`${topic}?${query}&format=parquet`)).arrayBuffer();
    const rows = await parquetReadObjects({ file: parquet, compressors });
    expect(rows.map(row => JSON.stringify(plain(row)))).toEqual(
      expected.map(row => JSON.stringify(asDates(topic, row))),
    );
  });
});

function csvText(value: unknown): string {
  return value === null ? '' : String(value);
}

function csvRows(text: string): string[][] {
  const lines = text.split('\r\n').slice(1, -1);
  return lines.map(line =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
      .slice(0, line.endsWith(',') ? undefined : -1)
      .map(([, field = '']) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)),
  );
}

/** A second reader gives dates as Date, with milliseconds: it reads the types of Parquet itself. */
function asDates(topic: string, row: Record<string, unknown>): Record<string, unknown> {
  const times = /^(date|month|raised_at|logged_at|calibrated_on|bought_on)$/;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (topic === 'quarters' || !times.test(name) || value === null) return [name, value];
      const text = String(value);
      return [name, new Date(/T/.test(text) && !text.endsWith('Z') ? `${text}Z` : text)];
    }),
  );
}

test.each<[string, string, string, RegExp, string | null]>([
  ['readings?date_min=yesterday', 'date_min', 'date_parsing', /YYYY-MM-DD$/, 'readings'],
  ['readings?date=2024-2-9', 'date', 'date_parsing', /Did you mean '2024-02-09'/, 'readings?date=2024-02-09'],
  ['readings?date_max=2023-02-29', 'date_max', 'date_parsing', /valid date/, 'readings'],
  [
    'readings?date_min=2024-02-01&date_max=2024-01-01',
    'date_max',
    'greater_than_equal',
    /date_min, which is 2024-02-01/,
    'readings?date_min=2024-01-01&date_max=2024-02-01',
  ],
  ['readings?pm25_max=low', 'pm25_max', 'float_parsing', /valid number/, 'readings'],
  ['readings?samples_min=1.5', 'samples_min', 'int_parsing', /valid integer/, 'readings'],
  ['readings?note_min=3', 'note_min', 'extra_forbidden', /'note' is a string: only dates and numbers/, null],
  ['readings?station_name_max=x', 'station_name_max', 'extra_forbidden', /a column of stations/, null],
  ['readings?pm25_min=4', 'pm25_min', 'extra_forbidden', /'pm25_min' is a column of its own/, null],
  ['readings?date_min=2024-01-01&date_min=2024-01-02', 'date_min', 'repeated_parameter', /once/, null],
  ['alarms?logged_at_min=2023-06-01T08:00:00Z', 'logged_at_min', 'datetime_parsing', /without Z/, null],
  ['alarms?raised_at=2023-06-01', 'raised_at', 'datetime_parsing', /YYYY-MM-DDThh:mm:ssZ/, null],
  ['alarms?raised_at_min=now', 'raised_at_min', 'datetime_parsing', /or a date$/, 'alarms'],
  ['instruments?year=2024', 'year', 'extra_forbidden', /has no time, so it has no years/, 'instruments'],
  ['instruments?year_min=2024', 'year_min', 'extra_forbidden', /has no time, so it has no years/, null],
])('422: %s', async (url, param, type, msg, corrected) => {
  const answer = await askAir(url);
  const { detail } = (await answer.json()) as ValidationErrorDocument;
  const problem = { type, loc: ['query', param], msg: expect.stringMatching(msg) };
  expect([answer.status, detail]).toMatchObject([422, [problem]]);
  if (corrected === null) return;
  expect(detail[0]!.ctx['url']).toBe(`/api/v1/air/${corrected}`);
  expect((await askAir(corrected)).status).toBe(200);
});

describe('a host that only rewrites', () => {
  async function decide(topic: string, query: string) {
    const read = <T>(name: string) => readTreeJson<T>(air.out, `api/v1/${name}`);
    const manifest = await read<DatasetManifest>(`air/${topic}/manifest.json`);
    const schema = await read<SchemaDocument>(`datasets/air/${topic}/index.json`);
    const entry = renderEntry(prepareDataset(`api/v1/air/${topic}`, manifest, schema));
    const url = `/api/v1/air/${topic}`;
    const asked = { method: 'GET', url, query, html: false, root: '', origin: air.out };
    const decision = rules.decide(asked, rules.locate(asked), entry);
    return decision.file === undefined
      ? { status: decision.status, ...JSON.parse(decision.text ?? '{}') }
      : { file: decision.file };
  }

  test.each([
    ['alarms', 'raised_at_max=2024-01-01', { status: 501, residual: null, sql: null }],
    ['readings', 'pm25_max=9&date_min=2024-01-05', { status: 501, residual: null, sql: null }],
    ['instruments', 'height_m_min=6', { status: 501, residual: null, sql: null }],
    ['instruments', '', { file: 'api/v1/air/instruments/all/stations.json' }],
    [
      'instruments',
      'year=2024',
      {
        status: 422,
        detail: [
          {
            type: 'extra_forbidden',
            msg: 'year is unknown: the dataset has no time',
            ctx: { expected: expect.not.arrayContaining(['year']) },
          },
        ],
      },
    ],
    ['instruments', 'year_min=2024', { status: 422 }],
    ['instruments', 'heights=1', { status: 422 }],
    ['instruments', 'height_m_min=1,', { status: 422 }],
  ])(
    'does not guess what a bound means, and knows no year where there is no time: %s?%s',
    async (topic, query, decision) => {
      expect(await decide(topic, query)).toMatchObject(decision);
    },
  );
});

test('a name of a range that a column has is the column', async () => {
  const schema = await readTreeJson<SchemaDocument>(air.out, 'api/v1/datasets/air/readings/index.json');
  const ranges = schema.filters.filter(({ kind }) => kind === 'range').map(({ param }) => param);
  expect(ranges.join(' ')).toBe(
    'date_min date_max pm25_max pm25_min_min pm25_min_max samples_min samples_max calibrated_on_min calibrated_on_max',
  );
});

test('schema documents and manifests say what the time is', async () => {
  const read = (topic: string) =>
    readTreeJson<SchemaDocument>(air.out, `api/v1/datasets/air/${topic}/index.json`);
  const [readings, quarters, alarms, instruments] = await Promise.all(
    ['readings', 'quarters', 'alarms', 'instruments'].map(read),
  );
  expect(readings!.time).toEqual({ unit: 'day', column: 'date' });
  expect(quarters!.time).toEqual({ unit: 'quarter', column: 'quarter' });
  expect(alarms!.time).toEqual({ unit: 'instant', column: 'raised_at' });
  expect(alarms!.columns.map(({ name, time_zone }) => [name, time_zone])).toContainEqual([
    'raised_at',
    'UTC',
  ]);
  expect(instruments).toMatchObject({
    time: { unit: 'none', column: null },
    year_min: null,
    year_max: null,
    available_years: [],
    year_gaps: [],
  });
  expect(instruments!.filters.map(({ param }) => param)).not.toContain('year');
  const manifest = await readTreeJson<DatasetManifest>(air.out, 'api/v1/air/instruments/manifest.json');
  expect(manifest.slices.map(({ year, files }) => [year, files.json[0]?.path])).toEqual([
    [0, 'all/stations.json'],
  ]);
  expect(manifest.history).toEqual([]);
});

test('every random answer is what DuckDB finds in the lake', { timeout: 120_000 }, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const requests = randomRuns(100);
  const result = await fuzz({ contracts: air.contracts, lake: air.data, tree: air.out, requests, seed });
  expect(result.failure).toBeNull();
  expect(result.answered).toBeGreaterThan(requests * 0.7);
});

test('the tree is sound', async () => {
  expect((await verify(air.out)).slices).toBe(11);
}, 60_000);
