/** The published documents of the sample, held against the specification's facts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DatasetsDocument } from '../../../build/format/documents.ts';
import type { DimensionSchemaDocument, SchemaDocument } from '../../../build/format/schema.ts';
import { verifyTree } from '../../../build/tree/verify-tree.ts';
import { parseComparability } from '../../../site/explorer/view/contract.ts';
import { PROJECT } from './contracts.ts';
import { dimensionSpecifications, specifications } from './facts.ts';
import { sampleTree } from './sample.ts';

const tree = await sampleTree();

async function document<T>(...parts: readonly string[]): Promise<T> {
  return JSON.parse(await readFile(path.join(tree, 'api/v1', ...parts), 'utf8')) as T;
}

const documents = new Map<string, SchemaDocument>();
for (const { key } of specifications)
  documents.set(key, await document<SchemaDocument>('datasets', key, 'index.json'));

test('the tree holds what its lists say', async () => {
  const { slices } = await verifyTree(tree, { jobs: 2, memory: '800MB' }, () => undefined);
  expect(slices).toBe(656);
});

describe.each(specifications.map(one => [one.key, one] as const))('%s', (key, { facts }) => {
  const published = documents.get(key)!;

  test('version, years, levels, grain, key metric and update frequency', () => {
    const gaps = facts.gaps ?? [];
    const [first, last] = facts.years;
    const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const stated = {
      version: facts.version,
      default_detail: facts.defaultDetail,
      key_metric: facts.keyMetric,
      update_frequency: facts.updateFrequency,
    };
    if (facts.zeroIsReal !== undefined) expect(published.null_semantics.zero_is_real).toBe(facts.zeroIsReal);
    expect(published).toMatchObject({
      available_years: years.filter(year => !gaps.includes(year)),
      grain: facts.grain,
      sample: true,
      ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    });
    expect([...published.detail_levels].sort()).toEqual([...facts.levels].sort());
  });

  test('columns: type, nullability, role, unit, bounds, component, values', () => {
    for (const [name, stated] of Object.entries(facts.columns)) {
      const column = published.columns.find(one => one.name === name);
      const { values, breaks: _, min, max, component, ...own } = stated;
      const expected = { ...own, value_min: min, value_max: max, metric_component: component };
      const given = Object.entries(expected).filter(([, value]) => value !== undefined);
      expect(column, name).toMatchObject(Object.fromEntries(given));
      if (values) expect(column?.valid_values?.map(String).sort(), name).toEqual([...values].sort());
    }
  });

  test('the summary says from when to when there is what it names', () => {
    const years = [...published.summary.matchAll(/\b\d{4}\b/g)].map(([year]) => Number(year));
    expect(years).toEqual(expect.arrayContaining([...(facts.summaryYears ?? [])]));
  });

  test('series break where years do not compare', async () => {
    const { breaksOf } = parseComparability(await document('datasets', key, 'contract.json'));
    for (const [name, { breaks }] of Object.entries(facts.columns))
      if (breaks) expect([name, breaksOf(name).map(({ after }) => after)]).toEqual([name, breaks]);
  });

  test('its columns join the dimensions that they name, with their lists as filters', () => {
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
  });

  test('each example query is of the table named as the topic', () => {
    expect(published.example_queries.length).toBeGreaterThan(0);
    for (const { query } of published.example_queries)
      expect(query).toMatch(new RegExp(`\\b(FROM|JOIN)\\s+${published.topic}\\b`, 'i'));
  });
});

test.each(dimensionSpecifications)('dimension $key', async stated => {
  const [name, owner] = stated.key.split('/').reverse() as [string, string | undefined];
  const joining = [...documents.values()].find(one =>
    one.foreign_keys.some(({ target_object }) => target_object === name),
  )!;
  const file = [owner ?? joining.main_topic, '_dimensions', name, 'schema.json'];
  const published = await document<DimensionSchemaDocument>(...file);
  expect(published).toMatchObject({
    name,
    scope: stated.scope,
    primary_key: stated.primaryKey,
    attribute_columns: [...stated.attributes, ...stated.own],
  });
  expect(published.link_keys ?? []).toEqual(stated.linkKeys);
  expect('semantics' in published).toBe(stated.hasSemantics);
  for (const [column, values] of Object.entries(stated.lists)) {
    const descriptor = published.columns.find(candidate => candidate.name === column);
    expect([...(descriptor?.valid_values ?? [])].sort()).toEqual([...values].sort());
  }
});

test('README and the guides say how many rows the sample lake has', async () => {
  const { datasets } = await document<DatasetsDocument>('datasets/index.json');
  const dimensions = dimensionSpecifications.map(({ key, joinedBy }) => {
    const joins = [...documents.values()].find(one => one.columns.some(({ name }) => name === joinedBy));
    const file = [joins!.main_topic, '_dimensions', key.split('/').at(-1)!, 'schema.json'];
    return document<DimensionSchemaDocument>(...file);
  });
  const counted = [...datasets, ...(await Promise.all(dimensions))];
  const rows = counted.reduce((sum, one) => sum + one.rows, 0);
  const readme = await readFile(path.join(PROJECT, 'README.md'), 'utf8');
  expect(readme).toContain(`holds ${rows} invented rows in ${counted.length} tables`);
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
