/** The published documents of the sample, held against the specification's facts and field lists. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { DatasetsDocument } from '../../../build/format/documents.ts';
import type {
  ColumnDescriptor,
  DimensionSchemaDocument,
  FilterDescriptor,
  ForeignKeyDescriptor,
  SchemaDocument,
} from '../../../build/format/schema.ts';
import { parseComparability } from '../../../site/explorer/view/comparability.ts';
import { CONTRACTS, PROJECT } from './contracts.ts';
import { type DimensionSpecification, dimensionSpecifications, specifications } from './facts.ts';
import {
  COLUMN_FIELDS,
  DATASET_FIELDS,
  DIMENSION_COLUMN_FIELDS,
  DIMENSION_FIELDS,
  FILTER_FIELDS,
  FOREIGN_KEY_FIELDS,
  fieldProblems,
} from './fields.ts';
import { sampleTree } from './sample.ts';

const tree = await sampleTree();

function text(...parts: readonly string[]): Promise<string> {
  return readFile(path.join(tree, 'api/v1', ...parts), 'utf8');
}

async function document<T>(...parts: readonly string[]): Promise<T> {
  return JSON.parse(await text(...parts)) as T;
}

const documents = new Map<string, SchemaDocument>();
for (const { key } of specifications)
  documents.set(key, await document<SchemaDocument>('datasets', key, 'index.json'));
const list = await document<DatasetsDocument>('datasets/index.json');

function yearsOf([first, last]: readonly [number, number], gaps: readonly number[]): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(year => !gaps.includes(year));
}

describe.each(specifications.map(one => [one.key, one] as const))('%s', (key, { facts }) => {
  const published = documents.get(key)!;
  const [domain, topic] = key.split('/') as [string, string];

  test('version, years, levels, grain, key metric and update frequency', () => {
    const stated = {
      version: facts.version,
      default_detail: facts.defaultDetail,
      key_metric: facts.keyMetric,
      update_frequency: facts.updateFrequency,
    };
    if (facts.zeroIsReal !== undefined) expect(published.null_semantics.zero_is_real).toBe(facts.zeroIsReal);
    expect(published).toMatchObject({
      year_min: facts.years[0],
      year_max: facts.years[1],
      year_gaps: facts.gaps ?? [],
      available_years: yearsOf(facts.years, facts.gaps ?? []),
      grain: facts.grain,
      ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    });
    expect([...published.detail_levels].sort()).toEqual([...facts.levels].sort());
  });

  test('every column that is named', () => {
    const names = published.columns.map(({ name }) => name);
    expect(Object.keys(facts.columns).filter(name => !names.includes(name))).toEqual([]);
    expect(facts.grain.filter(name => !names.includes(name))).toEqual([]);
  });

  const named = published.columns.flatMap(column => {
    const stated = facts.columns[column.name];
    return stated === undefined ? [] : [[column.name, column, stated] as const];
  });
  test.each(named)('%s: type, nullability, role, unit, bounds, component, values', (_, column, stated) => {
    const expected: Partial<ColumnDescriptor> = {
      ...(stated.type !== undefined && { type: stated.type }),
      ...(stated.nullable !== undefined && { nullable: stated.nullable }),
      ...(stated.role !== undefined && { role: stated.role }),
      ...(stated.unit !== undefined && { unit: stated.unit }),
      ...(stated.min !== undefined && { value_min: stated.min }),
      ...(stated.max !== undefined && { value_max: stated.max }),
      ...(stated.component !== undefined && { metric_component: stated.component }),
    };
    expect(column).toMatchObject(expected);
    if (stated.values !== undefined)
      expect(column.valid_values?.map(String).sort()).toEqual([...stated.values].sort());
  });

  test('the summary says from when to when there is what it names', () => {
    const years = [...published.summary.matchAll(/\b\d{4}\b/g)].map(([year]) => Number(year));
    expect(years).toEqual(expect.arrayContaining([...(facts.summaryYears ?? [])]));
  });

  test('series break where years do not compare', async () => {
    const { breaksOf } = parseComparability(await document('datasets', key, 'contract.json'));
    const stated = named.flatMap(([name, , { breaks }]) => (breaks === undefined ? [] : [[name, breaks]]));
    const published = Object.fromEntries(
      named.map(([name]) => [name, breaksOf(name).map(({ after }) => after)]),
    );
    expect(published).toMatchObject(Object.fromEntries(stated));
  });

  test('every field of 2.1 to 2.4 is there, of its type, and no other', () => {
    expect(fieldProblems(published, DATASET_FIELDS)).toEqual([]);
    expect(published.columns.flatMap(column => fieldProblems(column, COLUMN_FIELDS))).toEqual([]);
    expect(published.filters.flatMap(filter => fieldProblems(filter, FILTER_FIELDS))).toEqual([]);
    expect(published.foreign_keys.flatMap(one => fieldProblems(one, FOREIGN_KEY_FIELDS))).toEqual([]);
  });

  test('names and routes', () => {
    expect(published).toMatchObject({
      main_topic: domain,
      topic,
      key: `${domain}/${published.sub_topic}/${topic}`,
      path_template: `${domain}/${topic}/year={year}/{detail}.parquet`,
      endpoint: `/api/v1/${domain}/${topic}`,
      values_endpoint: `/api/v1/${domain}/${topic}/values`,
      sample: true,
    });
    const headline = published.columns.find(({ name }) => name === published.key_metric);
    expect(headline?.role).toBe('metric');
  });

  test('foreign keys as 2.4 lists them', () => {
    expect(published.foreign_keys).toEqual(expectedForeignKeys(published.columns));
  });

  test('filters follow from the columns', () => {
    expect(published.filters).toEqual(expectedFilters(published));
  });

  test('schema_hash is that of the canonical form', () => {
    expect(published.schema_hash).toBe(schemaHash(published.columns, published.grain));
  });

  test('each example query is of the table named as the topic', () => {
    expect(published.example_queries.length).toBeGreaterThan(0);
    for (const { description, query } of published.example_queries) {
      expect(description).not.toBe('');
      expect(query).toMatch(new RegExp(`\\b(FROM|JOIN)\\s+${topic}\\b`, 'i'));
    }
  });

  test('contract.yaml is the contract with the rows of the tree, contract.json the same parsed', async () => {
    const contract = await readFile(path.join(CONTRACTS, `${key}.odcs.yaml`), 'utf8');
    const server = `{ "server": "lake", "type": "local", "path": "../../../${key}/year=*/*.parquet", "format": "parquet" }`;
    const expected = contract.replace(/^servers:\n(?: .*\n)+/m, `servers:\n  - ${server}\n`);
    expect(await readFile(path.join(tree, 'api/v1/datasets', key, 'contract.yaml'), 'utf8')).toBe(expected);
    expect(await document('datasets', key, 'contract.json')).toEqual(parse(expected));
  });

  test('datasets/index.json says the same', () => {
    const summary = list.datasets.find(one => one.main_topic === domain && one.topic === topic);
    const { rows, schema_endpoint, ...shared } = summary!;
    expect(published).toMatchObject(shared);
    expect(rows).toBeGreaterThan(0);
    expect(schema_endpoint).toBe(`/api/v1/datasets/${domain}/${topic}`);
  });
});

