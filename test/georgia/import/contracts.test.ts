import { expect, test } from 'vitest';
import { DEMOGRAPHICS } from '../../../scripts/georgia/import/demographics.ts';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { ABOUT } from '../../../scripts/georgia/import/subjects.ts';
import { duckdbType } from '../../../build/lake/fact-table.ts';
import { readOwnContracts } from '../specification/contracts.ts';

const { datasets, dimensions } = await readOwnContracts();
const contracts = new Map(
  [...datasets, ...dimensions.values()].map(one => [
    one.key.replace(/^(.*\/|)(\w+)$/, one.kind === 'dataset' ? '$&' : '$1_dimensions/$2'),
    one,
  ]),
);

test.each(IMPORTERS.map(importer => importer.target))(
  '$path: its importer writes what its contract promises',
  ({ path, columns, key }) => {
    const contract = contracts.get(path)!;
    expect(Object.entries(columns)).toEqual(
      contract.columns.map(column => [column.name, duckdbType(column)]),
    );
    expect(key).toEqual(contract.kind === 'dataset' ? contract.grain : contract.primaryKey);
  },
);

test('every dataset is read under the names of its contract, and says what it is about', () => {
  const importers = IMPORTERS.filter(({ target }) => target.kind === 'dataset');
  expect(new Set(importers.map(({ shapes }) => shapes.at(-1)?.name))).toEqual(
    new Set(['columns of the contract']),
  );
  const names = importers.map(({ name }) => name).sort();
  expect(names).toEqual(datasets.map(({ topic }) => topic).sort());
  expect(Object.keys(ABOUT).sort()).toEqual(names);
});

test('the demographics are the groups and categories of their contract', () => {
  const { columns, semantics } = dimensions.get('education/demographics')!;
  expect(DEMOGRAPHICS.map(([code]) => code)).toEqual([...columns[0]!.validValues!].sort());
  const { categories } = semantics as { categories: Readonly<Record<string, readonly string[]>> };
  for (const [code, , category] of DEMOGRAPHICS) expect(categories[category]).toContain(code);
});
