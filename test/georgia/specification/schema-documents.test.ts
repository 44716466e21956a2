/** The sample's published documents match the specification's facts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type {
  DatasetsDocument,
  DimensionSchemaDocument,
  SchemaDocument,
} from '../../../build/format/documents.ts';
import { verifyTree } from '../../../build/tree/verify-tree.ts';
import { parseComparability } from '../../../site/explorer/view/contract.ts';
import { sampleTree } from '../../conformance/sample-tree.ts';
import { PROJECT } from '../sample-lake.ts';
import { dimensionSpecifications, specifications } from './facts.ts';

const tree = await sampleTree();

async function document<T>(...parts: readonly string[]): Promise<T> {
  return JSON.parse(await readFile(path.join(tree, 'api/v1', ...parts), 'utf8')) as T;
}

const documents = new Map<string, SchemaDocument>();
for (const { key } of specifications)
  documents.set(key, await document<SchemaDocument>('datasets', key, 'index.json'));

/** Each domain that joins a dimension has it. */
function dimensionDocument({ key, joinedBy }: (typeof dimensionSpecifications)[number]) {
  const [name = '', owner] = key.split('/').reverse();
  const joins = [...documents.values()].find(one => one.columns.some(column => column.name === joinedBy))!;
  return document<DimensionSchemaDocument>(owner ?? joins.main_topic, '_dimensions', name, 'schema.json');
}

/** The stated facts of a specification. */
const stated = (facts: object) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
const sorted = (values: readonly unknown[] | null | undefined) => values?.map(String).sort();

test('the tree has what its lists say', async () => {
  const { slices } = await verifyTree(tree, { jobs: 2, memory: '800MB' }, () => undefined);
  expect(slices).toBe(656);
});

test.each(specifications)('$key: what it has, and what its columns mean', async ({ key, facts }) => {
  const published = documents.get(key)!;
  const [first, last] = facts.years;
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  expect(published).toMatchObject(
    stated({
      available_years: years.filter(year => !facts.gaps?.includes(year)),
      grain: facts.grain,
      sample: true,
      version: facts.version,
      default_detail: facts.defaultDetail,
      key_metric: facts.keyMetric,
      update_frequency: facts.updateFrequency,
    }),
  );
  expect(sorted(published.detail_levels)).toEqual(sorted(facts.levels));
  if (facts.zeroIsReal !== undefined) expect(published.null_semantics.zero_is_real).toBe(facts.zeroIsReal);
  const named = [...published.summary.matchAll(/\b\d{4}\b/g)].map(([year]) => Number(year));
  expect(named).toEqual(expect.arrayContaining([...(facts.summaryYears ?? [])]));

  const { breaksOf } = parseComparability(await document('datasets', key, 'contract.json'));
  for (const [name, { values, breaks, min, max, component, ...own }] of Object.entries(facts.columns)) {
    const column = published.columns.find(one => one.name === name);
    const bounds = { value_min: min, value_max: max, metric_component: component };
    expect(column, name).toMatchObject(stated({ ...own, ...bounds }));
    if (values) expect(sorted(column?.valid_values), name).toEqual(sorted(values));
    if (breaks) expect([name, breaksOf(name).map(({ after }) => after)]).toEqual([name, breaks]);
  }
});

test.each(specifications)('$key: its joins, their lists as filters, and its example queries', ({ key }) => {
  const published = documents.get(key)!;
  const joins = published.columns.flatMap(({ name }) =>
    dimensionSpecifications.filter(({ joinedBy }) => joinedBy === name),
  );
  expect(published.foreign_keys).toEqual(
    joins.map(({ key, joinedBy, primaryKey, attributes, scope }) => ({
      column: joinedBy,
      target_object: key.split('/').at(-1),
      target_columns: primaryKey,
      attribute_columns_added: attributes,
      scope,
    })),
  );
  const filters = published.filters.filter(({ kind }) => kind === 'dimension_attribute');
  const lists = joins.flatMap(one => Object.entries(one.lists));
  expect(filters.map(({ param, values }) => [param, values])).toEqual(lists);
  expect(published.example_queries.length).toBeGreaterThan(0);
  for (const { query } of published.example_queries)
    expect(query).toMatch(new RegExp(`\\b(FROM|JOIN)\\s+${published.topic}\\b`, 'i'));
});

test.each(dimensionSpecifications)('dimension $key', async one => {
  const published = await dimensionDocument(one);
  expect(published).toMatchObject({
    name: one.key.split('/').at(-1),
    scope: one.scope,
    primary_key: one.primaryKey,
    attribute_columns: [...one.attributes, ...one.own],
  });
  expect(published.link_keys ?? []).toEqual(one.linkKeys);
  expect('semantics' in published).toBe(one.hasSemantics);
  for (const [column, values] of Object.entries(one.lists))
    expect(sorted(published.columns.find(({ name }) => name === column)?.valid_values)).toEqual(
      sorted(values),
    );
});

test('README and the guides say how many rows the sample lake has', async () => {
  const { datasets } = await document<DatasetsDocument>('datasets/index.json');
  const counted = [...datasets, ...(await Promise.all(dimensionSpecifications.map(dimensionDocument)))];
  const rows = counted.reduce((sum, one) => sum + one.rows, 0);
  const readme = await readFile(path.join(PROJECT, 'README.md'), 'utf8');
  expect(readme).toContain(`${rows} invented rows in ${counted.length} tables`);
  const guide = await readFile(path.join(PROJECT, 'docs/large-lakes.md'), 'utf8');
  expect(guide).toContain(`the sample lake (${rows.toLocaleString('en')} rows)`);
});

test('explorer is on the datasets with figures of places, and not on those that join zones and areas', () => {
  const without = [...documents].filter(([, { explorer }]) => explorer !== true).map(([key]) => key);
  expect(without).toEqual([
    'education/school_attendance_zone_block_groups',
    'education/school_attendance_zone_tracts',
  ]);
});