test('datasets/index.json lists the thirty datasets and no other', () => {
  expect(list.count).toBe(30);
  const keys = list.datasets.map(({ main_topic, topic }) => `${main_topic}/${topic}`);
  expect(keys).toEqual(specifications.map(({ key }) => key).sort());
});

test('README and the guides say how many rows the sample lake has', async () => {
  const dimensions = dimensionSpecifications.map(({ key, joinedBy }) => {
    const joins = [...documents.values()].find(one => one.columns.some(({ name }) => name === joinedBy));
    return document<DimensionSchemaDocument>(
      joins!.main_topic,
      '_dimensions',
      key.split('/').at(-1)!,
      'schema.json',
    );
  });
  const counted = [...list.datasets, ...(await Promise.all(dimensions))];
  const rows = counted.reduce((sum, one) => sum + one.rows, 0);
  const readme = await readFile(path.join(PROJECT, 'README.md'), 'utf8');
  expect(readme).toContain(`holds ${rows} invented rows in ${counted.length} tables`);
  const guide = await readFile(path.join(PROJECT, 'docs/large-lakes.md'), 'utf8');
  expect(guide).toContain(`the sample lake (${rows.toLocaleString('en')} rows)`);
});

describe.each(dimensionSpecifications.map(one => [one.key, one] as const))('dimension %s', (key, stated) => {
  const [name, owner] = key.split('/').reverse() as [string, string | undefined];
  const domains = [...documents.values()]
    .filter(one => one.foreign_keys.some(({ target_object }) => target_object === name))
    .map(({ main_topic }) => main_topic);

  test('stands beneath every domain that joins it, with the same bytes', async () => {
    const places = new Set([...domains, ...(owner === undefined ? [] : [owner])]);
    const texts = await Promise.all(
      [...places].map(domain => text(domain, '_dimensions', name, 'schema.json')),
    );
    expect(places.size).toBeGreaterThan(0);
    expect(new Set(texts).size).toBe(1);
  });

  test('schema document', async () => {
    const published = await document<DimensionSchemaDocument>(
      domains[0]!,
      '_dimensions',
      name,
      'schema.json',
    );
    expect(fieldProblems(published, DIMENSION_FIELDS)).toEqual([]);
    expect(published.columns.flatMap(column => fieldProblems(column, DIMENSION_COLUMN_FIELDS))).toEqual([]);
    expect(published).toMatchObject({
      name,
      scope: stated.scope,
      primary_key: stated.primaryKey,
      attribute_columns: [...stated.attributes, ...stated.own],
    });
    expect(published.link_keys ?? []).toEqual(stated.linkKeys);
    expect('semantics' in published).toBe(stated.hasSemantics);
    const keys = published.columns.filter(({ primary_key_position }) => primary_key_position !== null);
    expect(keys.map(column => column.name)).toEqual(stated.primaryKey);
    expect(keys.map(column => [column.primary_key_position, column.role, column.nullable])).toEqual(
      stated.primaryKey.map((_, i) => [i + 1, 'key', false]),
    );
    for (const [column, values] of Object.entries(stated.lists)) {
      const descriptor = published.columns.find(candidate => candidate.name === column);
      expect([...(descriptor?.valid_values ?? [])].sort()).toEqual([...values].sort());
    }
    expect(published.endpoint).toMatch(new RegExp(`^/api/v1/[a-z]+/_dimensions/${name}$`));
    if (owner !== undefined) expect(published.endpoint).toBe(`/api/v1/${owner}/_dimensions/${name}`);
  });
});

