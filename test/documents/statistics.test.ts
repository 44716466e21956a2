/** The statistics of levels match the published rows, counted here without a database. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Column, Dataset } from '../../build/contract/dataset.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import type { Scalar, StatisticsDocument } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { withSession } from '../../build/lake/database.ts';
import { parquetRows } from '../../build/lake/sql.ts';
import { readContractFolder } from '../../build/plan/build-input.ts';
import { describeRows } from '../../build/slice/level-statistics.ts';
import { publishedColumns } from '../../build/slice/row-columns.ts';
import { compareRows } from '../../site/query/order.ts';
import { sampleTree } from '../conformance/sample-tree.ts';
import { CONTRACTS } from '../georgia/sample-lake.ts';
import { readTreeJson } from '../publishers/built-tree.ts';
import { keptTimes } from '../publishers/kept-trees.ts';

type Row = Readonly<Record<string, Scalar | null>>;

const survey = await keptTimes();
/** One of ours has totals of several axes; the surveys have days, odd names and no totals. */
const DATASETS = [
  [await sampleTree(), CONTRACTS, 'census/poverty_by_nativity'],
  [survey.out, survey.contracts, 'survey/visits'],
  [survey.out, survey.contracts, 'survey/things'],
].map(([tree = '', folder = '', key = '']) => {
  const { contracts } = parseContracts(readContractFolder(folder));
  return { key, tree, contracts, dataset: contracts.datasets.find(one => one.key === key)! };
});

const seen = new Set<string>();

test.each(DATASETS)('statistics of $key', async ({ tree, contracts, dataset, key }) => {
  const read = <T>(name: string) => readTreeJson<T>(tree, `api/v1/${key}/${name}`);
  const { slices, columns } = await read<DatasetManifest>('manifest.json');
  for (const detail of new Set(slices.map(slice => slice.detail))) {
    const own = slices.filter(slice => slice.detail === detail);
    const pages = own.flatMap(({ files }) => files.json.map(file => read<{ data: Row[] }>(file.path)));
    const rows = (await Promise.all(pages)).flatMap(page => page.data);
    const document = await read<StatisticsDocument>(`statistics/${detail}.json`);
    expect(document).toMatchObject({ dataset: key, detail, rows: rows.length });
    expect(document.columns.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
    expectTrue(document, rows, dataset);
    // A level too large for memory is read from its files.
    const files = own.flatMap(({ files }) =>
      files.parquet.map(file => path.join(tree, 'api/v1', key, file.path)),
    );
    const limits = { threads: 1, memoryLimit: '200MB', temporaryFolder: survey.root };
    const input = {
      dataset,
      columns: publishedColumns(dataset, contracts),
      years: own,
      full: new Set<string>(),
    };
    const direct = await withSession(limits, session => describeRows(session, input, parquetRows(files)));
    expect(document).toMatchObject(direct);
  }
});

test('there are columns of each kind', () => {
  expect([...seen].sort()).toEqual([
    'combinations',
    'distinct',
    'histogram',
    'max',
    'mean',
    'min',
    'name',
    'nulls',
    'values',
  ]);
});

/** Compares the document with counted rows. */
function expectTrue(document: StatisticsDocument, rows: readonly Row[], dataset: Dataset): void {
  const yearOf = (row: Row) => (dataset.time.yearColumn === null ? 0 : row[dataset.time.yearColumn]);
  const years = document.years.length === 0 ? [0] : document.years;
  const byYear = (keep: (row: Row) => boolean) =>
    years.map(year => rows.filter(row => yearOf(row) === year && keep(row)).length);
  const { placeColumns, grain, time } = dataset;
  const known = [...placeColumns, time.column, time.yearColumn];
  const axes = dataset.columns.filter(({ name }) => grain.includes(name) && !known.includes(name));
  expect(document.year_rows).toEqual(byYear(() => true));
  for (const column of document.columns) {
    for (const kind of Object.keys(column)) seen.add(kind);
    const { name, nulls, distinct, min, max, histogram, values, mean } = column;
    const present = rows.flatMap(row => row[name] ?? []);
    expect([name, nulls]).toEqual([name, byYear(row => row[name] === null)]);
    if (distinct !== undefined) expect([name, distinct]).toEqual([name, new Set(present).size]);
    if (min !== undefined) {
      const sorted = [...present].sort((a, b) => (a < b ? -1 : 1));
      expect([name, min, max]).toEqual([name, sorted[0] ?? null, sorted.at(-1) ?? null]);
    }
    if (histogram !== undefined) expect([name, histogram]).toEqual([name, binsOf(present)]);
    for (const { value, rows: counts } of values ?? [])
      expect([name, value, counts]).toEqual([name, value, byYear(row => row[name] === value)]);
    if (values) expect(values.flatMap(one => one.rows).reduce((a, b) => a + b, 0)).toBe(present.length);
    const own = dataset.columns.find(one => one.name === name);
    expect([name, mean !== undefined]).toEqual([name, hasMean(own, axes)]);
    const isTotal = (row: Row) => axes.every(axis => String(row[axis.name]) === axis.totalValue);
    const means = years.map(year => {
      const all = rows.filter(row => yearOf(row) === year && isTotal(row) && row[name] !== null);
      return all.length === 0 ? null : all.reduce((sum, row) => sum + Number(row[name]), 0) / all.length;
    });
    if (mean) expect([name, mean]).toEqual([name, means]);
  }
  if (!document.combinations) return;
  seen.add('combinations');
  const { columns, rows: combined } = document.combinations;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map(name => row[name]));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(new Map(combined.map(one => [JSON.stringify(one.slice(0, -1)), one.at(-1)]))).toEqual(counts);
  expect(combined).toEqual([...combined].sort(compareRows([...columns.keys()])));
}

/** Rows of twenty parts between the least and the greatest value. */
function binsOf(values: readonly Scalar[]): number[] {
  const numbers = values.map(one => (typeof one === 'number' ? one : Date.parse(String(one)) / 1000));
  const sorted = [...numbers].sort((a, b) => a - b);
  const [least, greatest] = [sorted[0]!, sorted.at(-1)!];
  const bins = new Array<number>(least === greatest ? 1 : 20).fill(0);
  for (const value of numbers)
    bins[least === greatest ? 0 : Math.min(19, Math.trunc((value - least) / ((greatest - least) / 20)))]!++;
  return bins;
}

/** Counts have means where each axis has a total. */
const hasMean = (column: Column | undefined, axes: readonly Column[]) =>
  column?.role === 'metric' &&
  column.type === 'integer' &&
  column.unit === 'count' &&
  !column.name.endsWith('_moe') &&
  axes.every(({ totalValue }) => totalValue !== null);
