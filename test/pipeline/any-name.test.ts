/** Columns have the names that their publisher gives them, those of our own queries' columns and tables among them. */
import { expect, test } from 'vitest';
import { buildPublisher, contents, verify } from '../publishers/built-tree.ts';
import { column, dimension } from '../publishers/contract-text.ts';
import { copyPublisher, temporaryFolder, writePublisher, writeRows } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';

/** Words of SQL, and what queries of checks, values, histories and differences call things. */
const AXES =
  'number value rows slice count index key years years0 file position type key_name of group order select from table text old new same row first last'.split(
    ' ',
  );
const METRICS =
  'n t p d f g b m k c0 a0 total min max start sizes rest range now before differs members part along hashes any r c s x h i j'.split(
    ' ',
  );
const YEARS = [2001, 2002, 2003];

const CONTRACT = `apiVersion: v3.1.0
kind: DataContract
id: any.facts
version: 1.0.0
status: active
domain: any
customProperties: [{ property: year_range, value: 2001-2003 }]
schema:
  - name: facts
    customProperties:
      - { property: detail_levels, value: [names, country] }
      - { property: grain, value: [year, name, ${AXES.join(', ')}] }
      - { property: path_template, value: "any/facts/year={year}/{detail}.parquet" }
      - { property: foreign_keys, value: [{ column: name, target_object: names, target_columns: [name] }] }
    properties:${[
      column('year', 'integer', 'year', true),
      column('name', 'string', 'fk_name'),
      ...AXES.map(name => column(name, 'string', 'categorical')),
      ...METRICS.map((name, i) => column(name, i % 2 === 0 ? 'integer' : 'number', 'metric')),
    ].join('')}
`;

const CONTRACTS = {
  'publisher.yaml': PUBLISHER,
  'facts.yaml': CONTRACT,
  'names.yaml': dimension('any', 'names', ['name'], 'label'),
};
const fileOf = (year: number, level: string) => `any/facts/year=${year}/${level}.parquet`;

/** Of the level names, 4,000 rows: enough years of them are more row groups than are written anew for a change. */
function rowsOf(year: number, level: string, more = 0): string {
  const name = level === 'names' ? "'n' || lpad((i % 300)::VARCHAR, 3, '0')" : 'NULL::VARCHAR';
  const axes = AXES.map((axis, k) => `'v' || ${k === 0 ? 'i // 300' : `i % ${k + 2}`} AS "${axis}"`);
  const metrics = METRICS.map((metric, k) =>
    k % 2 === 0
      ? `i::INTEGER AS "${metric}"`
      : `(i * ${k} + CASE WHEN i = 41 THEN ${more} ELSE 0 END) / 2.0 AS "${metric}"`,
  );
  return `SELECT ${year}::INTEGER AS year, ${name} AS name, ${[...axes, ...metrics].join(', ')} FROM range(${level === 'names' ? 4000 : 300}) r(i)`;
}

const LAKE = {
  'any/_dimensions/names.parquet':
    "SELECT 'n' || lpad(i::VARCHAR, 3, '0') AS name, 'Name ' || i AS label FROM range(300) r(i)",
  ...Object.fromEntries(
    YEARS.flatMap(year => ['names', 'country'].map(level => [fileOf(year, level), rowsOf(year, level)])),
  ),
};

test('columns of any name are checked, published, counted again and revised', async () => {
  const folder = await writePublisher(await temporaryFolder(), CONTRACTS, LAKE);
  await buildPublisher(folder);
  await writeRows(folder.data, { [fileOf(2002, 'names')]: rowsOf(2002, 'names', 7) });
  await buildPublisher(folder);
  await verify(folder.out);
  const fresh = await copyPublisher(folder, await temporaryFolder());
  await buildPublisher(fresh);
  const rows = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).filter(([name]) => /year=|history|values\.json/.test(name)));
  expect(rows(await contents(folder.out))).toEqual(rows(await contents(fresh.out)));
});