/** The joins of the columns that a dataset has, in column order. */
function joinsOf(columns: readonly ColumnDescriptor[]): DimensionSpecification[] {
  return columns.flatMap(({ name }) => dimensionSpecifications.filter(({ joinedBy }) => joinedBy === name));
}

function dimensionName({ key }: DimensionSpecification): string {
  return key.split('/').at(-1)!;
}

function expectedForeignKeys(columns: readonly ColumnDescriptor[]): ForeignKeyDescriptor[] {
  return joinsOf(columns).map(dimension => ({
    column: dimension.joinedBy,
    target_object: dimensionName(dimension),
    target_columns: dimension.primaryKey,
    attribute_columns_added: dimension.attributes,
    scope: dimension.scope,
  }));
}

function expectedFilters(schema: SchemaDocument): FilterDescriptor[] {
  const { columns, grain, detail_levels, default_detail } = schema;
  const parts = grain.filter(name =>
    columns.some(one => one.name === name && one.role.startsWith('fk_') && one.role !== 'fk_demographic'),
  );
  const place = {
    param: 'place',
    kind: 'place',
    type: 'string',
    multi_value: true,
    enum_enforced: false,
    values: null,
    columns: parts,
  } as const;
  const year = {
    type: 'integer',
    multi_value: false,
    enum_enforced: false,
    values: null,
    column: 'year',
  } as const;
  const byColumn = columns
    .filter(({ role }) => role === 'categorical' || role.startsWith('fk_'))
    .map(({ name, role, type, valid_values }): FilterDescriptor => {
      const values = type === 'boolean' ? ['false', 'true'] : (valid_values?.map(String) ?? null);
      return {
        param: name,
        kind: role === 'categorical' ? 'categorical' : 'foreign_key',
        type: type === 'integer' ? 'integer' : 'string',
        multi_value: true,
        enum_enforced: values !== null,
        values,
        column: name,
      };
    });
  const byAttribute = joinsOf(columns).flatMap(dimension =>
    Object.entries(dimension.lists).map(
      ([column, values]): FilterDescriptor => ({
        param: column,
        kind: 'dimension_attribute',
        type: 'string',
        multi_value: true,
        enum_enforced: true,
        values,
        column,
        dimension: dimensionName(dimension),
      }),
    ),
  );
  // No column of these contracts has the name of another's range.
  const byRange = columns
    .filter(({ role, type }) => /^(metric|categorical)$/.test(role) && /^(integer|number)$/.test(type))
    .flatMap(({ name, type }) =>
      (['min', 'max'] as const).map((bound): FilterDescriptor => {
        const numeric = type === 'integer' ? 'integer' : 'number';
        const base = { multi_value: false, enum_enforced: false, values: null, column: name };
        return { param: `${name}_${bound}`, kind: 'range', type: numeric, bound, ...base };
      }),
    );
  return [
    { param: 'year', kind: 'year_exact', ...year },
    { param: 'year_min', kind: 'year_range', ...year },
    { param: 'year_max', kind: 'year_range', ...year },
    {
      param: 'detail',
      kind: 'detail',
      type: 'string',
      multi_value: false,
      enum_enforced: true,
      values: detail_levels,
      default: default_detail,
    },
    ...byColumn,
    ...byAttribute,
    ...(parts.length === 0 ? [] : [place]),
    ...byRange,
  ];
}

/** As FORMAT.md gives it. */
function schemaHash(columns: readonly ColumnDescriptor[], grain: readonly string[]): string {
  const described = columns.map(({ name, type, role, unit, valid_values }) => {
    const values = valid_values?.map(String).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return [name, type, role, unit, values ?? null];
  });
  return createHash('sha256')
    .update(JSON.stringify({ columns: described, grain }), 'utf8')
    .digest('hex');
}

test('explorer is on the datasets with figures of places, and not on those that join zones and areas', () => {
  const without = [...documents].filter(([, { explorer }]) => explorer !== true).map(([key]) => key);
  expect(without).toEqual([
    'education/school_attendance_zone_block_groups',
    'education/school_attendance_zone_tracts',
  ]);
});
