/** Datasets of days, months, quarters, moments and without time. */
import { expect, test } from 'vitest';
import type { SchemaDocument, ValidationErrorDocument } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { renderEntry } from '../../site/edge/adapters/rewrite/render.ts';
import * as rules from '../../site/edge/adapters/rewrite/rules.ts';
import { prepareDataset } from '../../site/query/table.ts';
import { keptTimes } from '../publishers/kept-trees.ts';
import { askTree, expectRowsOfLake } from './executors.ts';

/** The air office's datasets, and surveys with totals and copies by value. */
const air = await keptTimes();

const schemaOf = (topic: string) => air.json<SchemaDocument>(`api/v1/datasets/air/${topic}/index.json`);
const manifestOf = (topic: string) => air.json<DatasetManifest>(`api/v1/air/${topic}/manifest.json`);

test('every random answer is what DuckDB finds in the lake', () =>
  expectRowsOfLake({ lake: air.data, tree: air.out }, 60));

/** Bounds that aren't the value of a row; the number of rows, and the first. */
test.each([
  'readings?date_min=2023-12-30&date_max=2024-01-02 → 24 2023,2023-12-30,st1,Station 1,30,25,10,,',
  'readings?pm25_max=9&pm25_min_min=3.55 → 167 2023,2023-01-01,st5,Station 5,8.6,3.5999999999999996,51,2023-05-01,',
  'readings?date_max=0001-01-01 → 0 ',
  'months?month_min=2023-11-02&month_max=2024-02-20 → 3 2023,2023-12-01,19.1',
  'quarters?year_min=2024&source=all&tonnes_min=10 → 3 2024,2024-Q1,all,34',
  // Up to the end of the day.
  'alarms?raised_at_min=2023-12-31T23:59:59.25Z&raised_at_max=2024-11-30 → 55 2023,2023-12-31T23:59:59.5Z,st1,Station 1,,0',
  'alarms?logged_at_max=2023-06-01T08:00:00.000005 → 4 2023,2023-12-04T12:04:59Z,st6,Station 6,2023-06-01T08:00:00.000005,7.5',
  'instruments?detail=stations&height_m_min=5.9&instrument=pm → 3 st4,Station 4,pm,6,2014-05-17',
])('%s', async row => {
  const [url = '', wanted] = row.split(' → ');
  const answer = await askTree(air.out)(`/api/v1/air/${url}&format=csv`);
  const [, ...lines] = (await answer.text()).trimEnd().split('\r\n');
  expect(`${lines.length} ${lines[0] ?? ''}`).toBe(wanted);
});

test('a time names its year: the history of a figure needs no other', async () => {
  const answer = await askTree(air.out)('/api/v1/air/quarters?quarter=2024-Q1&source=all&history=true');
  expect(await answer.json()).toMatchObject({ years: [2024], history: [{ row: { tonnes: 34 } }] });
});

const DATES = 'readings?date_min=2024-02-01&date_max=2024-01-01';
test.each<[string, string, RegExp, string?]>([
  ['readings?date_min=yesterday', 'date_min date_parsing', /YYYY-MM-DD$/, 'readings'],
  ['readings?date=2024-2-9', 'date date_parsing', /mean '2024-02-09'/, 'readings?date=2024-02-09'],
  ['readings?date_max=2023-02-29', 'date_max date_parsing', /valid date/, 'readings'],
  [
    DATES,
    'date_max greater_than_equal',
    /date_min, which is 2024-02-01/,
    DATES.replace(/2(?=-01&)|1(?=-01$)/g, n => `${3 - Number(n)}`),
  ],
  ['readings?pm25_max=low', 'pm25_max float_parsing', /valid number/, 'readings'],
  ['readings?samples_min=1.5', 'samples_min int_parsing', /valid integer/, 'readings'],
  ['readings?note_min=3', 'note_min extra_forbidden', /'note' is a string: only dates and numbers/],
  ['readings?station_name_max=x', 'station_name_max extra_forbidden', /a column of stations/],
  ['readings?pm25_min=4', 'pm25_min extra_forbidden', /'pm25_min' is a column of its own/],
  ['readings?date_min=2024-01-01&date_min=2024-01-02', 'date_min repeated_parameter', /once/],
  ['alarms?logged_at_min=2023-06-01T08:00:00Z', 'logged_at_min datetime_parsing', /without Z/],
  ['alarms?raised_at=2023-06-01', 'raised_at datetime_parsing', /YYYY-MM-DDThh:mm:ssZ/],
  ['alarms?raised_at_min=now', 'raised_at_min datetime_parsing', /or a date$/, 'alarms'],
  ['instruments?year=2024', 'year extra_forbidden', /has no time, so it has no years/, 'instruments'],
])('422: %s', async (url, problem, msg, corrected) => {
  const ask = askTree(air.out);
  const answer = await ask(`/api/v1/air/${url}`);
  const { detail } = (await answer.json()) as ValidationErrorDocument;
  expect([answer.status, detail.map(({ loc, type }) => `${loc[1]} ${type}`)]).toEqual([422, [problem]]);
  expect(detail[0]!.msg).toMatch(msg);
  if (corrected === undefined) return;
  expect(detail[0]!.ctx['url']).toBe(`/api/v1/air/${corrected}`);
  expect((await ask(`/api/v1/air/${corrected}`)).status).toBe(200);
});

