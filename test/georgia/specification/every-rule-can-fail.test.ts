import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check, CheckOutcome } from '../../../build/check/check.ts';
import { datasetChecks, dimensionChecks } from '../../../build/check/derived-checks.ts';
import type { Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { datasets as samples } from '../../../scripts/georgia/sample/datasets.ts';
import { BreakableTable, readInventory } from './breakable-table.ts';
import { readOwnContracts } from './contracts.ts';
import { specifications } from './datasets.ts';
import { type DerivedBreak, derivedBreaks } from './derived-breaks.ts';
import { dimensionSpecifications } from './dimensions.ts';
import type { Break } from './facts.ts';
import { sampleLake } from './sample.ts';

const contracts = await readOwnContracts();
const inventory = await readInventory(await sampleLake(), contracts);

test('the sample has all thirty datasets and six dimensions', () => {
  expect(samples.map(({ key }) => key).sort()).toEqual(specifications.map(({ key }) => key).sort());
  expect([...inventory.slices.keys()].sort()).toEqual(specifications.map(({ key }) => key).sort());
  expect([...inventory.dimensions.keys()].sort()).toEqual(
    dimensionSpecifications.map(({ key }) => key).sort(),
  );
});

for (const { key, breaks } of specifications) {
  const dataset = contracts.datasets.find(candidate => candidate.key === key);
  if (dataset === undefined) continue;
  const slices = inventory.slices.get(key) ?? [];
  breakEveryRule(dataset, datasetChecks(dataset, contracts, slices), breaks, [
    ...new Set(slices.map(slice => slice.detail)),
  ]);
}

for (const { key, breaks } of dimensionSpecifications) {
  const dimension = contracts.dimensions.get(key);
  if (dimension !== undefined) breakEveryRule(dimension, dimensionChecks(dimension), breaks, []);
}

function breakEveryRule(
  contract: Dataset | Dimension,
  checks: readonly Check[],
  breaks: Readonly<Record<string, Break>>,
  levels: readonly string[],
): void {
  describe(`${contract.kind} ${contract.key}`, () => {
    let table: BreakableTable;
    const untouched = new Map<string, CheckOutcome>();

    beforeAll(async () => {
      table = await BreakableTable.open(contracts, inventory, contract);
      await table.lock();
      for (const outcome of await table.outcomes(checks)) untouched.set(outcome.check.name, outcome);
    });
    afterAll(() => table.close());

    test.each(checks.map(check => [check.name, check] as const))('%s', async (name, check) => {
      expect(untouched.get(name)).toMatchObject({ result: 'passed' });
      const changes = changesFor(contract, check, breaks, levels);
      expect(changes, 'changes that break the rule').not.toEqual([]);
      for (const { what, sql } of changes) {
        const [outcome] = await table.outcomes([check], sql);
        expect(outcome, what).toMatchObject({
          check: { name },
          result: check.severity === 'error' ? 'failed' : 'warned',
          // It is what was measured that fails, not the rule's SQL.
          found: expect.any(Number),
          reason: null,
        });
      }
    });
  });
}

function changesFor(
  contract: Dataset | Dimension,
  check: Check,
  breaks: Readonly<Record<string, Break>>,
  levels: readonly string[],
): DerivedBreak[] {
  const written = breaks[check.name];
  if (check.measure.kind === 'query') return written === undefined ? [] : [{ what: written, sql: written }];
  return derivedBreaks(contract, check, levels);
}
