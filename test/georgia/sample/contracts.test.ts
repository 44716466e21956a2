/** Holds every row of the sample to its contract: each rule in SQL, each list of values, each NULL, the grain. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { datasets } from '../../../scripts/georgia/sample/datasets.ts';
import { dimensions } from '../../../scripts/georgia/sample/dimensions.ts';
import { sampleLake } from '../specification/sample.ts';
import { openLake } from './sample-lake.ts';

interface Quality {
  readonly name: string;
  readonly type: string;
  readonly query?: string;
  readonly arguments?: { readonly validValues?: readonly unknown[] };
}

interface Property {
  readonly name: string;
  readonly required?: boolean;
  readonly primaryKey?: boolean;
  readonly quality?: readonly Quality[];
}

interface Custom {
  readonly property: string;
  readonly value: unknown;
}

interface Contract {
  readonly customProperties: readonly Custom[];
  readonly schema: readonly [Schema];
}

interface Schema {
  readonly customProperties: readonly Custom[];
  readonly properties: readonly Property[];
  readonly quality?: readonly Quality[];
}

let lake: DuckDBConnection;
beforeAll(async () => {
  lake = await openLake(await sampleLake());
});

const tables = [
  ...dimensions.map(({ key }) => {
    const name = key.split('/').at(-1) ?? '';
    return { table: `_dimensions.${name}`, contract: join(dirname(key), '_dimensions', name) };
  }),
  ...datasets.map(({ key }) => ({ table: key.replace('/', '.'), contract: key })),
];

describe.each(tables)('$table', ({ table, contract }) => {
  const document: Contract = parse(readFileSync(`contracts/${contract}.odcs.yaml`, 'utf8'));
  const [{ customProperties, properties, quality }] = document.schema;
  const custom = new Map([...document.customProperties, ...customProperties].map(c => [c.property, c.value]));

  test('keeps every rule', async () => {
    const broken: string[] = [];
    for (const { name, query } of [...(quality ?? []), ...properties.flatMap(p => p.quality ?? [])]) {
      if (query && (await count(query.replaceAll('{object}', table))) !== 0) broken.push(name);
    }
    expect(broken).toEqual([]);
  });

  test('has exactly the values that the contract lists', async () => {
    for (const { name, quality } of properties) {
      const listed = quality?.flatMap(q => (q.type === 'library' && q.arguments?.validValues) || []) ?? [];
      if (listed.length === 0) continue;
      const found = await lake.runAndReadAll(
        `SELECT DISTINCT ${name} FROM ${table} WHERE ${name} IS NOT NULL`,
      );
      expect(found.getRowsJson().flat().sort(), name).toEqual(listed.sort());
    }
  });

  test('has no NULL in a required column and no row twice', async () => {
    const required = properties.filter(p => p.required).map(p => `${p.name} IS NULL`);
    const key = properties.filter(p => p.primaryKey).map(p => p.name);
    expect(await count(`SELECT count(*) FROM ${table} WHERE ${required.join(' OR ')}`)).toBe(0);
    expect(
      await count(
        `SELECT count(*) - (SELECT count(*) FROM (SELECT DISTINCT ${key} FROM ${table})) FROM ${table}`,
      ),
    ).toBe(0);
    expect(await count(`SELECT count(*) FROM ${table}`)).toBeGreaterThan(0);
  });

  if (table.startsWith('_dimensions.')) return;

  test('has the years and levels that the contract promises', async () => {
    const years = await lake.runAndReadAll(`SELECT DISTINCT year FROM ${table} ORDER BY year`);
    const levels = await lake.runAndReadAll(`SELECT DISTINCT detail FROM ${table} ORDER BY detail`);
    expect(years.getRowsJson().flat()).toEqual(custom.get('available_years'));
    expect(levels.getRowsJson().flat()).toEqual(custom.get('detail_levels'));
  });
});

/** The number that a query returns. */
async function count(sql: string): Promise<number> {
  return Number((await lake.runAndReadAll(sql)).getRows()[0]?.[0]);
}