/** A host that only rewrites answers 501 to bounds, and knows years only if there is a time. */
test.each([
  ['alarms', 'raised_at_max=2024-01-01', { status: 501, residual: null, sql: null }],
  ['readings', 'pm25_max=9&date_min=2024-01-05', { status: 501, residual: null, sql: null }],
  ['instruments', 'height_m_min=6', { status: 501, residual: null, sql: null }],
  ['instruments', '', { file: 'api/v1/air/instruments/all/stations.json' }],
  [
    'instruments',
    'year=2024',
    { status: 422, detail: [{ msg: 'Unknown parameter. This dataset has no time, so it has no years' }] },
  ],
  ['instruments', 'year_min=2024', { status: 422 }],
  ['instruments', 'heights=1', { status: 422 }],
  ['instruments', 'height_m_min=1,', { status: 501, residual: null, sql: null }],
])('rewriting %s?%s', async (topic, query, wanted) => {
  const url = `/api/v1/air/${topic}`;
  const entry = renderEntry(prepareDataset(url.slice(1), await manifestOf(topic), await schemaOf(topic)));
  const asked = { method: 'GET', url, query, html: false, root: '', origin: air.out };
  const { text = '{}', ...decision }: Record<string, unknown> = rules.decide(
    asked,
    rules.locate(asked),
    entry,
  );
  expect({ ...decision, ...JSON.parse(String(text)) }).toMatchObject(wanted);
});

test('schema documents and manifests say what the time is; a name of a range that a column has is the column', async () => {
  const ranges = (await schemaOf('readings')).filters.filter(({ kind }) => kind === 'range');
  const names = ranges.map(({ param }) => param).join(' ');
  expect(names).toMatch(
    /^date_min date_max pm25_max pm25_min_min pm25_min_max samples_min samples_max calib/,
  );
  for (const [topic, time] of [
    ['readings', { unit: 'day', column: 'date' }],
    ['quarters', { unit: 'quarter', column: 'quarter' }],
    ['alarms', { unit: 'instant', column: 'raised_at' }],
  ] as const)
    expect([topic, (await schemaOf(topic)).time]).toEqual([topic, time]);
  const { columns } = await schemaOf('alarms');
  expect(columns.find(({ name }) => name === 'raised_at')?.time_zone).toBe('UTC');
  const instruments = await schemaOf('instruments');
  const without = { year_min: null, year_max: null, available_years: [], year_gaps: [] };
  expect(instruments).toMatchObject({ time: { unit: 'none', column: null }, ...without });
  expect(instruments.filters.map(({ param }) => param)).not.toContain('year');
  const { slices, copies } = await manifestOf('instruments');
  const files = slices.map(({ year, files }) => `${year} ${files.json[0]?.path}`);
  expect([files, copies]).toEqual([['0 all/stations.json'], []]);
  expect((await air.verify()).slices).toBe(33);
});
