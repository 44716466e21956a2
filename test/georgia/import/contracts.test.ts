import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DEMOGRAPHICS } from '../../../scripts/georgia/import/demographics.ts';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';

const TYPES: Readonly<Record<string, string>> = {
  int: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
};

interface Property {
  readonly name: string;
  readonly physicalType: string;
  readonly primaryKeyPosition?: number;
  readonly quality?: readonly { readonly arguments?: { readonly validValues: readonly string[] } }[];
}
interface Contract {
  readonly schema: readonly [
    {
      readonly properties: readonly Property[];
      readonly customProperties: readonly { property: string; value: unknown }[];
    },
  ];
}

function contractPath(target: string): string {
  return fileURLToPath(new URL(`../../../contracts/${target}.odcs.yaml`, import.meta.url));
}

function readContract(target: string): Contract['schema'][0] {
  return (parse(readFileSync(contractPath(target), 'utf8')) as Contract).schema[0];
}

describe('each importer writes what its contract promises', () => {
  test.each(IMPORTERS.map(importer => importer.target))('$path', ({ path, columns, key }) => {
    expect(existsSync(contractPath(path))).toBe(true);
    const { properties } = readContract(path);
    expect(Object.entries(columns)).toEqual(
      properties.map(({ name, physicalType }) => [name, TYPES[physicalType]]),
    );
    const keyed = properties.filter(property => property.primaryKeyPosition !== undefined);
    keyed.sort((a, b) => a.primaryKeyPosition! - b.primaryKeyPosition!);
    expect(key).toEqual(keyed.map(property => property.name));
  });
});

test('the demographics are the groups and categories of their contract', () => {
  const { properties, customProperties } = readContract('education/_dimensions/demographics');
  const codes = properties[0]!.quality![0]!.arguments!.validValues;
  expect(DEMOGRAPHICS.map(([code]) => code)).toEqual([...codes].sort());
  const semantics = customProperties.find(({ property }) => property === 'semantics')!.value as {
    categories: Readonly<Record<string, readonly string[]>>;
  };
  for (const [code, , category] of DEMOGRAPHICS) expect(semantics.categories[category]).toContain(code);
});
