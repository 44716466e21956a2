/**
 * Publishers whose columns have any name, with many years, and with a dimension that several domains join.
 */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ValuesDocument } from '../../build/format/documents.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { valuesPath } from '../../build/format/paths.ts';
import { column, datasetContract, dimension } from '../publishers/contract-text.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { newPublisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { LAKE, PUBLISHER, REGIONS } from '../publishers/weather.ts';

/** `keys` are its foreign keys. */
const contract = (
  years: Readonly<Record<string, string>>,
  levels: string,
  grain: string,
  columns: string,
  keys = '',
) => {
  const table = { detail_levels: `[${levels}]`, grain: `[${grain}]`, foreign_keys: `[${keys}]` };
  return datasetContract('any.facts', [column('year', 'integer', 'year', true), columns], table, years);
};
const fileOf = (year: number, level: string) => `any/facts/year=${year}/${level}.parquet`;

/** SQL keywords, and names that queries of checks, values, histories and differences use. */
const AXES =
  'number value rows slice count index key years years0 file position type key_name of group order select from table text old new same row first last'.split(
    ' ',
  );
const METRICS =
  'n t p d f g name m k c0 a0 total min max start sizes rest range now before differs members part along hashes any r c s x h i j ROWID _slice file_index digest columns filename line'.split(
    ' ',
  );

/** 600 rows at the level names, 300 for the country. */
function namedRows(year: number, level: string, more = 0): string {
  const place = level === 'names' ? "'n' || lpad((i % 300)::VARCHAR, 3, '0')" : 'NULL::VARCHAR';
  const axes = AXES.map((axis, k) => `'v' || ${k === 0 ? 'i // 300' : `i % ${k + 2}`} AS "${axis}"`);
  const metrics = METRICS.map((metric, k) =>
    k % 2 === 0
      ? `i::INTEGER AS "${metric}"`
      : `(i * ${k} + CASE WHEN i = 41 THEN ${more} ELSE 0 END) / 2.0 AS "${metric}"`,
  );
  return `SELECT ${year}::INTEGER AS year, ${place} AS b, ${[...axes, ...metrics].join(', ')} FROM range(${level === 'names' ? 600 : 300}) r(i)`;
}

test('columns of any name are checked, published, counted again and revised', async () => {
  const columns = [
    column('b', 'string', 'fk_b'),
    ...AXES.map(name => column(name, 'string', 'categorical')),
    ...METRICS.map((name, i) => column(name, i % 2 === 0 ? 'integer' : 'number', 'metric')),
  ].join('');
  const key = '{ column: b, target_object: names, target_columns: [b] }';
  const range = { year_range: '2001-2003' };
  const slices = [2001, 2002, 2003].flatMap(year =>
    ['names', 'country'].map(level => [fileOf(year, level), namedRows(year, level)]),
  );
  const folder = await newPublisher(
    {
      'publisher.yaml': PUBLISHER,
      'facts.yaml': contract(range, 'names, country', `year, b, ${AXES.join(', ')}`, columns, key),
      'names.yaml': dimension('any', 'names', ['b'], 'label'),
    },
    {
      'any/_dimensions/names.parquet':
        "SELECT 'n' || lpad(i::VARCHAR, 3, '0') AS b, 'Name ' || i AS label FROM range(300) r(i)",
      ...Object.fromEntries(slices),
    },
  );
  await folder.build();
  await folder.writeRows({ [fileOf(2002, 'names')]: namedRows(2002, 'names', 7) });
  await folder.build();
  await folder.verify();
  const fresh = await folder.copy();
  await fresh.build();
  const rows = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).filter(([name]) => /year=|_copies|values\.json/.test(name)));
  expect(rows(await folder.contents())).toEqual(rows(await fresh.contents()));
});

test('a value has the years that it has rows of, in any number', async () => {
  const years = Array.from({ length: 110 }, (_, i) => 1901 + i).filter(year => year !== 1943);
  /** Kinds that were seen every so many years. */
  const seen = { always: 1, often: 3, 'now and then': 32, seldom: 75 };
  const yearsOf = (kind: keyof typeof seen) => years.filter(year => year % seen[kind] === 0);
  const kinds = Object.keys(seen) as (keyof typeof seen)[];
  const rows = years.map(year => {
    const list = kinds.filter(kind => yearsOf(kind).includes(year)).map(kind => `'${kind}'`);
    const select = `SELECT ${year}::INTEGER AS year, unnest([${list}]) AS kind, 1::INTEGER AS comets`;
    return [fileOf(year, 'sky'), select] as const;
  });
  const range = { year_range: '1901-2010', year_gaps: '[1943]' };
  const columns = column('kind', 'string', 'categorical', true) + column('comets', 'integer', 'metric');
  const contracts = {
    'publisher.yaml': PUBLISHER,
    'facts.yaml': contract(range, 'sky', 'year, kind', columns),
  };
  const folder = await newPublisher(contracts, Object.fromEntries(rows));
  await folder.build();
  const values = await folder.json<ValuesDocument>(valuesPath('any', 'facts'));
  const found = (axis: string) =>
    values.columns.find(one => one.column === axis)!.values.map(one => [one.value, one.years]);
  expect(Object.fromEntries(found('kind'))).toEqual(
    Object.fromEntries(kinds.map(kind => [kind, yearsOf(kind)])),
  );
  expect(found('year')).toEqual(years.map(year => [year, [year]]));
});

test('a dimension that no domain owns is under each one that joins it, its route under the first', async () => {
  const folder = await (await keptWeather()).copy(await temporaryFolder());
  // A dimension that nothing joins isn't published.
  await folder.writeContracts({ 'islands.yaml': REGIONS.replaceAll('regions', 'islands') });
  await folder.writeRows({ '_dimensions/islands.parquet': LAKE['_dimensions/regions.parquet']! });
  await folder.build();
  const manifest = await folder.json<TreeManifest>('manifest.json');
  expect(manifest.dimensions.map(one => one.key)).toEqual([
    'climate/_dimensions/regions',
    'climate/_dimensions/stations',
    'transit/_dimensions/regions',
  ]);
  const tree = await folder.contents();
  for (const name of ['rows.json', 'rows.csv', 'rows.parquet', 'schema.json', 'manifest.json']) {
    const [one, two] = ['climate', 'transit'].map(
      domain => tree[`api/v1/${domain}/_dimensions/regions/${name}`],
    );
    expect([name, one]).toEqual([name, two]);
  }
  const schema = 'api/v1/transit/_dimensions/regions/schema.json';
  const route = (domain: string) => ({ scope: 'global', endpoint: `/api/v1/${domain}/_dimensions/regions` });
  expect(await folder.json<object>(schema)).toMatchObject(route('climate'));
  expect(Object.keys(tree).filter(name => /islands|\/\//.test(name))).toEqual([]);
  expect(await folder.json<object>('healthz.json')).toMatchObject({ dimensions: 2 });
  await folder.verify();
  // Only under the domains that are published.
  const transit = folder.with({ out: path.join(folder.root, 'transit') });
  await transit.build({ only: 'transit/*' });
  expect(await transit.json<object>(schema)).toMatchObject(route('transit'));
  const names = Object.keys(await transit.contents());
  expect(names.filter(name => /climate\/_dimensions\/regions/.test(name))).toEqual([]);
});
